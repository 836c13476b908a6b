"""Posterior of Bradley-Terry abilities by importance sampling.

The sample is quasi-random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ....core.value_types import Array, Integers

REACH = 6.0  # the grid for log sigma extends from -6 to 6 standard deviations of its prior
NODES = 121  # number of grid points for log sigma
POINT_SET_COUNT = 8  # number of independent point sets; the differences between their results estimate the integration error
PROPOSAL_DF = 8  # minimum degrees of freedom of the proposal distribution (Student's t) in importance sampling
MAX_BLOCK_SIZE = 2**21  # maximum number of elements of an array: number of pairs times number of points
STEPS = 200  # maximum number of Newton steps; fewer are needed, because the log posterior is concave


@dataclass(frozen=True)
class AbilityPosterior:
    r"""Posterior of the abilities for one table of wins.

    Given :math:`\sigma`, the mode and the curvature of the posterior define a Student's t distribution that is close to the posterior.
    Points are drawn from this t distribution; :math:`\sigma` is drawn from a fine grid with the approximate probability of each node.
    The weight of a point is the ratio of the posterior density to the proposal density.  The points are Halton points, which fill the
    space more evenly than random points, in several sets with different scrambling.
    """

    won: Array  # number of wins of the first classifier of each pair
    lost: Array  # number of wins of the second classifier of each pair

    k: int
    tau: float
    points: int

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """Positions of the first and of the second classifier of each pair."""
        return np.triu_indices(self.k, 1)

    @cached_property
    def signs(self) -> Array:
        """Contrast matrix with one row for each pair: 1 for its first classifier, -1 for its second."""
        return np.eye(self.k)[self.pairs[0]] - np.eye(self.k)[self.pairs[1]]

    def log_posterior(self, beta: Array, log_sigma: Array) -> Array:
        """Return the log posterior up to a constant: wins by the model, normal abilities around 0, log sigma normal around 0."""
        size = max(1, MAX_BLOCK_SIZE // len(self.won))
        blocks = (beta[start : start + size] @ self.signs.T for start in range(0, len(beta), size))
        n = self.won + self.lost
        wins = np.concatenate([delta @ self.won - np.logaddexp(0, delta) @ n for delta in blocks])
        prior = -(beta**2).sum(-1) / (2 * np.exp(2 * log_sigma)) - self.k * log_sigma - log_sigma**2 / (2 * self.tau**2)
        return wins + prior

    def modes(self, log_sigma: Array) -> tuple[Array, Array]:
        """Return, for each sigma, the most probable abilities (by Newton's method) and the curvature of the log posterior at them."""
        beta = np.zeros((len(log_sigma), self.k))
        precision = np.exp(-2 * log_sigma)
        for _ in range(STEPS):
            p = special.expit(beta @ self.signs.T)
            n = self.won + self.lost
            slope = (self.won - n * p) @ self.signs - beta * precision[:, None]
            weights = np.zeros((len(log_sigma), self.k, self.k))
            first, second = self.pairs
            weights[:, first, second] = weights[:, second, first] = -n * p * (1 - p)
            curvature = weights + np.eye(self.k) * (precision[:, None] - weights.sum(-1))[:, None]
            change = np.linalg.solve(curvature, slope[..., None])[..., 0]
            # limit the change of each ability to 2, so that the iteration does not diverge
            beta += change * np.minimum(1, 2 / np.maximum(np.abs(change).max(1, keepdims=True), 1e-300))
            if np.abs(change).max() < 1e-9:
                break
        return beta, curvature

    @cached_property
    def weighted_points(self) -> tuple[Array, Array]:
        """Points, shape (sets, points, k), and weights of the points, which add up to 1 in each set."""
        from scipy.stats import qmc

        grid = np.linspace(-REACH, REACH, NODES) * self.tau
        mode, curvature = self.modes(grid)
        root = np.linalg.cholesky(curvature)
        inverse_root = np.swapaxes(np.linalg.inv(root), 1, 2)
        log_volume = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(1)
        # posterior probability of each grid point, by Laplace's approximation
        share = special.softmax(self.log_posterior(mode, grid) - log_volume)
        cumulative_share, df = share.cumsum(), float(max(PROPOSAL_DF, self.k))
        sets = []
        for seed in range(POINT_SET_COUNT):
            # Halton points, because Sobol points need a file of direction numbers
            u = qmc.Halton(self.k + 2, rng=np.random.default_rng(seed)).random(self.points // POINT_SET_COUNT)
            node = np.minimum(np.searchsorted(cumulative_share, u[:, 0]), NODES - 1)
            z = special.ndtri(u[:, 2:]) * np.sqrt(df / (2 * special.gammaincinv(df / 2, u[:, 1])))[:, None]
            beta = mode[node] + np.einsum("mij,mj->mi", inverse_root[node], z)
            proposed = np.log(share[node]) + log_volume[node] - (df + self.k) / 2 * np.log1p((z**2).sum(1) / df)
            sets.append((beta, special.softmax(self.log_posterior(beta, grid[node]) - proposed)))
        beta, weight = (np.array(part) for part in zip(*sets, strict=True))
        return beta, weight

    @property
    def effective_sample_size(self) -> float:
        """Effective number of points: number of equally weighted points that would give the same precision."""
        weight = self.weighted_points[1]
        return float(weight.sum() ** 2 / (weight**2).sum())

    def win_probabilities(self) -> Iterator[Array]:
        """Yield, for each pair, the probability at each point that its first classifier beats its second."""
        beta = self.weighted_points[0]
        return (special.expit(beta[..., i] - beta[..., j]) for i, j in zip(*self.pairs, strict=True))

    def average(self, of: Callable[[Array], Any]) -> Array:
        """Return the posterior mean of a function of each pair's win probability, by each set of points: (sets, pairs, ...)."""
        weight = self.weighted_points[1]
        means = [np.einsum("sm,sm...->s...", weight, np.asarray(of(p), float)) for p in self.win_probabilities()]
        return np.array(means).swapaxes(0, 1)

    def regions(self, rope: float) -> Array:
        """Return, for each set of points, the probabilities of three regions of each pair: second better, equivalent, first better."""

        def in_regions(p: Array) -> Array:
            difference = p - 0.5
            return np.stack([difference < -rope, np.abs(difference) <= rope, difference > rope], axis=-1)

        return self.average(in_regions)

    def quantiles(self, outside: float) -> Array:
        """Return the central interval of the win probability of each pair, given the probability outside: (pairs, 2)."""
        weight = self.weighted_points[1].ravel() / POINT_SET_COUNT
        return np.array([weighted_interval(p.ravel(), weight, outside) for p in self.win_probabilities()])

    def abilities(self) -> Array:
        """Return the posterior mean of each ability, minus the mean of all abilities."""
        beta, weight = self.weighted_points
        mean = np.einsum("sm,smj->j", weight, beta) / POINT_SET_COUNT
        return mean - mean.mean()

    def ability_intervals(self, outside: float) -> Array:
        """Return the central interval of each ability minus the mean of all, given the probability outside: (2, k)."""
        beta, weight = self.weighted_points
        centred = (beta - beta.mean(-1, keepdims=True)).reshape(-1, self.k)
        return np.transpose([weighted_interval(column, weight.ravel() / POINT_SET_COUNT, outside) for column in centred.T])

    def best_probabilities(self) -> Array:
        """Return, for each classifier, the probability that it has the largest ability."""
        beta, weight = self.weighted_points
        return np.bincount(beta.argmax(-1).ravel(), weight.ravel() / POINT_SET_COUNT, self.k).astype(float)


def weighted_interval(x: Array, weight: Array, outside: float) -> Array:
    """Return the central interval of weighted points, given the probability outside, half of it on either side."""
    order = np.argsort(x)
    middle = weight[order].cumsum() - weight[order] / 2
    return np.interp([outside / 2, 1 - outside / 2], middle, x[order])


@dataclass(frozen=True)
class AbilityPosteriorBatch:
    """Posteriors of the abilities, one for each repetition."""

    won: Any
    lost: Any
    k: int
    tau: float
    points: int

    @cached_property
    def tables(self) -> tuple[list[AbilityPosterior], Integers]:
        """Posterior of each distinct table of wins, and for each repetition the index of its table."""
        flat = np.concatenate([np.reshape(x, (len(x), -1)) for x in (self.won, self.lost)])
        tables, which = np.unique(flat, axis=1, return_inverse=True)
        half = len(self.won)
        posteriors = [AbilityPosterior(column[:half], column[half:], self.k, self.tau, self.points) for column in tables.T]
        return posteriors, which.ravel()

    def evaluate(self, of: Callable[[AbilityPosterior], Any]) -> Any:
        """Return the value of a function of each posterior, with the repetitions as the last axes."""
        posteriors, which = self.tables
        values = np.array([of(posterior) for posterior in posteriors], float)[which]
        return np.moveaxis(values, 0, -1).reshape(values.shape[1:] + np.shape(self.won)[1:])[()]

    def at_most(self, x: float) -> Array:
        """Return P(pi <= x) for each pair."""
        return np.asarray(self.evaluate(lambda posterior: posterior.average(lambda p: p <= x).mean(0)))

    def __str__(self) -> str:
        return f"abilities of {self.k} classifiers and their spread, on {self.points} weighted points"
