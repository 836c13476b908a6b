"""Numbers that are wrong for the one and right for another of the class: each follows from the one before it, all are copied."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..course.catalogue import definition
from ..grading.question import Question
from ..grading.task import Task
from .delivery import Answer, Delivery
from .marked import AT_LEAST, Marked, right_elsewhere

Key = TypeVar("Key")
SUSPECTS = 3  # others whose numbers a notebook may have, those with most in common first


def without_copies(marks: Mapping[Key, Marked], tokens: Mapping[str, str]) -> dict[Key, Marked]:
    """The marks of one exercise; copied numbers earn nothing and are flagged.

    A right answer given an earlier mistake earns its points, so whoever copies another's numbers would lose but the first line:
    therefore wrong numbers are looked up among the right ones of everybody.

    Parameters
    ----------
    marks : mapping
        By whatever tells the notebooks apart.
    tokens : mapping
        Everybody's token of this exercise, by student.
    """
    suspicious = {key: wrong for key, marked in marks.items() if len(wrong := dict(_wrong(marked))) >= AT_LEAST}
    if not suspicious:
        return dict(marks)
    exercise = definition(next(iter(marks.values())).exercise)
    tasks: dict[str, Task] = {}
    right: dict[tuple[str, str], list[str]] = {}
    for token in tokens.values():
        tasks[token] = task = Task(exercise, token)
        for question in exercise.questions:
            if isinstance(question, Question) and (shape := _shape(getattr(task.test_of(question), question.step))):
                right.setdefault((question.key, shape), []).append(token)
    found = dict(marks)
    for key, wrong in suspicious.items():
        marked = marks[key]
        seen = Counter(token for place, value in wrong.items() for token in right.get((place, _shape(value)), ()) if token != marked.token)
        answers = {mark.key: Answer(wrong.get(mark.key, ...)) for mark in marked.questions}
        others = [tasks[token] for token, count in seen.most_common(SUSPECTS) if count > 1]
        questions, flag = right_elsewhere(marked.questions, Delivery(answers), others)
        if flag:
            found[key] = replace(marked, questions=questions, flags=(*marked.flags, flag))
    return found


def _wrong(marked: Marked) -> Iterator[tuple[str, Any]]:
    """What was delivered where it is not right by itself."""
    for mark in marked.questions:
        if mark.kind == "value" and mark.verdict not in ("right", "unanswered", "unreadable"):
            try:
                yield mark.key, json.loads(mark.answer)
            except ValueError:  # shortened for show
                continue


def _shape(value: Any) -> str:
    """A value to three digits, to look it up; empty for yes, no and words, which half the class has."""
    try:
        numbers = np.asarray(value)
    except ValueError:  # lines of different lengths
        return ""
    if numbers.dtype.kind not in "if" or not numbers.size:
        return ""
    return " ".join(f"{number:.2e}" for number in numbers.astype(float).flat)
