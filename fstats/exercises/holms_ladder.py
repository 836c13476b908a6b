"""Exercise: several hypotheses at once, and Holm's ladder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from .. import check
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Function, Option, Question, Section
from ..null import Array
from ..picture import BLUE, GREY, VERMILLION, Label, Line, Picture, Points
from ..posthoc.hochberg import Hochberg
from ..posthoc.holm import Holm
from ..step import Procedure, given, step

MANY = Section("05_friedman_and_post_hoc", "What data sets buy, and what classifiers cost")
LADDERS = Section("05_friedman_and_post_hoc", "Ladders: be strict once, then less so")


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


class HolmForHochberg(HochbergsLadder):
    """Those are Holm's adjusted p-values once more. Hochberg comes from the other end: the largest p-value stays as it is, and on the way back each one is at most the one that you have just left."""

    sorted_adjusted = step(r"\tilde p_{(r)}", r"\min\{1,\ \max_{g \leq r}\ $most_true\,$sorted_pvalues\}", over="r")(
        lambda self: np.minimum(1, np.maximum.accumulate(self.most_true * self.sorted_pvalues))
    )


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """p-values of four digits: the climb gets past Bonferroni's threshold, fails, and would have had a success behind the failure."""
    m, passed = [(6, 2), (7, 2), (7, 3), (8, 3)][int(rng.integers(4))]
    while True:
        threshold = 0.05 / (m - np.arange(m))
        low = np.array([0.0012] * (passed - 1) + [0.05 / m, threshold[passed], threshold[passed], threshold[passed + 2]])
        high = np.array([*threshold[:passed], *[threshold[passed + 1]] * 2, 0.05])
        p = np.sort(np.append(rng.uniform(low, high), rng.uniform(0.08, 0.95, m - passed - 3)).round(4))
        rejected = HolmsLadder.from_steps(pvalues=p).sorted_reject.sum()
        if rejected == passed and len(set(p)) == m:
            return {"rivals": tuple(sorted(map(str, rng.choice(RIVALS, m, replace=False)))), "pvalues": tuple(rng.permutation(p).tolist())}


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """p-values of many kinds for a function."""
    yield from (("ordinary", draw(rng)) for _ in range(5))
    yield "a single hypothesis", {"pvalues": [0.04]}
    yield "equal p-values", {"pvalues": [0.03, 0.01, 0.03, 0.2, 0.01]}
    yield "large p-values", {"pvalues": rng.uniform(0.4, 1, 6)}


def picture(test: Any) -> Picture:
    """Each p-value on a line of its own, on a logarithmic scale."""
    x, y = 560 + 150 * np.log10(np.array(test.pvalues, float)), -40.0 - 26.0 * np.arange(float(len(test.pvalues)))
    low, lines = float(y[-1]) - 20, [(110.0, "0.001"), (260.0, "0.01"), (364.8, "0.05"), (410.0, "0.1"), (560.0, "1")]
    return Picture(
        title=f"p-values of {len(y)} comparisons",
        xlabel="",
        ylabel="",
        xlim=(0.0, 616.0),
        ylim=(low - 24, 0.0),
        marks=(
            *(Line((at, at), (low, -20.0), VERMILLION if word == "0.05" else GREY, 1.0) for at, word in lines),
            *(Label(at, low - 16, word, "middle", VERMILLION if word == "0.05" else GREY) for at, word in lines),
            *(Label(4.0, float(place) - 4, str(rival)) for place, rival in zip(y, test.rivals)),
            Points(x, y, BLUE),
        ),
        text=f"p-values on a logarithmic scale with a line at 0.05: {', '.join(f'{r} {p:g}' for r, p in zip(test.rivals, test.pvalues))}.",
        frame=False,
        height=(44 - low) / 330,
    )


