"""Wrong functions of exercise 14, each with the reason and the line that is wrong, and what replies say of them.

`python tests/teaching/wrong_functions.py` prints how many get a specific first reply without and with the function's lines; with `-v`, all
replies.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fstats
from fstats.teaching.grading.student_lines.code_history import StudentLine, line_in_cells
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.grading.verdicts.marked_line import MarkedLine

START = """
from itertools import product
from math import comb
import math
import numpy as np
from scipy import stats
from fstats import exercise
task = exercise("write_your_own_test")
check = task.check
a, b = task.data["a"], task.data["b"]
"""
NAMES = {"q1": "ranks", "q2": "paired_t", "q3": "sign_test", "q4": "signed_rank"}


class WrongFunction(NamedTuple):
    """A wrong function: its question, the reason, the lines that are wrong, the code, and where the code stands."""

    key: str
    reason: str
    wrong: list[str]
    code: str

    def started(self) -> tuple[Task, Any, StudentLine | None]:
        """The exercise, the function, and its line."""
        names: dict[str, Any] = {}
        exec(START, names)
        exec(self.code, names)
        line = line_in_cells([START, self.code, f'check("{self.key}", {NAMES[self.key]})'], self.key, names)
        return names["task"], names[NAMES[self.key]], line


def wrong_functions() -> Iterator[WrongFunction]:
    """All wrong functions."""
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["function"]:
        yield WrongFunction(one["question"], one["reason"], one["wrong"], one["code"])


def reply_to(wrong: WrongFunction, with_line: bool = True) -> Feedback:
    """The first reply."""
    task, function, line = wrong.started()
    return task.reply_to(wrong.key, function, line if with_line else None)


def marked_line(reply: Feedback) -> MarkedLine | None:
    """The marked line of a reply."""
    return next((line for line in reply.lines if isinstance(line, MarkedLine)), None)


def is_right_line(wrong: WrongFunction, line: MarkedLine | None) -> bool:
    """Whether the marked line is one of the lines that are wrong."""
    return line is not None and line.code in wrong.wrong


def main() -> None:
    """Print the shares."""
    counted: Counter[str] = Counter()
    seconds = []
    for wrong in wrong_functions():
        before = reply_to(wrong, with_line=False)
        task, function, line = wrong.started()
        task.reply_to(wrong.key, function)
        start = time.process_time()
        task.fresh().reply_to(wrong.key, function)
        middle = time.process_time()
        after = task.fresh().reply_to(wrong.key, function, line)
        seconds.append(2 * middle - time.process_time() - start)
        mark = marked_line(after)
        counted["functions"] += 1
        counted["named before"] += before.verdict == "mistake"
        counted["no name, no error: only kinds of data before"] += before.verdict == "unknown"
        counted["smallest data shown"] += any(line.startswith("The smallest data") for line in after.lines)
        counted["a line marked"] += mark is not None
        counted["the wrong line marked"] += is_right_line(wrong, mark)
        counted["another line marked"] += mark is not None and not is_right_line(wrong, mark)
        counted["specific and true"] += before.verdict == "mistake" or is_right_line(wrong, mark)
        if "-v" in sys.argv or (mark is not None and not is_right_line(wrong, mark)) or mark is None:
            print(wrong.key, wrong.reason, after, sep="\n", end="\n\n")
    print(*(f"{what:50}{number:6}" for what, number in counted.items()), sep="\n")
    print("seconds more: median", round(-float(np.median(seconds)), 3), "largest", round(-min(seconds), 3))


if __name__ == "__main__":
    assert fstats
    main()
