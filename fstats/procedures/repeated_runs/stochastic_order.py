"""Almost stochastic order (ASO) test."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.numerics.sums_of_squares import ScaledSquares, power_of_two_unit
from ...core.step import count_step, input_field, step
from ...core.validation import check, result_checks
from ...core.validation.paired_inputs import check_same_repetitions
from ...core.value_types import Array, Decision, Integers, ScoresLike, Value
from ..limited_number import limited
from .stratified_bootstrap import BootstrapProcedure, ResampledValues

tolerance = limited(check.level, lambda x: x <= 0.5, "at most 0.5, the violation ratio of two equal methods")


def quantile_pieces(n: int, m: int) -> tuple[Array, Integers, Integers]:
    """Return the pieces of (0, 1) on which the quantile functions of n and of m values are constant: lengths and positions of values.

    >>> [part.tolist() for part in quantile_pieces(2, 4)]
    [[0.25, 0.25, 0.25, 0.25], [0, 0, 1, 1], [0, 1, 2, 3]]
    """
    # ends of the intervals in units of 1 / (n m): integers, because i / n would be rounded
    ends = np.union1d(m * np.arange(1, n + 1), n * np.arange(1, m + 1))
    return np.diff(ends, prepend=0) / (n * m), (ends - 1) // m, (ends - 1) // n


def violation_ratio(d: Array, weights: Array) -> Array:
    """Return the share of the squared distance (last axis) where A is worse; 1/2 if the distance is 0."""
    worse, total = (np.minimum(d, 0) ** 2) @ weights, (d**2) @ weights
    return np.where(total > 0, worse / np.where(total > 0, total, 1.0), 0.5)


class AlmostStochasticOrder(TwoClassifiers, ScaledSquares, BootstrapProcedure):
    r"""Almost stochastic order: are the scores of classifier A higher than the scores of classifier B at nearly every quantile?

    Origin: published, del Barrio, Cuesta-Albertos and Matran (2018).

    The scores of classifier A are stochastically larger than the scores of classifier B if the quantile function of A lies above the
    quantile function of B everywhere.  The violation of this order is the share

    .. math:: \varepsilon = \frac{\int_{A^{-1} < B^{-1}} (A^{-1}(u) - B^{-1}(u))^2\,du}{\int_0^1 (A^{-1}(u) - B^{-1}(u))^2\,du}

    of the squared Wasserstein distance.  The violation is 0 if classifier A is better at every quantile, and 1 if classifier B is better at
    every quantile.  The violation of the order is 1/2 if neither classifier has an advantage.  With the standard deviation
    :math:`\sigma^*` of the violation in resamples,

    .. math:: \varepsilon_{\min} = \varepsilon + z_{1 - \alpha}\,\sigma^*,

    The scores of classifier A are almost stochastically larger if the bound :math:`\varepsilon_{\min}` lies below a tolerance.

    Parameters
    ----------
    a : array_like, shape (n,) or (n, ...)
        Scores of A in n >= 2 runs on one task; higher is better, any unit.  Further axes are independent repetitions.
    b : array_like, shape (m,) or (m, ...)
        Scores of B in m >= 2 runs of its own.
    tolerance : float
        Largest violation that counts as almost none, above 0 and at most 1/2.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    alpha : float
        Nominal level of the bound.
    draws : int
        Number of random resamples, at least 100.
    rng : int, numpy Generator or None
        Seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn and stored.

    Notes
    -----
    **Assumptions.**  All runs are independent.  The distributions of the scores of A and B differ and have second moments.  The number of
    runs is so large that epsilon is nearly normal; a share between 0 and 1 is not normal near 0 or 1.

    **The level is not kept.**  In simulations with alpha = 0.05 (normal scores, ``test_stochastic_order.py``) A passed in these shares of
    trials; first if A and B are equal, then if B's scores have twice the spread around the same mean and the true violation is 1/2:

    ================  ===========  ===========  ===========  ===========  ============
    runs of each      3            5            10           20           200
    ================  ===========  ===========  ===========  ===========  ============
    tolerance 0.5     0.23, 0.22   0.22, 0.21   0.18, 0.16   0.19, 0.15   0.15, 0.08
    tolerance 0.2     0.10, 0.10   0.06, 0.07   0.04, 0.03   0.03, 0.03   0.01, 0
    ================  ===========  ===========  ===========  ===========  ============

    If A and B are equal, one of the two passes about twice as often: with a tolerance of 0.2 in 20 % of the trials with 3 runs, in 8 %
    with 10.

    Three runs of each are not enough for any tolerance: in 1 of 20 trials with equal methods all runs of A are above all runs of B by
    chance, and the bound is 0.  The one-sided :class:`fstats.WelchT` rejected in 4 to 5 % of all these trials.  According to these
    simulations, a tolerance of 0.5 requires little more than that A is better in the sample.  A tolerance of 0.2, which Ulmer and others
    recommend, needs 10 runs or more.

    **One task.**  Runs of several tasks in one list are not a sample of one distribution.  Compare the methods on each task, with alpha
    divided by the number of tasks, or use :class:`fstats.ProbabilityOfImprovement`.  A nonlinear increasing transformation of the scores
    (a logarithm, for example) changes the squared distances and therefore epsilon.

    The integrals are sums over the pieces on which both quantile functions are constant, exact up to rounding; programs that use a
    grid of quantiles are less exact.  If all runs are equal, epsilon is 1/2.  If no run of A is below a run of B, every
    resample has epsilon 0, and the bound shows no random variation; `remark` warns of this case.

    Raises
    ------
    ValueError, TypeError
        For fewer than two runs, different repetitions, numbers that are not finite, fewer than 100 draws, a tolerance outside
        (0, 1/2], a level outside (0, 1).

    References
    ----------
    del Barrio, Cuesta-Albertos and Matran (2018), An optimal transportation approach for assessing almost stochastic order, in The
    mathematics of the uncertain, section 3.  Dror, Shlomov and Reichart (2019), Deep dominance: how to properly compare deep neural
    models, Proceedings of ACL, section 4.  Ulmer, Hardmeier and Frellsen (2022), deep-significance, arXiv 2204.06815, section 3.

    Examples
    --------
    On the lower half of the quantiles A has 1 and B has 2; on the upper half A has 5 and B has 3.  B is better by 1 on the lower half, A
    by 2 on the upper half.

    >>> import fstats
    >>> test = fstats.AlmostStochasticOrder([1, 5], [2, 3])
    >>> print(test.d, test.distance, test.violation)
    [-1.  2.] 2.5 0.2
    """

    conclusion_row = ("reject", 0, "The result as text.")

    a: ScoresLike = input_field("a_i", "Score of A in each of its runs.", over="i", check=check.numbers_of_min_length(2), unit="score")
    b: ScoresLike = input_field("b_j", "Score of B in each of its runs.", over="j", check=check.numbers_of_min_length(2), unit="score")
    tolerance: float = input_field(r"\tau", "Largest violation that counts as almost none.", check=tolerance, default=0.5, kw_only=True)
    alpha: float = input_field(r"\alpha", "Nominal level of the bound.", check=check.level, default=0.05, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_same_repetitions(self, "a", "b")

    @cached_property
    def unit(self) -> Any:
        """Power of two by which the scores are scaled before squaring; 1 for scores of ordinary size."""
        return power_of_two_unit(np.concatenate([self.a, self.b])) if self.__dict__.keys() >= {"a", "b"} else 1.0

    n_a = count_step("n", "a", "i", "Number of runs of A.", check=check.count(2))

    n_b = count_step("m", "b", "j", "Number of runs of B.", check=check.count(2))

    @step("w_k", r"u_k - u_{k - 1},\ u = \mathrm{sorted}\;\{\frac{i}{$n_a}\} \cup \{\frac{j}{$n_b}\}", over="k", aside=True)
    def weights(self) -> Array:
        """Lengths of the pieces on which both quantile functions are constant."""
        return quantile_pieces(self.n_a, self.n_b)[0]

    @step("d_k", r"a_{(\lceil $n_a u_k \rceil)} - b_{(\lceil $n_b u_k \rceil)} \text{ of } $a \text{ and } $b", over="k", unit="score")
    def d(self) -> Array:
        """Advantage of A on each piece: sorted run of A minus sorted run of B."""
        _, place_a, place_b = quantile_pieces(self.n_a, self.n_b)
        d = np.sort(self.a, axis=0)[place_a] - np.sort(self.b, axis=0)[place_b]
        return np.where(np.abs(d) <= absolute_noise(self.a, self.b), 0.0, d)

    @step("W^2", r"\sum_k $weights\,$d^2", check=check.nonnegative, unit="score^2")
    def distance(self) -> Value:
        """Squared Wasserstein distance between the runs of A and of B."""
        return np.tensordot(self.weights, self.in_units(self.d) ** 2, 1)

    @step(r"\varepsilon", r"\frac{\sum_k $weights \min\{$d, 0\}^2}{\sum_k $weights\,$d^2}", check=check.proportion)
    def violation(self) -> Value:
        """Violation: share of the distance where A is worse; 1/2 if the distance is 0."""
        return violation_ratio(np.moveaxis(self.in_units(self.d), 0, -1), self.weights)[()]

    @step(r"\varepsilon^*", r"\text{of $draws resamples of } $a \text{ and of } $b <- $rng", relation=r"\sim")
    def resampled(self) -> ResampledValues:
        """Bootstrap distribution of the violation: the runs of each method are resampled with replacement."""
        (n, m), shape = (len(self.a), len(self.b)), self.a.shape[1:]
        random = np.random.default_rng(self.rng)
        weights, place_a, place_b = quantile_pieces(n, m)
        drawn_a = np.sort(random.integers(0, n, (self.draws, n)), axis=1)[:, place_a]
        drawn_b = np.sort(random.integers(0, m, (self.draws, m)), axis=1)[:, place_b]
        x, y = (np.sort(np.asarray(self.in_units(side)), axis=0).reshape(len(side), -1).T for side in (self.a, self.b))
        noise = np.broadcast_to(np.asarray(self.in_units(absolute_noise(self.a, self.b))), shape).ravel()
        violations = []
        for runs_a, runs_b, max_noise in zip(x, y, noise):
            d = runs_a[drawn_a] - runs_b[drawn_b]
            violations.append(violation_ratio(np.where(np.abs(d) <= max_noise, 0.0, d), weights))
        return ResampledValues.from_repetitions(violations, shape, f"resampled violations of {n} and {m} runs (seed {self.rng})")

    @step(r"\sigma^*", r"\mathrm{sd}\;$resampled", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the violation: standard deviation of the violation over the resamples."""
        return self.resampled.values.std(0)

    @step(r"\varepsilon_{\min}", r"\min\{1,\ \max\{0,\ $violation + z_{1 - $alpha}\,$se\}\}", check=check.proportion)
    def bound(self) -> Value:
        """Upper bound of the violation."""
        return np.clip(self.violation + special.ndtri(1 - self.alpha) * self.se, 0.0, 1.0)

    @step(r"\text{reject } H_0", r"$bound < $tolerance", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def reject(self) -> Decision:
        """Whether A is almost stochastically larger: the bound lies below the tolerance."""
        return np.less(self.bound, self.tolerance)

    _mc_error_formula = r"z_{1 - $alpha}\,\sigma^* \sqrt{\frac{\kappa - 1}{4\,$draws}},\ \kappa \text{ the kurtosis of } $resampled"

    @step(r"\mathrm{SE}_\mathrm{MC}", _mc_error_formula, check=check.nonnegative, after=True)
    def mc_error(self) -> Value:
        """Standard error of the bound, due to the random draws."""
        distance = self.resampled.values - self.resampled.values.mean(0)
        squares = (distance**2).mean(0)
        excess = np.maximum((distance**4).mean(0) - squares**2, 0.0) / np.where(squares > 0, squares, 1.0)
        return abs(special.ndtri(1 - self.alpha)) * np.sqrt(excess / (4 * self.draws))

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and simulation results for few runs."""
        a, b = self.sides
        if not self.distance:
            return "All quantiles are equal: the data give no evidence for either."
        if not self.se and self.violation in (0, 1):
            winner = b if self.violation else a
            ways = special.comb(self.n_a + self.n_b, self.n_a)
            opening = f"No run of the other is above a run of {winner}: all resamples are equal and show no random variation"
            return f"{opening}. For equal methods this happens in 1 of {format_plain(ways)} cases for each."
        if self.tolerance > 0.2:
            return (
                "Tolerances above 0.2 do not keep a level of 0.05: of two equal methods, the first passed the tolerance 0.5 in 23 % of "
                "all simulated trials with 3 runs of each, and in 19 % with 20; the second passed as often."
            )
        few_note = (
            "Of two equal methods, the first passed the tolerance 0.2 in 10 % of all simulated trials with 3 runs of each, and in 6 % with "
            "5; the second passed as often."
        )
        return few_note if min(self.n_a, self.n_b) < 10 else ""

    @property
    def conclusion(self) -> str:
        """The violation, its bound and the decision as text (for a single comparison)."""
        check.check_single_repetition(np.shape(self.violation), "conclusion", "test.at({}).conclusion")
        a, b = self.sides
        violation, bound, level = map(format_plain, (self.violation, self.bound, self.alpha))
        estimate = f"{a} is worse than {b} on a share {violation} of their squared distance, at most {bound} at level {level}"
        decision = "is almost stochastically larger" if self.reject else "is not shown to be almost stochastically larger"
        return f"{estimate}: {a} {decision} (tolerance {format_plain(self.tolerance)}). {self.remark}".rstrip()
