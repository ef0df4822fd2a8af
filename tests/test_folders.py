"""Folders of logs: which are found, in which order, and what is in the way."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_example import run, run_json
from packed_logs import talk, turn, zipped, zst
from scriptorium.conversations.importing import Report, Wish, import_path, import_places, together
from scriptorium.conversations.logs import search
from scriptorium.conversations.store import Store, open_store
from scriptorium.layout import TalkPlace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "logs"
    made.mkdir()
    return made


def imported(store: Store, *places: Path, **wish: bool) -> list[Report]:
    return [*import_places(store, [TalkPlace(place) for place in places], Wish(**wish))]  # type: ignore[arg-type]


def ids(store: Store) -> set[str]:
    return {str(session.id) for session in store.sessions()}


def test_a_folder_is_searched_with_all_folders_in_it(store: Store, folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "top").write_bytes(talk("top"))
    (folder / "a" / "b" / "deep.txt").write_bytes(talk("deep"))
    (folder / "a" / "packed.zst").write_bytes(zst(talk("packed")))
    zipped(folder / "a" / "more.zip", {"x.jsonl": talk("zipped")})
    reports = imported(store, folder)
    assert ids(store) == {"top", "deep", "packed", "zipped"}
    assert sum(report.files for report in reports) == 4
    assert [report.problems for report in reports] == [()] * 5


def test_what_is_no_log_is_counted_and_no_problem(store: Store, folder: Path) -> None:
    (folder / "good").write_bytes(talk("good"))
    (folder / "diary.txt").write_text("Dear diary,\nnothing happened.\n")
    (folder / "empty").touch()
    (folder / "pixel.png").write_bytes(b"\x89PNG\x00")
    (folder / "list.json").write_text("[1, 2]")
    (folder / ".git").mkdir()
    (folder / ".git" / "log").write_bytes(talk("never"))
    total = together(imported(store, folder))
    assert (total.files, dict(total.passed_over), total.problems) == (1, {"no log": 4}, ())
    assert ids(store) == {"good"}


def test_a_folder_without_logs_is_a_problem_that_says_what_is_in_it(store: Store, folder: Path) -> None:
    (folder / "diary.txt").write_text("Dear diary")
    (report,) = imported(store, folder)
    (problem,) = report.problems
    assert "a folder without conversations: it holds diary.txt" in problem.message
    assert problem.remedy


def test_links_that_lead_in_a_circle_or_nowhere_do_no_harm(store: Store, folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "log").write_bytes(talk("s"))
    (folder / "a" / "up").symlink_to(folder)
    (folder / "round").symlink_to(folder / "round")
    (folder / "gone").symlink_to(folder / "nothing")
    total = together(imported(store, folder))
    assert (total.files, dict(total.passed_over)) == (1, {"a link that leads nowhere": 2})


def test_a_log_that_several_links_lead_to_is_one_log(store: Store, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "log").write_bytes(talk("s"))
    (folder / "one").symlink_to(elsewhere / "log")
    (folder / "two").symlink_to(elsewhere)
    reports = imported(store, folder)
    assert sum(report.files for report in reports) == 1
    assert import_path(store, elsewhere / "log").unchanged == 1
    assert len(store.rows("SELECT path FROM cursors", ())) == 1


def test_pipes_and_sockets_are_never_opened(store: Store, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "log").write_bytes(talk("s"))
    total = together(imported(store, folder))
    assert (total.files, dict(total.passed_over)) == (1, {"not a file": 1})
    (problem,) = import_path(store, folder / "pipe").problems
    assert "neither a file nor a folder" in problem.message


def test_a_folder_that_cannot_be_listed_is_named_and_the_others_are_searched(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    (folder / "log").write_bytes(talk("s"))
    listed = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    total = together(imported(store, folder))
    assert (total.files, [Path(problem.path).name for problem in total.problems]) == (1, ["closed"])


def test_logs_come_by_the_time_in_their_names_else_by_their_last_change(folder: Path) -> None:
    names = ("z-2026-05-01T10-00-00.jsonl", "b.jsonl", "a-2026-05-03.jsonl", "c.jsonl")
    for name, day in zip(names, (9, 2, 9, 4), strict=True):
        (folder / name).touch()
        os.utime(folder / name, times=(0, 1_777_593_600 + day * 86_400 - 86_400))
    order = [found.path.name for found in search(TalkPlace(folder)).files]
    assert order == [names[0], names[1], names[2], names[3]]


def test_a_place_may_ask_for_some_names_only(folder: Path) -> None:
    for name in ("a.jsonl", "b.jsonl.zst", "c.md"):
        (folder / name).touch()
    found = search(TalkPlace(folder, "", (".jsonl", ".jsonl.zst")))
    assert [file.path.name for file in found.files] == ["a.jsonl", "b.jsonl.zst"]
    assert found.passed_over == ("no log",)


def test_a_dry_run_of_many_logs_reports_what_the_import_then_does(store: Store, folder: Path) -> None:
    parent = turn("a") + turn("b")
    (folder / "2026-01-01.jsonl").write_text(parent)
    (folder / "2026-01-02.jsonl").write_text(parent.replace('"s1"', '"s2"') + turn("c", "s2"))
    dry = together(imported(store, folder, dry_run=True))
    assert store.sessions() == ()
    real = together(imported(store, folder))
    assert (dry.dry_run, dry.turns_new, dry.copies) == (True, real.turns_new, real.copies)
    assert real.copies == 2


def test_progress_runs_over_the_bytes_of_all_logs(store: Store, folder: Path) -> None:
    for name in ("a", "b"):
        (folder / name).write_bytes(talk(name, 1200))
    (folder / "c.zst").write_bytes(zst(talk("c", 1200)))
    whole = sum(path.stat().st_size for path in folder.iterdir())
    seen: list[tuple[int, int]] = []
    for _ in import_places(
        store, [TalkPlace(folder)], Wish(), progress=lambda done, total: seen.append((done, total))
    ):
        pass
    assert seen == sorted(seen)
    assert (seen[-1], len(seen) > 6) == ((whole, whole), True)


def test_one_bad_log_stops_no_other(store: Store, folder: Path) -> None:
    (folder / "bad").write_text(turn("a", "bad") + "{broken\n" + turn("b", "bad"))
    (folder / "torn").write_text(turn("a", "torn") + turn("b", "torn")[:-20])
    (folder / "worse.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 50)
    (folder / "z").write_bytes(talk("z"))
    total = together(imported(store, folder))
    assert ids(store) == {"bad", "torn", "z"}
    assert (dict(total.skipped), total.torn, len(total.problems)) == ({"not JSON": 1}, 1, 1)


def test_a_name_that_is_no_text_is_a_name_all_the_same(store: Store, folder: Path) -> None:
    log = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.jsonl"))
    log.write_bytes(talk("s"))
    assert import_path(store, folder).turns_new == 2
    assert import_path(store, log).unchanged == 1
    ran = run("--home", folder.parent / "h", "import", folder, "-v")
    assert (ran.code, "took 2 new turns" in ran.out) == (0, True)
    assert run_json("--home", folder.parent / "h", "import", log)["totals"]["unchanged"] == 1


def test_a_text_that_quotes_a_log_is_a_text_and_a_log_without_its_beginning_is_a_log(
    store: Store, folder: Path
) -> None:
    (folder / "notes.py").write_text(f'"""How a log looks.\n\n{turn("a", "quoted")}"""\n')
    (folder / "rotated.jsonl").write_text('half a line"}\n' + turn("a", "rotated"))
    total = together(imported(store, folder))
    assert (ids(store), dict(total.skipped), dict(total.passed_over)) == (
        {"rotated"},
        {"not JSON": 1},
        {"no log": 1},
    )
    # A person who names the file knows what is in it.
    assert import_path(store, folder / "notes.py").turns_new == 1


def test_a_format_that_is_asked_for_is_looked_for_in_a_folder(store: Store, folder: Path) -> None:
    (folder / "native").write_bytes(talk("s"))
    (folder / "list.json").write_text('[{"role": "user", "content": "My train is at 7:40."}]')
    (folder / "diary.txt").write_text("Dear diary,\nnothing happened.\n")
    places = [TalkPlace(folder)]
    total = together(import_places(store, places, Wish("openai")))
    assert (total.files, total.format, dict(total.passed_over)) == (1, "openai", {"no log": 2})


def test_a_compressed_file_of_which_nothing_can_be_unpacked_is_not_called_empty(
    store: Store, folder: Path
) -> None:
    log = folder / "log"
    log.write_bytes(zst(b""))
    assert import_path(store, log).empty
    whole = zst(turn("a", text=os.urandom(400).hex()).encode())
    log.write_bytes(whole[:350])
    report = import_path(store, log)
    assert not report.empty
    assert ["still being written" in problem.message for problem in report.problems] == [True]
    log.write_bytes(whole)
    assert import_path(store, log).turns_new == 1
