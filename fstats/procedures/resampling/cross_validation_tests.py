"""List of all tests on scores from cross-validation or hold-out, in the order of Table 5 of the 5x2 BCV McNemar paper."""

from __future__ import annotations

from collections.abc import Iterator

from .algorithm_comparison import TwoAlgorithms, is_cross_validation_test


def _public_tests() -> Iterator[type[TwoAlgorithms]]:
    """Return the public tests on a plan that are defined in this package, in the order of the list of public names."""
    import fstats  # imported inside the function, because fstats loads this module only on demand

    for name, home in fstats._HOME.items():
        if home.startswith("procedures.resampling.") and is_cross_validation_test(test := getattr(fstats, name)):
            yield test


ALL_TESTS = tuple(_public_tests())

# The seventeen tests of the source paper; the last test of the list is not in that paper.
SOURCE_PAPER_TESTS = ALL_TESTS[:-1]

# Tests with figures in Table 5 of the source paper: they need one training for each split of the plan and no extra splits.
TABLE_5 = tuple(test for test in SOURCE_PAPER_TESTS if not test.further_splits())
