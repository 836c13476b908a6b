"""What a wrong answer carries forward in a mark: only a slip of these data, and only through what was worked out in the notebook."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import test_marking_judge as judge
import test_marking_worker as worker
from shortcuts import parametrize

from fstats import individual
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import required_steps
from fstats.teaching.grading.mistakes.plausible_slips import is_plausible_slip
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.marks.error_carried_forward import NO_SLIP, TYPED, _ErrorCarrier, _is_affine, carry_errors_forward
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import MarkedRun, QuestionMark, SubmissionMark, compare_runs, mark_all
from fstats.teaching.marking.reports.feedback_pages import verdict_title
from fstats.teaching.marking.reports.item_analysis import OUTCOMES, _outcome
from fstats.teaching.marking.submissions.answer_dependencies import DATA, answer_dependencies
from fstats.teaching.marking.submissions.package_calls import package_answers
from fstats.teaching.marking.submissions.submission_cells import RunCell, Submission
from fstats.teaching.marking.wrong_lines.answer_line import lines_of_answers

SECRET = judge.SECRET
NAME = "paired_t_by_hand"
PI = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4]
points = Policy().points
each_exercise = pytest.mark.parametrize("name", exercise_names())
pytestmark = pytest.mark.usefixtures("without_slips")


def a_task(who: str, name: str = NAME) -> Task:
    return individual(who, name, SECRET)


def numbers(task: Task) -> list[Question]:
    return [question for question in task.exercise.questions if isinstance(question, Question)]


def typed(name: str, values: Mapping[str, Any], **computed: str) -> bytes:
    """A notebook in which these values were typed, and these answers were computed."""
    head = "inf, nan = float('inf'), float('nan')\n"
    sources = {key: f"{head}{worker.name_at(name, key)} = {np.asarray(value).tolist()!r}" for key, value in values.items()}
    return worker.filled(name, **(sources | computed))


def marked(strong: Marker, notebook: bytes, task: Task) -> SubmissionMark:
    return worker.mark(strong, notebook, task, a_task("nobody", task.exercise.name))


def following(task: Task, root: str, wrong: Any) -> dict[str, Any]:
    """The right values, but for one that is wrong and what follows from it."""
    found = judge.right_values(task) | {root: wrong}
    asked = numbers(task)
    first = next(question for question in asked if question.key == root)
    for question in asked[asked.index(first) + 1 :]:
        tested = task.exercise.tested(question)
        if first.step in tested.steps and first.step in required_steps(tested, question.step):
            with suppress(Exception):  # nothing follows from some values
                found[question.key] = getattr(task.test_of(question).assuming(**{first.step: wrong}), question.step)
    return found


def right_alone(found: SubmissionMark) -> float:
    """The points of the numbers that are right by themselves."""
    return sum(mark.of for mark in found.questions if mark.kind == "value" and mark.verdict == "right")


def earned(found: SubmissionMark) -> float:
    return sum(points(mark) for mark in found.questions if mark.kind == "value")


def by_name(found: SubmissionMark) -> list[QuestionMark]:
    """The numbers that a mistake with a name, or too few digits, gives on these data."""
    return [mark for mark in found.questions if mark.kind == "value" and mark.verdict in ("digits", "mistake")]


# -- what earns nothing ------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@each_exercise
def test_the_digits_of_pi_and_what_follows_from_them_earn_nothing(name: str, strong: Marker) -> None:
    """For no student, though each number follows from the one before: no slip on his data gives the first."""
    task = a_task("student 1", name)
    first = numbers(task)[0]
    right = np.asarray(getattr(task.test_of(first), first.step))
    if right.dtype.kind not in "iuf":
        pytest.skip("the first answer is no number")
    digits = np.resize(PI, right.shape).astype(float) if right.ndim else np.pi
    values = following(task, first.key, digits)
    at_home = mark_all(task, judge.sent(task, values), {})
    found = marked(strong, typed(name, values), task)
    assert earned(found) == right_alone(found) + sum(map(points, by_name(found)))
    assert not [mark for mark in found.questions if mark.verdict == "carried" and points(mark)]
    carried = [mark.key for mark in at_home if mark.verdict == "carried"]
    for mark in found.questions:
        if mark.key in carried:
            assert mark.lines[0] == NO_SLIP or mark.verdict == "right" or mark.chained
    assert any("follow" in flag for flag in found.flags) == bool(carried)


@pytest.mark.complete
def test_a_sheet_with_constants_for_everybody_earns_nothing(strong: Marker) -> None:
    """Typed, with noise, in units of the data, or hidden in a formula: eight of ten points before."""
    task = a_task("student 1")
    n = len(task.data["a"])
    values = following(task, "q1", np.array(PI[:n], float))
    names = {key: worker.name_at(NAME, key) for key in values if key != "q10"}
    scaled = {"q1": f"d = a.std() * np.array({PI[:n]})", **{key: f"{names[key]} = {float(values[key])}" for key in ("q5", "q8")}}
    hidden = {key: f"{names[key]} = {float(values[key])} + 0 * a.sum()" for key in ("q2", "q3", "q4", "q5", "q8")}
    hidden["q1"] = f"d = np.array({PI[:n]}) + 0 * a"
    noisy = {key: source.replace("0 *", "1e-12 *") for key, source in hidden.items()}
    for sheet in (scaled, hidden, noisy):
        found = marked(strong, worker.filled(NAME, **sheet), task)
        assert earned(found) == right_alone(found), sheet


@pytest.mark.complete
@each_exercise
@pytest.mark.parametrize("pair", [0, 1])
def test_anothers_right_numbers_earn_what_is_right_by_itself(name: str, pair: int, strong: Marker) -> None:
    """Or is a mistake that has a name on one's own data, and what it leads to: with counts, by luck now and then; and it is flagged."""
    task, friend = a_task(f"own {pair}", name), a_task(f"friend {pair}", name)
    values = judge.right_values(friend)
    at_home = mark_all(task, judge.sent(task, values), {})
    found = marked(strong, typed(name, values), task)
    carried = [mark.key for mark in found.questions if mark.verdict == "carried" and points(mark)]
    assert len(carried) <= 1, "from a count that has a name on these data"
    assert earned(found) == right_alone(found) + sum(map(points, by_name(found))) + len(carried)
    before = sum(points(mark) for mark in at_home if mark.kind == "value")
    assert earned(found) == pytest.approx(before) or any("follow" in flag or "copied?" in flag for flag in found.flags)


