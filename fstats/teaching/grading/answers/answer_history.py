"""What was answered before, in whose light an answer is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..verdicts.feedback import Verdict

PLAUSIBLE = 200, 3  # so much, or so many times the largest right one, is the most that a slip can make of a count


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


def is_beyond(value: Any, right: Any) -> bool:
    """Whether an answer is so far from the right one that nobody made a slip.

    That is a list of one number again and again, from which what follows is plain to see, and are counts or ranks beyond
    all bounds, which it could take for ever to follow.
    """
    wanted = np.asarray(right)
    if np.size(value) > 2 and len(np.unique(value)) == 1 < len(np.unique(wanted)) and wanted.dtype.kind in "iuf":
        return True
    if wanted.dtype.kind not in "iuf" or not np.all((wanted >= 0) & (2 * wanted == np.floor(2 * wanted))):
        return False
    return bool(np.any(np.abs(value) > max(PLAUSIBLE[0], PLAUSIBLE[1] * wanted.max(initial=0))))
