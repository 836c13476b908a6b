"""Probability of improvement of one method over another.

It says how often a run of method A beats a run of method B, averaged over tasks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.step import count_step, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ..training_variance.probability_of_superiority import SuperiorityProbability
from .stratified_bootstrap import ERROR, ResampledValues, TwoMethodRuns, resample_counts


def win_points(a: Array, b: Array) -> Array:
    """Return points of each run of A (axis 1) against each run of B (axis 2): 2 for a win, 1 for a tie, 0 for a loss."""
    d = a[:, :, None] - b[:, None]
    return 1 + np.where(np.abs(d) <= absolute_noise(a, b, axis=1)[:, None, None], 0.0, np.sign(d))


class ProbabilityOfImprovement(SuperiorityProbability, TwoMethodRuns):
    r"""Probability of improvement: how probable is it that a run of method A beats a run of method B on the same random task?

    Origin: published, Agarwal, Schwarzer, Castro, Courville and Bellemare (2021).

    On each task, every run of A is compared with every run of B (the Mann-Whitney statistic), and tasks have equal weights,

    .. math:: P_i = \frac{1}{K_A K_B} \sum_{j,l} \left([a_{ij} > b_{il}] + \tfrac{1}{2} [a_{ij} = b_{il}]\right), \qquad
              \hat P = \frac{1}{M} \sum_i P_i.

    To compute the interval, the runs of each task are resampled with replacement, separately for method A and for method B (stratified
    bootstrap).  The result is *not significant*, *significant, but not meaningful* or *significant and meaningful*, as for
    :class:`fstats.ProbabilityOfOutperforming`, which needs paired runs.

    Parameters
    ----------
    a : array_like, shape (M, K) or (M, K, ...)
        Scores of A on M >= 1 tasks in K >= 2 runs of each; higher is better.  Further axes are independent repetitions.
    b : array_like, shape (M, L) or (M, L, ...)
        Scores of B on the same tasks in the same order, in L >= 2 runs of its own.
    gamma : float
        Smallest probability that matters in practice, above 1/2 and below 1.
    labels : list of str, optional
        Names of the two methods in sentences and table headings, A first.  Default: A and B.
    alpha : float
        Probability of the resamples outside the interval, half of it on either side.
    draws : int
        Number of random resamples, at least 100.
    rng : int, numpy Generator or None
        Seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn and stored.

    Notes
    -----
    **Frequency, not size.**  Increasing transformations of the scores of a task, such as normalization, do not change the result.  The
    size of a win does not count, either.  :class:`fstats.InterquartileMean` measures sizes, in a unit that depends on normalization.  For
    one task, P is the share of wins of :class:`fstats.RankSum`.

    **One-sided.**  `reject` means that A improves on B; its nominal level is alpha / 2.  With few runs the level is higher: if A and B
    are equal on 10 tasks, the rejection rate was 5 % of all trials with 2 runs of each, 3.5 % with 3, 3 % with 5 and 2.5 % with 10 and
    with 20, instead of 2.5 %; on 3 tasks 8 % with 2 and 5 % with 3 (``test_runs.py``).  The tasks are fixed, so the result does not apply
    to other tasks.

    If all runs of A beat all runs of B on every task, all resamples are equal, and the interval shows no random variation; `remark` warns
    of this case.  `mc_error` is the error due to the number of draws; all repetitions of a batch have the same draws.

    Raises
    ------
    ValueError, TypeError
        For different numbers of tasks, a single run, numbers that are not finite, fewer than 100 draws, a gamma outside (1/2, 1), a
        level outside (0, 1).

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare (2021), Deep reinforcement learning at the edge of the statistical precipice,
    Advances in Neural Information Processing Systems 34, section 4.3.  Bouthillier and others (2021), Accounting for variance in machine
    learning benchmarks, Proceedings of Machine Learning and Systems 3, section 4 (the three results).

    Examples
    --------
    On the first task A wins 3 of 4 comparisons; on the second task A wins 1 of 4 comparisons, and one comparison is a tie.

    >>> import fstats
    >>> test = fstats.ProbabilityOfImprovement([[2, 4], [1, 5]], [[1, 3], [5, 2]])
    >>> print(test.task_probabilities, test.probability)
    [0.75  0.375] 0.5625
    """

    n_tasks = count_step("M", "a", "i", "Number of tasks.", check=check.count(1))

    n_seeds_a = count_step("K", "a", "j", "Number of runs of A on each task.", check=check.count(2), axis=1)

    n_seeds_b = count_step("L", "b", "l", "Number of runs of B on each task.", check=check.count(2), axis=1)

    _task_probabilities_formula = r"\frac{1}{$n_seeds_a\,$n_seeds_b} \sum_{jl} \left([$a > $b] + \frac{1}{2} [$a = $b]\right)"

    @step("P_i", _task_probabilities_formula, over="i", check=check.probabilities)
    def task_probabilities(self) -> Array:
        """Share of comparisons of a run of A and a run of B that A wins, on each task; a tie counts half."""
        return win_points(self.a, self.b).sum((1, 2)) / (2 * self.n_seeds_a * self.n_seeds_b)

    @step(r"\hat P", r"\frac{1}{$n_tasks} \sum_i $task_probabilities", check=check.probability)
    def probability(self) -> Value:
        """Probability that a run of A beats a run of B on the same task, averaged over the tasks."""
        return self.task_probabilities.sum(0) / self.n_tasks

    @step(r"\hat P^*", r"\text{of $draws resamples within tasks of } $a \text{ and of } $b <- $rng", relation=r"\sim")
    def resampled(self) -> ResampledValues:
        """Bootstrap distribution of the estimate: the runs of each task are resampled with replacement."""
        (tasks, runs_a), runs_b = self.a.shape[:2], self.b.shape[1]
        points = np.moveaxis(win_points(self.a, self.b).reshape(tasks, runs_a, runs_b, -1), -1, 0)
        max_points = 2 * runs_a * runs_b * tasks
        values: list[list[Any]] = [[] for _ in points]
        blocks = (
            resample_counts(tasks, runs, self.draws, np.random.default_rng([which, self.rng]), max(runs_a, runs_b))
            for which, runs in enumerate((runs_a, runs_b))
        )
        for counts_a, counts_b in zip(*blocks):
            for row, table in zip(values, points):
                row.append((np.matmul(table.transpose(0, 2, 1), counts_a) * counts_b).sum((0, 1)) / max_points)
        of = f"resampled probabilities of {runs_a} and {runs_b} runs of each of {tasks} tasks (seed {self.rng})"
        return ResampledValues.from_repetitions([np.concatenate(row) for row in values], self.a.shape[2:], of)

    @step(r"\mathrm{SE}_\mathrm{MC}", ERROR, check=check.nonnegative, after=True)
    def mc_error(self) -> Value:
        """Standard error of the ends of the interval (the larger one), due to the random draws."""
        return self.resampled.error(self.alpha / 2, self.draws)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the effect of few runs on the level."""
        a, b = self.sides
        if self.task_probabilities.min() == self.task_probabilities.max() and self.probability in (0, 1):
            winner = a if self.probability else b
            opening = f"Every run of {winner} beats every run of the other on every task"
            return f"{opening}: all resamples are equal and show no random variation."
        runs = min(self.n_seeds_a, self.n_seeds_b)
        level = f"With {runs} runs the level is higher than nominal ({format_plain(self.alpha / 2)}). " if runs < 10 else ""
        return f"{level}The probability counts how often {a} wins on these tasks, not by how much."
