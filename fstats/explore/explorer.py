"""What all explorers share: native sliders on top, then the conclusion, the pictures, and the worked test.

The front end (``explorer.js``) only sends the positions of its controls and shows what comes back.  Everything shown
comes from one freshly computed test.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import anywidget
import traitlets

from ..picture import Picture
from ..render import figure, html
from ..row import Row
from .slider import Control, Slider

HERE = Path(__file__).parent


class Shown(Protocol):
    """What an explorer can show: a test, several of them, a simulation; whatever has rows and a conclusion."""

    def worked(self) -> Iterable[Row]:
        """The worked example."""

    @property
    def conclusion(self) -> str:
        """What it comes to, in words."""


T = TypeVar("T", bound=Shown)


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

    _esm = HERE / "explorer.js"
    _css = HERE / "explorer.css"
    name = traitlets.Unicode().tag(sync=True)
    positions = traitlets.Dict().tag(sync=True, echo_update=False)  # from the front end: control -> position
    view = traitlets.Dict().tag(sync=True)  # to the front end: controls, pictures, work, conclusion

    def __init__(self, name: str, **first: int) -> None:
        super().__init__(name=name)
        self._first = first
        self._start()
        self._show()
        self.observe(self._moved, "positions")

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

    # -- where the sliders stand ---------------------------------------------------------------------------------------
    def _start(self) -> None:
        """Put everything to where the explorer starts."""
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        """Take over where these sliders have moved to; one that has become shorter by it takes its position along."""
        self._at |= moved
        for slider in self.sliders:
            self._at[slider.name] = min(self._at[slider.name], slider.most)

    @property
    def values(self) -> dict[str, Any]:
        """What each slider stands for."""
        return {slider.name: slider.value(self._at[slider.name]) for slider in self.sliders}

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        return [slider.standing(self._at[slider.name]) for slider in self.sliders]

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
        if change["new"].get("reset", 0) != (change["old"] or {}).get("reset", 0):
            self.reset()
            return
        now = {control.name: control.value for control in self.controls}
        moved = {name: int(position) for name, position in change["new"].items() if name in now and position != now[name]}
        if moved:
            self._take(moved)
            self._show()

    def _show(self) -> None:
        test = self.test
        controls = [vars(control) for control in self.controls]
        with self.hold_sync(), self.hold_trait_notifications():
            self.view = {
                "controls": controls,
                "pictures": [picture.svg() for picture in self.pictures(test)],
                "work": html.body((row for row in test.worked() if row.kind != "conclusion"), html.mathml),
                "conclusion": test.conclusion,
                "presses": self.positions.get("presses", 0),  # which press of the front end this answers
            }
            self.set_trait("positions", {**self.positions, **{control["name"]: control["value"] for control in controls}})

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live explorer; where no kernel runs, its pictures and its conclusion."""
        live = super()._repr_mimebundle_(**kwargs)
        data = dict(live[0] if isinstance(live, tuple) else live or {})
        test = self.test
        pictures = self.pictures(test)
        text = " ".join([f"[{self.name}]", *(picture.text for picture in pictures), test.conclusion])
        data |= {"image/png": base64.b64encode(figure.png(*pictures)).decode(), "text/plain": text}
        return data, {"image/png": {"alt": text}}
