"""Replies read the student's own line: where it stands, which part is wrong, what it never does."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np
import pytest
from hostile_code import TOUCHED, Liar
from IPython.core.interactiveshell import InteractiveShell
from wrong_lines import as_it_is, is_false, reading_of, wrong_lines

import fstats
from fstats.core.number_format import format_plain
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.grading.verdicts.marked_line import MarkedLine

START = """
import math, statistics
import numpy as np
from scipy import stats
from fstats import exercise
task = exercise("paired_t_by_hand")
check = task.check
a, b = task.data["a"], task.data["b"]
d = a - b
check("q1", d)
m = d.sum() / len(d)
check("q2", m)
n = len(d)
"""


def reply(key: str, *cells: str, before: str = START) -> Feedback:
    """The reply to the last check of some cells, with their history."""
    names: dict[str, Any] = {}
    for cell in (before, *cells):
        exec(cell, names)
    answer = names.get(cells[-1].partition(" =")[0], names.get("answer"))
    name = next(name for name, value in names.items() if value is answer and name in cells[-1])
    line = line_in_cells([before, *cells, f'check("{key}", {name})'], key, names)
    return names["task"].reply_to(key, answer, line)  # type: ignore[no-any-return]


def marked(said: Feedback) -> str:
    """The marked part of the line that a reply shows; empty if it shows none."""
    return next((line.code[line.start : line.stop] for line in said.lines if isinstance(line, MarkedLine)), "")


@pytest.mark.parametrize(
    ("key", "line", "part"),
    [
        ("q3", "sd = np.sqrt(((d - m) ** 2).sum() / n)", "n"),
        ("q3", "sd = np.sqrt(((d + m) ** 2).sum() / (n - 1))", "+"),
        ("q3", "sd = d.std()", "d.std()"),
        ("q3", "sd = math.sqrt(sum((x + m) ** 2 for x in d) / (n - 1))", "+"),
        ("q3", "sd = statistics.pstdev(d.tolist())", "statistics.pstdev"),
        ("q6", "df = n - 2", "2"),
        ("q7", "c = stats.t.ppf(1 - 0.05, n - 1)", "0.05"),
        ("q8", "p = 2 * stats.norm.sf(abs(d.mean() / (d.std(ddof=1) / n**0.5)))", "stats.norm.sf"),
    ],
)
def test_the_wrong_part_is_marked(key: str, line: str, part: str) -> None:
    """The smallest part that, changed alone, makes the line right."""
    assert part in marked(reply(key, line))


def test_a_part_that_is_a_mistake_of_an_earlier_step_is_named() -> None:
    """The standard deviation with n inside the line of the standard error."""
    names: dict[str, Any] = {}
    exec(START, names)
    cells, task = [START], names["task"]
    for line in ("se = 7 * d.std(ddof=1)", "se = d.std() * np.sqrt(n) / n"):
        exec(line, names)
        cells += [line, 'check("q4", se)']
        said = task.reply_to("q4", names["se"], line_in_cells(cells, "q4", names))
    assert marked(said) == "d.std()"
    diagnosis = task._diagnose(task.exercise.question("q4"), names["se"], 2, line_in_cells(cells, "q4", names))
    assert "The marked part has the value of a known mistake. You divided the sum of squares by n." in diagnosis.line_remarks


def test_the_line_stands_below_its_names() -> None:
    """A wrong line further up is found through names, loops that append, and small functions."""
    assert marked(reply("q3", "x = d + m", "sd = np.sqrt((x ** 2).sum() / (n - 1))")) == "+"
    assert marked(reply("q3", "squares = []\nfor x in d:\n    squares.append((x + m) ** 2)", "sd = np.sqrt(sum(squares) / (n - 1))")) == "+"
    function = "def spread(x, size):\n    middle = sum(x) / len(x)\n    return math.sqrt(sum((y - middle) ** 2 for y in x) / size)"
    assert marked(reply("q3", function, "sd = spread(d, n)")) == "n"


def test_a_reply_grows_from_where_to_what_to_words() -> None:
    """First the mark, then the kind of slip, then what the parts are."""
    names: dict[str, Any] = {}
    exec(START, names)
    cells, said = [START], []
    for line in ("sd = d.std() * 7", "sd = np.sqrt(((d - m) ** 2).sum() * (n - 1))", "sd = np.sqrt(((d + m) ** 2).sum() / (n - 1))"):
        exec(line, names)
        cells += [line, 'check("q3", sd)']
        said.append(names["task"].reply_to("q3", names["sd"], line_in_cells(cells, "q3", names)))
    assert "add, subtract, multiply or divide" not in repr(said[0])
    assert "add, subtract, multiply or divide" in repr(said[1])
    assert "`m` (mean difference)" in repr(said[2])


def test_a_name_that_is_out_of_date_is_told() -> None:
    """The line was run before its input changed."""
    said = reply("q4", "sd = d.std()", "se = sd / np.sqrt(n)", "sd = d.std(ddof=1)", "answer = se")
    assert "`se` was computed before `sd` changed" in repr(said)


def test_a_line_that_does_not_give_the_answer_is_not_read() -> None:
    """Nothing is said of code that cannot have made the number, or that is not pure."""
    before = [repr(fstats.exercise("paired_t_by_hand").check("q3", 7.123))]
    for line in ("sd = d.sum()", "sd = np.random.default_rng(1).normal()", "sd = float(input())", "sd = open('x').read()"):
        history = [START, line, 'check("q3", sd)']
        for values in ({}, {"sd": 7.123}):
            before.append(repr(fstats.exercise("paired_t_by_hand").reply_to("q3", 7.123, line_in_cells(history, "q3", values))))
    assert len(set(before)) == 1


def test_html_and_text_show_the_mark() -> None:
    """`^^^^` below the part, and a mark in HTML, where code is escaped."""
    said = reply("q6", "df = n - 2 * (1 < 2)")
    line = next(line for line in said.lines if isinstance(line, MarkedLine))
    assert re.search(r"\n    df = n - 2 \* \(1 < 2\)\n +\^+\n", repr(said))
    assert "1 &lt; 2" in line.html()
    assert "<mark>" in said._repr_html_()


def test_in_a_notebook_the_line_is_found_in_the_history() -> None:
    """With IPython's own history; the object that is checked must be the one that the name holds."""
    shell = InteractiveShell.instance()
    try:
        for cell in (START, "sd = np.sqrt(((d + m) ** 2).sum() / (n - 1))"):
            shell.run_cell(cell, store_history=True)
        said = shell.run_cell('check("q3", sd)', store_history=True).result
        assert marked(said) == "+"
        said = shell.run_cell('check("q3", np.sqrt(((d - m) ** 2).sum() / n))', store_history=True).result
        assert marked(said) == "n"
        assert marked(shell.run_cell('[check("q3", one) for one in [7.5]][0]', store_history=True).result) == ""
    finally:
        InteractiveShell.clear_instance()


