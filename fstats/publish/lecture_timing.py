"""How long a lecture really took: which slide was shown when, kept on this machine, and told beside what the lesson counts.

``fstats lecture`` notes each change of slide; ``fstats lecture NAME --rehearsed`` tells the minutes of each section, and writes their sum
into the notebook, where the contents page finds it.
"""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

TIMES_PATH = "times"  # the address below a deck to which it tells its slides
MAX_PAUSE = 20 * 60  # seconds without a change of slide, after which another lecture begins
MIN_LECTURE = 3 * 60  # seconds; who only leafs through a deck gives no lecture
MAX_HEADING_LENGTH = 300  # letters of a slide's heading


def log_path(name: str) -> Path:
    """Where the times of a lesson lie."""
    from jupyter_core.paths import jupyter_data_dir

    return Path(jupyter_data_dir()) / "fstats" / "lectures" / f"{name}.jsonl"


def record_slide(name: str, told: bytes) -> None:
    """A deck shows another slide; what is no heading is refused."""
    section = json.loads(told)
    if not isinstance(section, str) or len(section) > MAX_HEADING_LENGTH:
        raise ValueError(f"a deck tells the heading of its slide, at most {MAX_HEADING_LENGTH} letters; got {told[:60]!r}")
    path = log_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps([round(time.time(), 1), section]) + "\n")


def read_lectures(path: Path) -> list[dict[str, float]]:
    """The seconds of each section in each lecture that was given; a torn last line is none."""
    told: list[tuple[float, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        try:
            at, section = json.loads(line)
        except ValueError:
            continue
        told.append((at, section))
    found: list[dict[str, float]] = [{}]
    for (at, section), (then, _) in pairwise(told):
        if then - at > MAX_PAUSE:
            found.append({})
        else:
            found[-1][section] = found[-1].get(section, 0.0) + then - at
    return [one for one in found if sum(one.values()) >= MIN_LECTURE]


def median_minutes(found: list[dict[str, float]]) -> dict[str, float]:
    """The minutes of each section, in the middle of all lectures; in one that leaves a section out, it took none."""
    sections = dict.fromkeys(section for one in found for section in one)
    return {section: median(one.get(section, 0.0) for one in found) / 60 for section in sections}


def report_times(path: Path) -> str:
    """The table of a lesson, whose sum is written into its notebook."""
    import nbformat

    from ..teaching.notebook_build import as_text

    found = read_lectures(log_path(path.stem))
    if not found:
        least = f"{MIN_LECTURE // 60} minutes"
        raise ValueError(f"nothing is known of a lecture on {path.stem}: give it by fstats lecture {path.stem}, for at least {least}")
    taken = median_minutes(found)
    total = sum(taken.values())
    notebook: Any = nbformat.read(path, as_version=4)
    notebook.cells[0].metadata.setdefault("fstats", {})["rehearsed"] = round(total, 1)
    path.write_text(as_text(notebook), encoding="utf-8", newline="\n")
    lines = [f"{minutes:5.1f}  {section}" for section, minutes in taken.items()]
    times = "once" if len(found) == 1 else f"{len(found)} times; of each section the median"
    said = f"{path.name}: {total:.1f} minutes, given {times}. They stand in the notebook now; fstats build contents lists them."
    return "\n".join(["minutes", *lines, said])
