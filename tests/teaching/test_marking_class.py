"""What the report says of a class: questions and whom they tell apart, when they were begun, whose passages are alike."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from zlib import compress

import numpy as np
import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, STUDENTS, handed_in, marks, right_answer
from scipy import stats
from shortcuts import parametrize

from fstats import individual
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.mistakes.mistake import Mistake
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.student_grade import Attempt, StudentGrade
from fstats.teaching.marking.plagiarism import similar_submissions, wrong_answer_matches
from fstats.teaching.marking.plagiarism.plagiarism_flags import discount_copies, flag_foreign_values, plagiarism_flags
from fstats.teaching.marking.plagiarism.shared_passages import Texts
from fstats.teaching.marking.plagiarism.wrong_answer_matches import density_near, exercise_task, rounded_key
from fstats.teaching.marking.reports import class_figures, item_analysis
from fstats.teaching.marking.reports.class_report import report
from fstats.teaching.marking.roster import Student
from fstats.teaching.marking.sandbox.sandbox_output import DeliveredAnswer, SandboxOutput
from fstats.teaching.marking.submissions.uploaded_files import Received

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def row(student: str, **delivered: object) -> StudentGrade:
    """What somebody has who handed in these answers."""
    task = individual(student, EXERCISE, SECRET)
    attempt = Attempt(Received(f"{student}/x.ipynb", student, EXERCISE), marks(task, delivered))
    return StudentGrade(Student(student, STUDENTS.get(student, "")), EXERCISE, Policy(), attempt, 1)


# -- questions -------------------------------------------------------------------------------------------------------------------
def test_correlations_of_questions() -> None:
    # By SciPy, and by the difference of two means.
    rng = np.random.default_rng(3)
    rest = rng.normal(size=40)
    right = rest + rng.normal(size=40) > 0.4
    found, (low, high) = item_analysis.discrimination_index(right, rest)
    assert found == pytest.approx(stats.pointbiserialr(right, rest).statistic, abs=1e-12)
    p = right.mean()
    assert found == pytest.approx((rest[right].mean() - rest[~right].mean()) / rest.std() * np.sqrt(p * (1 - p)), abs=1e-12)
    assert low < 0 < high < found
    assert (high - low) / 2 == pytest.approx(1.96 / np.sqrt(39), rel=0.1), "permuted correlations scatter by one over the root of n - 1"
    # All 6 orders of two who have it right among four: the most that there can be is no more than chance.
    right, rest = np.array([True, True, False, False]), np.array([4.0, 3.0, 2.0, 1.0])
    found, (low, high) = item_analysis.discrimination_index(right, rest)
    all_orders = {round(float(np.corrcoef(right, one)[0, 1]), 9) for one in permutations(rest)}
    assert {round(x, 9) for x in (low, high)} <= all_orders
    assert low <= found <= high  # type: ignore[operator]
    for one, other in ((np.array([True] * 4), rest), (right, np.ones(4))):
        assert item_analysis.discrimination_index(one, other) == (None, (-1.0, 1.0))


def test_a_question_in_numbers() -> None:
    """Right, given an earlier one, a name, perhaps a name, nothing: each student in one of them; what was guessed and typed."""
    task_of = {student: individual(student, EXERCISE, SECRET) for student in STUDENTS}
    rows = [row(student, **{q: right_answer(task, q) for q in ("q2", "q3", "q10")}) for student, task in task_of.items()]
    data = individual("s2", EXERCISE, SECRET).data
    gaps = data["a"] - data["b"]
    rows[1] = row("s2", q3=float(gaps.std()), q4=float(gaps.std() / len(gaps) ** 0.5))
    assert rows[0].attempt is not None
    guessed = [replace(one, guess=one.key == "q2", mistake="so" if one.key == "q2" else "", verdict="mistake") for one in rows[0].marks]
    rows[0] = replace(rows[0], attempt=replace(rows[0].attempt, marked=replace(rows[0].attempt.marked, questions=tuple(guessed))))
    found = {one.key: one for one in item_analysis.analyse_items(rows)}
    assert {name: count for name, count in found["q2"].outcomes.items() if count} == {"right": 3, "perhaps": 1, "unanswered": 1}
    assert (found["q3"].right, found["q3"].named_mistakes["divided by n"], found["q4"].outcomes["carried"]) == (0.6, 1, 1)
    assert (found["q2"].possible_mistakes["so"], found["q10"].guessing_share, found["q2"].guessing_share) == (1, 0.25, None)
    assert (found["q9"].discrimination_text, found["q9"].discrimination) == ("nothing: nobody has it right", None)
    lines = {line["question"]: line for line in csv.DictReader(io.StringIO(item_analysis.questions_csv([*found.values()])))}
    assert (lines["q3"]["right"], lines["q3"]["answers a mistake with a name"], lines["q9"]["discrimination"]) == ("0.6", "2", "")
    told = list(csv.DictReader(io.StringIO(item_analysis.mistakes_csv([*found.values()]))))
    assert {"exercise": EXERCISE, "question": "q3", "mistake": "divided by n", "students": "1", "share": "0.2", "perhaps": "0"} in told
    assert [line["perhaps"] for line in told if line["mistake"] == "so"] == ["1"]


def test_when_a_question_was_first_tried() -> None:
    """As Jupyter or Colab say it, else by the hand-in that has an answer; the earliest of all; nonsense says nothing."""

    def said(**about: object) -> bytes:
        cells = [{"metadata": {"nbgrader": {"grade_id": key}} | (more if isinstance(more, dict) else {})} for key, more in about.items()]
        return json.dumps({"cells": cells}).encode()

    jupyter = said(q1={"execution": {"iopub.execute_input": "2026-11-24T11:00:00.123Z"}}, q2=0)
    colab = said(q1={"executionInfo": {"timestamp": 1000 * (NOON.timestamp() - 7200)}})
    found = item_analysis.first_tries([(jupyter, NOON, ["q1", "q2"]), (colab, None, ["q1"]), (b"", NOON - timedelta(days=1), ["q3"])])
    assert ({key: time.hour for key, time in found.items()}, found["q3"]) == ({"q1": 10, "q2": 12, "q3": 12}, NOON - timedelta(days=1))
    for odd in ({"execution": {"iopub.execute_input": "soon"}}, {"executionInfo": {"timestamp": 1e300}}, {"execution": []}):
        assert item_analysis.first_tries([(said(q1=odd), None, ["q1"])]) == {}
    assert item_analysis.median_time([NOON, NOON + timedelta(hours=1), NOON + timedelta(hours=5)]) == NOON + timedelta(hours=1)


def test_those_to_look_at_stand_first() -> None:
    """Nobody reads two hundred rows to find one; among themselves they are in the order of the roster."""
    rows = [row(student, q1=1) for student in STUDENTS]
    rows[2], rows[4] = (replace(rows[k], flags=("Look here.",)) for k in (2, 4))
    there = re.findall(r"<th[^>]*>(s\d)</th>|<td[^>]*>(s\d)</td>", report(rows, [], [], item_analysis.analyse_items(rows)))
    assert ["".join(one) for one in there] == ["s3", "s5", "s1", "s2", "s4"]


def test_when_they_began_is_told_in_the_unit_of_what_is_drawn() -> None:
    rows = [replace(row(f"s{k}", q1=1), first_attempts={"q1": NOON + timedelta(hours=k)}) for k in range(1, 6)]
    late = replace(row("s6", q1=1), first_attempts={"q1": NOON + timedelta(days=20)})
    (asked, *_) = item_analysis.analyse_items([*rows, late])
    picture = class_figures.first_attempts_figure([asked], NOON)
    assert picture
    assert picture.ylabel == "hours from the deadline"
    assert "q1 3.5 (of 6)" in picture.text


def test_pictures_of_a_class_stay_what_they_are(changed: Callable[..., list[str]]) -> None:
    """Mistakes for sure and perhaps; within hours, days and weeks, with and without a deadline."""
    rows: list[Any] = []
    for k, student in enumerate([*STUDENTS, "s6", "s7", "s8"]):
        task = individual(student, EXERCISE, SECRET)
        gaps = task.data["a"] - task.data["b"]
        wrong = [("q3", float(gaps.std())), ("q4", float(gaps.std() / len(gaps) ** 0.5)), ("q5", k), ("q6", "x"), ("q7", 1.0)]
        one: Any = row(student, **{f"q{q}": right_answer(task, f"q{q}") for q in range(2, 10)} | dict(wrong[: (k + 3) % 6]))
        told = tuple(replace(mark, of=len(mark.key) + 1.0, guess=k in (3, 5) and bool(mark.mistake)) for mark in one.marks)
        first = {f"q{q}": NOON + timedelta(hours=k * q) for q in range(2, 5 + k)}
        rows.append(replace(one, first_attempts=first, attempt=replace(one.attempt, marked=replace(one.attempt.marked, questions=told))))
    drawn = {
        "points": class_figures.points_figure(rows),
        "became": class_figures.outcomes_figure(item_analysis.analyse_items(rows)),
        "whom it tells apart": class_figures.discrimination_figure(item_analysis.analyse_items(rows)),
    }
    drawn["mistakes"] = class_figures.mistakes_figure(rows)
    for name, due in (("begun", None), ("begun before a deadline", NOON)):
        drawn[name] = class_figures.first_attempts_figure(item_analysis.analyse_items(rows), due)
    for due in (None, NOON + timedelta(hours=50)):
        for hours in (0.1, 3, 9, 110):
            sent = [replace(one.attempt.submission, handed_in=NOON + timedelta(hours=hours * k)) for k, one in enumerate(rows)]
            whole = [replace(one, policy=Policy(deadline=due), attempt=replace(one.attempt, submission=s)) for one, s in zip(rows, sent)]
            drawn[f"every {hours} hours" + ", a deadline" * bool(due)] = class_figures.submission_times_figure(whole)
    assert changed({name: picture and picture.svg() for name, picture in drawn.items()}) == []


# -- alike -----------------------------------------------------------------------------------------------------------------------
def found_alike(rows: list[StudentGrade]) -> list[similar_submissions.SimilarPair]:
    """The pairs of a class of which nobody wrote anything but numbers."""
    path = ROOT / "exercises" / NOTEBOOK
    tokens = {student: data_token(student, EXERCISE, SECRET) for student in STUDENTS}
    return similar_submissions.find_similar_pairs(rows, tokens, json.loads(path.read_text(encoding="utf-8")), ROOT / "solutions" / NOTEBOOK)


@pytest.mark.usefixtures("without_slips")
def test_the_answers_of_somebody_else_are_found() -> None:
    """Right on his data, or by a mistake that has a name; lines that follow from each other count once."""
    other = individual("s2", EXERCISE, SECRET)
    gaps = other.data["a"] - other.data["b"]
    copied = {key: right_answer(other, key) for key in ("q2", "q4", "q5")} | {"q3": float(gaps.std())}
    (found,) = found_alike([row("s1", **copied), row("s3", q3=3.3333, q4=1.234)])
    assert (found.kind, found.student, found.other) == ("numbers", "s1", "s2")
    assert found.passages[0] == (f"q2 = {copied['q2']}, wrong here", "right for the data of s2: q2")
    assert "right for the data of s2: q3, with the mistake 'divided by n'" in [right for _, right in found.passages]
    (fewer,) = found_alike([row("s1", **{key: copied[key] for key in ("q2", "q4")}), row("s3", q3=3.3333, q4=1.234)])
    assert fewer.by_chance == pytest.approx(found.by_chance, rel=20), "q5 is q2 by q4, and says nothing more"
    assert found.by_chance < 0.05


@pytest.mark.usefixtures("without_slips")
@pytest.mark.parametrize(("shared", "named"), [((), ["s2"]), (("q2",), ["s2"]), (("q2", "q3", "q4"), ["s2", "s3"])])
def test_whom_fewer_of_the_numbers_fit_is_not_named(monkeypatch: pytest.MonkeyPatch, shared: tuple[str, ...], named: list[str]) -> None:
    """Where somebody else has these and more; who has as many is named as well."""
    tokens, expected = {who: data_token(who, EXERCISE, SECRET) for who in STUDENTS}, wrong_answer_matches.expected_value

    def value_of(task: Task, key: str, slip: Mistake | None = None) -> Any:
        """What belongs to s2, for s3 as well in the lines that they share."""
        whose = exercise_task(EXERCISE, tokens["s2"]) if task.token == tokens["s3"] and key in shared else task
        return expected(whose, key, slip)

    monkeypatch.setattr(wrong_answer_matches, "expected_value", value_of)
    copied = {key: right_answer(individual("s2", EXERCISE, SECRET), key) for key in ("q2", "q3", "q4")}
    assert sorted(one.other for one in found_alike([row("s1", **copied)])) == named


def test_a_column_of_another_length_is_somebodys() -> None:
    """It answers nothing here, and is the answer of the one from whom it comes."""
    lengths = {student: len(individual(student, EXERCISE, SECRET).data["a"]) for student in STUDENTS}
    other = next(student for student in STUDENTS if lengths[student] != lengths["s1"])
    (found,) = found_alike([row("s1", q1=right_answer(individual(other, EXERCISE, SECRET), "q1"))])
    assert (found.kind, found.student, found.other) == ("numbers", "s1", other)
    assert found.by_chance < 1e-3


@pytest.mark.complete
@parametrize(
    "told",
    '%pip install "fstats_classifiers-0.1.0-py3-none-any.whl[explore,sklearn]"\n!ls /content\n%matplotlib inline',
    'from google.colab import drive, files\ndrive.mount("/content/drive")\nfiles.upload()',
    "import numpy as np\nimport pandas as pd\nfrom matplotlib import pyplot as plt\nimport seaborn as sns",
)
def test_what_all_are_told_to_write_is_nobodys(told: str) -> None:
    """What sets up the workplace, in the notebooks of two; what they write below it in the same words is seen."""

    def both(code: str) -> list[similar_submissions.SimilarPair]:
        rows = []
        for student in STUDENTS:
            notebook = json.loads(handed_in(student, solved=False))
            notebook["cells"].insert(1, {"cell_type": "code", "metadata": {}, "source": code if student in ("s1", "s2") else "x = 1"})
            done = row(student)
            assert done.attempt
            received = replace(done.attempt.submission, packed=compress(json.dumps(notebook).encode()))
            rows.append(replace(done, attempt=replace(done.attempt, submission=received)))
        return found_alike(rows)

    assert both(told) == []
    (found,) = both("\n".join([told, *(OWN.replace("one", f"number_{k}") for k in range(9))]))
    assert (found.kind, found.student, found.other) == ("code", "s1", "s2")
    assert [side.partition(" ")[0] for side in found.passages[0]] == ["total_of_squares"] * 2


def test_honest_mistakes_are_nobodys() -> None:
    """Not those that have a name, not what follows from one, not short numbers, which many have."""
    rows = []
    for student in STUDENTS:
        gaps = np.subtract(*(individual(student, EXERCISE, SECRET).data[name] for name in "ab"))
        rows.append(row(student, q2=-float(gaps.mean()), q3=float(gaps.std()), q4=float(gaps.std() / len(gaps) ** 0.5), q6=12, q8=0.5))
    assert found_alike(rows) == []


def test_how_likely_a_number_is() -> None:
    """As often as one draws it: beside the exact probability, for a smooth law and for counts."""
    rng = np.random.default_rng(5)
    drawn = rng.normal(3, 2, 100)
    for x in (1.0, 3.0, 5.0):
        assert density_near(x, drawn, 0.005) == pytest.approx(0.01 * stats.norm(3, 2).pdf(x), rel=0.5)
    assert density_near(4.0, rng.integers(1, 7, 600).astype(float), 0.1) == pytest.approx(1 / 6, abs=0.04)
    assert 0 < density_near(9.0, np.append(drawn, 9.0), 0.005) < 1e-3, "nobody drew it but the other one"


LINES = """d = a - b; d = np.array(a) - np.array(b); mean = d.mean(); mean = np.mean(d); mean = sum(d) / len(d); sd = d.std(ddof=1)
sd = np.sqrt(((d - mean) ** 2).sum() / (len(d) - 1)); se = sd / np.sqrt(len(d)); se = sd / len(d) ** 0.5; t = mean / se; df = len(d) - 1
p = 2 * stats.t.sf(abs(t), df); p = 2 * (1 - stats.t.cdf(abs(t), df)); reject = p <= 0.05; reject = bool(p < 0.05); # the difference
# as in the lecture; print(mean, sd); n = len(a); for value in d: x += value""".replace("\n", "; ").split("; ")
OWN = "total_of_squares = sum((one - mean) * (one - mean) for one in d if one is not None)\nsd = (total_of_squares / (n - 1)) ** (1 / 2)"


