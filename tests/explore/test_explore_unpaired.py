"""The explorer of three tests without pairs: every number against SciPy."""

import re

import numpy as np
import pytest
from scipy import stats

from fstats import explore
from fstats.explore.two_classifiers.unpaired_explorer import samples_plot
from fstats.plot.drawing.picture_marks import Line, Points

X, Y = [85, 70, 79, 78, 83, 90], [87, 68, 85, 75]


def steps(explorer):
    """The worked steps as they are shown."""
    return dict(re.findall(r'data-step="(\w+)"><strong>([^<]*)<', explorer.view["work"]))


def moved(test, **more):
    explorer = explore.unpaired(X, Y, mu=75)
    explorer.move(test=test)
    for name, position in more.items():
        explorer.move(**{name: position})
    return explorer


@pytest.mark.complete
@pytest.mark.parametrize("way", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("score", [70, 85, 99])
def test_each_test_is_that_of_scipy(way, score):
    x = [score, *X[1:]]
    asked = {"alternative": ["two-sided", "greater", "less"].index(way), "score": score}
    one, two, ranks = (moved(test, **asked).test for test in range(3))
    assert one.pvalue == pytest.approx(stats.ttest_1samp(x, 75, alternative=way).pvalue)
    assert two.pvalue == pytest.approx(stats.ttest_ind(x, Y, alternative=way).pvalue)
    assert ranks.statistic == stats.mannwhitneyu(x, Y).statistic
    assert (one.alternative, two.alternative, ranks.alternative) == (way,) * 3


def test_what_is_shown_is_what_is_computed():
    shown = steps(moved(0))
    assert (shown["n"], shown["mu"]) == ("6", "75")
    assert float(shown["statistic"]) == pytest.approx(stats.ttest_1samp(X, 75).statistic, abs=5e-4)
    assert float(steps(moved(1))["statistic"]) == pytest.approx(stats.ttest_ind(X, Y).statistic, abs=5e-4)
    ahead = sum((a > b) + 0.5 * (a == b) for a in X for b in Y)  # of all pairs of a data set of A and one of B
    assert float(steps(moved(2))["statistic"]) == ahead == 13.5
    x, y = np.array(X, float), np.array(Y, float)
    points = [mark for mark in samples_plot(x, y).marks if isinstance(mark, Points)]
    assert [mark.y.tolist() for mark in points] == [X, Y]
    assert set(points[0].x).isdisjoint(points[1].x)
    heights = [mark.y[0] for mark in samples_plot(x, y).marks if isinstance(mark, Line)]
    assert sorted(heights) == sorted([x.mean(), y.mean()])
    assert not [mark for mark in samples_plot(x, y, means=False).marks if isinstance(mark, Line)]
    assert [mark.y[0] for mark in samples_plot(x, 75.0).marks if isinstance(mark, Line)] == [75, x.mean()]


def test_the_value_matters_to_one_test_alone():
    for test in range(3):
        explorer = moved(test)
        before = explorer.view["work"]
        assert explorer.control("mu").active == (test == 0)
        explorer.move(mu=5)
        assert (explorer.view["work"] == before) == (test != 0)
    assert moved(0, mu=5).test.mu == 80
