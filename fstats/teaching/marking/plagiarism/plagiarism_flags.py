"""Flag submissions with data or answers of another student."""

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
from ..submissions.submission_cells import readable_cells
from .wrong_answer_matches import coincidence_probability, exercise_task, expected_value, rounded_key, unexplained_answers, wrong_values

Key = TypeVar("Key")
MAX_NAMED = 3  # maximum number of other students with whose data the answers are compared; students with most matches come first


TOKEN = re.compile(r"\b[0-9a-f]{16}\b")
SPECIFIC_DIGITS = 4  # wrong numbers with this many equal significant digits do not agree by chance
# a wrong number that more than 4 students and more than 5 % of the class have is a common mistake, not a copy
COMMON_SHARE = 4, 0.05
MIN_TEXT_LENGTH = 40  # minimum number of characters of a text; two people may write a shorter one independently
COPIED = "This answer would be right for other data, which do not belong to you."
AT_LEAST = 3  # minimum number of wrong answers that are right for the same other student; fewer may agree by chance
# maximum probability, for one student, that the answers agree with the data of any other student by chance
CHANCE_LIMIT = 0.01


def plagiarism_flags(attempts: Mapping[str, Attempt], tokens: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return flags about students, by student; a check that fails adds no flags.

    Parameters
    ----------
    attempts : mapping
        The attempt of each student that counts, for one exercise.
    tokens : mapping
        The tokens of the exercise, by student.
    """
    owner = {token: student for student, token in tokens.items()}
    flags = {
        student: [TOKEN.sub(lambda match: owner.get(match[0], match[0]), sentence) for sentence in attempt.marked.flags]
        for student, attempt in attempts.items()
    }
    checks: tuple[tuple[Callable[[Attempt], list[str]], str], ...] = (
        (lambda attempt: [attempt.submission.digest], "The same file as {}."),
        (_answer_text, "The same answers as {}, letter by letter."),
        (_texts, "The same text as {} in a free-text answer."),
    )
    for check, sentence in checks:
        evidence = {}
        for student, attempt in attempts.items():
            what = f"{attempt.submission.path}: {sentence.format('others')[:-1]}"
            evidence[student] = run_or_default(what, partial(check, attempt), list[str]())
        _flag_shared(flags, evidence, sentence)
    wrong = run_or_default("The search for the same wrong numbers", partial(_wrong_numbers, attempts), dict[str, list[str]]())
    _flag_shared(flags, wrong, "The same wrong number as {}, on other data.")
    return {student: tuple(dict.fromkeys(sentences)) for student, sentences in flags.items()}


def _flag_shared(flags: dict[str, list[str]], marks: Mapping[str, Iterable[str]], sentence: str) -> None:
    """Add a flag for each student who has a piece of evidence in common with other students."""
    holders: dict[str, set[str]] = {}
    for student, theirs in marks.items():
        for mark in theirs:
            holders.setdefault(mark, set()).add(student)
    for student, theirs in marks.items():
        if others := sorted({other for mark in theirs for other in holders[mark]} - {student}):
            shown = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
            flags[student].append(sentence.format(shown))


def _answer_text(attempt: Attempt) -> list[str]:
    """Return a digest of all answer cells of a notebook, if the cells have enough content; otherwise an empty list."""
    cells = readable_cells(attempt.submission.content)
    answers = [cell.source.strip() for cell in cells if cell.is_code and cell.grade_id.startswith("answer_")]
    filled = [text for text in answers if text and not text.endswith(STUB) and text != "# your answer"]
    whole = "\n".join(answers)
    return [sha256(whole.encode("utf-8", "replace")).hexdigest()] if len(filled) > 1 and len(whole) > 5 * MIN_TEXT_LENGTH else []


def _texts(attempt: Attempt) -> list[str]:
    texts = (" ".join(text.casefold().split()) for text in attempt.marked.reflections.values())
    return [text for text in texts if len(text) >= MIN_TEXT_LENGTH and text != REFLECTION.casefold()]


def _wrong_numbers(attempts: Mapping[str, Attempt]) -> dict[str, list[str]]:
    """Return wrong numbers without a known cause, by student; two students with different data do not share such numbers by chance.

    Mistakes with a name, and their consequences, are left out, since everybody who makes such a mistake may get the same number.  Also
    left out are students for whom the number is right.
    """
    wrong = {}
    for student, attempt in attempts.items():
        unknown = (mark for mark in attempt.marked.questions if mark.kind == "value" and mark.verdict == "unknown")
        wrong[student] = [f"{mark.key} {mark.answer}" for mark in unknown if _is_specific(mark.answer)]
    shared = Counter(mark for theirs in wrong.values() for mark in theirs)
    most = max(COMMON_SHARE[0], COMMON_SHARE[1] * len(attempts))
    return {student: [mark for mark in theirs if shared[mark] <= most] for student, theirs in wrong.items()}


def _is_specific(answer: str) -> bool:
    """Return whether a value contains a decimal number with so many digits that two students do not have it by chance."""
    numbers = re.findall(r"-?(?<!\d)\d++\.\d++(?:e[-+]?\d++)?", answer)
    return any(len(re.sub(r"e.*|\D", "", number).strip("0")) >= SPECIFIC_DIGITS for number in numbers)


# -- right for another student ------------------------------------------------------------------------------------------------
def discount_copies(marks: Mapping[Key, SubmissionMark], tokens: Mapping[str, str]) -> dict[Key, SubmissionMark]:
    """Return the marks of one exercise; copied numbers earn nothing and are flagged.

    An answer that is right given an earlier mistake earns its points.  A student who copies another's numbers would therefore lose only the
    first line.  This function compares wrong numbers with the right numbers of all other students.

    Parameters
    ----------
    marks : mapping
        Marks of the notebooks, by any key that identifies a notebook.
    tokens : mapping
        The tokens of the exercise, by student.
    """
    suspicious = {key: wrong for key, marked in marks.items() if len(wrong := dict(wrong_values(marked))) >= AT_LEAST}
    if not suspicious:
        return dict(marks)
    name = next(iter(marks.values())).exercise
    tasks: dict[str, Task] = {}
    right: dict[tuple[str, str], list[str]] = {}
    for student, token in tokens.items():
        what, find = f"The right answers of {student}, where copies are looked for,", partial(_right_shapes, name, token)
        if rights := run_or_default(what, find, dict[str, str]()):
            tasks[token] = exercise_task(name, token)
        for place, digits in rights.items():
            right.setdefault((place, digits), []).append(token)
    discounted = dict(marks)
    for key, wrong in suspicious.items():
        discount = partial(_discount_copies, marks[key], wrong, right, tasks)
        discounted[key] = run_or_default(f"The search for copies in {getattr(key, 'path', key)}", discount, marks[key])
    return discounted


def _right_shapes(exercise: str, token: str) -> dict[str, str]:
    """Return, by question, the right numbers for a student's data as keys that are rounded to three digits."""
    task = exercise_task(exercise, token)
    asked = [question.key for question in task.exercise.questions if isinstance(question, Question)]
    return {key: digits for key in asked if (digits := rounded_key(expected_value(task, key)))}


def _discount_copies(
    marked: SubmissionMark, wrong: Mapping[str, Any], right: Mapping[tuple[str, str], Sequence[str]], tasks: Mapping[str, Task]
) -> SubmissionMark:
    """Return a mark without points for wrong numbers that are right for other students."""
    seen = Counter(token for place, value in wrong.items() for token in right.get((place, rounded_key(value)), ()) if token != marked.token)
    answers = {mark.key: DeliveredAnswer(wrong.get(mark.key, ...)) for mark in marked.questions}
    others = [tasks[token] for token, count in seen.most_common(MAX_NAMED) if count > 1]
    own = exercise_task(marked.exercise, marked.token)
    questions, flag = flag_foreign_values(marked.questions, SandboxOutput(answers), own, others, len(tasks))
    return replace(marked, questions=questions, flags=(*marked.flags, flag)) if flag else marked


def flag_foreign_values(
    questions: tuple[QuestionMark, ...], delivery: SandboxOutput, own: Task, others: Sequence[Task], among: int = 1
) -> tuple[tuple[QuestionMark, ...], str]:
    """Return the marks and a flag: numbers that are right for other data count as copied, not as consequences of an earlier mistake.

    Without this check, only the first line of a copied notebook would be wrong, since each number follows from the number before.  Numbers
    that come from the student's own data by named mistakes are no copies, and neither are numbers that may agree by chance, such as counts.

    Parameters
    ----------
    questions, delivery
        The marks, and the output of the run.
    own, others : Task
        The student's data, and the data to compare with.
    among : int
        The number of data sets from which `others` were chosen.
    """
    values = {mark.key: delivery.answers[mark.key].value for mark in unexplained_answers(questions) if mark.key in delivery.answers}
    for other in others if len(values) >= AT_LEAST else ():
        copied = [key for key, value in values.items() if _is_right(other, key, value)]
        if len(copied) < max(AT_LEAST, len(values) / 2):
            continue
        chance, _ = coincidence_probability({key: None for key in copied if rounded_key(values[key])}, values, own, other)
        if chance * max(among, len(others)) <= CHANCE_LIMIT:
            taken = partial(replace, verdict="unknown", lines=(COPIED,), mistake="", computed=False, chained=False, line=None)
            marks = (taken(mark) if mark.key in copied else mark for mark in questions)
            whose = f"the data {other.token}" if other.token else "the data of the course"
            return tuple(marks), f"{len(copied)} answers that are wrong here are right for {whose}: copied?"
    return questions, ""


def _is_right(task: Task, key: str, value: Any) -> bool:
    """Return whether a value is right for the data of a task."""
    question = task.exercise.question(key)
    assert isinstance(question, Question)
    test = task.test_of(question)
    right = getattr(test, question.step)
    try:
        return is_equal(parse_answer(value, right, task.exercise.asked(question)), right, question.simulation_tolerance(test))
    except (Unanswered, Unreadable):
        return False
