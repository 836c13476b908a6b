"""Beta posteriors of rates in a 2x2 contingency table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy import special

from ....core.classifier_pair import TwoClassifiers
from ....core.numerics.zero_division import ratio
from ....core.step import Step, input_field, step
from ....core.validation import check
from ....core.value_types import Array, Value

BETA_PRIOR = "Both parameters of each Beta prior; 1 is flat."
CELL_NAMES: Mapping[str, Any] = {"u": ("A wrong", "A right"), "v": ("B wrong", "B right"), "q": ("e", "r", "q_a", "q_b")}


def two_by_two(value: Any, name: str) -> Array:
    """Check a 2 x 2 table of numbers not below 0, whole or not."""
    x = np.asarray(check.nonnegative(value, name))
    if x.shape[:2] != (2, 2):
        raise ValueError(f"`{name}` must have two rows (A wrong, A right) and two columns (B wrong, B right); got shape {x.shape}")
    return x


def count_table(value: Any, name: str) -> Array:
    """Check a 2 x 2 table of counts."""
    return two_by_two(check.counts(value, name), name)


def proportion(part: Value, whole: Value) -> Value:
    """Return part / whole; if whole is 0, return 1/2, the mean of the prior."""
    return np.where(np.equal(whole, 0), 0.5, ratio(part, whole))[()]


def mode(a: Array, b: Array) -> Array:
    """Return the mode of Beta(a, b): 0 or 1 if one parameter is at most 1; 1/2 if the density is flat.

    If both parameters are below 1, the density is highest at 0 and at 1.  In this case the returned mode is the end with the smaller
    parameter, where the density rises faster; with equal parameters the returned mode is 0.
    """
    a_excess, b_excess = np.maximum(a, 1) - 1, np.maximum(b, 1) - 1
    ends = np.where(np.equal(a, 1) & np.equal(b, 1), 0.5, np.where(a > b, 1.0, 0.0))
    return np.where(np.maximum(a, b) <= 1, ends, proportion(a_excess, a_excess + b_excess))


def cell(table: str, u: int, v: int, symbol: str, sentence: str) -> Step[Value]:
    """Create a step that reads one cell of a table; ``table`` is the name of an input or a step."""

    def read(test: Any) -> Value:
        return getattr(test, table)[u, v]

    return Step(read, symbol, rf"${table} \text{{ at }} u = {u},\ v = {v}", check=check.nonnegative, sentence=sentence)


class TablePosteriors(TwoClassifiers):
    r"""Posteriors of one contingency table: how often is exactly one of two classifiers wrong, and how often is A the wrong one?

    Origin: published, Wang and Li, Block-regularized 5x2 cross-validated McNemar's test.

    The four counts of the table are one draw from a multinomial distribution with the probabilities :math:`\pi_{uv}`.  Four rates are
    computed from the probabilities :math:`\pi_{uv}`.  Each rate is a share of certain records, so the count of each rate is binomial (Lemma
    1):

    ========  =================================  ======================================
    rate      definition                         in words
    ========  =================================  ======================================
    e         :math:`\pi_{01} + \pi_{10}`        exactly one classifier is wrong
    r         :math:`\pi_{01} / e`               A is wrong, given that exactly one is
    q_a       :math:`\pi_{01} / (\pi_{01} +      A is wrong, given that B is right
              \pi_{11})`
    q_b       :math:`\pi_{00} / (\pi_{00} +      A is wrong, given that B is wrong
              \pi_{10})`
    ========  =================================  ======================================

    If the prior of a rate is :math:`\mathrm{Beta}(\lambda, \lambda)`, the posterior of the rate is :math:`\mathrm{Beta}(a, b)` (Lemma 2).
    Each rate is the share of the records with some property: a is lambda plus the number of records with the property, and b is lambda
    plus the number of records without the property.

    Parameters
    ----------
    table : array_like, shape (2, 2) or (2, 2, ...)
        Counts of records: A (row) and B (column) wrong (0) or right (1).  Further axes are independent repetitions.
    lam : float
        Both parameters of each prior, above 0; 1 gives a flat prior.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alpha : float
        Credible intervals have probability 1 - alpha; the probability below and above each interval is alpha / 2.

    Notes
    -----
    The modes are the estimators e, r, q_a, q_b if and only if lambda = 1 (Corollary 1).  A prior with lambda above 1 moves the modes
    towards 1/2.  A prior with lambda below 1 moves the modes away from 1/2, and to 0 or 1 if hardly any record contradicts this value.  A
    rate without records is estimated by 1/2, the mean of its prior; the mode of a flat posterior is 1/2, too.  If lambda is below 1, the
    posterior of a rate without records is equally high at 0 and 1 and lowest at 1/2; the mode is then given as 0.

    Each posterior belongs to the binomial distribution of its own count and has its own prior.  No single Dirichlet prior of the four
    probabilities gives all four (a prior that gives r the prior Beta(lambda, lambda) gives e the prior Beta(2 lambda, 2 lambda)).

    Table 2 of the source has misprints in the definitions of r and q_a and in the estimator of q_a.  The last line of Lemma 1 has a wrong
    number of records (correct: n10 + n00).  This class uses the formulas of sections 4.2 and 4.4 of the source.  The source calls e the
    probability of *different predictions*, which is right for two classes only; with more classes, both classifiers may be wrong in
    different ways.

    Raises
    ------
    ValueError, TypeError
        If the table does not hold 2 x 2 counts, lambda is not above 0, or alpha is outside (0, 1).

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 2.2:
    Table 2, Lemmas 1 and 2, Corollary 1.

    Examples
    --------
    On 4 of 20 records exactly one classifier is right, and on 1 of these 4 records A is wrong: flat priors give Beta(5, 17) for e,
    Beta(2, 4) for r.

    >>> import fstats
    >>> posteriors = fstats.TablePosteriors([[6, 1], [3, 10]])
    >>> print(posteriors.r, posteriors.beta_a, posteriors.beta_b)
    0.25 [5. 2. 2. 7.] [17.  4. 11.  4.]
    """

    names_by_index: ClassVar[Mapping[str, Any]] = CELL_NAMES
    in_report: ClassVar[Mapping[str, str]] = {"n": "{} records", "e": "share of discordant records e = {}", "r": "r = {}"}

    table: Array = input_field("n_{uv}", "Counts of records: A (row) and B (column) wrong or right.", over="uv", check=count_table)
    lam: float = input_field(r"\lambda", BETA_PRIOR, check=check.single_number(check.positive), default=1.0, kw_only=True)
    alpha: float = input_field(r"\alpha", "Probability outside the credible intervals.", check=check.level, default=0.05, kw_only=True)

    @step("n", r"\sum_{uv} $table", check=check.nonnegative)
    def n(self) -> Value:
        """Number of records in the table."""
        return self.table.sum((0, 1))

    @step(r"\hat\pi_{uv}", r"\frac{$table}{$n}", over="uv", check=check.proportion)
    def shares(self) -> Array:
        """Estimated probabilities of the four cells of the table, which is one draw from a multinomial distribution."""
        return np.where(np.equal(self.n, 0), 0.25, ratio(self.table, self.n))

    n00 = cell("table", 0, 0, "n_{00}", "Records that both get wrong.")
    n01 = cell("table", 0, 1, "n_{01}", "Records that A gets wrong and B right.")
    n10 = cell("table", 1, 0, "n_{10}", "Records that A gets right and B wrong.")
    n11 = cell("table", 1, 1, "n_{11}", "Records that both get right.")

    @step("E", r"\frac{$n01 + $n10}{$n}", check=check.proportion)
    def e(self) -> Value:
        """Disagreement: share of the records on which exactly one classifier is wrong."""
        return proportion(self.n01 + self.n10, self.n)

    @step("R", r"\frac{$n01}{$n01 + $n10}", check=check.proportion)
    def r(self) -> Value:
        """Share of the records with A wrong among the records on which exactly one classifier is wrong."""
        return proportion(self.n01, self.n01 + self.n10)

    @step("Q_a", r"\frac{$n01}{$n01 + $n11}", check=check.proportion)
    def q_a(self) -> Value:
        """Error rate of A on the records that B gets right."""
        return proportion(self.n01, self.n01 + self.n11)

    @step("Q_b", r"\frac{$n00}{$n00 + $n10}", check=check.proportion)
    def q_b(self) -> Value:
        """Error rate of A on the records that B gets wrong."""
        return proportion(self.n00, self.n00 + self.n10)

    @step("a_q", r"($n01 + $n10,\ $n01,\ $n01,\ $n00)_q + $lam", over="q", check=check.positive)
    def beta_a(self) -> Array:
        """First Beta parameter of the posteriors of e, r, q_a, q_b: lambda plus the count of the rate."""
        return np.array([self.n01 + self.n10, self.n01, self.n01, self.n00]) + self.lam

    @step("b_q", r"($n00 + $n11,\ $n10,\ $n11,\ $n10)_q + $lam", over="q", check=check.positive)
    def beta_b(self) -> Array:
        """Second Beta parameter of each posterior: lambda plus the number of the other records that the rate refers to."""
        return np.array([self.n00 + self.n11, self.n10, self.n11, self.n10]) + self.lam

    @step(r"\mathrm{mode}_q", r"\frac{$beta_a - 1}{$beta_a + $beta_b - 2}", over="q", check=check.proportion)
    def modes(self) -> Array:
        """Mode of each posterior: the estimator of the rate if lambda is 1; 0 or 1 if a or b is below 1."""
        return mode(self.beta_a, self.beta_b)

    @step(r"\mathrm{mean}_q", r"\frac{$beta_a}{$beta_a + $beta_b}", over="q", check=check.proportion)
    def means(self) -> Array:
        """Mean of each posterior."""
        return self.beta_a / (self.beta_a + self.beta_b)

    @step("l_q", r"\mathrm{Beta}^{-1}_{$beta_a,\ $beta_b}\left(\frac{$alpha}{2}\right)", over="q", check=check.proportion)
    def credible_low(self) -> Array:
        """Lower end of the credible interval."""
        return special.betaincinv(self.beta_a, self.beta_b, self.alpha / 2)

    @step("h_q", r"\mathrm{Beta}^{-1}_{$beta_a,\ $beta_b}\left(1 - \frac{$alpha}{2}\right)", over="q", check=check.proportion)
    def credible_high(self) -> Array:
        """Upper end of the credible interval."""
        return special.betaincinv(self.beta_a, self.beta_b, 1 - self.alpha / 2)


class EffectivePosteriors(TablePosteriors):
    """Posteriors of an effective table; its cells are effective numbers of records, which need not be whole numbers.

    Parameters
    ----------
    table : array_like, shape (2, 2) or (2, 2, ...)
        Effective numbers of records, not below 0.
    lam, alpha : float
        As for :class:`TablePosteriors`.
    """

    table: Array = input_field("n_{uv,e}", "Effective numbers of records.", over="uv", check=two_by_two)
