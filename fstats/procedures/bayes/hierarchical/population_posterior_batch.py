"""Posteriors of populations of data sets, one for each repetition, and of what the next data set will be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ....core.number_format import format_plain, format_range
from ....core.numerics.sums_of_squares import standard_deviation
from ....core.value_types import Array, Interval, Value
from ..posterior_distributions import LocatedT
from .data_set_likelihood import SplitLikelihood
from .population_posterior import PopulationPosterior, population_posterior

LEAST = 1e-6  # of the bound of standard deviations, a thousandth of the mean one, is what a data set without any spread gets


@dataclass(frozen=True)
class PointPosterior:
    """A population of which all is believed to lie in one place, or which has no place: what a t without spread, or of any, says."""

    place: LocatedT
    count: int

    def at_most(self, x: float) -> float:
        """P(m <= x)."""
        return float(self.place.at_most(x))

    def quantile(self, p: float) -> float:
        """The place, or an end of the line."""
        return float(self.place.mean) if not self.place.scale else np.inf if p > 0.5 else -np.inf

    def expected(self, rope: float) -> Array:
        """The region in which all of it lies, or one half for either side."""
        return self.place.regions(rope)

    largest = expected

    def error(self, rope: float) -> Array:
        """There is none."""
        return 0 * self.expected(rope)

    def draws(self, rope: float, count: int, rng: Any) -> Array:
        """The same for each draw."""
        del rng  # nothing is drawn
        return np.repeat(self.expected(rope)[:, None], count, axis=1)

    @property
    def means(self) -> Array:
        """The place for each data set."""
        return np.full(self.count, float(self.place.mean))

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """Its ends for each data set."""
        return np.full(self.count, self.quantile(outside / 2)), np.full(self.count, self.quantile(1 - outside / 2))


@dataclass(frozen=True)
class PopulationPosteriorBatch:
    """What is believed of the mean, the scale and the degrees of freedom of a population of data sets, for each repetition."""

    n: Any
    mean: Any
    sd: Any
    rho: float
    reach: Any
    sd_bound: Any
    scale_bound: Any
    shape: tuple[float, float]
    rate: tuple[float, float]
    nodes: int

    @property
    def repetitions(self) -> tuple[int, ...]:
        """The axes behind that of the data sets."""
        return np.broadcast_shapes(np.shape(self.mean)[1:], np.shape(self.reach), np.shape(self.sd_bound), np.shape(self.scale_bound))

    @cached_property
    def each(self) -> list[PopulationPosterior | PointPosterior]:
        """The posteriors, one by one."""
        shape, q = self.repetitions, len(self.mean)
        sd, mean = (np.broadcast_to(np.reshape(x, (q, *np.shape(x)[1:])), (q, *shape)).reshape(q, -1) for x in (self.sd, self.mean))
        reach, sd_bound, scale_bound = (np.broadcast_to(x, shape).ravel() for x in (self.reach, self.sd_bound, self.scale_bound))
        return [self._one(mean[:, k], sd[:, k], reach[k], sd_bound[k], scale_bound[k]) for k in range(mean.shape[1])]

    def _one(self, mean: Array, sd: Array, reach: float, sd_bound: float, scale_bound: float) -> PopulationPosterior | PointPosterior:
        if not (sd_bound and scale_bound and reach):
            endless = len(mean) == 1 and self.n[0] == 1
            return PointPosterior(LocatedT(1, np.float64(mean[0]), np.inf if endless else 0.0), len(mean))
        spread = np.where(self.n > 1, np.maximum(sd, LEAST * sd_bound), 0.0)
        splits = SplitLikelihood(np.asarray(self.n, float), np.asarray(mean, float), spread, float(self.rho), float(sd_bound))
        return population_posterior(splits, float(reach), float(scale_bound), (self.shape, self.rate), self.nodes)

    def _shaped(self, ask: Callable[[Any], Any]) -> Any:
        found = np.array([ask(one) for one in self.each], float)
        axes = len(self.repetitions)
        return np.moveaxis(found.reshape((*self.repetitions, *found.shape[1:])), range(axes), range(-axes, 0))

    def at_most(self, x: float) -> Value:
        """P(m <= x)."""
        return self._shaped(lambda one: one.at_most(x))[()]

    def credible(self, outside: float) -> Interval:
        """The interval that leaves half of this on either side of the population's mean."""
        return Interval(
            self._shaped(lambda one: one.quantile(outside / 2))[()], self._shaped(lambda one: one.quantile(1 - outside / 2))[()]
        )

    def shrunk(self) -> Array:
        """The posterior mean of each data set's mean."""
        return self._shaped(lambda one: one.means)

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """The ends that leave half of this on either side of each data set's mean."""
        low, high = self._shaped(lambda one: np.array(one.intervals(outside)))
        return low, high

    def __str__(self) -> str:
        return f"three numbers given {format_range(np.asarray(self.n))} splits on each of {len(self.mean)} data sets, by quadrature"


@dataclass(frozen=True)
class NextDataSetProbabilities:
    """The probabilities of the three regions for the next data set, which depend on the population that is not known."""

    population: PopulationPosteriorBatch
    rope: float

    def expected(self) -> Array:
        """The expected probability of each region."""
        return self.population._shaped(lambda one: one.expected(self.rope))

    def largest(self) -> Array:
        """The probability of each region to be the most probable one."""
        return self.population._shaped(lambda one: one.largest(self.rope))

    def error(self) -> Array:
        """How far these stray from those of a coarser grid."""
        return self.population._shaped(lambda one: one.error(self.rope))

    def draws(self, count: int, rng: Any) -> Array:
        """So many random triples, (3, count), of a single posterior."""
        (one,) = self.population.each
        return one.draws(self.rope, count, rng)

    def __str__(self) -> str:
        return f"what a population of data sets gives to the regions by a rope of {format_plain(self.rope)}"


def mean_spreads(sds: Array, means: Array, n: Array) -> tuple[Array, Array]:
    """The mean standard deviation within data sets, of those that tell it, and that of their means; 0 where there is none to tell."""
    within = sds[n > 1].sum(0) / max((n > 1).sum(), 1)
    among = np.zeros_like(within) if len(means) == 1 else standard_deviation(means, means.sum(0) / len(means), len(means) - 1)
    return np.asarray(within), np.asarray(among)


def degenerate_data_note(sds: Array, means: Array, n: Array) -> str:
    """What must be known of data that show no spread, or one data set only; empty for ordinary data."""
    within, among = mean_spreads(sds, means, n)
    told, alike = [], int((sds[n > 1] == 0).sum())
    if not within and not among:
        if len(means) == 1 and n[0] == 1:
            return "One difference alone says nothing of the spread: the posterior favours no value, and both sides are equally probable."
        of = f"All differences are {format_plain(means[0])}: there is no spread to measure luck by"
        return f"{of}, and all of the posterior lies there; look for a mistake in the data."
    if len(means) == 1:
        told.append("There is only one data set: what is said of others comes from the prior.")
    elif not among:
        told.append("All means are equal: 1000 times the mean standard deviation within data sets bounds the scale of the population, too.")
    if (n == 1).all():
        told.append("With one split each, luck cannot be told from differences between data sets: 1000 times the one bounds the other.")
    elif alike:
        of = "the mean one" if within else "that of the means"
        told.append(
            f"On {alike} of {len(means)} data sets all differences are equal: a thousandth of {of} is taken for their standard deviation."
        )
    return " ".join(told)
