"""Examples of patches: what is applied, and everything that is refused with its line."""

from typing import Any

import pytest

from memory_example import KEYS, MIRA, S1, codes, memory, snapshot, topic, written
from scriptorium_core.changes import Caller, bring, carry_out, decode_request
from scriptorium_core.changes.patch import decode_patch
from scriptorium_core.problem import Problem
from scriptorium_core.transaction import Edit, Prepared, Rules, prepare

HEAD = "--- a/topics/keys.md\n+++ b/topics/keys.md\n"
RENAMED = "@@ -1,2 +1,2 @@\n-# Keys\n+# Ring\n \n"
NEW = "--- /dev/null\n+++ b/topics/new.md\n"


def ask(patch: str, sources: tuple[Any, ...] = (), **more: Any) -> Prepared | tuple[Problem, ...]:
    request, problems = decode_request({"patch": patch, "sources": list(sources), **more})
    base, caller = snapshot(memory()), Caller()
    brought = bring(request.sources, caller)
    applied = carry_out(base.tree, base.facts, request, brought.places, "2026-11-01")
    if problems or isinstance(applied, tuple):
        return problems + (applied if isinstance(applied, tuple) else ())
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(base, edit, Rules(caller, len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def test_a_heading_is_renamed() -> None:
    assert written(ask(HEAD + RENAMED)) == KEYS.replace("# Keys", "# Ring")


def test_several_sections_and_hunks_are_applied_together() -> None:
    patch = (
        f"diff --git a/topics/keys.md b/topics/keys.md\nindex 1111111..2222222 100644\n{HEAD}{RENAMED}"
        "@@ -6,3 +6,3 @@ # Keys\n \n-## Spare\n+## Door\n \n"
        "--- topics/people/mira.md\n+++ topics/people/mira.md\n@@ -1 +1 @@\n-# Mira\n+# Mira B.\n"
    )
    outcome = ask(patch)
    assert written(outcome) == KEYS.replace("# Keys", "# Ring").replace("## Spare", "## Door")
    assert written(outcome, "topics/people/mira.md") == MIRA.replace("# Mira", "# Mira B.")


def test_a_new_topic_gets_its_ids_and_cites_a_source_that_the_request_brings_by_its_label() -> None:
    patch = f"{NEW}@@ -0,0 +1,3 @@\n+Oats.[^e1]\n+\n+[^e1]: Time: `2026`; Sources: [said](new-source-a)\n"
    source = {"label": "new-source-a", "role": "user", "content": "Oats, please."}
    outcome = ask(patch, (source,))
    (record,) = topic(outcome, "topics/new.md").records
    assert isinstance(outcome, Prepared)
    assert (
        record.sources[0].place
        == bring(decode_request({"sources": [source]})[0].sources, Caller()).places["new-source-a"]
    )
    assert outcome.report.created == record.ids


def test_a_patch_without_a_line_end_at_its_end_is_read() -> None:
    assert written(ask((HEAD + RENAMED)[:-1])) == written(ask(HEAD + RENAMED))


def test_the_mark_for_a_missing_line_end_is_kept_to() -> None:
    (change,), problems = decode_patch(f"{NEW}@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n")
    assert not problems
    assert change.hunks[0].new == ("a\n", "b")


def test_a_name_that_git_quotes_is_read() -> None:
    section = '--- "a/topics/caf\\303\\251 \\"x\\".md"\n+++ "b/topics/caf\\303\\251 \\"x\\".md"\n'
    (change,), problems = decode_patch(f"{section}@@ -1 +1 @@\n-a\n+b\n")
    assert not problems
    assert change.path == 'topics/café "x".md'


def test_a_removed_topic_loses_its_records_and_that_is_named_unless_they_are_declared() -> None:
    lines = MIRA.splitlines()
    patch = f"--- a/topics/people/mira.md\n+++ /dev/null\n@@ -1,{len(lines)} +0,0 @@\n"
    patch += "".join(f"-{line}\n" for line in lines)
    assert codes(ask(patch)) == [("BLOCK_LOST", "topics/people/mira.md")]
    outcome = ask(patch, deleted=["^mira1"])
    assert isinstance(outcome, Prepared)
    assert outcome.report.deleted == ("mira1",)
    assert codes(ask(patch, deleted=["nobody"])) == [("MEMORY_NOT_FOUND", "deleted")]


@pytest.mark.parametrize(
    ("patch", "code", "line"),
    [
        (HEAD + "@@ -2,2 +2,2 @@\n-# Keys\n+# Ring\n \n", "PATCH_CONFLICT", 3),
        (HEAD + "@@ -90 +90 @@\n-# Keys\n+# Ring\n", "PATCH_CONFLICT", 3),
        (HEAD + "@@ -0 +0 @@\n-# Keys\n+# Ring\n", "PATCH_CONFLICT", 3),
        ("--- /dev/null\n+++ b/topics/keys.md\n@@ -0,0 +1 @@\n+# X\n", "PATCH_CONFLICT", 1),
        ("--- a/topics/no.md\n+++ b/topics/no.md\n@@ -1 +1 @@\n-a\n+b\n", "PATCH_CONFLICT", 1),
        ("--- a/topics/keys.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# Keys\n", "PATCH_CONFLICT", 1),
        (HEAD + "@@ -1 +1 @@\n-# Keys\n+# Ring\n+# More\n", "INVALID_ARGUMENT", 6),
        (HEAD + "@@ -1,9 +1,9 @@\n-# Keys\n+# Ring\n", "INVALID_ARGUMENT", 0),
        (HEAD + RENAMED + "@@ -1 +1 @@\n-# Keys\n+# R\n", "INVALID_ARGUMENT", 1),
        (HEAD + RENAMED + HEAD + RENAMED, "INVALID_ARGUMENT", 7),
        (HEAD, "INVALID_ARGUMENT", 1),
        ("index 1111111..2222222 100644\n", "INVALID_ARGUMENT", 0),
        (HEAD + RENAMED + "--- a/topics/people/mira.md\n", "INVALID_ARGUMENT", 0),
        ("Here is the patch:\n" + HEAD + RENAMED, "INVALID_ARGUMENT", 1),
        ("--- a/topics/a.md\n+++ b/topics/b.md\n@@ -1 +1 @@\n-a\n+b\n", "INVALID_ARGUMENT", 1),
        ("diff --git a/topics/a.md b/topics/b.md\nsimilarity index 90%\n", "INVALID_ARGUMENT", 2),
        ("diff --git a/topics/a.md b/topics/a.md\nold mode 100644\nnew mode 100755\n", "INVALID_ARGUMENT", 2),
        ("diff --git a/topics/a.md b/topics/a.md\nnew file mode 120000\n", "INVALID_ARGUMENT", 2),
        ("diff --git a/topics/a.md b/topics/a.md\nGIT binary patch\n", "INVALID_ARGUMENT", 2),
        ("Binary files a/topics/a.md and b/topics/a.md differ\n", "INVALID_ARGUMENT", 1),
        ("--- a/sources/x.md\n+++ b/sources/x.md\n@@ -1 +1 @@\n-a\n+b\n", "READ_ONLY_PATH", 1),
        (
            "--- a/topics/../../x.md\n+++ b/topics/../../x.md\n@@ -1 +1 @@\n-a\n+b\n",
            "PATH_OUTSIDE_WORKSPACE",
            1,
        ),
    ],
)
def test_what_is_no_strict_patch_is_refused_with_its_line(patch: str, code: str, line: int) -> None:
    outcome = ask(patch)
    assert isinstance(outcome, tuple)
    assert (outcome[0].code, outcome[0].path) == (code, "patch")
    # The library numbers a section by its second header line.
    assert outcome[0].line in (line, line + 1) if line else outcome[0].line == 0


def test_all_conflicts_of_a_patch_are_named() -> None:
    patch = HEAD + "@@ -1 +1 @@\n-# Other\n+# Ring\n@@ -7 +7 @@\n-## Other\n+## Door\n"
    assert codes(ask(patch)) == [("PATCH_CONFLICT", "patch")] * 2


def test_a_source_that_is_cited_in_prose_only_keeps_its_words() -> None:
    text = f"See new-source-a.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said]({S1})\n"
    patch = NEW + "@@ -0,0 +1,3 @@\n" + "".join(f"+{line}\n" for line in text.splitlines())
    outcome = ask(patch, ({"label": "new-source-a", "role": "user", "content": "Said."},))
    assert topic(outcome, "topics/new.md").records[0].content == "See new-source-a."
