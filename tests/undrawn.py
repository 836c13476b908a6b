"""Explorers that move as ever and draw nothing, for tests that look at what they compute and not at what they show."""

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from fstats.explore.widgets.explorer import Explorer


def _follow(explorer: Explorer[Any]) -> None:
    """What is left of showing: the controls stand where they have been moved to."""
    explorer.set_trait("positions", explorer.positions | {control.name: control.value for control in explorer.controls})


def undrawn() -> AbstractContextManager[Any]:
    """While this lasts no explorer is drawn; most of what a move costs is its pictures and its typeset lines."""
    return patch.object(Explorer, "_update_view", _follow)
