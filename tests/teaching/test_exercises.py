"""Every exercise: its mistakes are told apart on anybody's data, its notebooks are what build derives, its hints keep the secret."""

import hashlib
import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from scipy import stats
from typesetting import typeset

from fstats import exercise, individual
from fstats.studies import fold_hacking
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import is_verdict, start_test
from fstats.teaching.grading.exercise_notebook import BEGIN, exercise_name
from fstats.teaching.grading.hints.hints import END
from fstats.teaching.grading.hints.python_call import call_for
from fstats.teaching.grading.question import Choice, Question
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.notebook_build import derive_exercise, exercise_path

ROOT = Path(__file__).parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
SECRET = "only for the tests of this package"
STUDENTS, MANY_STUDENTS = 3, 200
CALLED = r"\b(?:np|stats)(?:\.[a-z_0-9]+)+"
each_exercise = pytest.mark.parametrize("name", exercise_names())
each_solution = pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)


def wrong_answer(mistake: Any, question: Any, data: Any) -> Any:
    """What a student who makes a mistake finds at a question."""
    return getattr(start_test(mistake.wrong, data), question.step)


# -- hints -------------------------------------------------------------------------------------------------------------------
def wrong_in_no_known_way(right: Any, times: int, digits: bool) -> Any:
    """A wrong answer of the right kind, another one each time, with few digits or as many as the right one; a word or a yes has but one."""
    wrong = np.array(right)
    if wrong.dtype.kind == "b" and wrong.ndim:
        wrong.flat[times - 1 :: 3] ^= True
        return wrong
    if wrong.dtype.kind in "bU":
        return not right if wrong.dtype.kind == "b" else np.full(wrong.shape, "wxyz"[times])
    wrong = wrong * float(digits) + 791.3 * times
    return wrong if wrong.ndim else float(wrong)


@cache
def told_when_wrong(name: str, student: str, digits: bool) -> list[tuple[Question, Any, list[Feedback]]]:
    """Each question with its right answer, and with what one wrong answer after the other is told."""
    about, found = load_exercise_definition(name), []
    for question in (q for q in about.questions if isinstance(q, Question)):
        task = individual(student, name, SECRET) if student else exercise(name)
        right = getattr(start_test(about.tested(question), task._data), question.step)
        times = 1 if is_verdict(right) else 8 if np.asarray(right).dtype.kind in "fiu" else 3
        said = [task.check(question.key, wrong_in_no_known_way(right, k, digits)) for k in range(1, times + 1)]
        found.append((question, right, said))
    return found


@pytest.mark.complete
@pytest.mark.parametrize("student", ["", pytest.param("student 1", marks=pytest.mark.slow)], ids=["course", "student"])
@each_exercise
def test_hints_grow_and_never_give_the_number_away(name: str, student: str) -> None:
    """Seven different wrong answers in a row, on the data of the course in every run, on those of a student in the complete tier."""
    for question, right, all_said in told_when_wrong(name, student, False):  # where many of them come from is another question
        if np.asarray(right).dtype.kind not in "fiu":
            continue
        lengths = []
        for said in all_said[:7]:
            assert said.verdict == "unknown", (question.key, said)
            lengths.append(len([line for line in said.lines if "entries are right" not in line]))  # which is told twice only
            if not np.ndim(right) and not np.equal(np.mod(right, 1), 0):
                assert f"{float(right):.4g}" not in " ".join(said.lines), (question.key, said)
        assert lengths == sorted(lengths)
        assert lengths[-1] > lengths[0]


