"""What a lecturer should look at: another student's data, the same notebook twice, the same wrong numbers on different data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

from ..grading.notebook import REFLECTION, STUB
from .cells import NotANotebook, read_notebook
from .graded import Attempt

TOKEN = re.compile(r"\b[0-9a-f]{16}\b")
SPECIFIC = 4  # significant digits that do not coincide by luck
MANY = 4, 0.05  # students, and of all of them: a wrong number that more have is a mistake that they made, and not from each other
LONG = 40  # characters of a text that nobody writes twice


def flags(attempts: Mapping[str, Attempt], tokens: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Sentences about students, by their ids.

    Parameters
    ----------
    attempts : mapping
        The attempts at one exercise that count, by student.
    tokens : mapping
        Everybody's token of this exercise, by student.
    """
    owner = {token: student for student, token in tokens.items()}
    found = {
        student: [TOKEN.sub(lambda said: owner.get(said[0], said[0]), sentence) for sentence in attempt.marked.flags]
        for student, attempt in attempts.items()
    }
    for marks, sentence in (
        (lambda attempt: [attempt.submission.digest], "The same file as {}."),
        (_written, "The same answers as {}, letter by letter."),
        (_texts, "The same words as {} in a free text."),
    ):
        _shared(found, {student: marks(attempt) for student, attempt in attempts.items()}, sentence)
    _shared(found, _wrong(attempts), "The same wrong number as {}, on other data.")
    return {student: tuple(dict.fromkeys(sentences)) for student, sentences in found.items()}


def _shared(found: dict[str, list[str]], marks: Mapping[str, Iterable[str]], sentence: str) -> None:
    """Say of each student with whom he shares a mark."""
    groups: dict[str, dict[str, None]] = {}
    for student, theirs in marks.items():
        for mark in theirs:
            groups.setdefault(mark, {})[student] = None
    said: dict[str, dict[str, None]] = {}
    for group in groups.values():
        for student in group if len(group) > 1 else ():
            said.setdefault(student, {}).update({other: None for other in group if other != student})
    for student, others in said.items():
        names = sorted(others)
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        found[student].append(sentence.format(shown))


def _written(attempt: Attempt) -> list[str]:
    """What stands in the cells of answers, if anything does: one text for the whole notebook."""
    try:
        cells = read_notebook(attempt.submission.content)
    except NotANotebook:
        return []
    answers = [cell.source.strip() for cell in cells if cell.is_code and cell.grade_id.startswith("answer_")]
    filled = [text for text in answers if text and not text.endswith(STUB) and text != "# your answer"]
    whole = "\n".join(answers)
    return [sha256(whole.encode("utf-8", "replace")).hexdigest()] if len(filled) > 1 and len(whole) > 5 * LONG else []


def _texts(attempt: Attempt) -> list[str]:
    texts = (" ".join(text.casefold().split()) for text in attempt.marked.reflections.values())
    return [text for text in texts if len(text) >= LONG and text != REFLECTION.casefold()]


def _wrong(attempts: Mapping[str, Attempt]) -> dict[str, list[str]]:
    """Numbers that are wrong for two, and by no mistake that is known: on data of one's own that is no accident.

    Nothing is said of a mistake that has a name, nor of what follows from one: whoever makes the same has the same number where it does
    not depend on the data; nor to or of anybody for whom the number is right.
    """
    wrong = {
        student: [
            f"{mark.key} {mark.answer}"
            for mark in attempt.marked.questions
            if mark.kind == "value" and mark.verdict == "unknown" and _is_specific(mark.answer)
        ]
        for student, attempt in attempts.items()
    }
    shared = Counter(mark for theirs in wrong.values() for mark in theirs)
    most = max(MANY[0], MANY[1] * len(attempts))
    return {student: [mark for mark in theirs if shared[mark] <= most] for student, theirs in wrong.items()}


def _is_specific(answer: str) -> bool:
    """Whether a delivered value is no whole number, and has digits enough that two people do not come to it by luck."""
    numbers = re.findall(r"-?\d+\.\d+(?:e[-+]?\d+)?", answer)
    return any(len(re.sub(r"e.*|\D", "", number).strip("0")) >= SPECIFIC for number in numbers)
