"""Pictures of an exercise's data that give no answer away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...plot.picture import Picture


def untold(picture: Callable[[Any], Picture]) -> Callable[[Any], Picture]:
    """A picture of the scores of A and B without its usual title, which counts wins and works out means."""

    def scores(test: Any) -> Picture:
        """The scores, joined in pairs."""
        text = f"Scores of A and B on {len(test.a)} data sets, joined in pairs."
        return replace(picture(test), title="Scores of A and B", text=text)

    return scores
