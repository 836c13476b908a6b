"""Plots whose marks appear one after the other.

Each mark appears together with a step of a test.

The layout is computed once, with all marks. Therefore, nothing moves when a mark appears.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...core.mathematics_in_names import plain_powers
from ..drawing.picture import Picture
from ..drawing.picture_layout import PictureLayout
from ..drawing.picture_marks import DEFAULT_SIZE, Mark, PictureSize
from ..drawing.svg import render_svg

END = 10**6  # number of a frame that comes after all other frames


class StepMark(NamedTuple):
    """Mark, the step at which it appears ("" for the start), the step at which it disappears ("" for never), and where it slides from.

    `shift` is the way, in units of the axes, from the final position of the mark to the position from which it slides.
    """

    mark: Mark
    since: str = ""
    until: str = ""
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class StepPicture:
    """Picture of a walk: its marks with their steps, and the steps at which the whole picture appears and disappears.

    Pictures of one walk with the same `slot` are drawn at the same place, so their times must not overlap. A picture with two `rows`
    covers its slot and the slot below.
    """

    picture: Picture
    parts: tuple[StepMark, ...]
    slot: int = 0
    since: str = ""
    until: str = ""
    rows: int = 1

    @classmethod
    def of(cls, picture: Picture, parts: Iterable[StepMark], *at: Any, **place: Any) -> StepPicture:
        """Return the step picture with the title, axes and text of a picture, and these marks; powers of ten are written as in formulas."""
        parts = tuple(part._replace(mark=_with_powers(part.mark)) for part in parts)
        return cls(_with_powers(replace(picture, marks=tuple(part.mark for part in parts))), parts, *at, **place)

    def frames_of(self, since: str, until: str, order: Mapping[str, int]) -> tuple[int, int]:
        """Return the first frame with a mark, and the first frame without the mark; `order` has the number of the frame of each step."""
        return order.get(since, 0), order.get(until, END) if until else END

    def hidden_marks(self, number: int, order: Mapping[str, int]) -> set[int] | None:
        """Return the numbers of the marks that one frame does not show; None if the frame does not show the picture."""
        first, end = self.frames_of(self.since, self.until, order)
        if not first <= number < end:
            return None
        times = [self.frames_of(part.since, part.until, order) for part in self.parts]
        return {k for k, (low, high) in enumerate(times) if not low <= number < high}

    def at_frame(self, number: int, order: Mapping[str, int]) -> Picture | None:
        """Return the picture with the marks of one frame; None if the frame does not show the picture."""
        if (hidden := self.hidden_marks(number, order)) is None:
            return None
        return replace(self.picture, marks=tuple(part.mark for k, part in enumerate(self.parts) if k not in hidden))

    def svg(self, order: Mapping[str, int], size: PictureSize = DEFAULT_SIZE) -> str:
        """Return one SVG element for all frames: the group of a mark has the numbers of its frames, and the way that it slides."""

        def group(number: int, drawn: str, on: PictureLayout) -> str:
            part = self.parts[number]
            right, up = part.shift
            slides = f' style="--right:{right * on.x_scale:.1f}px;--down:{-up * on.y_scale:.1f}px"' if any(part.shift) else ""
            return f"<g{frame_attributes(*self.frames_of(part.since, part.until, order))}{slides}>{drawn}</g>"

        return render_svg(self.picture, size._replace(height=size.height * self.rows, most=size.most * self.rows), group)


def _with_powers(one: Any) -> Any:
    """Return a mark or a picture in whose texts powers of ten are written as in formulas."""
    texts = {name: text for name in ("label", "words", "title", "xlabel", "ylabel", "text") if (text := getattr(one, name, ""))}
    return replace(
        one, **{name: plain_powers(text) if isinstance(text, str) else tuple(map(plain_powers, text)) for name, text in texts.items()}
    )


def frame_attributes(first: int, end: int) -> str:
    """Return the attributes of an element that is visible from one frame on, until another frame.

    >>> frame_attributes(2, END)
    ' data-from="2"'
    """
    return f' data-from="{first}"' + f' data-until="{end}"' * (end < END)
