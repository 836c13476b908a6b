"""The Bayesian hierarchical comparison: many data sets, each with the splits of its cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ....core.number_format import format_plain
from ....core.numerics.sums_of_squares import standard_deviation
from ....core.step import input_field, step
from ....core.validation import check, result_checks, tables
from ....core.validation.check import NO_DEFAULT
from ....core.value_types import Array, Interval, Value
from ....core.worked_example_row import Row
from ..fold_differences import differences_on_folds
from ..rope_comparison import REGIONS, RopeComparison
from .hierarchical_input_checks import (
    differences_by_data_set,
    for_each_data_set,
    node_count,
    reach_or_largest,
    split_correlation,
    uniform_prior_bounds,
)
from .population_posterior_batch import NextDataSetProbabilities, PopulationPosteriorBatch, degenerate_data_note, mean_spreads

TIMES = 1000.0  # so many times what the data show are the bounds of the priors of standard deviations


class BayesianHierarchical(RopeComparison):
    r"""Bayesian hierarchical comparison: is there a difference that matters on data sets like these, by all splits of all of them?

    On data set i the differences of n splits are normal around its true mean difference :math:`\mu_i`, with a standard deviation
    :math:`\sigma_i` of its own and the correlation :math:`\rho` of splits that share records.  The true mean differences are drawn
    from a population of data sets,

    .. math:: x_i \sim N(\mu_i, \Sigma(\sigma_i, \rho)), \qquad \mu_i \sim t_\nu(\mu_0, \sigma_0^2),

    of which nothing much was known before: :math:`\sigma_i` and :math:`\sigma_0` are uniform up to 1000 times what the data show,
    :math:`\mu_0` is uniform between :math:`-b` and :math:`b`, and :math:`\nu - 1` is a gamma variable whose shape and rate are uniform.
    The answer is the probability of each region to be the most probable one for the next data set.

    Parameters
    ----------
    d : array_like, shape (q, n) or (q, n, ...)
        Score of A less score of B: a line for each data set, a column for each of its splits; positive where A is better.  Further axes
        are independent repetitions.
    rho : float
        Correlation of two differences on one data set, from 0 to below 1: 1/k for k-fold cross-validation, repeated or not; for random
        splits the share of the records that is tested.  It must be stated.
    rope : float
        Half the width of the region of practical equivalence: differences of at most this, either way, do not matter.  In the unit of the
        scores, 0 or more (``float("inf")`` too), and fixed before seeing the data.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default A and B.
    alpha : float
        A region is decided for if its probability is at least 1 - alpha; the credible intervals leave so much outside.
    data_sets : list of str, optional
        Names of the data sets.
    reach : float or "largest"
        The largest mean difference, either way, that the prior thinks possible, in the unit of the scores (1 for accuracies); by default
        as large as the largest difference of a split.
    shape, rate : pair of float
        Between which numbers the prior has the shape and the rate of the gamma variable, uniformly.
    nodes : int
        Nodes of a panel of the grid, from 3 to 20: the more, the more exact, and the longer it takes.

    Notes
    -----
    Nothing is drawn at random.  The :math:`\sigma_i` are integrated out in closed form, the :math:`\mu_i` by quadrature for all
    data sets at once, and what is left are three numbers, on a grid that is laid where they are probable.  `grid_error` tells how much a
    grid with half the nodes changes the probabilities.

    Unlike the signed-rank test it knows how noisy each mean is.  `shrunk` are the means of the data sets, each
    drawn towards the others the more, the noisier it is.  A difference of a data set that seems large by luck is thus believed less.

    Where all differences of a data set are equal, its standard deviation is taken for a thousandth of the mean one (those who made the
    model add random noise instead).  Where the data show no spread of the means, or within data sets, the one that they show gives
    both bounds.  `remark` says so, and so it does where all differences are equal, or there is one data set only.

    That the degrees of freedom are above 1 stands in the program of the model's authors.

    Raises
    ------
    ValueError, TypeError
        For anything but a table of finite numbers, a rho that is not stated or outside [0, 1), a rope below 0, a level outside (0, 1),
        priors that are no pairs of positive numbers.

    References
    ----------
    Corani, Benavoli, Demsar, Mangili and Zaffalon (2017), Statistical comparison of classifiers through Bayesian hierarchical
    modelling, Machine Learning 106, pages 1817 to 1837.

    Examples
    --------
    Two data sets that mirror each other: neither side can be the more probable one, and each mean is drawn towards 0, by as much.

    >>> import fstats
    >>> test = fstats.BayesianHierarchical([[1, 2, 3], [-1, -2, -3]], rho=0.2, rope=0)
    >>> print(test.probabilities.round(9))
    [0.5 0.  0.5]
    >>> print(test.means, test.shrunk.sum().round(6) + 0.0, abs(test.shrunk[0]) < 2)
    [ 2. -2.] 0.0 True
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"c": REGIONS, "i": "data_sets"}
    in_report: ClassVar[Mapping[str, str]] = {
        "rho": "correlation {}",
        "mean_bound": "prior of the mean difference uniform up to {} either way",
    }
    asks = "The most probable outcome on the next data set like these is"

    d: Any = input_field(
        "x_{ij}", "Score of A less score of B on each split of each data set.", over="ij", check=differences_by_data_set, unit="score"
    )
    rho: float = input_field(
        r"\rho", "Correlation of the differences on two splits of a data set.", check=split_correlation, default=NO_DEFAULT
    )
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None, kw_only=True)
    reach: float | str = input_field(
        r"\text{reach}",
        "The largest mean difference that the prior thinks possible.",
        check=reach_or_largest,
        default="largest",
        kw_only=True,
        unit="score",
    )
    shape: Any = input_field(
        r"\alpha_\nu",
        "Between these is the shape of the gamma prior of the degrees of freedom.",
        over="e",
        check=uniform_prior_bounds,
        default=Interval(np.float64(0.5), np.float64(5.0)),
        kw_only=True,
    )
    rate: Any = input_field(
        r"\beta_\nu",
        "Between these is its rate.",
        over="e",
        check=uniform_prior_bounds,
        default=Interval(np.float64(0.05), np.float64(0.15)),
        kw_only=True,
    )
    nodes: int = input_field("k", "So many nodes has a panel of the grid.", check=node_count, default=5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if values.get("data_sets") is not None and (table := values.get("d", values.get("means"))) is not None:
            values["data_sets"] = tables.distinct_names(values["data_sets"], len(table), "data_sets", "data set")

    @classmethod
    def from_results(cls, results: Any, *, labels: Any = None, **settings: Any) -> Self:
        """The comparison of two classifiers by all folds of :class:`fstats.Results`, whose data sets may have any numbers of them.

        ``labels`` names the two, A first, unless there are but two; rho must be stated, since results do not tell how folds were cut.
        """
        names, d, n = differences_on_folds(results, labels, cls.__name__)
        settings = {"labels": names, "data_sets": results.data_sets} | settings
        if len(set(n)) == 1:
            return cls(np.array(d), **settings)
        rows = [cls(row[None], rho=0, rope=0) for row in d]  # the steps of each line alone
        shown: dict[str, Any] = {name: [getattr(row, name)[0] for row in rows] for name in ("n", "means", "sds")}
        if settings.get("reach", "largest") == "largest":
            shown["mean_bound"] = max(float(row.mean_bound) for row in rows)
        return cls.from_steps(**(shown | {"rho": NO_DEFAULT} | settings))

    @step("n_i", r"\#\{j : $d\}", over="i", check=for_each_data_set(check.count(1)))
    def n(self) -> Array:
        """Number of splits of each data set."""
        return np.full(len(self.d), float(self.d.shape[1]))

    @step(r"\bar x_i", r"\frac{1}{$n} \sum_j $d", over="i", check=check.numbers_of_min_length(1), unit="score")
    def means(self) -> Array:
        """Mean difference on each data set; positive where A is better."""
        return (self.d.sum(1).T / self.n).T

    @step("s_i", r"\sqrt{\frac{1}{$n - 1} \sum_j ($d - $means)^2}", over="i", check=for_each_data_set(check.nonnegative), unit="score")
    def sds(self) -> Array:
        """Standard deviation of the differences over the splits (0 for one alone, which does not tell it)."""
        if (self.n == 1).any():
            return np.zeros_like(self.means)
        return standard_deviation(np.moveaxis(self.d, 1, 0), self.means, self.n[0] - 1)

    @property
    def prior_of_mean(self) -> str:
        """Whether the bound of the mean difference is stated or follows from the data."""
        return "largest" if self.reach == "largest" else "stated"

    @step("b", {"largest": r"\max_{ij} |$d|", "stated": "$reach"}, by="prior_of_mean", check=check.nonnegative, unit="score")
    def mean_bound(self) -> Value:
        """The prior has the mean of the population uniform between minus this and this."""
        return np.abs(self.d).max((0, 1)) if self.reach == "largest" else np.float64(self.reach)

    @step(r"\bar\sigma", r"1000 \cdot \text{mean of } $sds <- $means $n", check=check.nonnegative, unit="score")
    def sd_bound(self) -> Value:
        """The prior has the standard deviation within each data set uniform up to this."""
        within, among = mean_spreads(self.sds, self.means, self.n)
        return TIMES * np.where(within > 0, within, among)[()]

    @step(r"\bar\sigma_0", r"1000 \cdot \text{standard deviation of } $means <- $sds $n", check=check.nonnegative, unit="score")
    def scale_bound(self) -> Value:
        """The prior has the scale of the population uniform up to this."""
        within, among = mean_spreads(self.sds, self.means, self.n)
        return TIMES * np.where(among > 0, among, within)[()]

    @step(
        r"(\mu_0, \sigma_0, \nu)",
        r"p(\mu_0, \sigma_0, \nu)\,\prod_i \int \int N(x_i; \mu, \Sigma(\sigma, \rho))\,t_\nu(\mu; \mu_0, \sigma_0^2)\,d\sigma\,d\mu "
        "<- $n $means $sds $rho $mean_bound $sd_bound $scale_bound $shape $rate $nodes",
        relation=r"\sim",
    )
    def population(self) -> PopulationPosteriorBatch:
        """What is believed of the population of data sets: its mean, its scale and its degrees of freedom."""
        return PopulationPosteriorBatch(
            self.n,
            self.means,
            self.sds,
            self.rho,
            self.mean_bound,
            self.sd_bound,
            self.scale_bound,
            (float(self.shape[0]), float(self.shape[1])),
            (float(self.rate[0]), float(self.rate[1])),
            self.nodes,
        )

    @step(
        r"\theta",
        r"\left(P(\mu < -$rope),\ P(-$rope \leq \mu \leq $rope),\ P(\mu > $rope)\right),\ \mu \sim t_\nu(\mu_0, \sigma_0^2) <- $population",
    )
    def posterior(self) -> NextDataSetProbabilities:
        """How probable the three regions are for the true mean difference on the next data set: three numbers that are not known."""
        return NextDataSetProbabilities(self.population, self.rope)

    @step(r"E[\theta_c]", r"\text{mean of } ${posterior}_c", over="c", check=check.proportion)
    def expected(self) -> Array:
        """Expected probability of each region for the next data set."""
        return self.posterior.expected()

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability of each region that it is the most probable one for the next data set."""
        return self.posterior.largest()

    @step(
        r"\epsilon_c",
        r"\text{how far } P_c \text{ is from that of a grid with half the nodes } <- $posterior",
        over="c",
        check=check.nonnegative,
        after=True,
    )
    def grid_error(self) -> Array:
        """How much a coarser grid changes the probabilities: they are more exact than that."""
        return self.posterior.error()

    @step(
        r"\mathrm{CrI}",
        r"\text{ends that leave } \frac{$alpha}{2} \text{ of } \mu_0 \text{ on either side } <- $population",
        over="e",
        after=True,
        check=result_checks.interval_ends,
        unit="score",
    )
    def credible(self) -> Interval:
        """Credible interval of the population's mean: it lies in it with probability 1 - alpha."""
        return self.population.credible(self.alpha)

    @step(r"E[\mu_i]", r"\text{mean of } \mu_i <- $population", over="i", check=check.numbers_of_min_length(1), after=True, unit="score")
    def shrunk(self) -> Array:
        """What is expected of the true mean difference on each data set: its mean, drawn towards the others."""
        return self.population.shrunk()

    @step("l_i", r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies below } <- $population", over="i", after=True, unit="score")
    def shrunk_low(self) -> Array:
        """Lower end of the credible interval of each true mean difference."""
        return self.population.intervals(self.alpha)[0]

    @step("h_i", r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies above } <- $population", over="i", after=True, unit="score")
    def shrunk_high(self) -> Array:
        """Upper end of it."""
        return self.population.intervals(self.alpha)[1]

    def _rows(self) -> Iterator[Row]:
        """The rows; where data sets have no names, none that tells them."""
        return (row for row in super()._rows() if row.name != "data_sets" or row.value is not None)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are; otherwise the credible interval, and how exact the grid is."""
        means, sds, n = self.known("means"), self.known("sds"), self.known("n")
        if means is None or sds is None or n is None:
            return ""
        odd = degenerate_data_note(sds, means, n)
        if not any(mean_spreads(sds, means, n)):
            return odd
        ends, error = self.credible, max(float(self.grid_error.max()), 1e-9)
        decade = 10 ** np.floor(np.log10(error))
        most = decade * next(step for step in (1, 2, 5, 10) if error <= step * decade)
        sure = f"With probability {format_plain(1 - self.alpha)} the mean of such data sets lies between {format_plain(ends.low)} and {format_plain(ends.high)}."
        exact = f"Computed on a grid; with half its nodes no probability changes by more than {most:g}."
        return f"{sure} {odd or exact}"  # `grid_error` stands among the steps