def test_who_writes_alone_is_alike_to_nobody() -> None:
    """Forty students who draw each line from what all write, in any order; and two of them with the same unusual lines."""
    rng = np.random.default_rng(8)
    written = {f"s{k}": [LINES[j] for j in rng.permutation(len(LINES))[:9]] for k in range(40)}
    assert [pair for pair in Texts(written, []).pairs() if pair[3] <= similar_submissions.MAX_EXPECTED_PAIRS] == []
    written["s3"], written["s30"] = [*written["s3"], OWN], [OWN.upper(), *written["s30"]]
    (found,) = [pair for pair in Texts(written, []).pairs() if pair[3] <= similar_submissions.MAX_EXPECTED_PAIRS]
    assert (found[:2], found[2]) == (("s3", "s30"), ((OWN, OWN.upper()),))
    own = len(Texts(written, []).by_student["s3"].words)
    assert found[3] == pytest.approx(780 * own / 39**4), "four times ten words, each by nobody else"
    assert [*Texts(written, [OWN]).pairs()] == [pair for pair in Texts(written, []).pairs() if pair[2] != found[2]]
    for k in range(10, 14):
        written[f"s{k}"].append(OWN)
    pairs = [pair for pair in Texts(written, []).pairs() if pair[3] <= similar_submissions.MAX_EXPECTED_PAIRS]
    assert not pairs, "six have it: it comes from elsewhere"


