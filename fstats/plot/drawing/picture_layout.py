"""Layout of a picture in pixels: margins, line breaks in texts, scales of the axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from .label_placement import LineLabel, place_labels
from .picture_marks import DEFAULT_SIZE, Drawing, Label, LegendMark, PictureSize, VerticalLine, tick_positions

TEXT = 15.0  # font size for which the lengths in this module are given; all lengths scale with the font size
# heights: space above the marks with a title, the same space without a title, a further line of text
TITLE, UNTITLED, LINE = 36.0, 6.0, 18.0
TICKS, AXIS, LEGEND, ROW = 26.0, 20.0, 32.0, 20.0  # heights below the marks: tick labels, axis label, legend, further rows of the legend
LOW_HEIGHT_IN_LINES = 20.0  # height in lines of text below which a picture saves lines
MIN_SQUEEZE = 0.65  # smallest factor by which the width of an axis label may be reduced; a label that is still too long is left out
LEFT, LEFT_WITHOUT_TICKS, RIGHT = 64.0, 36.0, 14.0
# minimum height of the plot area, as a number of lines of text; on a very small page the height may be smaller
MIN_LINES_BETWEEN_AXES = 7.0
FRAMELESS_MARGIN = 12.0  # margin of a picture without axes
MIN_SCALE = 0.8  # smallest scale of a picture without axes (text of 12 pixels); the page scrolls if the picture is still too large
# Height of a row of labels of vertical lines; smallest distance of lines of text without overlap, as a share of the font size.
ROW_OF_NAMES, TOUCHING_DISTANCE = (18.0, 0.92)
LETTER_WIDTH, BOLD_WIDTH_FACTOR = 0.59, 1.1  # average width of a letter, as a share of the font size; factor for bold letters


def wrap_words(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Split text into lines that fit; a word that does not fit becomes a line by itself.

    >>> wrap_words("to be or not to be", lambda line: len(line) < 7)
    ['to be', 'or not', 'to be']
    """
    lines: list[str] = []
    for word in text.split(" ") if text else []:
        if lines and fits(f"{lines[-1]} {word}"):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class PictureLayout:
    """Pixel coordinates of a picture from the upper left corner; marks outside the axes are drawn on the edge of the axes."""

    def __init__(self, picture: Drawing, size: PictureSize = DEFAULT_SIZE) -> None:
        self.picture = picture = picture.plain
        (x0, x1), (y0, y1) = picture.xlim, picture.ylim
        self.width, self.font_size, self.scale = size.width, size.text, 1.0
        height = min(size.height * picture.height, size.most)
        if not picture.frame:  # a picture that is given in pixels is scaled as a whole
            self.width, self.font_size = x1 - x0 + 2 * FRAMELESS_MARGIN, TEXT
        em = self.font_scale = self.font_size / TEXT
        low = picture.frame and height < LOW_HEIGHT_IN_LINES * self.font_size
        self.title = self.wrap(picture.title, self.width - 8, BOLD_WIDTH_FACTOR)
        self.top = em * (TITLE - 8 * low + LINE * (len(self.title) - 1))
        self.left, self.right = FRAMELESS_MARGIN, self.width - FRAMELESS_MARGIN
        if picture.frame:
            self.left, self.right = em * (LEFT if picture.yticks else LEFT_WITHOUT_TICKS), self.width - em * RIGHT
        self.xlabel = self.wrap(picture.xlabel, self.right - self.left) if picture.frame else []
        self.legend = self._legend_rows()
        self.xlabel_beside_legend = False  # whether the label of the x-axis is beside the legend, which saves height
        if picture.frame:
            ends = self.legend[0][-1][0] + self.text_width(self.legend[0][-1][1].label) + 40 * em if self.legend else 0.0
            self.xlabel_beside_legend = low and len(self.legend) < 2 and ends + self.text_width(picture.xlabel) <= self.width
            below = TICKS + AXIS * len(self.xlabel[:1]) + LINE * len(self.xlabel[1:])
            below += LEGEND - 4 * low + ROW * (len(self.legend) - 1) if self.legend else 0
            below = TICKS + ROW if self.xlabel_beside_legend else below
            self.height = round(min(size.most, max(height, self.top + em * below + MIN_LINES_BETWEEN_AXES * self.font_size)))
            self.ylabel_length = 1.2 * (self.height - self.top - em * below)  # largest length of the label of the y-axis
            if len(self.title) > 1:  # the first lines of the title leave space on the left
                self.ylabel_length = min(self.ylabel_length, self.ylabel_length / 1.2 + 8 * em)
            self.ylabel = self.wrap(picture.ylabel, self.ylabel_length)
            if any(MIN_SQUEEZE * self.text_width(line) > self.ylabel_length for line in self.ylabel):
                self.ylabel = []  # leave out the label of the y-axis, because it would be too small to read
            self.left += em * LINE * max(0, len(self.ylabel) - 1)
            down = self.height - em * below - self.top
            self.yticks = tick_positions(y0, y1, most=max(2, min(5, int(down / (24 * em))))) if picture.yticks else []
            if down < LINE * em:
                self.yticks = self.yticks[:1]
            if self.yticks and self.ylabel:  # long tick labels must not cover the label of the y-axis
                widest = max(self.text_width(format_plain(tick)) for tick in self.yticks)
                self.left = max(self.left, em * (20 + LINE * (len(self.ylabel) - 1)) + widest + 8)
        else:
            self.height = round(DEFAULT_SIZE.height * picture.height + self.top - TITLE)
            below = self.height - self.top - (y1 - y0)
            if self.title and MIN_SCALE * self.height > size.most:  # if there is no space for the title, leave it out
                self.title, self.top, self.height = [], UNTITLED, round(self.height - self.top + UNTITLED)
            self.scale = max(MIN_SCALE, min(size.width / self.width, size.most / self.height, max(size.text / TEXT, 1.0)))
        self.bottom = self.height - em * below
        self.x_scale, self.y_scale = (self.right - self.left) / (x1 - x0), (self.bottom - self.top) / (y1 - y0)  # pixels per unit

    def text_width(self, text: str, bold: float = 1.0) -> float:
        """Return the approximate width of a text."""
        return LETTER_WIDTH * self.font_size * bold * len(text)

    def wrap(self, text: str, width: float, bold: float = 1.0) -> list[str]:
        """Split text into lines of at most this width."""
        return wrap_words(text, lambda line: self.text_width(line, bold) <= width)

    def text_length_attribute(self, text: str, width: float, bold: float = 1.0) -> str:
        """Return an SVG attribute that squeezes a text into a width; "" if the text fits."""
        return f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"' if self.text_width(text, bold) > width > 0 else ""

    def _legend_rows(self) -> list[list[tuple[float, LegendMark]]]:
        """Return the rows of the legend; each entry has its x coordinate."""
        rows: list[list[tuple[float, LegendMark]]] = []
        at, em = 0.0, self.font_scale
        entries = [(mark, self.text_width(mark.label) + 46 * em) for mark in self.picture.legend]
        start = self.left if sum(wide for _, wide in entries) <= self.width - self.left else 6 * em
        for mark, wide in entries:
            if not rows or at + wide - 20 * em > self.width:
                rows.append([])
                at = start
            rows[-1].append((at, mark))
            at += wide
        return rows

    @cached_property
    def line_labels(self) -> dict[VerticalLine, LineLabel]:
        """Positions of the labels of the vertical lines."""
        lines = [mark for mark in self.picture.marks if isinstance(mark, VerticalLine)]
        names = [self._line_label(line) for line in lines]
        return dict(zip(lines, place_labels(names, self.left, self.width) if self.picture.movable_labels else names))

    @property
    def left_label_limit(self) -> float:
        """Smallest x coordinate of a label; the tick labels of the y-axis are to the left of it."""
        return self.left - 6 * self.font_scale if self.picture.yticks else 0.0

    def _line_label(self, line: VerticalLine) -> LineLabel:
        """Return the usual position of a label: on the side set by the picture, or on the other side if it fits only there."""
        at, wide, left = float(self.x_pixel(line.x)), self.text_width(line.label, BOLD_WIDTH_FACTOR) + 4, self.picture.is_label_left(line)
        room, other = (at - self.left_label_limit, self.width - at) if left else (self.width - at, at - self.left_label_limit)
        return LineLabel(at, wide, line.line, left != (room < wide <= other))

    @cached_property
    def hidden_labels(self) -> set[Label]:
        """Labels that are hidden because they would overlap earlier labels; bold labels come before all other labels."""
        labels = sorted((mark for mark in self.picture.marks if isinstance(mark, Label)), key=lambda label: not label.bold)
        if not self.picture.frame:  # the picture is laid out for its width, so all labels have space
            return set()
        occupied = [(*name.span, self.top + self.font_scale * (12 + ROW_OF_NAMES * name.row)) for name in self.line_labels.values()]
        hidden = set()
        for label in labels:
            x, y, wide = (
                float(self.x_pixel(label.x)),
                self.baseline(label),
                self.text_width(label.words, BOLD_WIDTH_FACTOR if label.bold else 1.0),
            )
            left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.align]
            if any(
                left < end and start < left + wide and abs(y - other) < TOUCHING_DISTANCE * self.font_size for start, end, other in occupied
            ):
                hidden.add(label)
            else:
                occupied.append((left, left + wide, y))
        return hidden

    def baseline(self, label: Label) -> float:
        """Return the y coordinate of the baseline of a label."""
        return float(self.y_pixel(label.y)) + 5 * self.font_scale

    def x_pixel(self, value: Any) -> Any:
        """Return the x coordinate in pixels."""
        x0, x1 = self.picture.xlim
        return self.left + (np.clip(value, x0, x1) - x0) * self.x_scale

    def y_pixel(self, value: Any) -> Any:
        """Return the y coordinate in pixels."""
        y0, y1 = self.picture.ylim
        return self.bottom - (np.clip(value, y0, y1) - y0) * self.y_scale

    def svg_path(self, x: Any, y: Any) -> str:
        """Return an SVG path through points."""
        return "M" + "L".join(f"{i:.1f} {j:.1f}" for i, j in zip(self.x_pixel(x).tolist(), self.y_pixel(y).tolist(), strict=True))
