"""Posterior distribution of the Bayesian multilevel model.

The effects of k classifiers from one population have a mixture of Student's t distributions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ...core.number_format import format_range
from ...core.numerics.bisection import bisect
from ...core.value_types import Array
from .posterior_distributions import LocatedT

COARSE, NODES = 200, 100  # numbers of nodes: for the search of the probable range of the log ratio, and for the integral over this range
NEGLIGIBLE_EXPONENT = 20.0  # a density below exp(-20) times the largest density is outside the probable range
LOG_MARGIN = 30.0  # the search begins this far beyond an estimate of the range of the log ratio, on both sides
HALVINGS = 70  # number of bisection steps for full floating-point precision
MAX_BLOCK_SIZE = 2**21  # maximum number of elements of an array: nodes times pairs times repetitions


@dataclass(frozen=True)
class MultilevelPosterior:
    r"""Posterior of the effects of k classifiers, from the distances of their means from the grand mean and from the residuals.

    Let :math:`t = \tau / \sigma` be the ratio of the spread of the population to the spread of the residuals.  Given t, the posterior has
    a closed form: the effects have Student's t distributions around shrunken means.  The full posterior is a mixture over nodes of ln t.
    """

    n: int
    effects: Any  # mean of each of the k classifiers minus the grand mean, shape (k, ...)
    ss_error: Any  # sum of squared residuals, shape (...)
    prior: float

    @property
    def df(self) -> int:
        """Degrees of freedom of each Student's t distribution."""
        return self.n * (len(self.effects) - 1)

    def _log_height(self, log_ratio: Array) -> Array:
        """Return the logarithm of the posterior density of ln t, up to a constant."""
        ratio2 = np.exp(2 * log_ratio)
        v = 1 / self.n + ratio2  # variance of the mean of a classifier, in units of sigma squared
        # replace 0 by 1 to avoid log(0); the result is not used if all residuals are 0
        noise = np.where(np.asarray(self.ss_error) == 0, 1.0, self.ss_error)
        squares = noise + (np.asarray(self.effects) ** 2).sum(0) / v
        prior = log_ratio - np.log1p(ratio2 / self.prior**2)  # log prior density of the log ratio, for a half-Cauchy prior of the ratio
        return prior - (len(self.effects) - 1) / 2 * np.log(v) - self.df / 2 * np.log(squares)

    @cached_property
    def mixture(self) -> tuple[Array, Array, Array]:
        """Weights of the nodes, and for each node the kept share of the distance of a mean and the variance of the residuals.

        The first axis holds the nodes.  If all residuals are 0, the share is 1 and the variance is 0.
        """
        effects, noise = (np.asarray(x, float) for x in (self.effects, self.ss_error))
        spread = (effects**2).sum(0)
        no_residuals = noise == 0
        largest = np.log(np.maximum(1.0, np.sqrt(spread / np.where(no_residuals, 1.0, noise) * self.df)))
        low, high = -np.log(self.n) / 2 - LOG_MARGIN + 0 * largest, largest + np.log1p(self.prior) + LOG_MARGIN
        for nodes in (COARSE, COARSE, NODES):
            x = np.linspace(low, high, nodes)
            height = self._log_height(x)
            probable = height >= height.max(0) - NEGLIGIBLE_EXPONENT
            step = (high - low) / (nodes - 1)
            low, high = x.min(0, initial=np.inf, where=probable) - step, x.max(0, initial=-np.inf, where=probable) + step
        weight = special.softmax(height, axis=0)
        ratio2 = np.exp(2 * x)
        shrinkage = np.where(no_residuals, 1.0, ratio2 / (1 / self.n + ratio2))
        variance = np.where(no_residuals, 0.0, (noise + spread / (1 / self.n + ratio2)) / self.df)
        return np.where(no_residuals, 1 / NODES, weight), shrinkage, variance

    @property
    def shrinkage(self) -> Any:
        """Posterior expectation of the share of the distance from the grand mean that is kept."""
        weight, shrinkage, _ = self.mixture
        return np.minimum((weight * shrinkage).sum(0), 1.0)[()]

    def _blocks(self) -> Iterator[tuple[Array, LocatedT]]:
        """Yield, for blocks of repetitions, the weights (nodes, 1, ...), and the posterior of the difference of each pair at each node."""
        weight, shrinkage, variance = (part.reshape(NODES, -1) for part in self.mixture)
        effects = np.asarray(self.effects).reshape(len(self.effects), -1)
        first, second = np.triu_indices(len(effects), 1)
        size = max(1, MAX_BLOCK_SIZE // (NODES * len(first)))
        for start in range(0, weight.shape[1], size):
            block = slice(start, start + size)
            means = shrinkage[:, None, block] * (effects[first, block] - effects[second, block])
            scale = np.sqrt(2 / self.n * shrinkage * variance)[:, None, block]
            yield weight[:, None, block], LocatedT(self.df, means, scale + 0 * means)

    def _reshape_repetitions(self, blocks: list[Array]) -> Array:
        """Join blocks of repetitions into one array with pairs as the first axis and repetitions as the last axes."""
        whole = np.concatenate(blocks, axis=-1)
        return whole.reshape(*whole.shape[:-1], *np.shape(self.effects)[1:])

    def regions(self, rope: float) -> Array:
        """Return the probabilities of three regions of each pair: second better, equivalent, first better; (pairs, 3, ...)."""
        parts = [np.moveaxis((weight * difference.regions(rope)).sum(1), 0, 1) for weight, difference in self._blocks()]
        return self._reshape_repetitions(parts)

    def at_most(self, x: Any) -> Array:
        """Return P(difference <= x) for each pair."""
        return self._reshape_repetitions([(weight * difference.at_most(x)).sum(0) for weight, difference in self._blocks()])

    def quantile(self, p: float) -> Array:
        """Return the quantile of the difference of each pair for a given probability."""

        def quantile_of_block(weight: Array, difference: LocatedT) -> Array:
            reach = special.stdtrit(self.df, 1 - min(p, 1 - p) * 1e-3) * difference.scale.max(0)
            low, high = difference.mean.min(0) - reach, difference.mean.max(0) + reach
            return np.asarray(sum(bisect(lambda x: (weight * difference.at_most(x)).sum(0) < p, low, high, HALVINGS)) / 2)

        return self._reshape_repetitions([quantile_of_block(*block) for block in self._blocks()])

    def __str__(self) -> str:
        share = format_range(self.shrinkage)
        return f"mixture of Student's t ({self.df} degrees of freedom, {NODES} nodes), keeping {share} of each distance"
