"""What was answered before, in whose light an answer is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .feedback import Verdict


class Earlier(NamedTuple):
    """An answer that was given before: to which question, what, and the verdict on it."""

    key: str
    value: Any
    verdict: Verdict

    @property
    def is_right(self) -> bool:
        """Whether it was right."""
        return self.verdict == "right"


def to_mend(earlier: Mapping[str, Earlier]) -> str:
    """The questions at which something went wrong (not those that only follow from one, or lack digits), in words."""
    keys = [answer.key for answer in earlier.values() if answer.verdict not in ("right", "carried", "digits")]
    return keys[0] if len(keys) == 1 else ", ".join(keys[:-1]) + " and " + keys[-1] if keys else ""