@pytest.mark.complete
def test_a_class_of_copiers_earns_next_to_nothing_beyond() -> None:
    """Before, 46 % of the points for numbers; 15 % are right by themselves, and 3 % more may have a name on one's own data."""
    shares = []
    for name in exercise_names():
        for k in range(2):
            own, friend, nobody = (a_task(f"{who} {k}", name) for who in ("own", "friend", "nobody"))
            values = judge.right_values(friend)
            before, after = both(own, nobody, values, values)
            of = sum(question.points for question in numbers(own))
            shares.append([sum(points(m) for m in marks if m.kind == "value") / of for marks in (before, after)])
            shares[-1].append(sum(m.of for m in before if m.kind == "value" and m.verdict == "right") / of)
    at_home, here, alone = np.mean(shares, axis=0)
    assert at_home > 0.4, "this is the danger"
    assert here <= alone + 0.04


# -- what keeps its points -----------------------------------------------------------------------------------------------------------
def both(own: Task, fresh: Task, one: Mapping[str, Any], other: Mapping[str, Any], *cells: RunCell) -> tuple[Any, Any]:
    """The marks as a reply at home has them, and as they count; without a marker."""
    outputs = judge.sent(own, dict(one)), judge.sent(fresh, dict(other))
    here, there = (MarkedRun(task, output, mark_all(task, output, {})) for task, output in zip((own, fresh), outputs, strict=True))
    marks = compare_runs(here, there)
    return marks, carry_errors_forward(here._replace(marks=marks), there, Submission(cells), {}, {})[0]


