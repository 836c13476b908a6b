"""Folds become one score for each data set before a test sees them."""

import numpy as np
import pytest

from fstats import PairedT, average_folds


def test_the_mean_of_each_row():
    assert average_folds([[0.75, 1.0], [0.5, 0.25], [1, 0]]).tolist() == [0.875, 0.375, 0.5]
    assert average_folds(np.ones((4, 10, 7))).shape == (4, 7)


def test_folds_taken_as_independent_reject_too_often():
    # H0 is true: each data set favours A or B by chance, and its ten folds share that luck
    rng = np.random.default_rng(50)
    luck = rng.normal(0, 0.02, (8, 1, 4000))
    folds = luck + rng.normal(0, 0.01, (8, 10, 4000))
    as_independent = PairedT(folds.reshape(80, 4000), np.zeros((80, 4000)))
    averaged = PairedT(average_folds(folds), np.zeros((8, 4000)))
    assert as_independent.reject.mean() > 0.3
    assert averaged.reject.mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 4000))


@pytest.mark.parametrize(("scores", "got"), [([0.8, 0.9], r"\(2,\)"), (np.ones((3, 0)), r"\(3, 0\)")])
def test_a_table_is_needed(scores, got):
    with pytest.raises(ValueError, match=f"scores must be a table .*; got shape {got}"):
        average_folds(scores)
