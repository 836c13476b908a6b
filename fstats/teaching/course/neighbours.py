r"""Near neighbours: slips that somebody makes wherever a line has a certain formula, whatever the exercise.

They are known by the formula of the right step, and stand here once.  Which data a student gets never depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import Template
from typing import Any

import numpy as np
from numpy import sqrt

from ...core.procedure import Procedure
from ...distributions.continuous import ChiSquared, FisherF, Normal
from ..grading.exercise import Exercise, Tests
from ..grading.mistake import Mistake, Slip
from ..grading.question import Question
from .borrowed import BORROWED
from .counted import COUNTED
from .neighbour import Neighbour, as_of_independent_ones, of_null, one_spent_on_the_mean

MEAN_OF_D = (
    Neighbour(
        "sum for mean",
        r"\sum_i $d",
        lambda t: t.d.sum(0),
        "That is the sum of the differences. For their mean divide it by how many there are.",
    ),
    Neighbour(
        "n - 1 below a mean",
        r"\frac{1}{$n - 1} \sum_i $d",
        lambda t: t.d.sum(0) / (t.n - 1),
        "You divided by n - 1. That belongs to a variance, where the mean was estimated before; a mean divides by all n.",
    ),
    Neighbour(
        "the mean of the sizes",
        r"\frac{1}{$n} \sum_i |$d|",
        lambda t: abs(t.d).sum(0) / t.n,
        "That is the mean of the sizes, without their signs. What A loses in one place has to count against what it wins in another.",
    ),
    Neighbour(
        "the median",
        r"\mathrm{median}\,$d",
        lambda t: np.median(t.d, axis=0),
        "That is the median, the difference in the middle. Asked for is the mean, to which every difference adds its size.",
    ),
)
SD_OF_D = (
    Neighbour(
        "mean distance for standard deviation",
        r"\frac{1}{$n} \sum_i |$d - $mean|",
        lambda t: abs(t.d - t.mean).sum(0) / t.n,
        "That is the mean distance from the mean. A standard deviation squares the distances first, and takes the root at the end.",
    ),
    Neighbour(
        "around 0",
        r"\sqrt{\frac{1}{$n - 1} \sum_i $d^2}",
        lambda t: sqrt((t.d**2).sum(0) / (t.n - 1)),
        "You took the distances from 0. A standard deviation takes them from the mean: subtract it before you square.",
    ),
)
SE_OF_D = (
    Neighbour(
        "the standard deviation itself",
        "$sd",
        lambda t: t.sd,
        "That is how far one difference strays. The mean of n of them strays less, by the root of n.",
    ),
    Neighbour(
        "n for its root",
        r"\frac{$sd}{$n}",
        lambda t: t.sd / t.n,
        "You divided by n. The mean of n differences is steadier by the root of n only.",
    ),
    Neighbour(
        "the root of n - 1",
        r"\frac{$sd}{\sqrt{$n - 1}}",
        lambda t: t.sd / sqrt(t.n - 1),
        "You divided by the root of n - 1. The n - 1 has done its work in the standard deviation; the mean is one of n differences.",
    ),
    Neighbour(
        "times for divided by",
        r"$sd \sqrt{$n}",
        lambda t: t.sd * sqrt(t.n),
        "You multiplied by the root of n. More data make the mean steadier, so that its standard error gets smaller: divide.",
    ),
)
T_OF_D = (
    Neighbour(
        "no root of n",
        r"\frac{$mean}{$sd}",
        lambda t: t.mean / t.sd,
        "That is the mean in standard deviations of one difference. The mean itself strays less: divide by its standard error.",
    ),
    Neighbour(
        "the root of n - 1",
        r"\frac{$mean}{$sd / \sqrt{$n - 1}}",
        lambda t: t.mean / (t.sd / sqrt(t.n - 1)),
        "You took the root of n - 1. The n - 1 has done its work in the standard deviation; the standard error divides by the root of n.",
        as_of_independent_ones,
    ),
    Neighbour(
        "n for its root",
        r"\frac{$mean}{$sd / $n}",
        lambda t: t.mean / (t.sd / t.n),
        "You divided by n. The mean of n differences is steadier by the root of n only.",
        as_of_independent_ones,
    ),
    Neighbour(
        "unpaired",
        r"\frac{$mean}{\sqrt{(s_A^2 + s_B^2) / $n}},\ s_A^2,\ s_B^2 \text{ of } $a,\ $b",
        lambda t: t.mean / sqrt((t.a.var(0, ddof=1) + t.b.var(0, ddof=1)) / t.n),
        "That is the t of two independent samples. These scores come in pairs: work with the differences, which forget what is hard for both.",
    ),
)
TWO_SIDED = (
    Neighbour(
        "one degree of freedom too many",
        r"2\,P(T \geq |$statistic|),\ T \text{ with one degree of freedom more than } $null",
        lambda t: 2 * _more(t.null).at_least(abs(t.statistic)),
        "Student's distribution was taken with one degree of freedom too many: one is spent on the mean.",
        one_spent_on_the_mean,
    ),
    Neighbour(
        "normal for Student's t",
        r"2\,P(Z \geq |$statistic|)",
        lambda t: 2 * Normal(0.0, 1.0).at_least(abs(t.statistic)),
        "That is the normal curve. The standard deviation was estimated from few numbers, and Student's curve pays for it with heavier tails.",
    ),
    Neighbour(
        "the wrong side",
        r"2\,P($null \leq |$statistic|)",
        lambda t: 2 * t.null.at_most(abs(t.statistic)),
        "That is twice the area on the inner side, and a p-value above 1 is none. Take the area beyond the statistic: sf, or 1 - cdf.",
    ),
    Neighbour(
        "the statistic for its p-value",
        "$statistic",
        lambda t: t.statistic,
        "That is the statistic itself. Asked for is how often it would lie at least so far from 0 by chance.",
    ),
)
CRITICAL = (
    Neighbour(
        "one degree of freedom too many",
        r"\min\{x : P(T \geq x) \leq $alpha / 2\},\ T \text{ with one degree of freedom more than } $null",
        lambda t: _more(t.null).high(t.alpha / 2),
        "Student's distribution was taken with one degree of freedom too many: one is spent on the mean.",
        one_spent_on_the_mean,
    ),
)
LARGE_P = (
    Neighbour(
        "doubled",
        r"2\,P($null \geq $statistic)",
        lambda t: 2 * t.null.at_least(t.statistic),
        "You doubled it. This statistic has lost its sign by squaring: only large values speak against H0, and their tail holds both directions.",
        of_null(ChiSquared, FisherF),
    ),
    Neighbour(
        "the other tail",
        r"P($null \leq $statistic)",
        lambda t: t.null.at_most(t.statistic),
        "That is the area below the statistic. Large values speak against H0: take the area above it.",
    ),
    Neighbour(
        "the statistic for its p-value",
        "$statistic",
        lambda t: t.statistic,
        "That is the statistic itself. Asked for is how often chance alone makes it at least so large.",
    ),
)
LARGE_C = (
    Neighbour(
        "the lower end",
        r"\max\{x : P($null \leq x) \leq $alpha\}",
        lambda t: t.null.low(t.alpha),
        "That is the value with alpha below it. Large values speak against H0: look for the one with alpha above it.",
    ),
    Neighbour(
        "one degree of freedom too many",
        r"\min\{x : P(X \geq x) \leq $alpha\},\ X \text{ with one degree of freedom more than } $null",
        lambda t: _more(t.null).high(t.alpha),
        "The distribution was taken with one degree of freedom too many.",
    ),
)
CORRECTED = (
    Neighbour(
        "s forgotten",
        r"\sqrt{\frac{1}{$n} + $test_train_ratio}",
        lambda t: sqrt(1 / t.n + t.test_train_ratio),
        "That is the factor alone. Multiply it with the standard deviation.",
    ),
    Neighbour(
        "1/J forgotten",
        r"\sqrt{$test_train_ratio}\,$sd",
        lambda t: sqrt(t.test_train_ratio) * t.sd,
        "You left 1/J out. The correction is added to what independent splits would have.",
    ),
    Neighbour(
        "variance for standard deviation",
        r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,$sd^2",
        lambda t: sqrt(1 / t.n + t.test_train_ratio) * t.sd**2,
        "You multiplied with the variance. Outside the root stands the standard deviation.",
    ),
)


def _more(null: Any) -> Any:
    """The same distribution with a degree of freedom more (of F: above)."""
    return FisherF(null.df + 1, null.df_error) if isinstance(null, FisherF) else type(null)(null.df + 1)


NEIGHBOURS: Mapping[str, tuple[Neighbour, ...]] = {
    "$a - $b": (
        Neighbour(
            "sizes only",
            "|$a - $b|",
            lambda t: abs(t.a - t.b),
            "You dropped the signs. They tell on which data sets B is ahead: keep them.",
        ),
        Neighbour(
            "squared at once",
            "($a - $b)^2",
            lambda t: (t.a - t.b) ** 2,
            "You squared the differences. Their signs tell who is ahead: keep them.",
        ),
    ),
    r"\frac{1}{$n} \sum_i $d": MEAN_OF_D,
    r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}": SD_OF_D,
    r"\frac{$sd}{\sqrt{$n}}": SE_OF_D,
    r"\frac{$mean}{$se}": T_OF_D,
    r"\frac{$mean}{$sd / \sqrt{$n}}": T_OF_D[2:3],
    r"2\,P($null \geq |$statistic|)": TWO_SIDED,
    r"\min\{x : P($null \geq x) \leq $alpha / 2\}": CRITICAL,
    r"P($null \geq $statistic)": LARGE_P,
    r"\min\{x : P($null \geq x) \leq $alpha\}": LARGE_C,
    r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,$sd": CORRECTED,
    "$n - 1": (
        Neighbour(
            "two degrees spent",
            "$n - 2",
            lambda t: t.n - 2,
            "You took two off. Only one number was estimated before the spread, the mean: one degree of freedom is spent.",
        ),
        Neighbour(
            "degrees of freedom of two samples",
            r"2\,$n - 2",
            lambda t: 2 * t.n - 2,
            "Those are the degrees of freedom of two independent samples. Pairs give one difference each: n of them, one spent on their mean.",
        ),
    ),
    # several classifiers
    r"\frac{1}{$n} \sum_i $scores": (
        Neighbour(
            "sums for means", r"\sum_i $scores", lambda t: t.scores.sum(0), "Those are sums. Divide each by the number of data sets."
        ),
        Neighbour(
            "medians for means",
            r"\mathrm{median}_i\,$scores",
            lambda t: np.median(t.scores, axis=0),
            "Those are medians. The analysis of variance works with means.",
        ),
        Neighbour(
            "the grand mean taken off already",
            r"\bar s_j - \bar s \text{ of } $scores",
            lambda t: t.scores.mean(0) - t.scores.mean(),
            "Those are the distances from the grand mean. They come next; asked for are the means themselves.",
        ),
    ),
    r"\frac{1}{$k} \sum_j $scores": (
        Neighbour(
            "sums for means", r"\sum_j $scores", lambda t: t.scores.sum(1), "Those are sums. Divide each by the number of classifiers."
        ),
    ),
    r"\frac{1}{$k} \sum_j $means": (
        Neighbour(
            "sum for mean",
            r"$n \sum_j $means",
            lambda t: t.n * t.means.sum(0),
            "That is the sum of all scores. Divide it by how many there are.",
        ),
    ),
    r"$n \sum_j ($means - $grand_mean)^2": (
        Neighbour(
            "not squared",
            r"$n \sum_j |$means - $grand_mean|",
            lambda t: t.n * abs(t.means - t.grand_mean).sum(0),
            "You added the distances up without squaring them.",
        ),
        Neighbour(
            "divided by the degrees of freedom already",
            r"\frac{$n}{$k - 1} \sum_j ($means - $grand_mean)^2",
            lambda t: t.n * ((t.means - t.grand_mean) ** 2).sum(0) / (t.k - 1),
            "That is the mean square already. Asked for is the sum of squares, before it is divided.",
        ),
    ),
    r"$scores - $dataset_means - $means + $grand_mean": (
        Neighbour(
            "classifiers left in",
            "$scores - $dataset_means",
            lambda t: t.scores - t.dataset_means[:, np.newaxis],
            "You took out what the data sets account for. The classifiers' part is still in it: take that out, too.",
        ),
    ),
    r"\sum_{ij} $residuals^2": (
        Neighbour(
            "not squared",
            r"\sum_{ij} |$residuals|",
            lambda t: abs(t.residuals).sum(),
            "You added the residuals' sizes up without squaring them.",
        ),
        Neighbour(
            "a mean for the sum",
            r"\frac{1}{$n $k} \sum_{ij} $residuals^2",
            lambda t: (t.residuals**2).sum() / (t.n * t.k),
            "That is the mean of the squares. Asked for is their sum; it is divided by its degrees of freedom later.",
        ),
    ),
    r"($k - 1) ($n - 1)": (
        Neighbour(
            "the data sets' degrees only",
            "$n - 1",
            lambda t: t.n - 1,
            "Those are the degrees of freedom of the data sets alone. Multiply them by those of the classifiers.",
        ),
    ),
    r"\frac{$ss_classifiers}{$df}": (
        Neighbour(
            "the error's degrees of freedom",
            r"\frac{$ss_classifiers}{$df_error}",
            lambda t: t.ss_classifiers / t.df_error,
            "You divided by the degrees of freedom of the error. Each sum of squares has its own.",
        ),
    ),
    r"\frac{$ss_error}{$df_error}": (
        Neighbour(
            "the classifiers' degrees of freedom",
            r"\frac{$ss_error}{$df}",
            lambda t: t.ss_error / t.df,
            "You divided by the degrees of freedom of the classifiers. Each sum of squares has its own.",
        ),
        Neighbour(
            "divided by all scores",
            r"\frac{$ss_error}{$n $k}",
            lambda t: t.ss_error / (t.n * t.k),
            "You divided by the number of scores. Divide by how many residuals are free.",
        ),
    ),
    r"\frac{$ms_classifiers}{$ss_within / $df_within}": (
        Neighbour(
            "sums for mean squares",
            r"\frac{$ms_classifiers\,$df}{$ss_within}",
            lambda t: t.ms_classifiers * t.df / t.ss_within,
            "You divided one sum of squares by the other. Divide each by its degrees of freedom first.",
        ),
        Neighbour(
            "the degrees of freedom of the total",
            r"\frac{$ms_classifiers}{$ss_within / ($n $k - 1)}",
            lambda t: t.ms_classifiers / (t.ss_within / (t.n * t.k - 1)),
            "You divided by n k - 1. Each classifier's mean was estimated, too: k are spent.",
        ),
    ),
    r"\mathrm{rank}_j(-$scores)": (
        Neighbour(
            "argsort for ranks",
            r"\mathrm{argsort}_j(-$scores) + 1",
            lambda t: np.argsort(-t.scores, axis=1, kind="stable") + 1.0,
            "That is argsort: it says which classifier stands first, second, ...; asked for is which place each classifier has.",
        ),
        Neighbour(
            "tied ranks not shared: the last",
            r"\#\{j' : $scores_{ij'} \geq $scores\}",
            lambda t: (t.scores[:, :, np.newaxis] <= t.scores[:, np.newaxis, :]).sum(2).astype(float),
            "Equal scores got the last of the places that they take up together. Let them share the mean of these places.",
        ),
    ),
    # several p-values
    r"\frac{$alpha}{$most_true}": (
        Neighbour(
            "Benjamini and Hochberg's thresholds",
            r"\frac{$alpha}{m} (m + 1 - $most_true)",
            lambda t: t.alpha / len(t.most_true) * (len(t.most_true) + 1 - t.most_true),
            "Those are Benjamini and Hochberg's thresholds. They control the share of false rejections, not the chance of any.",
        ),
        Neighbour(
            "the wrong way round",
            r"\frac{$alpha}{m + 1 - $most_true}",
            lambda t: t.alpha / (len(t.most_true) + 1 - t.most_true),
            "The thresholds fall. On the first rung all hypotheses may be true, so that there the level is shared by all: it is the strictest one.",
        ),
        Neighbour(
            "multiplied for divided",
            r"$alpha\,$most_true",
            lambda t: t.alpha * t.most_true,
            "You multiplied the level. It has to be shared: divide it.",
        ),
        Neighbour(
            "halved",
            r"\frac{$alpha}{2\,$most_true}",
            lambda t: t.alpha / 2 / t.most_true,
            "You halved alpha. The p-values are two-sided already.",
        ),
    ),
    r"\min\{1,\ \max\{$raised,\ \tilde p_{(r - 1)}\}\}": (
        Neighbour(
            "above 1, and without the running maximum",
            "$raised",
            lambda t: np.asarray(t.raised, float),
            "Those are the a_r themselves. A rung is reached only past all before it: let no number fall on the way, and none lie above 1.",
        ),
    ),
    # one and two sides, equivalence
    r"\frac{$mean + $margin}{$se}": (
        Neighbour(
            "not in standard errors",
            "$mean + $margin",
            lambda t: t.mean + t.margin,
            "That is the distance in points. How many standard errors is it?",
        ),
        Neighbour(
            "standard deviation for standard error",
            r"\frac{$mean + $margin}{$se \sqrt{$n}}",
            lambda t: (t.mean + t.margin) / (t.se * sqrt(t.n)),
            "You divided by the standard deviation of one difference. It is the mean that lies so far from the margin: divide by its standard error.",
        ),
    ),
    r"\frac{$margin - $mean}{$se}": (
        Neighbour(
            "standard deviation for standard error",
            r"\frac{$margin - $mean}{$se \sqrt{$n}}",
            lambda t: (t.margin - t.mean) / (t.se * sqrt(t.n)),
            "You divided by the standard deviation of one difference. It is the mean that lies so far from the margin: divide by its standard error.",
        ),
    ),
    r"\min\{$t_low, $t_high\}": (
        Neighbour(
            "the mean of both",
            r"\frac{$t_low + $t_high}{2}",
            lambda t: (t.t_low + t.t_high) / 2,
            "You took the mean of the two. A strength at one margin cannot make up for a weakness at the other: the smaller one counts.",
        ),
    ),
    # simulated rates, published figures
    r"\frac{$alpha (1 - $alpha)}{$wanted^2}": (
        Neighbour(
            "1 - alpha forgotten",
            r"\frac{$alpha}{$wanted^2}",
            lambda t: t.alpha / t.wanted**2,
            "You left out 1 - alpha. The variance of a yes or no is rate times 1 less the rate.",
        ),
        Neighbour(
            "the variance forgotten",
            r"\frac{1}{$wanted^2}",
            lambda t: 1 / t.wanted**2,
            "You left the variance of a single repetition out: the rate times 1 less the rate stands on top.",
        ),
    ),
    r"\sqrt{\frac{$size (1 - $size)}{$repetitions}}": (
        Neighbour(
            "the rate for its deviation",
            r"\frac{$size}{\sqrt{$repetitions}}",
            lambda t: t.size / sqrt(t.repetitions),
            "On top stands the standard deviation of a yes or no, the root of rate times 1 less the rate, not the rate.",
        ),
    ),
    r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $others}}": (
        Neighbour(
            "not in standard errors",
            "$observed - $alpha",
            lambda t: t.observed - t.alpha,
            "That is the distance itself. How many Monte Carlo standard errors of the others is it?",
        ),
    ),
    r"\sqrt{1 + \frac{$folds $rho}{1 - $rho}}": (
        Neighbour(
            "K for K - 1",
            r"\sqrt{\frac{1 + $folds $rho}{1 - $rho}}",
            lambda t: sqrt((1 + t.folds * t.rho) / (1 - t.rho)),
            "You counted K others. Each fold has K - 1.",
        ),
        Neighbour(
            "K forgotten",
            r"\sqrt{\frac{1 + ($folds - 1) $rho}{$folds (1 - $rho)}}",
            lambda t: sqrt((1 + (t.folds - 1) * t.rho) / (t.folds * (1 - t.rho))),
            "The test believes that the variance of the mean is s squared divided by K: divide by that, and K falls out.",
        ),
    ),
    r"$critical_folds \cdot $inflation": (
        Neighbour(
            "the bar not moved",
            "$critical_folds",
            lambda t: t.critical_folds,
            "That is the bar for independent differences. This t is larger by the factor f, so the bar has to be, too.",
        ),
    ),
    r"\frac{$fold_mean}{$fold_se}": (
        Neighbour(
            "in standard deviations",
            r"\frac{$fold_mean}{$fold_sd}",
            lambda t: t.fold_mean / t.fold_sd,
            "You divided by the standard deviation of one fold's difference. Divide by the corrected standard error.",
        ),
    ),
    r"\sqrt{\frac{1}{$repeats \cdot $folds} + $ratio}\;$fold_sd": (
        Neighbour(
            "1/(rk) forgotten",
            r"\sqrt{$ratio}\;$fold_sd",
            lambda t: sqrt(t.ratio) * t.fold_sd,
            "You left 1/(rk) out. The correction is added to what independent folds would have.",
        ),
    ),
    r"\min\{1,\ $variants \cdot $baselines \cdot $pvalue\}": (
        Neighbour(
            "only the variants counted",
            r"\min\{1,\ $variants \cdot $pvalue\}",
            lambda t: np.minimum(1, t.variants * t.pvalue),
            "You counted the variants. Each of them was compared with every old classifier.",
        ),
        Neighbour(
            "the printed p corrected",
            r"\min\{1,\ $variants \cdot $baselines \cdot $p_printed\}",
            lambda t: np.minimum(1, t.variants * t.baselines * t.p_printed),
            "You corrected the printed p, which has one tail. Correct your own two-sided one.",
        ),
    ),
    r"\left[\frac{$mean - 0.05}{($sd + 0.05) / \sqrt{$n}},\ \frac{$mean + 0.05}{($sd - 0.05) / \sqrt{$n}}\right]": (
        Neighbour(
            "only the mean moved",
            r"\left[\frac{$mean - 0.05}{$sd / \sqrt{$n}},\ \frac{$mean + 0.05}{$sd / \sqrt{$n}}\right]",
            lambda t: np.array([t.mean - 0.05, t.mean + 0.05]) / (t.sd / sqrt(t.n)),
            "You moved the mean only. The standard deviation was rounded, too.",
        ),
        Neighbour(
            "only the deviation moved",
            r"\left[\frac{$mean}{($sd + 0.05) / \sqrt{$n}},\ \frac{$mean}{($sd - 0.05) / \sqrt{$n}}\right]",
            lambda t: t.mean / (np.array([t.sd + 0.05, t.sd - 0.05]) / sqrt(t.n)),
            "You moved the standard deviation only. The mean was rounded, too.",
        ),
    ),
    # five times two folds, ten tables
    r"\sum_k ($d - $means)^2": (
        Neighbour(
            "the distance of the folds",
            r"|d_{i1} - d_{i2}| \text{ of } $d,\ $means",
            lambda t: 2 * abs(t.d[:, 0] - t.means),
            "That is how far the two folds lie apart. The variance squares the distance of each from their mean and adds the two up.",
        ),
        Neighbour(
            "around the mean of all",
            r"\sum_k ($d - \frac{1}{5} \sum_i $means)^2",
            lambda t: ((t.d - t.means.mean()) ** 2).sum(1),
            "You took the distances from the mean of all ten. Each repetition has a mean of its own.",
        ),
    ),
    r"$d \text{ with } i = 1,\ k = 1": (
        Neighbour(
            "the mean of the first repetition",
            r"\frac{1}{2} \sum_k $d \text{ with } i = 1",
            lambda t: t.d[0].mean(),
            "That is the mean of the first repetition. On top stands a single difference, because the variances tell how far a single one strays.",
        ),
        Neighbour(
            "the second fold",
            r"$d \text{ with } i = 1,\ k = 2",
            lambda t: t.d[0, 1],
            "That is the second fold. By agreement it is the first one of the first repetition.",
        ),
        Neighbour(
            "the mean of the first folds",
            r"\frac{1}{5} \sum_i $d \text{ with } k = 1",
            lambda t: t.d[:, 0].mean(),
            "That is the mean of the five first folds. How far it strays nobody knows, since they share records: one difference stands on top.",
        ),
        Neighbour(
            "the largest",
            r"\max_{ik} $d",
            lambda t: t.d.max(),
            "That is the largest one. Whoever chooses after looking, finds too much: it is the first, whatever it is.",
        ),
    ),
    r"\sqrt{\frac{1}{5} \sum_i $variances}": (
        Neighbour(
            "4 for 5",
            r"\sqrt{\frac{1}{4} \sum_i $variances}",
            lambda t: sqrt(t.variances.sum(0) / 4),
            "You divided by 4. This is a plain mean of five variances, nothing was estimated before: divide by 5.",
        ),
    ),
    r"\frac{$estimate}{$se}": (
        Neighbour(
            "divided by the root of 5",
            r"\frac{$estimate \sqrt{5}}{$se}",
            lambda t: t.estimate * sqrt(5) / t.se,
            "You divided the standard error by the root of 5. On top stands one difference, not a mean of five.",
        ),
    ),
    r"\frac{10}{1 + $rho1 + 8\,$rho2}": (
        Neighbour(
            "rho1 and rho2 exchanged",
            r"\frac{10}{1 + $rho2 + 8\,$rho1}",
            lambda t: 10 / (1 + t.rho2 + 8 * t.rho1),
            "The correlations changed places: one partner in the same repetition, with rho1; eight tables in the other repetitions, with rho2.",
        ),
        Neighbour(
            "the same correlation for all nine",
            r"\frac{10}{1 + 9\,$rho1}",
            lambda t: 10 / (1 + 9 * t.rho1),
            "You gave all nine others the same correlation. Only one of them shares the repetition; the other eight have rho2.",
        ),
        Neighbour(
            "a repetition for a table",
            "5",
            lambda _: 5.0,
            "You counted the repetitions. They share their records: put the numbers into the formula.",
        ),
    ),
    r"$t\,$n_fold": (
        Neighbour(
            "the records that there are",
            r"2\,$n_fold",
            lambda t: 2 * t.n_fold,
            "Those are the records that there really are. The effective table has as many as the ten are worth.",
        ),
    ),
    r"$t\,$mean": (
        Neighbour(
            "the mean table",
            "$mean",
            lambda t: t.mean,
            "Those are the means, the counts of one table. Multiply them by how many tables the ten are worth.",
        ),
    ),
    # counts and ranks
    r"\#\{i : $d > 0\}": (
        Neighbour(
            "draws taken for wins",
            r"\#\{i : $d \geq 0\}",
            lambda t: (t.d >= 0).sum(0),
            "You counted the draws as wins of A. A draw is nobody's.",
        ),
        Neighbour(
            "wins less losses",
            r"\#\{i : $d > 0\} - \#\{i : $d < 0\}",
            lambda t: (t.d > 0).sum(0) - (t.d < 0).sum(0),
            "You took the losses off. Asked for is how often A wins, no more.",
        ),
        Neighbour(
            "a share for the count",
            r"\frac{\#\{i : $d > 0\}}{\#\{i : $d\}}",
            lambda t: (t.d > 0).mean(0),
            "That is a share. Asked for is the number of data sets.",
        ),
        Neighbour(
            "draws halved",
            r"\#\{i : $d > 0\} + \frac{1}{2} \#\{i : $d = 0\}",
            lambda t: (t.d > 0).sum(0) + (t.d == 0).sum(0) / 2,
            "You gave each side half of the draws. A draw is nobody's: leave it out.",
        ),
    ),
    r"$wins + $losses": (Neighbour("wins only", "$wins", lambda t: t.wins, "Those are the wins of A. What B wins has a winner, too."),),
    r"\min\{1,\ 2\,P($null \leq $statistic)\}": (
        Neighbour(
            "this very result, and one side",
            r"P($null = $statistic)",
            lambda t: t.null.at_most(t.statistic) - t.null.at_most(t.statistic - 0.5),
            "That is the probability of exactly this result. Add those that are still more extreme, and think of the other side.",
        ),
    ),
    r"\sum_{$d > 0} $ranks": (
        Neighbour(
            "differences for ranks",
            r"\sum_{$d > 0} $d",
            lambda t: t.d[t.d > 0].sum(),
            "You added the differences up. Of their sizes only the order is kept: add the ranks.",
        ),
    ),
    r"\sum_{$d < 0} $ranks": (
        Neighbour(
            "differences for ranks",
            r"-\sum_{$d < 0} $d",
            lambda t: -t.d[t.d < 0].sum(),
            "You added the sizes of the differences up. Only their order is kept: add the ranks.",
        ),
    ),
    r"\min\{$w_plus, $w_minus\}": (
        Neighbour(
            "the difference of the sums",
            "|$w_plus - $w_minus|",
            lambda t: abs(t.w_plus - t.w_minus),
            "You took the one off the other. The test looks at the smaller one alone.",
        ),
    ),
    "2^{$ranks}": (
        Neighbour(
            "k squared",
            "$ranks^2",
            lambda t: t.ranks**2,
            "That is k squared. Each rank falls on one of two sides: 2 times 2 times 2, once for each rank.",
        ),
        Neighbour(
            "two times k",
            r"2\,$ranks",
            lambda t: 2 * t.ranks,
            "That is 2 times k. The choices multiply: 2 times 2 times 2, once for each rank.",
        ),
        Neighbour("the empty set forgotten", r"2^{$ranks} - 1", lambda t: 2**t.ranks - 1, "One way is missing: B may get no rank at all."),
        Neighbour(
            "the sum of the ranks",
            r"\frac{$ranks ($ranks + 1)}{2}",
            lambda t: t.ranks * (t.ranks + 1) // 2,
            "That is the sum of all ranks. Asked for is in how many ways they can be shared out.",
        ),
    ),
    r"2 \cdot \frac{$ways}{$patterns}": (
        Neighbour(
            "ways for a share", r"2\,$ways", lambda t: 2 * t.ways, "Those are ways. A probability is their share of all ways: divide."
        ),
    ),
    r"\frac{$n10 - $n01}{$records}": (
        Neighbour(
            "records for a share",
            "$n10 - $n01",
            lambda t: t.n10 - t.n01,
            "That is the lead in records. As a share it is divided by all of them.",
        ),
    ),
    "$n01 + $n10": (
        Neighbour(
            "those on which both are alike",
            "$records - $n01 - $n10",
            lambda t: t.records - t.n01 - t.n10,
            "Those are the records on which both are right or both are wrong. Discordant are the others.",
        ),
    ),
    # folds of one data set
    r"$records - \frac{$records}{$folds}": (
        Neighbour(
            "K records tested", "$records - $folds", lambda t: t.records - t.folds, "You took K records off. A fold holds N / K of them."
        ),
        Neighbour(
            "not divided",
            "$records ($folds - 1)",
            lambda t: t.records * (t.folds - 1),
            "More than there are. Each fold holds N / K records, and K - 1 of the folds train.",
        ),
    ),
    r"$train - \frac{$records}{$folds}": (
        Neighbour(
            "one fold",
            r"\frac{$records}{$folds}",
            lambda t: t.records / t.folds,
            "That is one fold. In both training sets are all folds but the two that are tested.",
        ),
    ),
    r"\frac{1}{1 / $n + $test_train_ratio}": (
        Neighbour("as many as there are", "$n", lambda t: t.n, "That is how many there are. What they share makes them worth fewer."),
        Neighbour(
            "J forgotten beside the ratio",
            r"\frac{$n}{1 + $test_train_ratio}",
            lambda t: t.n / (1 + t.test_train_ratio),
            "The ratio is added to 1/J. Over a common denominator J stands beside it as well.",
        ),
    ),
    r"\frac{1}{$factor}": (
        Neighbour("as many as there are", "$n", lambda t: t.n, "That is how many there are. What they share makes them worth fewer."),
    ),
    r"\frac{$mean}{\sqrt{$test_train_ratio}\,$sd}": (
        Neighbour(
            "the root forgotten",
            r"\frac{$mean}{$test_train_ratio\,$sd}",
            lambda t: t.mean / (t.test_train_ratio * t.sd),
            "The root is missing: it stays when 1/J goes to 0.",
        ),
    ),
    r"1 - (1 - $rate)^{$tries}": (
        Neighbour(
            "exactly one",
            r"$tries\,$rate (1 - $rate)^{$tries - 1}",
            lambda t: t.tries * t.rate * (1 - t.rate) ** (t.tries - 1),
            "That is the probability that exactly one of them rejects. At least one includes two, three and more: take what is left of none.",
        ),
    ),
}


def with_neighbours(exercise: Exercise) -> Exercise:
    """The exercise with the near neighbours of each value that it asks for."""
    tests, found = Tests(exercise.given), []
    for question in exercise.questions:
        if isinstance(question, Question):
            tested = exercise.tested(question)
            formula = tested.steps[question.step].template(tests[tested])
            near = [one for known in (NEIGHBOURS, COUNTED, BORROWED) for one in known.get(formula, ())]
            found += [_made(one, question, tested) for one in near if _has_all(tested, one.formula) and one.where(tests[tested])]
    return replace(exercise, neighbours=tuple(found))


def _has_all(tested: type[Procedure], formula: str) -> bool:
    """Whether a test has all values that a slip reads: scores of two classifiers, where only their differences are given, it has not."""
    return all(name in tested.steps or name in tested.inputs for name in Template(formula).get_identifiers())


def _made(one: Neighbour, question: Question, tested: type[Procedure]) -> Mistake:
    return Slip(question.step, one.formula, one.function).on(tested, one.name, question.see, one.words, only=(question.key,))
