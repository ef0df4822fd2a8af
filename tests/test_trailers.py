"""Messages of commits as other people and programs write them."""

import pytest

from scriptorium_core.trailers import format_message, id_trailers, ids_of, parse_message, values_of


def test_a_message_is_a_subject_and_a_last_paragraph_of_trailers() -> None:
    text = format_message(
        "Write 2 records", [("Kind", "write"), *id_trailers("Created", ["6c1f02aa", "91be44d0"])]
    )
    assert text == "Write 2 records\n\nKind: write\nCreated: 6c1f02aa 91be44d0\n"


def test_a_message_without_trailers_is_its_subject() -> None:
    assert format_message(" ", [("Batch", "")]) == "Change memory\n"
    assert parse_message("Kind: write\n") == ("Kind: write", ())


def test_a_body_between_subject_and_trailers_is_skipped() -> None:
    message = "fix\n\nBecause: it was\nbroken\n\nSigned-off-by: A <a@b>\nkind: edit\n  folded\n"
    subject, trailers = parse_message(message)
    assert subject == "fix"
    assert trailers == (("Signed-off-by", "A <a@b>"), ("kind", "edit folded"))
    assert values_of(trailers, "Kind") == ("edit folded",)


def test_a_last_paragraph_of_prose_is_no_trailer() -> None:
    assert parse_message("fix\n\nNote: one\nand two") == ("fix", ())


def test_source_ids_with_blanks_survive_a_list() -> None:
    ids = ("chat/a thread/m1", "chat/100%/m2")
    assert ids_of(id_trailers("Forgotten", ids), "forgotten") == ids


def test_a_key_that_git_could_not_read_is_a_bug() -> None:
    with pytest.raises(ValueError, match="trailer"):
        format_message("x", [("two words", "y")])


def test_what_no_commit_can_hold_is_replaced() -> None:
    message = format_message("Keep \ud800\x00 it", [("Reason", "6c1f02aa: \udfff\nForgotten: chat/s1/u1")])
    assert message.encode() == b"Keep ? it\n\nReason: 6c1f02aa: ? Forgotten: chat/s1/u1\n"
