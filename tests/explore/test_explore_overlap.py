"""The explorer of overlapping splits: its simulation against scikit-learn's nearest centroid, its numbers against fresh tests."""

import re

import numpy as np
import pytest
from shortcuts import assert_raises
from sklearn.neighbors import NearestCentroid

from fstats import CorrectedResampledT, ResampledT, explore
from fstats.core.number_format import format_plain
from fstats.explore.resampling.overlapping_splits_explorer import SHARE
from fstats.plot.drawing.picture_marks import Curve, Points
from fstats.teaching.demonstrations import overlapping_splits


def test_the_learner_is_the_nearest_centroid():
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], overlapping_splits.RECORDS // 2)
    x = rng.normal(size=(overlapping_splits.RECORDS, 20)) + overlapping_splits.CLASS_DISTANCE * (y - 0.5)[:, None]
    in_test = np.zeros((overlapping_splits.RECORDS, 20), bool)
    for r in range(20):
        in_test[rng.permutation(overlapping_splits.RECORDS)[:12], r] = True
    ours = overlapping_splits._accuracy(x, y, in_test)
    for r in range(20):
        model = NearestCentroid().fit(x[~in_test[:, r], r : r + 1], y[~in_test[:, r]])
        assert ours[r] == pytest.approx(np.mean(model.predict(x[in_test[:, r], r : r + 1]) == y[in_test[:, r]]), abs=1e-12)


@pytest.mark.complete
@pytest.mark.parametrize("share", SHARE.values)
def test_both_learners_are_equally_good(share):
    """The mean difference over all data sets is 0 up to 4 standard errors."""
    d = overlapping_splits.simulate_differences(share).mean(0)
    assert d.shape == (overlapping_splits.DATA_SETS,)
    assert abs(d.mean()) < 4 * d.std(ddof=1) / np.sqrt(overlapping_splits.DATA_SETS)


@pytest.mark.complete
@pytest.mark.parametrize("moves", [{}, {"splits": 2}, {"splits": 30, "share": 3}, {"share": 0}, {"share": 5, "splits": 9}])
def test_every_number_is_that_of_fresh_tests(moves):
    explorer = explore.overlap(splits=15)
    explorer.move(**moves)
    at = {"splits": 15, "share": 1} | moves
    share = SHARE.values[at["share"]]
    d = overlapping_splits.simulate_differences(share)[: at["splits"]]
    naive, corrected = ResampledT(d), CorrectedResampledT(d, test_train_ratio=share / (1 - share))
    expected = {
        "splits": at["splits"],
        "share": share,
        "ratio": share / (1 - share),
        "true_sd": d.mean(0).std(ddof=1),
        "naive_sd": np.sqrt(np.mean(naive.se**2)),
        "corrected_sd": np.sqrt(np.mean(corrected.se**2)),
        "naive_rejections": naive.reject.mean(),
        "corrected_rejections": corrected.reject.mean(),
    }
    shown = dict(re.findall(r'data-step="(\w+)"><strong>([^<]*)<', explorer.view["work"]))
    assert shown == {name: format_plain(value) for name, value in expected.items()}
    assert f"{round(100 * naive.reject.mean())} % of the data sets" in explorer.view["conclusion"]
    assert format_plain(expected["true_sd"], 3) in explorer.view["pictures"][0]
    assert format_plain(expected["corrected_rejections"], 3) in explorer.view["pictures"][1]


@pytest.mark.complete
@pytest.mark.parametrize("splits", [2, 4, 15, 29, 30])
@pytest.mark.parametrize("share", range(len(SHARE.values)))
def test_every_point_lies_on_its_curve(splits, share):
    """Each coloured curve has a node where the point of the same colour is, and is the step for each of its numbers of splits."""
    explorer = explore.overlap(splits=splits)
    explorer.move(share=share)
    steps = (("true_sd", "naive_sd", "corrected_sd"), ("naive_rejections", "corrected_rejections"))
    for picture, names in zip(explorer.pictures(explorer.test), steps, strict=True):
        curves = [mark for mark in picture.marks if isinstance(mark, Curve)][-len(names) :]
        points = [mark for mark in picture.marks if isinstance(mark, Points)]
        for name, curve, point in zip(names, curves, points, strict=True):
            assert (curve.color, point.x.tolist()) == (point.color, [splits])
            assert point.y.tolist() == [curve.y[curve.x.tolist().index(splits)]]
            assert curve.x.tolist() == sorted({*curve.x.tolist()})
            fresh = [getattr(overlapping_splits.OverlappingSplits(int(number), SHARE.values[share]), name) for number in curve.x[::4]]
            np.testing.assert_array_equal(curve.y[::4], fresh)


def test_more_splits_raise_the_false_alarms_of_one_test_only():
    few, many = overlapping_splits.OverlappingSplits(3, 1 / 3), overlapping_splits.OverlappingSplits(overlapping_splits.MOST_SPLITS, 1 / 3)
    assert many.naive_rejections > 0.4 > few.naive_rejections
    assert max(few.corrected_rejections, many.corrected_rejections) < 0.1
    assert many.true_sd > 0.7 * few.true_sd
    assert many.naive_sd < 0.5 * few.naive_sd
    assert_raises(lambda: explore.overlap(splits=31), "`splits` must be between 2 and 30, the range of its slider; got 31")
