"""Performance profile with bootstrap confidence band.

The profile is the share of runs above each score.
"""

from __future__ import annotations

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.procedure import Procedure
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from .stratified_bootstrap import StratifiedShare, run_scores


class PerformanceProfile(Procedure):
    r"""Performance profile: what share of the runs on many tasks has a score above each threshold?

    Origin: published, Agarwal, Schwarzer, Castro, Courville and Bellemare (2021).

    The profile is the share of runs with a score above each threshold :math:`\tau_k`, with equal weights of the tasks,

    .. math:: \hat F(\tau_k) = \frac{1}{M} \sum_i p_{ik}, \qquad p_{ik} = \frac{1}{K} \#\{j : x_{ij} > \tau_k\}.

    A performance profile shows the whole distribution of the scores, not only an average.  If the profile of method A lies above the
    profile of method B everywhere, the mean and every quantile of the scores are at least as high for method A.  If the profiles
    of two methods cross, the kind of average determines which method is better.

    Parameters
    ----------
    scores : array_like, shape (M, K) or (M, K, ...)
        Score of each of the K >= 2 runs on each of the M tasks; higher is better.  All tasks must have one unit.  Another normalization
        shifts the scores of each task, and may change which profile is above.  Further axes are independent repetitions.
    thresholds : array_like, shape (k,) or (k, ...)
        Scores at which the profile is computed, such as ``numpy.linspace(0, 1, 101)``; use the same for all compared methods.
    alpha : float
        Probability of the resamples outside the band at each threshold, half of it on either side.

    Notes
    -----
    **No random draws.**  If the K runs of each task are resampled with replacement (stratified bootstrap), the number above a threshold
    is a sum of binomial numbers, one for each task, with a known distribution.  The band is exact up to rounding.  Programs that use
    random draws get the same band up to Monte Carlo error.

    The band holds for each threshold alone, not for all thresholds at once.  The band has no width at a threshold if on each task all
    runs are above or all runs are below this threshold.  With few runs the band is too narrow (:class:`fstats.InterquartileMean`): in
    simulations with 10 tasks the 95 % band contained a true share of one half in 90 % of all trials with 3 runs, 94 % with 5 and 95 %
    with 10 and with 20 (``test_runs.py``).  ``fstats.plot.performance`` draws several methods into one picture.

    **All thresholds at once**: the distance of the true profile from the estimated profile is at most `simultaneous` (inequality of
    Dvoretzky, Kiefer and Wolfowitz, with Massart's constant).  The bound `simultaneous` uses no resampling, so it is not too small for
    few runs.  The bound holds for any thresholds, even for thresholds chosen after seeing the data.  The bound is proved for runs with
    one common distribution.  If tasks differ, the runs of each task vary less around their own share than runs of one common distribution
    would, so the bound is too wide rather than too narrow.  In simulations, whole profiles of 1 to 26 tasks with 2 to 20 runs lay within
    this bound in 95.5 to 99.8 % of all trials.

    Raises
    ------
    ValueError, TypeError
        For another shape, a single run, no threshold, numbers that are not finite, a level outside (0, 1).

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare (2021), Deep reinforcement learning at the edge of the statistical precipice,
    Advances in Neural Information Processing Systems 34, section 4.2 (run-score distributions).  Massart (1990), The tight
    constant in the Dvoretzky-Kiefer-Wolfowitz inequality, Annals of Probability 18, pages 1269 to 1283.

    Examples
    --------
    One of two runs on the first task and both runs on the second task are above 1.  In a resample, 0, 1 or 2 runs on the first task are
    above 1.

    >>> import fstats
    >>> profile = fstats.PerformanceProfile([[0, 2], [3, 4]], [1])
    >>> print(profile.profile, profile.profile_low, profile.profile_high)
    [0.75] [0.5] [1.]
    """

    conclusion_row = ("scores", 2, "The profile as text.")

    scores: ScoresLike = input_field("x_{ij}", "Score on each task in each of its runs.", over="ij", check=run_scores, unit="score")
    thresholds: ScoresLike = input_field(
        r"\tau_k", "Scores at which the profile is computed.", over="k", check=check.numbers_of_min_length(1), unit="score"
    )
    alpha: float = input_field(
        r"\alpha", "Probability outside the band, half of it on either side.", check=check.level, default=0.05, kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        shapes = [np.shape(self.__dict__.get(name, ()))[own:] for name, own in (("scores", 2), ("thresholds", 1))]
        if shapes[1] not in ((), shapes[0]):
            got = f"thresholds for repetitions of shape {shapes[1]}, and scores for {shapes[0]}"
            raise ValueError(f"`thresholds` must be one list, or one list for each repetition of `scores`; got {got}")

    n_tasks = count_step("M", "scores", "i", "Number of tasks.", check=check.count(1))

    n_seeds = count_step("K", "scores", "j", "Number of runs of each task.", check=check.count(2), axis=1)

    @step("p_{ik}", r"\frac{1}{$n_seeds} \#\{j : $scores > $thresholds\}", over="ik", check=check.proportion, aside=True)
    def above_shares(self) -> Array:
        """Share of the runs of each task above each threshold; a score above it by rounding noise only does not count."""
        x, shape = self.scores, self.scores.shape[2:]
        tau = np.broadcast_to(broadcast_column(self.thresholds, x[0]), (len(self.thresholds), *shape))
        blur = absolute_noise(x.reshape(-1, *shape), tau)
        return (x[:, :, None] - tau > blur).sum(1) / self.n_seeds

    @step(r"\hat F_k", r"\frac{1}{$n_tasks} \sum_i $above_shares", over="k", check=check.proportion)
    def profile(self) -> Array:
        """Share of all runs above each threshold."""
        return self.above_shares.sum(0) / self.n_tasks

    @step(r"\hat F_k^*", r"\frac{1}{$n_tasks\,$n_seeds} \sum_i \mathrm{Binomial}($n_seeds,\ $above_shares)", relation=r"\sim")
    def resampled(self) -> StratifiedShare:
        """Bootstrap distribution of the share of all runs above each threshold: the runs of each task are resampled with replacement."""
        return StratifiedShare(int(self.n_seeds), self.above_shares[: self.n_tasks])

    @step(r"\hat F_k^-", r"\min\{x : P($resampled \leq x) \geq $alpha / 2\}", over="k", check=check.proportion)
    def profile_low(self) -> Array:
        """Lower end of the band at each threshold."""
        return np.asarray(self.resampled.low(self.alpha / 2))

    @step(r"\hat F_k^+", r"\max\{x : P($resampled \geq x) \geq $alpha / 2\}", over="k", check=check.proportion)
    def profile_high(self) -> Array:
        """Upper end of the band at each threshold."""
        return np.asarray(self.resampled.high(self.alpha / 2))

    @step(r"\varepsilon", r"\sqrt{\frac{\ln(2 / $alpha)}{2\,$n_tasks\,$n_seeds}}", check=check.nonnegative, after=True)
    def simultaneous(self) -> Value:
        """Largest distance between the true and the estimated profile, at all thresholds at once."""
        return np.sqrt(np.log(2 / self.alpha) / (2 * self.n_tasks * self.n_seeds))

    @property
    def conclusion(self) -> str:
        """The share and the band at the threshold nearest to one half, as text (for a single repetition)."""
        check.check_single_repetition(np.shape(self.profile)[1:], "conclusion", "profile.at({}).conclusion")
        middle = int(np.argmin(np.abs(self.profile - 0.5)))
        band = f"{format_plain(self.profile_low[middle])} to {format_plain(self.profile_high[middle])}"
        return (
            f"Of {self.n_tasks * self.n_seeds} runs ({self.n_seeds} on each of {self.n_tasks} tasks) the share "
            f"{format_plain(self.profile[middle])} lies above the threshold {format_plain(self.thresholds[middle])} (band {band}); this "
            "threshold has the share nearest to one half. The band applies to new runs on the same tasks, in the same unit, at a single "
            f"threshold; at all thresholds together, each true share lies within {format_plain(self.simultaneous)} of its estimate."
        )
