"""A named mistake is made three times: no reply blames what was right, and no later reply says something else than the first."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest

from fstats import exercise
from fstats.core.procedure import Procedure
from fstats.procedures.formula import VerbalFormulaError
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.exercise import is_verdict
from fstats.teaching.grading.hints.numpy_expression import NotExpressible
from fstats.teaching.grading.hints.python_call import calculation_tree
from fstats.teaching.grading.mistakes.mistake import Mistake
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.grading.verdicts.marked_line import MarkedLine

START, ANSWER = "import numpy as np\nfrom scipy import stats", "answer = "
# of an input that is given or was answered rightly, and of the calculation itself
BLAMED = (r" comes? out if .* instead of ", r"does not follow from", r"another calculation than this mistake", r"spent on an estimate")


class Made(NamedTuple):
    """A mistake made three times after right answers to all earlier questions, the replies, and the line of it beside the right one."""

    question: Question
    mistake: Mistake
    replies: list[Feedback]
    right: str = ""


def written(test: Procedure, step: str) -> str:
    """The calculation of a step in numpy; empty if its formula is in words."""
    with suppress(NotExpressible, VerbalFormulaError):
        return ast.unparse(calculation_tree(test, step))
    return ""


def cells(task: Task, test: Procedure, step: str) -> Iterator[str]:
    """The lines that define the quantities in the formula of a step, from the data of the exercise."""
    for name in dict.fromkeys(test.steps[step].slots):
        code = written(test, name) if name in test.steps else ""
        if name in task.data:
            yield f"{name} = task.data[{name!r}]"
        elif code:
            yield from cells(task, test, name)
            yield f"{name} = {code}"


def made(name: str) -> Iterator[Made]:
    """Each mistake as a number and, if it is made at the step of the question and its formula can be typed, as a line."""
    task = exercise(name)
    for question in (one for one in task.exercise.questions if isinstance(one, Question)):
        test = task.test_of(question)
        for mistake in task.exercise.mistakes_at(question):
            wrong = task.test_with_mistake(mistake)
            if not is_verdict(value := getattr(wrong, question.step)):
                tried = before(task)
                yield Made(question, mistake, [tried.reply_to(question.key, value) for _ in range(3)])
            code = written(wrong, question.step) if mistake.step == question.step else ""
            source = [START, *dict.fromkeys(cells(task, wrong, question.step)), ANSWER + code]
            names: dict[str, Any] = {"task": task}
            with suppress(NameError, TypeError, IndexError), np.errstate(all="ignore"):  # an input of another test is not defined
                exec("\n".join(source) if code else "answer", names)
                line = line_in_cells([f"task = exercise({name!r})", *source, f"check({question.key!r}, answer)"], question.key, names)
                tried, right = before(task), written(test, question.step)
                yield Made(question, mistake, [tried.reply_to(question.key, names["answer"], line) for _ in range(3)], right)
        task.check(question.key, getattr(test, question.step))


def before(task: Task) -> Task:
    """A task with the answers that were given so far."""
    tried = task.fresh()
    tried._answers, tried._replies = dict(task._answers), dict(task._replies)
    return tried


def operations(code: str) -> set[str]:
    """The operations in a line, as text."""
    return {ast.unparse(node) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.BinOp)}


def blamed_operation(marked: MarkedLine, right: str) -> str:
    """The smallest operation whose sign or side is marked, if the right line has it, too."""
    around = [
        node
        for node in ast.walk(ast.parse(marked.code))
        if isinstance(node, ast.BinOp) and node.col_offset <= marked.start and marked.stop <= int(node.end_col_offset or 0)
    ]
    inner = min(around, key=lambda node: len(ast.unparse(node)), default=None)
    is_part = inner is not None and marked.code[marked.start : marked.stop] != ast.get_source_segment(marked.code, inner)
    return ast.unparse(inner) if inner is not None and is_part and ast.unparse(inner) in operations(right) else ""


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_no_reply_to_a_named_mistake_contradicts_another(name: str) -> None:
    """Named for certain, later replies name the same; a possible mistake stands beside nothing that blames a right number or part."""
    seen = 0
    for question, mistake, replies, right in made(name):
        where, first = (question.key, mistake.name, right), replies[0]
        assert len({reply.title for reply in replies}) == 1, where
        for reply in replies:
            said = "\n".join(map(str, reply.lines))
            if reply.mistake or "the mistake '" in said:
                assert not any(re.search(blame, said) for blame in BLAMED), (where, said)
                assert {*first.lines} <= {*reply.lines} or not reply.mistake, (where, first.lines, reply.lines)
                seen += 1
            marked = [line for line in reply.lines if isinstance(line, MarkedLine) and reply.mistake and right]
            assert not [found for line in marked if (found := blamed_operation(line, right))], (where, marked)
    assert seen > 15
