"""Opening an exercise, with the data of the course or with a student's own."""

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
    """The names of all exercises."""
    package = import_module(__package__ or "")
    return sorted(module.name for module in iter_modules(package.__path__) if module.ispkg)


@cache
def load_exercise_definition(name: str) -> Exercise:
    """What an exercise is, whoever does it."""
    if name not in exercise_names():
        raise LookupError(f"there is no exercise {name!r}; there are {', '.join(exercise_names())}")
    return with_common_mistakes(import_module(f".{name}", __package__).EXERCISE)


@with_suggestions
def exercise(name: str, data: str = "") -> Task:
    r"""Open an exercise: its data, its questions, and an answer to each of your answers.

    Parameters
    ----------
    name : str
        Such as "paired_t_by_hand"; an unknown name is answered with all that there are.
    data : str
        Which data: empty for those of the course, or the token of a student's own (from :func:`individual`).

    Returns
    -------
    Task
        ``task.data`` (arrays and numbers by name), ``task.check("q1", answer)``, ``task.ask("q7")`` for a question with
        answers to choose from, ``task.plot()``, ``task.progress()``, and
        ``task.another()`` for the same questions on new numbers.

    Raises
    ------
    LookupError, ValueError
        For an exercise that does not exist, a token that is none.

    Notes
    -----
    Answers count as right to three significant digits; counts and sums of ranks are exact.  What follows from an earlier
    wrong answer is recognised, and so are the mistakes that have names.  A hint grows with each different wrong answer and
    never holds the number itself.

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
        raise ValueError(f"data must be the token that stands in your notebook, digits and letters from a to f; got {data!r}")
    watch_cells()
    return Task(load_exercise_definition(name), data)


@with_suggestions
def individual(student_id: str, exercise: str, secret: str) -> Task:
    """Give a student data of his own.

    The data follow from HMAC-SHA256 with the course's secret as key and the exercise and the student as message: always the
    same ones, nobody else's, and nobody without the secret can work them out from the student's name.  They are drawn
    until the right answer and every mistake that has a name differ clearly from one another.

    Parameters
    ----------
    student_id : str
        As the register of the course has it; spaces around it do not matter.
    exercise : str
        Name of the exercise.
    secret : str
        The secret of the course, at least 16 characters; it stays with the lecturer.

    Returns
    -------
    Task
        Its `token` stands in the student's notebook; its `solution()` is the printed solution.

    Raises
    ------
    LookupError, ValueError
        For an exercise that does not exist, an empty student_id, a secret that is too short.

    References
    ----------
    Krawczyk, Bellare and Canetti (1997), HMAC: keyed-hashing for message authentication, RFC 2104, section 2.

    Examples
    --------
    >>> import fstats
    >>> one = fstats.individual("s1234567", "paired_t_by_hand", "a secret of the course")
    >>> two = fstats.individual("s7654321", "paired_t_by_hand", "a secret of the course")
    >>> one.token == two.token, len(one.token)
    (False, 16)
    >>> again = fstats.exercise("paired_t_by_hand", one.token)    # what the student's notebook says
    >>> bool((again.data["a"] == one.data["a"]).all())
    True
    """
    return Task(load_exercise_definition(exercise), data_token(student_id, exercise, secret))


def data_token(student_id: str, exercise: str, secret: str) -> str:
    """Which data of an exercise are a student's: what follows from both and the secret, as :func:`individual` tells."""
    student = unicodedata.normalize("NFC", student_id).strip()
    if not student:
        raise ValueError("student_id must name a student; got an empty text")
    if len(secret) < SECRET_LENGTH:
        raise ValueError(f"secret must have at least {SECRET_LENGTH} characters, or it could be guessed; got {len(secret)}")
    message = f"{load_exercise_definition(exercise).name}\n{student}".encode()
    return hmac.digest(secret.encode(), message, "sha256").hex()[:TOKEN_LENGTH]
