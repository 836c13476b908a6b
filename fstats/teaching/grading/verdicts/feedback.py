"""Feedback to a student after an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from ....core.mathematics_in_names import plain_formulas
from ....render.display_table import Table, TextAndHtml, emphasize
from ....render.formula_line_breaks import break_piece
from ..question import Section
from .marked_line import MarkedLine

_FORMULA = re.compile(r"\$([^$]+)\$")
Verdict = Literal["right", "digits", "carried", "mistake", "unknown", "unreadable", "unanswered", "stale"]

# symbol, title and colour (Okabe-Ito palette) of each verdict; two verdicts never differ only in their colours
VERDICT_DISPLAY: dict[Verdict, tuple[str, str, str]] = {
    "right": ("✓", "Right", "#009E73"),
    "digits": ("≈", "Too few digits", "#56B4E9"),
    "carried": ("↪", "Right, given your earlier answer", "#0072B2"),
    "mistake": ("✗", "Not yet", "#D55E00"),
    "unknown": ("?", "Not yet", "#E69F00"),
    "unreadable": ("!", "Not what was asked for", "#CC79A7"),
    "unanswered": ("…", "Not answered yet", "#999999"),
    "stale": ("↻", "Check it again: an earlier answer has changed", "#999999"),
}


@dataclass(frozen=True)
class Feedback:
    """The verdict on one answer, with remarks and hints; formulas stand between dollar signs.

    If `guess` is true, the mistake is named with "perhaps": the number has so few digits that it can arise in other ways, too.
    """

    key: str
    verdict: Verdict
    lines: tuple[str, ...] = ()
    mistake: str = ""
    see: Section | None = None
    guess: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the verdict is "right"."""
        return self.verdict == "right"

    @property
    def title(self) -> str:
        """The verdict in words, with the name of the mistake."""
        return VERDICT_DISPLAY[self.verdict][1] + (f": {'perhaps ' * self.guess}{self.mistake}" if self.mistake else "")

    def __repr__(self) -> str:
        sign = VERDICT_DISPLAY[self.verdict][0]
        see = [f"See {self.see}."] if self.see else []
        return "\n    ".join([f"{self.key}  {sign} {self.title}", *map(_plain_text, self.lines), *see])

    def _repr_html_(self) -> str:
        parts = [f"<strong>{verdict_symbol(self.verdict)} {self.key}: {escape(self.title)}</strong>"]
        parts += [line.html() if isinstance(line, MarkedLine) else escape(break_long_formulas(line), quote=False) for line in self.lines]
        parts += [f'See <a href="{escape(self.see.first_click)}">{escape(str(self.see))}</a>.'] if self.see else []
        beside_a_line = f"border-left:0.4em solid {VERDICT_DISPLAY[self.verdict][2]};padding:0.3em 1em;max-width:52em"
        paragraphs = "".join(f'<p style="margin:0.2em 0">{part}</p>' for part in parts)
        return f'<div class="fstats-feedback" role="status" style="{beside_a_line}">{paragraphs}</div>'


@dataclass(frozen=True, repr=False)
class PointsFeedback(Feedback):
    """Feedback whose text is only the number of points: nbgrader reads the text, and people read the HTML."""

    points: float = 0.0

    def __repr__(self) -> str:
        return repr(self.points)


def _plain_text(line: str) -> str:
    return line.replace("\n", "\n    ") if isinstance(line, MarkedLine) else plain_formulas(line)


def break_long_formulas(line: str) -> str:
    r"""Split long formulas into several pieces, so that the page can break the line between the pieces and need not scroll.

    >>> break_long_formulas(r"With $n$ it is $z = \frac{4.5 - 10.5}{\sqrt{6 \cdot 7 \cdot 13 / 24}} = \frac{-6}{4.7697} = -1.25794$.")
    'With $n$ it is $z$ $= \\frac{4.5 - 10.5}{\\sqrt{6 \\cdot 7 \\cdot 13 / 24}}$ $= \\frac{-6}{4.7697}$ $= -1.25794$.'
    """
    return _FORMULA.sub(lambda match: " ".join(f"${piece}$" for piece in break_piece(match[1])), line)


def parse_reply(text: str) -> tuple[str, Verdict] | None:
    """Parse the question and the verdict from the text of a :class:`Feedback`; return None for any other text.

    >>> parse_reply(repr(Feedback("q4", "mistake", mistake="division by n")))
    ('q4', 'mistake')
    """
    key, _, rest = text.partition("  ")
    return next(((key, verdict) for verdict, (sign, *_) in VERDICT_DISPLAY.items() if rest.startswith(f"{sign} ")), None)


def verdict_symbol(verdict: Verdict) -> str:
    """Return the symbol of a verdict in its colour; screen readers ignore it, because the title next to it has the same meaning."""
    sign, _, colour = VERDICT_DISPLAY[verdict]
    return f'<span style="color:{colour}" aria-hidden="true">{sign}</span>'


@dataclass(frozen=True)
class Progress:
    """Progress of a student: each question with its points and latest verdict, and the summary of the practice rounds."""

    entries: Sequence[tuple[str, float, Verdict]]
    practice: Sequence[str] = ()

    @property
    def points(self) -> float:
        """Points of the questions answered rightly."""
        return sum(points for _, points, verdict in self.entries if verdict == "right")

    @property
    def of(self) -> float:
        """Points of all questions."""
        return sum(points for _, points, _ in self.entries)

    @property
    def sentence(self) -> str:
        """The sum of the points in words."""
        return f"{self.points:g} of {self.of:g} points" + (". All is right." if self.points == self.of else ".")

    def __repr__(self) -> str:
        lines = [
            f"  {key:<4} {VERDICT_DISPLAY[verdict][0]} {VERDICT_DISPLAY[verdict][1]} ({points:g})" for key, points, verdict in self.entries
        ]
        return "\n".join([*lines, self.sentence, *self.practice])

    def _repr_html_(self) -> str:
        words = {verdict: TextAndHtml(title, f"{verdict_symbol(verdict)} {title}") for verdict, (_, title, _) in VERDICT_DISPLAY.items()}
        lines = [[key, words[verdict], f"{points:g}"] for key, points, verdict in self.entries]
        notes: list[str | TextAndHtml] = [emphasize(self.sentence), *map(escape, self.practice)]
        return Table(["question", "so far", "points"], lines, notes=notes, left=(0, 1))._repr_html_()
