"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...grading.mistake import slip
from .steps import LADDERS, MANY, HochbergsLadder, HolmsLadder


@slip(HolmsLadder, "bonferroni", r"$m\,$pvalues", "adjusted p above 1", LADDERS)
def bonferroni_above_one(test: HolmsLadder) -> Any:
    """Some of your adjusted p-values lie above 1, and no probability does. An adjusted p-value is the level at which the
    hypothesis would just be rejected; cut it off at 1.
    """
    return test.m * test.pvalues


@slip(HolmsLadder, "bonferroni", r"\min\{1,\ \#\{h : $pvalues \leq $alpha\}\,$pvalues\}", "only the small p-values counted", LADDERS)
def only_small_ones_counted(test: HolmsLadder) -> Any:
    """You multiplied by the number of p-values that are at most alpha. Every hypothesis that was tested had its chance of
    a false alarm, also those whose p-value came out large: all of them count.
    """
    return np.minimum(1, (test.pvalues <= test.alpha).sum() * test.pvalues)


@slip(HolmsLadder, "bonferroni", r"\frac{$pvalues}{$m}", "p divided by m", LADDERS)
def divided_by_m(test: HolmsLadder) -> Any:
    """You divided the p-values by their number. It is alpha that is divided; a p-value goes the other way. From p <= alpha
    / m follows m p <= alpha: it has to be multiplied.
    """
    return test.pvalues / test.m


@slip(HolmsLadder, "bonferroni", "1 - (1 - $pvalues)^{$m}", "Sidak for Bonferroni", LADDERS)
def sidak_for_bonferroni(test: HolmsLadder) -> Any:
    """Those are the adjusted p-values of Sidak. They are a little smaller, but made for p-values that do not depend on
    each other, and yours come from the same data sets. Bonferroni asks nothing of them: he adds the chances up.
    """
    return 1 - (1 - test.pvalues) ** test.m


@slip(
    HolmsLadder,
    "order",
    r"\text{the } h \text{ of the } r\text{-th largest of } $pvalues",
    "the ladder upside down",
    LADDERS,
    only=("q3",),
)
def largest_first(test: HolmsLadder) -> Any:
    """Your ladder stands on its head: it begins with the largest p-value. Holm begins with the strongest evidence, the
    smallest p-value, which has to pass the strictest threshold.
    """
    return np.argsort(-test.pvalues) + 1


@slip(HolmsLadder, "order", r"1, 2, \dots \text{ in the order of } $pvalues", "not sorted", LADDERS, only=("q3", "q11"))
def not_sorted(test: HolmsLadder) -> Any:
    """You kept the p-values in the order of the table. In which order the rivals happen to be listed must not decide
    anything: the rungs go by the size of p.
    """
    return np.arange(len(test.pvalues)) + 1


@slip(HolmsLadder, "thresholds", r"\frac{$alpha}{$m}", "Bonferroni's threshold for Holm's", LADDERS, only=("q4", "q5"))
def bonferroni_for_holm(test: HolmsLadder) -> Any:
    """That is Bonferroni's threshold on every rung. Only the first rung has to be so strict: once its hypothesis is
    rejected, one fewer can still be true, and the level is shared by fewer.
    """
    return np.full(test.m, test.alpha / test.m)


@slip(HolmsLadder, "thresholds", r"\frac{$alpha}{r},\ r \leq $m", "thresholds from the wrong end", LADDERS, only=("q4",))
def from_the_wrong_end(test: HolmsLadder) -> Any:
    """Your thresholds grow stricter from rung to rung: alpha over r. It is the first rung that is the strictest, because
    there all hypotheses may still be true; count how many are left, not how many you have passed.
    """
    return test.alpha / np.arange(1, test.m + 1)


@slip(HolmsLadder, "thresholds", r"\frac{r}{$m}\,$alpha", "false discovery rate for familywise level", LADDERS, only=("q4",))
def false_discovery_rate(test: HolmsLadder) -> Any:
    """Those are the thresholds of Benjamini and Hochberg. They hold down the expected share of false alarms among the
    rejections, a weaker promise than Holm's, who holds down the chance of any false alarm at all.
    """
    return test.alpha * np.arange(1, test.m + 1) / test.m


@slip(HolmsLadder, "sorted_reject", r"$sorted_pvalues \leq $thresholds", "not stopped at the first failure", LADDERS)
def not_stopped(test: HolmsLadder) -> Any:
    """You compared each rung with its own threshold and climbed on past a failure. The threshold of a rung is earned by
    rejecting all rungs before it; the first that fails ends the climb, whatever comes after.
    """
    return test.sorted_pvalues <= test.thresholds


@slip(HolmsLadder, "sorted_reject", r"$sorted_pvalues \leq $thresholds \text{ here or after}", "walked from the largest p-value", LADDERS)
def stepped_from_the_top(test: HolmsLadder) -> Any:
    """You let a success further along take all smaller p-values with it. That is Hochberg's walk from the largest p-value,
    and it asks a condition on how the p-values depend on each other. Holm starts at the smallest and stops at the first
    failure.
    """
    return np.logical_or.accumulate((test.sorted_pvalues <= test.thresholds)[::-1])[::-1]


@slip(HolmsLadder, "sorted_reject", r"$sorted_pvalues \leq $alpha", "no correction", MANY)
def not_corrected(test: HolmsLadder) -> Any:
    """You compared every p-value with alpha itself. That is the rule for one hypothesis that was chosen beforehand; with
    several, each brings its own chance of a false alarm. Use the thresholds of the rungs.
    """
    return test.sorted_pvalues <= test.alpha


