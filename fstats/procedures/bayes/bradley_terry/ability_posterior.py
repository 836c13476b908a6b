"""What is believed of the abilities of k classifiers after seeing who beat whom: weighted points instead of a chain of draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ....core.value_types import Array, Integers

REACH = 6.0  # so many standard deviations of log sigma, either way, the grid holds
NODES = 121  # of them
POINT_SET_COUNT = 8  # independent sets of points: by how much they differ is the error
PROPOSAL_DF = 8  # degrees of freedom of the proposal, so that its tails outlast those of the posterior
AT_ONCE = 2**21  # comparisons times points that are held at a time
STEPS = 200  # of Newton's, more than it ever needs: the logarithm of the posterior is concave


@dataclass(frozen=True)
class AbilityPosterior:
    r"""The posterior of one table of wins.

    Given :math:`\sigma`, the mode and the curvature of the posterior make a Student's t that is nearly the posterior.  Points of that t,
    :math:`\sigma` drawn beside them from a fine grid by how probable each of its nodes is about, get as weight how much more probable the
    posterior is there.  The points are Halton's, which fill the space more evenly than random ones, in sets that are scrambled anew.
    """

    won: Array  # by the first of each pair,
    lost: Array  # and by the second
    k: int
    tau: float
    points: int

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """The places of the first and of the second of each pair."""
        return np.triu_indices(self.k, 1)

    @cached_property
    def signs(self) -> Array:
        """A line for each pair: 1 for its first, -1 for its second."""
        return np.eye(self.k)[self.pairs[0]] - np.eye(self.k)[self.pairs[1]]

    def log_posterior(self, beta: Array, log_sigma: Array) -> Array:
        """But for a constant: wins by the model, abilities normal around 0, log sigma normal around 0."""
        size = max(1, AT_ONCE // len(self.won))
        blocks = (beta[start : start + size] @ self.signs.T for start in range(0, len(beta), size))
        n = self.won + self.lost
        wins = np.concatenate([delta @ self.won - np.logaddexp(0, delta) @ n for delta in blocks])
        prior = -(beta**2).sum(-1) / (2 * np.exp(2 * log_sigma)) - self.k * log_sigma - log_sigma**2 / (2 * self.tau**2)
        return wins + prior

    def modes(self, log_sigma: Array) -> tuple[Array, Array]:
        """For each sigma the most probable abilities, by Newton's steps, and the curvature there."""
        beta = np.zeros((len(log_sigma), self.k))
        precision = np.exp(-2 * log_sigma)
        for _ in range(STEPS):
            p = special.expit(beta @ self.signs.T)
            n = self.won + self.lost
            slope = (self.won - n * p) @ self.signs - beta * precision[:, None]
            weights = np.zeros((len(log_sigma), self.k, self.k))
            first, second = self.pairs
            weights[:, first, second] = weights[:, second, first] = -n * p * (1 - p)
            curved = weights + np.eye(self.k) * (precision[:, None] - weights.sum(-1))[:, None]
            by = np.linalg.solve(curved, slope[..., None])[..., 0]
            beta += by * np.minimum(1, 2 / np.maximum(np.abs(by).max(1, keepdims=True), 1e-300))  # no leap beyond where it is curved so
            if np.abs(by).max() < 1e-9:
                break
        return beta, curved

    @cached_property
    def drawn(self) -> tuple[Array, Array]:
        """The points, (sets, points, k), and their weights, which add up to 1 in each set."""
        from scipy.stats import qmc

        grid = np.linspace(-REACH, REACH, NODES) * self.tau
        mode, curved = self.modes(grid)
        root = np.linalg.cholesky(curved)
        turned = np.swapaxes(np.linalg.inv(root), 1, 2)
        volume = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(1)
        about = self.log_posterior(mode, grid) - volume  # Laplace's approximation: which nodes are how probable
        share = special.softmax(about)
        up_to, df = share.cumsum(), float(max(PROPOSAL_DF, self.k))
        found = []
        for which in range(POINT_SET_COUNT):
            u = qmc.Halton(self.k + 2, rng=np.random.default_rng(which)).random(
                self.points // POINT_SET_COUNT
            )  # Sobol's want a file of numbers
            node = np.minimum(np.searchsorted(up_to, u[:, 0]), NODES - 1)
            z = special.ndtri(u[:, 2:]) * np.sqrt(df / (2 * special.gammaincinv(df / 2, u[:, 1])))[:, None]
            beta = mode[node] + np.einsum("mij,mj->mi", turned[node], z)
            proposed = np.log(share[node]) + volume[node] - (df + self.k) / 2 * np.log1p((z**2).sum(1) / df)
            found.append((beta, special.softmax(self.log_posterior(beta, grid[node]) - proposed)))
        beta, weight = (np.array(part) for part in zip(*found, strict=True))
        return beta, weight

    @property
    def effective(self) -> float:
        """So many points of equal weight would say as much."""
        weight = self.drawn[1]
        return float(weight.sum() ** 2 / (weight**2).sum())

    def chances(self) -> Iterator[Array]:
        """For each pair, one by one, the probability at each point that its first beats its second."""
        beta = self.drawn[0]
        return (special.expit(beta[..., i] - beta[..., j]) for i, j in zip(*self.pairs, strict=True))

    def average(self, of: Callable[[Array], Any]) -> Array:
        """The posterior mean of something of each pair's probability, by each set of points: (sets, pairs, ...)."""
        weight = self.drawn[1]
        return np.array([np.einsum("sm,sm...->s...", weight, np.asarray(of(chance), float)) for chance in self.chances()]).swapaxes(0, 1)

    def regions(self, rope: float) -> Array:
        """By each set of points the probabilities of three regions of each pair: second better, equivalent, first better."""

        def inside(chance: Array) -> Array:
            away = chance - 0.5
            return np.stack([away < -rope, np.abs(away) <= rope, away > rope], axis=-1)

        return self.average(inside)

    def quantiles(self, outside: float) -> Array:
        """The ends that leave half of this on either side of each pair's probability: (pairs, 2)."""
        weight = self.drawn[1].ravel() / POINT_SET_COUNT
        return np.array([weighted_interval(chance.ravel(), weight, outside) for chance in self.chances()])

    def abilities(self) -> Array:
        """The posterior mean of each ability, less their mean."""
        beta, weight = self.drawn
        mean = np.einsum("sm,smj->j", weight, beta) / POINT_SET_COUNT
        return mean - mean.mean()

    def ends(self, outside: float) -> Array:
        """The ends that leave half of this on either side of each ability, less the mean of all: (2, k)."""
        beta, weight = self.drawn
        away = (beta - beta.mean(-1, keepdims=True)).reshape(-1, self.k)
        return np.transpose([weighted_interval(one, weight.ravel() / POINT_SET_COUNT, outside) for one in away.T])

    def best(self) -> Array:
        """The probability of each classifier to be the most able."""
        beta, weight = self.drawn
        return np.bincount(beta.argmax(-1).ravel(), weight.ravel() / POINT_SET_COUNT, self.k).astype(float)


