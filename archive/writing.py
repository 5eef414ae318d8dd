"""An archive on disk: a folder of files, or one ZIP file."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from archive.editions import Entry

Progress = Callable[[int, int], None]
"""Takes the number of files that are done, and of all."""

_PACKED = (".png", ".webp", ".jpg")
"""Files that do not become smaller."""


def write_folder(entries: Sequence[Entry], folder: Path, progress: Progress) -> None:
    """Write all files into a folder; the first page comes last, so that an archive with one is complete."""
    for done, entry in enumerate(entries, 1):
        path = folder / entry.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.make())
        progress(done, len(entries))


def zip_folder(folder: Path, paths: Iterable[str], target: Path, *, top: str) -> None:
    """Put these files of a folder into a ZIP file, below a folder `top`; the file appears when it is complete."""
    part = target.with_suffix(".part")
    with ZipFile(part, "w") as archive:
        for path in paths:
            info = ZipInfo(f"{top}/{path}", date_time=_NO_DATE)
            info.compress_type = ZIP_STORED if path.endswith(_PACKED) else ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, (folder / path).read_bytes())
    part.replace(target)


_NO_DATE = (1980, 1, 1, 0, 0, 0)
"""Equal archives are equal files."""
