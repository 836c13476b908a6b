"""Catalogue of the exercises.

An exercise has the data of the course, or the data that belong to a student's token.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ...core.validation.keyword_arguments import with_suggestions
from ..grading.cell_timer import watch_cells
from ..grading.exercise import Exercise
from ..grading.task import Task
from .common_mistakes import with_common_mistakes


def exercise_names() -> list[str]:
    """Return the names of all exercises."""
    package = import_module(__package__ or "")
    return sorted(module.name for module in iter_modules(package.__path__) if module.ispkg)


@cache
def load_exercise_definition(name: str) -> Exercise:
    """Load the definition of an exercise, which is the same for all students."""
    if name not in exercise_names():
        raise LookupError(f"there is no exercise {name!r}; the exercises are {', '.join(exercise_names())}")
    return with_common_mistakes(import_module(f".{name}", __package__).EXERCISE)


@with_suggestions
def exercise(name: str, data: str = "") -> Task:
    r"""Open an exercise: its data, its questions, and feedback on your answers.

    Parameters
    ----------
    name : str
        Name of the exercise, such as "paired_t_by_hand"; an unknown name raises an error that lists all names.
    data : str
        The token of a student's own data (from :func:`fstats.individual`); empty for the data of the course.

    Returns
    -------
    Task
        ``task.data`` (arrays and numbers by name), ``task.check("q1", answer)``, ``task.ask("q7")`` for a multiple-choice
        question, ``task.plot()``, ``task.progress()``, and
        ``task.another()`` for the same questions on new numbers.

    Raises
    ------
    LookupError, ValueError
        If there is no such exercise, or if `data` is not a token.

    Notes
    -----
    Answers are right to three significant digits; counts and rank sums must be exact. Named mistakes are recognised, and values
    that follow from an earlier wrong answer. The hints get more detailed with each different wrong answer, and never contain
    the right answer itself.

    Examples
    --------
    The course's differences are 2, 6, 2, 1, -2, 6; their mean is 2.5.

    >>> import fstats
    >>> task = fstats.exercise("paired_t_by_hand")
    >>> task.check("q2", 2.5)
    q2  ✓ Right
        d̄ = 1/n * ∑_i d_i = 1/6 * (2 + 6 + 2 + 1 - 2 + 6) = 2.5
    >>> print(task.check("q3", 2.814).title)
    Not yet: divided by n
    """
    if not re.fullmatch(r"[0-9a-f]*", data):
        raise ValueError(
            f"`data` must be the token of your notebook (digits and letters from a to f); got {data!r}. Copy the token from your notebook."
        )
    watch_cells()
    return Task(load_exercise_definition(name), data)
