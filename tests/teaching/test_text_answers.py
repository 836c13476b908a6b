"""Answers in cells that became Markdown or raw: student and lecturer read the cause, and not the NameErrors that follow."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

import pytest
from shortcuts import parametrize
from test_marking_worker import ROOT, filled, mark, notebook_of, verdicts

from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.marking.marks.text_answer_replies import find_text_answers

NAME = "paired_t_by_hand"
EVERY = [f"answer_q{k}" for k in range(1, 11)]
REMEDY = "choose Code as its type, run the cell, and hand the notebook in again"


def of_another_type(kind: str, names: Collection[str], *, nameless: bool = False, notebook: bytes = b"", more: str = "") -> bytes:
    """The solution, in which these cells have another type; `more` is one more Markdown cell."""
    content = json.loads(notebook or notebook_of(NAME, "solutions"))
    for cell in content["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id", "") in names:
            cell["cell_type"] = kind
            cell["metadata"] = {} if nameless else cell["metadata"]
    content["cells"] += [{"cell_type": "markdown", "metadata": {}, "source": more}] * bool(more)
    return json.dumps(content).encode()


def found(notebook: bytes) -> dict[str, str]:
    """The types of the answers in other cells, by question."""
    reference = json.loads(notebook_of(NAME, "exercises"))
    return find_text_answers(reference, notebook)[0]


@pytest.mark.parametrize("nameless", [False, True])
@pytest.mark.parametrize(("kind", "word"), [("markdown", "Markdown"), ("raw", "raw"), ("heading", "Markdown")])
def test_the_answers_in_other_cells_are_found(kind: str, word: str, nameless: bool) -> None:
    """By the name of the cell; where an editor has dropped the names, by what it assigns."""
    assert found(of_another_type(kind, ["answer_q1", "answer_q4"], nameless=nameless)) == {"q1": word, "q4": word}


@parametrize(
    "notebook",
    of_another_type("markdown", []),
    of_another_type("markdown", ["reflection_q1"]),
    of_another_type("markdown", EVERY, notebook=notebook_of(NAME, "exercises")),
    of_another_type("markdown", [], more="The differences:\n\nd = a - b"),
    of_another_type("markdown", [], more="nothing = 3", notebook=filled(q1="")),
    of_another_type("markdown", ["answer_q1"], notebook=filled(q1="What I think: a is better.")),
)
def test_no_other_text_is_taken_for_an_answer(notebook: bytes) -> None:
    """What was handed out, an explanation beside the answer, a text in words."""
    assert found(notebook) == {}


@pytest.fixture(scope="module")
def marked(strong: Marker) -> Callable[[bytes], SubmissionMark]:
    """What the marker says of a notebook."""
    return lambda notebook: mark(strong, notebook)


def texts(one: SubmissionMark) -> dict[str, Any]:
    return {question.key: " ".join(question.lines) for question in one.questions}


@pytest.mark.parametrize("nameless", [False, True])
def test_the_cause_is_named_to_student_and_lecturer(marked: Callable[[bytes], SubmissionMark], nameless: bool) -> None:
    one = marked(of_another_type("markdown", ["answer_q1"], nameless=nameless))
    cause = "The cell with the answer to q1 is a Markdown cell"
    said = texts(one)
    assert said["q1"] == f"{cause}, and only code cells are run: in Jupyter select the cell, {REMEDY}."
    assert said["q2"] == f"{cause}, and this answer needs names that were not defined."
    assert "NameError" not in " ".join((*said.values(), *one.problems))
    assert one.problems[0].startswith(cause)
    assert f"{cause}, and was not run." in one.flags
    assert verdicts(one)["q1"] == "unanswered"
    assert "\n| an answer in a Markdown or raw cell |" in (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")


def test_a_later_answer_leaves_the_earlier_ones_right(marked: Callable[[bytes], SubmissionMark]) -> None:
    """A raw cell, too; an error of another kind stays."""
    notebook = of_another_type("raw", ["answer_q3"], notebook=filled(q1="d = a - b", q2="mean = d.mean()\n1 / 0", q3="sd = d.std(ddof=1)"))
    one = marked(notebook)
    assert verdicts(one) | {"q1": "right", "q2": "right", "q3": "unanswered"} == verdicts(one)
    assert texts(one)["q3"].startswith("The cell with the answer to q3 is a raw cell")
    assert "ZeroDivisionError" in " ".join(one.problems)


def test_all_answers_in_markdown_are_one_sentence(marked: Callable[[bytes], SubmissionMark]) -> None:
    one = marked(of_another_type("markdown", EVERY))
    assert set(verdicts(one).values()) == {"unanswered"}
    assert any(flag.startswith("Each cell with the answer to q1, q2, ") for flag in one.flags)
    assert all("is a Markdown cell" in text for text in texts(one).values())


def test_an_answer_that_is_there_as_well_counts(marked: Callable[[bytes], SubmissionMark]) -> None:
    one = marked(of_another_type("markdown", ["answer_q1"], notebook=filled(q1="d = a - b", extra="d = a - b")))
    assert verdicts(one)["q1"] == "right"
    assert not any("Markdown" in text for text in (*one.flags, *one.problems))
