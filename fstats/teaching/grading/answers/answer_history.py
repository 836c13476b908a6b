"""Earlier answers of a student."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..verdicts.feedback import Verdict

PLAUSIBLE = 200, 3  # a count is implausible above 200 and above 3 times the largest right count


class EarlierAnswer(NamedTuple):
    """An earlier answer: the key of its question, its value, and its verdict."""

    key: str
    value: Any
    verdict: Verdict

    @property
    def is_right(self) -> bool:
        """Whether the verdict is "right"."""
        return self.verdict == "right"


def wrong_questions(earlier: Mapping[str, EarlierAnswer]) -> str:
    """List in words the questions with a wrong answer; an answer that follows from a wrong one, or lacks digits, is not wrong."""
    keys = [answer.key for answer in earlier.values() if answer.verdict not in ("right", "carried", "digits")]
    return keys[0] if len(keys) == 1 else ", ".join(keys[:-1]) + " and " + keys[-1] if keys else ""


def answers_to(questions: str) -> str:
    """Return the words for the answers to one or several questions, which :func:`wrong_questions` lists."""
    return f"answer{'s' * (' and ' in questions)} to {questions}"


def is_implausible(value: Any, right: Any) -> bool:
    """Whether an answer is so far from the right value that no slip explains it.

    An implausible answer is a list that repeats a single number, which makes later values obvious, or a count or rank above
    all limits, which could make the computation of later values endless.
    """
    wanted = np.asarray(right)
    if np.size(value) > 2 and len(np.unique(value)) == 1 < len(np.unique(wanted)) and wanted.dtype.kind in "iuf":
        return True
    if wanted.dtype.kind not in "iuf" or not np.all((wanted >= 0) & (2 * wanted == np.floor(2 * wanted))):
        return False
    return bool(np.any(np.abs(value) > max(PLAUSIBLE[0], PLAUSIBLE[1] * wanted.max(initial=0))))
