"""The room is asked what is wrong with a line: one choice is right, on any data; what students wrote stays text."""

from __future__ import annotations

import csv
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from phones import lesson
from scipy import stats

from fstats.cli import main
from fstats.publish.audience_poll.lecture_command import EXAMPLE_LINES
from fstats.publish.audience_poll.line_polls import COLUMNS, line_polls
from fstats.publish.audience_poll.poll_questions import PollQuestion, poll_questions
from fstats.publish.notebook_content import read_notebook
from fstats.publish.slide_deck import deck_page
from fstats.publish.slide_layout import insert_polls
from fstats.teaching.course.catalogue import load_exercise_definition
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.verdicts.marked_line import MarkedLine
from fstats.teaching.marking.wrong_lines.common_lines import CommonLine, lines_csv

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = ("01_paired_t", "02_wilcoxon", "03_contingency_table")
LINES = [*csv.DictReader(EXAMPLE_LINES.read_text(encoding="utf-8").splitlines())]


def asked(lesson_name: str, file: Path = EXAMPLE_LINES) -> list[PollQuestion]:
    """The questions of a lesson about lines."""
    return poll_questions(line_polls(lesson_name, file))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_asks_about_lines(name: str) -> None:
    """Three lines, each with one right choice among several; the answer marks the part, the question does not."""
    questions = asked(name)
    assert len(questions) == 3
    for question in questions:
        assert (
            question.question.startswith("<em>What is wrong with this line?</em>") or "What is wrong with this line?" in question.question
        )
        assert "<code>" in question.question
        assert "<mark>" not in question.question + "".join(question.choices)
        assert sum(question.right) == 1
        assert len({*question.choices}) == len(question.choices) >= 2
        assert ["<mark>" in why for why in question.why] == [*question.right]
    assert len({question.right.index(True) for question in [one for lesson_name in LESSONS for one in asked(lesson_name)]}) > 1


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['exercise']}-{line['question']}")
def test_only_the_right_choice_gives_the_value_of_the_line(line: dict[str, str]) -> None:
    """On the data of the course and of a student: the line is its mistake, and none of the other choices."""
    exercise = load_exercise_definition(line["exercise"])
    question: Any = exercise.question(line["question"])
    (mistake,) = (one for one in exercise.mistakes_at(question) if one.name == line["mistake"])
    for data in (exercise.given, exercise.data("0123456789abcdef")):
        right = start_test(exercise.tested(question), data)
        names = {name: getattr(right, name) for name in (*type(right).steps, *type(right).inputs) if name in line["line"]}
        known = {"sqrt": np.sqrt, "abs": np.abs, "sum": np.sum, "chi2": stats.chi2, "t": stats.t}
        names = {name: np.asarray(value) for name, value in names.items() if name not in known}
        value = eval(line["line"], {**known, **names})
        same = [one for one in exercise.mistakes_at(question) if np.allclose(getattr(start_test(one.wrong, data), question.step), value)]
        assert mistake in same
        assert {one.wrong.steps[one.step].formula for one in same if one.step == mistake.step} == {
            mistake.wrong.steps[mistake.step].formula
        }
        assert not np.allclose(getattr(right, question.step), value)
    part = line["line"][int(line["marked from"]) : int(line["marked to"])]
    assert part
    assert question.see.notebook in LESSONS


@pytest.mark.complete
def test_the_deck_asks_before_its_summary() -> None:
    """With the lines that were asked for; without them the deck is what it was."""
    path = NOTEBOOKS / "01_paired_t.ipynb"
    page, _ = deck_page(path, polls=line_polls("01_paired_t", EXAMPLE_LINES))
    assert page.count("What is wrong with this line?") == 3
    assert "<mark>n</mark>" in page
    assert page.rindex("What is wrong with this line?") < page.index("In five sentences")
    assert "What is wrong with this line?" not in deck_page(path)[0]
    cells = read_notebook(path).cells
    assert insert_polls(cells, []) == [*cells]
    ids = [cell.id for cell in insert_polls(cells, line_polls("01_paired_t", EXAMPLE_LINES))]
    assert len({*ids}) == len(ids)


