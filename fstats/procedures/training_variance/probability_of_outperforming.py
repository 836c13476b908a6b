"""How often does A beat B, when both are trained again?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ...core.classifier_pair import PairedDifferences, directed_formula
from ...core.number_format import format_plain, format_range
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from ..repeated_runs.stratified_bootstrap import LatticeDistribution, invert_fourier
from .probability_of_superiority import SuperiorityProbability


@dataclass(frozen=True)
class WinShareDistribution(LatticeDistribution):
    """The share of wins, ties counted by half, among n pairs drawn with replacement from n pairs: every resample at once.

    A drawn pair is worth 0, 1 or 2 halves; the law of the sum of n of them is the n-th power of its Fourier transform, turned back.

    >>> WinShareDistribution(2, 1, 0).chances().round(12).tolist()
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """

    n: int
    wins: Any
    ties: Any

    @property
    def most(self) -> int:  # type: ignore[override]
        """Halves that all pairs are worth."""
        return 2 * self.n

    def chances(self) -> Array:
        """Probability of each sum of halves, from 0 to 2 n."""
        halves = 2 * self.n + 1
        wins, ties = np.broadcast_arrays(np.asarray(self.wins, float), np.asarray(self.ties, float))
        turn = broadcast_column(np.exp(2j * np.pi * np.arange(halves) / halves), [wins])
        return invert_fourier(((self.n - wins - ties + ties * turn + wins * turn**2) / self.n) ** self.n)

    def __str__(self) -> str:
        wins, ties = format_range(np.asarray(self.wins)), format_range(np.asarray(self.ties))
        return f"share of wins in {self.n} draws from {self.n} pairs, of which {wins} won and {ties} tied"


class ProbabilityOfOutperforming(PairedDifferences, SuperiorityProbability):
    r"""Probability of outperforming: how probable is it that A beats B when both are trained again?

    In n pairs of runs, each with its own split, seeds and other choices that are the same for both, A beats B in the share

    .. math:: \hat P = \frac{1}{n} \left(\#\{i : d_i > 0\} + \frac{1}{2} \#\{i : d_i = 0\}\right).

    Its interval holds the middle 1 - alpha of what n pairs give that are drawn with replacement from these (percentile bootstrap).  The
    result is *not significant* if its lower end is at most 1/2; *significant, but not meaningful* if that is above 1/2 and the upper end
    at most gamma; *significant and meaningful* if it is above 1/2 and the upper end above gamma.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the two in the same n >= 2 runs, in the same order; higher is better, any unit.  Further axes are independent
        repetitions.
    gamma : float
        The probability that matters in practice, above 1/2 and below 1.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: then differences are B's less A's, so that they are positive if A is better as well.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    alpha : float
        How much of the resamples the interval leaves outside, half of it on either side.

    Notes
    -----
    **One-sided.**  `reject` says that A outperforms B, which resampling grants the level alpha / 2; that B outperforms A is asked by
    exchanging the two.  Both questions together have the level alpha.  The level is one of large samples: :meth:`rejection_rate` tells
    what it is with n independent pairs, at alpha = 0.05 for example 0.031 with 5, 0.011 with 10 and 0.031 with 29, where 0.025 is meant.

    **No drawing.**  The share of a resample is a sum of n independent draws, whose law is known: the ends are its quantiles, exact but
    for rounding, where other programs draw at random and come to the same up to their Monte Carlo error.

    The authors' code counts a tie as no win of A, so that whoever is asked about loses from it; here it counts by half, and exchanging
    A and B turns P into 1 - P.  Differences are 0 as for :class:`fstats.SignedRank`.  Runs that are not paired (other splits, other
    seeds) are for :class:`fstats.RankSum`, whose effect size is their share of wins, doubled and less 1.

    Splits of one data set share records, so the pairs are not independent: the interval is too short then, and the level is kept by
    nothing (:class:`fstats.CorrectedResampledT` has a correction).  What is found holds for runs on this data set.

    `sample_size` is the source's, from Noether's formula for the rank-sum test, with a power of 1 - alpha at P = gamma: 29 pairs for
    alpha = 0.05 and gamma = 0.75.  His formula for the sign test, which pairs call for, has 4 in the place of 6 and asks for 44.
    The power at P = 0.75 is 0.83 with 29 pairs and 0.94 with 44.

    Where all pairs are won every resample is the same, and the interval is a point that shows no luck; `remark` says so.

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, fewer than two pairs, numbers that are not finite, a gamma outside (1/2, 1), a level outside (0, 1).

    References
    ----------
    Bouthillier, Delaunay, Bronzi, Trofimov, Nichyporuk, Szeto, Sepah, Raff, Madan, Voleti, Kahou, Michalski, Serdyuk, Arbel, Pal,
    Varoquaux and Vincent (2021), Accounting for variance in machine learning benchmarks, Proceedings of Machine Learning and Systems 3,
    section 4 and its appendix.  Noether (1987), Sample size determination for some common nonparametric tests, JASA 82, pages 645 to 647.

    Examples
    --------
    Four wins in five pairs.  Of five draws none, one or two are wins with probability (1 + 20 + 160) / 5**5 = 0.058, and at most one with
    0.007; five are with (4/5)**5 = 0.33.  So the interval goes from 2/5 to 1.

    >>> import fstats
    >>> test = fstats.ProbabilityOfOutperforming([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.7, 0.6, 0.7, 0.7])
    >>> print(test.probability, test.ci.low, test.ci.high, test.reject)
    0.8 0.4 1.0 False
    >>> print(round(fstats.ProbabilityOfOutperforming.rejection_rate(5), 5), test.sample_size)
    0.03125 29
    """

    a: ScoresLike = input_field("s_A", "Scores of A in each run.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Scores of B, paired with A's.", over="i", check=check.scores, like="a", unit="score")

    @step("d_i", directed_formula("$a - $b"), by="higher_is_better", over="i", check=check.scores, unit="score")
    def d(self) -> Array:
        """Difference in each pair of runs; positive if A is better."""
        return noise_free_difference(*self.terms)

    @step("n", r"\#\{i : $d\}", check=check.count(2))
    def n(self) -> int:
        """Number of pairs."""
        return len(self.d)

    @step("n_+", r"\#\{i : $d > 0\}", check=check.counts)
    def wins(self) -> Value:
        """Pairs in which A beats B."""
        return (self.d > 0).sum(0)

    @step("n_0", r"\#\{i : $d = 0\}", check=check.counts)
    def ties(self) -> Value:
        """Pairs without a winner."""
        return (self.d == 0).sum(0)

    @step(r"\hat P", r"\frac{$wins + $ties / 2}{$n}", check=check.probability)
    def probability(self) -> Value:
        """Estimated probability that A beats B, a tie counted by half."""
        return (self.wins + self.ties / 2) / self.n

    @step(
        r"\hat P^*",
        r"\text{share of wins in $n draws from $n pairs, } $wins \text{ won and } $ties \text{ tied}",
        relation=r"\sim",
    )
    def resampled(self) -> WinShareDistribution:
        """What the estimate becomes when the pairs are drawn again, with replacement, from these."""
        return WinShareDistribution(int(self.n), self.wins, self.ties)

    @step(
        "N",
        r"\left\lceil \left(\frac{2\,z_{1 - $alpha}}{\sqrt{6}\,($gamma - 1/2)}\right)^2 \right\rceil",
        after=True,
        check=check.count(1),
    )
    def sample_size(self) -> int:
        """Pairs that the source recommends, for a power of 1 - alpha where the probability is gamma."""
        return max(1, int(np.ceil((2 * special.ndtri(1 - self.alpha)) ** 2 / (6 * (self.gamma - 0.5) ** 2))))

    @classmethod
    def rejection_rate(cls, n: int, p: float = 0.5, *, alpha: float = 0.05) -> float:
        """How often n independent pairs reject if A beats B with probability p: the level at p = 1/2, elsewhere the power.

        Ties have probability 0.  All n + 1 numbers of wins are tried, each with its binomial probability, so this is exact.

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

    # -- in words --------------------------------------------------------------------------------------------------------
    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and what the interval takes for granted."""
        return " ".join(filter(None, (self._of_these_data, self._taken_for_granted)))

    @property
    def _taken_for_granted(self) -> str:
        few = f"{self.n} of the {self.sample_size} pairs that its authors recommend. " if self.n < self.sample_size else ""
        return few + "The pairs must be independent: those of splits or seeds of one data set are not, and there nothing keeps the level."

    @property
    def _of_these_data(self) -> str:
        if self.ties == self.n:
            return "No pair has a winner: nothing speaks for either."
        a, b = self.sides
        winner = a if self.wins == self.n else b if self.wins + self.ties == 0 else ""
        alike = f"All {self.n} pairs are won by {winner}: all resamples are alike and show no luck"
        return winner and f"{alike}, though a fair coin falls so with probability {format_plain(0.5**self.n)}."
