"""The explorer of unstable training: its law by a plain loop over records, its numbers against fresh tests."""

import re

import numpy as np
import pytest
from shortcuts import assert_raises

from fstats import BlockedFiveByTwoMcNemar, BlockedFiveByTwoT, FiveByTwoT, explore, plot
from fstats.core.number_format import format_plain
from fstats.explore.resampling.unstable_training_explorer import TRAINING_SD
from fstats.plot.drawing.picture_marks import Points
from fstats.procedures.resampling.split_plans.block_regularized_cv import HALF_MASKS
from fstats.teaching.demonstrations.unstable_training_simulation import DATA_SETS, UnstableTraining, _random_effects, levels, tables


@pytest.mark.parametrize(("e", "strays"), [(0.3, 5.0), (0.05, 8.0), (0.2, 0.0)])
def test_the_tables_are_those_of_the_law_record_by_record(e, strays):
    n = 48
    leans, numbers = _random_effects(n)
    drawn = tables(n, e, strays)
    numbers = (numbers % 1).reshape(DATA_SETS, 8, n // 8)
    for i in (0, 7, DATA_SETS - 1):
        for j in range(5):
            for k in range(2):
                counts = np.zeros((2, 2))
                for block in range(8):
                    if bin(block & HALF_MASKS[8][j]).count("1") % 2 != k:
                        continue
                    for number in numbers[i, block]:
                        if number >= e:
                            counts[1, 1] += 1
                        elif number < (e + strays / 100 * leans[i, j, k]) / 2:
                            counts[1, 0] += 1
                        else:
                            counts[0, 1] += 1
                np.testing.assert_array_equal(drawn[j, k, :, :, i], counts)


def test_straying_is_as_the_slider_says():
    d = BlockedFiveByTwoT(tables(3200, 0.35, 5.0))
    assert abs(d.mean.mean()) < 4 * d.mean.std(ddof=1) / np.sqrt(DATA_SETS)
    within = (d.imbalance[:, 0] - d.imbalance[:, 1]) / 1600
    expected = 2 * 0.05**2 + 4 * 0.35 / 3200  # two leans; two halves of the same records
    assert np.mean(within**2) == pytest.approx(expected, rel=0.08)
    np.testing.assert_allclose(BlockedFiveByTwoT(tables(400, 0.2, 0.0)).repetition_sd, 0, atol=1e-15)
    np.testing.assert_allclose(BlockedFiveByTwoMcNemar(tables(400, 0.2, 0.0)).scatter.mean(), 1, rtol=0.1)


@pytest.mark.complete
@pytest.mark.parametrize("moves", [{}, {"strays": 0}, {"strays": 16, "n": 0}, {"draw": 7, "share": 2}, {"alpha": 6, "n": 5}])
def test_every_number_is_that_of_fresh_tests(moves):
    explorer = explore.unstable_training()
    explorer.move(**moves)
    at = explorer.values
    every = tables(at["n"], at["share"], at["strays"])
    mcnemar, t = (test(every, alpha=at["alpha"]) for test in (BlockedFiveByTwoMcNemar, BlockedFiveByTwoT))
    one, other = (test(every[..., at["draw"] - 1], alpha=at["alpha"]) for test in (BlockedFiveByTwoMcNemar, BlockedFiveByTwoT))
    expected = {name: at[name] for name in ("n", "share", "strays", "draw", "alpha")} | {
        "mean": other.mean,
        "e": other.e,
        "scatter": one.scatter,
        "scatter_interval": one.scatter_interval,
        "mcnemar_se": np.sqrt(1.1 * one.e / one.n),
        "mcnemar_p": one.pvalue,
        "repetition_sd": other.repetition_sd,
        "t_se": other.se,
        "df": other.df,
        "t_p": other.pvalue,
        "mcnemar_level": mcnemar.reject.mean(),
        "t_level": t.reject.mean(),
    }
    test = explorer.test
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(test, name), value, rtol=1e-12)
    shown = dict(re.findall(r'data-step="(\w+)"><strong>([^<]*)<', explorer.view["work"]))
    assert shown["mcnemar_level"] == format_plain(float(mcnemar.reject.mean()))
    said = explorer.view["conclusion"]
    assert f"rejects H0 in {100 * mcnemar.reject.mean():.0f} %, the t-test in {100 * t.reject.mean():.0f} %" in said
    assert f"McNemar's test has a standard error of {format_plain(100 * float(expected['mcnemar_se']), 2)} points" in said
    assert format_plain(float(t.reject.mean()), 3) in explorer.view["pictures"][1]


def test_standard_errors_and_more_records():
    # Without the continuity correction, M is the squared mean difference in this unit.
    test = UnstableTraining(1600, 0.35, 5.0, 32)
    n01, n10 = (float(getattr(test.mcnemar, name)) for name in ("n01_effective", "n10_effective"))
    assert (test.mean / test.mcnemar_se) ** 2 == pytest.approx((n01 - n10) ** 2 / (n01 + n10), rel=1e-12)
    found = [levels(n, 0.35, 5.0, 0.05) for n in (400, 1600, 6400)]
    assert found[0][0] < 0.06 < 0.1 < found[1][0] < found[2][0]
    assert all(t < 0.05 for _, t in found)


@pytest.mark.parametrize("settings", [{"strays": 0.3}, {"n": 300}, {"share": 0.5}, {"draw": 41}])
def test_what_the_sliders_cannot_show_is_refused(settings):
    assert_raises(lambda: explore.unstable_training(**settings), "must")


# -- the picture of ten folds ------------------------------------------------------------------------------------------------
def test_bands_pictures_and_positions():
    # On tables that no training moves, 19 of 20 folds lie in it.
    every = BlockedFiveByTwoMcNemar(tables(1600, 0.3, 0.0))
    outside = [len(mark.x) for i in range(60) for mark in plot.ten_folds(every.at(i)).marks if isinstance(mark, Points) and mark.open]
    assert sum(outside) == pytest.approx(0.05 * 600, abs=3 * np.sqrt(600 * 0.05 * 2))
    of_all = tables(200, 0.3, 5.0)
    one, other = (plot.ten_folds(test(of_all[..., 3])) for test in (BlockedFiveByTwoMcNemar, BlockedFiveByTwoT))
    assert one.svg() == other.svg()
    with pytest.raises(TypeError, match=r"ten_folds\(\) needs a test on the ten tables .*; got FiveByTwoT"):
        plot.ten_folds(FiveByTwoT(np.eye(5, 2)))
    assert_raises(lambda: plot.ten_folds(BlockedFiveByTwoT(of_all)), r"fstats.plot.ten_folds\(test.at")
    assert (TRAINING_SD.values[0], TRAINING_SD.values[-1]) == (0, 8)
