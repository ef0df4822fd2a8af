"""What could be better in a sound memory, and from which measure on."""

from scriptorium_core.knowledge.advice import (
    TOPIC_BYTES,
    git_advice,
    leftover_advice,
    lock_advice,
    mode_advice,
    topic_advice,
)


def test_a_topic_is_large_beyond_64_kib() -> None:
    assert list(topic_advice("topics/a.md", TOPIC_BYTES)) == []
    (advice,) = topic_advice("topics/a.md", 100_000)
    assert "98 KiB" in advice.message
    assert not advice.mended


def test_packs_are_many_from_32_on_and_git_is_missed() -> None:
    assert list(git_advice(True, 31)) == []
    assert [each.about for each in git_advice(False, 32)] == ["no git", "many packs"]


def test_half_written_files_are_left_after_a_minute() -> None:
    assert list(leftover_advice([("a", 59.0)])) == []
    (advice,) = leftover_advice([(name, 61.0) for name in "abcd"])
    assert "4 half-written" in advice.message
    assert "a, b, c, …" in advice.message


def test_a_lock_is_stale_after_an_hour() -> None:
    assert [each.path for each in lock_advice([("young", 10.0), ("old", 7_300.0)])] == ["old"]


def test_modes_count_only_what_others_may_do() -> None:
    assert list(mode_advice([("a", 0o100600), ("b", 0o40700), ("c", 0o100400)])) == []
    (advice,) = mode_advice([("a", 0o100644), ("b", 0o40700)])
    assert (advice.path, advice.mended) == ("a", True)
