"""Item analysis: difficulty and discrimination of questions, mistakes, guessing and times."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from ....core.value_types import Array
from ...course.catalogue import load_exercise_definition
from ...grading.question import Choice
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import QuestionMark
from ..untrusted_text import csv_text

SHUFFLES = 2000  # number of random permutations of the right answers among the students
FEWEST = 10  # smallest class that is analysed; in smaller classes, hardly any result differs clearly from chance
# outcomes of an answer, from best to worst
OUTCOMES: dict[str, str] = tomllib.loads(Path(__file__).with_name("item_outcomes.toml").read_text(encoding="utf-8"))
HEADS = ("exercise", "question", "kind", "of", "students", "mean points", "right", "discrimination", "by luck alone from", "to", "it says")
LAST_HEADS = ("right by guessing alone", "typed in", "of which it is known", "median of first attempts", "first attempts known")


@dataclass(frozen=True)
class Item:
    """Statistics of the answers of a class to one question.

    Parameters
    ----------
    exercise, key, kind : str
        The question, and whether it asks for a value, a choice or a function.
    max_points, mean_points : float
        Maximal points, and mean of the points earned.
    outcomes : mapping
        Number of answers with each outcome, by the keys of `OUTCOMES`.
    discrimination : float or None
        Point-biserial correlation between a right answer and the points of all *other* questions; None if it is not defined.
    chance_range : pair of float
        Range of the correlation in 95 of 100 classes, if as many students, drawn at random, have the question right.
    named_mistakes, possible_mistakes : mapping
        Number of students who made each mistake with a name, and number of students who perhaps made the mistake.
    typed, typing_known : int
        Number of values that were typed in, and number of values for which it is known whether they were typed in.
    guessing_share : float or None
        Share of right answers if choices are random; None if the question offers no choices.
    first_attempts : tuple of datetime
        Known times of students' first attempts, in ascending order.
    """

    exercise: str
    key: str
    kind: str
    max_points: float
    mean_points: float
    outcomes: Mapping[str, int]
    discrimination: float | None
    chance_range: tuple[float, float]
    named_mistakes: Mapping[str, int]
    possible_mistakes: Mapping[str, int]
    typed: int
    typing_known: int
    guessing_share: float | None
    first_attempts: tuple[datetime, ...]

    @property
    def students(self) -> int:
        """Number of students whose answers are counted."""
        return sum(self.outcomes.values())

    @property
    def right(self) -> float:
        """Share of students whose answer is right, also given an earlier answer; easier questions have higher shares."""
        return (self.outcomes["right"] + self.outcomes["carried"]) / self.students

    @property
    def discrimination_text(self) -> str:
        """Meaning of the discrimination, in words."""
        if self.discrimination is None:
            extremes = {0.0: "nothing: nobody has it right", 1.0: "nothing: all have it right"}
            return extremes.get(self.right, "nothing: all have as many points elsewhere")
        low, high = self.chance_range
        if low <= self.discrimination <= high:
            return "no more than chance"
        return "it discriminates" if self.discrimination > 0 else "reversed: students who have it right do worse elsewhere; check it"


def analyse_items(rows: Sequence[StudentGrade]) -> list[Item]:
    """Analyse each question of one exercise, from the rows that are marked."""
    points = np.array([[*one.questions.values()] for one in rows])
    return [_item(k, mark, rows, points) for k, mark in enumerate(rows[0].marks)] if rows else []


def _item(k: int, mark: QuestionMark, rows: Sequence[StudentGrade], points: Array) -> Item:
    marks = [one.marks[k] for one in rows]
    outcomes = Counter(_outcome(one) for one in marks)
    right = np.array([one.is_right for one in marks])
    question = load_exercise_definition(rows[0].exercise).question(mark.key)
    computed = [one.computed for one in marks if one.computed is not None]
    correlation, chance_range = discrimination_index(right, points.sum(axis=1) - points[:, k])
    return Item(
        exercise=rows[0].exercise,
        key=mark.key,
        kind=mark.kind,
        max_points=mark.of,
        mean_points=float(points[:, k].mean()),
        outcomes={name: outcomes[name] for name in OUTCOMES},
        discrimination=correlation,
        chance_range=chance_range,
        named_mistakes=Counter(one.mistake for one in marks if one.mistake and not one.guess),
        possible_mistakes=Counter(one.mistake for one in marks if one.mistake and one.guess),
        typed=computed.count(False),
        typing_known=len(computed),
        guessing_share=1 / len(question.options) if isinstance(question, Choice) else None,
        first_attempts=tuple(sorted(one.first_attempts[mark.key] for one in rows if mark.key in one.first_attempts)),
    )


def _outcome(mark: QuestionMark) -> str:
    """Return the outcome of an answer, a key of `OUTCOMES`."""
    return "chained" if mark.chained else "perhaps" if mark.verdict == "mistake" and mark.guess else mark.verdict


def discrimination_index(right: Array, rest: Array) -> tuple[float | None, tuple[float, float]]:
    """Return the point-biserial correlation of a right answer with the points of the other questions, and its range by chance.

    The correlation is the difference of two means in standard deviations, times the square root of p (1 - p).  For the range, random draws
    decide which students have the question right.  The range is also valid in small classes; a question with few right answers has a wider
    range.
    """
    p, scatter = right.mean(), rest.std()
    if p in (0, 1) or scatter < 1e-12:
        return None, (-1.0, 1.0)
    scores = (rest - rest.mean()) / scatter
    weight = 1 / np.sqrt(p * (1 - p)) / len(rest)
    rng = np.random.default_rng(0)
    lots = np.array([weight * rng.permutation(scores)[right].sum() for _ in range(SHUFFLES)])
    low, high = np.quantile(lots, [0.025, 0.975])
    return float(weight * scores[right].sum()), (float(low), float(high))


# -- times of first attempts --------------------------------------------------------------------------------------------------------
def first_tries(uploads: Iterable[tuple[bytes, datetime | None, Collection[str]]]) -> dict[str, datetime]:
    """Return the time of a student's first attempt at each question, from all notebooks with their submission times and answers.

    The time is the earliest of two sources: the last run of the check before each upload, as JupyterLab (if it records times) and Colab
    store it, and the submissions that contain an answer.  A student can change the times in a notebook, so no points depend on these times.
    """
    first: dict[str, datetime] = {}
    for content, handed_in, answered in uploads:
        stored = dict(_check_times(content))
        for key in answered:
            if times := [time for time in (first.get(key), stored.get(key, handed_in)) if time is not None]:
                first[key] = min(times)
    return first


def _check_times(notebook: bytes) -> Iterator[tuple[str, datetime]]:
    """Yield the time of the last run of each check, as it is stored in the notebook."""
    try:
        cells = json.loads(notebook)["cells"]
        for cell in cells:
            about = cell["metadata"]
            if (name := about.get("nbgrader", {}).get("grade_id")) and (time := _run_time(about)):
                yield name, time
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # the file is no notebook, or stores no times
        return


def _run_time(about: Mapping[str, Any]) -> datetime | None:
    jupyter, colab = about.get("execution", {}).get("iopub.execute_input"), about.get("executionInfo", {}).get("timestamp")
    try:
        moment = datetime.fromisoformat(jupyter) if isinstance(jupyter, str) else datetime.fromtimestamp(colab / 1000, UTC)
        return moment.replace(tzinfo=moment.tzinfo or UTC) if 2000 < moment.year < 2100 else None
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def median_time(times: Sequence[datetime]) -> datetime:
    """Return the median of a sequence of times."""
    start = times[0]
    return start + timedelta(seconds=median((time - start).total_seconds() for time in times))


# -- tables -------------------------------------------------------------------------------------------------------------------------
def questions_csv(every: Sequence[Item]) -> str:
    """Return a CSV file with a line for each question."""
    heads = (*HEADS, *(f"answers {words}" for words in OUTCOMES.values()), *LAST_HEADS)
    return csv_text(heads, [[*_described(one), *one.outcomes.values(), *_last(one)] for one in every])


def _described(one: Item) -> list[object]:
    known = one.discrimination is not None
    numbers = [one.discrimination, *one.chance_range] if known else ["", "", ""]
    columns = (one.exercise, one.key, one.kind, one.max_points, one.students, one.mean_points, one.right)
    return [*columns, *numbers, one.discrimination_text]


def _last(one: Item) -> list[object]:
    first = median_time(one.first_attempts).isoformat(" ", "minutes") if one.first_attempts else ""
    share = "" if one.guessing_share is None else one.guessing_share
    return [share, one.typed, one.typing_known, first, len(one.first_attempts)]


def mistakes_csv(every: Sequence[Item]) -> str:
    """Return a CSV file of the mistakes at each question: number and share of students who made a mistake, or perhaps made it."""
    lines = [
        [one.exercise, one.key, name, one.named_mistakes[name], one.named_mistakes[name] / one.students, one.possible_mistakes[name]]
        for one in every
        for name, _ in (Counter(one.named_mistakes) + Counter(one.possible_mistakes)).most_common()
    ]
    return csv_text(("exercise", "question", "mistake", "students", "share", "perhaps"), lines)
