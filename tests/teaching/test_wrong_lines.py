"""What a class wrote: the normal form of a line, the commonest wrong lines, and a name for those that come often."""

from __future__ import annotations

import json
import math
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, marks
from scipy import stats
from wrong_lines import as_it_is, wrong_lines

import fstats
from fstats import individual
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.learning_platforms.gradescope_autograder import results
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.student_grade import Attempt, StudentGrade
from fstats.teaching.marking.marks.submission_mark import QuestionMark, SubmissionMark, mark_question
from fstats.teaching.marking.reports.class_report import report
from fstats.teaching.marking.reports.feedback_pages import feedback_notebook, feedback_page
from fstats.teaching.marking.reports.item_analysis import analyse_items
from fstats.teaching.marking.roster import Student
from fstats.teaching.marking.sandbox.sandbox_output import DeliveredAnswer, SandboxOutput
from fstats.teaching.marking.submissions.submission_cells import RunCell, select_cells
from fstats.teaching.marking.submissions.uploaded_files import Received
from fstats.teaching.marking.wrong_lines.answer_line import AnswerLine, lines_of_answers, read_line
from fstats.teaching.marking.wrong_lines.common_lines import CommonLine, common_lines, lines_csv, load_entry, proposed_entry

START = """
import math, statistics
import numpy as np
import pandas as pd
from scipy import stats
from fstats import individual
task = individual({student!r}, "paired_t_by_hand", {secret!r})
a, b = task.data["a"], task.data["b"]
d = a - b
check("q1", d)
"""


def handed(student: str, *cells: str) -> tuple[Task, dict[str, Any], list[RunCell]]:
    """A student's exercise, what the cells deliver, and the cells, as the marking sees them."""
    task, names = individual(student, EXERCISE, SECRET), dict[str, Any]()
    answers: dict[str, Any] = {}
    names["check"] = lambda key, value: answers.update({key: np.asarray(value).tolist()})
    run = []
    for cell in (START.format(student=student, secret=SECRET), *cells):
        exec(cell, names)
        run.append(RunCell("a cell", cell))
        for line in cell.splitlines():
            if line.startswith("check("):
                key = line.split('"')[1]
                run.append(RunCell(f"the check of {key}", line.partition(", ")[2][:-1], key))
    return task, answers, run


def mark_of(student: str, key: str, *cells: str) -> QuestionMark:
    """The mark of one answer."""
    task, answers, run = handed(student, *cells)
    return next(mark for mark in marks(task, answers, run).questions if mark.key == key)


def line_of(*cells: str, key: str = "q4", student: str = "s1") -> AnswerLine:
    """The line of a wrong answer."""
    line = mark_of(student, key, *cells).line
    assert line is not None
    return line


SD = 'sd = d.std(ddof=1)\ncheck("q3", sd)'


# -- the normal form ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "cells",
    [
        (SD, 'se = sd / len(d)\ncheck("q4", se)'),
        (SD, 'n = len(a)\nstandard_error = sd / n\ncheck("q4", standard_error)'),
        ('check("q4", np.std(d, ddof=1) / d.size)',),
        ('anna = statistics.stdev(d.tolist())\ncheck("q4", anna * (1 / len(b)))',),
        ('x = d - d.mean()\nq = (x**2).sum()\nse = np.sqrt(q / (len(d) - 1)) / len(d)\ncheck("q4", se)',),
        ('m = sum(d) / len(d)\ns = math.sqrt(sum((x - m) ** 2 for x in d) / (len(d) - 1))\nse = s / len(d)\ncheck("q4", se)',),
        ('s = []\nfor x in d:\n    s.append((x - d.mean()) ** 2)\nse = (sum(s) / (len(d) - 1)) ** 0.5 / len(d)\ncheck("q4", se)',),
        ('f = lambda x: np.sqrt(x.var(ddof=1))\nse = f(d) / len(d)\ncheck("q4", se)',),
        ('def spread(x):\n    return x.std(ddof=1)\nse = spread(d) / len(d)\ncheck("q4", se)',),
    ],
)
def test_the_same_slip_is_the_same_line(cells: tuple[str, ...]) -> None:
    """Whatever the names, the steps and the spelling: the standard deviation by n for its root."""
    assert line_of(*cells).form == "sd / n"


