"""Files that are written wholly or not at all: a disk that gets full, or Ctrl-C, leaves no half of one under its name."""

from __future__ import annotations

from pathlib import Path


def written(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     written(Path(folder) / "new" / "file.txt", b"words")
    ...     sorted(path.name for path in Path(folder, "new").iterdir())
    ['file.txt']
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