# -- nothing runs twice, nothing hangs -----------------------------------------------------------------------------------------
class Number(float):
    """A number whose methods have effects."""

    def __add__(self, _: float) -> float:
        TOUCHED.append("+")
        return 1.0


LINES = """
liar.x + 1
liar + 1
liar[0]
liar()
number + 1
[liar][0] + 1
{'x': liar}['x'] + 1
spy(1)
spy.x
np.sum(liar)
10 ** 10 ** 10
2 ** 99999999
[0] * 10 ** 9
'x' * 10 ** 9
range(10 ** 12)[-1]
sum(range(10 ** 9))
list(range(10 ** 9))
np.ones(10 ** 9).sum()
np.zeros((10 ** 5, 10 ** 5))
np.arange(0, 2000, 1e-9)
math.factorial(10 ** 7)
math.comb(10 ** 7, 5 * 10 ** 6)
np.outer(big, big).sum()
(big[:, None] * big).sum()
big @ big[:, None] * big
round(5, -(10 ** 9))
pow(7, 10 ** 9, 13)
pow(7, 10 ** 8)
np.sqrt(d, d)
np.add(d, 1, d)
np.cumsum(d, 0, None, d)
np.sum(d, out=d)
d.sort()
d.fill(0)
d.itemset(0)
d.tofile('x')
d.__class__
d.base
eval('1')
exec('1')
open('x')
__import__('os')
().__class__.__bases__
getattr(d, 'x')
globals()
np.load('x')
np.savetxt('x', d)
np.random.rand(3)
stats.norm.rvs(3)
stats.bootstrap
np.lib
math.inf ** 0 + (lambda: 1)()
[x for x in iter(int, 1)]
sum(1 for _ in endless)
[[x * y for x in range(999)] for y in range(999)]
sum(x * y for x in range(9999) for y in d)
'%99999999d' % 1
f'{liar}'
liar if liar else 1
not liar
liar < 1
1 < liar < 2
*liar, 1
(liar := 1)
await liar
np.power(10, 10 ** 10)
np.full(10 ** 9, 1)
np.concatenate([big] * 999)
d.reshape(10 ** 9)
max(liar, key=liar)
sorted(d, key=spy)
stats.t(5).sf
stats.t.sf(*[big] * 5)
np.sort(d, kind=liar)
a.mean(axis=liar)
float('nan') + nothing
b''.join([])
int('9' * 5000)
d[liar]
d[10 ** 20]
{1, 2}
{x: x for x in d}
lambda: 1
task.data
task.check('q1', 1)
task.solution()
task.exercise.name
check('q3', 1)
print(1)
np.vectorize(spy)(d)
np.array([spy])
list(map(spy, d))
np.where(d)[liar]
np.array(d, liar)
np.asarray(liar)
len(liar)
abs(liar)
sum([liar])
min(liar, 1)
str(liar)
int(liar)
bool(liar)
"""
HOSTILE = [*LINES.strip().splitlines(), "+".join(["1"] * 3000), "(" * 80 + "1" + ")" * 80, "-" * 500 + "1"]


