"""Base class of all interactive explorers.

An explorer shows a sentence, a picture and up to three visible controls.

The front end (``explorer.js``) only sends the positions of its controls and the size available for pictures, and shows the reply.
Each reply of the explorer is computed from one new test.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from ...core.mathematics_in_names import plain_name
from ...core.worked_example_row import Row
from ...plot.drawing import matplotlib_figure
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_layout import FRAMELESS_MARGIN, TEXT
from ...plot.drawing.picture_marks import DEFAULT_SIZE, PictureSize
from ...plot.drawing.svg import css_palette
from ...render import html
from ...runtime.optional_dependencies import require_extra
from .drag_handle import DragHandle
from .slider import Control, Slider

with require_extra("explore", "an explorer"):
    import anywidget
    import traitlets

HERE = Path(__file__).parent
# Style sheets of the explorers and of all other outputs.
STYLE = (HERE / "explorer.css", HERE.parents[1] / "teaching" / "settings" / "custom" / "outputs.css")
# pictures with fewer pixels are compact; in explorer.js, these limits have the names NARROW and LOW
COMPACT_WIDTH, COMPACT_HEIGHT = 360, 200
MAX_MAIN_CONTROLS = 3  # maximum number of controls that are visible at the start, because more do not fit on a screen


class Explainable(Protocol):
    """Object that an explorer can show (a test, several tests or a simulation), with worked rows and a conclusion."""

    def worked(self) -> Iterable[Row]:
        """Return the rows of the worked example."""

    @property
    def conclusion(self) -> str:
        """Conclusion in words."""


T = TypeVar("T", bound=Explainable)


class Explorer(anywidget.AnyWidget, Generic[T]):
    """Widget that computes a test again when its sliders move.

    ``explorer.move(alpha=2)`` moves a slider from Python; ``explorer.test`` is the test that is shown.

    Parameters
    ----------
    name : str
        Name of the explorer, for screen readers and for notebooks without a kernel.
    **first : int
        Start position of each slider.
    """

    question: ClassVar[str] = ""
    """Question that the explorer answers, in one line."""
    main_controls: ClassVar[tuple[str, ...]] = ()
    """Names of at most three controls that the question needs; all other controls are hidden at first."""
    dragged: ClassVar[tuple[tuple[str, int, str], ...]] = ()
    """Marks to drag along the x-axis: name of the slider (the x of the mark), index of the picture, attribute of the test (its y)."""

    _esm = HERE / "explorer.js"
    _css = "\n".join(part.read_text(encoding="utf-8") for part in STYLE).replace("/* the colours */", css_palette())
    # None hides an inherited method, with which ipywidgets 7 (in Colab) would show no picture
    _ipython_display_ = None
    name = traitlets.Unicode().tag(sync=True)
    # positions of the controls; the front end sets them
    positions = traitlets.Dict().tag(sync=True, echo_update=False)
    # size that is available for a picture, as a PictureSize; the front end sets it
    room = traitlets.Dict().tag(sync=True, echo_update=False)
    # message to the front end: controls, pictures, handles to drag, worked example and conclusion
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, name: str, **first: int) -> None:
        super().__init__(name=name)
        self._start_positions = first
        self._picture_size = DEFAULT_SIZE
        self._reset_positions()
        self._update_view()
        self.observe(self._on_positions_changed, "positions")
        self.observe(self._on_size_changed, "room")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if len(cls.main_controls) > MAX_MAIN_CONTROLS:
            got = ", ".join(cls.main_controls)
            raise TypeError(f"{cls.__name__}.main_controls must name at most {MAX_MAIN_CONTROLS} controls; got {got}")

    # -- members that a subclass defines ---------------------------------------------------------------------------------
    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders from top to bottom; the range of a slider may depend on the position of another slider."""
        raise TypeError(f"the class {type(self).__name__} must define the property sliders, a list of sliders")

    @property
    def test(self) -> T:
        """Current test, newly computed."""
        raise TypeError(f"the class {type(self).__name__} must define the property test, which computes the current test")

    def pictures(self, test: T) -> Sequence[Picture]:
        """Return the pictures above the worked test."""
        raise TypeError(f"the class {type(self).__name__} must define the method pictures, which draws the test {type(test).__name__}")

    def drag_handles(self, test: T) -> Sequence[DragHandle]:
        """Return the handles of the marks that can be dragged; by default those that the attribute `dragged` names."""
        at = self.values
        return [self.handle_on_axis(name, picture, float(at[name]), float(getattr(test, y))) for name, picture, y in self.dragged]

    @property
    def picture_width(self) -> float:
        """Largest possible width of a picture whose layout is computed in pixels, with text of height 15."""
        return float(min(616.0, self._picture_size.width * TEXT / min(self._picture_size.text, TEXT) - 2 * FRAMELESS_MARGIN))

    @property
    def is_compact(self) -> bool:
        """Whether the picture is so small that labels must move closer to their marks."""
        return self._picture_size.most < COMPACT_HEIGHT or self._picture_size.width < COMPACT_WIDTH

    # -- positions of the sliders --------------------------------------------------------------------------------------
    def _reset_positions(self) -> None:
        """Move every slider to its start position."""
        self._slider_positions = dict(self._start_positions)

    def _positions_of_values(self, **values: Any) -> dict[str, int]:
        """Return the positions at which the sliders have the given values."""
        return {slider.name: slider.position(values[slider.name]) for slider in self.sliders}

    def _apply_moves(self, moved: Mapping[str, int]) -> None:
        """Move sliders; if the range of a slider becomes shorter, the slider moves to the nearest possible position."""
        self._slider_positions |= moved
        for slider in self.sliders:
            self._slider_positions[slider.name] = min(max(self._slider_positions[slider.name], slider.least), slider.most)

    @property
    def values(self) -> dict[str, Any]:
        """Value of each slider."""
        return {slider.name: slider.value(self._slider_positions[slider.name]) for slider in self.sliders}

    @property
    def controls(self) -> Sequence[Control]:
        """Current state of each slider."""
        return [slider.control_at(self._slider_positions[slider.name]) for slider in self.sliders]

    def control(self, name: str) -> Control:
        """Return the current state of one slider."""
        return next(control for control in self.controls if control.name == name)

    def handle_on_axis(self, name: str, picture: int, x: float, y: float, axis: Literal["x", "y"] = "x") -> DragHandle:
        """Return the handle of a mark whose coordinate on an axis is the value of a slider."""
        slider = next(slider for slider in self.sliders if slider.name == name)
        control = slider.control_at(self._slider_positions[name])
        return DragHandle(picture, x, y, axis, control, slider.values, f"{control.label}: the mark in the picture")

    # -- messages from and to the front end ----------------------------------------------------------------------------
    def move(self, **positions: int) -> None:
        """Move controls to new positions, as a user does with the sliders."""
        # move one control after the other, because each move can change the range of the next control
        for name, position in positions.items():
            known = {control.name: control for control in self.controls}
            if name not in known:
                raise ValueError(f"there is no control {name!r}; the controls are {', '.join(known)}")
            if not known[name].least <= position <= known[name].most:
                raise ValueError(f"the position of `{name}` must be between {known[name].least} and {known[name].most}; got {position}")
            self.positions = {**self.positions, name: position}

    def reset(self) -> None:
        """Move all sliders back to their start positions."""
        self._reset_positions()
        self._update_view()

    def _on_positions_changed(self, change: Mapping[str, Any]) -> None:
        new, old = change["new"], change["old"] or {}
        if new.get("reset", 0) != old.get("reset", 0):
            self.reset()
            return
        dragged = new["held"]["moves"] if new.get("held") != old.get("held") else {}
        current_positions = {control.name: control.value for control in self.controls}
        moved = {
            name: int(position)
            for name, position in new.items()
            if name in current_positions and position != current_positions[name] and name not in dragged
        }
        if moved:
            self._apply_moves(moved)
        # apply dragged moves one by one: the data set comes first, because the slider of the score depends on it
        for name, position in dragged.items():
            self._apply_moves({name: int(position)})
        if moved or dragged:
            self._update_view()

    def _on_size_changed(self, change: Mapping[str, Any]) -> None:
        """Draw the current test again after the size of the pictures has changed."""
        self._picture_size = PictureSize(**change["new"])
        self.view = {**self.view, **self._draw_view(self._current_test)}

    def _draw_view(self, test: T) -> dict[str, Any]:
        pictures = self.pictures(test)
        return {
            "room": dict(self.room),  # the size for which the pictures are drawn
            "pictures": [picture.svg(self._picture_size) for picture in pictures],
            "grips": [grip.to_front_end(pictures, self._picture_size) for grip in self.drag_handles(test)],
        }

    def _update_view(self) -> None:
        test = self._current_test = self.test
        controls = [vars(control) for control in self.controls]
        with self.hold_sync(), self.hold_trait_notifications():
            self.view = {
                "question": self.question,
                "leading": list(self.main_controls or [control["name"] for control in controls][:MAX_MAIN_CONTROLS]),
                "controls": controls,
                **self._draw_view(test),
                "work": html.rows_html((row for row in test.worked() if row.kind != "conclusion"), html.mathml),
                "conclusion": plain_name(test.conclusion),
                "said": html.escape_prose(test.conclusion),
                "presses": self.positions.get("presses", 0),  # number of the user's action that this view answers
            }
            self.set_trait("positions", {**self.positions, **{control["name"]: control["value"] for control in controls}})

    def _still(self) -> tuple[str, Sequence[Picture]]:
        """Return the text and the pictures of the current test in the default size, so that they do not depend on the browser window."""
        test, picture_size, self._picture_size = self.test, self._picture_size, DEFAULT_SIZE
        pictures = self.pictures(test)
        self._picture_size = picture_size
        return plain_name(" ".join([f"[{self.name}]", *(picture.text for picture in pictures), test.conclusion])), pictures

    @property
    def stored_text(self) -> str:
        """Text of the explorer in a notebook without a kernel."""
        return self._still()[0]

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live widget; a notebook without a kernel shows the pictures and the conclusion."""
        return live_and_still(super()._repr_mimebundle_(**kwargs), *self._still())


def live_and_still(live: Any, text: str, pictures: Sequence[Picture]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the MIME bundle of a live widget with the text and the pictures that a notebook without a kernel shows, and its metadata."""
    data = dict(live[0] if isinstance(live, tuple) else live or {}) | {"text/plain": text}
    if not pictures:
        return data, {}
    data["image/png"] = base64.b64encode(matplotlib_figure.figure_png(*pictures)).decode()
    return data, {"image/png": {"alt": text, "heights": [picture.height for picture in pictures]}}


class SimulationExplorer(Explorer[T]):
    """Explorer of a simulation: the values of the sliders are the settings of the simulation."""

    title: ClassVar[str]
    simulation: ClassVar[Callable[..., Any]]

    def __init__(self, **start: Any) -> None:
        super().__init__(self.title, **self._positions_of_values(**start))

    @property
    def test(self) -> T:
        """Simulation with the values of the sliders."""
        simulation: T = type(self).simulation(**self.values)
        return simulation
