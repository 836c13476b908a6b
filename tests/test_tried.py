"""What students would type: some twelve hundred answers, invented before the definitions of the exercises were read, and what is said to each.

Each exercise has a file in `tried/`.  Lines that begin with `=` are what the student has computed before, all others an answer: the question,
what is typed, what a teacher would do (`right`, `digits`, `name` the mistake, give a `hint`, `told` what kind of answer is wanted), what the
student meant, and the verdict.  Every earlier question counts as answered rightly.  `python tests/test_tried.py` writes the verdicts anew:
read the difference before you keep it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from fstats import exercise
from fstats.course.catalogue import exercise_names
from fstats.grading.feedback import Feedback
from fstats.grading.question import Choice, Question
from fstats.grading.task import LETTERS, Task

TRIED = Path(__file__).parent / "tried"
LEAST = 40  # answers to an exercise


class Try(NamedTuple):
    """An answer: the question, what was typed, what a teacher would do, what was meant, and the verdict as it is kept."""

    key: str
    typed: str
    wanted: str
    meant: str
    verdict: str = ""


def significant(x: Any, digits: int) -> float:
    """Rounded to so many significant digits."""
    return float(f"{float(x):.{digits - 1}e}")


def cut(x: Any, decimals: int) -> float:
    """Cut off behind so many decimals."""
    return float(np.trunc(float(x) * 10**decimals + 1e-9 * np.sign(x)) / 10**decimals)


TOOLS = {
    "np": np,
    "stats": stats,
    "sqrt": np.sqrt,
    "log": np.log,
    "log2": np.log2,
    "comb": comb,
    "product": product,
    "combinations": combinations,
    "Fraction": Fraction,
    "Decimal": Decimal,
    "dig": significant,
    "cut": cut,
}


def tries(name: str) -> Iterator[tuple[list[str], Try]]:
    """The tries of an exercise, each with the lines that stand before it."""
    before: list[str] = []
    for line in (TRIED / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            before.append(line[2:])
        else:
            yield before, Try(*(part.strip() for part in line.split(" | ")))


def right_answer(task: Task, key: str) -> Any:
    """The value of a question on the course's data, or the letter."""
    question = task.exercise.question(key)
    if isinstance(question, Choice):
        return LETTERS[question.order(task.token).index(0)]
    return getattr(task.test_of(question), question.step) if isinstance(question, Question) else None


def said_to(task: Task, one: Try, names: dict[str, Any]) -> Feedback:
    """The reply, when all before was right."""
    task = task.fresh()
    for earlier in task.exercise.questions:
        if earlier.key == one.key:
            break
        if isinstance(earlier, Question):
            task.check(earlier.key, right_answer(task, earlier.key))
    return task.check(one.key, eval(one.typed, names | {"right": right_answer(task, one.key)}))


def in_words(said: Feedback) -> str:
    """A verdict, with the name of the mistake, and of a hint whether it says more than what is asked."""
    if said.verdict == "unknown":
        return "hint" if not said.lines[0].startswith("Asked for") else "asked for"
    return f"{said.verdict}: {said.mistake}" if said.mistake else said.verdict


def all_said(name: str) -> Iterator[tuple[Try, str]]:
    """Every try with the verdict as it is now."""
    task, names, done = exercise(name), dict(TOOLS), 0
    names |= task.data
    for before, one in tries(name):
        for line in before[done:]:
            exec(line, names)
        done = len(before)
        yield one, in_words(said_to(task, one, names))


@pytest.mark.parametrize("name", exercise_names())
@pytest.mark.filterwarnings("ignore")
def test_the_verdicts_on_what_students_type(name: str) -> None:
    """As they are kept; and nothing wrong is right unless the number cannot tell."""
    found = list(all_said(name))
    assert len(found) >= LEAST
    assert {one.typed: now for one, now in found if now != one.verdict} == {}


@pytest.mark.parametrize("name", exercise_names())
def test_what_is_kept_of_them_is_good(name: str) -> None:
    """The shares that are promised: every rounded answer is told so, most wrong methods get a name or what it may come from."""
    counted = Counter((one.wanted, one.verdict.partition(":")[0]) for _, one in tries(name))
    assert not any(counted["digits", bad] for bad in ("mistake", "unreadable"))
    assert not any(counted[wanted, "right"] for wanted in ("name", "hint", "told", "digits"))
    helped, meant = counted["name", "mistake"] + counted["name", "hint"], sum(n for (wanted, _), n in counted.items() if wanted == "name")
    assert helped >= 0.6 * meant


if __name__ == "__main__":
    np.seterr(all="ignore")
    for exercise_name in sys.argv[1:] or exercise_names():
        lines = (TRIED / f"{exercise_name}.txt").read_text(encoding="utf-8").splitlines()
        verdicts = iter(list(all_said(exercise_name)))
        new = [line if line.startswith("= ") else " | ".join([*next(verdicts)[0][:4], ""]) for line in lines]
        verdicts = iter(list(all_said(exercise_name)))
        new = [line if line.startswith("= ") else line + next(verdicts)[1] for line in new]
        (TRIED / f"{exercise_name}.txt").write_text("\n".join(new) + "\n", encoding="utf-8")