@pytest.mark.complete
def test_a_hundred_hostile_lines_run_nothing_and_hang_nothing() -> None:
    """No object of an unknown type is touched, no array is changed, and each reply comes soon."""
    assert len(HOSTILE) >= 100
    names: dict[str, Any] = {}
    exec(START, names)
    spies = {
        "liar": Liar(),
        "number": Number(3),
        "spy": lambda *_: TOUCHED.append("called"),
        "big": np.ones(90_000),
        "endless": iter(int, 1),
    }
    plain = names["d"].copy()
    for line in HOSTILE:
        TOUCHED.clear()
        start = time.process_time()
        names["task"].fresh().reply_to("q3", 7.123, line_in_cells([START, f"sd = {line}", 'check("q3", sd)'], "q3", names | spies))
        assert time.process_time() - start < 3, line
        assert not TOUCHED, line
        np.testing.assert_array_equal(names["d"], plain, err_msg=line)


def test_a_name_that_hides_a_function_is_not_the_function() -> None:
    """`np` or `sum` of the student's own are never called."""
    for line in ("np = liar", "sum = liar", "def sum(x):\n    return liar(x)", "from scipy import stats as np"):
        names: dict[str, Any] = {}
        exec(START, names)
        TOUCHED.clear()
        history = [START, line, "sd = np.sqrt(sum(d))", 'check("q3", sd)']
        names["task"].reply_to("q3", 7.123, line_in_cells(history, "q3", names | {"np": Liar(), "sum": Liar(), "liar": Liar()}))
        assert not TOUCHED


# -- true of every slip ----------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "paired_t_by_hand" else [pytest.mark.complete]) for name in exercise_names()]
)
def test_what_is_said_of_a_line_is_true_and_gives_no_number_away(name: str) -> None:
    """The marked part alone makes the line right, also on new data; the right number and the right code appear at no level."""
    for wrong in wrong_lines(name):
        reader, reading = reading_of(wrong)
        if reader is None or reading is None:
            continue
        assert not is_false(reader, reading), (wrong.key, wrong.code)
        task = as_it_is(wrong.task)
        right = reader.context.right
        for attempt in range(3):
            diagnosis = task._diagnose(task.exercise.question(wrong.key), reader.context.answer, attempt + 1, wrong.line)  # type: ignore[arg-type]
            words = "\n".join(line for line in diagnosis.line_remarks if not isinstance(line, MarkedLine))
            words = re.sub(r"`[^`]*`|You typed \S+", "", words)
            assert np.ndim(right) or not re.search(rf"(?<![\w.-]){re.escape(format_plain(right))}(?![\w.])", words), (
                wrong.key,
                wrong.code,
                words,
            )
            assert wrong.right.partition(" = ")[2] not in words or not wrong.right.partition(" = ")[2]
            assert "\\" not in words
