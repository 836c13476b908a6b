"""Whose work is another's: his data, his notebook, his words, his wrong numbers, or numbers that are right for him."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from ...grading.answers.answer_value import Unanswered, Unreadable, is_equal, parse_answer
from ...grading.exercise_notebook import REFLECTION, STUB
from ...grading.question import Question
from ...grading.task import Task
from ..fault_tolerance import run_or_default
from ..marks.student_grade import Attempt
from ..marks.submission_mark import QuestionMark, SubmissionMark
from ..sandbox.sandbox_output import DeliveredAnswer, SandboxOutput
from ..submissions.notebook_format import NotANotebook
from ..submissions.submission_cells import NotebookCell, read_notebook
from .wrong_answer_matches import coincidence_probability, exercise_task, expected_value, rounded_key, unexplained_answers, wrong_values

Key = TypeVar("Key")
MAX_NAMED = 3  # others whose numbers a notebook may have, those with most in common first


TOKEN = re.compile(r"\b[0-9a-f]{16}\b")
SPECIFIC_DIGITS = 4  # significant digits that do not coincide by luck
COMMON_SHARE = 4, 0.05  # students, and of all of them: a wrong number that more have is a mistake that they made, and not from each other
MIN_TEXT_LENGTH = 40  # characters of a text that nobody writes twice
COPIED = "That would be right for other data than those that belong to you."
AT_LEAST = 3  # wrong answers that are right for the same other data; one or two may be by chance
CHANCE_LIMIT = 0.01  # of those who work alone and have so many wrong, so many may be taken for copiers: fewer than one in a large class


def plagiarism_flags(attempts: Mapping[str, Attempt], tokens: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Sentences about students, by their ids; a check that fails says nothing.

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
    looks: tuple[tuple[Callable[[Attempt], list[str]], str], ...] = (
        (lambda attempt: [attempt.submission.digest], "The same file as {}."),
        (_answer_text, "The same answers as {}, letter by letter."),
        (_texts, "The same words as {} in a free text."),
    )
    none: list[str] = []
    for look, sentence in looks:
        of = {
            student: run_or_default(f"{attempt.submission.path}: {sentence.format('others')[:-1]}", partial(look, attempt), none)
            for student, attempt in attempts.items()
        }
        _flag_shared(found, of, sentence)
    nobody: dict[str, list[str]] = {}
    wrong = run_or_default("The search for the same wrong numbers", partial(_wrong_numbers, attempts), nobody)
    _flag_shared(found, wrong, "The same wrong number as {}, on other data.")
    return {student: tuple(dict.fromkeys(sentences)) for student, sentences in found.items()}


def _flag_shared(found: dict[str, list[str]], marks: Mapping[str, Iterable[str]], sentence: str) -> None:
    """Say of each student with whom he shares a mark."""
    holders: dict[str, set[str]] = {}
    for student, theirs in marks.items():
        for mark in theirs:
            holders.setdefault(mark, set()).add(student)
    for student, theirs in marks.items():
        if others := sorted({other for mark in theirs for other in holders[mark]} - {student}):
            shown = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
            found[student].append(sentence.format(shown))


def _answer_text(attempt: Attempt) -> list[str]:
    """What stands in the cells of answers, if anything does: one text for the whole notebook."""
    cells = readable_cells(attempt.submission.content)
    answers = [cell.source.strip() for cell in cells if cell.is_code and cell.grade_id.startswith("answer_")]
    filled = [text for text in answers if text and not text.endswith(STUB) and text != "# your answer"]
    whole = "\n".join(answers)
    return [sha256(whole.encode("utf-8", "replace")).hexdigest()] if len(filled) > 1 and len(whole) > 5 * MIN_TEXT_LENGTH else []


def readable_cells(notebook: bytes) -> list[NotebookCell]:
    """The cells of what was handed in; none of what is no notebook."""
    try:
        return read_notebook(notebook)
    except NotANotebook:
        return []


def _texts(attempt: Attempt) -> list[str]:
    texts = (" ".join(text.casefold().split()) for text in attempt.marked.reflections.values())
    return [text for text in texts if len(text) >= MIN_TEXT_LENGTH and text != REFLECTION.casefold()]


def _wrong_numbers(attempts: Mapping[str, Attempt]) -> dict[str, list[str]]:
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
    most = max(COMMON_SHARE[0], COMMON_SHARE[1] * len(attempts))
    return {student: [mark for mark in theirs if shared[mark] <= most] for student, theirs in wrong.items()}


def _is_specific(answer: str) -> bool:
    """Whether a delivered value is no whole number, and has digits enough that two people do not come to it by luck."""
    numbers = re.findall(r"-?(?<!\d)\d++\.\d++(?:e[-+]?\d++)?", answer)
    return any(len(re.sub(r"e.*|\D", "", number).strip("0")) >= SPECIFIC_DIGITS for number in numbers)


# -- right, for somebody else -------------------------------------------------------------------------------------------------
def discount_copies(marks: Mapping[Key, SubmissionMark], tokens: Mapping[str, str]) -> dict[Key, SubmissionMark]:
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
    suspicious = {key: wrong for key, marked in marks.items() if len(wrong := dict(wrong_values(marked))) >= AT_LEAST}
    if not suspicious:
        return dict(marks)
    name = next(iter(marks.values())).exercise
    tasks: dict[str, Task] = {}
    right: dict[tuple[str, str], list[str]] = {}
    for student, token in tokens.items():
        none: dict[str, str] = {}
        rights = run_or_default(f"The right answers of {student}, where copies are looked for,", partial(_right_shapes, name, token), none)
        if rights:
            tasks[token] = exercise_task(name, token)
        for place, digits in rights.items():
            right.setdefault((place, digits), []).append(token)
    found = dict(marks)
    for key, wrong in suspicious.items():
        found[key] = run_or_default(
            f"The search for copies in {_key_name(key)}", partial(_discount_copies, marks[key], wrong, right, tasks), marks[key]
        )
    return found


def _right_shapes(exercise: str, token: str) -> dict[str, str]:
    """The right numbers on some data, to three digits, by question."""
    task = exercise_task(exercise, token)
    asked = [one.key for one in task.exercise.questions if isinstance(one, Question)]
    return {key: digits for key in asked if (digits := rounded_key(expected_value(task, key)))}


def _key_name(key: Any) -> str:
    return str(getattr(key, "path", key))


def _discount_copies(
    marked: SubmissionMark, wrong: Mapping[str, Any], right: Mapping[tuple[str, str], Sequence[str]], tasks: Mapping[str, Task]
) -> SubmissionMark:
    """One mark, where wrong numbers of it are the right ones of others."""
    seen = Counter(token for place, value in wrong.items() for token in right.get((place, rounded_key(value)), ()) if token != marked.token)
    answers = {mark.key: DeliveredAnswer(wrong.get(mark.key, ...)) for mark in marked.questions}
    others = [tasks[token] for token, count in seen.most_common(MAX_NAMED) if count > 1]
    own = exercise_task(marked.exercise, marked.token)
    questions, flag = flag_foreign_values(marked.questions, SandboxOutput(answers), own, others, len(tasks))
    return replace(marked, questions=questions, flags=(*marked.flags, flag)) if flag else marked


def flag_foreign_values(
    questions: tuple[QuestionMark, ...], delivery: SandboxOutput, own: Task, others: Sequence[Task], among: int = 1
) -> tuple[tuple[QuestionMark, ...], str]:
    """The marks, and a flag: numbers that are right for other data do not follow from an earlier mistake, they were copied.

    Without this a copied notebook would be right but for its first line, since each number follows from the one before it.  What comes
    from one's own data by mistakes that have names is nobody's, and neither is what may well agree by chance, as a few counts do.

    Parameters
    ----------
    questions, delivery
        The marks, and what was delivered.
    own, others : Task
        His data, and those to look at.
    among : int
        From how many these were chosen.
    """
    values = {mark.key: delivery.answers[mark.key].value for mark in unexplained_answers(questions) if mark.key in delivery.answers}
    for other in others if len(values) >= AT_LEAST else ():
        copied = [key for key, value in values.items() if _is_right(other, key, value)]
        if len(copied) < max(AT_LEAST, len(values) / 2):
            continue
        chance, _ = coincidence_probability({key: None for key in copied if rounded_key(values[key])}, values, own, other)
        if chance * max(among, len(others)) <= CHANCE_LIMIT:
            taken = partial(replace, verdict="unknown", lines=(COPIED,), mistake="", computed=False, chained=False)
            marks = (taken(mark) if mark.key in copied else mark for mark in questions)
            whose = f"the data {other.token}" if other.token else "the data of the course"
            return tuple(marks), f"{len(copied)} answers that are wrong here are right for {whose}: copied?"
    return questions, ""


def _is_right(task: Task, key: str, value: Any) -> bool:
    """Whether a value is right by itself, without a worked line about it."""
    question = task.exercise.question(key)
    assert isinstance(question, Question)
    test = task.test_of(question)
    right = getattr(test, question.step)
    try:
        return is_equal(
            parse_answer(value, right, task.exercise.asked(question)), right, question.tolerance(test) if question.tolerance else None
        )
    except (Unanswered, Unreadable):
        return False
