"""Holm's and Hochberg's ladders as they are climbed by hand; and each mistake, the same with one wrong step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ... import check
from ...null import Array
from ...posthoc.hochberg import Hochberg
from ...posthoc.holm import Holm
from ...step import Procedure, given, step


class HolmsLadder(Procedure):
    """A new classifier compared with several rivals: which of them does it differ from?"""

    names: ClassVar[Mapping[str, Any]] = {"h": "rivals"}

    rivals: Any = given("H_h", "Classifiers with which the new one was compared.", over="h")
    pvalues: Any = given("p_h", "p-value of the new classifier against each rival, on its own.", over="h", check=check.probabilities)
    alpha: float = given(r"\alpha", "Familywise level.", check=check.level, default=0.05, kw_only=True)

    m, order, sorted_pvalues = Holm.m, Holm.order, Holm.sorted_pvalues
    most_true, thresholds = Holm.most_true, Holm.thresholds
    adjusted, reject = Holm.adjusted, Holm.reject

    @step("b_h", r"\min\{1,\ $m\,$pvalues\}", over="h")
    def bonferroni(self) -> Array:
        """Bonferroni's adjusted p-value of each hypothesis, in the order of the table."""
        return np.minimum(1, self.m * self.pvalues)

    @step(r"\text{reject } H_{(r)}", r"$sorted_pvalues \leq $thresholds \text{ up to here}", relation=r"\Leftrightarrow", over="r")
    def sorted_reject(self) -> Any:
        """For each rung, beginning with the smallest p-value, whether its hypothesis is rejected."""
        return np.logical_and.accumulate(self.sorted_pvalues <= self.thresholds)

    @step("a_r", r"$most_true\,$sorted_pvalues", over="r")
    def raised(self) -> Array:
        """Each p-value times as many hypotheses as can still be true."""
        return self.most_true * self.sorted_pvalues

    @step(r"\tilde p_{(r)}", r"\min\{1,\ \max\{$raised,\ \tilde p_{(r - 1)}\}\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Holm's adjusted p-value on each rung: the smallest familywise level at which the climb gets past it."""
        return np.minimum(1, np.maximum.accumulate(self.raised))


class HochbergsLadder(HolmsLadder):
    """The same thresholds, walked from the other end: which rivals does the new classifier differ from?"""

    sorted_adjusted, sorted_reject = Hochberg.sorted_adjusted, Hochberg.sorted_reject


class BonferroniAboveOne(HolmsLadder):
    """Some of your adjusted p-values lie above 1, and no probability does. An adjusted p-value is the level at which the hypothesis would just be rejected; cut it off at 1."""

    bonferroni = step("b_h", r"$m\,$pvalues", over="h")(lambda self: self.m * self.pvalues)


class OnlySmallOnesCounted(HolmsLadder):
    """You multiplied by the number of p-values that are at most alpha. Every hypothesis that was tested had its chance of a false alarm, also those whose p-value came out large: all of them count."""

    bonferroni = step("b_h", r"\min\{1,\ \#\{h : $pvalues \leq $alpha\}\,$pvalues\}", over="h")(
        lambda self: np.minimum(1, (self.pvalues <= self.alpha).sum() * self.pvalues)
    )


class DividedByM(HolmsLadder):
    """You divided the p-values by their number. It is alpha that is divided; a p-value goes the other way. From p <= alpha / m follows m p <= alpha: it has to be multiplied."""

    bonferroni = step("b_h", r"\frac{$pvalues}{$m}", over="h")(lambda self: self.pvalues / self.m)


class SidakForBonferroni(HolmsLadder):
    """Those are the adjusted p-values of Sidak. They are a little smaller, but made for p-values that do not depend on each other, and yours come from the same data sets. Bonferroni asks nothing of them: he adds the chances up."""

    bonferroni = step("b_h", r"1 - (1 - $pvalues)^{$m}", over="h")(lambda self: 1 - (1 - self.pvalues) ** self.m)


class LargestFirst(HolmsLadder):
    """Your ladder stands on its head: it begins with the largest p-value. Holm begins with the strongest evidence, the smallest p-value, which has to pass the strictest threshold."""

    order = step("h_r", r"\text{the } h \text{ of the } r\text{-th largest of } $pvalues", over="r")(
        lambda self: np.argsort(-self.pvalues) + 1
    )


class NotSorted(HolmsLadder):
    """You kept the p-values in the order of the table. In which order the rivals happen to be listed must not decide anything: the rungs go by the size of p."""

    order = step("h_r", r"1, 2, \dots \text{ in the order of } $pvalues", over="r")(lambda self: np.arange(len(self.pvalues)) + 1)


class BonferroniForHolm(HolmsLadder):
    """That is Bonferroni's threshold on every rung. Only the first rung has to be so strict: once its hypothesis is rejected, one fewer can still be true, and the level is shared by fewer."""

    thresholds = step(r"\alpha_r", r"\frac{$alpha}{$m}", over="r")(lambda self: np.full(self.m, self.alpha / self.m))


class FromTheWrongEnd(HolmsLadder):
    """Your thresholds grow stricter from rung to rung: alpha over r. It is the first rung that is the strictest, because there all hypotheses may still be true; count how many are left, not how many you have passed."""

    thresholds = step(r"\alpha_r", r"\frac{$alpha}{r},\ r \leq $m", over="r")(lambda self: self.alpha / np.arange(1, self.m + 1))


class FalseDiscoveryRate(HolmsLadder):
    """Those are the thresholds of Benjamini and Hochberg. They hold down the expected share of false alarms among the rejections, a weaker promise than Holm's, who holds down the chance of any false alarm at all."""

    thresholds = step(r"\alpha_r", r"\frac{r}{$m}\,$alpha", over="r")(lambda self: self.alpha * np.arange(1, self.m + 1) / self.m)


class NotStopped(HolmsLadder):
    """You compared each rung with its own threshold and climbed on past a failure. The threshold of a rung is earned by rejecting all rungs before it; the first that fails ends the climb, whatever comes after."""

    sorted_reject = step(r"\text{reject } H_{(r)}", r"$sorted_pvalues \leq $thresholds", relation=r"\Leftrightarrow", over="r")(
        lambda self: self.sorted_pvalues <= self.thresholds
    )


class SteppedFromTheTop(HolmsLadder):
    """You let a success further along take all smaller p-values with it. That is Hochberg's walk from the largest p-value, and it asks a condition on how the p-values depend on each other. Holm starts at the smallest and stops at the first failure."""

    sorted_reject = step(
        r"\text{reject } H_{(r)}", r"$sorted_pvalues \leq $thresholds \text{ here or after}", relation=r"\Leftrightarrow", over="r"
    )(lambda self: np.logical_or.accumulate((self.sorted_pvalues <= self.thresholds)[::-1])[::-1])


class NotCorrected(HolmsLadder):
    """You compared every p-value with alpha itself. That is the rule for one hypothesis that was chosen beforehand; with several, each brings its own chance of a false alarm. Use the thresholds of the rungs."""

    sorted_reject = step(r"\text{reject } H_{(r)}", r"$sorted_pvalues \leq $alpha", relation=r"\Leftrightarrow", over="r")(
        lambda self: self.sorted_pvalues <= self.alpha
    )


class AdjustedByM(HolmsLadder):
    """You multiplied every p-value by the number of all hypotheses: those are Bonferroni's adjusted p-values. On Holm's ladder the factor falls by one from rung to rung, as fewer hypotheses can still be true."""

    raised = step("a_r", r"$m\,$sorted_pvalues", over="r")(lambda self: self.m * self.sorted_pvalues)


class NoRunningMaximum(HolmsLadder):
    """One of your adjusted p-values is smaller than the one before it: the running maximum is missing. A rung is only reached past all the earlier ones, so it cannot be rejected at a level at which they are not. Carry the largest so far along."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min\{1,\ $raised\}", over="r")(lambda self: np.minimum(1, self.raised))


class HochbergForHolm(HolmsLadder):
    """You began at the last rung and let no number rise on the way back; so does Hochberg. Holm climbs from the first rung, and what a failure has cost there is carried along to all rungs behind it: the largest so far."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min\{1,\ \min_{g \geq r} $raised\}", over="r")(
        lambda self: np.minimum(1, np.minimum.accumulate(self.raised[::-1])[::-1])
    )


