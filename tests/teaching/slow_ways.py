"""Honest answers that take long: loops in place of columns, a function of SciPy in each round, every sign vector by hand.

python tests/teaching/slow_ways.py [WALL]    measures the slowest cell of each exercise: in this Python, and behind a wall
"""

import json
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SLOW = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))  # by exercise and question


def notebook_of(name: str, folder: str = "solutions") -> dict[str, Any]:
    """The notebook of an exercise."""
    (path,) = (ROOT / folder).glob(f"[0-9][0-9]_{name}.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def slowly(name: str) -> dict[str, Any]:
    """The solution with the slow ways in it."""
    notebook = notebook_of(name)
    for cell in notebook["cells"]:
        key = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("answer_")
        if key in SLOW[name]:
            cell["source"] = SLOW[name][key]
    return notebook


def slowest(name: str) -> dict[str, float]:
    """Seconds of computing of each slow cell, in this Python."""
    space: dict[str, Any] = {}
    found = {}
    for cell in slowly(name)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or source.startswith(("check(", "task.", "%")):
            continue
        start = time.process_time()
        exec(compile(source, name, "exec"), space)
        key = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("answer_")
        if key in SLOW[name]:
            found[key] = round(time.process_time() - start, 2)
    return found


def main(*walls: str) -> None:
    from fstats import exercise
    from fstats.teaching.marking.marks.marker import Marker

    for name in SLOW:
        print(name, slowest(name), flush=True)
    for wall in walls:
        marker = Marker(wall=wall)
        for name in SLOW:
            start = time.perf_counter()
            mark = marker.mark(notebook_of(name, "exercises"), json.dumps(slowly(name)).encode(), exercise(name), None, b"")
            said = {one.key: one.verdict for one in mark.questions if one.key in SLOW[name]}
            print(wall, name, said, round(time.perf_counter() - start, 1), mark.ended, flush=True)
        marker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
