"""Wrong lines of code: the right lines of all solutions, each with one systematic slip, and the slip that was made.

`python tests/teaching/wrong_lines.py` prints how many of them get a specific reply without and with their line, and how many replies are
false.
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import numpy as np

from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.answers.answer_value import is_equal
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.student_lines import line_parts, line_reading, line_values
from fstats.teaching.grading.student_lines.code_history import StudentLine, line_in_cells
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback

SOLUTIONS = Path(__file__).parents[2] / "solutions"
MOST = 12  # slips of one line
OTHER_STEP = "Your answer is the value of "
SIZES = ("Your count is too ", "Your answer is ", "Your answer lies ", "Your answer must be", "The sign of", "The question asks")


class WrongLine(NamedTuple):
    """A wrong line: the exercise with all earlier answers right, the question, the slip, the code, its value, and where the code stands."""

    task: Task
    key: str
    slip: str
    code: str
    value: Any
    line: StudentLine | None
    right: str


def slips(tree: ast.AST) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Every slip of one part of a line: its name, the part, and what was written for it."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(attr="sqrt") | ast.Name("sqrt"), [inner]):
                yield "root dropped", node, inner
            case ast.Call(ast.Name("abs"), [inner]):
                yield "size dropped", node, inner
            case ast.Call(function, arguments, keywords) if any(one.arg == "ddof" for one in keywords):
                yield "ddof", node, ast.Call(function, arguments, [one for one in keywords if one.arg != "ddof"])
            case ast.Call(ast.Attribute(law, "sf" | "cdf" | "ppf" | "isf" as tail), arguments):
                other = {"sf": "cdf", "cdf": "sf", "ppf": "isf", "isf": "ppf"}[tail]
                yield "wrong tail", node, ast.Call(ast.Attribute(law, other), arguments, [])
            case ast.Call(ast.Attribute(value, "sum" | "mean" as name), arguments, keywords):
                yield "sum and mean", node, ast.Call(ast.Attribute(value, "mean" if name == "sum" else "sum"), arguments, keywords)
            case ast.Call(ast.Name("min" | "max" as name), arguments):
                yield "min and max", node, ast.Call(ast.Name("max" if name == "min" else "min"), arguments, [])
            case ast.BinOp(left, ast.Sub(), ast.Constant(1)):
                yield "n for n - 1", node, left
            case ast.BinOp(left, ast.Pow(), ast.Constant(2)):
                yield "square dropped", node, left
            case ast.BinOp(ast.Constant(2), ast.Mult(), right):
                yield "factor 2 dropped", node, right
        match node:
            case ast.BinOp(left, ast.Div(), right):
                yield "fraction upside down", node, ast.BinOp(right, ast.Div(), left)
                yield "times for divided", node, ast.BinOp(left, ast.Mult(), right)
                yield "divisor forgotten", node, left
            case ast.BinOp(left, ast.Mult(), right):
                yield "divided for times", node, ast.BinOp(left, ast.Div(), right)
                yield "factor forgotten", node, left
            case ast.BinOp(left, ast.Sub(), right):
                yield "plus for minus", node, ast.BinOp(left, ast.Add(), right)
                yield "other way round", node, ast.BinOp(right, ast.Sub(), left)
                yield "subtraction forgotten", node, left
            case ast.BinOp(left, ast.Add(), right):
                yield "minus for plus", node, ast.BinOp(left, ast.Sub(), right)
                yield "term forgotten", node, left
            case ast.Compare(left, [sign], [right]):
                other = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
                yield "comparison", node, ast.Compare(left, [other[type(sign)]()], [right])
            case ast.Name("a" | "n01" | "n10" | "b" | "w_plus" | "w_minus" | "mean" | "sd" | "n" | "k" | "N" as name, ast.Load()):
                other = {"a": "b", "b": "a", "n01": "n10", "n10": "n01", "w_plus": "w_minus", "w_minus": "w_plus"}
                other |= {"mean": "sd", "sd": "mean", "n": "sd", "k": "N", "N": "k"}
                yield "wrong name", node, ast.Name(other[name])
            case ast.Constant(float() as level):
                yield "wrong level", node, ast.Constant(2 * level)


class _Replaced(ast.NodeTransformer):
    def __init__(self, part: ast.AST, other: ast.AST) -> None:
        self.part, self.other = part, other

    def visit(self, node: ast.AST) -> ast.AST:
        return self.other if node is self.part else self.generic_visit(node)


def solution_cells(name: str) -> list[str]:
    """The code cells of the solution of an exercise."""
    (file,) = SOLUTIONS.glob(f"[0-9][0-9]_{name}.ipynb")
    cells = nbformat.read(file, 4).cells
    return ["\n".join(line for line in cell.source.splitlines() if "###" not in line) for cell in cells if cell.cell_type == "code"]


def _run(source: str, names: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(source, names)


def as_it_is(task: Task) -> Task:
    """The same exercise with the answers so far, of its own."""
    other = copy(task)
    other._answers, other._replies, other._practice = dict(task._answers), dict(task._replies), deepcopy(task._practice)
    return other


def wrong_lines(name: str, kind: str = "one slip") -> Iterator[WrongLine]:
    """Every slip in the last line of each answer to an exercise."""
    names: dict[str, Any] = {}
    done: list[str] = []
    cells = solution_cells(name)
    for cell, following in zip(cells, [*cells[1:], ""], strict=True):
        match [*ast.parse(following).body]:
            case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(str(key)), ast.Name(answer)]))]:
                yield from _of_cell(cell, following, key, answer, done, names, kind)
        with contextlib.suppress(Exception):  # pictures and studies that need more than the cells
            _run(cell, names)
        done.append(cell)


def _wrong_trees(cell: str, place: int, kind: str) -> Iterator[tuple[str, list[Any]]]:
    """Every slip in a statement of a cell, each with all statements; a line may also have two slips, or be cut into two lines."""
    for number in range(1000):
        tree: list[Any] = ast.parse(cell).body
        found = next((one for k, one in enumerate(slips(tree[place].value)) if k == number), None)
        if found is None:
            return
        slip, part, other = found
        value = tree[place].value = _Replaced(part, other).visit(tree[place].value)
        if kind == "two slips":
            more = [one for one in slips(value) if not any(node is one[1] for node in ast.walk(other))]
            if not more:
                continue
            second, part, other = more[number % len(more)]
            slip, tree[place].value = f"{slip}, {second}", _Replaced(part, other).visit(value)
        elif kind == "two lines":
            inner = next((node for node in ast.walk(value) if isinstance(node, ast.BinOp) and node is not value), None)
            if inner is None:
                continue
            tree[place].value = _Replaced(inner, ast.Name("part_of_it")).visit(value)
            tree.insert(place, ast.Assign([ast.Name("part_of_it", ast.Store())], inner))
        yield slip, tree


def _of_cell(cell: str, following: str, key: str, answer: str, done: list[str], names: dict[str, Any], kind: str) -> Iterator[WrongLine]:
    task = names["task"]
    question = task.exercise.question(key)
    statements = ast.parse(cell).body
    lines = [place for place, one in enumerate(statements) if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == answer]
    if not isinstance(question, Question) or not lines:
        return
    after, place, right = len(statements) - 1 - lines[-1], lines[-1], getattr(task.test_of(question), question.step)
    count, known = 0, set[str]()
    for slip, tree in _wrong_trees(cell, place, kind):
        if count == MOST:
            return
        code, own = "\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in tree), dict(names)
        try:
            _run(code, own)
            reply = as_it_is(task).reply_to(key, own[answer])
            if reply.verdict not in ("mistake", "unknown") or code in known or is_equal(np.asarray(own[answer]), right):
                continue
        except Exception:  # the slip raises an error, which Python tells
            continue
        count += 1
        known.add(code)
        line = line_in_cells([*done, code, following], key, own)
        yield WrongLine(as_it_is(task), key, slip, ast.unparse(tree[-1 - after]), own[answer], line, ast.unparse(statements[place].value))  # type: ignore[attr-defined]


def is_specific(reply: Feedback) -> bool:
    """Whether a reply says more than what is asked, or in which direction the number is wrong."""
    return reply.verdict == "mistake" or not reply.lines[0].startswith(SIZES) or reply.lines[0].startswith(OTHER_STEP)


def reading_of(wrong: WrongLine) -> tuple[line_reading.LineReader | None, line_reading.LineReading | None]:
    """What the line says, with its reader."""
    task = as_it_is(wrong.task)
    task.reply_to(wrong.key, wrong.value)
    diagnosis = task.diagnosis(wrong.key)
    if wrong.line is None:
        return None, None
    reader = line_reading.LineReader(diagnosis, wrong.line, diagnosis.earlier, [diagnosis.right, *diagnosis.carried_values])
    return reader, reader.reading()


def is_false(reader: line_reading.LineReader, reading: line_reading.LineReading) -> bool:
    """Whether a changed part does not make the line right on data on which it was not tried."""
    if reading.edit is None:
        return False
    reader.budget.units, reader.budget.end = 10**7, float("inf")
    reader.worlds = []
    exercise, test = reader.context.exercise, type(reader.context.test)
    for number in range(100, 115):
        data = line_parts.arrays(exercise.draw(np.random.default_rng(number)))
        other = start_test(test, data)
        if not reader.is_similar(other):
            continue
        world = reader._world(other, data, {})
        definitions = (one for known in reader.history.definitions.values() for one in known)
        world.aliases = {id(one): getattr(other, step) for one in definitions if (step := reader.steps_of_names.get(id(one)))}
        changed = [edit for edit in (reading.edit, reading.second) if edit is not None]
        value = reader.edited(world, *changed)
        if value is not None and not line_values.agrees(value, getattr(other, reader.context.question.step)):
            return True
    return False


KINDS = ("one slip", "two slips", "two lines")


def main(names: list[str], kind: str) -> None:
    """Print the shares."""
    counted: Counter[str] = Counter()
    seconds = []
    for name in names:
        for wrong in wrong_lines(name, kind):
            before = as_it_is(wrong.task).reply_to(wrong.key, wrong.value)
            task, start = as_it_is(wrong.task), time.process_time()
            after = task.reply_to(wrong.key, wrong.value, wrong.line)
            seconds.append(time.process_time() - start)
            reader, reading = reading_of(wrong)
            false = reader is not None and reading is not None and is_false(reader, reading)
            counted.update(["lines", "named before"] if before.verdict == "mistake" else ["lines"])
            counted["specific before"] += is_specific(before)
            counted["specific after"] += is_specific(after)
            counted["part marked"] += reading is not None and reading.edit is not None
            counted["unnamed"] += before.verdict != "mistake"
            counted["unnamed, part marked"] += before.verdict != "mistake" and reading is not None and reading.edit is not None
            counted["false"] += false
            if false or "-v" in sys.argv:
                print(name, wrong.key, wrong.slip, wrong.code, *after.lines[:3], sep=" | ")
    print(*(f"{what:25}{number:6}" for what, number in counted.items()), sep="\n")
    print(
        "seconds: median", round(float(np.median(seconds)), 3), "90 %", round(float(np.quantile(seconds, 0.9)), 3), "largest", max(seconds)
    )


if __name__ == "__main__":
    for kind in KINDS:
        print(kind)
        main([one for one in sys.argv[1:] if one != "-v"] or list(exercise_names()), kind)