def test_a_typed_count_is_the_count() -> None:
    """Students whose data have other numbers of data sets wrote the same line."""
    counts = {student: len(individual(student, EXERCISE, SECRET).data["a"]) for student in ("s1", "s2")}
    assert len({*counts.values()}) == 2
    for student, count in counts.items():
        assert line_of(SD, f'se = sd / {count}\ncheck("q4", se)', student=student).form == "sd / n"


ONE_LINE = [
    ("np.sqrt(((d - m) ** 2).sum() / n)", "math.sqrt(sum((x - m) ** 2 for x in d) / n)"),
    ("np.sqrt(np.sum((d - m) * (d - m)) / n)", "(1 / n * ((d - m) ** 2).sum()) ** 0.5"),
    ("np.sqrt(sum([(d[i] - m) ** 2 for i in range(n)]) / n)", "np.sqrt(np.square(d - m).sum() / n)"),
    ("np.std(d)", "d.std()"),
    ("np.std(d, ddof=0)", "statistics.pstdev(d.tolist())"),
    ("sum(x * y for x, y in zip(d, b)) / n", "(b * d).sum() / n"),
    ("abs(m) + sum(d**2)", "(d**2).sum() + np.abs(d.mean())"),
    ("2.0 * m", "m * 2"),
    ("stats.t(n).sf(m)", "stats.t.sf(m, df=n)"),
    ("pd.Series(d).std(ddof=0)", "pd.Series(d).std(ddof=0) * 1"),
]
TWO_LINES = [
    ("d.std() + 1", "d.std() - 1"),
    ("m - d.std()", "d.std() - m"),
    ("np.sqrt((d**2).sum()) / n", "np.sqrt((d**2).sum() / n)"),
    ("d.std() / n / 2", "d.std() / (n / 2)"),
    ("sum(x for x in d if x > 0)", "sum(x for x in d if x < 0)"),
    ("min(d.std(), m)", "max(d.std(), m)"),
    ("sum(np.array([a, b]))[0]", "np.sum(np.array([a, b]))"),
    ("stats.t(n).sf(n + 1)", "stats.t(n + 1).sf(n)"),
    ("sum(max(x, m) for x in d)", "max(sum(d), m)"),
    ("np.std([np.mean([x, y]) for x, y in zip(a, b)])", "np.std([a, b])"),
]


@pytest.mark.usefixtures("without_slips")
@pytest.mark.parametrize(("one", "other", "lines"), [*((*pair, 1) for pair in ONE_LINE), *((*pair, 2) for pair in TWO_LINES)])
def test_spellings_of_a_slip_are_one_line_and_slips_are_several(one: str, other: str, lines: int) -> None:
    """What a student types in several ways is one line of the report; no two different lines have one form."""
    before = 'm = d.mean()\nn = len(d)\ncheck("q2", m)'
    forms = {line_of(before, f'sd = {code}\ncheck("q3", sd)', key="q3").form for code in (one, other)}
    assert "" not in forms
    assert len(forms) == lines


@pytest.mark.complete
@pytest.mark.usefixtures("without_slips")
def test_the_form_is_what_the_line_computes() -> None:
    """Evaluated from the names of the steps, the normal form of every wrong line of the first exercises has the line's value."""
    count = 0
    for wrong in (wrong for name in ("paired_t_by_hand", "sign_test_by_hand", "bayesian_comparison") for wrong in wrong_lines(name)):
        task = as_it_is(wrong.task)
        said = task.reply_to(wrong.key, wrong.value)
        line = read_line(task, said, wrong.line)[1] if wrong.line else None
        if line is None or not line.form:
            continue
        test = task.diagnosis(wrong.key).test
        names = {name: getattr(test, name) for name in (*type(test).steps, *type(test).inputs) if name in line.form}
        known = {"sqrt": np.sqrt, "abs": np.abs, "sum": np.sum, "mean": np.mean, "t": stats.t, "comb": math.comb}
        if names.keys() & known.keys():
            continue
        with np.errstate(all="ignore"):
            assert np.allclose(eval(line.form, {**known, **names}), wrong.value, equal_nan=True), (wrong.code, line.form)
        count += 1
    assert count > 70


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("np.sqrt(((d + m) ** 2).sum() / (n - 1))", "+"),
        ("np.sqrt(((d - m) ** 2).sum() * (n - 1))", "*"),
        ("np.sqrt(((d - m) ** 2).sum() / n)", "n"),
        ("np.sqrt(abs(d - m).sum() / (n - 1))", "abs"),
        ("x", "n"),  # in the line of a name
    ],
)
def test_the_wrong_part_is_marked_in_the_form(code: str, part: str) -> None:
    """A sign, a number, a function, and a part that stands in the line of a name."""
    before = 'm = d.mean()\nn = len(d)\nx = np.sqrt(((d - m) ** 2).sum() / n)\ncheck("q2", m)'
    line = line_of(before, f'sd = {code}\ncheck("q3", sd)', key="q3")
    assert line.form[line.form_start : line.form_stop] == part


