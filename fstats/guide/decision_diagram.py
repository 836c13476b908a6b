"""The decision diagram, drawn from the table of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from ..plot.drawing.picture import Picture, picture_in_pixels
from ..plot.drawing.picture_marks import BLACK, BLUE, GREY, Label, Line, Mark
from .decision_questions import QUESTIONS
from .recommendation import Recommendation, decide

ROW_HEIGHT, INDENT, MARGIN = 21.0, 26.0, 6.0  # pixels
WIDTH = 562.0
CHARACTER_WIDTH = 8.6  # the width of one, on the average


@dataclass(frozen=True)
class DiagramLine:
    """One line of the diagram: an answer, or the test that it leads to."""

    depth: int
    words: str
    answers: Mapping[str, str]
    leads_to: str  # the test or "none", if nothing more need be asked


def diagram_lines(answers: Mapping[str, str] | None = None, along: Mapping[str, str] | None = None) -> Iterator[DiagramLine]:
    """The tree, from the first question down; each answer once, each test where its last answer stands.

    With answers to go along, of the other branches only where they begin.
    """
    answers = answers or {}
    found = decide(answers)
    if isinstance(found, Recommendation):
        return
    for answer, words in found.question.answers.items():
        taken = {**answers, found.question.name: answer}
        end = decide(taken)
        leads_to = end.rule.end if isinstance(end, Recommendation) else ""
        yield DiagramLine(len(answers), f"{found.question.name.replace('_', ' ')}: {_short_answer(words)}", taken, leads_to)
        if along is None or along.get(found.question.name) == answer:
            yield from diagram_lines(taken, along)


def draw_decision_diagram(
    answers: Mapping[str, str] | None = None, *, whole: bool = True, forks: bool = True, across: float = WIDTH
) -> Picture:
    """All questions and where the answers lead; the way of these answers in bold.

    Parameters
    ----------
    answers : mapping, optional
        DecisionQuestion -> answer, as arguments of :func:`fstats.which_test`.
    whole : bool
        Whether the tree is shown with all its branches, or only the way and where it forks, which fits a screen.
    forks : bool
        Whether answers that lead elsewhere are shown at all.
    across : float
        How wide it is, in pixels of text that is 15 high.

    Examples
    --------
    >>> draw_decision_diagram({"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"})
    [picture: Decision diagram with ... ends. The way shown: aim difference, classifiers two, data sets many, paired yes, normal no:
    SignedRank.]
    """
    answers = dict(answers or {})
    lines = list(diagram_lines(along=None if whole else answers))
    indent = min(INDENT, INDENT * across / WIDTH)
    marks: list[Mark] = []
    last: dict[int, float] = {}  # the depth of the tree -> where its vertical line has come to
    number = 0  # of rows above: an answer too long for the picture takes several
    for entry in lines:
        y, x = -(number + 0.7) * ROW_HEIGHT, MARGIN + entry.depth * indent
        on = all(answers.get(name) == answer for name, answer in entry.answers.items())
        if not (on or forks):
            continue
        color = BLUE if on else GREY
        start = last.get(entry.depth, -number * ROW_HEIGHT)
        marks += [Line((x, x), (start, y + 5), GREY, 1.0), Line((x, x + indent - 8), (y + 5, y + 5), color, 4.0 if on else 1.0)]
        last = {depth: place for depth, place in last.items() if depth < entry.depth} | {entry.depth: y + 5}
        words = entry.words + (f"  →  {entry.leads_to}" if entry.leads_to else "")
        left = x + indent - 4
        for row in wrap_text(words, max(across, WIDTH if whole else 0.0) - left):
            marks.append(Label(left, -(number + 0.7) * ROW_HEIGHT, row, "start", BLUE if on else BLACK, on))
            number += 1
    end = decide(answers)
    way = ", ".join(f"{question.name.replace('_', ' ')} {answers[question.name]}" for question in QUESTIONS if question.name in answers)
    shown = f" The way shown: {way}: {end.rule.end}." if isinstance(end, Recommendation) and answers else ""
    high = (number + 0.6) * ROW_HEIGHT
    longest = max(mark.x + CHARACTER_WIDTH * len(mark.words) for mark in marks if isinstance(mark, Label))
    text = f"Decision diagram with {sum(bool(entry.leads_to) for entry in diagram_lines())} ends.{shown}"
    return picture_in_pixels("Which test?", max(across, longest), high, marks, text, beside=44.0)


def wrap_text(words: str, room: float) -> list[str]:
    """Words in rows of this many pixels; where there are several, an arrow begins one with what it leads to.

    >>> wrap_text("normal: no, or unknown  →  SignedRank", 400)
    ['normal: no, or unknown  →  SignedRank']
    >>> wrap_text("normal: no, or unknown  →  SignedRank", 200)
    ['normal: no, or unknown', '→  SignedRank']
    """
    if CHARACTER_WIDTH * len(words) <= room:
        return [words]
    answer, arrow, end = words.partition("  →  ")
    return wrap(answer, max(1, int(room / CHARACTER_WIDTH)), break_long_words=False) + ([f"{arrow.strip()}  {end}"] if arrow else [])


def _short_answer(words: str) -> str:
    """The answer without its explanation."""
    return words.partition(":")[0]
