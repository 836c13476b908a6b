r"""Still more near neighbours: a line that belongs to another method, to another column of the page, or to one more or one less.

Like those of :mod:`.neighbours` they are known by the formula of the right line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy import sqrt

from ...core.rank import average_ranks
from ...distributions.continuous import FisherF
from ...distributions.exact import RandomSigns
from .neighbour import Neighbour


def _step_up(test: Any, factors: Any) -> Any:
    """The smallest so far of the p-values times these factors, from the last rung on."""
    return np.minimum.accumulate((factors * test.sorted_pvalues)[::-1])[::-1]


def _rungs(test: Any) -> Any:
    """m, m / 2, m / 3, ...: what Benjamini and Hochberg multiply with."""
    many = len(test.sorted_pvalues)
    return many / np.arange(1, many + 1)


def _one_try_less(test: Any) -> Any:
    """The most tries that still do not reach the wanted probability."""
    left = np.cumprod(1 - test.hits / (test.seeds - np.arange(test.seeds - test.hits)))
    return int(np.argmax(1 - left >= test.chance))


BORROWED: Mapping[str, tuple[Neighbour, ...]] = {
    # differences
    r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}": (
        Neighbour(
            "the spreads of both put together",
            r"\sqrt{s_A^2 + s_B^2},\ s_A^2,\ s_B^2 \text{ of } $a,\ $b",
            lambda t: sqrt(t.a.var(0, ddof=1) + t.b.var(0, ddof=1)),
            "You put the spreads of A and of B together, as if they had nothing in common. The scores come in pairs: take the spread of the differences.",
        ),
        Neighbour(
            "the mean of both variances",
            r"\sqrt{(s_A^2 + s_B^2) / 2},\ s_A^2,\ s_B^2 \text{ of } $a,\ $b",
            lambda t: sqrt((t.a.var(0, ddof=1) + t.b.var(0, ddof=1)) / 2),
            "That is the spread of the scores, pooled over A and B. The scores come in pairs: take the spread of the differences.",
        ),
    ),
    r"\frac{$sd}{\sqrt{$n}}": (
        Neighbour(
            "unpaired",
            r"\sqrt{(s_A^2 + s_B^2) / $n},\ s_A^2,\ s_B^2 \text{ of } $a,\ $b",
            lambda t: sqrt((t.a.var(0, ddof=1) + t.b.var(0, ddof=1)) / t.n),
            "That is the standard error of two samples that have nothing in common. These scores come in pairs: work with the spread of the differences.",
        ),
    ),
    r"\mathrm{rank}\,|$d| \text{ without zeros}": (
        Neighbour(
            "signed differences ranked",
            r"\mathrm{rank}\,$d",
            lambda t: average_ranks(np.asarray(t.d, float)),
            "You ranked the differences with their signs. Rank their sizes: which of them is the smallest, whoever is ahead? (A zero gets no rank.)",
        ),
        Neighbour(
            "argsort for ranks, counted from 1",
            r"\mathrm{argsort}\,|$d| + 1",
            lambda t: np.argsort(abs(np.asarray(t.d)), kind="stable") + 1.0,
            "That is argsort: it says which of them stands first, second, ... Asked for is which place each of them has.",
        ),
    ),
    r"\sum_{$d > 0} $ranks": (
        Neighbour(
            "the other sum",
            r"\sum_{$d < 0} $ranks",
            lambda t: t.ranks[t.d < 0].sum(),
            "That is the sum of B's ranks. Asked for is that of the places where A is better.",
        ),
    ),
    r"\sum_{$d < 0} $ranks": (
        Neighbour(
            "the other sum",
            r"\sum_{$d > 0} $ranks",
            lambda t: t.ranks[t.d > 0].sum(),
            "That is the sum of A's ranks. Asked for is that of the places where B is better.",
        ),
    ),
    r"\max\{w : P(W_0 \leq w) \leq $alpha / 2\},\ W_0 \text{ of the ranks } 1, \ldots, $n": (
        Neighbour(
            "zeros counted",
            r"\max\{w : P(W_0 \leq w) \leq $alpha / 2\},\ W_0 \text{ of the ranks } 1, \ldots, \#\{i : $d\}",
            lambda t: float(RandomSigns(np.arange(1.0, len(t.d) + 1)).low(t.alpha / 2)),
            "You looked in the row of all differences, zeros included. Only what is ranked counts: look in the row of n.",
        ),
    ),
    # several classifiers
    r"$n \sum_j ($means - $grand_mean)^2": (
        Neighbour(
            "the spread within for that between",
            r"\sum_{ij} ($scores - $means)^2",
            lambda t: ((t.scores - t.means) ** 2).sum(),
            "That is how far the scores lie from the means of their own classifiers. Asked for is how far those means lie from the grand mean.",
        ),
    ),
    r"\frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2": (
        Neighbour(
            "ties ignored",
            "1",
            lambda _: 1.0,
            "1 is the value without ties. Are there any in your table?",
        ),
        Neighbour(
            "the share that is lost",
            r"1 - \frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2",
            lambda t: 1 - 12 * ((t.ranks - (t.k + 1) / 2) ** 2).sum() / (t.n * t.k * (t.k**2 - 1)),
            "That is the share that the ties take away. Asked for is what is left.",
        ),
    ),
    r"($k - 1) ($n - 1)": (
        Neighbour(
            "as in a one-way analysis",
            "$k ($n - 1)",
            lambda t: t.k * (t.n - 1),
            "Those are the degrees of freedom of a one-way analysis. Here the lines of the table cost some as well: take one off either number, and multiply.",
        ),
    ),
    r"$q_alpha \sqrt{\frac{$k ($k + 1)}{6\,$n}}": (
        Neighbour(
            "lines and columns exchanged",
            r"$q_alpha \sqrt{\frac{$n ($n + 1)}{6\,$k}}",
            lambda t: t.q_alpha * sqrt(t.n * (t.n + 1) / (6 * t.k)),
            "You exchanged the two numbers: k is how many classifiers there are, and belongs above.",
        ),
    ),
    # ladders
    r"\min\{1,\ $m\,$pvalues\}": (
        Neighbour(
            "m - 1 for m",
            r"\min\{1,\ ($m - 1)\,$pvalues\}",
            lambda t: np.minimum(1, (t.m - 1) * t.pvalues),
            "You multiplied with one less than there are. All m hypotheses may be true.",
        ),
    ),
    r"\min\{1,\ \max\{$raised,\ \tilde p_{(r - 1)}\}\}": (
        Neighbour(
            "the factors the wrong way round",
            r"\min\{1,\ \max\{r\,$sorted_pvalues,\ \tilde p_{(r - 1)}\}\}",
            lambda t: np.minimum(1, np.maximum.accumulate(np.arange(1, len(t.sorted_pvalues) + 1) * t.sorted_pvalues)),
            "You multiplied with 1, 2, 3, ... The smallest p-value is multiplied most: on the first rung all m hypotheses may be true.",
        ),
    ),
    r"$sorted_adjusted \text{ of the rung with } $order = h": (
        Neighbour(
            "Hochberg for Holm",
            r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\} \text{ of the rung with } $order = h",
            lambda t: np.minimum(1, _step_up(t, np.asarray(t.most_true)))[np.argsort(t.order)],
            "Those are Hochberg's. He comes down from the largest p-value; Holm climbs from the smallest one, and keeps the largest so far.",
        ),
    ),
    r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}": (
        Neighbour(
            "Benjamini and Hochberg for Hochberg",
            r"\min\left\{\frac{m}{r}\,$sorted_pvalues,\ \tilde p_{(r + 1)}\right\}",
            lambda t: _step_up(t, _rungs(t)),
            "Those are the numbers of Benjamini and Hochberg, who keep to a share of false discoveries. Hochberg multiplies with how many may still be true.",
        ),
        Neighbour(
            "factors of Benjamini and Hochberg",
            r"\frac{m}{r}\,$sorted_pvalues",
            lambda t: _rungs(t) * t.sorted_pvalues,
            "You multiplied as Benjamini and Hochberg do, who keep to a share of false discoveries. Hochberg multiplies with how many may still be true.",
        ),
    ),
    # splits of one data set
    r"$records - \frac{$records}{$folds}": (
        Neighbour(
            "the share of the hold-out",
            r"$records (1 - $test_share)",
            lambda t: t.records * (1 - t.test_share),
            "You took off what a random hold-out tests. In a cross-validation a fold is tested: N / K of the records.",
        ),
    ),
    r"\frac{1}{1 / $n + $test_train_ratio}": (
        Neighbour(
            "without 1/J",
            r"\frac{1}{$test_train_ratio}",
            lambda t: 1 / t.test_train_ratio,
            "That is what endlessly many splits are worth. Yours are J: the 1/J is added to the ratio below the line.",
        ),
    ),
    r"1 - (1 - $rate)^{$tries}": (
        Neighbour(
            "a level for the rate",
            "1 - (1 - 0.05)^{$tries}",
            lambda t: 1 - 0.95**t.tries,
            "You took a level of 0.05 for each try. The rate that was found says how often the test really rejects: take that.",
        ),
    ),
    r"\frac{$estimate}{$se}": (
        Neighbour(
            "the second fold",
            r"\frac{d_{12}}{$se} \text{ of } $d",
            lambda t: t.d[0, 1] / t.se,
            "You took the second fold of the first repetition. On top stands what you have at the question before.",
        ),
    ),
    r"P(F_{$f_degrees} \geq $f)": (
        Neighbour(
            "one less of each",
            r"P(F_{\nu_1 - 1,\ \nu_2 - 1} \geq $f),\ \nu \text{ of } $f_degrees",
            lambda t: FisherF(*(np.asarray(t.f_degrees) - 1)).at_least(t.f),
            "You took one off each of the degrees of freedom. No mean was estimated from these squares: all of them are free.",
        ),
    ),
    r"\frac{\sqrt{10} \cdot \frac{1}{10} \sum_{ik} $d}{$se}": (
        Neighbour(
            "an ordinary t over the ten",
            r"\frac{\sqrt{10}\,\bar d}{s_d} \text{ of } $d",
            lambda t: sqrt(10) * t.d.mean() / t.d.std(ddof=1),
            "That is an ordinary t, as if the ten differences were independent. Below stands the standard error of the 5x2 test.",
        ),
    ),
    r"\min\left\{m : 1 - \binom{$seeds - $hits}{m} / \binom{$seeds}{m} \geq $chance\right\}": (
        Neighbour(
            "one too few",
            r"\max\left\{m : 1 - \binom{$seeds - $hits}{m} / \binom{$seeds}{m} < $chance\right\}",
            _one_try_less,
            "That is one too few: with so many tries the probability is not reached yet.",
        ),
    ),
    r"\frac{1}{$n} + $test_by_train": (
        Neighbour(
            "all divided by J",
            r"\frac{1 + $test_by_train}{$n}",
            lambda t: (1 + t.test_by_train) / t.n,
            "You divided the ratio by J as well. What splits share does not get smaller by drawing more of them: only the 1 is divided.",
        ),
    ),
    # a posterior
    "1 - $below - $above": (
        Neighbour(
            "one side less the other",
            r"$above - $below",
            lambda t: t.above - t.below,
            "You took the one side off the other. Both lie outside the rope: what is left of 1 without them?",
        ),
    ),
    r"\sqrt{\frac{1}{$n} + \frac{$rho}{1 - $rho}}\,$sd": (
        Neighbour(
            "1/n forgotten",
            r"\sqrt{\frac{$rho}{1 - $rho}}\,$sd",
            lambda t: sqrt(t.rho / (1 - t.rho)) * t.sd,
            "Under the root 1/n is missing: what the splits share is added to what independent ones would have.",
        ),
        Neighbour(
            "the quotient upside down",
            r"\sqrt{\frac{1}{$n} + \frac{1 - $rho}{$rho}}\,$sd",
            lambda t: sqrt(1 / t.n + (1 - t.rho) / t.rho) * t.sd,
            "The quotient of the correlation stands on its head: the more the splits share, the larger it is.",
        ),
    ),
    r"\frac{-$rope - $mean}{$scale}": (
        Neighbour(
            "the standard deviation for the scale",
            r"\frac{-$rope - $mean}{$sd}",
            lambda t: (-t.rope - t.mean) / t.sd,
            "You divided by the standard deviation of one difference. Divide by the scale of the posterior, which you have at the question before.",
        ),
    ),
    r"\frac{$rope - $mean}{$scale}": (
        Neighbour(
            "the standard deviation for the scale",
            r"\frac{$rope - $mean}{$sd}",
            lambda t: (t.rope - t.mean) / t.sd,
            "You divided by the standard deviation of one difference. Divide by the scale of the posterior.",
        ),
    ),
}