@pytest.mark.parametrize(
    ("name", "token", "key", "sources"),
    [
        (
            "five_by_two",
            "7a00424e3e2c0d9b",
            "q4",
            {
                "q1": 'd = task.data["d"]\nvariances = d.var(axis=1)',
                "q2": "se = np.sqrt(((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean())",
                "q3": "estimate = d[0, 0]",
                "q4": "t = d.mean() / se",
            },
        ),
        (
            "simulate_a_type_one_error",
            "15dc95626b69646c",
            "q9",
            {"q9": 'n, rho = task.data["n"], task.data["rho"]\nf = np.sqrt(1 + n * rho / (1 - rho))'},
        ),
    ],
)
def test_a_line_decides_as_in_the_notebook(name: str, token: str, key: str, sources: dict[str, str]) -> None:
    """The line rules out a mistake that gives the same number on these data, also after an earlier wrong answer."""
    own, fresh = Task(load_exercise_definition(name), token), a_task("nobody", name)
    cells = [RunCell("", f'import numpy as np\nfrom fstats import exercise\ntask = exercise("{name}")')]
    for one, source in sources.items():
        cells += [RunCell("", source), RunCell("", source.rpartition("\n")[2].partition(" =")[0], one)]
    values: list[dict[str, Any]] = []
    for task in (own, fresh):
        space: dict[str, Any] = {"task": task, "np": np}
        exec("\n".join(sources.values()), space)
        values.append({cell.key: np.asarray(space[cell.source]).tolist() for cell in cells if cell.key})
    lines = lines_of_answers(cells, [*sources])
    outputs = judge.sent(own, values[0]), judge.sent(fresh, values[1])
    here = MarkedRun(own, outputs[0], mark_all(own, outputs[0], {}, lines))
    there = MarkedRun(fresh, outputs[1], mark_all(fresh, outputs[1], {}))
    marks = carry_errors_forward(here, there, Submission(tuple(cells)), {}, lines)[0]
    notebook = own.fresh()
    replies = {one: notebook.reply_to(one, values[0][one], lines[one]) for one in sources}
    found = {mark.key: (mark.verdict, mark.mistake) for mark in marks if mark.key in sources}
    assert found == {one: (reply.verdict, reply.mistake) for one, reply in replies.items()}
    by_value = own.fresh()
    alone = [by_value.reply_to(one, values[0][one]) for one in sources][-1]
    assert (alone.verdict, alone.mistake) != found[key], "the number alone says something else"


def honest(task: Task, *by_hand: str) -> list[RunCell]:
    """Cells that work each answer out from those before it, but for some that were typed."""
    cells, before = [], "task"
    for question in numbers(task):
        source = "1.25" if question.key in by_hand else f"work({before})"
        cells += [RunCell("", f"x_{question.key} = {source}"), RunCell("", f"x_{question.key}", question.key)]
        before += f", x_{question.key}"
    return cells


@pytest.mark.complete
@each_exercise
def test_named_mistakes_keep_their_points_computed_and_by_hand(name: str) -> None:
    own, fresh = a_task("own 1", name), a_task("fresh 1", name)
    for mistake in own.exercise.mistakes:
        made = [judge.right_values(task) for task in (own, fresh)]
        for task, values in zip((own, fresh), made, strict=True):
            for question in numbers(task):
                tested = task.exercise.tested(question)
                if issubclass(mistake.wrong, tested) and mistake.step in required_steps(tested, question.step):
                    with np.errstate(all="ignore"):
                        values[question.key] = getattr(task.test_with_mistake(mistake), question.step)
        for marks, kept in (both(own, fresh, *made, *honest(own)), both(own, fresh, made[0], made[0])):
            assert [*map(points, kept)] == [*map(points, marks)], mistake.name


