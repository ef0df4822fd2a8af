"""Archives of acceptance data, unpacked by every Python that the project runs on."""

import tarfile
from pathlib import Path

__all__ = ["unpacked"]


def unpacked(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder, without what could lead out of it."""
    with tarfile.open(archive) as packed:
        # The first releases of 3.11 know no filter, and pass this by.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