def test_a_form_holds_no_word_of_a_student() -> None:
    """Names, texts, comments and attributes of his own are gone, or the line has no form."""
    told = line_of("ada_king = d.std(ddof=1)  # Ada King", 'se = ada_king / len(d)  # 0123456789abcdef\ncheck("q4", se)')
    assert (told.form, told.code) == ("sd / n", "se = ada_king / len(d)")
    quoted = 'table = pd.DataFrame({"Ada King": d})\nse = table["Ada King"].std(ddof=1) / len(d)\ncheck("q4", se)'
    assert "Ada" not in line_of(quoted).form
    text = AnswerLine('se = frame["Ada"].std() / len(f"{x} King")', 18 + 4, 18 + 10)
    assert "Ada" not in str(text.example())
    assert "King" not in str(text.example())


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_forms_and_formulas_of_every_exercise(name: str) -> None:
    """Most wrong lines have a form; a formula, loaded as a mistake, gives the very number of the line."""
    lines = forms = 0
    for wrong in wrong_lines(name):
        task = as_it_is(wrong.task)
        line = read_line(task, task.reply_to(wrong.key, wrong.value), wrong.line)[1] if wrong.line else None
        lines, forms = lines + 1, forms + bool(line and line.form)
        if not line or not line.formula:
            continue
        common = CommonLine(name, wrong.key, line.marked, 3, 3, 3, "", line.formula)  # type: ignore[arg-type]
        entry = proposed_entry(common)
        if not entry:  # on the data of the course, the line gives nearly the right number
            continue
        (mistake,) = load_entry(name, entry)
        question = task.exercise.question(wrong.key)
        assert np.allclose(getattr(task.test_with_mistake(mistake), question.step), wrong.value, rtol=1e-9), line  # type: ignore[union-attr]
    assert forms >= 0.4 * lines


# -- a class ---------------------------------------------------------------------------------------------------------------------------
FIRST = 'm = d.mean()\nn = len(d)\ncheck("q2", m)'
RIGHT_SD, RIGHT_SE = 'sd = d.std(ddof=1)\ncheck("q3", sd)', 'se = sd / n**0.5\ncheck("q4", se)'
BY_N = 'se = sd / n\ncheck("q4", se)', 'my = sd\nse = 1 / len(d) * my\ncheck("q4", se)', 'check("q4", sd / a.size)'
ROOT_OF_SD = 'se = np.sqrt(sd) / np.sqrt(n)\ncheck("q4", se)', 'w = math.sqrt(n)\nse = sd**0.5 / w\ncheck("q4", se)'


