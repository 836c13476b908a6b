"""What students would type: some two thousand answers in two experiments, invented before the exercise's mistakes were read,
and what is said.

Each exercise has a file in `tried/`, and one in `tried/second/` that repeats nothing of the first.  Lines that begin with `=` are what
the student has computed before, all others an answer: the question, what is typed, what a teacher would do (`right`, `digits`, `name` the
mistake, give a `hint`, `told` what kind of answer is wanted, `same` where the number cannot tell), what the student meant, and the
verdict.  Every earlier question counts as answered rightly.  `python tests/teaching/test_tried.py` writes the verdicts anew: read the
difference before you keep it.
"""

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
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.question import Choice, Question
from fstats.teaching.grading.task import LETTERS, Task
from fstats.teaching.grading.verdicts.feedback import Feedback

TRIED = Path(__file__).parents[1] / "tried"
LEAST = 40  # answers to an exercise
ONE_EXPERIMENT: set[str] = set()  # exercises that have no second experiment yet
SIZES = (
    "Your answer is too ",
    "Your answer is far too ",
    "Your answer lies ",
    "Your answer must be a whole number",
    "The sign of your answer is wrong",
    "Your answer is negative, ",
)  # a hint that says no more than in which direction


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


TOOLS = {"np": np, "stats": stats, "sqrt": np.sqrt, "log": np.log, "log2": np.log2, "dig": significant}
TOOLS |= {tool.__name__: tool for tool in (comb, product, combinations, Fraction, Decimal, cut)}


def files(name: str) -> list[Path]:
    """The two experiments with an exercise, or the only one."""
    experiments = [TRIED / f"{name}.txt", TRIED / "second" / f"{name}.txt"][: 1 + (name not in ONE_EXPERIMENT)]
    for file in experiments:
        assert file.exists(), (
            f"{file} is missing: write at least {LEAST} answers that students would type, a line each, `q1 | typed | wanted | meant` as in "
            "other files, and run `python tests/teaching/test_tried.py NAME`, which adds the verdicts (an exercise with a single file "
            "is listed in ONE_EXPERIMENT)"
        )
    return experiments


def tries(file: Path) -> Iterator[tuple[list[str], Try]]:
    """The tries of an exercise, each with the lines that stand before it."""
    before: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            before.append(line[2:])
        else:
            yield before, Try(*(part.strip() for part in line.split(" | ")))


def right_answer(task: Task, key: str) -> Any:
    """The value of a question on the course's data, or the letter."""
    question = task.exercise.question(key)
    if isinstance(question, Choice):
        return LETTERS[question.order(task.token).index(0)]
    if not isinstance(question, Question):
        return None
    test = task.test_of(question)
    value = getattr(test, question.step)
    return value if question.repetitions is None else np.rint(value * question.repetitions(test)) / question.repetitions(test)


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
        return "asked for" if said.lines[0].startswith("The question asks for") else "size" if said.lines[0].startswith(SIZES) else "hint"
    if said.guess:
        return f"guess: {said.mistake}"
    return f"{said.verdict}: {said.mistake}" if said.mistake else said.verdict


def all_said(file: Path) -> Iterator[tuple[Try, str]]:
    """Every try with the verdict as it is now."""
    task, names, done = exercise(file.stem), dict(TOOLS), 0
    names |= task.data
    for before, one in tries(file):
        for line in before[done:]:
            exec(line, names)
        done = len(before)
        yield one, in_words(said_to(task, one, names))


@pytest.mark.parametrize("experiment", [0, pytest.param(1, marks=pytest.mark.slow)], ids=["first", "second"])
@pytest.mark.parametrize("name", exercise_names())
@pytest.mark.filterwarnings("ignore")
def test_the_verdicts_on_what_students_type(name: str, experiment: int) -> None:
    """As they are kept; and nothing wrong is right unless the number cannot tell."""
    for file in files(name)[experiment : experiment + 1]:
        found = list(all_said(file))
        assert len(found) >= LEAST, f"{file} needs at least {LEAST} answers"
        changed = {one.typed: f"{one.verdict} -> {now}" for one, now in found if now != one.verdict}
        assert not changed, f"verdicts changed: {changed}; if that is better, run `python tests/teaching/test_tried.py {name}`"


@pytest.mark.parametrize("name", exercise_names())
def test_what_is_kept_of_them_is_good(name: str) -> None:
    """The shares that are promised: every rounded answer is told so, most wrong methods get a name or what it may come from."""
    counted = Counter((one.wanted, one.verdict.partition(":")[0]) for file in files(name) for _, one in tries(file))
    assert not any(counted["digits", bad] for bad in ("mistake", "unreadable"))
    assert not any(counted[wanted, "right"] for wanted in ("name", "hint", "told", "digits"))
    helped = sum(counted["name", verdict] for verdict in ("mistake", "guess", "hint"))
    meant = sum(n for (wanted, _), n in counted.items() if wanted == "name")
    assert helped >= 0.6 * meant


if __name__ == "__main__":
    np.seterr(all="ignore")
    for file in (file for name in sys.argv[1:] or exercise_names() for file in files(name)):
        verdicts = iter(list(all_said(file)))
        new = []
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("= "):
                one, verdict = next(verdicts)
                line = " | ".join([*one[:4], verdict])
            new.append(line)
        text = "\n".join(new) + "\n"
        if text != file.read_text(encoding="utf-8"):  # tests on other cores may be reading the file
            file.write_text(text, encoding="utf-8")
