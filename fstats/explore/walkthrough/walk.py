"""Interactive step-by-step presentation of a statistical test.

Keys go from step to step, and each step adds one line to the formulas and one part to the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from ...core.mathematics_in_names import plain_name, plain_powers
from ...core.procedure import Procedure
from ...core.validation.check import check_single_repetition
from ...core.value_types import Interval
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import PictureSize
from ...plot.walkthrough.step_picture import StepPicture, frame_attributes
from ...plot.walkthrough.step_pictures import step_pictures
from ...render.html import escape_prose, mathml
from ...render.plain_text import name_and_question
from ...render.row_layout import format_value
from ..widgets.explorer import Explorer, live_and_still
from .walk_files import WalkContent, save_walk
from .walk_lines import WALK_NAME, Frame, column_entries, frames_of, line_html

HERE = Path(__file__).parent
SIZES = {"wide": PictureSize(640, 270, 21, 270), "low": PictureSize(340, 112, 12, 131), "narrow": PictureSize(330, 230, 13)}
# values of alpha that a reader can choose during a walk, besides the alpha of the test
LEVELS = (0.1, 0.05, 0.01)


class Walk(anywidget.AnyWidget):
    """Walk of a test, which a notebook shows; right arrow or space goes to the next step, left arrow back.

    Parameters
    ----------
    test : Procedure
        Any test or procedure with steps.
    start, upto : str
        Names of the first and of the last step; by default all steps.
    """

    _esm = HERE / "walk.js"
    _css = f"{Explorer._css}\n{(HERE / 'walk.css').read_text(encoding='utf-8')}"
    _ipython_display_ = None  # None hides an inherited method, with which ipywidgets 7 would show the widget without its text
    choice = traitlets.Dict().tag(sync=True, echo_update=False)  # alternative and alpha that the reader has chosen
    view = traitlets.Dict().tag(sync=True)  # all data that the front end shows

    def __init__(self, test: Procedure, start: str = "", upto: str = "") -> None:
        super().__init__()
        repetitions = max(
            (np.shape(row.value)[len(row.over) :] for row in test.worked() if row.is_batch and not isinstance(row.value, Interval)),
            key=len,
            default=(),
        )
        check_single_repetition(repetitions, "walk", "test.at({}).walk()")
        self.test, self._ends = test, (start, upto)
        self.view = self.view_of(test)
        self.observe(self._on_choice, "choice")

    @property
    def frames(self) -> list[Frame]:
        """Frames of the walk."""
        return list(frames_of(self.test, *self._ends))

    @property
    def name(self) -> str:
        """Name of the walk, for screen readers and for pages without Python."""
        return f"{WALK_NAME}{name_and_question(self.test)[0]}"

    @property
    def choices(self) -> dict[str, list[Any]]:
        """Values of the alternative and of the level that can be chosen; empty for a procedure that has none."""
        found: dict[str, list[Any]] = {}
        if len(tails := getattr(self.test, "tails", {})) > 1:
            found["alternative"] = list(tails)
        if "alpha" in self.test.inputs:
            found["alpha"] = sorted({*LEVELS, float(getattr(self.test, "alpha", LEVELS[1]))}, reverse=True)
        return found

    def chosen(self, **choice: Any) -> Procedure:
        """Return the test with another alternative or level."""
        return self.test.assuming(**choice) if choice else self.test

    def _on_choice(self, change: Mapping[str, Any]) -> None:
        choice = {name: value for name, value in change["new"].items() if value in self.choices.get(name, ())}
        with suppress(ValueError):  # the front end offers only possible values, so an error is not shown
            self.view = self.view_of(self.chosen(**choice))

    def frame_numbers(self, test: Procedure) -> dict[str, int]:
        """Return the number of the frame of each step; a step after the last frame has a number that is never reached."""
        frames = frames_of(test, *self._ends)
        order = {row.name: number for number, frame in enumerate(frames) for row in frame.rows}
        steps = [row.name for row in test.worked() if row.kind == "step" and not row.aside]
        begun = next((number for number, name in enumerate(steps) if order.get(name)), len(steps))  # earlier steps are shown from the start
        return {name: 0 if number < begun else len(frames) for number, name in enumerate(steps)} | order

    def view_of(self, test: Procedure) -> dict[str, Any]:
        """Return everything that the front end shows of a test: question, frames, pictures and choices."""
        frames, order = frames_of(test, *self._ends), self.frame_numbers(test)
        boxes = {size: [picture_html(pictures, order, room) for pictures in step_pictures(test)] for size, room in SIZES.items()}
        return {
            "name": self.name,
            "question": plain_name(": ".join(name_and_question(test))),
            "frames": [
                {"name": frame.name, "lines": [line_html(row, mathml) for row in frame.rows], "sentence": escape_prose(frame.sentence)}
                for frame in frames
            ],
            "pictures": {size: "".join(parts) for size, parts in boxes.items()},
            "choices": {name: {"values": values, "value": getattr(test, name)} for name, values in self.choices.items()},
        }

    def pictures_at(self, number: int) -> list[Picture]:
        """Return the pictures of one frame, from above to below; frames are numbered from 0."""
        order = self.frame_numbers(self.test)
        shown = sorted(step_pictures(self.test), key=lambda part: part.slot)
        return [picture for part in shown if (picture := part.at_frame(number, order)) is not None]

    def save(self, path: Any, *, seconds: float = 2.0) -> None:
        """Write an animated picture, ``walk.save("walk.svg")``, or one picture for each frame, ``walk.save("folder")``.

        Parameters
        ----------
        path : path
            File with the suffix ``.svg``, or a folder, in which the pictures are called ``step_00.png``, ``step_01.png``, ...
        seconds : float
            Time for which an animated picture shows each frame; it starts again after the last frame.
        """
        save_walk(self.content, path, seconds)

    @property
    def content(self) -> WalkContent:
        """Frames and pictures of the walk, for files and for paper."""
        return WalkContent(self.frames, step_pictures(self.test), self.frame_numbers(self.test), self.stored_text)

    @property
    def stored_text(self) -> str:
        """Text of the walk in a notebook without a kernel: the value of each step, the pictures and the last sentence."""
        frames = self.frames
        values = [f"{row.name} = {column_entries(row) or format_value(row)}" for frame in frames for row in frame.rows if not row.is_table]
        pictures = [picture.text for picture in self.pictures_at(len(frames) - 1)]
        said = " ".join(frame.sentence for frame in frames if frame.name in ("reject", "conclusion")) or frames[-1].sentence
        return plain_powers(plain_name(" ".join([f"[{self.name}]", f"{'; '.join(values)}.", *pictures, said])))

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live widget; a notebook without a kernel shows the pictures of the last step and the conclusion."""
        return live_and_still(super()._repr_mimebundle_(**kwargs), self.stored_text, self.pictures_at(len(self.frames) - 1))


def picture_html(pictures: StepPicture, order: Mapping[str, int], size: PictureSize) -> str:
    """Return the element of a step picture, at its place in the column of pictures and with the numbers of its frames."""
    tall = " fstats-tall" if pictures.rows > 1 else ""
    frames = frame_attributes(*pictures.frames_of(pictures.since, pictures.until, order))
    place = f"grid-row:{pictures.slot + 1} / span {pictures.rows}"
    room = size if pictures.picture.frame else size._replace(most=1.2 * size.most)  # text of a diagram becomes as large as that of a plot
    return f'<div class="fstats-picture{tall}"{frames} style="{place}">{pictures.svg(order, room)}</div>'
