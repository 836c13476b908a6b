"""All tests on resampled scores, in the order of the list of public names, which for them is that of Table 5 of the source paper."""

from __future__ import annotations

from collections.abc import Iterator

from .algorithm_comparison import TwoAlgorithms, is_test


def _listed() -> Iterator[type[TwoAlgorithms]]:
    """Those of the public names in this room that are tests on a plan."""
    import fstats  # which loads each of them now, and nothing when it is imported itself

    for name, home in fstats._HOME.items():
        if home.startswith("procedures.resampling.") and is_test(test := getattr(fstats, name)):
            yield test


EVERY_TEST = tuple(_listed())

# The seventeen of the source paper: it does not know the last one.
OF_THE_PAPER = EVERY_TEST[:-1]

# Those with figures in Table 5: each training serves one split of the plan, and no further ones are needed.
TABLE_5 = tuple(test for test in OF_THE_PAPER if not test.further_splits())
