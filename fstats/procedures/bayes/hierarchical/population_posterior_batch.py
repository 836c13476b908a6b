"""Batch computation of posteriors of Bayesian hierarchical models."""

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

# minimum standard deviation of a data set, divided by the prior bound (1000 times the mean of the standard deviations)
MIN_SD_SHARE = 1e-6


@dataclass(frozen=True)
class PointPosterior:
    """A degenerate posterior of a population: all mass at one point (no spread), or no information at all (infinite scale)."""

    place: LocatedT
    count: int

    def at_most(self, x: float) -> float:
        """Return P(m <= x)."""
        return float(self.place.at_most(x))

    def quantile(self, p: float) -> float:
        """Return the point, or minus or plus infinity."""
        return float(self.place.mean) if not self.place.scale else np.inf if p > 0.5 else -np.inf

    def expected(self, rope: float) -> Array:
        """Return probability 1 for the region that contains the point, or 1/2 for either side."""
        return self.place.regions(rope)

    largest = expected

    def error(self, rope: float) -> Array:
        """Return zeros: the probabilities are exact."""
        return 0 * self.expected(rope)

    def draws(self, rope: float, count: int, rng: Any) -> Array:
        """Return draws of the probabilities, which are all equal because nothing is random."""
        del rng
        return np.repeat(self.expected(rope)[:, None], count, axis=1)

    @property
    def means(self) -> Array:
        """Posterior mean of each data set: always the point of the posterior."""
        return np.full(self.count, float(self.place.mean))

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """Return the ends of the interval for each data set."""
        return np.full(self.count, self.quantile(outside / 2)), np.full(self.count, self.quantile(1 - outside / 2))


@dataclass(frozen=True)
class PopulationPosteriorBatch:
    """Posterior of the mean, the scale and the degrees of freedom of a population of data sets, for each repetition."""

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
        """Shape of the axes after the axis of the data sets."""
        return np.broadcast_shapes(np.shape(self.mean)[1:], np.shape(self.reach), np.shape(self.sd_bound), np.shape(self.scale_bound))

    @cached_property
    def posteriors(self) -> list[PopulationPosterior | PointPosterior]:
        """Posteriors of the single repetitions."""
        shape, q = self.repetitions, len(self.mean)
        sd, mean = (np.broadcast_to(np.reshape(x, (q, *np.shape(x)[1:])), (q, *shape)).reshape(q, -1) for x in (self.sd, self.mean))
        reach, sd_bound, scale_bound = (np.broadcast_to(x, shape).ravel() for x in (self.reach, self.sd_bound, self.scale_bound))
        return [self._single_posterior(mean[:, k], sd[:, k], reach[k], sd_bound[k], scale_bound[k]) for k in range(mean.shape[1])]

    def _single_posterior(
        self, mean: Array, sd: Array, reach: float, sd_bound: float, scale_bound: float
    ) -> PopulationPosterior | PointPosterior:
        if not (sd_bound and scale_bound and reach):
            no_information = len(mean) == 1 and self.n[0] == 1
            return PointPosterior(LocatedT(1, np.float64(mean[0]), np.inf if no_information else 0.0), len(mean))
        spread = np.where(self.n > 1, np.maximum(sd, MIN_SD_SHARE * sd_bound), 0.0)
        splits = SplitLikelihood(np.asarray(self.n, float), np.asarray(mean, float), spread, float(self.rho), float(sd_bound))
        return population_posterior(splits, float(reach), float(scale_bound), (self.shape, self.rate), self.nodes)

    def evaluate(self, of: Callable[[Any], Any]) -> Any:
        """Return the value of a function of each posterior, with the repetitions as the last axes."""
        values = np.array([of(posterior) for posterior in self.posteriors], float)
        axes = len(self.repetitions)
        return np.moveaxis(values.reshape((*self.repetitions, *values.shape[1:])), range(axes), range(-axes, 0))

    def at_most(self, x: float) -> Value:
        """Return P(m <= x)."""
        return self.evaluate(lambda posterior: posterior.at_most(x))[()]

    def credible(self, outside: float) -> Interval:
        """Return the central interval of the population mean, given the probability outside, half of it on either side."""
        ends = self.evaluate(lambda posterior: [posterior.quantile(p) for p in (outside / 2, 1 - outside / 2)])
        return Interval(ends[0], ends[1])

    def shrunk(self) -> Array:
        """Return the posterior mean of the true mean of each data set."""
        return self.evaluate(lambda posterior: posterior.means)

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """Return the central intervals of the true means of the data sets, given the probability outside, half of it on either side."""
        low, high = self.evaluate(lambda posterior: np.array(posterior.intervals(outside)))
        return low, high

    def __str__(self) -> str:
        return f"three parameters given {format_range(np.asarray(self.n))} splits on each of {len(self.mean)} data sets, by quadrature"


@dataclass(frozen=True)
class NextDataSetProbabilities:
    """Posterior of the probabilities of the three regions for the next data set; they depend on the unknown population."""

    population: PopulationPosteriorBatch
    rope: float

    def expected(self) -> Array:
        """Return the expected probability of each region."""
        return self.population.evaluate(lambda posterior: posterior.expected(self.rope))

    def largest(self) -> Array:
        """Return, for each region, the probability that it is the most probable region."""
        return self.population.evaluate(lambda posterior: posterior.largest(self.rope))

    def error(self) -> Array:
        """Return the differences of the probabilities from the probabilities on a coarser grid."""
        return self.population.evaluate(lambda posterior: posterior.error(self.rope))

    def draws(self, count: int, rng: Any) -> Array:
        """Return random triples of probabilities, (3, count), of a single posterior."""
        (posterior,) = self.population.posteriors
        return posterior.draws(self.rope, count, rng)

    def __str__(self) -> str:
        return f"probabilities of the regions by a rope of {format_plain(self.rope)} in a population of data sets"


def mean_spreads(sds: Array, means: Array, n: Array) -> tuple[Array, Array]:
    """Return the mean standard deviation within data sets and the standard deviation of their means; 0 if there is none."""
    within = sds[n > 1].sum(0) / max((n > 1).sum(), 1)
    among = np.zeros_like(within) if len(means) == 1 else standard_deviation(means, means.sum(0) / len(means), len(means) - 1)
    return np.asarray(within), np.asarray(among)


def degenerate_data_note(sds: Array, means: Array, n: Array) -> str:
    """Return a note about data without spread, or a single data set; empty for ordinary data."""
    within, among = mean_spreads(sds, means, n)
    notes, no_spread_count = [], int((sds[n > 1] == 0).sum())
    if not within and not among:
        if len(means) == 1 and n[0] == 1:
            beginning = "A single difference gives no information about the spread"
            return f"{beginning}: the posterior favours no value, and both sides are equally probable."
        opening = f"All differences are {format_plain(means[0])}: they have no spread to estimate random variation"
        return f"{opening}, and the whole posterior lies there; look for a mistake in the data."
    if len(means) == 1:
        notes.append("There is only one data set: the results for other data sets come from the prior.")
    elif not among:
        notes.append(
            "All means are equal: 1000 times the mean standard deviation within data sets is also the bound of the population scale."
        )
    if (n == 1).all():
        notes.append(
            "With one split each, the variation within data sets cannot be separated from that between them: "
            "both bounds are 1000 times the standard deviation of the means."
        )
    elif no_spread_count:
        of = "the mean one" if within else "that of the means"
        notes.append(
            f"On {no_spread_count} of {len(means)} data sets all differences are equal: "
            f"their standard deviation is set to a thousandth of {of}."
        )
    return " ".join(notes)
