"""The archives that the other program wrote are read as it reads them, and written byte for byte."""

import json
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scriptorium_core.names import SourceId
from scriptorium_core.sources import (
    Archive,
    Archived,
    Frame,
    Provenance,
    Tier,
    Trust,
    append,
    is_archive,
    scan,
)

WORKSPACES = Path(__file__).parents[2] / "shared" / "data" / "workspaces"
NAMES = ("small", "rich", "legacy", "legacy-before")


def directory(name: str) -> Mapping[str, bytes]:
    archive = WORKSPACES / f"{name}.tar.gz"
    if not archive.is_file():
        pytest.skip(f"the acceptance data {archive.name} is not beside the checkout")
    with tarfile.open(archive) as members:
        found = ((member, members.extractfile(member)) for member in members if member.isfile())
        return {member.name.split("/", 1)[1]: data.read() for member, data in found if data is not None}


def archives(name: str) -> list[Archive]:
    return [scan(path, data) for path, data in sorted(directory(name).items()) if is_archive(path)]


def expected(name: str) -> dict[str, list[Any]]:
    read: dict[str, list[Any]] = json.loads((WORKSPACES / f"{name}.expected.json").read_text())
    return read


@pytest.mark.parametrize("name", NAMES)
def test_the_trusted_sources_of_the_other_programs_directories_are_found(name: str) -> None:
    found = archives(name)
    assert all(archive.complete for archive in found)
    trusted = [frame.id for archive in found for frame in archive.frames if frame.trusted]
    assert sorted(trusted) == expected(name)["trusted_source_ids"]


def shown(archive: Archive, frame: Archived) -> dict[str, object]:
    """The frame as a row of the other program's index, which cuts comments from the content."""
    record = re.sub(r"<!--.*?-->", " ", frame.record)
    framed = frame.speaker_id is not None
    renamed = "/_v2/" not in archive.path and f"[{frame.label}]" in frame.record
    date = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", frame.at)
    return {
        "path": archive.path,
        "line": frame.line,
        "date": date[0] if date else "",
        "content": " ".join(record.split()),
        "refs": [frame.id],
        "speaker_label": frame.label if framed or renamed else "",
        "speaker_trusted": framed and frame.trusted,
        "trust_state": "trusted" if frame.trusted else "pending",
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_frame_of_the_other_programs_directories_is_read_as_there(name: str) -> None:
    rows = [row for row in expected(name)["index_rows"] if str(row["path"]).startswith("sources/")]
    ours = [shown(archive, frame) for archive in archives(name) for frame in archive.frames]
    assert sorted(ours, key=str) == sorted(({key: row[key] for key in ours[0]} for row in rows), key=str)


def again(archived: Archived) -> Frame:
    name = archived.label.removesuffix(f" ({archived.speaker_id})") if archived.speaker_id is not None else ""
    name = "" if name == archived.speaker_id else name
    return Frame(
        archived.id,
        archived.label,
        archived.text,
        archived.at,
        archived.speaker_id,
        name,
        archived.provenance,
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_other_programs_archives_are_written_byte_for_byte(name: str) -> None:
    files = {path: data for path, data in directory(name).items() if "/_v2/" in path}
    assert files
    for path, data in files.items():
        frames = [again(archived) for archived in scan(path, data).frames]
        # Ids with parentheses and metadata from before there were tiers are read, and no longer written.
        if "%28" not in path and b"eyJvcmlnaW5fc2NvcGUi" not in data:
            assert append(path, None, frames) == data
        assert append(path, data, frames) == data


def test_the_tier_of_the_older_metadata_is_read_from_its_scope() -> None:
    found = {frame.id: frame for archive in archives("legacy") for frame in archive.frames}
    assert found[SourceId("openprogram/sess-mid/k1")].provenance == Provenance(
        "owner/install/0123456789abcdef", "owner", Tier.OWNER, Trust.TRUSTED
    )
    assert found[SourceId("openprogram/sess-mid/k2")].provenance is None
