"""Sliders of interactive explorers.

If the values are words, buttons replace the slider.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from ...core.number_format import format_plain
from ...core.validation.check import count, positive

V = TypeVar("V", covariant=True)
MAX_LISTED = 12  # maximum number of values that an error message lists


@dataclass(frozen=True)
class Control:
    """State of a slider for the front end: its range, its position, and the text of its value."""

    name: str
    label: str
    least: int
    most: int
    value: int
    text: str
    choices: tuple[str, ...] = ()  # texts of the buttons; empty if the control has no buttons
    active: bool = True  # False if the control has no effect on the current test


@dataclass(frozen=True)
class Slider(Generic[V]):
    """Slider over a sequence of values.

    Parameters
    ----------
    name : str
        Name of the control in :meth:`fstats.explore.widgets.explorer.Explorer.move`.
    label : str
        Label in front of the slider.
    values : sequence
        Values of the slider, one for each position.
    text : callable
        Function that returns the text of a value.
    least : int
        Position of the first value.
    buttons : bool
        Whether numbers are selected by buttons, as words are, and not by a slider.

    Examples
    --------
    >>> slider = Slider("rate", "Share", (0.0, 0.05, 0.2), "r = {}".format)
    >>> slider.value(2), slider.position(0.05)
    (0.2, 1)
    >>> slider.control_at(1)
    Control(name='rate', label='Share', least=0, most=2, value=1, text='r = 0.05', choices=(), active=True)
    >>> Slider("zeros", "Zeros", ("drop", "split")).control_at(1).choices
    ('drop', 'split')
    """

    name: str
    label: str
    values: Sequence[V]
    text: Callable[[Any], str] = format_plain
    least: int = 0
    buttons: bool = False

    @cached_property
    def uses_buttons(self) -> bool:
        """Whether the user chooses among buttons: True for values that are words or booleans."""
        return self.buttons or not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values)

    @property
    def most(self) -> int:
        """Position of the last value."""
        return self.least + len(self.values) - 1

    def value(self, position: int) -> V:
        """Return the value at a position."""
        return self.values[position - self.least]

    def position(self, value: Any, argument: str = "") -> int:
        """Return the position of a value; error messages call the value `argument`, which is the name that the caller uses."""
        name = argument or self.name
        if isinstance(self.values, range):
            number = int(count(0)(value, name))
            if number not in self.values:
                raise ValueError(f"`{name}` must be between {self.values[0]} and {self.values[-1]}, the range of its slider; got {value}")
            return self.least + self.values.index(number)
        if value not in self.values:
            listed = [format_plain(choice) for choice in self.values]
            if len(listed) > MAX_LISTED:
                listed = [*listed[:3], "...", listed[-1]]
            raise ValueError(f"`{name}` must be one of {', '.join(listed)}, the positions of its slider; got {value!r}")
        return self.least + self.values.index(value)

    def control_at(self, position: int) -> Control:
        """Return the state of the slider at a position."""
        choices = tuple(map(self.text, self.values)) if self.uses_buttons else ()
        return Control(self.name, self.label, self.least, self.most, position, self.text(self.value(position)), choices)


def integer_slider(name: str, label: str, least: int, most: int, text: Callable[[int], str] = format_plain) -> Slider[int]:
    """Return a slider over whole numbers; each number is its own position.

    >>> integer_slider("n", "Number of data sets", 2, 30).position(15)
    15
    """
    return Slider(name, label, range(least, most + 1), text, least)


def step_slider(name: str, label: str, least: int, most: int, step: Any, text: Callable[[Any], str] = format_plain) -> Slider[float]:
    """Return a slider over the multiples of a step, from `least` to `most` steps.

    >>> step_slider("shift", "Added to all", -2, 2, 0.1).values
    (-0.2, -0.1, 0.0, 0.1, 0.2)
    """
    size = float(positive(step, "step"))
    return Slider(name, label, tuple(round(k * size, 12) for k in range(least, most + 1)), text, least)


LEVEL_SLIDER = Slider("alpha", "Level alpha", (0.001, 0.005, 0.01, 0.02, 0.05, 0.10, 0.20), buttons=True)
