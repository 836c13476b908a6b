"""Mauchly's test of sphericity and epsilon corrections."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arithmetic_steps import mean_step
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import NotStated, count_step, step
from ...core.validation import check, tables
from ...core.value_types import Array, Value
from ...distributions.continuous_distributions import ChiSquared
from .anova_table import upper_tail_probability
from .many_classifiers import ScoreTable


def _epsilon(value: Any, name: str) -> Any:
    """Return a checked number above 0 and at most 1."""
    x = check.positive(value, name)
    if np.any(x > 1):
        raise ValueError(f"`{name}` must be above 0 and at most 1; got {np.max(x):g}")
    return x


class BlockDesign(ScoreTable):
    """Scores of k classifiers on the same N data sets (blocks), with means, residuals and measures of sphericity."""

    n = count_step("N", "scores", "i", "Number of data sets.", check=check.count(2))

    @step(r"\bar s_j", r"\frac{1}{$n} \sum_i $scores", over="j", check=check.numbers_of_min_length(2), unit="score")
    def means(self) -> Array:
        """Mean score of each classifier."""
        return self.scores.sum(0) / self.n

    k = count_step("k", "means", "j", "Number of classifiers.", check=check.count(2))

    @step(r"\bar s_i", r"\frac{1}{$k} \sum_j $scores", over="i", check=check.numbers_of_min_length(2), unit="score")
    def dataset_means(self) -> Array:
        """Mean score on each data set."""
        return self.scores.sum(1) / self.k

    grand_mean = mean_step(r"\bar s", "means", "k", "j", "Mean of all scores.", unit="score")

    @step("e_{ij}", "$scores - $dataset_means - $means + $grand_mean", over="ij", check=tables.score_table, unit="score")
    def residuals(self) -> Array:
        """Residuals: each score minus the effect of its data set and the effect of its classifier."""
        residuals = self.scores - self.dataset_means[:, None] - self.means + self.grand_mean
        return round_noise_to_zero(residuals, np.abs(self.scores).max((0, 1)))

    _covariance_formula = r"\frac{1}{$n - 1} \sum_i e_{ij}\,e_{il} \text{ of } $residuals"

    @step("c_{jl}", _covariance_formula, over="jl", check=tables.score_table, after=True, aside=True, unit="score^2")
    def covariance(self) -> Array:
        """Covariance matrix of the scores minus the mean of their data set; each row and each column of the matrix sums to 0."""
        residuals = self.in_units(self.residuals)
        return np.einsum("ij...,il...->jl...", residuals, residuals) / (self.n - 1)

    _eigenvalues_formula = r"m\text{-th eigenvalue of } H C H^T,\ C = ($covariance)"

    @step(r"\lambda_m", _eigenvalues_formula, over="m", check=check.numbers_of_min_length(1), after=True, aside=True, unit="score^2")
    def eigenvalues(self) -> Array:
        """Variances of the residuals in k - 1 orthogonal directions, from contrasts H; under sphericity the true variances are equal."""
        h = helmert_contrasts(len(self.covariance))
        between = np.einsum("mj,jl...,ol->...mo", h, self.covariance, h)
        values = np.moveaxis(np.linalg.eigvalsh(between)[..., ::-1], -1, 0)
        return round_noise_to_zero(values, values[0])

    @step(r"\hat\epsilon", r"\frac{\left(\sum_m $eigenvalues\right)^2}{($k - 1) \sum_m $eigenvalues^2}", check=_epsilon, after=True)
    def epsilon_gg(self) -> Value:
        """Greenhouse-Geisser factor: 1 if all variances are equal, 1 / (k - 1) if only one is above 0."""
        squares = (self.k - 1) * (self.eigenvalues**2).sum(0)
        factor = np.where(squares == 0, 1.0, ratio(self.eigenvalues.sum(0) ** 2, squares))
        return np.clip(factor, 1 / (self.k - 1), 1.0)[()]

    _epsilon_hf_formula = r"\min\left\{1,\ \frac{$n ($k - 1)\,$epsilon_gg - 2}{($k - 1) ($n - 1 - ($k - 1)\,$epsilon_gg)}\right\}"

    @step(r"\tilde\epsilon", _epsilon_hf_formula, check=_epsilon, after=True)
    def epsilon_hf(self) -> Value:
        """Huynh-Feldt factor, less conservative than the Greenhouse-Geisser factor: at least that factor and at most 1."""
        used = (self.k - 1) * self.epsilon_gg
        above, below = round_noise_to_zero(self.n * used - 2, self.n), round_noise_to_zero(self.n - 1 - used, self.n)
        # for two data sets, `ratio` returns 0 for 0/0
        return np.clip(ratio(above, (self.k - 1) * below), self.epsilon_gg, 1.0)

    _mauchly_w_formula = r"\prod_m \frac{$eigenvalues}{\bar\lambda},\ \bar\lambda = \frac{1}{$k - 1} \sum_m $eigenvalues \quad ($n \geq $k)"

    @step("W", _mauchly_w_formula, check=check.nonnegative, after=True)
    def mauchly_w(self) -> Value:
        """Mauchly's W: 1 if the variances in all directions are equal, 0 if the variance in one direction is 0."""
        _check_mauchly_size(self.n, self.k)
        total = self.eigenvalues.sum(0)
        return np.minimum(np.where(total == 0, 1.0, ratio((self.k - 1) * self.eigenvalues, total).prod(0)), 1.0)[()]

    _mauchly_statistic_formula = r"\left($n - 1 - \frac{2\,$k^2 - 3\,$k + 3}{6 ($k - 1)}\right) \ln \frac{1}{$mauchly_w}"

    @step(r"X^2_W", _mauchly_statistic_formula, check=check.nonnegative, after=True)
    def mauchly_statistic(self) -> Value:
        """Mauchly's statistic: distance of W below 1, on the scale of chi-squared."""
        return (self.n - 1 - (2 * self.k**2 - 3 * self.k + 3) / (6 * (self.k - 1))) * np.log(ratio(1.0, self.mauchly_w))

    @step(r"\nu_W", r"\frac{$k ($k - 1)}{2} - 1 \quad ($n \geq $k)", check=check.counts, after=True)
    def mauchly_df(self) -> int:
        """Degrees of freedom: number of entries of a covariance matrix of k - 1 contrasts, minus 1 for the common variance."""
        _check_mauchly_size(self.n, self.k)
        return self.k * (self.k - 1) // 2 - 1

    _mauchly_weight_formula = (
        r"\min\left\{1,\ \frac{($k + 1) ($k - 2) ($k - 3) (2\,$k^3 - 3\,$k + 3)}{8 \left(6 ($k - 1) ($n "
        r"- 1) - 2\,$k^2 + 3\,$k - 3\right)^2}\right\} \quad ($n \geq $k)"
    )

    @step(r"\omega_W", _mauchly_weight_formula, check=check.nonnegative, after=True, aside=True)
    def mauchly_weight(self) -> float:
        """Weight of the second term of Box's approximation; 0 for two or three classifiers."""
        _check_mauchly_size(self.n, self.k)
        k, spare = self.k, 6 * (self.k - 1) * (self.n - 1) - 2 * self.k**2 + 3 * self.k - 3
        return float(min(1.0, (k + 1) * (k - 2) * (k - 3) * (2 * k**3 - 3 * k + 3) / (8 * spare**2)))

    _mauchly_pvalue_formula = (
        r"(1 - $mauchly_weight)\,P(\chi^2_{$mauchly_df} \geq $mauchly_statistic) + "
        r"$mauchly_weight\,P(\chi^2_{$mauchly_df + 4} \geq $mauchly_statistic)"
    )

    @step("p_W", _mauchly_pvalue_formula, after=True, check=check.probability)
    def mauchly_pvalue(self) -> Value:
        """Probability, under sphericity, of a W at most as large as observed; 1 for two classifiers, which always fulfil sphericity."""
        first, second = (upper_tail_probability(ChiSquared(max(self.mauchly_df + more, 1)), self.mauchly_statistic) for more in (0, 4))
        return (1 - self.mauchly_weight) * first + self.mauchly_weight * second


def _check_mauchly_size(n: int, k: int) -> None:
    """Raise NotStated if there are fewer data sets than classifiers, because W is 0 for any such data."""
    if n < k:
        got = f"{n} data sets and {k} classifiers"
        raise NotStated(f"Mauchly's test needs at least as many data sets as classifiers; got {got}. Use epsilon_gg instead.")


def helmert_contrasts(k: int) -> Array:
    """Return the k - 1 Helmert contrasts as rows: unit vectors that are orthogonal to each other and to the mean.

    >>> helmert_contrasts(2).round(4)
    array([[ 0.7071, -0.7071]])
    """
    h = np.tri(k - 1, k) - np.eye(k - 1, k, 1) * np.arange(1, k)[:, None]
    return h / np.sqrt((h**2).sum(1, keepdims=True))
