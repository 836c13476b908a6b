"""Record the timing of lecture slides.

``fstats lecture`` logs each change of slide. ``fstats lecture NAME --rehearsed`` prints the minutes of each section and writes the sum of
the minutes into the notebook, from which the contents page reads the sum.
"""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

TIMES_PATH = "times"  # relative address to which a slide deck sends the slides that it shows
MAX_PAUSE = 20 * 60  # number of seconds without a new slide after which a new lecture begins
# minimum duration of a lecture in seconds; in less time, the lecturer has only looked at the slides
MIN_LECTURE = 3 * 60
MAX_HEADING_LENGTH = 300  # maximum number of characters of a slide heading


def log_path(name: str) -> Path:
    """Return the path of the log of a lesson."""
    from jupyter_core.paths import jupyter_data_dir

    return Path(jupyter_data_dir()) / "fstats" / "lectures" / f"{name}.jsonl"


def record_slide(name: str, body: bytes) -> None:
    """Log that the deck shows another slide; raise ValueError if the body of the request is not a heading."""
    section = json.loads(body)
    if not isinstance(section, str) or len(section) > MAX_HEADING_LENGTH:
        raise ValueError(f"a slide deck must send the heading of a slide, at most {MAX_HEADING_LENGTH} characters; got {body[:60]!r}")
    path = log_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps([round(time.time(), 1), section]) + "\n")


def read_lectures(path: Path) -> list[dict[str, float]]:
    """Return the seconds of each section in each lecture of a log; an incomplete last line is ignored."""
    changes: list[tuple[float, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        try:
            at, section = json.loads(line)
        except ValueError:
            continue
        changes.append((at, section))
    lectures: list[dict[str, float]] = [{}]
    for (start, section), (end, _) in pairwise(changes):
        if end - start > MAX_PAUSE:
            lectures.append({})
        else:
            lectures[-1][section] = lectures[-1].get(section, 0.0) + end - start
    return [lecture for lecture in lectures if sum(lecture.values()) >= MIN_LECTURE]


def median_minutes(lectures: list[dict[str, float]]) -> dict[str, float]:
    """Return the median minutes of each section over all lectures; a lecture without the section counts as 0 minutes."""
    sections = dict.fromkeys(section for lecture in lectures for section in lecture)
    return {section: median(lecture.get(section, 0.0) for lecture in lectures) / 60 for section in sections}


def report_times(path: Path) -> str:
    """Return a table of the minutes of each section of a lesson, and write the sum of the minutes into the notebook."""
    import nbformat

    from ..teaching.notebook_build import as_text

    lectures = read_lectures(log_path(path.stem))
    if not lectures:
        least = f"{MIN_LECTURE // 60} minutes"
        remedy = f"Give the lecture with the command fstats lecture {path.stem}, for at least {least}."
        raise ValueError(f"there is no log of a lecture on {path.stem}. {remedy}")
    minutes_by_section = median_minutes(lectures)
    total = sum(minutes_by_section.values())
    notebook: Any = nbformat.read(path, as_version=4)
    notebook.cells[0].metadata.setdefault("fstats", {})["rehearsed"] = round(total, 1)
    path.write_text(as_text(notebook), encoding="utf-8", newline="\n")
    lines = [f"{minutes:5.1f}  {section}" for section, minutes in minutes_by_section.items()]
    times = "once" if len(lectures) == 1 else f"{len(lectures)} times; the table has the median of each section"
    summary = f"{path.name}: {total:.1f} minutes, given {times}. The notebook contains this sum now; fstats build contents lists it."
    return "\n".join(["minutes", *lines, summary])
