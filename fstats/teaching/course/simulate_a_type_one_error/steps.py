"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.value_types import Value
from ....distributions.continuous_distributions import Normal, StudentT


class TypeOneError(Procedure):
    """Rejection rates under a true null hypothesis, computed instead of simulated."""

    n: int = input_field("n", "Number of data sets.")
    alpha: float = input_field(r"\alpha", "Level of every test.")
    repetitions: int = input_field("N", "Number of repetitions of your simulations.")
    wanted: float = input_field(r"\sigma", "Required Monte Carlo standard error.")
    observed: float = input_field("r", "Rejection rate that other authors found in a simulation.")
    others: int = input_field("M", "Number of repetitions in the other authors' simulation.")
    folds: int = input_field("K", "Number of folds.")
    rho: float = input_field(r"\rho", "Correlation between the differences of any two folds.")

    @step(r"\nu", "$n - 1")
    def df(self) -> int:
        """Degrees of freedom."""
        return self.n - 1

    @step("c", r"\min\{x : P(T_{$df} \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Two-sided critical value of Student's t."""
        return StudentT(self.df).high(self.alpha / 2)

    @step(r"\alpha_t", r"2\,P(T_{$df} \geq $critical_value)")
    def size(self) -> Value:
        """Rejection rate of the paired t-test under a true H0."""
        return 2 * StudentT(self.df).at_least(self.critical_value)

    @step("z", r"\min\{x : P(Z \geq x) \leq $alpha / 2\}")
    def z(self) -> Value:
        """Two-sided critical value of the normal distribution."""
        return Normal(0.0, 1.0).high(self.alpha / 2)

    @step(r"\alpha_z", r"2\,P(T_{$df} \geq $z)")
    def size_z(self) -> Value:
        """Rejection rate under a true H0 if t is compared with the critical value of the normal distribution."""
        return 2 * StudentT(self.df).at_least(self.z)

    @step("c_1", r"\min\{x : P(T_{$df} \geq x) \leq $alpha\}")
    def one_tailed(self) -> Value:
        """Critical value of one tail."""
        return StudentT(self.df).high(self.alpha)

    @step(r"\alpha_1", r"2\,P(T_{$df} \geq $one_tailed)")
    def size_one(self) -> Value:
        """Rejection rate under a true H0 if the direction of a one-sided test is chosen after a look at the data."""
        return 2 * StudentT(self.df).at_least(self.one_tailed)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$size (1 - $size)}{$repetitions}}")
    def se(self) -> Value:
        """Monte Carlo standard error of the first rate: its standard deviation over simulations."""
        return sqrt(self.size * (1 - self.size) / self.repetitions)

    @step(r"N_{\sigma}", r"\frac{$alpha (1 - $alpha)}{$wanted^2}")
    def needed(self) -> Value:
        """Number of repetitions that give the required standard error, if the true rate is alpha."""
        return np.round(np.float64(self.alpha * (1 - self.alpha) / self.wanted**2), 6)

    @step("u", r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $others}}")
    def distance(self) -> Value:
        """Distance between the other authors' rate and alpha, in Monte Carlo standard errors, if alpha is the true rate."""
        return np.float64((self.observed - self.alpha) / sqrt(self.alpha * (1 - self.alpha) / self.others))

    @step(r"\text{differs}", r"|$distance| \geq 1.96", relation=r"\Leftrightarrow")
    def differs(self) -> Any:
        """Whether the other authors' rate differs from alpha by more than chance explains (at level 0.05)."""
        return np.abs(self.distance) >= 1.96

    @step("c_K", r"\min\{x : P(T_{$folds - 1} \geq x) \leq $alpha / 2\}")
    def critical_folds(self) -> Value:
        """Critical value of a t-test that treats K folds as K data sets."""
        return StudentT(self.folds - 1).high(self.alpha / 2)

    @step("f", r"\sqrt{1 + \frac{$folds $rho}{1 - $rho}}")
    def inflation(self) -> Value:
        """Factor by which t is larger for correlated differences than for independent ones: the square root of the ratio of
        Var(mean) to E(s^2) / K.
        """
        return np.float64(sqrt(1 + self.folds * self.rho / (1 - self.rho)))

    @step(r"\alpha_K", r"2\,P\left(T_{$folds - 1} \geq \frac{$critical_folds}{$inflation}\right)")
    def size_folds(self) -> Value:
        """Rejection rate of the t-test on the folds under a true H0."""
        return 2 * StudentT(self.folds - 1).at_least(self.critical_folds / self.inflation)

    @step(r"c_{\rho}", r"$critical_folds \cdot $inflation")
    def honest(self) -> Value:
        """Critical value that would keep the level if rho were known."""
        return self.critical_folds * self.inflation
