"""One line for each thing that must not change when only the house changes: what is counted, how many, and their sha256.

    python tests/digests.py            of the package that is imported, and of the notebooks beside these tests
    python tests/digests.py marks      one of them: tests, students, notebooks, studies, marks

Run it before and after, and compare.
"""

import contextlib
import hashlib
import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from cases import R, every, make

import fstats
from fstats.cli import main as command
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Question
from fstats.teaching.marking.release import personal_notebook

ROOT = Path(__file__).parents[1]
SECRET = "a secret of this comparison"
STUDENTS = 60
CLASS = 200


def rounded(value: Any) -> Any:
    """Numbers to twelve digits, which another order of a sum does not change."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    if isinstance(value, float):
        return f"{value:.12g}" if abs(value) > 1e-13 else "0"
    return value


def lasting(value: Any) -> Any:
    """A mark without what is drawn anew in each run: answers computed again, a function's data, the bytes that came."""
    if isinstance(value, dict):
        drawn = {"computed", "submission"} | ({"given"} if value.get("kind") == "function" else set())
        return {key: lasting(one) for key, one in value.items() if key not in drawn}
    return [lasting(one) for one in value] if isinstance(value, list) else value


def tests() -> Iterator[str]:
    """Every test, alternative and repetition of the loop over all tests."""
    for name, alternative in every:
        batch = make(name, alternative)
        for k in range(R):
            yield json.dumps([name, alternative, k, rounded(batch.at(k).to_dict())])


def students() -> Iterator[str]:
    """The data of sixty students for each exercise, and the replies to right answers, slips, cut and shifted ones."""
    for name in exercise_names():
        about = load_exercise_definition(name)
        for student in range(STUDENTS):
            task = fstats.individual(f"student {student}", name, SECRET)
            yield json.dumps([name, student, rounded({key: np.asarray(value).tolist() for key, value in sorted(task.data.items())})])
            for question in (one for one in about.questions if isinstance(one, Question)):
                right = getattr(start_test(about.tested(question), task._data), question.step)
                wrong = [getattr(start_test(slip.wrong, task._data), question.step) for slip in about.mistakes_at(question)]
                number = np.asarray(right).dtype.kind in "fiu"
                near = [np.asarray(right) * 1.03, -np.asarray(right), np.round(np.asarray(right, float), 2)] if number else []
                for answer in (right, *wrong[student % 3 :: 3], *near):  # each student makes a third of the mistakes
                    said = task.fresh().check(question.key, answer)
                    yield json.dumps([question.key, said.verdict, said.mistake, *said.lines])


def notebooks() -> Iterator[str]:
    """The outputs of all notebooks."""
    for path in sorted(ROOT.glob("*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield json.dumps([path.name, [cell.get("outputs", []) for cell in cells]])


def studies() -> Iterator[str]:
    """Every table of the stored studies."""
    for study in ("contingency", "fold-hacking", "bcv", "correlations", "seeds", "small-samples"):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            command(["reproduce", study])
        yield said.getvalue()


def marks() -> Iterator[str]:
    """The marks of two hundred submissions: solved, solved with one answer that is off, and empty ones, of each exercise in turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for k in range(CLASS):
            solution = sorted((ROOT / "solutions").glob("[0-9]*.ipynb"))[k % len(exercise_names())]
            exercise, who = solution.stem.partition("_")[2], f"s{k:03d}"
            handed_in = json.loads((solution if k % 3 else ROOT / "exercises" / solution.name).read_text(encoding="utf-8"))
            text = json.dumps(personal_notebook(handed_in, exercise, data_token(who, exercise, SECRET)))
            (folder / "in" / who).mkdir(parents=True)
            (folder / "in" / who / solution.name).write_text(text.replace("ddof=1", "ddof=0") if k % 3 == 2 else text)
        (folder / "roster.csv").write_text("\n".join(["id", *(f"s{k:03d}" for k in range(CLASS))]) + "\n")
        (folder / "secret.txt").write_text(SECRET)
        files = ("--students", folder / "roster.csv", "--secret", folder / "secret.txt", "--out", folder / "out", "--jobs", "2")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            command([str(word) for word in ("grade", folder / "in", *files)])
        for row in json.loads((folder / "out" / "graded.json").read_text(encoding="utf-8"))["rows"]:
            yield json.dumps(lasting(row), sort_keys=True)


def main() -> None:
    """Print the lines."""
    kinds: dict[str, Callable[[], Iterator[str]]] = {one.__name__: one for one in (tests, notebooks, studies, students, marks)}
    if unknown := sys.argv[1:] and {*sys.argv[1:]} - kinds.keys():
        if unknown <= {"-h", "--help"}:
            print(__doc__)
            return
        raise SystemExit(f"a name must be one of {', '.join(kinds)}; got {', '.join(sorted(unknown))}")
    for name in sys.argv[1:] or kinds:
        found, many = hashlib.sha256(), 0
        for line in kinds[name]():
            found.update(line.encode())
            many += 1
        print(f"{name:10} {many:6}  {found.hexdigest()[:32]}", flush=True)


if __name__ == "__main__":
    main()
