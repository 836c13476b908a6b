"""What is believed of k classifiers whose differences from their mean come from one population: Student's t's, mixed over its spread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ...core.number_format import format_range
from ...core.value_types import Array
from .posterior_distributions import LocatedT

COARSE, NODES = 200, 100  # of the logarithm of the ratio: to see where it is probable, and there
RARE = 20.0  # what is less probable than e to minus this is left out
BEYOND = 30.0  # logarithms on either side of where the ratio could lie
HALVINGS = 70  # of an interval, until a float holds no more
AT_ONCE = 2**21  # nodes times pairs times repetitions that are held


@dataclass(frozen=True)
class MultilevelPosterior:
    r"""The posterior of the effects of k classifiers, given their means' distances from the grand mean and the sum of squared residuals.

    With :math:`t = \tau / \sigma` the ratio of the population's spread to that of the residuals, everything else has a closed form: the
    effects are Student's t around shrunken means.  What is left is a mixture over t, on nodes of its logarithm.
    """

    n: int
    effects: Any  # (k, ...)
    ss_error: Any  # (...)
    prior: float

    @property
    def df(self) -> int:
        """Degrees of freedom of each Student's t."""
        return self.n * (len(self.effects) - 1)

    def _log_height(self, log_ratio: Array) -> Array:
        """The logarithm of the posterior density of ln t, but for a constant."""
        ratio2 = np.exp(2 * log_ratio)
        v = 1 / self.n + ratio2  # the variance of a mean, in squares of sigma
        noise = np.where(np.asarray(self.ss_error) == 0, 1.0, self.ss_error)  # without any the mixture is not asked
        squares = noise + (np.asarray(self.effects) ** 2).sum(0) / v
        prior = log_ratio - np.log1p(ratio2 / self.prior**2)  # half a Cauchy, by the logarithm
        return prior - (len(self.effects) - 1) / 2 * np.log(v) - self.df / 2 * np.log(squares)

    @cached_property
    def mixture(self) -> tuple[Array, Array, Array]:
        """The weights of the nodes, how much of a mean's distance each keeps, and the variance of the residuals that goes with each.

        The nodes are the first axis; without residuals all is kept and nothing varies.
        """
        effects, noise = (np.asarray(x, float) for x in (self.effects, self.ss_error))
        spread = (effects**2).sum(0)
        none = noise == 0
        largest = np.log(np.maximum(1.0, np.sqrt(spread / np.where(none, 1.0, noise) * self.df)))
        low, high = -np.log(self.n) / 2 - BEYOND + 0 * largest, largest + np.log1p(self.prior) + BEYOND
        for nodes in (COARSE, COARSE, NODES):
            x = np.linspace(low, high, nodes)
            height = self._log_height(x)
            seen = height >= height.max(0) - RARE
            step = (high - low) / (nodes - 1)
            low, high = x.min(0, initial=np.inf, where=seen) - step, x.max(0, initial=-np.inf, where=seen) + step
        weight = special.softmax(height, axis=0)
        ratio2 = np.exp(2 * x)
        kept = np.where(none, 1.0, ratio2 / (1 / self.n + ratio2))
        variance = np.where(none, 0.0, (noise + spread / (1 / self.n + ratio2)) / self.df)
        return np.where(none, 1 / NODES, weight), kept, variance

    @property
    def kept(self) -> Any:
        """The expected share of its distance from the grand mean that is believed of a classifier."""
        weight, kept, _ = self.mixture
        return np.minimum((weight * kept).sum(0), 1.0)[()]

    def _blocks(self) -> Iterator[tuple[Array, LocatedT]]:
        """For some repetitions at a time, the weights of the nodes, (nodes, 1, ...), and the difference of each pair on each node."""
        weight, kept, variance = (part.reshape(NODES, -1) for part in self.mixture)
        effects = np.asarray(self.effects).reshape(len(self.effects), -1)
        first, second = np.triu_indices(len(effects), 1)
        size = max(1, AT_ONCE // (NODES * len(first)))
        for start in range(0, weight.shape[1], size):
            some = slice(start, start + size)
            means = kept[:, None, some] * (effects[first, some] - effects[second, some])
            yield weight[:, None, some], LocatedT(self.df, means, np.sqrt(2 / self.n * kept * variance)[:, None, some] + 0 * means)

    def _shaped(self, found: list[Array]) -> Array:
        """Pairs by repetitions, from the blocks; what else there is stands between."""
        whole = np.concatenate(found, axis=-1)
        return whole.reshape(*whole.shape[:-1], *np.shape(self.effects)[1:])

    def regions(self, rope: float) -> Array:
        """The probabilities of three regions of each pair: second better, equivalent, first better; (pairs, 3, ...)."""
        return self._shaped([np.moveaxis((weight * one.regions(rope)).sum(1), 0, 1) for weight, one in self._blocks()])

    def at_most(self, x: Any) -> Array:
        """P(difference <= x) for each pair."""
        return self._shaped([(weight * one.at_most(x)).sum(0) for weight, one in self._blocks()])

    def quantile(self, p: float) -> Array:
        """The value that the difference of each pair does not exceed with this probability."""
        found = []
        for weight, one in self._blocks():
            reach = special.stdtrit(self.df, 1 - min(p, 1 - p) * 1e-3) * one.scale.max(0)
            low, high = one.mean.min(0) - reach, one.mean.max(0) + reach
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                below = (weight * one.at_most(middle)).sum(0) < p
                low, high = np.where(below, middle, low), np.where(below, high, middle)
            found.append((low + high) / 2)
        return self._shaped(found)

    def __str__(self) -> str:
        return f"Student's t's with {self.df} degrees of freedom that keep {format_range(self.kept)} of each distance, on {NODES} nodes"
