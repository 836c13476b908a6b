"""Drag handles in interactive pictures.

Dragging a mark moves the slider for the same number.
"""

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
    """Mark that can be moved by mouse, by touch and by the arrow keys.

    Parameters
    ----------
    picture : int
        Index of the picture in the explorer, counted from 0.
    x, y : float
        Position of the mark in the units of the axes of the picture.
    along : {"x", "y"}
        Axis along which the mark moves.
    control : Control
        State of the control that follows the mark.
    places : sequence of float
        Coordinate of the mark, on the axis `along`, for each position of the control.
    label : str
        Name of the handle, for screen readers.
    before : mapping
        Controls that must move before this control, and their positions: for example the data set to which a score belongs.
    """

    picture: int
    x: float
    y: float
    along: Literal["x", "y"]
    control: Control
    places: Sequence[float]
    label: str
    before: Mapping[str, int] = field(default_factory=dict)

    def to_front_end(self, pictures: Sequence[Picture], room: PictureSize) -> dict[str, Any]:
        """Return the handle for the front end; coordinates are shares of the width or height of the picture."""
        canvas = PictureLayout(pictures[self.picture], room)
        (x0, _), (y0, _) = canvas.picture.xlim, canvas.picture.ylim
        # compute the positions without x_pixel, which never returns a position outside the axes, where a mark may be
        if self.along == "x":
            places = (canvas.left + (np.asarray(self.places, float) - x0) * canvas.x_scale) / canvas.width
        else:
            places = (canvas.bottom - (np.asarray(self.places, float) - y0) * canvas.y_scale) / canvas.height
        steps = np.diff(places)
        # if the positions are evenly spaced, the first position and the last position determine the others
        if not len(steps) or float(np.ptp(steps)) < 1e-6:
            places = places[[0, -1]]
        return {
            "picture": self.picture,
            "x": round(float(canvas.x_pixel(self.x) / canvas.width), 5),
            "y": round(float(canvas.y_pixel(self.y) / canvas.height), 5),
            "along": self.along,
            "places": np.round(places, 5).tolist(),
            "label": self.label,
            "before": dict(self.before),
            "control": vars(self.control),
        }