@pytest.mark.complete
@pytest.mark.every_case
@pytest.mark.parametrize("digits", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few digits", "many digits"])
@each_exercise
def test_what_is_asked_for_is_never_all_that_is_said_twice(name: str, digits: bool) -> None:
    """Each wrong answer without a name is told more than the one before, at last that this is the last hint; of a lone yes more at once."""
    for question, right, said in told_when_wrong(name, "", digits):
        lone, number = is_verdict(right), np.asarray(right).dtype.kind in "fiu"
        lines = [one.lines for one in said if one.verdict == "unknown"]
        assert all(len(told) > 1 or not told[0].startswith("The question asks for") for told in (lines if lone else lines[1:])), (
            question.key
        )
        for earlier, later in pairwise(lines):
            directions = [
                line for line in later if line.startswith(("Too ", "Your answer is too ", "Your answer is far too ", "Your answer lies "))
            ]  # told twice only
            assert set(later) - {*earlier, *directions} or END in later, (question.key, later)
        assert not number or END in lines[-1], question.key


@each_exercise
def test_the_call_in_a_hint_computes_the_line_of_the_example(name: str) -> None:
    """Typed as it stands, numpy and SciPy give the number that stands beside it."""
    about, rng = load_exercise_definition(name), np.random.default_rng(1)
    for question in (q for q in about.questions if isinstance(q, Question)):
        for _ in range(2):
            test = start_test(about.tested(question), about.draw(rng))
            typed, value = call_for(about, question, test), np.asarray(getattr(test, question.step))
            if typed:
                found = np.asarray(eval(typed, {"np": np, "stats": stats}))
                assert np.allclose(found, value[value != 0] if found.shape != value.shape else value, rtol=2e-3, atol=1e-9), typed


@each_solution
def test_the_calls_of_the_hints_were_met_in_the_notebooks(path: Path) -> None:
    """In a notebook that is to be read before, or to which a reply leads; but for functions that Python itself has."""
    about = load_exercise_definition(path.stem.split("_", 1)[1])
    to_read = nbformat.read(path, as_version=4).cells[0].source.partition("**Read before.**")[2].partition("\n\n")[0]
    notebooks = {*re.findall(r"notebooks/(\w+)\.ipynb", to_read), *(question.see.notebook for question in about.questions)}
    cells = [cell for one in notebooks for cell in nbformat.read(ROOT / "notebooks" / f"{one}.ipynb", as_version=4).cells]
    used = {"np.sum", "np.min", "np.max"}
    used |= set(re.findall(CALLED, "\n".join(cell.source for cell in cells if cell.cell_type == "code")))
    for question in (q for q in about.questions if isinstance(q, Question)):
        test = start_test(about.tested(question), about.draw(np.random.default_rng(1)))
        new = set(re.findall(CALLED, call_for(about, question, test))) - used
        assert not new, (
            f"the hint of {question.key} calls {sorted(new)}, which none of {sorted(notebooks)} uses: link a notebook that uses it in "
            "**Read before.**, or use it in one of these"
        )


@pytest.mark.complete
@pytest.mark.parametrize("neighbours", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["mistakes", "neighbours"])
@each_exercise
def test_formulas_in_feedback_can_be_typeset(name: str, neighbours: bool) -> None:
    """What stands between dollars in right answers and in mistakes is LaTeX that MathJax and matplotlib share."""
    about = load_exercise_definition(name)
    task = exercise(name)
    found: list[str] = []
    for question in (q for q in about.questions if isinstance(q, Question)):
        answers = [getattr(start_test(about.tested(question), task._data), question.step)]
        shown = [mistake for mistake in about.mistakes_at(question) if (mistake in about.neighbours) is neighbours]
        answers += [wrong_answer(mistake, question, task._data) for mistake in shown]
        for line in (line for value in answers for line in task.fresh().check(question.key, value).lines):
            for formula in re.findall(r"\$([^$]+)\$", line):
                found += typeset(formula)
    assert found or not any(isinstance(q, Question) for q in about.questions)


# -- the data of a token never change --------------------------------------------------------------------------------------------
TOKENS = ["0123456789abcdef", *(f"{k:016x}" for k in range(23))]


def fingerprint(name: str) -> str:
    """What the data of some tokens are, in eight letters: of so many that one more mistake, for which some are drawn again, shows."""
    written = hashlib.sha256()
    for token in TOKENS:
        data = exercise(name, token).data
        told = repr([(key, value.tolist() if isinstance(value, np.ndarray) else value) for key, value in sorted(data.items())])
        written.update(told.encode())
    return written.hexdigest()[:8]


PINNED = json.loads(Path(__file__).with_name("data_of_tokens.json").read_text(encoding="utf-8"))


@pytest.mark.complete
@each_exercise
def test_the_data_of_a_token_never_change(name: str) -> None:
    """A student keeps the same numbers after an update (also of numpy); whoever changes how data are drawn changes this on purpose."""
    found = fingerprint(name)
    assert PINNED.get(name) == found, (
        f'"{name}": "{found}", is the line for these data. If the exercise is new, copy the line into data_of_tokens.json. Otherwise, '
        "students would get other numbers than before: change it only between courses. During a course, put a mistake into "
        "common_mistakes.toml: for these mistakes, no data are drawn again"
    )


# -- the same numbers by other means ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("token", ["", *(f"{k:016x}" for k in range(6))])
def test_a_hacked_verdict_by_other_means(token: str) -> None:
    """What the exercise finds in stored results, from their counts and by SciPy; and what its question about none takes for granted."""
    task = exercise("hack_a_verdict", token)
    name, a, b, first, seeds, chance = (task.data[one] for one in ("data_set", "learner_a", "learner_b", "first", "seeds", "chance"))
    kept = fold_hacking.stored(name, mode="as printed")
    right = kept.right[first : first + seeds] / kept.sizes[:, np.newaxis]
    a, b = (right[..., fold_hacking.LEARNERS.index(one)] for one in (a, b))
    same = (a == b).all(1)  # of which SciPy says nan
    t, p = (np.where(same, 0, part) for part in stats.ttest_rel(a + same[:, np.newaxis] * np.arange(5), b, axis=1))
    significant = ~same & (p <= 0.05)
    for_a, for_b = np.flatnonzero(significant & (t > 0)), np.flatnonzero(significant & (t < 0))
    assert task.is_right("q6", [first + for_a[0], first + for_b[0], first + np.flatnonzero(~significant)[0]])
    assert task.is_right("q7", len(for_a) / seeds)
    missed = np.cumprod(1 - len(for_a) / (seeds - np.arange(seeds)))  # none of the first m serves
    assert task.is_right("q10", 1 + int(np.argmax(missed <= 1 - chance)))
    assert task.is_right("q11", p[for_a[0]])
    verdicts = task.exercise.test(**task.data).mcnemar_verdicts
    assert (verdicts[0], verdicts.sum()) == (0, task.data["halvings"])


@pytest.mark.parametrize("token", ["", *(f"{k:016x}" for k in range(6))])
def test_other_words_for_a_hacked_verdict(token: str) -> None:
    """The text promises A, B (the variables or their names) and neither; what else says neither is read as such, and nothing else is."""
    task = exercise("hack_a_verdict", token)
    about, a, b = task.exercise.test(**task.data), task.data["learner_a"], task.data["learner_b"]
    assert about.claim == "neither"  # always: who looks at the sign alone is told apart
    for words in ("neither", "None", " none ", "no difference", "equal"):
        assert task.fresh().check("q5", words).is_right
    ahead, behind = ("A", "B") if about.statistic > 0 else ("B", "A")
    for letter in (ahead, ahead.lower(), {"A": a, "B": b}[ahead]):
        assert task.fresh().check("q5", letter).mistake == "the sign taken for a verdict"
    for words in (behind, {"A": a, "B": b}[behind], "both", "C"):
        assert task.fresh().check("q5", words).verdict == "unknown"


def test_bonferroni_for_a_number_of_tries_that_the_outcome_chooses() -> None:
    """The worked answer of the hacked verdict: stop at the first p <= 0.05, compare it with 0.05 / k; summed and simulated."""
    k = np.arange(1, 2000)
    summed = (0.95 ** (k - 1) * 0.05 / k).sum()
    assert summed == pytest.approx(0.158, abs=0.0005)
    p = np.random.default_rng(0).random((20_000, 400))
    stopped = (p <= 0.05).argmax(1)
    assert np.mean(p[np.arange(len(p)), stopped] <= 0.05 / (stopped + 1)) == pytest.approx(summed, abs=0.01)


# -- sections and words ------------------------------------------------------------------------------------------------------
@cache
def headings(notebook: str) -> set[str]:
    cells = nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4).cells
    return {
        line.lstrip("# ").strip()
        for cell in cells
        if cell.cell_type == "markdown"
        for line in cell.source.split("\n")
        if line.startswith("#")
    }


