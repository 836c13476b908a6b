"""Exercise: compute a critical value, and check a printed table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise_loader import load_exercise
from .steps import PRINTED, ROWS


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a few ranks to count by hand, a row of the table to look up, and a printed entry, right or wrong."""
    column, row = float(rng.choice([0.10, 0.05, 0.01])), int(rng.integers(7, 15))
    # "limit" is never 6, because the mistakes at q2 and q3 would then give the same value
    data: dict[str, Any] = {"ranks": int(rng.integers(6, 8)), "limit": int(rng.choice([5, 7])), "data_sets": int(rng.integers(11, 15))}
    data |= {"zeros": int(rng.integers(2, 4)), "alpha": float(rng.choice([0.10, 0.05, 0.02, 0.01]))}
    return data | {"row": row, "column": column, "printed": PRINTED[column][ROWS.index(row)]}


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield usual entries, entries that do not exist, and entries whose probability is exactly alpha / 2."""
    for n in rng.permutation(range(6, 21)).tolist():
        yield "entries of a table", {"n": n, "alpha": float(rng.choice([0.10, 0.05, 0.01])) if n > 7 else 0.10}
    yield from (("nothing can reject", {"n": n, "alpha": 0.01}) for n in (4, 6, 7))
    yield from (("alpha / 2 used up to the last bit", {"n": n, "alpha": 10 / 2**n}) for n in (6, 8, 10))


EXERCISE = load_exercise(__package__, draw, q11={"unseen": unseen})
