"""Generate individual data sets for the students."""

from __future__ import annotations

import hmac
import unicodedata

from ...core.validation.keyword_arguments import with_suggestions
from ..grading.task import Task
from .catalogue import load_exercise_definition

TOKEN_LENGTH = 16  # number of hexadecimal digits of a token
SECRET_LENGTH = 16  # minimum number of characters of the secret


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
        raise ValueError("`student_id` must name a student; got an empty text. Write the identifier of the student.")
    if len(secret) < SECRET_LENGTH:
        raise ValueError(
            f"`secret` must have at least {SECRET_LENGTH} characters, because a shorter secret could be guessed; got {len(secret)}. "
            "Choose a longer secret."
        )
    message = f"{load_exercise_definition(exercise).name}\n{student}".encode()
    return hmac.digest(secret.encode(), message, "sha256").hex()[:TOKEN_LENGTH]
