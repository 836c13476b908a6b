"""Decision diagram for the choice of a test.

It is drawn from the rules of fstats.which_test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from ..plot.drawing.picture import Picture, picture_in_pixels
from ..plot.drawing.picture_marks import BLACK, BLUE, GREY, Label, Line, Mark
from .decision_questions import QUESTIONS
from .recommendation import Recommendation, decide

ROW_HEIGHT, INDENT, MARGIN = 21.0, 26.0, 6.0  # in pixels: height of a row, indentation of a level, and outer margin
WIDTH = 562.0
CHARACTER_WIDTH = 8.6  # average width of a character in pixels


@dataclass(frozen=True)
class DiagramLine:
    """A line of the diagram: an answer, and the recommended test, if no further question matters."""

    depth: int
    text: str
    answers: Mapping[str, str]
    test: str  # name of the recommended test, or "none"; empty if another question follows


def diagram_lines(answers: Mapping[str, str] | None = None, along: Mapping[str, str] | None = None) -> Iterator[DiagramLine]:
    """Yield the lines of the tree from the first question down; each test stands beside the last answer that leads to the test.

    With answers in `along`, other branches are cut after their first line.
    """
    answers = answers or {}
    outcome = decide(answers)
    if isinstance(outcome, Recommendation):
        return
    question = outcome.question
    for answer, description in question.answers.items():
        extended = {**answers, question.name: answer}
        end = decide(extended)
        test = end.rule.end if isinstance(end, Recommendation) else ""
        yield DiagramLine(len(answers), f"{question.name.replace('_', ' ')}: {description.partition(':')[0]}", extended, test)
        if along is None or along.get(question.name) == answer:
            yield from diagram_lines(extended, along)


def draw_decision_diagram(
    answers: Mapping[str, str] | None = None, *, whole: bool = True, forks: bool = True, across: float = WIDTH
) -> Picture:
    """Draw all questions and the tests that the answers lead to; the path of the given answers is bold.

    Parameters
    ----------
    answers : mapping, optional
        Question -> answer, as the arguments of :func:`fstats.which_test`.
    whole : bool
        Whether to draw the tree with all its branches; otherwise only the path and its side branches, which fit a screen.
    forks : bool
        Whether to draw answers that are not on the path.
    across : float
        Width of the picture in pixels; text is 15 pixels high.

    Examples
    --------
    >>> draw_decision_diagram({"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"})
    [picture: Decision diagram with ... ends. The path shown: aim difference, classifiers two, data sets many, paired yes, normal no:
    SignedRank.]
    """
    answers = dict(answers or {})
    lines = list(diagram_lines(along=None if whole else answers))
    indent = min(INDENT, INDENT * across / WIDTH)
    marks: list[Mark] = []
    last: dict[int, float] = {}  # maps a depth in the tree to the y coordinate at which the vertical line of this depth ends
    number = 0  # number of rows drawn so far; a long answer takes several rows
    for entry in lines:
        y, x = -(number + 0.7) * ROW_HEIGHT, MARGIN + entry.depth * indent
        on = all(answers.get(name) == answer for name, answer in entry.answers.items())
        if not (on or forks):
            continue
        color = BLUE if on else GREY
        start = last.get(entry.depth, -(number + 0.15) * ROW_HEIGHT)
        marks += [Line((x, x), (start, y + 5), GREY, 1.0), Line((x, x + indent - 8), (y + 5, y + 5), color, 4.0 if on else 1.0)]
        last = {depth: place for depth, place in last.items() if depth < entry.depth} | {entry.depth: y + 5}
        text = entry.text + (f"  →  {entry.test}" if entry.test else "")
        left = x + indent - 4
        for row in wrap_text(text, max(across, WIDTH if whole else 0.0) - left):
            marks.append(Label(left, -(number + 0.7) * ROW_HEIGHT, row, "start", BLUE if on else BLACK, on))
            number += 1
    end = decide(answers)
    path = ", ".join(f"{question.name.replace('_', ' ')} {answers[question.name]}" for question in QUESTIONS if question.name in answers)
    shown = f" The path shown: {path}: {end.rule.end}." if isinstance(end, Recommendation) and answers else ""
    height = (number + 0.6) * ROW_HEIGHT
    longest = max(mark.x + CHARACTER_WIDTH * len(mark.words) for mark in marks if isinstance(mark, Label))
    description = f"Decision diagram with {sum(bool(entry.test) for entry in diagram_lines())} ends.{shown}"
    return picture_in_pixels("Which test?", max(across, longest), height, marks, description, beside=44.0)


def wrap_text(text: str, width: float) -> list[str]:
    """Wrap text into rows of a given width in pixels; if there are several rows, arrow and test have a separate row.

    >>> wrap_text("normal: no, or unknown  →  SignedRank", 400)
    ['normal: no, or unknown  →  SignedRank']
    >>> wrap_text("normal: no, or unknown  →  SignedRank", 200)
    ['normal: no, or unknown', '→  SignedRank']
    """
    if CHARACTER_WIDTH * len(text) <= width:
        return [text]
    answer, arrow, end = text.partition("  →  ")
    return wrap(answer, max(1, int(width / CHARACTER_WIDTH)), break_long_words=False) + ([f"{arrow.strip()}  {end}"] if arrow else [])
