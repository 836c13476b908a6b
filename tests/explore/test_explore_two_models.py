"""The explorer of two models on one benchmark: its law by plain loops, its numbers against fresh tests."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from shortcuts import assert_raises

from fstats import ClusteredDifference, PairedT, SampledAnswers, WelchT, explore
from fstats.explore.two_classifiers.language_models_explorer import METHODS, difference_intervals_plot, type_one_error_by_family
from fstats.plot.drawing.picture_marks import Area, Curve, Line, Points, luminance
from fstats.teaching.demonstrations import language_models


def test_the_mean_scores_are_the_true_ones():
    """Over many benchmarks, A and B have the accuracies that the law promises."""
    a, b, _ = language_models.answered(400, 0.6, 5, 2, 1, language_models.BENCHMARKS)
    for found, true in zip((a, b), language_models.EQUAL_ACCURACIES, strict=True):
        assert found.mean() == pytest.approx(true, abs=4 * found.mean(0).std() / np.sqrt(language_models.BENCHMARKS))


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_models_find_questions_as_alike_as_the_slider_says(correlation):
    """With many answers the scores are the chances, whose normal scores have that correlation."""
    a, b, _ = language_models.answered(800, correlation, 1, 100_000, 2)
    u, v = (ndtri(np.clip(one, 1e-5, 1 - 1e-5)) for one in (a, b))
    assert np.corrcoef(u, v)[0, 1] == pytest.approx(correlation, abs=0.08)
    assert u.mean() == pytest.approx(np.sqrt(1 + 1.5**2) * ndtri(language_models.UNEQUAL_ACCURACIES[0]), abs=0.2)


def test_questions_of_a_family_are_alike_and_others_are_not():
    a, _, families = language_models.answered(800, 0.0, 20, 100_000, 3)
    u = ndtri(np.clip(a, 1e-5, 1 - 1e-5)).reshape(40, 20)
    assert (families.reshape(40, 20) == np.arange(40)[:, None]).all()
    within, between = u.var(1, ddof=1).mean(), u.mean(1).var(ddof=1)
    assert (within / (1.5**2 * 0.2), between / (1.5**2 * (0.8 + 0.2 / 20))) == (pytest.approx(1, abs=0.15), pytest.approx(1, abs=0.5))


@pytest.mark.complete
@pytest.mark.parametrize("moves", [{}, {"n": 0, "family": 4}, {"correlation": 0, "samples": 3}, {"draw": 7, "alpha": 6}])
def test_every_number_is_that_of_fresh_tests(moves):
    explorer = explore.two_models()
    explorer.move(**moves)
    at = explorer.values
    a, b, families = language_models.answered(at["n"], at["correlation"], at["family"], at["samples"], at["draw"])
    paired, clustered = PairedT(a, b), ClusteredDifference(a, b, families)
    expected = {
        "mean_a": a.mean(),
        "difference": paired.mean,
        "unpaired_se": np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)),
        "unpaired_p": WelchT(a, b).pvalue,
        "paired_se": paired.se,
        "paired_p": paired.pvalue,
        "family_se": clustered.se,
        "family_p": clustered.pvalue,
        "effective_n": clustered.effective_n,
    }
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(explorer.test, name), value, rtol=1e-9, atol=1e-12)
    equal = language_models.answered(at["n"], at["correlation"], at["family"], at["samples"], 1, language_models.BENCHMARKS)
    rejected = [bool(PairedT(equal.a[:, r], equal.b[:, r], alpha=at["alpha"]).reject) for r in range(language_models.BENCHMARKS)]
    assert explorer.test.paired_level == np.mean(rejected)


@pytest.mark.parametrize("n", [50, 400])
def test_the_picture_excludes_0_where_the_test_rejects_and_nowhere_else(n):
    """With 3 families, too, whose Student's t reaches twice as far as the normal curve."""
    for draw in range(1, 41):
        for family in (1, 20):
            test = language_models.TwoModels(n, 0.8, family, 1, draw)
            marks = difference_intervals_plot(test).marks
            excluded = [not min(mark.x) <= 0 <= max(mark.x) for mark in marks if isinstance(mark, Line)]
            assert excluded == [p <= 0.05 for p in (test.unpaired_p, test.paired_p, test.family_p)]


def test_a_way_looks_alike_in_both_pictures_and_no_two_ways_are_told_apart_by_colour_alone():
    test = language_models.TwoModels(50, 0.8, 5, 1, 3)
    names = [(mark.color, mark.open) for mark in difference_intervals_plot(test).marks if isinstance(mark, Points)]
    below = type_one_error_by_family(test).marks
    named = {mark.label.partition(":")[0]: (mark.color, mark.open) for mark in below if isinstance(mark, Points) and mark.label}
    assert [*named.values()] == names
    dashed = {mark.color: mark.dashed for mark in below if isinstance(mark, Curve)}
    assert len({(dashed[color], is_open) for color, is_open in names}) == len(METHODS)
    for color, _ in names:
        assert 1.05 / (luminance(color) + 0.05) >= 3  # to 1, on white, as WCAG wants of what is drawn


def test_the_level_has_a_band_of_what_luck_leaves_of_it():
    """Four of its five positions, at least, have the share on families in the band: it keeps its level."""
    (band,) = (mark for mark in type_one_error_by_family(language_models.TwoModels(400, 0.8, 5, 1, 3)).marks if isinstance(mark, Area))
    error = np.sqrt(0.05 * 0.95 / language_models.BENCHMARKS)
    assert (band.low[0], band.y[0]) == pytest.approx((0.05 - 2 * error, 0.05 + 2 * error))
    found = [language_models.type_one_error_rates(400, 0.8, size, 1, 0.05)[2] for size in language_models.FAMILIES]
    assert sum(band.low[0] <= share <= band.y[0] for share in found) >= 4


def test_families_of_questions():
    # Without families the paired test keeps its level and the one without pairs is far below; large families make it reject too often.
    alone, large = language_models.type_one_error_rates(400, 0.8, 1, 1, 0.05), language_models.type_one_error_rates(400, 0.8, 20, 1, 0.05)
    assert alone[0] < 0.03 < alone[1] < 0.08
    assert large[1] > 0.2 > 0.08 > large[2]
    # With very many answers the scores are the chances: products of two questions of a family, as a share of the squares.
    differences = np.concatenate(
        [(a - b).reshape(-1, 5) for a, b, _ in (language_models.answered(800, 0.8, 5, 100_000, draw) for draw in range(1, 41))]
    )
    d = differences - differences.mean()
    assert ((d.sum(1) ** 2 - (d**2).sum(1)) / 20).mean() / (d**2).mean() == pytest.approx(0.7, abs=0.03)


def test_the_pilot_has_the_same_law_and_refuses_what_cannot_be():
    a, b = language_models.pilot(20_000, 10)
    assert (a.mean(), b.mean()) == pytest.approx(language_models.UNEQUAL_ACCURACIES, abs=0.006)
    chances = ndtr(
        np.sqrt(1 + 1.5**2) * ndtri(language_models.UNEQUAL_ACCURACIES[0]) + 1.5 * np.random.default_rng(1).standard_normal(400_000)
    )
    assert SampledAnswers(a).between == pytest.approx(chances.var(), rel=0.05)
    assert_raises(lambda: language_models.TwoModels(50, 1.5, 1, 1, 1), "`correlation` must")
