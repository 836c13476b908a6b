"""Friedman's test with Iman and Davenport's F, and Nemenyi's critical difference; and each mistake, the same with one wrong step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...multiple.iman_davenport import ImanDavenport
from ...null import Array, ChiSquared, FisherF, Normal, Value
from ...posthoc.nemenyi import Nemenyi
from ...rank import ranks_in_rows
from ...step import step
from ...studentized_range import StudentizedRange


class ByCriticalDifference(Nemenyi):
    """Nemenyi's test as it is done by hand, so that a wrong critical difference is carried forward."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{6\,$n}}")
    def cd(self) -> Value:
        """Critical difference: mean ranks at least this far apart differ."""
        return self.q_alpha * sqrt(self.k * (self.k + 1) / (6 * self.n))

    @step(r"\text{reject } H_h", r"|$differences| \geq $cd", relation=r"\Leftrightarrow", over="h")
    def reject(self) -> Any:
        """Which pairs differ: A - B, A - C, A - D, B - C, B - D, C - D."""
        return abs(self.differences) >= self.cd


class UpsideDown(ImanDavenport):
    """You gave rank 1 to the lowest score. Here scores are accuracies and rank 1 belongs to the best. The statistics would not notice, but your best classifier would be the worst one."""

    @step("r_{ij}", r"\mathrm{rank}_j($scores)", over="ij")
    def ranks(self) -> Array:
        """Upside down."""
        return ranks_in_rows(-self.scores)


class ByColumn(ImanDavenport):
    """You ranked the data sets within each classifier. That says which data set is easy; to compare classifiers, rank them against each other, line by line, within one data set."""

    @step("r_{ij}", r"\mathrm{rank}_i(-$scores)", over="ij")
    def ranks(self) -> Array:
        """Within columns."""
        return ranks_in_rows(self.scores.T).T


class InOrderOfAppearance(ImanDavenport):
    """Where scores tie, you let the one further left have the better rank. Nothing but the order of the columns speaks for it; equal scores share the mean of the ranks that they take up together."""

    @step("r_{ij}", r"\mathrm{rank}_j(-$scores) \text{, ties in the order of the columns}", over="ij")
    def ranks(self) -> Array:
        """Ties broken by place."""
        return (np.argsort(np.argsort(-self.scores, axis=1, kind="stable"), axis=1) + 1).astype(float)


class BestForAll(ImanDavenport):
    """Where scores tie, you gave all of them the best of their ranks, as in sports. Then the ranks of a data set no longer add up to 1 + 2 + ... + k; equal scores share the mean of the ranks that they take up together."""

    @step("r_{ij}", r"1 + \#\{l : s_{il} > s_{ij}\} \text{ of } $scores", over="ij")
    def ranks(self) -> Array:
        """Ties get the best rank."""
        return 1.0 + (self.scores[:, None] > self.scores[:, :, None]).sum(2)


class NoRankLeftOut(ImanDavenport):
    """Behind a tie you went on with the very next rank, as if the classifiers that tie took up one place together. They take up as many places as they are: give all of them the mean of these, and go on behind."""

    @step("r_{ij}", r"1 + \#\{\text{different } s_{il} > s_{ij}\} \text{ of } $scores", over="ij")
    def ranks(self) -> Array:
        """Ties take up one place together."""
        return np.array([1.0 + (np.unique(line)[:, None] > line).sum(0) for line in self.scores])


class SumsOfRanks(ImanDavenport):
    """Those are the sums of the ranks. Divide by the number of data sets: a mean rank lies between 1 and k, and can be compared from study to study."""

    @step(r"\bar R_j", "$rank_sums", over="j")
    def mean_ranks(self) -> Array:
        """Not divided."""
        return self.rank_sums