def test_lines_of_a_report_are_asked(tmp_path: Path) -> None:
    """The file that `fstats grade` writes; lines without a name, of other lessons and of no exercise are left out."""

    def line(code: str, mistake: str, key: str = "q4", exercise: str = "paired_t_by_hand") -> CommonLine:
        return CommonLine(exercise, key, MarkedLine(code, 0, 2), 5, 9, 30, mistake)

    known = line("sd / n", "n for its square root")
    lines = [line("sqrt(sd) / n", ""), line("-sd / n", "unpaired for paired"), line("x", "no such name"), known]
    lines += [line("sum(ranks)", "the other sum", exercise="wilcoxon_by_hand"), line("x", "y", exercise="os.path"), line("x", "y", "q99")]
    (tmp_path / "lines.csv").write_text(lines_csv(lines), encoding="utf-8")
    first, second = asked("01_paired_t", tmp_path / "lines.csv")
    assert "<code>-sd / n</code>" in first.question
    marked = [question.why[question.right.index(True)].partition("</mark>")[0] for question in (first, second)]
    assert [text.partition("<mark>")[2] for text in marked] == ["-s", "sd"]


def test_a_line_stays_text(tmp_path: Path) -> None:
    """Tags, Markdown, formulas and control characters of a line are shown as they are typed, or left out."""
    evil = "<script>x</script> *y* $\\alpha$ [z](http://evil) `c` \x1b[2K\u202e" + "n" * 500
    with (tmp_path / "lines.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerow(["paired_t_by_hand", "q4", evil, "²", "9" * 99, "n for its square root"])
    cells = line_polls("01_paired_t", tmp_path / "lines.csv")
    (question,) = poll_questions(cells)
    page, _ = deck_page(NOTEBOOKS / "01_paired_t.ipynb", polls=cells)
    for text in (question.question, "".join(question.why), page):
        assert "<script>x" not in text
        assert [sign for sign in ("\x1b", "\u202e", 'href="http://evil', "<em>y</em>", "n" * 200) if sign in text] == []
        assert "α" not in text.partition("What is wrong")[2][:2000]
    assert "<script>x</script> *y*  \\alpha  [z](http://evil) `c`" in unescape(question.question)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,name\n1,x\n", "the column 'exercise' is missing"),
        (",".join(COLUMNS) + "\nwilcoxon_by_hand,q4,x,0,1,the other sum\n", "a question on 01_luck; got none"),
    ],
)
def test_a_file_without_lines_is_told(content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before the lecture begins."""
    (tmp_path / "lines.csv").write_text(content)
    for room in ([], ["--room"]):
        assert main(["lecture", str(lesson(tmp_path)), *room, "--port", "0", "--lines", str(tmp_path / "lines.csv")]) == 1
        assert said in capsys.readouterr().err


def test_phones_are_asked_about_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`--lines` alone takes the made-up lines of the lesson."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "own"))
    made = []

    class Deck:
        def __init__(self, _path: Path, to: Path, polls: Any) -> None:
            made.extend(polls)
            self.name = "01.html"
            (to / self.name).write_text("<script>begin()</script>")

    class Looks:
        def wait(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command._write_deck", Deck)
    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command.Event", Looks)
    asked_of = []
    monkeypatch.setattr(
        "fstats.publish.audience_poll.poll_questions.poll_questions", lambda cells: asked_of.extend(cells) or poll_questions(cells)
    )
    assert main(["lecture", "01_paired_t", "--room", "--port", "0", "--lines"]) == 0
    assert [cell.source for cell in made] == [cell.source for cell in line_polls("01_paired_t", EXAMPLE_LINES)]
    assert {cell.id for cell in made} <= {cell.id for cell in asked_of}
    assert "phones:" in capsys.readouterr().out
