"""What a class shows of each question: how hard it is, whom it tells apart, what went wrong, what was guessed, when it was begun."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

import numpy as np

from ....core.value_types import Array
from ...course.catalogue import load_exercise_definition
from ...grading.question import Choice
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import QuestionMark
from ..untrusted_text import csv_text

SHUFFLES = 2000  # of who has a question right, among the same students
FEWEST = 10  # students; with fewer nearly nothing can be told from luck
OUTCOMES = {  # what became of an answer, from the best to the worst
    "right": "right",
    "carried": "right, given an earlier one",
    "chained": "the same, but typed in",
    "digits": "too few digits",
    "mistake": "a mistake with a name",
    "perhaps": "perhaps one with a name",
    "unknown": "wrong, without a name",
    "unreadable": "not what was asked for",
    "unanswered": "not answered",
}
CSV_HEADS = (
    "exercise",
    "question",
    "kind",
    "of",
    "students",
    "mean points",
    "right",
    "discrimination",
    "by luck alone from",
    "to",
    "it says",
)
LAST_CSV_HEADS = ("right by guessing alone", "typed in", "of which it is known", "median of first attempts", "first attempts known")


@dataclass(frozen=True)
class Item:
    """A question as a class answered it.

    Parameters
    ----------
    exercise, key, kind : str
        Which question, and whether it asks for a value, a choice or a function.
    of, mean : float
        The points that there are, and what of them was earned.
    became : mapping
        How many answers became what, by the keys of `OUTCOMES`.
    discrimination : float or None
        The point-biserial correlation between having it right and the points of all *other* questions; None where it has none.
    luck : pair of float
        Between which values it lies in 95 of 100 classes in which the same number of students, drawn by lot, have it right.
    named, perhaps : mapping
        How many made each mistake that has a name, and how many perhaps.
    typed, told : int
        How many values were typed in, of how many of which it is known.
    chance : float or None
        Which share of those who choose by lot have it right; None where nothing is chosen.
    first : tuple of datetime
        When students first tried it, as far as it is known, in order.
    """

    exercise: str
    key: str
    kind: str
    of: float
    mean: float
    became: Mapping[str, int]
    discrimination: float | None
    luck: tuple[float, float]
    named: Mapping[str, int]
    perhaps: Mapping[str, int]
    typed: int
    told: int
    chance: float | None
    first: tuple[datetime, ...]

    @property
    def students(self) -> int:
        """How many there are."""
        return sum(self.became.values())

    @property
    def right(self) -> float:
        """The share that has it right, or right given an earlier answer: the higher, the easier."""
        return (self.became["right"] + self.became["carried"]) / self.students

    @property
    def says(self) -> str:
        """What the correlation says, in words."""
        if self.discrimination is None:
            return {0.0: "nothing: nobody has it right", 1.0: "nothing: all have it right"}.get(
                self.right, "nothing: all have as many points elsewhere"
            )
        low, high = self.luck
        if low <= self.discrimination <= high:
            return "no more than luck"
        return "it tells apart" if self.discrimination > 0 else "turned round: who has it right does worse elsewhere; look at it"


def analyse_items(rows: Sequence[StudentGrade]) -> list[Item]:
    """Each question of one exercise, of the rows that are marked."""
    points = np.array([[*one.questions.values()] for one in rows])
    return [_item(k, mark, rows, points) for k, mark in enumerate(rows[0].marks)] if rows else []


def _item(k: int, mark: QuestionMark, rows: Sequence[StudentGrade], points: Array) -> Item:
    marks = [one.marks[k] for one in rows]
    became = Counter(_outcome(one) for one in marks)
    right = np.array([one.is_right for one in marks])
    question = load_exercise_definition(rows[0].exercise).question(mark.key)
    told = [one.computed for one in marks if one.computed is not None]
    found, luck = discrimination_index(right, points.sum(axis=1) - points[:, k])
    return Item(
        exercise=rows[0].exercise,
        key=mark.key,
        kind=mark.kind,
        of=mark.of,
        mean=float(points[:, k].mean()),
        became={name: became[name] for name in OUTCOMES},
        discrimination=found,
        luck=luck,
        named=Counter(one.mistake for one in marks if one.mistake and not one.guess),
        perhaps=Counter(one.mistake for one in marks if one.mistake and one.guess),
        typed=told.count(False),
        told=len(told),
        chance=1 / len(question.options) if isinstance(question, Choice) else None,
        first=tuple(sorted(one.first_attempts[mark.key] for one in rows if mark.key in one.first_attempts)),
    )


def _outcome(mark: QuestionMark) -> str:
    """What became of an answer, as `OUTCOMES` has it."""
    return "chained" if mark.chained else "perhaps" if mark.verdict == "mistake" and mark.guess else mark.verdict


def discrimination_index(right: Array, rest: Array) -> tuple[float | None, tuple[float, float]]:
    """The point-biserial correlation of having a question right with the points elsewhere, and between which values luck lets it lie.

    That is the difference of two means in standard deviations, by the square root of p (1 - p); luck is shown by lots that decide
    who has it right.  Small classes need no formula for this, and a question that few have right gets the wider range that it needs.
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