class TiesNotCorrected(ImanDavenport):
    """You left the tie correction out. Tied ranks have less room to spread, so the same statistic means more: divide by C, the share of the spread that is left."""

    @step(r"\chi^2_F", r"\frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2")
    def chi_squared(self) -> Value:
        """Without C."""
        return 12 * self.n / (self.k * (self.k + 1)) * ((self.mean_ranks - (self.k + 1) / 2) ** 2).sum()


class TimesTheCorrection(ImanDavenport):
    """You multiplied by the tie correction. That makes the statistic smaller, but with less room to spread the same distances mean more: divide by C, the share of the spread that is left."""

    @step(r"\chi^2_F", r"$tie_correction \frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2")
    def chi_squared(self) -> Value:
        """Times C."""
        return self.tie_correction * 12 * self.n / (self.k * (self.k + 1)) * ((self.mean_ranks - (self.k + 1) / 2) ** 2).sum()


class MiddleNotTakenAway(ImanDavenport):
    """You squared the mean ranks themselves. They are large even if all classifiers are alike; what counts is how far they lie from the middle rank, so take (k + 1) / 2 away before you square."""

    @step(r"\chi^2_F", r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j $mean_ranks^2")
    def chi_squared(self) -> Value:
        """Around 0."""
        return 12 * self.n / (self.k * (self.k + 1) * self.tie_correction) * (self.mean_ranks**2).sum()


class ChiSquaredForF(ImanDavenport):
    """That is still Friedman's chi-squared. Iman and Davenport put it in relation to the largest value that it could have, N (k - 1); only this quotient follows an F distribution."""

    @step("F_F", "$chi_squared")
    def statistic(self) -> Value:
        """Chi-squared itself."""
        return self.chi_squared


class AllDatasetsInFront(ImanDavenport):
    """You multiplied by the number of data sets. Iman and Davenport's formula has one fewer on top; only below stand all of them."""

    @step("F_F", r"\frac{$n\,$chi_squared}{$n ($k - 1) - $chi_squared}")
    def statistic(self) -> Value:
        """N on top."""
        return self.n * self.chi_squared / (self.n * (self.k - 1) - self.chi_squared)


class DegreesWithAllDatasets(ImanDavenport):
    """You multiplied by the number of data sets. Below stands how much the data sets disagree with the mean ranks, and these were found from the same data sets: that costs one of them, as it does in a variance."""

    @step(r"\nu_2", "($k - 1)\\,$n")
    def df_error(self) -> int:
        """One too many."""
        return (self.k - 1) * self.n


class ChiSquaredCurve(ImanDavenport):
    """That comes from the chi-squared curve, which belongs to Friedman's statistic. For Iman and Davenport's F look it up in the F distribution, with both degrees of freedom."""

    @step("F_0", r"\chi^2_{$df}", relation=r"\sim")
    def null(self) -> Any:
        """The curve of the other statistic."""
        return ChiSquared(self.df)


class DegreesSwapped(ImanDavenport):
    """The degrees of freedom are exchanged. The first number, the smaller one here, belongs to the classifiers, the second to the disagreement of the data sets; the two curves are quite different."""

    @step("F_0", r"F_{$df_error,\ $df}", relation=r"\sim")
    def null(self) -> Any:
        """Exchanged."""
        return FisherF(self.df_error, self.df)


class CriticalValueOfTwoTails(ImanDavenport):
    """You cut off half of alpha, as for a two-sided t-test. Every difference of mean ranks, of whatever sign, makes F large: all of alpha belongs to the upper end."""

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Of half of alpha."""
        return self.null.high(self.alpha / 2)


class WrongSide(ImanDavenport):
    """That is the area to the left of your F. Large values speak against the null hypothesis: the p-value is the area from F upwards, what is left of 1 (in scipy, `sf` and not `cdf`)."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """The area below."""
        return self.null.at_most(self.statistic)


class BothTails(ImanDavenport):
    """You doubled the probability, as a two-sided t-test does. Every difference of mean ranks, of whatever sign, makes F large: the upper tail alone is the p-value."""

    @step("p", r"2\,P($null \geq $statistic)")
    def pvalue(self) -> Value:
        """Doubled."""
        return 2 * self.null.at_least(self.statistic)


class PvalueOfChiSquared(ImanDavenport):
    """That is the p-value of Friedman's chi-squared. It is a little too cautious, which is why you went on to F: take the area to the right of your F under the F distribution."""

    @step("p", r"P(\chi^2_{$df} \geq $chi_squared)")
    def pvalue(self) -> Value:
        """Of the other statistic."""
        return ChiSquared(self.df).at_least(self.chi_squared)


class RootOfTwoMissing(ByCriticalDifference):
    """That is the studentized range as its own tables have it. It is measured in standard errors of one mean rank, while the formula of the critical difference wants those of a difference of two: divide by the square root of 2."""

    @step(r"q_\alpha", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def q_alpha(self) -> Value:
        """Not divided."""
        return self.null.high(self.alpha)


class OneClassifierLess(ByCriticalDifference):
    """You looked up k - 1. The range is that of all k mean ranks, from the best one to the worst: look up k, the number of classifiers. (k - 1 belongs to comparisons with a control.)"""

    @step("Q_0", r"q_{$k - 1,\ \infty}", relation=r"\sim")
    def null(self) -> StudentizedRange:
        """Of k - 1."""
        return StudentizedRange(int(self.k) - 1)


class BonferroniForRange(ByCriticalDifference):
    """That is Bonferroni's normal quantile: alpha shared by all pairs. It keeps the level, but is stricter than necessary, since the pairs share their classifiers. Nemenyi's test knows the largest distance exactly: take the studentized range."""

    @step(r"q_\alpha", r"z_{1 - $alpha / ($k ($k - 1))}")
    def q_alpha(self) -> Value:
        """Alpha shared by the pairs."""
        return Normal(0.0, 1.0).high(self.alpha / (self.k * (self.k - 1)))


class OnePairOnly(ByCriticalDifference):
    """That is the normal quantile for one single pair, chosen beforehand. Here all pairs are looked at, and the largest distance is found among them, which is larger by chance alone: take the studentized range of all classifiers."""

    @step(r"q_\alpha", r"z_{1 - $alpha / 2}")
    def q_alpha(self) -> Value:
        """Of one pair."""
        return Normal(0.0, 1.0).high(self.alpha / 2)


class NoRoot(ByCriticalDifference):
    """The square root is missing. What stands under it is a variance, the square of a distance; a critical difference is a distance of mean ranks."""

    @step(r"\mathrm{CD}", r"$q_alpha \frac{$k ($k + 1)}{6\,$n}")
    def cd(self) -> Value:
        """Without the root."""
        return self.q_alpha * self.k * (self.k + 1) / (6 * self.n)


class SixMissing(ByCriticalDifference):
    """The 6 below the root is missing: you divided by the number of data sets only. It comes from the variance of a rank, and from the two mean ranks that stand in a difference."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{$n}}")
    def cd(self) -> Value:
        """Without the 6."""
        return self.q_alpha * sqrt(self.k * (self.k + 1) / self.n)


class TimesOneLess(ByCriticalDifference):
    """You wrote k - 1 where k + 1 stands. Below the root stands the variance of a difference of two mean ranks, and ranks from 1 to k have the variance (k - 1)(k + 1) / 12; the k - 1 has been cancelled already."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k - 1)}{6\,$n}}")
    def cd(self) -> Value:
        """With k - 1."""
        return self.q_alpha * sqrt(self.k * (self.k - 1) / (6 * self.n))


class JoinedForDifferent(ByCriticalDifference):
    """You marked the pairs that lie closer together than the critical difference. Those are the ones that the test does not tell apart; a difference is shown where the distance is at least as large."""

    @step(r"\text{reject } H_h", r"|$differences| < $cd", relation=r"\Leftrightarrow", over="h")
    def reject(self) -> Any:
        """The others."""
        return abs(self.differences) < self.cd
