"""Audit of the mark of a submission."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path

from ....core.mathematics_in_names import plain_formulas
from ...course.catalogue import load_exercise_definition
from ...grading.question import Function
from ...grading.student_lines.code_history import line_in_cells
from ...grading.student_lines.evaluation_limits import NotRead
from ...grading.task import Task
from ...grading.verdicts.feedback import VERDICT_DISPLAY, verdict_symbol
from ...grading.verdicts.function_verdict import evaluate_on_cases
from ...grading.verdicts.marked_line import MarkedLine
from ..grading_run import data_tokens, mark_notebook_alone
from ..marks.mark_archive import GRADED, STORE, MarkArchive, grades_from_json
from ..marks.student_grade import Attempt, StudentGrade
from ..marks.submission_mark import QuestionMark, SubmissionMark
from ..plagiarism.plagiarism_flags import COPIED
from ..submissions.submission_cells import readable_cells
from ..untrusted_text import one_line, strip_control_characters
from .feedback_pages import QUOTED_VERDICTS, html_page, line_html, plain_text, reply_line, summary, verdict_title

WHY = "Why this mark: "  # first words of the title of an audit page
COMPUTED = {True: "computed from the data, as a run on other data shows", False: "typed in: a run on other data delivers the same value"}


def audit_text(out: Path, student: str, exercise: str = "", question: str = "") -> str:
    """Return the evidence for a student's marks, as text.

    Parameters
    ----------
    out : Path
        The output folder of :func:`fstats.teaching.marking.grading_run.grade_class`.
    student, exercise, question : str
        The student, the exercise and the question; an empty exercise or question selects all.

    Raises
    ------
    ValueError, LookupError
        If the folder has no marks, or lacks the student, exercise or question.
    """
    texts = ("\n".join(_evidence(one, out, question)) for one in _rows_of(out, student, exercise))
    return strip_control_characters("\n\n".join(texts) + "\n")


def _rows_of(out: Path, student: str, exercise: str) -> list[StudentGrade]:
    every = grades_from_json(out / GRADED)
    rows = [one for one in every if student in (one.student.id, one.student.email)]
    if not rows:
        raise LookupError(
            f"there is no student {student!r} in {out}; the students are {', '.join(dict.fromkeys(one.student.id for one in every))}"
        )
    if exercise:
        names = ", ".join(one.exercise for one in rows)
        rows = [one for one in rows if one.exercise == exercise]
        if not rows:
            raise LookupError(f"there is no exercise {exercise!r} in {out}; the exercises are {names}")
    return rows


def _evidence(one: StudentGrade, out: Path, question: str) -> Iterator[str]:
    name = f" ({one.student.name})" if one.student.name else ""
    yield f"{one.exercise} of {one.student.id}{name}"
    if one.attempt is None:
        yield f"  {one_line(one.problem) or 'Nothing was handed in.'}"
        return
    marks = [mark for mark in one.marks if question in ("", mark.key)]
    if not marks:
        raise LookupError(f"`question` must be one of {', '.join(one.questions)} in {one.exercise}; got {question!r}")
    task = Task(load_exercise_definition(one.exercise), one.attempt.marked.token)
    yield from _run_evidence(one, one.attempt, out)
    for mark in marks:
        yield from _question_evidence(one, mark, task)
    if not question:
        yield from _points_evidence(one)


def _run_evidence(one: StudentGrade, attempt: Attempt, out: Path | None) -> Iterator[str]:
    """Describe the file and its run; without `out` (for students), leave out the folder and the flags."""
    handed_in, marked = attempt.submission, attempt.marked
    moment = handed_in.handed_in
    yield f"  file       {one_line(handed_in.path)}" + (f", which counts of {one.attempts}" if one.attempts > 1 else "")
    yield f"  handed in  {moment.isoformat(' ', 'minutes') + ', by ' + handed_in.known_by if moment else 'unknown'}"
    yield f"  data       token {marked.token}, from the register and the secret"
    yield f"  isolation  {marked.isolation or 'nothing had to be run'}"
    if out is not None:
        yield f"  stored in  {out / STORE / one.exercise / one.student.id}"
    flags = one.flags if out is not None else ()
    for head, texts in (("ended", filter(None, [marked.ended])), ("error", marked.problems), ("look at", flags)):
        yield from (f"  {head:10} {one_line(text)}" for text in texts)


def _question_evidence(one: StudentGrade, mark: QuestionMark, task: Task) -> Iterator[str]:
    """Describe the delivered value, the right value and the points of a question."""
    share, why = one.policy.share(mark)
    yield f"\n  {mark.key}  {VERDICT_DISPLAY[mark.verdict][0]} {verdict_title(mark)}"
    yield f"      delivered  {one_line(mark.answer) or 'nothing'}"
    yield f"      right is   {task.answer(mark.key)}"
    if formula := task.formula(mark.key):
        yield f"      formula    {formula}"
    if mark.computed is not None:
        yield f"      how        {COMPUTED[mark.computed]}"
    own = mark.line.text if mark.line else ()
    yield from (f"      {'' if number else 'line':10} {text}" for number, text in enumerate(own))
    yield from (f"      reply      {one_line(plain_formulas(text))}" for text in mark.lines)
    yield f"      points     {mark.of:g} x {share:g} = {one.questions[mark.key]:g}  ({why})"


def _points_evidence(one: StudentGrade) -> Iterator[str]:
    """Describe how the points of the questions add up to the points of the exercise."""
    parts = [f"{points:g}" for points in one.questions.values()]
    parts += [f"{text.points or 0:g} by hand" for text in one.texts] if one.counted else []
    yield f"\n  points     {' + '.join(parts)} = {one.earned:g} of {one.of:g}"
    if one.late[1]:
        yield f"  late       {one.late[1]}: {one.earned:g} x (1 - {one.late[0]:g} / 100) = {one.points:g}"
    if one.unmarked_texts:
        yield f"  waiting    {one.unmarked_texts} free-text answers have no points yet"


# -- a page, after another run -------------------------------------------------------------------------------------------------------
def audit_page(out: Path, student: str, exercise: str, secret: str, notebook: Path, *, wall: str = "strongest") -> tuple[str, str]:
    """Run the notebook again, and return the evidence for one mark as a page, and the result of the run in a sentence.

    Parameters
    ----------
    out, student, exercise
        The arguments of :func:`audit_text`.
    secret : str
        The secret of the course; the data of both runs, and the data on which functions are tried, depend on it.
    notebook : Path
        The original exercise.
    wall : str
        The choice of the sandbox: a key of :data:`fstats.teaching.marking.sandbox.sandbox_choice.SANDBOX_CHOICES`.

    Raises
    ------
    LookupError, ValueError
        As in :func:`audit_text`; also if the student has no submission, the secret is not the one used for grading, or the notebook is
        missing.
    """
    (one,) = _rows_of(out, student, exercise)
    if one.attempt is None or one.marked is None:
        raise LookupError(f"the exercise {exercise} of {student} has no mark: {one.problem or 'nothing was handed in'}")
    handed_in, content = one.attempt.submission, MarkArchive(out).notebook(one.attempt.submission)
    own, other, seed = data_tokens(one.student.id, exercise, secret, handed_in.digest)
    if own != one.marked.token:
        raise ValueError(
            f"the data of {one.student.id} with the given secret must be the data of the mark; got other data. Give the secret that was "
            "used for grading."
        )
    again = mark_notebook_alone(exercise, own, other, seed, json.loads(notebook.read_text(encoding="utf-8")), content, wall)
    result = again if isinstance(again, str) else _rerun_comparison(one.marked, again)
    task = Task(load_exercise_definition(exercise), own)
    cells = readable_cells(content)
    rules, marked_lines = _rules_html(task.fresh(), one.marked, [cell.source for cell in cells])
    parts = [f"<p><strong>{escape(summary(one))}</strong></p>", f"<p>{escape(result)}</p>"]
    parts.append(f"<pre>{escape(chr(10).join(_run_evidence(one, one.attempt, None)))}</pre>")
    for mark in one.marks:
        sources = [cell.source for cell in cells if re.fullmatch(rf"answer_{mark.key}(_\d+)?", cell.grade_id)]
        parts.append(_section(one, mark, task, sources, rules.get(mark.key, ""), marked_lines.get(mark.key, "")))
    parts.append(f"<h2>The sum</h2><pre>{escape(chr(10).join(_points_evidence(one)))}</pre>")
    return html_page(f"{WHY}{exercise.replace('_', ' ')}, {one.student.name or one.student.id}", "".join(parts)), result


def _rerun_comparison(before: SubmissionMark, again: SubmissionMark) -> str:
    """Return a sentence that compares a second run with the mark."""
    where = f"The notebook was run again ({again.isolation or 'nothing had to be run'})"
    changed = [
        one.key
        for one, new in zip(before.questions, again.questions, strict=True)
        if (one.answer, one.verdict, one.chained) != (new.answer, new.verdict, new.chained)
    ]
    copied = [one.key for one in before.questions if one.key in changed and one.lines[:1] == (COPIED,)]
    others = [key for key in changed if key not in copied]
    if others:
        return f"{where}, and {', '.join(others)} came out differently: look at the notebook, and grade again with --again."
    rest = f" But {', '.join(copied)}: the numbers are another student's, according to the comparison with the class." if copied else ""
    return f"{where}: every value and every verdict is the same.{rest}"


def _rules_html(task: Task, marked: SubmissionMark, sources: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return, as HTML, the rules that the judge applied to each answer, and the line of the answer with its wrong part marked.

    Shortened values have neither.  A function has no rules; its lines are evaluated on the data of the check in the student's notebook.
    """
    rules, marked_lines = {}, {}
    for mark in marked.questions:
        with suppress(ValueError, LookupError, NotRead):  # a value that was shortened for display cannot be parsed
            line, question = line_in_cells(sources, mark.key), task.exercise.question(mark.key)
            answer = evaluate_on_cases(line, task.unseen(question)) if isinstance(question, Function) else json.loads(mark.answer)
            reply = task.reply_to(mark.key, answer, line)
            if reply.verdict == mark.verdict:
                if not isinstance(question, Function):
                    rules[mark.key] = task.why(mark.key)._repr_html_()
                marked_lines[mark.key] = "".join(f"<p>{line.html()}</p>" for line in reply.lines if isinstance(line, MarkedLine))
    return rules, marked_lines