def test_the_page_shows_both_sides() -> None:
    """As words, whatever stands in them; what is said of chance can be read."""
    one = similar_submissions.SimilarPair(EXERCISE, "words", "s1", "s2", (("<b>mine</b>", "<i>his</i>"),), 0.0004)
    text = similar_submissions.similarity_page([one])
    assert "&lt;b&gt;mine&lt;/b&gt;" in text
    assert "by chance: 1 in 2000 classes." in text
    assert "script" not in text
    assert '"s1","s2","0.0004","<b>mine</b>","<i>his</i>"' in similar_submissions.similarity_csv([one])
    assert "No pair is more similar" in similar_submissions.similarity_page([])
    assert [similar_submissions.format_expected_pairs(x) for x in (0.3, 3e-9)] == ["0.3", "fewer than 1 in a million classes"]


# -- copies, in every exercise ------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_copies_are_looked_for_in_every_exercise(name: str) -> None:
    """By every check, over pairs of students and against the public data: no values of whatever kinds and lengths stop one."""
    students = [Student(f"s{k}") for k in range(1, 5)]
    tokens = {who.id: data_token(who.id, name, SECRET) for who in students}
    keys = [one.key for one in load_exercise_definition(name).questions if isinstance(one, Question)]
    of = {student: {key: right_answer(exercise_task(name, own), key) for key in keys} for student, own in tokens.items()}
    public = {key: right_answer(exercise_task(name, ""), key) for key in keys}
    typed = {"s1": of["s1"], "s2": of["s1"], "s3": of["s4"], "s4": public}
    made = {student: marks(individual(student, name, SECRET), values) for student, values in typed.items()}
    found = discount_copies(made, tokens)
    assert found["s1"] == made["s1"]
    for student, other in (("s2", "s1"), ("s3", "s4")):
        own, theirs = exercise_task(name, tokens[student]), exercise_task(name, tokens[other])
        answers = SandboxOutput({key: DeliveredAnswer(value) for key, value in typed[student].items()})
        _, flag = flag_foreign_values(made[student].questions, answers, own, [theirs, exercise_task(name, "")])
        assert not flag or "are right for the data" in flag
    rows = [StudentGrade(who, name, Policy(), Attempt(Received("x.ipynb", who.id, name), made[who.id])) for who in students]
    (path,) = (ROOT / "solutions").glob(f"[0-9][0-9]_{name}.ipynb")
    reference = json.loads((ROOT / "exercises" / path.name).read_text(encoding="utf-8"))
    pairs = similar_submissions.find_similar_pairs(rows, tokens, reference, path)
    assert plagiarism_flags({row.student.id: row.attempt for row in rows if row.attempt}, tokens).keys() == tokens.keys()
    named = {(one.student, one.other) for one in pairs if one.kind == "numbers"}
    numbers = sum(bool(rounded_key(value)) for value in of["s1"].values())
    if numbers >= 9:  # of many numbers some are wrong for the one and right for the other
        assert {("s2", "s1"), ("s3", "s4")} & named or found["s2"] != made["s2"]
