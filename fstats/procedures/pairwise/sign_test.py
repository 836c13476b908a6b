"""Sign test."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...core.classifier_pair import PairedScores, TwoClassifierTest
from ...core.number_format import format_plain
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SMALL_COUNT_TAILS
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import ScoresLike, Value
from ...distributions.symmetric_binomial import SymmetricBinomial
from .paired_t import PairedT


class SignTest(PairedScores, TwoClassifierTest):
    r"""Sign test: does one of two classifiers win on more independent data sets than chance can explain?

    Origin: published, Demsar (2006).

    .. math:: P(N \leq k) = \sum_{j=0}^{k} \binom{n}{j} \frac{1}{2^n}

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same data sets, in the same order; higher is better, in any unit.  Further axes are
        independent repetitions.  A single list holds the differences A - B.
    zeros : {"drop", "split"}
        Treatment of ties, the data sets on which the scores are equal: "drop" leaves ties out, "split" counts half of the ties as wins of
        each classifier.  If the number of ties is odd, "split" ignores one tie (Demsar).
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, each difference is B minus A, so that a positive difference still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A wins more often, "less" that A wins less often.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    `statistic` is the count that is small if H0 is wrong: the smaller of wins and losses of A for "two-sided", losses of A for "greater",
    wins of A for "less".  The two-sided p is twice the tail probability, at most 1.  The test ignores the size of the differences.
    :class:`fstats.SignedRank` says which differences count as 0.  If no data set has a winner, p = 1.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.SignedRank`.

    References
    ----------
    Demsar (2006), JMLR 7, section 3.1.4.  Table 3 there uses the normal approximation: "11 of 14, p < 0.05" has the exact p = 0.0574.

    Examples
    --------
    A has three wins and one loss: p = 2 (1 + 4) / 2**4.

    >>> import fstats
    >>> test = fstats.SignTest([0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.6, 0.7])
    >>> print(test.wins, test.losses, test.statistic, test.pvalue)
    3 1 1 0.625
    """

    tails = SMALL_COUNT_TAILS
    parameter = r"P(d > 0) - P(d < 0)"
    compares = "data sets won"

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a", unit="score")
    zeros: Literal["drop", "split"] = input_field(r"\text{zeros}", "Treatment of data sets without a winner.", default="drop", kw_only=True)

    d = PairedT.d

    @step("Z", r"\lfloor \#\{i : $d = 0\} / 2 \rfloor", by="zeros", only="split", check=check.counts)
    def zero_share(self) -> Value:
        """Half of the data sets without a winner; each classifier receives this number of wins."""
        return (self.d == 0).sum(0) // 2

    @step("n_+", {"drop": r"\#\{i : $d > 0\}", "split": r"\#\{i : $d > 0\} + $zero_share"}, by="zeros", check=check.counts)
    def wins(self) -> Value:
        """Number of data sets on which A wins."""
        above = (self.d > 0).sum(0)
        return above + self.zero_share if self.zeros == "split" else above

    @step("n_-", {"drop": r"\#\{i : $d < 0\}", "split": r"\#\{i : $d < 0\} + $zero_share"}, by="zeros", check=check.counts)
    def losses(self) -> Value:
        """Number of data sets on which B wins."""
        below = (self.d < 0).sum(0)
        return below + self.zero_share if self.zeros == "split" else below

    @step("n", "$wins + $losses", check=check.counts)
    def n(self) -> Value:
        """Number of data sets that count as a win of A or as a win of B."""
        return self.wins + self.losses

    @step("m", {"two-sided": r"\min\{$wins, $losses\}", "greater": "$losses", "less": "$wins"}, by="alternative", check=check.counts)
    def statistic(self) -> Value:
        """The number of wins that is small if H0 is wrong: of A, of B, or of the one with fewer wins."""
        if self.alternative == "two-sided":
            return np.minimum(self.wins, self.losses)
        return self.losses if self.alternative == "greater" else self.wins

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> SymmetricBinomial:
        """Distribution of the number of heads under H0: a fair coin decides which classifier wins on each data set."""
        return SymmetricBinomial(self.n)

    @step("g", r"\frac{$wins - $losses}{2\,$n}", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: share of the wins that A has, minus one half; 0 if no data set has a winner."""
        return ratio(self.wins - self.losses, 2 * self.n)

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        return super().claim if self.alternative == "two-sided" else self._wins_text(self.alternative == "greater")

    @property
    def finding(self) -> str:
        """Conclusion of a rejection: the classifier that wins on more data sets, and the number of wins of each classifier."""
        return f"{self._wins_text(self.better_sign > 0)}{self.get_or_default('effect_text', '')}" if self.better_sign else self.claim

    def _wins_text(self, more: bool) -> str:
        a, b = self.sides
        return f"that {a} wins on {'more' if more else 'fewer'} data sets than {b}{self.direction}"

    @property
    def effect_text(self) -> str:
        """Number of wins of A and number of wins of B."""
        return f", {format_plain(self.wins)} against {format_plain(self.losses)}"

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.n) or not np.isinf(self.critical_value):
            return ""
        if not self.n:
            return "No data set has a winner: the data give no evidence against H0."
        return "With so few data sets, no outcome could have rejected H0 at this alpha."
