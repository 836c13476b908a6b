"""Probability of outperforming after new trainings (Bouthillier et al. 2021).

It is estimated from paired runs of methods A and B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ...core.classifier_pair import PairedDifferences
from ...core.number_format import format_plain, format_range
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from ..pairwise.paired_t import PairedT
from ..repeated_runs.stratified_bootstrap import LatticeDistribution, invert_fourier
from .probability_of_superiority import SuperiorityProbability


@dataclass(frozen=True)
class WinShareDistribution(LatticeDistribution):
    """Exact bootstrap distribution of the share of wins (ties count half) among n pairs drawn with replacement from n pairs.

    A drawn pair counts 0, 1 or 2 halves.  The Fourier transform of the sum of n drawn pairs is the n-th power of the transform of one
    drawn pair.

    >>> WinShareDistribution(2, 1, 0).probabilities().round(12).tolist()
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """

    n: int
    wins: Any
    ties: Any

    @property
    def max_count(self) -> int:  # type: ignore[override]
        """Total of the pairs in halves: 2 for each win and 1 for each tie."""
        return 2 * self.n

    def probabilities(self) -> Array:
        """Return the probability of each sum of halves, from 0 to 2 n."""
        halves = 2 * self.n + 1
        wins, ties = np.broadcast_arrays(np.asarray(self.wins, float), np.asarray(self.ties, float))
        root = broadcast_column(np.exp(2j * np.pi * np.arange(halves) / halves), [wins])
        return invert_fourier(((self.n - wins - ties + ties * root + wins * root**2) / self.n) ** self.n)

    def __str__(self) -> str:
        wins, ties = format_range(np.asarray(self.wins)), format_range(np.asarray(self.ties))
        return f"share of wins in {self.n} draws from {self.n} pairs, with {wins} wins and {ties} ties"


class ProbabilityOfOutperforming(PairedDifferences, SuperiorityProbability):
    r"""Probability of outperforming: how probable is it that method A beats method B if both methods are trained again?

    Origin: published, Bouthillier et al. (2021).

    The data are n pairs of runs.  Each pair has its own split, its own seeds and its own other random choices; the two runs of a pair share
    these random choices.  A beats B with the estimated probability

    .. math:: \hat P = \frac{1}{n} \left(\#\{i : d_i > 0\} + \frac{1}{2} \#\{i : d_i = 0\}\right).

    To compute the interval, n pairs are drawn with replacement many times, and each draw gives one estimate.  The interval contains the
    central share 1 - alpha of all estimates from such draws (percentile bootstrap).  The result is *not significant* if the lower end of
    the interval is at most 1/2, and *significant* otherwise.  A significant result is *significant and meaningful* if the upper end is
    above gamma; otherwise it is *significant, but not meaningful*.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the two methods in the same n >= 2 runs, in the same order; higher is better, any unit.  Further axes are independent
        repetitions.
    gamma : float
        Smallest probability that matters in practice, above 1/2 and below 1.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: with False, differences are B minus A, so that a positive difference still means that A is better.
    metric : str
        Name of the scores, such as "RMSE"; if it contains loss or error, lower is better by default.
    alpha : float
        Probability of the resamples outside the interval, half of it on either side.

    Notes
    -----
    **One-sided.**  `reject` means that A outperforms B, at the nominal level alpha / 2.  Exchange A and B to test whether B outperforms
    A.  Both tests together have the level alpha.  The level alpha / 2 holds for large samples only; :meth:`rejection_rate` computes the
    actual level for n independent pairs: at alpha = 0.05 for example 0.031 with 5, 0.011 with 10 and 0.031 with 29, instead of 0.025.

    **No random draws.**  The share in a resample is a sum of n independent draws with a known distribution.  The ends of the interval are
    the quantiles of this distribution, exact up to rounding.  Programs that use random draws get the same ends up to Monte Carlo error.

    In the code of the authors a tie is no win of A, which is a disadvantage for A.  In this class a tie counts half, so exchanging A and
    B turns P into 1 - P.  Differences within rounding noise are ties, as in :class:`fstats.SignedRank`.  For runs that are not paired
    (other splits, other seeds) use :class:`fstats.RankSum`; its effect size is twice the share of wins, minus 1.

    Splits of one data set share records, so the pairs are not independent.  With dependent pairs the interval is too short, and the level
    is not kept (:class:`fstats.CorrectedResampledT` has a correction).  The result applies to runs on this data set.

    `sample_size` is the number of pairs in the source, from Noether's formula for the rank-sum test, with a power of 1 - alpha at P =
    gamma: 29 pairs for alpha = 0.05 and gamma = 0.75.  Noether's formula for the sign test, which fits pairs better, has 4 instead of 6
    in the denominator and gives 44 pairs.  The power at P = 0.75 is 0.83 with 29 pairs and 0.94 with 44.

    If A wins all pairs, all resamples are equal, and the interval is a point that shows no random variation; `remark` warns of this case.

    Raises
    ------
    ValueError, TypeError
        For different lengths, fewer than two pairs, numbers that are not finite, a gamma outside (1/2, 1), a level outside (0, 1).

    References
    ----------
    Bouthillier, Delaunay, Bronzi, Trofimov, Nichyporuk, Szeto, Sepah, Raff, Madan, Voleti, Kahou, Michalski, Serdyuk, Arbel, Pal,
    Varoquaux and Vincent (2021), Accounting for variance in machine learning benchmarks, Proceedings of Machine Learning and Systems 3,
    section 4 and its appendix.  Noether (1987), Sample size determination for some common nonparametric tests, JASA 82, pages 645 to 647.

    Examples
    --------
    A wins four of five pairs.  A resample of five pairs has at most two wins with probability (1 + 20 + 160) / 5**5 = 0.058, at most one
    win with probability 0.007, and five wins with probability (4/5)**5 = 0.33.  The interval is therefore from 2/5 to 1.

    >>> import fstats
    >>> test = fstats.ProbabilityOfOutperforming([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.7, 0.6, 0.7, 0.7])
    >>> print(test.probability, test.ci.low, test.ci.high, test.reject)
    0.8 0.4 1.0 False
    >>> print(round(fstats.ProbabilityOfOutperforming.rejection_rate(5), 5), test.sample_size)
    0.03125 29
    """

    a: ScoresLike = input_field("s_A", "Score of A in each run.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Score of B, paired with A's.", over="i", check=check.scores, like="a", unit="score")

    d = PairedT.d.restated("Difference in each pair of runs; positive if A is better.")

    n = count_step("n", "d", "i", "Number of pairs.", check=check.count(2))

    @step("n_+", r"\#\{i : $d > 0\}", check=check.counts)
    def wins(self) -> Value:
        """Number of pairs in which A beats B."""
        return (self.d > 0).sum(0)

    @step("n_0", r"\#\{i : $d = 0\}", check=check.counts)
    def ties(self) -> Value:
        """Number of pairs without a winner."""
        return (self.d == 0).sum(0)

    @step(r"\hat P", r"\frac{$wins + $ties / 2}{$n}", check=check.probability)
    def probability(self) -> Value:
        """Estimated probability that A beats B; a tie counts half."""
        return (self.wins + self.ties / 2) / self.n

    @step(r"\hat P^*", r"\text{share of wins in $n draws from $n pairs, } $wins \text{ won and } $ties \text{ tied}", relation=r"\sim")
    def resampled(self) -> WinShareDistribution:
        """Bootstrap distribution of the estimate: the pairs are resampled with replacement."""
        return WinShareDistribution(int(self.n), self.wins, self.ties)

    @step(
        "N", r"\left\lceil \left(\frac{2\,z_{1 - $alpha}}{\sqrt{6}\,($gamma - 1/2)}\right)^2 \right\rceil", after=True, check=check.count(1)
    )
    def sample_size(self) -> int:
        """Number of pairs that the source recommends: power 1 - alpha if A beats B with probability gamma."""
        return max(1, int(np.ceil((2 * special.ndtri(1 - self.alpha)) ** 2 / (6 * (self.gamma - 0.5) ** 2))))

    @classmethod
    def rejection_rate(cls, n: int, p: float = 0.5, *, alpha: float = 0.05) -> float:
        """Return the rejection rate with n independent pairs if A beats B with probability p: the level for p = 1/2, else the power.

        Ties have probability 0.  The rate is exact, a sum of binomial probabilities over all n + 1 numbers of wins.

        Parameters
        ----------
        n : int
            Number of pairs.
        p : float
            Probability that A beats B.
        alpha : float
            As for the test.
        """
        n, p = check.count(2)(n, "n"), check.proportion(p, "p")
        wins = np.arange(n + 1.0)
        rejected = cls.from_steps(n=n, wins=wins, ties=np.zeros(n + 1), alpha=alpha).reject
        ways = special.gammaln(n + 1) - special.gammaln(wins + 1) - special.gammaln(n - wins + 1)
        return float(np.exp(ways + special.xlogy(wins, p) + special.xlog1py(n - wins, -p))[rejected].sum())

    # -- conclusion ------------------------------------------------------------------------------------------------------
    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the assumptions of the interval."""
        return " ".join(filter(None, (self._degenerate_data_note, self._assumption_note)))

    @property
    def _assumption_note(self) -> str:
        size_note = f"{self.n} of the {self.sample_size} pairs that its authors recommend. " if self.n < self.sample_size else ""
        return f"{size_note}The pairs must be independent. Splits or seeds of one data set are dependent, and then no level is guaranteed."

    @property
    def _degenerate_data_note(self) -> str:
        if self.ties == self.n:
            return "No pair has a winner: the data give no evidence for either."
        a, b = self.sides
        winner = a if self.wins == self.n else b if self.wins + self.ties == 0 else ""
        if not winner:
            return ""
        coin_probability = format_plain(0.5**self.n)
        opening = f"All {self.n} pairs are won by {winner}: all resamples are equal and show no random variation"
        return f"{opening}. With equal methods this has probability {coin_probability}."
