"""List of all cross-validation and hold-out tests.

The order is that of Table 5 of the 5x2 BCV McNemar paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from .algorithm_comparison import TwoAlgorithms, is_cross_validation_test


def _public_tests() -> Iterator[type[TwoAlgorithms]]:
    """Return the public tests on a plan that are defined in this package, in the order of the list of public names."""
    import fstats  # not at the top of the module, because fstats itself loads this module on demand

    for name, home in fstats._HOME.items():
        if home.startswith("procedures.resampling.") and is_cross_validation_test(test := getattr(fstats, name)):
            yield test


ALL_TESTS = tuple(_public_tests())

# the seventeen tests of the 5x2 BCV McNemar paper; the last test in ALL_TESTS is not one of them
SOURCE_PAPER_TESTS = ALL_TESTS[:-1]

# tests in Table 5 of the paper, which train only on the splits of the plan, without extra splits
TABLE_5 = tuple(test for test in SOURCE_PAPER_TESTS if not test.further_splits())
