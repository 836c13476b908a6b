"""Catalogue of exercises: open an exercise with the data of the course or with a student's own data."""

from __future__ import annotations

import hmac
import re
import unicodedata
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ...core.validation.keyword_arguments import with_suggestions
from ..grading.cell_timer import watch_cells
from ..grading.exercise import Exercise
from ..grading.task import Task
from .common_mistakes import with_common_mistakes

TOKEN_LENGTH = 16  # hexadecimal digits
SECRET_LENGTH = 16  # characters


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
        The token of a student's own data (from :func:`individual`); empty for the data of the course.

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
        \bar d = \frac{1}{n} \sum_i d_i = \frac{1}{6} (2 + 6 + 2 + 1 - 2 + 6) = 2.5
    >>> print(task.check("q3", 2.814).title)
    Not yet: divided by n
    """
    if not re.fullmatch(r"[0-9a-f]*", data):
        raise ValueError(
            f"data must be the token of your notebook, digits and letters from a to f; got {data!r}: copy the token from your notebook"
        )
    watch_cells()
    return Task(load_exercise_definition(name), data)


@with_suggestions
def individual(student_id: str, exercise: str, secret: str) -> Task:
    """Open an exercise with the data of one student.

    The data follow from HMAC-SHA256 with the course's secret as the key, and the exercise and the student as the message. A student
    always gets the same data, two students get different data, and nobody can compute the data from a name without the secret.
    Data are drawn until the right answer and every named mistake differ clearly from each other.

    Parameters
    ----------
    student_id : str
        Identifier of the student, as in the register of the course; spaces around it are ignored.
    exercise : str
        Name of the exercise.
    secret : str
        Secret of the course, at least 16 characters; only the lecturer knows it.

    Returns
    -------
    Task
        The `token` of the task is written into the student's notebook; `solution()` of the task is the printed solution.

    Raises
    ------
    LookupError, ValueError
        If there is no such exercise, `student_id` is empty, or the secret is too short.

    References
    ----------
    Krawczyk, Bellare and Canetti (1997), HMAC: keyed-hashing for message authentication, RFC 2104, section 2.

    Examples
    --------
    >>> import fstats
    >>> first = fstats.individual("s1234567", "paired_t_by_hand", "a secret of the course")
    >>> second = fstats.individual("s7654321", "paired_t_by_hand", "a secret of the course")
    >>> first.token == second.token, len(first.token)
    (False, 16)
    >>> again = fstats.exercise("paired_t_by_hand", first.token)    # as in the student's notebook
    >>> bool((again.data["a"] == first.data["a"]).all())
    True
    """
    return Task(load_exercise_definition(exercise), data_token(student_id, exercise, secret))


def data_token(student_id: str, exercise: str, secret: str) -> str:
    """Compute the token of a student's data from student, exercise and secret, as described in :func:`individual`."""
    student = unicodedata.normalize("NFC", student_id).strip()
    if not student:
        raise ValueError("student_id must name a student; got an empty text: give the identifier of the register")
    if len(secret) < SECRET_LENGTH:
        raise ValueError(
            f"secret must have at least {SECRET_LENGTH} characters, because a shorter secret could be guessed; got {len(secret)}: choose "
            "a longer secret"
        )
    message = f"{load_exercise_definition(exercise).name}\n{student}".encode()
    return hmac.digest(secret.encode(), message, "sha256").hex()[:TOKEN_LENGTH]
