"""What the tests take for granted: the checks agree with SciPy and with plain loops, and say what they see."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.stats as st
from shortcuts import assert_raises

from fstats import Normality, Outliers, Symmetry

SEED = 40


def test_normality_is_shapiro_and_wilks_with_bloms_quantiles(rng):
    for x in (rng.normal(size=12), rng.exponential(size=30)):
        theirs = st.shapiro(x)
        assert (Normality(x).statistic, Normality(x).pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-12)
    assert Normality([5, 1, 3]).quantiles == pytest.approx([st.norm.ppf((i - 0.375) / 3.25) for i in (1, 2, 3)], rel=1e-12)
    assert Normality([5, 1, 3]).ordered.tolist() == [1, 3, 5]
    assert "do not show a departure from normality" in Normality(rng.normal(size=50)).conclusion
    assert "show a departure from normality" in Normality(rng.exponential(size=50)).conclusion
    assert "do not" not in Normality(rng.exponential(size=50)).conclusion


def test_a_straight_line_is_drawn(rng):
    x = rng.normal(size=9)
    line, points = Normality(x).plot().marks
    assert points.y.tolist() == sorted(x)
    slopes = np.diff(line.y) / np.diff(line.x)
    assert slopes == pytest.approx(np.full(8, x.std(ddof=1)), rel=1e-9)


def test_symmetry_and_fences_by_hand(rng):
    check = Symmetry([1, 2, 3, 4, 10])
    assert (check.median, check.above.tolist(), check.below.tolist()) == (3, [7, 1, 0], [2, 1, 0])
    assert check.skewness == pytest.approx((4 - 3) / np.std([1, 2, 3, 4, 10]), rel=1e-15)
    assert "longer than" in check.conclusion
    assert "shorter than" in Symmetry([-1, -2, -3, -4, -10]).conclusion
    half = rng.exponential(size=10)
    check = Symmetry(np.r_[0.5 + half, 0.5 - half])
    assert (check.skewness, check.above) == (pytest.approx(0, abs=1e-12), pytest.approx(check.below, abs=1e-12))
    check = Outliers([1, 2, 3, 4, 50])  # quartiles 2 and 4: fences 2 - 3 and 4 + 3
    assert (check.low_fence, check.high_fence, check.outside.tolist()) == (-1, 7, [False] * 4 + [True])
    assert check.conclusion == "50 lies beyond the fences."
    assert Outliers([1, 2, 3, 4, 50], reach=30).conclusion == "No value lies beyond the fences."
    share = Outliers(rng.normal(size=200_000)).outside.mean()
    assert share == pytest.approx(2 * st.norm.sf(st.norm.ppf(0.75) * 4), abs=4 * np.sqrt(0.007 / 200_000))


@pytest.mark.parametrize("check", [Normality, Symmetry, Outliers])
def test_equal_values_are_answered(check):
    seen = check([2, 2, 2, 2])
    values = [value for value in seen.to_dict().values() if isinstance(value, float)]
    assert values
    assert not np.isnan(values).any()
    assert seen.plot().svg().startswith("<svg")
    assert seen.conclusion


@pytest.mark.complete
@pytest.mark.parametrize("check", [Normality, Symmetry, Outliers])
def test_pictures_say_what_they_show(check, rng):
    picture = check(rng.normal(size=8)).plot()
    assert len(picture.text) > 40
    assert picture.png().startswith(b"\x89PNG")
    assert_raises(lambda: check(rng.normal(size=(8, 3))).plot(), "has no single picture")


@pytest.mark.parametrize("check", [Normality, Symmetry, Outliers])
@pytest.mark.parametrize(("x", "got"), [([1, 2], "2"), (3.0, "a single number")])
def test_three_values_at_least(check, x, got):
    assert_raises(lambda: check(x), f"`x` must be a list of at least 3 numbers; got {got}")


@pytest.mark.complete
def test_scipy_stats_is_loaded_only_when_asked():
    code = (
        "import sys, fstats; n = fstats.Normality([1, 2, 4]); assert 'scipy.stats' not in "
        "sys.modules; n.pvalue; assert 'scipy.stats' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
