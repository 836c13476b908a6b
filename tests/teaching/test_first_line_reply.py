"""The first reply to a wrong line of a student: it says nothing false of the line, and it points at the wrong part."""

from __future__ import annotations

import ast
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_student_lines import marked
from wrong_lines import _run, as_it_is, solution_cells

import fstats
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.verdicts.feedback import Feedback

IMPORTS = "import math, statistics\nimport numpy as np\nfrom scipy import stats"
REPLIES = tomllib.loads(Path(__file__).with_name("wrong_lines_and_replies.toml").read_text(encoding="utf-8"))


@cache
def before(name: str, key: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The cells of a solution before the answer to a question, and the names after them."""
    names: dict[str, Any] = {}
    cells = [IMPORTS, *solution_cells(name)]
    asked = next(place for place, cell in enumerate(cells) if f'check("{key}"' in cell)
    for cell in cells[: asked - 1]:
        with suppress(ImportError, AttributeError):  # pictures
            _run(cell, names)
    return tuple(cells[: asked - 1]), names


def first_reply(name: str, key: str, code: str) -> Feedback:
    """The reply to the last assignment of some code, after all earlier answers of the exercise were right."""
    cells, known = before(name, key)
    own = dict(known)
    _run(code, own)
    answer = ast.unparse(ast.parse(code).body[-1].targets[0])  # type: ignore[attr-defined]
    line = line_in_cells([*cells, code, f'check("{key}", {answer})'], key, own)
    return as_it_is(known["task"]).reply_to(key, own[answer], line)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("name", "key", "code", "part"), REPLIES["marked"])
def test_the_part_that_is_wrong_is_marked(name: str, key: str, code: str, part: str) -> None:
    """Exchanged names, a wrong order, sorting, a wrong start of a sum, a wrong axis, rounding, and one of two slips."""
    assert part in marked(first_reply(name, key, code))


@pytest.mark.parametrize(("name", "key", "code", "words", "never"), REPLIES["says"])
def test_what_the_first_reply_says(name: str, key: str, code: str, words: str, never: str) -> None:
    """Each reply holds its words, and not those that would be false, on these data or on others."""
    said = repr(first_reply(name, key, code))
    assert words in said
    assert never not in said


def test_a_guess_stays_if_the_line_gives_the_value_of_the_mistake() -> None:
    """Only a mistake with another value on other data is not guessed."""
    said = repr(first_reply("corrected_resampled_t", "q5", "df = 2 * len(d) - 2"))
    assert "from this mistake: Your number gives the degrees of freedom of two" in said


def test_numbers_that_are_shifted_by_the_same_amount_are_told() -> None:
    """With all digits, and with the digits that were typed; not if they differ by more than these digits allow."""
    task = fstats.exercise("analysis_of_variance")
    right = task.test_of(task.exercise.question("q1")).means
    shifted = [float(x) + 7.3 for x in right]
    for numbers in (shifted, [round(x, 3) for x in shifted]):
        assert "by the same amount" in repr(task.fresh().check("q1", numbers))
    assert "by the same amount" not in repr(task.fresh().check("q1", [shifted[0] + 0.5, *shifted[1:]]))
