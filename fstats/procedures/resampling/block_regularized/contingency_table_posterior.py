"""What one contingency table of two classifiers says: four rates, and what is believed of each after seeing it."""

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

CELL_NAMES: Mapping[str, Any] = {"u": ("A wrong", "A right"), "v": ("B wrong", "B right"), "q": ("e", "r", "q_a", "q_b")}


def two_by_two(value: Any, name: str) -> Array:
    """Numbers not below 0 in the four cells of a table, whole or not."""
    x = np.asarray(check.nonnegative(value, name))
    if x.shape[:2] != (2, 2):
        raise ValueError(
            f"{name} must be a table of two lines, A wrong and A right, and two columns, B wrong and B right; got shape {x.shape}"
        )
    return x


def count_table(value: Any, name: str) -> Array:
    """A table whose cells are counts."""
    return two_by_two(check.counts(value, name), name)


def proportion(part: Value, whole: Value) -> Value:
    """A part of a whole; 1/2, the middle of the prior, where there is nothing."""
    return np.where(np.equal(whole, 0), 0.5, ratio(part, whole))[()]


def mode(a: Array, b: Array) -> Array:
    """Where the density of Beta(a, b) is highest: at an end if the parameter there is at most 1; 1/2 where it is flat.

    Both below 1 the density is highest at the two ends, and lowest between them: of the ends that one where the smaller parameter
    makes it rise faster, and of two that are alike the lower.
    """
    above, below = np.maximum(a, 1) - 1, np.maximum(b, 1) - 1
    ends = np.where(np.equal(a, 1) & np.equal(b, 1), 0.5, np.where(a > b, 1.0, 0.0))
    return np.where(np.maximum(a, b) <= 1, ends, proportion(above, above + below))


def cell(table: str, u: int, v: int, symbol: str, sentence: str) -> Step[Value]:
    """The step that reads a cell of the table (an input or a step) of this name."""

    def read(test: Any) -> Value:
        return getattr(test, table)[u, v]

    return Step(read, symbol, rf"${table} \text{{ at }} u = {u},\ v = {v}", check=check.nonnegative, sentence=sentence)