@slip(HolmsLadder, "raised", r"$m\,$sorted_pvalues", "m on every rung", LADDERS, only=("q6", "q7", "q11"))
def adjusted_by_m(test: HolmsLadder) -> Any:
    """You multiplied every p-value by the number of all hypotheses: those are Bonferroni's adjusted p-values. On Holm's
    ladder the factor falls by one from rung to rung, as fewer hypotheses can still be true.
    """
    return test.m * test.sorted_pvalues


@slip(HolmsLadder, "sorted_adjusted", r"\min\{1,\ $raised\}", "no running maximum", LADDERS)
def no_running_maximum(test: HolmsLadder) -> Any:
    """One of your adjusted p-values is smaller than the one before it: the running maximum is missing. A rung is only
    reached past all the earlier ones, so it cannot be rejected at a level at which they are not. Carry the largest so
    far along.
    """
    return np.minimum(1, test.raised)


@slip(HolmsLadder, "sorted_adjusted", r"\min\{1,\ \min_{g \geq r} $raised\}", "Hochberg for Holm", LADDERS, only=("q6", "q7", "q11"))
def hochberg_for_holm(test: HolmsLadder) -> Any:
    """You began at the last rung and let no number rise on the way back; so does Hochberg. Holm climbs from the first
    rung, and what a failure has cost there is carried along to all rungs behind it: the largest so far.
    """
    return np.minimum(1, np.minimum.accumulate(test.raised[::-1])[::-1])


@slip(HolmsLadder, "adjusted", r"$sorted_adjusted \text{ with } r = h", "left in the order of the ladder", LADDERS, only=("q7", "q11"))
def left_on_the_ladder(test: HolmsLadder) -> Any:
    """The numbers are right, but they still stand in the order of the ladder. Bring each back to its own hypothesis, in
    the order of the table, or the wrong rivals will be declared different.
    """
    return test.sorted_adjusted


@slip(HolmsLadder, "adjusted", r"$sorted_adjusted \text{ of the rung } r = $order", "the order applied twice", LADDERS, only=("q7", "q11"))
def sorted_twice(test: HolmsLadder) -> Any:
    """The numbers are right, but in wrong places: you applied the order a second time, where it has to be undone. In
    numpy's words: not adjusted = sorted_adjusted[order], but adjusted[order] = sorted_adjusted.
    """
    return test.sorted_adjusted[test.order - 1]


@slip(HolmsLadder, "reject", r"$adjusted \leq \frac{$alpha}{$m}", "corrected twice", LADDERS)
def corrected_twice(test: HolmsLadder) -> Any:
    """You compared the adjusted p-values with alpha over m, which corrects a second time. Either the level is shared out
    or the p-value is raised, not both: an adjusted p-value is compared with alpha itself.
    """
    return test.adjusted <= test.alpha / test.m


@slip(HolmsLadder, "reject", r"$pvalues \leq $alpha", "the p-values of the table for the adjusted ones", LADDERS)
def verdict_not_corrected(test: HolmsLadder) -> Any:
    """You compared the p-values of the table with alpha, as if each were the only one. It is the adjusted p-values that
    may be compared with alpha.
    """
    return test.pvalues <= test.alpha


@slip(HolmsLadder, "reject", r"$bonferroni \leq $alpha", "the verdict of Bonferroni", LADDERS, only=("q8",))
def verdict_of_bonferroni(test: HolmsLadder) -> Any:
    """That is the verdict of Bonferroni. Holm rejects whatever he rejects, and sometimes more: take Holm's adjusted
    p-values.
    """
    return test.bonferroni <= test.alpha


@slip(
    HolmsLadder,
    "reject",
    r"$sorted_adjusted \leq $alpha \text{ with } r = h",
    "the verdict in the order of the ladder",
    LADDERS,
    only=("q8",),
)
def verdict_on_the_ladder(test: HolmsLadder) -> Any:
    """The number of rejections is right, but they still stand in the order of the ladder. Here the order of the table is
    asked for: which rival stands on which rung?
    """
    return test.sorted_adjusted <= test.alpha


@slip(
    HochbergsLadder,
    "sorted_adjusted",
    r"\min\{1,\ \max_{g \leq r}\ $most_true\,$sorted_pvalues\}",
    "Holm for Hochberg",
    LADDERS,
    only=("q9",),
)
def holm_for_hochberg(test: HochbergsLadder) -> Any:
    """Those are Holm's adjusted p-values once more. Hochberg comes from the other end: the largest p-value stays as it is,
    and on the way back each one is at most the one that you have just left.
    """
    return np.minimum(1, np.maximum.accumulate(test.most_true * test.sorted_pvalues))


@slip(HochbergsLadder, "sorted_adjusted", r"\min\{1,\ $most_true\,$sorted_pvalues\}", "no running minimum", LADDERS, only=("q9",))
def no_running_minimum(test: HochbergsLadder) -> Any:
    """On the way back from the last rung one of your numbers is larger than the one that you have just left. Hochberg
    takes all smaller p-values along with the first success, so none of them can have a larger adjusted one: carry the
    smallest so far along.
    """
    return np.minimum(1, test.most_true * test.sorted_pvalues)


@slip(HochbergsLadder, "sorted_adjusted", r"\min_{g \leq r}\ $most_true\,$sorted_pvalues", "from the first rung on", LADDERS, only=("q9",))
def from_the_first_rung(test: HochbergsLadder) -> Any:
    """You carried the smallest number along from the first rung to the last, so that no later one could be larger.
    Hochberg begins with the largest p-value: go from the last rung back to the first.
    """
    return np.minimum.accumulate(test.most_true * test.sorted_pvalues)
