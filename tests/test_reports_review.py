"""Scenarios that people reported, on duplicates, feedback loops and calls that come at once or fail."""

from pathlib import Path
from typing import Any

from mcp_clients import called, here, refused
from scriptorium.service.shown import RecordShown
from scriptorium_core.transaction import Rejected
from small_homes import create, request, service
from web_homes import served

FACT = "The spare key hangs behind the blue door"
AGAIN = ("", " now", " of ours", " there", " here", " then", " again", " too", " also")
OTHERS = ("Tea is at six.", "Bo plays chess.", "Ann sings bass.", "The cat is grey.", "Rent is due monthly.")


def test_a_fact_that_was_said_nine_times_goes_along_once_and_is_offered_to_be_united(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        facts = [f"{FACT}{end}." for end in AGAIN]
        done = memory.change(request(*map(create, (*facts, *OTHERS))))
        assert not isinstance(done, Rejected)
        text = memory.context("Where does the spare key hang?", 600).text
        shown = [fact for fact in facts if fact in text]
        assert len(shown) == 1, text
        assert "Bo plays chess." in memory.context("Who plays chess?", 600).text
        items = memory.review().items
        assert items
        assert {str(item.kind) for item in items} == {"near-duplicate"}
        while items := memory.review().items:
            assert not isinstance(memory.decide(items[0].item, "1"), Rejected)
        found = [memory.show(f"^{block}") for block in done.report.created[: len(facts)]]
        shown_all = [each for each in found if isinstance(each, RecordShown)]
        states = [str(each.assessment.state) for each in shown_all if each.assessment is not None]
        assert states.count("supported") == 1
        assert states.count("retracted") == 8


def test_a_guess_that_was_wrong_is_retracted_and_goes_along_no_more(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        done = memory.change(request(create("The search endpoint returns nothing: the backend is broken.")))
        assert not isinstance(done, Rejected)
        (block,) = done.report.created
        assert "backend is broken" in memory.context("Is the search endpoint broken?", 500).text
        assert not isinstance(memory.retract("search endpoint backend broken"), Rejected)
        assert "backend is broken" not in memory.context("Is the search endpoint broken?", 500).text
        shown = memory.show(f"^{block}")
        assert isinstance(shown, RecordShown)
        assert [str(each.state) for each in (shown.assessment,) if each is not None] == ["retracted"]


def test_nobody_says_in_an_argument_who_they_are(tmp_path: Path) -> None:
    async def talk(client: Any) -> None:
        for name in ("user_id", "actor", "session", "principal_id"):
            for tool, given in (("search", {"query": "key"}), ("remember", {"text": "I like oats."})):
                problems = await refused(client, f"memory_{tool}", **given, **{name: "somebody"})
                assert [code for code, _ in problems] == ["INVALID_ARGUMENT"]
        assert (await called(client, "memory_status"))["records"] == 0

    here(tmp_path, talk)


def test_an_answer_is_given_when_it_is_kept_and_a_failure_is_no_success(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client:
        saved = client.post("/remember", {"text": "I like oats."}, idempotency_key="a")
        assert saved.status == 200
        block = saved.json["records"][0]["id"]
        assert client.get(f"/records/{block}").json["revision"] == saved.json["committed"]["revision"]
        failed = client.post("/correct", {"target": f"^{block}", "text": "a\n\nb"}, idempotency_key="b")
        assert (failed.status, failed.code) == (400, "INVALID_ARGUMENT")
        mended = client.post("/correct", {"target": f"^{block}", "text": "I like rye."}, idempotency_key="c")
        assert mended.json["committed"]["report"]["updated"] == [block]