def weighted_interval(x: Array, weight: Array, outside: float) -> Array:
    """The two values of weighted points that leave half of this on either side."""
    order = np.argsort(x)
    middle = weight[order].cumsum() - weight[order] / 2
    return np.interp([outside / 2, 1 - outside / 2], middle, x[order])


@dataclass(frozen=True)
class AbilityPosteriorBatch:
    """The posteriors of the abilities, one for each repetition."""

    won: Any
    lost: Any
    k: int
    tau: float
    points: int

    @cached_property
    def tables(self) -> tuple[list[AbilityPosterior], Integers]:
        """The posteriors of the different tables of wins, and which of them each repetition has."""
        flat = np.concatenate([np.reshape(x, (len(x), -1)) for x in (self.won, self.lost)])
        tables, which = np.unique(flat, axis=1, return_inverse=True)
        half = len(self.won)
        return [AbilityPosterior(one[:half], one[half:], self.k, self.tau, self.points) for one in tables.T], which.ravel()

    def ask(self, of: Callable[[AbilityPosterior], Any]) -> Any:
        """What each posterior says, its repetitions as the last axes."""
        ones, which = self.tables
        found = np.array([of(one) for one in ones], float)[which]
        return np.moveaxis(found, 0, -1).reshape(found.shape[1:] + np.shape(self.won)[1:])[()]

    def at_most(self, x: float) -> Array:
        """P(pi <= x) for each pair."""
        return np.asarray(self.ask(lambda one: one.average(lambda chance: chance <= x).mean(0)))

    def __str__(self) -> str:
        return f"abilities of {self.k} classifiers and their spread, on {self.points} weighted points"
