"""nbgrader stays possible: its own validator has nothing to say of the notebooks, and reads the points of each check.

The page for graders shows how its marks can be faked; the marker's cannot (tests/hostile).
"""

import json
import logging
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, only_judging, roster_file

from fstats import cli, exercise
from fstats.teaching.marking.learning_platforms.nbgrader_exchange import write_exchange_feedback
from fstats.teaching.marking.marks.mark_archive import grades_from_json

NOTEBOOKS = sorted([*(ROOT / "solutions").glob("*.ipynb"), *(ROOT / "exercises").glob("*.ipynb")])


@pytest.mark.complete
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nbgrader_calls_the_metadata_valid(path: Path) -> None:
    from nbgrader import nbgraderformat  # here and not above, where each worker would wait seconds for it

    with path.open(encoding="utf-8") as file:
        notebook = nbgraderformat.read(file, as_version=4)
    marked = [cell.metadata.nbgrader for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    assert marked
    assert {type(about.points) for about in marked} == {float}


@pytest.mark.parametrize(("value", "points"), [(2.5, 1.0), (-2.5, 0.0), (..., 0.0)])
def test_nbgrader_reads_the_points_without_a_warning(
    value: Any, points: float, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from nbgrader.utils import determine_grade

    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    path = next((ROOT / "exercises").glob("*_paired_t_by_hand.ipynb"))
    cell = next(c for c in nbformat.read(path, as_version=4).cells if c.metadata.get("nbgrader", {}).get("grade_id") == "q2")
    said = exercise("paired_t_by_hand").check("q2", value)
    shown = {"text/plain": repr(said), "text/html": said._repr_html_()}
    cell.outputs = [nbformat.v4.new_output("execute_result", data=shown, execution_count=1)]
    with caplog.at_level(logging.WARNING):
        assert determine_grade(cell, logging.getLogger("nbgrader")) == (points, 1.0)
    assert caplog.records == []
    json.dumps(cell)


@pytest.mark.complete
@pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows")
def test_feedback_goes_through_the_exchange_of_nbgrader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Students submit with nbgrader, the class is graded from the folder "inbound", and each fetches with nbgrader what is his."""
    from nbgrader.auth import Authenticator
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeFetchFeedback, ExchangeSubmit

    course = tmp_path / "exchange" / "stats"
    (course / "outbound" / EXERCISE).mkdir(parents=True)
    (course / "outbound" / EXERCISE / NOTEBOOK).write_text("{}")
    (course / "inbound").mkdir()
    course.parent.chmod(0o777)

    def nbgrader(kind: Any, student: str) -> None:
        home = tmp_path / "home" / student
        (home / EXERCISE).mkdir(parents=True, exist_ok=True)
        (home / EXERCISE / NOTEBOOK).write_text("{}" if student == "s1" else '{"answers": {}}')
        of = CourseDirectory(root=str(home), course_id="stats", assignment_id=EXERCISE, student_id=student)
        about = {"root": str(course.parent), "cache": str(home / "cache"), "assignment_dir": str(home)}
        kind(coursedir=of, authenticator=Authenticator(), **about).start()

    for student in ("s1", "s2", "s2"):
        nbgrader(ExchangeSubmit, student)
    only_judging(monkeypatch)
    (tmp_path / "secret.txt").write_text(SECRET)
    files = {"--students": roster_file(tmp_path), "--secret": tmp_path / "secret.txt", "--out": tmp_path / "out"}
    words = ["grade", str(course / "inbound"), *(str(word) for pair in files.items() for word in pair), "--jobs", "1", "--exchange"]
    assert cli.main(words) == 0
    rows = {one.student.id: one for one in grades_from_json(tmp_path / "out" / "graded.json")}
    assert [(rows[student].points, rows[student].attempts) for student in ("s1", "s2")] == [(10.0, 1), (0.0, 2)]
    assert all(rows[s].attempt.submission.known_by == "timestamp.txt" for s in ("s1", "s2"))  # type: ignore[union-attr]
    assert "submission_secret" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    for student, points in (("s1", "10 of 10 points."), ("s2", "0 of 10 points.")):
        nbgrader(ExchangeFetchFeedback, student)
        (fetched,) = (tmp_path / "home" / student / EXERCISE / "feedback").rglob("*.html")
        assert points in fetched.read_text(encoding="utf-8")
    for path in (course / "inbound").glob("*/submission_secret.txt"):  # a link to somebody else's file is not followed
        path.rename(path.with_suffix(".kept"))
        path.symlink_to(path.with_suffix(".kept"))
    assert write_exchange_feedback([*rows.values()], course / "inbound") == 0


@pytest.mark.slow
def test_nbgrader_validates_a_solution() -> None:
    from nbgrader.validator import Validator

    path = next((ROOT / "solutions").glob("*_sign_test_by_hand.ipynb"))
    assert Validator().validate(str(path)) == {}
