"""Where the numbers of a picture stand on a page: margins, words in lines, the scale."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from .label_placement import LineLabel, place_labels
from .picture_marks import DEFAULT_SIZE, Drawing, Label, LegendMark, PictureSize, VerticalLine, tick_positions

TEXT = 15.0  # the size of text for which all lengths here are meant; with the text they become larger or smaller
TITLE, UNTITLED, LINE = 36.0, 6.0, 18.0  # above the marks, with a title and without; a further line of words
TICKS, AXIS, LEGEND, ROW = 26.0, 20.0, 32.0, 20.0  # below the marks: numbers, the name of the axis, the legend, its further rows
LOW_HEIGHT_IN_LINES = 20.0  # a picture that is not as many lines high must save lines
MIN_SQUEEZE = 0.65  # a name that must become shorter than that is left out
LEFT, LEFT_WITHOUT_TICKS, RIGHT = 64.0, 36.0, 14.0
MIN_LINES_BETWEEN_AXES = 7.0  # lines between the axes, unless the page has no room for them
FRAMELESS_MARGIN = 12.0  # beside a picture without a frame
MIN_SCALE = 0.8  # to which such a picture may shrink: its words are 12 pixels then; if that is too large still, the page scrolls
ROW_OF_NAMES, TOUCHING_DISTANCE = (
    18.0,
    0.92,
)  # from name to name of vertical lines; lines of words that are closer, as a share of text, touch
LETTER_WIDTH, BOLD_WIDTH_FACTOR = 0.59, 1.1  # an average letter, as a share of the size of text; how much wider a bold one is


def wrap_words(words: str, fits: Callable[[str], bool]) -> list[str]:
    """Words in lines that fit; a word that does not stands alone.

    >>> wrap_words("to be or not to be", lambda line: len(line) < 7)
    ['to be', 'or not', 'to be']
    """
    found: list[str] = []
    for word in words.split(" ") if words else []:
        if found and fits(f"{found[-1]} {word}"):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


class PictureLayout:
    """Where a picture's numbers stand, in pixels from the upper left corner; what lies outside its axes is drawn on their edge."""

    def __init__(self, picture: Drawing, room: PictureSize = DEFAULT_SIZE) -> None:
        self.picture = picture
        (x0, x1), (y0, y1) = picture.xlim, picture.ylim
        self.width, self.text, self.scale = room.width, room.text, 1.0
        height = min(room.height * picture.height, room.most)
        if not picture.frame:  # made in pixels: all of it shrinks or grows
            self.width, self.text = x1 - x0 + 2 * FRAMELESS_MARGIN, TEXT
        em = self.em = self.text / TEXT
        low = picture.frame and height < LOW_HEIGHT_IN_LINES * self.text
        self.title = self.lines(picture.title, self.width - 8, BOLD_WIDTH_FACTOR)
        self.top = em * (TITLE - 8 * low + LINE * (len(self.title) - 1))
        self.left, self.right = FRAMELESS_MARGIN, self.width - FRAMELESS_MARGIN
        if picture.frame:
            self.left, self.right = em * (LEFT if picture.yticks else LEFT_WITHOUT_TICKS), self.width - em * RIGHT
        self.xlabel = self.lines(picture.xlabel, self.right - self.left) if picture.frame else []
        self.legend = self._rows()
        self.beside = False  # whether the name of the axis stands beside the legend, where height is scarce
        if picture.frame:
            ends = self.legend[0][-1][0] + self.long(self.legend[0][-1][1].label) + 40 * em if self.legend else 0.0
            self.beside = low and len(self.legend) < 2 and ends + self.long(picture.xlabel) <= self.width
            below = TICKS + AXIS * len(self.xlabel[:1]) + LINE * len(self.xlabel[1:])
            below += LEGEND - 4 * low + ROW * (len(self.legend) - 1) if self.legend else 0
            below = TICKS + ROW if self.beside else below
            self.height = round(min(room.most, max(height, self.top + em * below + MIN_LINES_BETWEEN_AXES * self.text)))
            self.upright = 1.2 * (self.height - self.top - em * below)  # what the name of the y axis may take
            if len(self.title) > 1:  # which may stand above it
                self.upright = min(self.upright, self.upright / 1.2 + 8 * em)
            self.ylabel = self.lines(picture.ylabel, self.upright)
            if any(MIN_SQUEEZE * self.long(line) > self.upright for line in self.ylabel):
                self.ylabel = []  # nobody could read it
            self.left += em * LINE * max(0, len(self.ylabel) - 1)
            down = self.height - em * below - self.top
            self.yticks = tick_positions(y0, y1, most=max(2, min(5, int(down / (24 * em))))) if picture.yticks else []
            if down < LINE * em:
                self.yticks = self.yticks[:1]
            if self.yticks and self.ylabel:  # long numbers must not stand in the name of their axis
                widest = max(self.long(format_plain(tick)) for tick in self.yticks)
                self.left = max(self.left, em * (20 + LINE * (len(self.ylabel) - 1)) + widest + 8)
        else:
            self.height = round(DEFAULT_SIZE.height * picture.height + self.top - TITLE)
            below = self.height - self.top - (y1 - y0)
            if self.title and MIN_SCALE * self.height > room.most:  # what is moved says what it is
                self.title, self.top, self.height = [], UNTITLED, round(self.height - self.top + UNTITLED)
            self.scale = max(MIN_SCALE, min(room.width / self.width, room.most / self.height, max(room.text / TEXT, 1.0)))
        self.bottom = self.height - em * below
        self.across, self.down = (self.right - self.left) / (x1 - x0), (self.bottom - self.top) / (y1 - y0)  # pixels of one unit

    def long(self, words: str, bold: float = 1.0) -> float:
        """About how long words are."""
        return LETTER_WIDTH * self.text * bold * len(words)

    def lines(self, words: str, room: float, bold: float = 1.0) -> list[str]:
        """Words in lines that have room."""
        return wrap_words(words, lambda line: self.long(line, bold) <= room)

    def squeezed(self, words: str, room: float, bold: float = 1.0) -> str:
        """An attribute by which words keep to their room, if they would not by themselves."""
        return f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"' if self.long(words, bold) > room > 0 else ""

    def _rows(self) -> list[list[tuple[float, LegendMark]]]:
        """The legend in rows: each entry with its place."""
        rows: list[list[tuple[float, LegendMark]]] = []
        at, em = 0.0, self.em
        entries = [(mark, self.long(mark.label) + 46 * em) for mark in self.picture.legend]
        start = self.left if sum(wide for _, wide in entries) <= self.width - self.left else 6 * em
        for mark, wide in entries:
            if not rows or at + wide - 20 * em > self.width:
                rows.append([])
                at = start
            rows[-1].append((at, mark))
            at += wide
        return rows

    @cached_property
    def names(self) -> dict[VerticalLine, LineLabel]:
        """Where the name of each vertical line stands."""
        lines = [mark for mark in self.picture.marks if isinstance(mark, VerticalLine)]
        names = [self._named(line) for line in lines]
        return dict(zip(lines, place_labels(names, self.left, self.width) if self.picture.free_names else names))

    @property
    def edge(self) -> float:
        """How far to the left a name may reach: numbers stand there, if the axis has any."""
        return self.left - 6 * self.em if self.picture.yticks else 0.0

    def _named(self, line: VerticalLine) -> LineLabel:
        """Where a name stands if nothing is in its way: where the picture says, unless nobody could read it beyond the edge."""
        at, wide, left = float(self.x(line.x)), self.long(line.label, BOLD_WIDTH_FACTOR) + 4, self.picture.stands_left(line)
        room, other = (at - self.edge, self.width - at) if left else (self.width - at, at - self.edge)
        return LineLabel(at, wide, line.line, left != (room < wide <= other))

    @cached_property
    def unwritten(self) -> set[Label]:
        """Labels for which there is no room: where some would cover each other the first one stands, but bold ones before all others."""
        labels = sorted((mark for mark in self.picture.marks if isinstance(mark, Label)), key=lambda label: not label.bold)
        if not self.picture.frame:  # made for its width: all of them have room
            return set()
        taken = [(*name.span, self.top + self.em * (12 + ROW_OF_NAMES * name.row)) for name in self.names.values()]
        gone = set()
        for label in labels:
            x, y, wide = float(self.x(label.x)), self.baseline(label), self.long(label.words, BOLD_WIDTH_FACTOR if label.bold else 1.0)
            left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.align]
            if any(left < end and start < left + wide and abs(y - other) < TOUCHING_DISTANCE * self.text for start, end, other in taken):
                gone.add(label)
            else:
                taken.append((left, left + wide, y))
        return gone

    def baseline(self, label: Label) -> float:
        """The height on which its letters stand."""
        return float(self.y(label.y)) + 5 * self.em

    def x(self, value: Any) -> Any:
        """Across."""
        x0, x1 = self.picture.xlim
        return self.left + (np.clip(value, x0, x1) - x0) * self.across

    def y(self, value: Any) -> Any:
        """Down."""
        y0, y1 = self.picture.ylim
        return self.bottom - (np.clip(value, y0, y1) - y0) * self.down

    def path(self, x: Any, y: Any) -> str:
        """From point to point."""
        return "M" + "L".join(f"{i:.1f} {j:.1f}" for i, j in zip(self.x(x).tolist(), self.y(y).tolist(), strict=True))