class TablePosteriors(TwoClassifiers):
    r"""Posteriors of one contingency table: how often do two classifiers differ, who is then wrong, and what can be believed of that?

    The four counts are one draw from a multinomial distribution with the probabilities :math:`\pi_{uv}`.  Four rates are read
    from them, each a share of records among some, so that its count is binomial (Lemma 1):

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

    With the prior :math:`\mathrm{Beta}(\lambda, \lambda)` for a rate, its posterior is :math:`\mathrm{Beta}(a, b)` (Lemma 2),
    where a is lambda plus the count, and b lambda plus what is left of the records that the count is a share of.

    Parameters
    ----------
    table : array_like, shape (2, 2) or (2, 2, ...)
        Records by whether A (line) and B (column) are wrong (0) or right (1).  Further axes are independent repetitions.
    lam : float
        Both parameters of each prior, above 0; 1 is flat.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default A and B.
    alpha : float
        The credible intervals leave so much outside, half of it on either side.

    Notes
    -----
    The modes are the estimators e, r, q_a, q_b for lambda = 1 and only then (Corollary 1): a prior with lambda above 1 pulls them
    towards 1/2, one below 1 pushes them away from it, and to an end where hardly a record speaks against that end.  A rate of no
    records at all is estimated by 1/2, the middle of its prior, and so is the mode of a flat posterior.  With a lambda below 1 the
    posterior of such a rate is highest at both ends alike, and lowest at 1/2: its mode is told as 0.

    Each posterior belongs to the binomial distribution of its own count and a prior of its own: no one Dirichlet prior of the four
    probabilities gives all four (one that gives r the prior Beta(lambda, lambda) gives e the prior Beta(2 lambda, 2 lambda)).

    In the source's Table 2 the definitions of r and q_a and the estimator of q_a are misprinted, and in the last line of its
    Lemma 1 the number of records is (it is n10 + n00); these here are the ones that its sections 4.2 and 4.4 use.  That e is the
    probability of *different predictions*, as it says, holds for two classes: with more, both may be wrong in different ways.

    Raises
    ------
    ValueError, TypeError
        For anything but a table of 2 x 2 counts, a lambda that is not above 0, a level outside (0, 1).

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 2.2:
    Table 2, Lemmas 1 and 2, Corollary 1.

    Examples
    --------
    Of 20 records exactly one is right on 4, and of these A is wrong on 1: flat priors give Beta(5, 17) for e, Beta(2, 4) for r.

    >>> import fstats
    >>> posteriors = fstats.TablePosteriors([[6, 1], [3, 10]])
    >>> print(posteriors.r, posteriors.beta_a, posteriors.beta_b)
    0.25 [5. 2. 2. 7.] [17.  4. 11.  4.]
    """

    names_by_index: ClassVar[Mapping[str, Any]] = CELL_NAMES
    in_report: ClassVar[Mapping[str, str]] = {"n": "{} records", "e": "share of records that tell them apart e = {}", "r": "r = {}"}

    table: Array = input_field("n_{uv}", "Records by whether A (line) and B (column) are wrong or right.", over="uv", check=count_table)
    lam: float = input_field(
        r"\lambda", "Both parameters of each Beta prior; 1 is flat.", check=check.single_number(check.positive), default=1.0, kw_only=True
    )
    alpha: float = input_field(r"\alpha", "What the credible intervals leave outside.", check=check.level, default=0.05, kw_only=True)

    @step("n", r"\sum_{uv} $table", check=check.nonnegative)
    def n(self) -> Value:
        """Records in the table."""
        return self.table.sum((0, 1))

    @step(r"\hat\pi_{uv}", r"\frac{$table}{$n}", over="uv", check=check.proportion)
    def shares(self) -> Array:
        """Estimated probabilities of the four cells: the table is one draw from a multinomial distribution."""
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
        """Of the records on which exactly one is wrong, the share on which A is."""
        return proportion(self.n01, self.n01 + self.n10)

    @step("Q_a", r"\frac{$n01}{$n01 + $n11}", check=check.proportion)
    def q_a(self) -> Value:
        """Error rate of A where B is right."""
        return proportion(self.n01, self.n01 + self.n11)

    @step("Q_b", r"\frac{$n00}{$n00 + $n10}", check=check.proportion)
    def q_b(self) -> Value:
        """Error rate of A where B is wrong."""
        return proportion(self.n00, self.n00 + self.n10)

    @step("a_q", r"($n01 + $n10,\ $n01,\ $n01,\ $n00)_q + $lam", over="q", check=check.positive)
    def beta_a(self) -> Array:
        """First parameter of the posterior of e, r, q_a, q_b: what was counted for the rate."""
        return np.array([self.n01 + self.n10, self.n01, self.n01, self.n00]) + self.lam

    @step("b_q", r"($n00 + $n11,\ $n10,\ $n11,\ $n10)_q + $lam", over="q", check=check.positive)
    def beta_b(self) -> Array:
        """Second parameter: what was counted against it."""
        return np.array([self.n00 + self.n11, self.n10, self.n11, self.n10]) + self.lam

    @step(r"\mathrm{mode}_q", r"\frac{$beta_a - 1}{$beta_a + $beta_b - 2}", over="q", check=check.proportion)
    def modes(self) -> Array:
        """The most probable value of each rate: the estimator itself if lambda is 1, an end (the lower of two alike) where a
        or b is below 1.
        """
        return mode(self.beta_a, self.beta_b)

    @step(r"\mathrm{mean}_q", r"\frac{$beta_a}{$beta_a + $beta_b}", over="q", check=check.proportion)
    def means(self) -> Array:
        """The mean of each posterior."""
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
    """Posteriors of an effective table: the same for counts that nobody counted, and that need not be whole.

    Parameters
    ----------
    table : array_like, shape (2, 2) or (2, 2, ...)
        Numbers not below 0.
    lam, alpha : float
        As for :class:`TablePosteriors`.
    """

    table: Array = input_field("n_{uv,e}", "Effective numbers of records.", over="uv", check=two_by_two)