RIVALS = ("bagging", "boosting", "centroid", "discriminant", "forest", "kernel", "logistic", "naive Bayes", "neighbours", "rules", "tree")
EXERCISE = Exercise(
    name="holms_ladder",
    test=HolmsLadder,
    given={
        "rivals": ("bagging", "discriminant", "logistic", "naive Bayes", "neighbours", "tree"),
        "pvalues": (0.0162, 0.0091, 0.62, 0.0038, 0.0141, 0.037),
    },
    draw=draw,
    picture=picture,
    questions=(
        Choice(
            "q1",
            "Why not simply compare each of these p-values with 0.05?",
            (
                Option(
                    "Even if the new classifier were like all its rivals, some p-value would often be that small.",
                    "Each test brings its own chance of a false alarm, and the chance of at least one grows with their number.",
                ),
                Option(
                    "Because in a series of tests each single one rejects a true hypothesis more often than at 0.05.",
                    "Each single test keeps its level whatever is tested beside it. What grows is the chance of at least one false alarm among them.",
                    "the chance of one for the chance of any",
                ),
                Option(
                    "Because a p-value may only be compared with 0.05 after an analysis of variance or a Friedman test.",
                    "A test of all together before is a habit, not a condition: Holm's procedure holds its promise without it.",
                ),
            ),
            MANY,
        ),
        Question("q2", "bonferroni", LADDERS),
        Question("q3", "sorted_pvalues", LADDERS),
        Question("q4", "thresholds", LADDERS),
        Question("q5", "sorted_reject", LADDERS),
        Question("q6", "sorted_adjusted", LADDERS),
        Question("q7", "adjusted", LADDERS),
        Question("q8", "reject", LADDERS),
        Question("q9", "sorted_adjusted", LADDERS, of=HochbergsLadder),
        Choice(
            "q10",
            "What does Holm's procedure at 0.05 promise?",
            (
                Option(
                    "In at least 95 % of all studies like this one, no true hypothesis is rejected.",
                    "That is the familywise level: the chance of any false alarm at all is at most 0.05.",
                ),
                Option(
                    "At most 5 % of the hypotheses that it rejects are true.",
                    "That speaks of the share among the rejections, which is the promise of another kind of procedure (and on average only).",
                    "false discoveries for the familywise level",
                ),
                Option(
                    "Each rejected hypothesis is false with a probability of 95 %.",
                    "A level speaks of how often a procedure goes wrong when hypotheses are true, not of how probable a hypothesis is after the data.",
                    "the level read as the probability of a hypothesis",
                ),
            ),
            LADDERS,
        ),
        Function("q11", "adjusted", ("pvalues",), unseen, LADDERS, points=2),
    ),
    mistakes=(
        Mistake(BonferroniAboveOne, "adjusted p above 1", LADDERS),
        Mistake(OnlySmallOnesCounted, "only the small p-values counted", LADDERS),
        Mistake(LargestFirst, "the ladder upside down", LADDERS, ("q3",)),
        Mistake(NotSorted, "not sorted", LADDERS, ("q3", "q11")),
        Mistake(BonferroniForHolm, "Bonferroni's threshold for Holm's", LADDERS, ("q4", "q5")),
        Mistake(FromTheWrongEnd, "thresholds from the wrong end", LADDERS, ("q4",)),
        Mistake(FalseDiscoveryRate, "false discovery rate for familywise level", LADDERS, ("q4",)),
        Mistake(NotStopped, "not stopped at the first failure", LADDERS),
        Mistake(SteppedFromTheTop, "walked from the largest p-value", LADDERS),
        Mistake(NotCorrected, "no correction", MANY),
        Mistake(AdjustedByM, "m on every rung", LADDERS, ("q6", "q7", "q11")),
        Mistake(NoRunningMaximum, "no running maximum", LADDERS),
        Mistake(LeftOnTheLadder, "left in the order of the ladder", LADDERS, ("q7", "q11")),
        Mistake(SortedTwice, "the order applied twice", LADDERS, ("q7", "q11")),
        Mistake(CorrectedTwice, "corrected twice", LADDERS),
        Mistake(HolmForHochberg, "Holm for Hochberg", LADDERS, ("q9",)),
    ),
)
