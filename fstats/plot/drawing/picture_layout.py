"""Layout of a plot in pixels.

It consists of margins, line breaks and scales of the axes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from ...core.mathematics_in_names import plain_powers
from ...core.number_format import format_plain
from ...core.value_types import Array
from .label_placement import LineLabel, count_touched, place_labels
from .picture_marks import (
    DEFAULT_SIZE,
    Area,
    Bars,
    Curve,
    Drawing,
    Label,
    LegendMark,
    Line,
    Links,
    PictureSize,
    Points,
    VerticalLine,
    tick_positions,
)

TEXT = 15.0  # font size at which the lengths in this module apply; all lengths scale with the font size
# space above the marks with a title and without a title; height of each additional line of text
TITLE, UNTITLED, LINE = 36.0, 6.0, 18.0
TICKS, AXIS, LEGEND, ROW = 26.0, 20.0, 32.0, 20.0  # heights below the marks: tick labels, axis label, legend, each additional legend row
LOW_HEIGHT_IN_LINES = 20.0  # pictures that are lower than this number of lines of text get smaller margins
MIN_SQUEEZE = 0.65  # an axis label can be squeezed to this share of its width; a label that is still too long is left out
NO_TICKS = 8.0  # height below the marks of a low picture without tick labels
LEFT, LEFT_WITHOUT_TICKS, RIGHT = 64.0, 36.0, 14.0
# minimum height of the area between the axes, in lines of text; a very small page is an exception
MIN_LINES_BETWEEN_AXES = 7.0
FRAMELESS_MARGIN = 12.0  # margin in pixels of a picture without axes
MIN_SCALE = 0.8  # minimum scale of a picture without axes (text of 12 pixels); a picture that is still too large scrolls
ROW_OF_NAMES = 18.0  # height of a row of labels for vertical lines
GROWTH = (1.0, 1.25, 1.6, 2.0)  # factors by which the height grows; they are tried until the labels fit
# distances (in font sizes) by which a label is moved up or, if negative, down; tried in this order
STEPS = (0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1.0, -1.0)
OTHER_SIDE: dict[str, Literal["start", "middle", "end"]] = {"start": "end", "middle": "start", "end": "start"}
HIDDEN = 1000  # a label that touches another label is hidden; a hidden label counts as much as 1000 touched marks
WIDTHS = (" ',.ijlIJ", 0.32), ("/:;\\|f-t()[]!r", 0.42), ("&→", 0.79), ("wM#+<=>^~", 0.87), ("mW@%", 1.0)
CHARACTER_WIDTHS = {character: width for characters, width in WIDTHS for character in characters}
LETTER_WIDTH, BOLD_WIDTH_FACTOR = 0.59, 1.1  # average width of a letter, in font sizes; factor for bold letters


def character_width(character: str) -> float:
    """Return the width of a character as a share of the font size."""
    usual = 1.0 if ord(character) > 0x2E80 else 0.79 if character.isupper() else 0.65
    return CHARACTER_WIDTHS.get(character, usual)


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


class LabelPlace(NamedTuple):
    """Place of a label: x coordinate, baseline, alignment, and how many marks and labels the label touches."""

    x: float
    y: float
    align: Literal["start", "middle", "end"]
    touched: float


class PictureLayout:
    """Pixel coordinates of a picture from the upper left corner; marks outside the axes are drawn on the edge of the axes."""

    def __init__(self, picture: Drawing, size: PictureSize = DEFAULT_SIZE, *, compact: bool = True) -> None:
        self.compact = compact  # True if a low picture may have smaller margins, and may have the x-axis label beside the legend
        crowded: dict[float, int] = {}
        for factor in GROWTH:  # the height increases until the labels fit between the marks
            self._lay_out(picture.plain, size, factor)
            crowded[factor] = self._crowded_rows()
            if not crowded[factor] or self.height >= size.most:
                break
        if self.growth != (best := min(crowded, key=crowded.__getitem__)):
            self._lay_out(picture.plain, size, best)

    def _lay_out(self, picture: Drawing, size: PictureSize, growth: float) -> None:
        """Compute the scales of the axes, and the places of all texts."""
        self.picture, self.growth = picture, growth
        for name in ("line_labels", "_places_and_boxes", "_segments"):  # remove cached positions, which are wrong for another height
            self.__dict__.pop(name, None)
        (x0, x1), (y0, y1) = picture.xlim, picture.ylim
        self.width, self.font_size, self.scale = size.width, size.text, 1.0
        height = min(size.height * picture.height * growth, size.most)
        if not picture.frame:  # a picture in pixels is scaled as a whole
            self.width, self.font_size = x1 - x0 + 2 * FRAMELESS_MARGIN, TEXT
        em = self.font_scale = self.font_size / TEXT
        low = self.compact and picture.frame and height < LOW_HEIGHT_IN_LINES * self.font_size
        self.title = self.wrap(picture.title, self.width - 8, BOLD_WIDTH_FACTOR)
        self.top = em * (TITLE - 8 * low + LINE * (len(self.title) - 1))
        self.left, self.right = FRAMELESS_MARGIN, self.width - FRAMELESS_MARGIN
        if picture.frame:
            self.left, self.right = em * (LEFT if picture.yticks else LEFT_WITHOUT_TICKS), self.width - em * RIGHT
        self.xlabel = self.wrap(picture.xlabel, self.right - self.left) if picture.frame else []
        self.legend = self._legend_rows()
        self.xlabel_beside_legend = False  # True if the x-axis label is in the row of the legend, to save height
        if picture.frame:
            ends = self.legend[0][-1][0] + self.text_width(self.legend[0][-1][1].label) + 40 * em if self.legend else 0.0
            self.xlabel_beside_legend = low and len(self.legend) < 2 and ends + self.text_width(picture.xlabel) <= self.width
            self.below_axis = TICKS if picture.xticks or not low else NO_TICKS
            below = self.below_axis + AXIS * len(self.xlabel[:1]) + LINE * len(self.xlabel[1:])
            below += LEGEND - 4 * low + ROW * (len(self.legend) - 1) if self.legend else 0
            below = self.below_axis + ROW if self.xlabel_beside_legend else below
            self.height = round(min(size.most, max(height, self.top + em * below + MIN_LINES_BETWEEN_AXES * growth * self.font_size)))
            self.ylabel_length = 1.2 * (self.height - self.top - em * below)  # maximum length of the y-axis label
            if len(self.title) > 1:  # a title of several lines uses the space above the y-axis
                self.ylabel_length = min(self.ylabel_length, self.ylabel_length / 1.2 + 8 * em)
            self.ylabel = self.wrap(picture.ylabel, self.ylabel_length)
            if any(MIN_SQUEEZE * self.text_width(line) > self.ylabel_length for line in self.ylabel):
                self.ylabel = []  # the y-axis label is left out, because it would be too small to read
            self.left += em * LINE * max(0, len(self.ylabel) - 1)
            down = self.height - em * below - self.top
            ticks = tick_positions(y0, y1, most=max(2, min(5, int(down / (24 * em))))) if picture.yticks else []
            self.yticks = [tick for tick in ticks if tick >= picture.least_ytick]
            if self.yticks and self.ylabel:  # the left margin grows, so that long tick labels do not cover the y-axis label
                widest = max(self.text_width(plain_powers(format_plain(tick))) for tick in self.yticks)
                self.left = max(self.left, em * (20 + LINE * (len(self.ylabel) - 1)) + widest + 8)
        else:
            self.height = round(DEFAULT_SIZE.height * picture.height + self.top - TITLE)
            below = self.height - self.top - (y1 - y0)
            if self.title and MIN_SCALE * self.height > size.most:  # the title is left out, because there is no space for it
                self.title, self.top, self.height = [], UNTITLED, round(self.height - self.top + UNTITLED)
            self.scale = max(MIN_SCALE, min(size.width / self.width, size.most / self.height, max(size.text / TEXT, 1.0)))
        self.bottom = self.height - em * below
        self.x_scale = (self.right - self.left) / (x1 - x0)  # pixels per unit of x
        if picture.frame and (above := self._top_below_labels()) > y1:
            self.picture, y1 = replace(picture, ylim=(y0, above)), above
        self.y_scale = (self.bottom - self.top) / (y1 - y0)
        if picture.frame and len(self.yticks) > 1 and (self.yticks[1] - self.yticks[0]) * self.y_scale < LINE * em:
            self.yticks = self.yticks[-1:]  # keep only the highest tick, because the labels would cover each other

    def text_width(self, text: str, bold: float = 1.0) -> float:
        """Return the approximate width of a text."""
        return LETTER_WIDTH * self.font_size * bold * len(text)

    def wrap(self, text: str, width: float, bold: float = 1.0) -> list[str]:
        """Split text into lines of at most this width."""
        return wrap_words(text, lambda line: self.text_width(line, bold) <= width)

    def text_length_attribute(self, text: str, width: float, bold: float = 1.0) -> str:
        """Return an SVG attribute that squeezes a text into a width; "" if the text fits."""
        letters = self.font_size * bold * sum(map(character_width, text))  # sum of the widths of the letters, many of which may be narrow
        return f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"' if min(self.text_width(text, bold), letters) > width > 0 else ""

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
        return dict(zip(lines, place_labels(names, self.left, self.width)))

    def label_baseline(self, name: LineLabel) -> float:
        """Return the y coordinate of the baseline of the label of a vertical line."""
        return self.top + self.font_scale * (12 + ROW_OF_NAMES * name.row)

    def _top_below_labels(self) -> float:
        """Return the upper end of the y-axis for which no mark reaches the labels of vertical lines."""
        (y0, y1), names = self.picture.ylim, [name for name in self.line_labels.values() if name.width]
        if not names:
            return y1
        spans, top = [name.span for name in names], y0
        for mark in self.picture.marks:
            heights = next((getattr(mark, name) for name in ("y", "height", "high") if hasattr(mark, name)), y0)
            x, y = np.broadcast_arrays(self.x_pixel(mark.x), np.atleast_1d(heights))
            under = [(x.min(initial=end) < end) & (start < x.max(initial=start)) for start, end in spans]
            if any(under) and (y := y if y.max() <= y1 else y[np.any([(start < x) & (x < end) for start, end in spans], axis=0)]).size:
                top = max(top, min(float(y.max()), y1))
        inside = self.bottom - self.top
        room = inside - (max(map(self.label_baseline, names)) + 8 * self.font_scale - self.top)
        return y0 + (top - y0) * inside / max(room, 0.3 * inside)

    @property
    def left_label_limit(self) -> float:
        """Smallest x coordinate of a label of a vertical line, beside the y-axis."""
        return self.left + 3

    def _line_label(self, line: VerticalLine) -> LineLabel:
        """Return the usual position of a label: on the side set by the picture, or on the other side if it fits only there."""
        at, left = float(self.x_pixel(line.x)), self.picture.is_label_left(line)
        wide = self.text_width(line.label, BOLD_WIDTH_FACTOR) + 4 if line.label else 0.0
        room, other = (at - self.left_label_limit, self.width - at) if left else (self.width - at, at - self.left_label_limit)
        return LineLabel(at, wide, line.line, left != (room < wide <= other))

    def _crowded_rows(self) -> int:
        """Return how many marks touch labels of vertical lines, or labels in one column with other labels; such labels need more height."""
        names = [self._text_box(*name.span, self.label_baseline(name)) for name in self.line_labels.values() if name.width]
        columns = Counter((label.x, label.align) for label in self.label_places)
        return sum(int(place.touched) for label, place in self.label_places.items() if columns[label.x, label.align] > 1) + sum(
            count_touched(box, self._segments) for box in names if self.picture.frame
        )

    def line_ends(self, line: VerticalLine, slack: float = 1.0) -> list[tuple[float, float]]:
        """Return the y coordinates of the lower and upper ends of the pieces of a vertical line, which has gaps at labels."""
        at, low, ends = self.line_labels[line].line_x, self.bottom, []
        boxes = [box for box in self.label_boxes if box[0] - 1 - slack < at < box[2] + 1 + slack]
        for box in sorted(boxes, key=lambda box: -box[1]):
            ends.append((low, min(low, box[3] + slack)))
            low = min(low, box[1] - slack)
        return [(start, end) for start, end in (*ends, (low, self.label_baseline(self.line_labels[line]) + 5)) if end < start]

    @cached_property
    def _segments(self) -> Array:
        """Line segments of all marks, in pixels (:func:`count_touched`)."""
        left, right, bottom, em = self.left, self.right, self.bottom, self.font_scale
        parts = [np.array([[left, self.top, left, bottom, 0.5], [left, bottom, right, bottom, 0.5]])]

        def add(x: Any, y: Any, x_end: Any, y_end: Any, half: float) -> None:
            parts.append(np.column_stack(np.broadcast_arrays(x, y, x_end, y_end, half)))

        for mark in self.picture.marks:
            if isinstance(mark, (Curve, Line)):
                x, y = self.x_pixel(mark.x), self.y_pixel(mark.y)
                add(x[:-1], y[:-1], x[1:], y[1:], em if isinstance(mark, Curve) else mark.width / 2)
            elif isinstance(mark, Points):
                x, y = self.x_pixel(mark.x), self.y_pixel(mark.y)
                add(x, y, x, y, mark.radius * em)
            elif isinstance(mark, Links):
                x = self.x_pixel(mark.x)
                add(x, self.y_pixel(mark.low), x, self.y_pixel(mark.high), 1.0)
            elif isinstance(mark, (Area, Bars)) and mark.hatched:  # the hatching counts as vertical lines at the points of the mark
                low, high = (mark.low, mark.y) if isinstance(mark, Area) else (None, mark.height)
                x, half = self.x_pixel(mark.x), 1.0 + (mark.width * self.x_scale / 2 if isinstance(mark, Bars) else 0.0)
                add(x, self.y_pixel(0.0 if low is None else low), x, self.y_pixel(high), half)
        return np.concatenate(parts)

    @property
    def label_places(self) -> dict[Label, LabelPlace]:
        """Place of each label."""
        return self._places_and_boxes[0]

    @property
    def label_boxes(self) -> list[tuple[float, float, float, float]]:
        """Left, upper, right and lower end of each label, and of each label of a vertical line."""
        return self._places_and_boxes[1]

    @cached_property
    def _places_and_boxes(self) -> tuple[dict[Label, LabelPlace], list[tuple[float, float, float, float]]]:
        """Place and box of each label: the first candidate at which it touches nothing, or the candidate at which it touches least."""
        places: dict[Label, LabelPlace] = {}
        names = self.line_labels.values()
        taken = [self._text_box(*name.span, self.label_baseline(name)) for name in names if name.width]
        labels = [mark for mark in self.picture.marks if isinstance(mark, Label)]
        for label in sorted(labels, key=lambda label: not label.bold):  # bold labels are placed first
            x, y = float(self.x_pixel(label.x)), float(self.y_pixel(label.y)) + 5 * self.font_scale
            if not self.picture.frame:  # pictures in pixels already have space for all labels
                places[label] = LabelPlace(x, y, label.align, 0)
                continue
            if label.align == "end" and x <= self.left:  # the label moves to the left of the y-axis, so that it does not cross the axis
                x = self.left - 6 * self.font_scale
            x = max(x, self.left + 4) if label.align == "start" else x
            room = self.label_room(x, label.align) if self.left <= x <= self.right else inf
            wide = min(room, self.text_width(label.words, BOLD_WIDTH_FACTOR if label.bold else 1.0))
            tried = []
            for align, up in product((label.align, OTHER_SIDE[label.align]), STEPS):
                left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[align]
                box = self._text_box(left, left + wide, y - up * self.font_size)
                beyond = box[1] < self.top - 9 * self.font_scale or (up < 0 and box[3] > self.bottom)
                beyond |= align != label.align and not self.left < left < self.width - wide
                hidden = any(box[0] < right and start < box[2] and box[1] < low and high < box[3] for start, high, right, low in taken)
                # True if a vertical line crosses this label; the line would then get a gap
                crossed = any(box[0] - 2 < name.line_x < box[2] + 2 for name in names)
                count = count_touched(box, self._segments) + HIDDEN * (hidden or beyond) + crossed / 2
                tried.append((LabelPlace(x, y - up * self.font_size, align, count), box))
                if not count:
                    break
            places[label], box = min(tried, key=lambda pair: pair[0].touched)
            taken += [box] * (places[label].touched < HIDDEN)
        return places, taken

    def label_room(self, x: float, align: str) -> float:
        """Return the largest width of a label inside the axes."""
        return {"start": self.width - x, "end": x - self.left - 4, "middle": 2 * min(x, self.width - x)}[align]

    def _text_box(self, left: float, right: float, baseline: float) -> tuple[float, float, float, float]:
        """Return left, upper, right and lower end of a text."""
        return left, baseline - 0.78 * self.font_size, right, baseline + 0.26 * self.font_size

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
