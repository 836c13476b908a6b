"""Slips that may happen in many tests: the wrong step stands here once; what is said of it stands with each exercise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...distributions.continuous import Normal
from ..grading.mistake import shared_slip


# -- differences and their spread ----------------------------------------------------------------------------------------------
@shared_slip("d", "$b - $a")
def b_minus_a(test: Any) -> Any:
    return test.b - test.a


@shared_slip("sd", r"\sqrt{\frac{1}{$n} \sum_i ($d - $mean)^2}")
def divided_by_n(test: Any) -> Any:
    return sqrt(((test.d - test.mean) ** 2).sum(0) / test.n)


@shared_slip("sd", r"\frac{1}{$n - 1} \sum_i ($d - $mean)^2")
def variance_for_sd(test: Any) -> Any:
    return ((test.d - test.mean) ** 2).sum(0) / (test.n - 1)


# -- the standard error ----------------------------------------------------------------------------------------------------------
@shared_slip("se", "$sd")
def no_root_of_n(test: Any) -> Any:
    return test.sd


@shared_slip("se", r"\frac{$sd}{$n}")
def n_for_its_root(test: Any) -> Any:
    return test.sd / test.n


@shared_slip("se", r"\sqrt{\frac{s_A^2 + s_B^2}{$n}},\ s_A^2 \text{ and } s_B^2 \text{ of } $a \text{ and } $b")
def unpaired(test: Any) -> Any:
    return sqrt((np.var(test.a, axis=0, ddof=1) + np.var(test.b, axis=0, ddof=1)) / test.n)


# -- the statistic ---------------------------------------------------------------------------------------------------------------


@shared_slip("statistic", "$w_plus")
def w_plus_for_min(test: Any) -> Any:
    return test.w_plus


@shared_slip("statistic", "$w_minus")
def w_minus_for_min(test: Any) -> Any:
    return test.w_minus


# -- degrees of freedom, null distribution ---------------------------------------------------------------------------------------
@shared_slip("df", "$n")
def degrees_n(test: Any) -> Any:
    return test.n


@shared_slip("null", r"\mathrm{Normal}(0, 1)")
def normal_for_t(test: Any) -> Any:
    return Normal(0.0, 1.0)


# -- the p-value (between two counts, or sums of ranks, lies at least one half) ------------------------------------------------------
@shared_slip("pvalue", r"P($null \geq |$statistic|)")
def one_tail(test: Any) -> Any:
    return test.null.at_least(abs(test.statistic))


@shared_slip("pvalue", r"2\,P($null \leq |$statistic|)")
def wrong_side(test: Any) -> Any:
    return 2 * test.null.at_most(abs(test.statistic))


@shared_slip("pvalue", r"P($null \leq $statistic)")
def lower_tail(test: Any) -> Any:
    return test.null.at_most(test.statistic)


@shared_slip("pvalue", r"2\,P($null \leq $statistic)")
def above_one(test: Any) -> Any:
    return 2 * test.null.at_most(test.statistic)


@shared_slip("pvalue", r"\min\{1,\ 2\,P($null = $statistic)\}")
def this_result_up_to_one(test: Any) -> Any:
    return np.minimum(1, 2 * (test.null.at_most(test.statistic) - test.null.at_most(test.statistic - 0.5)))


@shared_slip("pvalue", r"\min\{1,\ 2\,P($null < $statistic)\}")
def without_this_result_up_to_one(test: Any) -> Any:
    return np.minimum(1, 2 * test.null.at_most(test.statistic - 0.5))