@pytest.mark.every_case
@each_exercise
def test_every_link_leads_to_a_section_that_exists(name: str) -> None:
    about = load_exercise_definition(name)
    for see in [asked.see for asked in (*about.questions, *about.mistakes)]:
        assert see.heading in headings(see.notebook), see


@each_exercise
def test_answers_to_choose_from_are_explained(name: str) -> None:
    """Each option says why it is wrong (or right), and the right one stands anywhere."""
    for question in (q for q in load_exercise_definition(name).questions if isinstance(q, Choice)):
        assert 2 <= len(question.options) <= 8
        assert all(len(option.because) > 20 for option in question.options)
        assert not question.options[0].mistake
        assert len({question.order(str(k)).index(0) for k in range(40)}) == len(question.options)


@each_exercise
def test_the_printed_solution_is_right(name: str) -> None:
    """For the course's data and for a student's: each question with its answer and its points."""
    for task in (exercise(name), individual("student 1", name, SECRET)):
        lines = task.solution().splitlines()
        for question in task.exercise.questions:
            (line,) = (line for line in lines if line.startswith(f"{question.key} ("))
            if isinstance(question, Choice):
                assert task.check(question.key, line.split()[2].rstrip(":")).is_right
            elif isinstance(question, Question) and not np.ndim(
                getattr(start_test(task.exercise.tested(question), task._data), question.step)
            ):
                text = line.rpartition(" = ")[2]
                if question.unlikely:  # a rate that nobody finds by simulation
                    continue
                assert task.check(question.key, text if text in ("yes", "no") or text.isalpha() else float(text)).is_right, line