@pytest.mark.complete
@each_exercise
def test_what_was_computed_keeps_its_points_whatever_went_wrong(name: str) -> None:
    """A slip without a name, and what follows from it; a right number that was typed, and one that was mistyped by a digit."""
    own, fresh = a_task("own 1", name), a_task("fresh 1", name)
    for question in numbers(own):
        here, there = (np.asarray(getattr(task.test_of(question), question.step)) for task in (own, fresh))
        if here.dtype.kind not in "iuf":
            continue
        odd = [x * 1.13 + (0.7 * x**2 if not x.ndim else np.arange(x.size).reshape(x.shape) * 0.3 * abs(x).mean()) for x in (here, there)]
        made = [following(task, question.key, x) for task, x in zip((own, fresh), odd, strict=True)]
        pages = [both(own, fresh, *made, *honest(own))]
        slip = mistyped(here)
        if slip is not None:
            other = following(fresh, question.key, slip) if slip.shape == there.shape else judge.right_values(fresh) | {question.key: slip}
            pages.append(both(own, fresh, following(own, question.key, slip), other, *honest(own, question.key)))
        right = judge.right_values(own)
        pages.append(both(own, fresh, right, judge.right_values(fresh) | {question.key: right[question.key]}, *honest(own, question.key)))
        for marks, kept in pages:
            assert [*map(points, kept)] == [*map(points, marks)], question.key


def mistyped(right: Any) -> Any:
    """A number with another digit, a count that is one more, or a column in which one entry is wrong; None for 0.5, which has but one."""
    x = right.astype(float)
    if x.ndim:
        x.flat[0] += 3 if x.flat[0] == np.floor(x.flat[0]) else 1.5 * abs(x.flat[0])
        return x
    if x == np.floor(x):
        return x + 1
    written = f"{x:.4g}"
    places = [k for k, digit in enumerate(written) if digit in "123456789"]
    if len(places) < 2:
        return None
    return np.array(float(written[: places[-1]] + str(int(written[places[-1]]) % 9 + 1) + written[places[-1] + 1 :]))


def test_a_typo_in_a_typed_column_is_carried_through_what_is_computed(strong: Marker) -> None:
    """Though the computed numbers stay the same on other data, too; typed ones earn what the policy says."""
    task = a_task("student 1")
    d = np.array(judge.right_values(task)["q1"], float)
    d[0] += 3
    computed = {"q2": "mean = np.mean(d)", "q3": "sd = np.std(d, ddof=1)", "q4": "se = sd / len(d) ** 0.5", "q5": "t = mean / se"}
    found = {mark.key: mark for mark in marked(strong, typed(NAME, {"q1": d}, **computed), task).questions}
    assert [(found[f"q{k}"].verdict, points(found[f"q{k}"])) for k in (1, 2, 3, 4, 5)] == [("unknown", 0)] + [("carried", 1)] * 4
    values = following(task, "q1", d)
    page = marked(strong, typed(NAME, {key: values[key] for key in ("q1", "q2", "q3")}, q4=computed["q4"], q5=computed["q5"]), task)
    found = {mark.key: mark for mark in page.questions}
    assert [(found[f"q{k}"].chained, points(found[f"q{k}"])) for k in (2, 3, 4, 5)] == [(True, 0)] * 2 + [(False, 1)] * 2
    assert "2 answers (q2, q3) that follow from a wrong answer were typed in, not computed from it." in page.flags
    assert found["q2"].lines[-1] == TYPED
    expected = (0.4, "right, given an earlier answer, but typed in, not computed from an earlier wrong answer")
    assert Policy(carried=0.8, carried_typed=0.5).share(found["q2"]) == expected
    assert (verdict_title(found["q2"]).endswith(", but typed in"), OUTCOMES[_outcome(found["q2"])]) == (True, "the same, but typed in")
    assert (found["q2"].is_right, found["q4"].is_right) == (False, True)
    assert QuestionMark.from_dict(asdict(found["q2"])) == found["q2"]
    assert replace(found["q2"], chained=False).is_right