def class_of_thirty() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Nine divide by n, four take the root of the standard deviation (no named mistake), one subtracts, three type, the rest is right."""
    for number in range(1, 31):
        if number <= 9:
            last = BY_N[number % 3]
        elif number <= 13:
            last = ROOT_OF_SD[number % 2]
        elif number == 14:
            last = 'se = sd - n\ncheck("q4", se)'
        else:
            last = 'se = 12.34\ncheck("q4", se)' if number <= 17 else RIGHT_SE
        yield f"s{number:02}", (FIRST, RIGHT_SD, last)


@pytest.fixture(scope="module")
def thirty() -> list[StudentGrade]:
    """The rows of the class."""
    rows = []
    for student, cells in class_of_thirty():
        task, answers, run = handed(student, *cells)
        attempt = Attempt(Received(f"{student}/x.ipynb", student, EXERCISE), marks(task, answers, run))
        rows.append(StudentGrade(Student(student, f"Name{student} Family{student}"), EXERCISE, Policy(), attempt, 1))
    return rows


def lines_of(rows: list[StudentGrade]) -> list[CommonLine]:
    """The common wrong lines of a class."""
    return common_lines(rows, [row.student for row in rows])


def test_the_commonest_lines_of_a_class(thirty: list[StudentGrade]) -> None:
    """In their order, with their numbers, their shares of the wrong answers (also of those that were typed), and their names."""
    first, second = lines_of(thirty)
    assert (first.key, first.line.code, first.students, first.wrong) == ("q4", "sd / n", 9, 17)
    assert (second.line.code, second.students, second.mistake) == ("sqrt(sd) / sqrt(n)", 4, "")
    assert (first.share, first.mistake) == (9 / 17, "n for its square root")
    assert first.line.code[first.line.start : first.line.stop] == "n"
    assert second.line.code[second.line.start : second.line.stop] == "sqrt(sd)"
    assert first.example is not None
    assert first.example.code in ("se = sd / n", "se = 1 / len(d) * my", "check('…', sd / a.size)")
    assert [one.is_frequent for one in (first, replace(first, students=1), replace(first, students=2))] == [True, False, True]
    assert not replace(first, students=2, marked=41).is_frequent


def test_no_example_holds_a_name(thirty: list[StudentGrade]) -> None:
    """Whoever calls his variable as somebody of the class is called: another line is shown, or none."""

    def examples(**about: str) -> list[str]:
        lines = common_lines(thirty, [Student(**{"id": "x9", **about})])
        assert [line.students for line in lines] == [9, 4]
        return [line.example.code if line.example else "" for line in lines]

    assert all(examples())
    first = examples()[0]
    assert "len" in first
    for about in ({"name": "Mary-Jane 1 / Len"}, {"email": "len.x@example.org"}, {"login": "LEN"}, {"id": "s_len"}):
        other, _ = examples(**about)
        assert "len" not in other
        assert other
    assert examples(name="Math Sqrt")[1] == "se = sd**0.5 / w", "the only way of writing it without these names"


def test_the_report_shows_lines_and_proposes_names(thirty: list[StudentGrade]) -> None:
    """With marks, shares, and an entry that can be pasted; nobody is named there."""
    page = report(thirty, [], [], analyse_items(thirty), lines=lines_of(thirty))
    table = page[page.index("<h3>Wrong lines</h3>") : page.index("<h3>Frequent mistakes without a name</h3>")]
    assert "<code>sd / <mark>n</mark></code>" in table
    assert ">53<" in table
    assert "n for its square root" in table
    proposals = page[page.index("<h3>Frequent mistakes without a name</h3>") :].partition("</section>")[0]
    assert "q4, 4 students, 24 % of the wrong answers: <code><mark>sqrt(sd)</mark> / sqrt(n)</code>" in proposals
    assert "formula = '\\frac{\\sqrt{$sd}}{\\sqrt{$n}}'" in unescape(proposals)
    assert not any(row.student.id in table + proposals or row.student.name in table + proposals for row in thirty)
    assert lines_csv(lines_of(thirty)).splitlines()[1].startswith(f'"{EXERCISE}","q4","sd / n","5","6","9"')
    assert "Wrong lines" not in report(thirty[20:], [], [], analyse_items(thirty[20:]), lines=lines_of(thirty[20:]))


def test_a_pasted_entry_names_the_mistake(thirty: list[StudentGrade]) -> None:
    """The answers of the four have no name before, and the name of the entry after it was pasted."""
    line = lines_of(thirty)[1]
    entry = proposed_entry(line, "the root of the standard deviation", "You took the root twice. Take it once.")
    assert tomllib.loads(entry)["mistake"][0].keys() == {"name", "test", "step", "formula", "see", "words"}
    old = load_exercise_definition(EXERCISE)
    file = Path(fstats.__file__).parent / "teaching" / "course" / EXERCISE / "mistakes.toml"
    new = replace(old, mistakes=load_entry(EXERCISE, f"{file.read_text(encoding='utf-8')}\n{entry}"))
    assert len(new.mistakes) == len(old.mistakes) + 1
    assert [*new.clashes(new.given)] == []
    named = 0
    for row in thirty[9:13]:
        assert row.marked is not None
        mark = next(mark for mark in row.marks if mark.key == "q4")
        said = Task(new, row.marked.token)
        said._data, said._tests = individual(row.student.id, EXERCISE, SECRET)._data, said._tests.__class__(said.exercise.data(said.token))
        now = said.reply_to("q4", json.loads(mark.answer))
        assert mark.mistake == ""
        named += now.mistake == "the root of the standard deviation"
    assert named == 4
    assert proposed_entry(replace(line, formula="")) == ""
    assert proposed_entry(replace(line, formula=r"\text{nobody knows}")) == ""


# -- what a student gets back --------------------------------------------------------------------------------------------------------
def test_the_page_of_a_student_shows_his_line(thirty: list[StudentGrade]) -> None:
    """With its mark in HTML, with signs below it in text, with the first hint, without the right number."""
    row = thirty[0]
    (mark,) = (mark for mark in row.marks if mark.key == "q4")
    assert mark.line is not None
    page = feedback_page(row)
    assert f"<p>{mark.line.marked.html()}</p>" in page  # type: ignore[union-attr]
    assert "<mark>" in page
    (text,) = (test["output"] for test in results(row)["tests"] if test["name"] == "q4")
    (cell,) = (cell for cell in json.loads(feedback_notebook(row))["cells"] if "".join(cell["source"]).startswith("## q4"))
    start = " " * mark.line.start + "^" * (mark.line.stop - mark.line.start)
    assert f"{mark.line.code}\n{start}" in text
    assert f"    {mark.line.code}\n    {start}" in "".join(cell["source"])
    right = float(individual(row.student.id, EXERCISE, SECRET).test_of(load_exercise_definition(EXERCISE).question("q4")).se)  # type: ignore[arg-type]
    section = page[page.index("<h2>q4") :].partition("</section>")[0]
    assert not any(shown in section + text for shown in (f"{right:.3g}", f"{right:.4g}", "sqrt(n)", "n**0.5", "n ** 0.5"))


EVIL = "<script>alert(1)</script>"


def test_a_hostile_line_stays_text() -> None:
    """Tags, formulas, control characters and long lines are shown as text, in one line, or not at all."""
    evil = f'se = sd / n if "{EVIL}$\\alpha$\x1b[2K\u202e" else 1\ncheck("q4", se)'
    task, answers, run = handed("s1", FIRST, RIGHT_SD, evil)
    row = StudentGrade(Student("s1"), EXERCISE, Policy(), Attempt(Received("x", "s1", EXERCISE), marks(task, answers, run)), 1)
    line = next(mark.line for mark in row.marks if mark.key == "q4")
    assert line is not None
    assert "\x1b" not in line.code + "".join(line.hints)
    for page in (feedback_page(row), report([row], [], [], analyse_items([row]), lines=lines_of([row, row]))):
        assert "<script>alert" not in page
        assert "\x1b" not in page
        assert "\u202e" not in page
    far = " + 0 * n" * 60
    long = line_of(FIRST, RIGHT_SD, f'se = sd / n{far}\ncheck("q4", se)')
    assert len(long.code) < 330
    assert long.example() is None


@pytest.mark.parametrize(
    "code",
    [
        "(lambda f: f)(lambda x: x)(d.std())",
        "g(" * 16 + "d.std()" + ")" * 16,
        "h(d.std())",
        "d.std()" + " + 1 / n" * 40,
        "-" * 60 + "d.std()",
        "[[[[d.std()]]]][0][0][0][0]",
        "d.std() if n else " * 30 + "m",
    ],
)
def test_no_line_takes_long(code: str) -> None:
    """Functions that double their argument, functions that call themselves, long and deep lines: a form, or none, at once."""
    own = "g = lambda x: x / (x * x + 1)\nh = lambda x: x if n else h(x)\nm = d.mean()\nn = len(d)"
    task, answers, run = handed("s1", own, f'sd = {code}\ncheck("q3", sd)')
    line = lines_of_answers(run, ["q3"])["q3"]
    said = task.reply_to("q3", answers["q3"])
    start = time.process_time()
    found = read_line(task, said, line)[1]
    assert time.process_time() - start < 3
    assert found is None or len(found.form) <= 160


def test_what_is_stored_comes_back(thirty: list[StudentGrade]) -> None:
    """Marks with lines are JSON; marks of earlier versions have no line."""
    marked = thirty[0].marked
    assert marked is not None
    plain = json.loads(json.dumps(marked.to_dict()))
    assert SubmissionMark.from_dict(plain) == marked
    for mark in plain["questions"]:
        del mark["line"]
    assert all(mark.line is None for mark in SubmissionMark.from_dict(plain).questions)


def test_a_line_ends_at_its_check() -> None:
    """What a name is set to later changes nothing; a lost cell gives no line; a line that did not make the answer is not told."""
    task, answers, run = handed("s1", FIRST, RIGHT_SD, BY_N[0], "sd = 5\nn = 100\nse = sd")
    line = lines_of_answers(run, ["q4"])["q4"]
    assert line.definition.text == "se = sd / n"
    (mark,) = (mark for mark in marks(task, answers, run).questions if mark.key == "q4")
    assert mark.line is not None
    assert mark.line.hints
    assert "changed" not in mark.line.hints[0]
    place = next(number for number, cell in enumerate(run) if "se = sd / n" in cell.source)
    assert "q4" not in lines_of_answers(run, ["q4"], [place])
    said = task.fresh().reply_to("q4", 99.5)
    other = task.fresh()
    other.reply_to("q4", 99.5)
    assert read_line(other, said, line)[1] is None


def test_a_value_in_the_students_own_check_has_its_line() -> None:
    """Where the name that the exercise checks is empty."""
    cells = [RunCell("a cell", "import numpy as np\nd = task.data['a'] - task.data['b']"), RunCell("a cell", "check('q3', np.std(d))")]
    line = lines_of_answers([*cells, RunCell("the check of q3", "sd", "q3")], ["q3"])["q3"]
    assert line.definition.text == "check('q3', np.std(d))"
    assert lines_of_answers([*cells[:1], RunCell("the check of q3", "sd", "q3")], ["q3"]) == {}


def test_lines_never_change_a_verdict() -> None:
    """Whatever goes wrong with a line, the mark is that of the value."""
    task, answers, run = handed("s1", FIRST, RIGHT_SD, BY_N[0])
    output = SandboxOutput({key: DeliveredAnswer(value) for key, value in answers.items()})
    line = line_in_cells([cell.source for cell in run[:-1]] + ['check("q4", se)'], "q4")
    assert line is not None
    question = task.exercise.question("q4")
    plain, told = (mark_question(task.fresh(), question, output, {}, one) for one in (None, line))
    broken = mark_question(task.fresh(), question, output, {}, line._replace(history=None))  # type: ignore[arg-type]
    assert {(one.verdict, one.mistake) for one in (plain, told, broken)} == {(plain.verdict, plain.mistake)}
    assert (plain.line, broken.line) == (None, None)
    assert told.line is not None


def test_lines_of_a_notebook_as_it_is_handed_in() -> None:
    """From the cells that the marking selects: the check's own expression, whatever the student's check says."""
    reference = json.loads((ROOT / "exercises" / NOTEBOOK).read_text(encoding="utf-8"))
    notebook = json.loads(json.dumps(reference))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if name.startswith("answer_q1"):
            cell["source"] = ["import numpy as np\nd = task.data['a'] - task.data['b']"]
        if name.startswith("answer_q3"):
            cell["source"] = ["sd = d.std()"]
    task = individual("s1", EXERCISE, SECRET)
    cells = select_cells(reference, json.dumps(notebook).encode(), EXERCISE, task.token).cells
    lines = lines_of_answers(cells, ["q1", "q3"])
    assert {key: line.definition.text for key, line in lines.items()}["q3"] == "sd = d.std()"