# -- when a question was first tried ------------------------------------------------------------------------------------------------
def first_tries(uploads: Iterable[tuple[bytes, datetime | None, Collection[str]]]) -> dict[str, datetime]:
    """When a student first tried each question, from his notebooks with their times of hand-in and what is answered in them.

    The earliest of what JupyterLab (where it records times) and Colab write into the cell of a check, the last run before each upload,
    and of the hand-ins that have an answer.  A student can change what a notebook says: no points follow from it.
    """
    found: dict[str, datetime] = {}
    for content, handed_in, answered in uploads:
        said = dict(_check_times(content))
        for key in answered:
            if times := [time for time in (found.get(key), said.get(key, handed_in)) if time is not None]:
                found[key] = min(times)
    return found


def _check_times(notebook: bytes) -> Iterator[tuple[str, datetime]]:
    """The time at which each check ran, as the notebook says."""
    try:
        cells = json.loads(notebook)["cells"]
        for cell in cells:
            about = cell["metadata"]
            if (name := about.get("nbgrader", {}).get("grade_id")) and (time := _run_time(about)):
                yield name, time
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # whatever it is, it says no times
        return


def _run_time(about: Mapping[str, Any]) -> datetime | None:
    jupyter, colab = about.get("execution", {}).get("iopub.execute_input"), about.get("executionInfo", {}).get("timestamp")
    try:
        moment = datetime.fromisoformat(jupyter) if isinstance(jupyter, str) else datetime.fromtimestamp(colab / 1000, UTC)
        return moment.replace(tzinfo=moment.tzinfo or UTC) if 2000 < moment.year < 2100 else None
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def median_time(first: Sequence[datetime]) -> datetime:
    """The median of some times."""
    start = first[0]
    return start + timedelta(seconds=median((one - start).total_seconds() for one in first))


# -- as tables ----------------------------------------------------------------------------------------------------------------------
def questions_csv(every: Sequence[Item]) -> str:
    """A line for each question."""
    heads = (*CSV_HEADS, *(f"answers {words}" for words in OUTCOMES.values()), *LAST_CSV_HEADS)
    return csv_text(heads, [[*_described(one), *one.became.values(), *_last(one)] for one in every])


def _described(one: Item) -> list[object]:
    known = one.discrimination is not None
    found = [one.discrimination, *one.luck] if known else ["", "", ""]
    return [one.exercise, one.key, one.kind, one.of, one.students, one.mean, one.right, *found, one.says]


def _last(one: Item) -> list[object]:
    first = median_time(one.first).isoformat(" ", "minutes") if one.first else ""
    return ["" if one.chance is None else one.chance, one.typed, one.told, first, len(one.first)]


def mistakes_csv(every: Sequence[Item]) -> str:
    """A line for each mistake at each question: how many made it, which share of all, how many perhaps."""
    lines = [
        [one.exercise, one.key, name, one.named[name], one.named[name] / one.students, one.perhaps[name]]
        for one in every
        for name, _ in (Counter(one.named) + Counter(one.perhaps)).most_common()
    ]
    return csv_text(("exercise", "question", "mistake", "students", "share", "perhaps"), lines)
