"""Where one stands: read from the replies on saved pages, and from nothing else."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from shortcuts import assert_raises, parametrize

from fstats import exercise, progress
from fstats.teaching.course.catalogue import load_exercise_definition
from fstats.teaching.grading.exercise_notebook import checked_key, exercise_name
from fstats.teaching.grading.verdicts.feedback import VERDICT_DISPLAY, Feedback, parse_reply

EXERCISES = Path(__file__).parents[2] / "exercises"
PAGE = EXERCISES / "01_paired_t_by_hand.ipynb"


@pytest.mark.parametrize("verdict", VERDICT_DISPLAY)
def test_a_verdict_is_read_as_it_was_written(verdict):
    said = Feedback("q12", verdict, ("A line with q1  ✓ Right in it.",), "division by n" * (verdict == "mistake"), guess=True)
    assert parse_reply(repr(said)) == ("q12", verdict)


@pytest.mark.complete
@pytest.mark.parametrize("text", ["", "q1", "0.7266", "q1  Right", "  q1   ✓ Right (1)"])
def test_other_texts_are_no_replies(text):
    assert parse_reply(text) is None


def test_all_questions_of_all_pages_are_there_and_none_is_answered():
    found = progress(EXERCISES)
    assert [page.path for page in found.pages] == sorted(EXERCISES.glob("*.ipynb"))
    for page in found.pages:
        asked = load_exercise_definition(exercise_name(nbformat.read(page.path, as_version=4))).questions
        assert [key for key, _ in page.replies] == [question.key for question in asked], page.path.name
    assert found.begun == []
    assert repr(found) in found._repr_html_()
    assert "No question is answered yet" in repr(found)


def answer(page, replies):
    """Save replies on a page, as JupyterLab does: below their checks, the text line by line."""
    notebook = json.loads(page.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and (key := checked_key("".join(cell["source"]))) in replies:
            text = repr(replies[key]).splitlines(keepends=True)
            cell["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": text}, "metadata": {}, "execution_count": 1}]
    page.write_text(json.dumps(notebook), encoding="utf-8")


def test_answers_count_as_the_page_says(tmp_path):
    task = exercise("paired_t_by_hand")
    tests = {
        question.key: getattr(task.test_of(question), question.step) for question in task.exercise.questions if hasattr(question, "step")
    }
    mine = tmp_path / PAGE.name
    shutil.copy(PAGE, mine)
    shutil.copy(EXERCISES / "02_wilcoxon_by_hand.ipynb", tmp_path)
    answer(mine, {"q1": task.check("q1", tests["q1"]), "q2": task.check("q2", 12345.0), "q3": task.check("q3", tests["q3"])})
    found = progress(tmp_path)
    (page,) = found.begun
    assert (page.right, page.next_question) == (2, "q2")
    of = sum(len(page.replies) for page in found.pages)
    assert found.sentence == f"2 of {of} answers are right; 0 of 2 exercises are complete."
    assert f"■▪■{'·' * (len(page.replies) - 3)}  2 of {len(page.replies)}  q2" in repr(found)
    answer(mine, {key: Feedback(key, "right") for key, _ in page.replies})
    assert "1 of 2 exercises are complete." in repr(progress(tmp_path))
    assert progress(tmp_path).begun[0].next_question == ""


def test_the_link_leads_to_the_page(tmp_path):
    strange = tmp_path / "O'Hara & son <1>.ipynb"
    shutil.copy(PAGE, strange)
    answer(strange, {"q1": Feedback("q1", "unknown")})
    assert f"{tmp_path.as_posix()}/O&#x27;Hara &amp; son &lt;1&gt;.ipynb" in progress(tmp_path)._repr_html_()


@parametrize("text", "", "[]", "{}", '{"cells": 3}', '{"cells": [{}]}', "\ufffe", '{"cells": [{"cell_type": "code", "source": 3}]}')
def test_what_is_no_notebook_is_named_and_passed_over(tmp_path, text):
    shutil.copy(PAGE, tmp_path)
    (tmp_path / "<b>.ipynb").write_text(text, encoding="utf-8")
    found = progress(tmp_path)
    assert [path.name for path in found.unread] == ["<b>.ipynb"]
    assert "<b>.ipynb is not a readable notebook" in repr(found)
    assert "&lt;b&gt;.ipynb is not a readable notebook" in found._repr_html_()


def test_no_page_is_an_error_that_says_where_it_looked(tmp_path):
    assert_raises(lambda: progress(tmp_path), f"found none in .*{tmp_path.name}", FileNotFoundError)
    assert_raises(lambda: progress(tmp_path / "nowhere"), "found none in", FileNotFoundError)
