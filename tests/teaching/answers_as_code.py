"""Wrong answers as code, written by people who had not seen the named mistakes, with the true reason beside each.

`python tests/teaching/answers_as_code.py` prints how many of them get a specific first reply, with their line and from the number alone, by
the first words of the reply; with `-v` also each reply beside the reason, to be judged by a reader.
"""

from __future__ import annotations

import ast
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wrong_lines import SOLUTIONS, _run, as_it_is, is_specific, solution_cells

from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.verdicts.feedback import Feedback

CORPUS = Path(__file__).with_suffix(".jsonl")
START = "import math, statistics\nimport numpy as np\nimport pandas as pd\nfrom scipy import stats"


class Replied(NamedTuple):
    """An answer of the corpus, with the first replies to its number and to its line."""

    answer: dict[str, str]
    number: Feedback
    line: Feedback
    has_line: bool


def replies(exercise: str, answers: list[dict[str, str]]) -> Iterator[Replied]:
    """The first replies to the answers to an exercise, each after the right answers to all questions before it."""
    (file,) = SOLUTIONS.glob(f"{exercise}_*.ipynb")
    cells, names = solution_cells(file.stem.partition("_")[2]), dict[str, Any]()
    _run(START, names)
    for place, cell in enumerate(cells):
        for key, checked in _checks([cell, *cells[place + 1 : place + 2]]):
            for answer in answers:
                if answer["question"] == key and "task" in names and not answer.get("done"):
                    answer["done"] = "yes"
                    yield _reply(answer, checked, [START, *cells[:place]], names)
        with contextlib.suppress(Exception):  # pictures and studies that need more than the cells
            _run(cell, names)


def _checks(cells: list[str]) -> Iterator[tuple[str, str]]:
    for node in (node for cell in cells for node in ast.walk(ast.parse(cell))):
        match node:
            case ast.Call(ast.Name("check"), [ast.Constant(str(key)), checked]):
                yield key, ast.unparse(checked)


def _reply(answer: dict[str, str], checked: str, done: list[str], names: dict[str, Any]) -> Replied:
    task, own = as_it_is(names["task"]), {**names, "task": as_it_is(names["task"])}
    _run(answer["code"], own)
    value, key = eval(checked, own), answer["question"]
    line = line_in_cells([*done, answer["code"], f"check({key!r}, {checked})"], key, own)
    return Replied(answer, as_it_is(task).reply_to(key, value), as_it_is(task).reply_to(key, value, line), line is not None)


def main(show: bool) -> None:
    """Print the shares."""
    answers = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    counted: Counter[str] = Counter()
    for exercise in sorted({answer["exercise"] for answer in answers}):
        for one in replies(exercise, [answer for answer in answers if answer["exercise"] == exercise]):
            counted.update(["answers", f"verdict {one.number.verdict}"])
            if one.number.verdict == "unknown":
                counted["number alone, specific"] += is_specific(one.number)
                counted["with a line"] += one.has_line
                counted["with a line, specific"] += one.has_line and is_specific(one.line)
            if show:
                print(exercise, one.answer["question"], one.answer["reason"], one.answer["code"], one.line, one.number, "", sep="\n")
    print(*(f"{what:25}{number:6}" for what, number in sorted(counted.items())), sep="\n")


if __name__ == "__main__":
    main("-v" in sys.argv)
