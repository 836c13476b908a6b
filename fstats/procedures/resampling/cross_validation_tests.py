"""All tests on resampled scores, in the order of the list of public names, which for them is that of Table 5 of the source paper."""

from __future__ import annotations

from collections.abc import Iterator

from .algorithm_comparison import TwoAlgorithms, is_cross_validation_test


def _public_tests() -> Iterator[type[TwoAlgorithms]]:
    """Those of the public names in this room that are tests on a plan."""
    import fstats  # which loads each of them now, and nothing when it is imported itself

    for name, home in fstats._HOME.items():
        if home.startswith("procedures.resampling.") and is_cross_validation_test(test := getattr(fstats, name)):
            yield test


ALL_TESTS = tuple(_public_tests())

# The seventeen of the source paper: it does not know the last one.
SOURCE_PAPER_TESTS = ALL_TESTS[:-1]

# Those with figures in Table 5: each training serves one split of the plan, and no further ones are needed.
TABLE_5 = tuple(test for test in SOURCE_PAPER_TESTS if not test.further_splits())
