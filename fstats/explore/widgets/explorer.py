"""What all explorers share: the sentence and at most three controls beside the picture, which fit a screen; all else folded away.

The front end (``explorer.js``) only sends the positions of its controls and the room that it has, and shows what comes back.
Everything shown comes from one freshly computed test.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

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
STYLE = (
    HERE / "explorer.css",
    HERE.parents[1] / "teaching" / "settings" / "custom" / "outputs.css",
)  # the explorers', and that of all other outputs
COMPACT_WIDTH, COMPACT_HEIGHT = 360, 200  # pixels of a picture from which it is not tight (NARROW and LOW in explorer.js)
MAX_MAIN_CONTROLS = 3  # controls that fit a screen beside a picture


class Explainable(Protocol):
    """What an explorer can show: a test, several of them, a simulation; whatever has rows and a conclusion."""

    def worked(self) -> Iterable[Row]:
        """The worked example."""

    @property
    def conclusion(self) -> str:
        """What it comes to, in words."""


T = TypeVar("T", bound=Explainable)


class Explorer(anywidget.AnyWidget, Generic[T]):
    """A test that follows its sliders.

    ``explorer.move(alpha=2)`` does from Python what a slider does; ``explorer.test`` is the test that is shown.

    Parameters
    ----------
    name : str
        What it is called, for screen readers and where no kernel runs.
    **first : int
        The position in which each slider starts.
    """

    question: ClassVar[str] = ""
    """What one asks of it, in a line."""
    leading: ClassVar[tuple[str, ...]] = ()
    """The controls that the question needs, at most three; the others are folded away until they are asked for."""

    _esm = HERE / "explorer.js"
    _css = "\n".join(part.read_text(encoding="utf-8") for part in STYLE).replace("/* the colours */", css_palette())
    _ipython_display_ = None  # by which ipywidgets 7, still the one of Colab, shows a widget without its picture
    name = traitlets.Unicode().tag(sync=True)
    positions = traitlets.Dict().tag(sync=True, echo_update=False)  # from the front end: control -> position
    room = traitlets.Dict().tag(sync=True, echo_update=False)  # from the front end: what each picture may take, see Room
    view = traitlets.Dict().tag(sync=True)  # to the front end: controls, pictures, grips, work, conclusion

    def __init__(self, name: str, **first: int) -> None:
        super().__init__(name=name)
        self._first = first
        self._room = DEFAULT_SIZE
        self._start()
        self._show()
        self.observe(self._moved, "positions")
        self.observe(self._given_room, "room")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if len(cls.leading) > MAX_MAIN_CONTROLS:
            raise TypeError(f"{cls.__name__}.leading must name at most {MAX_MAIN_CONTROLS} controls; got {', '.join(cls.leading)}")

    # -- what an explorer of its own says ------------------------------------------------------------------------------
    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """The sliders, from top to bottom; what one of them offers may depend on where another stands."""
        raise TypeError(f"{type(self).__name__} must list its sliders")

    @property
    def test(self) -> T:
        """The test that is shown, computed afresh."""
        raise TypeError(f"{type(self).__name__} must compute a test")

    def pictures(self, test: T) -> Sequence[Picture]:
        """The pictures above the worked test."""
        raise TypeError(f"{type(self).__name__} must draw {type(test).__name__}")

    def grips(self, test: T) -> Sequence[DragHandle]:  # noqa: ARG002
        """The marks of the pictures that can be moved by hand; none if not said otherwise."""
        return ()

    @property
    def across(self) -> float:
        """How wide a picture may be that is made in pixels, of text that is 15 high."""
        return float(min(616.0, self._room.width * TEXT / min(self._room.text, TEXT) - 2 * FRAMELESS_MARGIN))

    @property
    def tight(self) -> bool:
        """Whether a picture has so little room that names must move closer to what they name."""
        return self._room.most < COMPACT_HEIGHT or self._room.width < COMPACT_WIDTH

    # -- where the sliders stand ---------------------------------------------------------------------------------------
    def _start(self) -> None:
        """Put everything to where the explorer starts."""
        self._at = dict(self._first)

    def _positions(self, **values: Any) -> dict[str, int]:
        """Where the sliders stand for these values."""
        return {slider.name: slider.position(values[slider.name]) for slider in self.sliders}

    def _take(self, moved: Mapping[str, int]) -> None:
        """Take over where these sliders have moved to; one that has become shorter by it takes its position along."""
        self._at |= moved
        for slider in self.sliders:
            self._at[slider.name] = min(max(self._at[slider.name], slider.least), slider.most)

    @property
    def values(self) -> dict[str, Any]:
        """What each slider stands for."""
        return {slider.name: slider.value(self._at[slider.name]) for slider in self.sliders}

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        return [slider.standing(self._at[slider.name]) for slider in self.sliders]

    def control(self, name: str) -> Control:
        """One of them."""
        return next(control for control in self.controls if control.name == name)

    def along(self, name: str, picture: int, x: float, y: float, axis: Literal["x", "y"] = "x") -> DragHandle:
        """A grip on the mark whose place on an axis is the value of this slider."""
        slider = next(slider for slider in self.sliders if slider.name == name)
        control = slider.standing(self._at[name])
        return DragHandle(picture, x, y, axis, control, slider.values, f"{control.label}: the mark in the picture")

    # -- the round trip ------------------------------------------------------------------------------------------------
    def move(self, **positions: int) -> None:
        """Move controls, as the sliders do."""
        for name, position in positions.items():  # one after the other, as a hand would
            known = {control.name: control for control in self.controls}
            if name not in known:
                raise ValueError(f"there is no control {name!r}; the controls are {', '.join(known)}")
            if not known[name].least <= position <= known[name].most:
                raise ValueError(f"{name} moves from {known[name].least} to {known[name].most}; got {position}")
            self.positions = {**self.positions, name: position}

    def reset(self) -> None:
        """Back to where it started."""
        self._start()
        self._show()

    def _moved(self, change: Mapping[str, Any]) -> None:
        new, old = change["new"], change["old"] or {}
        if new.get("reset", 0) != old.get("reset", 0):
            self.reset()
            return
        held = new["held"]["moves"] if new.get("held") != old.get("held") else {}
        now = {control.name: control.value for control in self.controls}
        moved = {name: int(position) for name, position in new.items() if name in now and position != now[name] and name not in held}
        if moved:
            self._take(moved)
        for name, position in held.items():  # one after the other: the data set, then its score
            self._take({name: int(position)})
        if moved or held:
            self._show()

    def _given_room(self, change: Mapping[str, Any]) -> None:
        """Draw again what is shown, for the room that there is now."""
        self._room = PictureSize(**change["new"])
        self.view = {**self.view, **self._drawn(self._shown)}

    def _drawn(self, test: T) -> dict[str, Any]:
        pictures = self.pictures(test)
        return {
            "room": dict(self.room),  # for which they are drawn
            "pictures": [picture.svg(self._room) for picture in pictures],
            "grips": [grip.seen(pictures, self._room) for grip in self.grips(test)],
        }

    def _show(self) -> None:
        test = self._shown = self.test
        controls = [vars(control) for control in self.controls]
        with self.hold_sync(), self.hold_trait_notifications():
            self.view = {
                "question": self.question,
                "leading": list(self.leading or [control["name"] for control in controls][:MAX_MAIN_CONTROLS]),
                "controls": controls,
                **self._drawn(test),
                "work": html.rows_html((row for row in test.worked() if row.kind != "conclusion"), html.mathml),
                "conclusion": test.conclusion,
                "said": html.escape_prose(test.conclusion),  # the same, as the page shows it
                "presses": self.positions.get("presses", 0),  # which press of the front end this answers
            }
            self.set_trait("positions", {**self.positions, **{control["name"]: control["value"] for control in controls}})

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live explorer; where no kernel runs, its pictures and its conclusion."""
        live = super()._repr_mimebundle_(**kwargs)
        data = dict(live[0] if isinstance(live, tuple) else live or {})
        test, room, self._room = self.test, self._room, DEFAULT_SIZE  # whatever room a browser has, the notebook keeps the same picture
        pictures = self.pictures(test)
        self._room = room
        text = " ".join([f"[{self.name}]", *(picture.text for picture in pictures), test.conclusion])
        data |= {"image/png": base64.b64encode(matplotlib_figure.figure_png(*pictures)).decode(), "text/plain": text}
        return data, {"image/png": {"alt": text, "heights": [picture.height for picture in pictures]}}


class SimulationExplorer(Explorer[T]):
    """An explorer of a simulation, whose settings are what the sliders stand for; it starts where it is told."""

    title: ClassVar[str]
    simulation: ClassVar[Callable[..., Any]]

    def __init__(self, **start: Any) -> None:
        super().__init__(self.title, **self._positions(**start))

    @property
    def test(self) -> T:
        """The simulation for the sliders as they stand."""
        shown: T = type(self).simulation(**self.values)
        return shown
