"""How probable is it that a run of A beats a run of B, over many tasks?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, Value
from ..training_variance.probability_of_superiority import SuperiorityProbability
from .stratified_bootstrap import ERROR, ResampledValues, TwoMethodRuns, resample_counts


def win_points(a: Array, b: Array) -> Array:
    """What each run of A (second axis) is worth against each of B (third): 2 for a win, 1 for a tie, which noise does not break."""
    d = a[:, :, None] - b[:, None]
    return 1 + np.where(np.abs(d) <= absolute_noise(a, b, axis=1)[:, None, None], 0.0, np.sign(d))


class ProbabilityOfImprovement(SuperiorityProbability, TwoMethodRuns):
    r"""Probability of improvement: how probable is it that a run of A beats a run of B on the same task, over many tasks?

    On each task every run of A meets every run of B (the Mann-Whitney statistic), and tasks count alike,

    .. math:: P_i = \frac{1}{K_A K_B} \sum_{j,l} \left([a_{ij} > b_{il}] + \tfrac{1}{2} [a_{ij} = b_{il}]\right), \qquad
              \hat P = \frac{1}{M} \sum_i P_i.

    For the interval the runs of each task are drawn again, with replacement, those of A and those of B apart (stratified bootstrap).
    The result is *not significant*, *significant, but not meaningful* or *significant and meaningful* as for
    :class:`fstats.ProbabilityOfOutperforming`, whose runs are paired.

    Parameters
    ----------
    a : array_like, shape (M, K) or (M, K, ...)
        Scores of A on M >= 1 tasks in K >= 2 runs of each; higher is better.  Further axes are independent repetitions.
    b : array_like, shape (M, L) or (M, L, ...)
        Scores of B on the same tasks in the same order, in L >= 2 runs of its own.
    gamma : float
        The probability that matters in practice, above 1/2 and below 1.
    labels : list of str, optional
        Names of the two methods in sentences and table headings, A first.  Default: A and B.
    alpha : float
        How much of the resamples the interval leaves outside, half of it on either side.
    draws : int
        How many random resamples, at least 100.
    rng : int, numpy Generator or None
        The seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn, which is kept.

    Notes
    -----
    **How often, not by how much.**  Normalising a task's scores, or any increasing change of them, alters nothing; nor does it matter
    whether A wins by a hair.  :class:`fstats.InterquartileMean` tells sizes, in a unit that normalising makes.  On one task it is the
    share of wins of :class:`fstats.RankSum`.

    **One-sided.**  `reject` says that A improves on B, for which resampling promises the level alpha / 2.  With few runs it is higher:
    where A and B are alike on 10 tasks, they rejected in 5 % of all trials with 2 runs of each, in 3.5 % with 3, 3 % with 5 and 2.5 % with
    10 and with 20, where 2.5 % is meant; on 3 tasks in 8 % with 2 and in 5 % with 3 (``test_runs.py``).
    The tasks stay as they are: nothing is said of other tasks.

    Where all runs of A beat all of B on every task each resample is the same, and the interval shows no luck; `remark` says so.
    `mc_error` is what the number of draws leaves open; all repetitions of a batch have the same draws.

    Raises
    ------
    ValueError, TypeError
        For numbers of tasks that differ, one run only, numbers that are not finite, fewer than 100 draws, a gamma outside (1/2, 1), a
        level outside (0, 1).

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare (2021), Deep reinforcement learning at the edge of the statistical precipice,
    Advances in Neural Information Processing Systems 34, section 4.3.  Bouthillier and others (2021), Accounting for variance in machine
    learning benchmarks, Proceedings of Machine Learning and Systems 3, section 4 (the three results).

    Examples
    --------
    On the first task A wins 3 of 4 meetings, on the second 1 and a tie.

    >>> import fstats
    >>> test = fstats.ProbabilityOfImprovement([[2, 4], [1, 5]], [[1, 3], [5, 2]])
    >>> print(test.task_probabilities, test.probability)
    [0.75  0.375] 0.5625
    """

    @step("M", r"\#\{i : $a\}", check=check.count(1))
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.a)

    @step("K", r"\#\{j : $a\}", check=check.count(2))
    def n_seeds_a(self) -> int:
        """Runs of A on each task."""
        return int(self.a.shape[1])

    @step("L", r"\#\{l : $b\}", check=check.count(2))
    def n_seeds_b(self) -> int:
        """Runs of B on each task."""
        return int(self.b.shape[1])

    @step(
        "P_i",
        r"\frac{1}{$n_seeds_a\,$n_seeds_b} \sum_{jl} \left([$a > $b] + \frac{1}{2} [$a = $b]\right)",
        over="i",
        check=check.probabilities,
    )
    def task_probabilities(self) -> Array:
        """On each task, the share of meetings of a run of A and a run of B that A wins, a tie counted by half."""
        return win_points(self.a, self.b).sum((1, 2)) / (2 * self.n_seeds_a * self.n_seeds_b)

    @step(r"\hat P", r"\frac{1}{$n_tasks} \sum_i $task_probabilities", check=check.probability)
    def probability(self) -> Value:
        """Probability of improvement: that a run of A beats one of B on the same task, averaged over the tasks."""
        return self.task_probabilities.sum(0) / self.n_tasks

    @step(
        r"\hat P^*",
        r"\text{of $draws resamples within tasks of } $a \text{ and of } $b <- $rng",
        relation=r"\sim",
    )
    def resampled(self) -> ResampledValues:
        """What the estimate becomes when the runs of each task are drawn again, with replacement, from these."""
        (tasks, k), many = self.a.shape[:2], self.b.shape[1]
        won = np.moveaxis(win_points(self.a, self.b).reshape(tasks, k, many, -1), -1, 0)
        random = [np.random.default_rng([which, self.rng]) for which in (0, 1)]
        found: list[list[Any]] = [[] for _ in won]
        larger = max(k, many)  # so that both come in blocks of the same size
        for of_a, of_b in zip(*(resample_counts(tasks, n, self.draws, one, larger) for n, one in zip((k, many), random))):
            for row, one in zip(found, won):
                row.append((np.matmul(one.transpose(0, 2, 1), of_a) * of_b).sum((0, 1)) / (2 * k * many * tasks))
        of = f"resampled probabilities of {k} and {many} runs of each of {tasks} tasks (seed {self.rng})"
        return ResampledValues.each([np.concatenate(row) for row in found], self.a.shape[2:], of)

    @step(r"\mathrm{SE}_\mathrm{MC}", ERROR, check=check.nonnegative, after=True)
    def mc_error(self) -> Value:
        """Standard error of the ends of the interval, of the larger one: how far they stray by the chance of the draws."""
        return self.resampled.error(self.alpha / 2, self.draws)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and what few runs do to the level."""
        a, b = self.sides
        if self.task_probabilities.min() == self.task_probabilities.max() and self.probability in (0, 1):
            winner = a if self.probability else b
            return f"Every run of {winner} beats every other on every task: all resamples are alike and show no luck."
        few = min(self.n_seeds_a, self.n_seeds_b)
        level = (
            f"With {few} runs the level is higher than the {format_plain(self.alpha / 2)} that resampling promises. " if few < 10 else ""
        )
        return f"{level}It counts how often {a} wins on these tasks, not by how much."