# -- notebooks ---------------------------------------------------------------------------------------------------------------
def test_each_exercise_has_one_notebook() -> None:
    opened = [exercise_name(nbformat.read(path, as_version=4)) for path in SOLUTIONS]
    assert (sorted(opened), [path.stem.split("_", 1)[1] for path in SOLUTIONS]) == (exercise_names(), opened)
    assert [path.name for path in sorted((ROOT / "exercises").glob("*.ipynb"))] == [path.name for path in SOLUTIONS]


@each_solution
def test_the_exercise_is_what_follows_from_the_solution(path: Path) -> None:
    """Cell by cell: text, code, metadata.  (Outputs are compared when the notebooks themselves are run as tests.)"""
    exercise = nbformat.read(exercise_path(path), as_version=4)
    expected = derive_exercise(path)
    plain = [
        [{key: cell[key] for key in ("cell_type", "id", "source", "metadata")} for cell in notebook.cells]
        for notebook in (exercise, expected)
    ]
    assert plain[0] == plain[1], "drifted: fstats build"
    solution = nbformat.read(path, as_version=4)
    assert [c.metadata for c in solution.cells if "solution" not in c.metadata.get("tags", [])] == [c.metadata for c in expected.cells]
    assert not any(BEGIN in cell.source for cell in exercise.cells)


def verdicts(path: Path) -> dict[str, str]:
    """The first line of each check's output, by its question."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.metadata.get("nbgrader", {}).get("locked")]
    return {cell.metadata.nbgrader.grade_id: cell.outputs[-1].data["text/plain"].splitlines()[0] for cell in cells}


@each_solution
def test_solutions_pass_every_check_and_exercises_are_unanswered(path: Path) -> None:
    about = load_exercise_definition(path.stem.split("_", 1)[1])
    assert verdicts(path) == {q.key: f"{q.key}  ✓ Right" for q in about.questions}
    assert verdicts(exercise_path(path)) == {q.key: f"{q.key}  … Not answered yet" for q in about.questions}


@pytest.mark.every_case
@each_solution
def test_an_exercise_says_what_it_is_for(path: Path) -> None:
    """Goal, minutes, data, where to read; a picture to look at; a text of one's own."""
    notebook = nbformat.read(exercise_path(path), as_version=4)
    first = notebook.cells[0].source
    for word in ("**Goal.**", "**Time.**", "**Data.**", "**Read before.**"):
        assert word in first, f"the first cell of {path.name} says {word} (and Goal, Time, Data, Read before)"
    assert re.search(r"\*\*Time\.\*\* \d+ minutes", first)
    links = re.findall(r"\]\((\.\./[^)#]+)(#[^)]*)?\)", "\n".join(cell.source for cell in notebook.cells))
    assert links
    assert all((path.parent / link).exists() for link, _ in links)
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in shown), "a plot to read"
    reflections = [cell for cell in notebook.cells if "reflection" in cell.metadata.get("tags", [])]
    assert reflections, "ask a question that the student answers in free text; the model answer is a text cell with the tag `reflection`"
    assert sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in notebook.cells) > 0


def test_links_in_the_text_lead_to_a_cell_at_the_first_click() -> None:
    """As those of replies do: JupyterLab opens a notebook at a cell that is named, and not yet at a heading."""
    found = 0
    for path in SOLUTIONS:
        text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
        for notebook, anchor in re.findall(r"\]\(\.\./notebooks/(\w+)\.ipynb#([^)]*)\)", text):
            cells = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4).cells}
            cell = cells.get(anchor.removeprefix("cell-id="))
            assert cell is not None, f"{path.name}: write #cell-id= and the id of the cell in which the section begins; got #{anchor}"
            assert cell.source.lstrip().startswith("#")
            found += 1
    assert found