class LeftOnTheLadder(HolmsLadder):
    """The numbers are right, but they still stand in the order of the ladder. Bring each back to its own hypothesis, in the order of the table, or the wrong rivals will be declared different."""

    adjusted = step(r"\tilde p_h", r"$sorted_adjusted \text{ with } r = h", over="h")(lambda self: self.sorted_adjusted)


class SortedTwice(HolmsLadder):
    """The numbers are right, but in wrong places: you applied the order a second time, where it has to be undone. In numpy's words: not adjusted = sorted_adjusted[order], but adjusted[order] = sorted_adjusted."""

    adjusted = step(r"\tilde p_h", r"$sorted_adjusted \text{ of the rung } r = $order", over="h")(
        lambda self: self.sorted_adjusted[self.order - 1]
    )


class CorrectedTwice(HolmsLadder):
    """You compared the adjusted p-values with alpha over m, which corrects a second time. Either the level is shared out or the p-value is raised, not both: an adjusted p-value is compared with alpha itself."""

    reject = step(r"\text{reject } H_h", r"$adjusted \leq \frac{$alpha}{$m}", relation=r"\Leftrightarrow", over="h")(
        lambda self: self.adjusted <= self.alpha / self.m
    )


class VerdictNotCorrected(HolmsLadder):
    """You compared the p-values of the table with alpha, as if each were the only one. It is the adjusted p-values that may be compared with alpha."""

    reject = step(r"\text{reject } H_h", r"$pvalues \leq $alpha", relation=r"\Leftrightarrow", over="h")(
        lambda self: self.pvalues <= self.alpha
    )


