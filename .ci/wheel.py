"""What a wheel brings besides the package: the lessons and the exercises, for who has no clone (fstats/teaching/course_files.py).

A clone that is installed as it stands has them already.  Solutions stay in it: they are the lecturer's, and a wheel is every student's.
"""

from __future__ import annotations

import io
import re
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PICTURE = re.compile(rb'(?<="image/png": ")[A-Za-z0-9+/=]+')


def in_few_colours(png: bytes) -> bytes:
    """A picture with a palette of 256 colours: a quarter of the bytes, and no eye sees the difference in lines and letters."""
    from PIL import Image

    into = io.BytesIO()
    Image.open(io.BytesIO(png)).quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(into, "PNG", optimize=True)
    return min(into.getvalue(), png, key=len)


class CourseInWheel(BuildHookInterface[Any]):
    """Puts copies of the notebooks with small pictures on the shelf."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is packed, by pip already when it asks what a clone needs.

        An older Python is told so at once; pip would first try every version of every library in search of one that makes up for it.
        """
        needed, here = self.metadata.core.python_constraint, ".".join(map(str, sys.version_info[:3]))
        if not needed.contains(here):
            raise SystemExit(f"fstats needs Python {needed}, and this is Python {here}: make the environment with a newer one.")
        build_data["tag"] = "py311-none-any"  # the same for who installs the wheel
        if version == "editable":
            return
        self.made = TemporaryDirectory()
        for path in (path for room in ("notebooks", "exercises") for path in sorted(Path(self.root, room).glob("*.ipynb"))):
            small = Path(self.made.name, path.parent.name, path.name)
            small.parent.mkdir(exist_ok=True)
            small.write_bytes(PICTURE.sub(lambda found: b64encode(in_few_colours(b64decode(found[0]))), path.read_bytes()))
        build_data["force_include"][self.made.name] = "fstats/teaching/shelf"

    def finalize(self, version: str, *_: object) -> None:
        """Called when it is packed."""
        if version != "editable":
            self.made.cleanup()