def _section(one: StudentGrade, mark: QuestionMark, task: Task, sources: Sequence[str], rules: str, marked_line: str) -> str:
    """Return the evidence on a question: source, delivered value, right value, verdict and points, each with its reason."""
    share, why = one.policy.share(mark)
    formula = task.formula(mark.key)
    how = f"<p>{COMPUTED[mark.computed]}.</p>" if mark.computed is not None else ""
    replies = "".join(f"<p>{reply_line(text, mark.verdict not in QUOTED_VERDICTS)}</p>" for text in mark.lines)
    asked = f"<details><summary>The rules in their order</summary>{rules}</details>" if rules else ""
    parts = {
        "Value": (plain_text(mark.answer) if mark.answer else "<p>Nothing was delivered.</p>") + how,
        "From": "".join(f"<pre>{escape(source)}</pre>" for source in sources)
        or "<p>No cell has the name of this answer: its code is elsewhere in the notebook.</p>",
        **({"Wrong part": shown} if (shown := "".join(line_html(mark)) or marked_line) else {}),
        "Right value": f"<p>{escape(task.answer(mark.key))}</p>" + (f"<p>{reply_line(f'${formula}$', ours=True)}</p>" if formula else ""),
        "Verdict": f"<p>{verdict_symbol(mark.verdict)} {escape(verdict_title(mark))}</p>{replies}{asked}",
        "Points": f"<p>{mark.of:g} × {share:g} = {one.questions[mark.key]:g}: {escape(why)}.</p>",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{html}</dd>" for name, html in parts.items())
    return f'<section style="border-color:{VERDICT_DISPLAY[mark.verdict][2]}"><h2>{escape(mark.key)}</h2><dl>{rows}</dl></section>'
