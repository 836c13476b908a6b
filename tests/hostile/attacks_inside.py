"""What submissions may try against WebAssembly: each kind succeeds against the careless host of `careless.py`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SECRET = "course-secret-0f1e2d3c4b5a"  # lies in the folder of a course that the careless host shows
LEFT = "left for the next"


class Inside(NamedTuple):
    """One kind: what it tries, the cell of each submission, and the words by which its success is seen.

    Without words it succeeds if those who come after have no marks.
    """

    kind: str
    cells: tuple[str, ...]
    evidence: str = ""


SCRIPTS = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))["attacks_inside"]
ATTACKS_INSIDE: Sequence[Inside] = (
    Inside("grows its memory piece by piece", (SCRIPTS["GROWS"],), "took 700 MiB"),
    Inside("throws an exception across the boundary", (SCRIPTS["ACROSS"],)),
    Inside("speaks to the host's door, with frames that it forged", (SCRIPTS["DOOR"],), SECRET),
    Inside("stops its clocks, and computes for ever", (SCRIPTS["CLOCKS"],)),
    Inside("leaves its state in the snapshot", (SCRIPTS["LEAVES"], SCRIPTS["FINDS"]), LEFT),
    Inside("imports a module that is too large", (SCRIPTS["HUGE"],), "imported it"),
    Inside("crashes Python by bytecode of its own", (SCRIPTS["BYTECODE"],)),
    Inside("looks for others in memory that was given back", (SCRIPTS["SCATTERS"], SCRIPTS["SEARCHES"]), LEFT),
    Inside("puts a file in the place of the channel of answers", (SCRIPTS["CHANNEL"],)),
    Inside("fills the disk with files that it has deleted", (SCRIPTS["FILLS"],), "wrote 48 MiB"),
    Inside("makes a file longer than there is room, and writes nothing", (SCRIPTS["TERABYTE"],), "made it"),
    Inside("climbs out of its folder by names", (SCRIPTS["CLIMBS"],), SECRET),
    Inside("writes into the library, for the next to import", (SCRIPTS["LIBRARY"], SCRIPTS["LIBRARY_AGAIN"]), LEFT),
    Inside("shouts without end into its output", (SCRIPTS["SHOUTS"],)),
    Inside("aborts", (SCRIPTS["ABORTS"],)),
)