class VerdictOfBonferroni(HolmsLadder):
    """That is the verdict of Bonferroni. Holm rejects whatever he rejects, and sometimes more: take Holm's adjusted p-values."""

    reject = step(r"\text{reject } H_h", r"$bonferroni \leq $alpha", relation=r"\Leftrightarrow", over="h")(
        lambda self: self.bonferroni <= self.alpha
    )


class VerdictOnTheLadder(HolmsLadder):
    """The number of rejections is right, but they still stand in the order of the ladder. Here the order of the table is asked for: which rival stands on which rung?"""

    reject = step(r"\text{reject } H_h", r"$sorted_adjusted \leq $alpha \text{ with } r = h", relation=r"\Leftrightarrow", over="h")(
        lambda self: self.sorted_adjusted <= self.alpha
    )


class HolmForHochberg(HochbergsLadder):
    """Those are Holm's adjusted p-values once more. Hochberg comes from the other end: the largest p-value stays as it is, and on the way back each one is at most the one that you have just left."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min\{1,\ \max_{g \leq r}\ $most_true\,$sorted_pvalues\}", over="r")(
        lambda self: np.minimum(1, np.maximum.accumulate(self.most_true * self.sorted_pvalues))
    )


class NoRunningMinimum(HochbergsLadder):
    """On the way back from the last rung one of your numbers is larger than the one that you have just left. Hochberg takes all smaller p-values along with the first success, so none of them can have a larger adjusted one: carry the smallest so far along."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min\{1,\ $most_true\,$sorted_pvalues\}", over="r")(
        lambda self: np.minimum(1, self.most_true * self.sorted_pvalues)
    )


class FromTheFirstRung(HochbergsLadder):
    """You carried the smallest number along from the first rung to the last, so that no later one could be larger. Hochberg begins with the largest p-value: go from the last rung back to the first."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min_{g \leq r}\ $most_true\,$sorted_pvalues", over="r")(
        lambda self: np.minimum.accumulate(self.most_true * self.sorted_pvalues)
    )
