"""nbgrader stays possible: its own validator has nothing to say of the notebooks, and reads the points of each check.

The page for graders shows how its marks can be faked; the marker's cannot (tests/hostile).
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import nbformat
import pytest
from class_of import ROOT
from nbgrader import nbgraderformat

from fstats import exercise

NOTEBOOKS = sorted([*(ROOT / "solutions").glob("*.ipynb"), *(ROOT / "exercises").glob("*.ipynb")])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nbgrader_calls_the_metadata_valid(path: Path) -> None:
    """Ids, kinds of cells and points, by the schema of the version that is installed."""
    with path.open(encoding="utf-8") as file:
        notebook = nbgraderformat.read(file, as_version=4)
    marked = [cell.metadata.nbgrader for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    assert marked
    assert {type(about.points) for about in marked} == {float}


@pytest.mark.parametrize(("value", "points"), [(2.5, 1.0), (-2.5, 0.0), (..., 0.0)])
def test_nbgrader_reads_the_points_without_a_warning(
    value: Any, points: float, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a cell as Jupyter keeps it after nbgrader has run it."""
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


@pytest.mark.slow
def test_nbgrader_validates_a_solution() -> None:
    """Its command runs the notebook and finds every check passed."""
    from nbgrader.validator import Validator

    path = next((ROOT / "solutions").glob("*_sign_test_by_hand.ipynb"))
    assert Validator().validate(str(path)) == {}
