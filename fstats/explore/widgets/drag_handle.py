"""Grips: marks of a picture that one moves by hand; the control that says the same number follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_layout import PictureLayout
from ...plot.drawing.picture_marks import PictureSize
from .slider import Control


@dataclass(frozen=True)
class DragHandle:
    """A mark that is moved by mouse, by touch and by the arrow keys.

    Parameters
    ----------
    picture : int
        Which of the explorer's pictures, counted from 0.
    x, y : float
        Where the mark stands, in the picture's own numbers.
    along : {"x", "y"}
        The axis along which it moves.
    control : Control
        The control that follows, as it stands for this mark.
    places : sequence of float
        Where the mark would stand on that axis, for each position of the control.
    label : str
        What it is called, for screen readers.
    before : mapping
        Controls, and the positions that they must take first: the data set whose score it is.
    """

    picture: int
    x: float
    y: float
    along: Literal["x", "y"]
    control: Control
    places: Sequence[float]
    label: str
    before: Mapping[str, int] = field(default_factory=dict)

    def seen(self, pictures: Sequence[Picture], room: PictureSize) -> dict[str, Any]:
        """The grip for the front end: places are shares of the picture's width or height."""
        canvas = PictureLayout(pictures[self.picture], room)
        (x0, _), (y0, _) = canvas.picture.xlim, canvas.picture.ylim
        if self.along == "x":  # also beyond the axes, where canvas.x would stop
            places = (canvas.left + (np.asarray(self.places, float) - x0) * canvas.across) / canvas.width
        else:
            places = (canvas.bottom - (np.asarray(self.places, float) - y0) * canvas.down) / canvas.height
        steps = np.diff(places)
        if not len(steps) or float(np.ptp(steps)) < 1e-6:  # equal steps: the ends say it all
            places = places[[0, -1]]
        return {
            "picture": self.picture,
            "x": round(float(canvas.x(self.x) / canvas.width), 5),
            "y": round(float(canvas.y(self.y) / canvas.height), 5),
            "along": self.along,
            "places": np.round(places, 5).tolist(),
            "label": self.label,
            "before": dict(self.before),
            "control": vars(self.control),
        }