@each_exercise
@pytest.mark.slow
def test_a_solution_has_no_flag_and_full_points(name: str, strong: Marker) -> None:
    found = marked(strong, worker.notebook_of(name, "solutions"), a_task("student 1", name))
    assert earned(found) == sum(mark.of for mark in found.questions if mark.kind == "value")
    assert not [flag for flag in found.flags if "follow" in flag]


# -- slips ----------------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@parametrize(
    "key, answer, known",
    ("q3", lambda x: -x, True),
    ("q3", lambda x: 1 / x, True),
    ("q3", lambda x: x**2, True),
    ("q3", lambda x: 10 * x, True),
    ("q3", lambda x: float(f"{x:.4g}") + 0.03, True),  # one digit
    ("q3", lambda x: 1.2345 * x + 0.6789, False),
    ("q6", lambda x: x + 1, True),
    ("q1", lambda x: [x[0] + 1, *x[1:]], True),
    ("q1", lambda x: x[::-1], True),
    ("q1", lambda x: [*x[: len(x) // 2], *np.add(x[len(x) // 2 :], PI[: len(x) - len(x) // 2])], False),
)
def test_what_is_a_slip_of_these_data(key: str, answer: Any, known: bool) -> None:
    task = a_task("student 1")
    right = judge.right_values(task)
    task.check("q1", right["q1"])
    task.check(key, answer(np.asarray(right[key]).tolist()))
    assert is_plausible_slip(task.diagnosis(key)) == known


def test_a_constant_is_one_in_other_units_too() -> None:
    """Columns of at least four that are the same but for a factor and a shift; a constant is like no other but a constant."""
    x, other = [1.0, 2.0, 4.0, 8.0], [1.0, 2.0, 4.0, 7.0]
    found = [(x, np.multiply(-3, x) + 1), (x, other), (x[:3], x[:3]), (x, [*x, 1]), (x, [5.0] * 4), ([2] * 4, [5.0] * 4), (x, list("abcd"))]
    assert [_is_affine(np.asarray(one), np.asarray(two)) for one, two in found] == [True, False, False, False, False, True, False]


@parametrize(
    "made_of, there, known",
    ({"data"}, 2.05, True),
    ({"data"}, 3.0, False),
    ({"q1"}, 3.0, True),
    ({"q1", "data"}, 3.0, False),
    ({"q2"}, 3.0, False),
    ((), 2.0, False),
)
def test_what_stays_was_worked_out_where_its_source_and_its_place_say_so(made_of: set[str], there: float, known: bool) -> None:
    """From what had to stay itself, or of data that give nearly the same; not from what is no slip."""
    task, fresh = (SimpleNamespace(test_of=lambda _, x=x: SimpleNamespace(step=x), untrusted_answers={"q2"}) for x in (2.0, there))
    page = SimpleNamespace(task=task, fresh=fresh, sources={"q3": frozenset(made_of)}, _is_unchanged=lambda _: True)
    assert _ErrorCarrier._is_computed(page, SimpleNamespace(key="q3", step="step"), None) == known  # type: ignore[arg-type]


# -- what the source says ----------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@parametrize(
    "source, made_of",
    ("y = 2.5", ""),
    ("y = np.sqrt(2) + round(1.5)", ""),
    ("z = 2.5\ny = z / 2", ""),
    ("y = x.mean()", "q1"),
    ("y = sum(x) / len(a)", "q1 data"),
    ("def f(v):\n    return v.mean() + x[0]\ny = f(3)", "q1"),
    ("y = 0\nfor v in x:\n    y += v", "q1"),
    ("y = []\nfor v in [1, 2]:\n    y.append(x[v])", "q1"),
    ("y = np.zeros(3)\ny[0] = x[0]", "q1"),
    ("if x[0] > 1:\n    y = 2\nelse:\n    y = 3", "q1"),
    ("y = [v for v in x]", "q1"),
    ("(z := x)\ny, w = z, 3", "q1"),
    ("w, y = x, 3", ""),
    ("with open('f') as f:\n    y = 3", ""),
    ("%time y = x.mean()", "q1"),
    ("y = %time x.mean()\n!ls\nnp.mean?", "q1"),
    ("check('q2', x.mean())", "q1"),
    ("w = 2\ncheck('q1', w)\ny = w", "q1"),
    ("import fstats.core as core, statistics\ny = [core, statistics]", "data"),
    ("for v, (*w, u) in x:\n    y = w", "q1"),
    ("while x:\n    y = 2\nelse:\n    y = 3", "q1"),
    ("with open(x) as (f, y):\n    pass", "q1"),
    ("class A:\n    v = x\ny = A().v", "q1"),
    ("y = {}\ny.update(v=x)", "q1"),
    ("np.copyto(3, x)\ny = np.zeros(3)", ""),
    ("y = task.data['a'].mean()", "data"),
    ("from fstats import PairedT\ny = PairedT(1, 2).sd", "data"),
    ("y = (", ""),
    ("try:\n    y = x\nexcept ValueError:\n    y = 3", "q1"),
)
def test_what_an_answer_is_worked_out_of(source: str, made_of: str) -> None:
    """As its cells say; they are never run."""
    cells = [
        RunCell("", "import numpy as np\nfrom fstats import exercise\ntask = exercise('e')\na = task.data['a']"),
        RunCell("", "x = [1, 2, 3]"),
        RunCell("", "x", "q1"),
        RunCell("", source),
        RunCell("", "y", "q2"),
    ]
    assert (answer_dependencies(cells), DATA) == ({"q1": frozenset(), "q2": frozenset(made_of.split())}, "data")


@pytest.mark.every_case
@parametrize(
    "source, answer, known",
    ("from fstats import PairedT as T\nt = T(a, b)", "t.pvalue", True),
    ("import fstats.procedures, numpy", "fstats.PairedT(a, b).steps[0]", True),
    ("import fstats as f\nx: object\nx, (y, z) = 1, f.PairedT(a, b)", "float(z)", True),
    ("import fstats as f\nx: object = f.PairedT(a, b)\nx = 3", "x", False),
    ("import fstats as f\nx = y = f.PairedT(a, b).sd", "round(x, 3)", True),
    ("import fstats as f", "f.PairedT(a, b).sd ** 2", False),
    ("import numpy as f", "f.PairedT(a, b)", False),
    ("from fstats import exercise\ntask = exercise('e')", "task.data['a']", False),
    ("import fstats", "fstats.individual('e').data", False),
    ("from fstats.distributions import StudentT", "StudentT(3).at_least(2)", False),
    ("from fstats.core import StudentT", "StudentT(3).at_least(2)", True),
    ("from fstats import PairedT\nt = (", "t", False),
    ("", "", False),
)
def test_which_answers_only_ask_the_package(source: str, answer: str, known: bool) -> None:
    """By whatever names it goes, but for what the exercise allows; what is worked out with a value of it is an answer."""
    cells = [RunCell("", source), RunCell("", answer, "q1"), RunCell("", "t = 1"), RunCell("", "t", "q2")]
    assert package_answers(cells, ["distributions"]) == ["q1"] * known


@pytest.mark.complete
@pytest.mark.parametrize("source", ["y = " + "(" * 5000, "y = " + "-" * 100_000 + "1", "if 1:\n x = 1\n" * 2000, "\0", "y = 1\n" * 30_000])
def test_no_source_is_too_odd_to_read(source: str) -> None:
    assert answer_dependencies([RunCell("", source), RunCell("", "y", "q1")]) == {"q1": frozenset()}
