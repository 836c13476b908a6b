"""A test as a stranger writes it, who has only README: one class outside the package, which stands in no list of names."""

import re

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

import fstats
from fstats import explore
from fstats.core.classifier_pair import TwoClassifierTest
from fstats.core.hypothesis import HypothesisTest
from fstats.core.numerics.floating_point_ties import noise_free_difference
from fstats.core.numerics.zero_division import ratio
from fstats.core.rejection_region import SYMMETRIC_TAILS
from fstats.core.step import input_field, step
from fstats.core.validation import check
from fstats.core.value_types import ScoresLike, Value
from fstats.distributions.continuous_distributions import Normal
from fstats.procedures.multiple.many_classifiers import RankTable
from fstats.testing import ConformanceError, check_test


class PageTrend(RankTable, HypothesisTest):
    """Page's trend test: do the classifiers rank in the order of the columns, the best first?

    Parameters
    ----------
    scores : array_like, shape (N, k) or (N, k, ...)
        Scores of k classifiers, in the columns, from the one that is expected to be the best to the worst.

    References
    ----------
    Page (1963), Ordered hypotheses for multiple treatments, JASA 58, section 3.

    Examples
    --------
    >>> float(PageTrend([[3, 2, 1], [3, 2, 1]]).page)
    28.0
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\rho"
    compares = "trend of the ranks"

    @step("E", r"\frac{$n $k ($k + 1)^2}{4}", check=check.positive)
    def expected(self) -> Value:
        """Mean of L when each order of the classifiers is equally likely."""
        return np.float64(self.n * self.k * (self.k + 1) ** 2 / 4)

    @step("L", r"\sum_j j \cdot $rank_sums", check=check.positive)
    def page(self) -> Value:
        """Page's L: the rank sums, weighted by the place that each classifier is expected to have."""
        return np.einsum("j,j...->...", np.arange(1, len(self.rank_sums) + 1), self.rank_sums)

    @step("V", r"\frac{$k ($k + 1)}{12} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2", check=check.nonnegative)
    def variance(self) -> Value:
        """Variance of L when each order of these ranks, ties included, is equally likely."""
        return self.k * (self.k + 1) / 12 * ((self.ranks - (self.k + 1) / 2) ** 2).sum((0, 1))

    @step("z", r"\frac{$page - $expected}{\sqrt{$variance}}")
    def statistic(self) -> Value:
        """How many standard deviations L lies above its mean."""
        return ratio(self.page - self.expected, np.sqrt(self.variance))

    @step("Z_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """How z varies, approximately, when there is no trend."""
        return Normal(0, 1)

    @step(r"\bar\rho", r"\frac{12 ($page - $expected)}{$n $k ($k^2 - 1)}", after=True)
    def effect_size(self) -> Value:
        """Mean rank correlation with the expected order: 1 if every data set shows it, -1 if every one shows its reverse."""
        return 12 * (self.page - self.expected) / (self.n * self.k * (self.k**2 - 1))

    @property
    def claim(self) -> str:
        """What the test looks for."""
        order = {"two-sided": "or its reverse", "greater": "the best first", "less": "the worst first"}[self.alternative]
        return f"a trend of the ranks in the order of the columns, {order}"

    @property
    def remark(self) -> str:
        """Why data without any difference are answered as they are."""
        return "" if self.page != self.expected else "The ranks show no trend at all: nothing speaks against H0."


class Concordance(RankTable, HypothesisTest):
    """The least that a test of k classifiers has to say: nothing about its words."""

    parameter, compares = r"\rho", "mean rank"

    @step("z", r"$n - $k")
    def statistic(self) -> Value:
        """A number."""
        return np.float64(self.n - self.k)

    null = PageTrend.null


class PermutedMeans(TwoClassifierTest):
    """A test of two on paired scores that is not in the package: the normal approximation of Fisher's permutation of signs."""

    parameter, compares = r"\mu_d", "mean score"
    a: ScoresLike = input_field("a_i", "Scores of A.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("b_i", "Scores of B.", over="i", check=check.scores, like="a", unit="score")

    @step("z", r"\frac{\sum_i ($a - $b)}{\sqrt{\sum_i ($a - $b)^2}}")
    def statistic(self) -> Value:
        """The sum of the differences in standard deviations that it has when each difference may have either sign."""
        d = noise_free_difference(self.a, self.b)
        return ratio(d.sum(0), np.sqrt((d**2).sum(0)))

    null = PageTrend.null


SCORES = np.random.default_rng(3).normal(0.8, 0.05, (8, 4)).round(2) + np.array([0.06, 0.04, 0.02, 0])
PAIRS = {"a": [85, 70, 79, 78, 83, 90], "b": [87, 68, 85, 75, 80, 84]}


def test_page_is_right():
    """As in SciPy, where no score ties: L and the normal approximation."""
    scores = SCORES + np.arange(32).reshape(8, 4) * 1e-4
    test, theirs = PageTrend(scores, alternative="greater"), stats.page_trend_test(scores[:, ::-1], method="asymptotic")
    assert (test.page, test.pvalue) == (theirs.statistic, pytest.approx(theirs.pvalue, rel=1e-10))


@pytest.mark.parametrize("columns", [slice(None), slice(None, None, -1)], ids=["as expected", "reversed"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_trend_is_no_victory_of_a_over_b(alternative, columns):
    for cls in (PageTrend, Concordance):
        said = cls(SCORES[:, columns], alternative=alternative).conclusion
        assert not re.search(r"\bA\b|\bB\b|better than|worse than", said)
    order = {"two-sided": "or its reverse", "greater": "the best first", "less": "the worst first"}[alternative]
    shown = {"two-sided": True, "greater": columns.step is None, "less": columns.step == -1}[alternative]
    test = PageTrend(SCORES[:, columns], alternative=alternative)
    assert f"data {'show' if shown else 'do not show'} a trend of the ranks in the order of the columns, {order}" in test.conclusion
    assert bool(test.reject) == shown


@pytest.mark.complete
def test_it_keeps_every_rule():
    check_test(PageTrend, {"scores": SCORES})
    check_test(PageTrend, {"scores": SCORES}, higher_is_better=False)
    check_test(PermutedMeans, PAIRS)
    check_test(fstats.McNemarExact, {"n01": 9, "n10": 3}, in_words=["ci"])
    assert fstats.report(PageTrend(SCORES)).text.endswith(".")


class Accusing(PageTrend):
    """A test of many that names two."""

    @property
    def claim(self):
        """Wrong."""
        return "that A is better than B"


class Looped(PageTrend):
    """Code that reads what the formula hides."""

    @step("L", r"\sum_j j \cdot $rank_sums")
    def page(self):
        """Page's L."""
        return np.einsum("j,j...->...", np.arange(1, self.k + 1), self.rank_sums)


class Silent(PageTrend):
    """A step without a full stop."""

    @step("L", r"\sum_j j \cdot $rank_sums")
    def page(self):
        """Page's L"""
        return PageTrend.page.fn(self)


class Unlike(PageTrend):
    """A batch that is added up."""

    @step("L", r"\sum_j j \cdot $rank_sums")
    def page(self):
        """Page's L."""
        return PageTrend.page.fn(self).mean() + 0 * PageTrend.page.fn(self)


class Unitless(PermutedMeans):
    """A step that grows with the scores and does not say it."""

    @step("m", r"\frac{1}{n} \sum_i ($a - $b)", after=True)
    def effect_size(self):
        """Mean difference."""
        return (self.a - self.b).mean(0)


class Verbal(PageTrend):
    """A formula that nobody can compute, and that the test of the package would refuse."""

    @step("L", r"\text{trend of } $rank_sums")
    def page(self):
        """Page's L."""
        return PageTrend.page.fn(self)


class Upside(PageTrend):
    """A formula that gives another number than the code, from the same values."""

    @step("L", r"\sum_j ($k + 1 - j) \cdot $rank_sums")
    def page(self):
        """Page's L."""
        return PageTrend.page.fn(self) + 0 * self.k


class Eager(PermutedMeans):
    """A decision of its own."""

    @step("R", r"$pvalue < $alpha + $alpha", relation=r"\Leftrightarrow")
    def reject(self):
        """Reject too often."""
        return np.less(self.pvalue, 2 * self.alpha)


@parametrize(
    "cls, said",
    (Accusing, "only a test of two classifiers says that A is better than B.*Derive the class from"),
    (Looped, "the formula of the step page shows the values that its code reads; got .*'k', 'rank_sums'.*Write each value"),
    (Silent, "the sentence of page begins with a capital, has at least six characters and ends with a full stop"),
    (Unlike, "the step page of a batch holds the values of its single tests; got .*Sum and count over the leading axes"),
    (Unitless, "the step effect_size has no unit; got .*Declare the unit by step"),
    (
        Verbal,
        r"the formula of the step page must be computable.*trend of.*\. Write the formula .*in_words=\['page'\]\).*words_of_formulas.toml",
    ),
    (Upside, r"the formula of the step page gives the value of its code; got .* the formula is read as np.sum\("),
    (Eager, "H0 is rejected if and only if p is at most alpha"),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_rule_is_named(cls, said):
    with pytest.raises(ConformanceError, match=rf"(?s){cls.__name__} with alternative=.*: {said}"):
        check_test(cls, PAIRS if issubclass(cls, PermutedMeans) else {"scores": SCORES})


def test_it_is_explored():
    explorer = explore.of(PermutedMeans, **PAIRS, step=1)
    assert explorer.test.pvalue == PermutedMeans(**PAIRS).pvalue
    explorer.move(score=95, alternative=1)
    moved = PermutedMeans([95, *PAIRS["a"][1:]], PAIRS["b"], alternative="greater")
    assert explorer.test.conclusion == moved.conclusion
    fixed = explore.of(fstats.EquivalenceSignedRank, **PAIRS, margin=4)
    assert (fixed.test.margin, fixed.test.alternative) == (4, "equivalence")
    words = (
        r"must be a class that compares paired scores a and b \(a subclass "
        r"of ComparisonOfTwo\), such as fstats.SignTest; got PageTrend"
    )
    assert_raises(lambda: explore.of(PageTrend, **PAIRS), words, TypeError)
