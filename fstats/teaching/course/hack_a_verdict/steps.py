"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, Value
from ....procedures.pairwise.paired_t import PairedT
from ....procedures.resampling.algorithm_comparison import SplitMeanT
from ....procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ....procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ....studies.fold_hacking.alternative_tests import Halves
from ....studies.fold_hacking.partition_scores import LEARNERS, LearnerPair, verdict_signs
from ....studies.fold_hacking.partition_search import required_tries
from ....studies.fold_hacking.stored_partition_scores import stored, stored_halves

HIDDEN = {"by": "in_full", "only": "yes"}  # steps with thousands of numbers have no row in a worked example


def load_comparison(data_set: str, left: str, right: str) -> LearnerPair:
    """Load the stored comparison in the mode that keeps all its 10,000 partitions."""
    return stored(data_set, mode="as printed").pair(left, right)


kept_halves = cache(stored_halves)  # cached, because each mistake uses them


def count_verdicts(signs: Any) -> Array:
    """Count the verdicts for A, for B, and for neither."""
    return np.array([(signs > 0).sum(), (signs < 0).sum(), (signs == 0).sum()], float)


class SeedHacking(Procedure):
    """A comparison on thousands of random partitions: how to get a wanted verdict, its worth, and the tests that give it."""

    data_set: str = input_field(r"\text{data set}", "Name of the data set.")
    learner_a: str = input_field("A", "The learner that should win.", check=check.choice(*LEARNERS))
    learner_b: str = input_field("B", "The other learner.", check=check.choice(*LEARNERS))
    one: int = input_field("s_1", "Seed of the partition that you compute by hand.", check=check.count(0))
    first: int = input_field("s_0", "First of your seeds.", check=check.count(0))
    seeds: int = input_field("R", "Number of your seeds, in sequence from the first seed.", check=check.count(1))
    chance: float = input_field("P", "Required probability of finding the wanted verdict.", check=check.level)
    halvings: int = input_field("H", "Number of repetitions of 5x2 cross-validation, the first of the stored ones.", check=check.count(1))
    alpha: float = input_field(r"\alpha", "Level of each test.", check=check.level)

    # -- one partition -------------------------------------------------------------------------------------------------------
    @step("a_i", over="i")
    def a(self) -> Array:
        """Accuracy of A in the five folds of the partition that you compute by hand."""
        return load_comparison(self.data_set, self.learner_a, self.learner_b).scores[0][:, self.one]

    @step("b_i", over="i")
    def b(self) -> Array:
        """Accuracy of B in the same folds."""
        return load_comparison(self.data_set, self.learner_a, self.learner_b).scores[1][:, self.one]

    @step("d_i", "$a - $b", over="i")
    def d(self) -> Array:
        """Accuracy of A minus accuracy of B in each fold of the partition that you compute by hand."""
        return self.a - self.b

    n, mean, sd, se = SplitMeanT.n, SplitMeanT.mean, SplitMeanT.sd, SplitMeanT.se
    statistic, df, null = PairedT.statistic, SplitMeanT.df, SplitMeanT.null

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Two-sided critical value of the paired t-test on the folds of one partition (the positive one)."""
        return self.null.high(self.alpha / 2)

    @step(
        r"\text{claim}",
        r"$learner_a \text{ if } $statistic \geq $critical_value,\ $learner_b \text{ if } $statistic \leq -$critical_value,\ "
        r"\text{else neither}",
    )
    def claim(self) -> str:
        """Name of the learner that the two-sided test declares better on this partition; "neither" if it fails to reject."""
        if np.abs(self.statistic) < np.asarray(self.critical_value):
            return "neither"
        return self.learner_a if self.statistic > 0 else self.learner_b

    # -- the search ------------------------------------------------------------------------------------------------------------
    @property
    def in_full(self) -> str:
        """Whether rows with thousands of numbers are displayed."""
        return "no"

    @step("T", over="s", **HIDDEN)
    def t(self) -> Array:
        """The paired t of each stored partition; the index of a partition is its seed."""
        return load_comparison(self.data_set, self.learner_a, self.learner_b).t

    @step("T_s", r"$t \text{ at } $first \leq s < $first + $seeds", over="s", **HIDDEN)
    def mine(self) -> Array:
        """The paired t of each of your seeds."""
        return self.t[self.first : self.first + self.seeds]

    @step("s_e", r"\min\{s \geq $first : \text{verdict } e \text{ by } $mine \text{ and } $critical_value\}", over="e")
    def found(self) -> Array:
        """The first of your seeds that proves A better (e = 1), the first that proves B better (e = 2), and the first that
        proves neither (e = 3).
        """
        c = self.critical_value
        return self.first + np.array([np.argmax(which) for which in (self.mine >= c, self.mine <= -c, np.abs(self.mine) < c)], float)

    @step("K", r"\#\{s : $mine \geq $critical_value\}")
    def hits(self) -> int:
        """Number of your seeds that prove A better."""
        return int((self.mine >= self.critical_value).sum())

    @step("q", r"\frac{$hits}{$seeds}")
    def rate(self) -> float:
        """Share of your seeds that prove A better, from 0 to 1."""
        return self.hits / self.seeds

    @step("m", r"\min\{m : 1 - (1 - $rate)^m \geq $chance\}", check=check.counts)
    def needed(self) -> float:
        """Smallest number of random partitions that contain, with the required probability, at least one with the wanted verdict."""
        return np.ceil(np.log(1 - self.chance) / np.log1p(-self.rate))

    @step("m'", r"\min\left\{m : 1 - \binom{$seeds - $hits}{m} / \binom{$seeds}{m} \geq $chance\right\}", check=check.counts)
    def needed_of_these(self) -> float:
        """Smallest number of tries for the same probability, if the tries are drawn from your seeds without repetition."""
        return float(required_tries(self.seeds, self.hits, self.chance))

    # -- the published result --------------------------------------------------------------------------------------------------
    @step("s_A", r"\text{the first of } ($found)")
    def seed_for_a(self) -> float:
        """The first of your seeds that proves A better."""
        return float(self.found[0])

    @step("T_{s_A}", r"$t \text{ at } $seed_for_a")
    def claimed_t(self) -> Value:
        """T of the first of your seeds that proves A better."""
        seed = self.seed_for_a
        if not 0 <= seed < len(self.t):
            raise ValueError(f"the first entry of found must be one of the seeds from 0 to {len(self.t) - 1}; got {seed:g}")
        return self.t[int(seed)]

    @step("p_A", r"2\,P($null \geq |$claimed_t|)")
    def claimed_p(self) -> Value:
        """Two-sided p-value of the paired t-test with the first of your seeds that proves A better."""
        return 2 * self.null.at_least(abs(self.claimed_t))

    @step("k", "$seed_for_a - $first + 1", check=check.counts)
    def tried(self) -> float:
        """Number of seeds tried, from your first seed to the first seed that proves A better."""
        return self.seed_for_a - self.first + 1

    @step(r"\alpha'", r"\frac{$alpha}{$tried}")
    def fair_level(self) -> float:
        """Level for the published p-value by Bonferroni's correction, if the number of tries was fixed beforehand."""
        return self.alpha / self.tried

    # -- other tests -----------------------------------------------------------------------------------------------------------
    @step(r"\frac{n_2}{n_1}", r"\frac{1}{$n - 1}")
    def test_train_ratio(self) -> float:
        """Test records divided by training records, in each fold."""
        return 1 / (self.n - 1)

    @step("T'_{s_A}", r"\frac{$claimed_t}{\sqrt{1 + $n \cdot $test_train_ratio}}")
    def corrected_t(self) -> Value:
        """Nadeau and Bengio's corrected resampled t on the folds of the first of your seeds that proves A better."""
        return self.claimed_t / np.sqrt(1 + self.n * self.test_train_ratio)

    @step(
        "K'_e",
        r"\#\{s : \text{verdict } e \text{ by } T'_s = \frac{$mine}{\sqrt{1 + $n \cdot $test_train_ratio}} \text{ and } $critical_value\}",
        over="e",
    )
    def corrected_verdicts(self) -> Array:
        """Number of your seeds that prove A better (e = 1), B better (2), and neither (3), by the corrected resampled t-test:
        three counts that add up to R.
        """
        t = self.mine / np.sqrt(1 + self.n * self.test_train_ratio)
        return count_verdicts(verdict_signs(np.abs(t) >= self.critical_value, t))

    @step("d_{jkr}", over="jkr", **HIDDEN)
    def half_d(self) -> Array:
        """Accuracy of A minus accuracy of B on both halves of the five halvings of each repetition."""
        return self._halves.differences(self.learner_a, self.learner_b)[..., : self.halvings]

    @step(r"\text{tables}", over="jkuvr", **HIDDEN)
    def tables(self) -> Array:
        """Contingency table of each half of five balanced halvings, for each repetition."""
        return self._halves.tables(self.learner_a, self.learner_b)[..., : self.halvings]

    @property
    def _halves(self) -> Halves:
        return kept_halves(self.data_set)

    @step("F_e", r"\#\{r : \text{verdict } e \text{ by } F_r \text{ of } $half_d \text{ at the level } $alpha\}", over="e")
    def f_verdicts(self) -> Array:
        """Number of repetitions of five random halvings that prove A better (e = 1), B better (2), and neither (3), by the
        combined 5x2 cv F-test: three counts that add up to H.
        """
        return count_verdicts(verdict_signs(CombinedFiveByTwoF(self.half_d, alpha=self.alpha).reject, self.half_d.mean((0, 1))))

    @step("M_e", r"\#\{r : \text{verdict } e \text{ by } M_r \text{ of the } $tables \text{ at the level } $alpha\}", over="e")
    def mcnemar_verdicts(self) -> Array:
        """Number of repetitions of five balanced halvings that prove A better (e = 1), B better (2), and neither (3), by the 5x2
        BCV McNemar's test: three counts that add up to H.
        """
        test = BlockedFiveByTwoMcNemar(self.tables, alpha=self.alpha)
        return count_verdicts(verdict_signs(test.reject, test.n10 - test.n01))

    @step("P_0", r"(1 - $rate)^{$halvings}")
    def none_by_luck(self) -> float:
        """Probability that none of H random partitions gives a verdict that has probability q each time."""
        return (1 - self.rate) ** self.halvings
