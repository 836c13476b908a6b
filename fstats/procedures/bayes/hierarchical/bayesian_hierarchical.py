"""Bayesian hierarchical model for cross-validation scores of two classifiers."""

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
from ...limited_number import limited
from ..bayesian_correlated_t import correlation
from ..bayesian_signed_rank import BayesianSignedRank
from ..fold_differences import differences_on_folds
from ..rope_comparison import REGIONS, RopeComparison
from .population_posterior_batch import NextDataSetProbabilities, PopulationPosteriorBatch, degenerate_data_note, mean_spreads

BOUND_FACTOR = 1000.0  # ratio of the upper bound of the uniform prior of a standard deviation to the standard deviation in the data


MAX_NODES = 20


split_correlation = limited(correlation, lambda x: x < 1, "below 1, so that the splits give information about the mean")


def differences_by_data_set(value: Any, name: str) -> Array:
    """Check differences with one row for each data set and one column for each split."""
    try:
        x = check.numbers(value, name)
    except ValueError as error:
        if "different lengths" not in str(error):
            raise
        raise ValueError(
            f"`{name}` must have equally many splits on each data set; got rows of different lengths. Pass summaries: from_steps(n=[...], "
            "means=[...], sds=[...], mean_bound=..., rho=..., rope=...)."
        ) from None
    if x.ndim < 2 or not x.size:
        rule = "a table with a row for each data set and a column for each split"
        raise ValueError(f"`{name}` must be {rule}; got {check.format_received_value(value)}")
    return x


def for_each_data_set(value_check: Any) -> Any:
    """Create a check of a list with one entry for each data set."""

    def checked(value: Any, name: str) -> Array:
        x = value_check(value, name)
        if np.ndim(x) == 0:
            raise ValueError(f"`{name}` must be a list with one entry for each data set; got {check.format_received_value(value)}")
        return np.asarray(x, float)

    return checked


def uniform_prior_bounds(value: Any, name: str) -> Interval:
    """Check the ends of a uniform prior: two numbers above 0, the smaller one first; both may be equal."""
    ends = result_checks.interval_ends(value, name)
    if np.ndim(ends.low) or not 0 < ends.low <= ends.high < np.inf:
        raise ValueError(f"`{name}` must be a pair of numbers above 0; got {check.format_received_value(value)}")
    return Interval(np.float64(ends.low), np.float64(ends.high))


def reach_or_largest(value: Any, name: str) -> float | str:
    """Check the bound of the mean difference: one number above 0, or "largest"."""
    if isinstance(value, str):
        return str(check.choice("largest")(value, name))
    return float(check.single_number(check.positive)(value, name))


# checks the number of nodes in each panel of the quadrature grid
node_count = check.single_number(check.count(3, MAX_NODES, "or it takes too long"))


class BayesianHierarchical(RopeComparison):
    r"""Bayesian hierarchical comparison: do two classifiers differ by a relevant amount on data sets like the data sets of the sample?

    Origin: published, Corani, Benavoli, Demsar, Mangili and Zaffalon (2017).

    On data set i the differences on the n splits are normal around :math:`\mu_i`, the true mean difference on this data set.  The
    differences on data set i have the standard deviation :math:`\sigma_i` and, because splits share records, the correlation :math:`\rho`.
    The true mean differences come from a population of data sets,

    .. math:: x_i \sim N(\mu_i, \Sigma(\sigma_i, \rho)), \qquad \mu_i \sim t_\nu(\mu_0, \sigma_0^2).

    The priors contain little information: :math:`\sigma_i` and :math:`\sigma_0` are uniform up to 1000 times the values in the data.  The
    prior of :math:`\mu_0` is uniform between :math:`-b` and :math:`b`.  The prior of :math:`\nu - 1` is a gamma distribution whose shape
    and rate are uniform.  On the next data set, each of the three regions has an unknown probability.  The comparison returns the
    posterior probability that the probability of a region is the largest of the three.

    Parameters
    ----------
    d : array_like, shape (q, n) or (q, n, ...)
        Score of A minus score of B: one row for each data set, one column for each of its splits; positive if A is better.  Further axes
        are independent repetitions.
    rho : float
        Correlation of two differences on one data set, from 0 to below 1: 1/k for k-fold cross-validation, repeated or not; for random
        splits the share of test records.  rho has no default.
    rope : float
        Largest difference that does not matter in practice: half the width of the region of practical equivalence (ROPE).  The rope is at
        least 0 (``float("inf")`` is allowed), in the unit of the scores.  Choose the rope before you look at the data.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alpha : float
        The decision is for a region if the probability of the region is at least 1 - alpha.  Credible intervals have probability 1 -
        alpha.
    data_sets : list of str, optional
        Names of the data sets.
    reach : float or "largest"
        Largest absolute mean difference that the prior allows, in the unit of the scores (1 for accuracies).  "largest" (the default)
        means the largest absolute difference on a split.
    shape, rate : pair of float
        Ranges of the uniform priors of the shape and the rate of the gamma variable.
    nodes : int
        Number of nodes in a panel of the grid, from 3 to 20: more nodes are more exact and slower.

    Notes
    -----
    The computation uses no random draws.  The :math:`\sigma_i` are integrated out in closed form, the :math:`\mu_i` by quadrature for all
    data sets at once.  The remaining three parameters lie on a grid in their probable range.  `grid_error` is the change of the
    probabilities on a grid with half the nodes.

    Unlike the signed-rank test, this model uses the uncertainty of each mean.  `shrunk` are the expected means of the data sets.  Means
    with more random variation are shrunk more towards the other means, so a large difference that may be due to chance has less
    influence.

    If all differences of a data set are equal, its standard deviation is set to a thousandth of the mean standard deviation (the authors
    of the model add random noise instead).  If the means have no spread, or the differences within data sets have no spread, both prior
    bounds come from the other spread.  `remark` reports such degenerate data, and also equal differences on all data sets, or a single
    data set.

    The prior limits the degrees of freedom to values above 1, as the program of the model's authors does.

    Raises
    ------
    ValueError, TypeError
        For a table that does not hold finite numbers, a rho that is not stated or outside [0, 1), a rope below 0, a level outside (0, 1),
        priors that are not pairs of positive numbers.

    References
    ----------
    Corani, Benavoli, Demsar, Mangili and Zaffalon (2017), Statistical comparison of classifiers through Bayesian hierarchical
    modelling, Machine Learning 106, pages 1817 to 1837.

    Examples
    --------
    On two data sets with opposite differences, both sides are equally probable, and both means are shrunk towards 0 by the same amount.

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
        "mean_bound": "uniform prior of the mean difference up to {} in either direction",
    }
    conclusion_opening = "The most probable outcome on the next data set like these is"

    d: Any = input_field(
        "x_{ij}", "Score of A minus score of B on each split of each data set.", over="ij", check=differences_by_data_set, unit="score"
    )
    rho: float = input_field(
        r"\rho", "Correlation of the differences on two splits of a data set.", check=split_correlation, default=NO_DEFAULT
    )
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None, kw_only=True)
    _reach_sentence = "Largest mean difference that the prior allows."
    reach: float | str = input_field(
        r"\text{reach}", _reach_sentence, check=reach_or_largest, default="largest", kw_only=True, unit="score"
    )
    shape: Any = input_field(
        r"\alpha_\nu",
        "Range of the shape of the gamma prior of the degrees of freedom.",
        over="e",
        check=uniform_prior_bounds,
        default=Interval(np.float64(0.5), np.float64(5.0)),
        kw_only=True,
    )
    rate: Any = input_field(
        r"\beta_\nu",
        "Range of the rate of the gamma prior of the degrees of freedom.",
        over="e",
        check=uniform_prior_bounds,
        default=Interval(np.float64(0.05), np.float64(0.15)),
        kw_only=True,
    )
    nodes: int = input_field("k", "Number of nodes in a panel of the grid.", check=node_count, default=5, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if values.get("data_sets") is not None and (table := values.get("d", values.get("means"))) is not None:
            values["data_sets"] = tables.distinct_names(values["data_sets"], len(table), "data_sets", "data set")

    @classmethod
    def from_results(cls, results: Any, *, labels: Any = None, **settings: Any) -> Self:
        """Create the comparison from all folds of :class:`fstats.Results`; data sets may have different numbers of folds.

        ``labels`` names two classifiers, A first; it may be left out if there are only two classifiers.  rho must be given, because
        results do not contain the kind of splits.
        """
        names, d, n = differences_on_folds(results, labels, cls.__name__)
        settings = {"labels": names, "data_sets": results.data_sets} | settings
        if len(set(n)) == 1:
            return cls(np.array(d), **settings)
        # compute the mean and standard deviation of each data set separately, because the numbers of folds differ
        rows = [cls(row[None], rho=0, rope=0) for row in d]
        stated: dict[str, Any] = {name: [getattr(row, name)[0] for row in rows] for name in ("n", "means", "sds")}
        if settings.get("reach", "largest") == "largest":
            stated["mean_bound"] = max(float(row.mean_bound) for row in rows)
        return cls.from_steps(**(stated | {"rho": NO_DEFAULT} | settings))

    @step("n_i", r"\#\{j : $d\}", over="i", check=for_each_data_set(check.count(1)))
    def n(self) -> Array:
        """Number of splits of each data set."""
        return np.full(len(self.d), float(self.d.shape[1]))

    @step(r"\bar x_i", r"\frac{1}{$n} \sum_j $d", over="i", check=check.numbers_of_min_length(1), unit="score")
    def means(self) -> Array:
        """Mean difference on each data set; positive if A is better."""
        return (self.d.sum(1).T / self.n).T

    @step("s_i", r"\sqrt{\frac{1}{$n - 1} \sum_j ($d - $means)^2}", over="i", check=for_each_data_set(check.nonnegative), unit="score")
    def sds(self) -> Array:
        """Standard deviation of the differences over the splits (0 for a single split, which gives no information)."""
        if (self.n == 1).any():
            return np.zeros_like(self.means)
        return standard_deviation(np.moveaxis(self.d, 1, 0), self.means, self.n[0] - 1)

    @property
    def prior_of_mean(self) -> str:
        """Source of the bound of the mean difference: "stated" by the user, or "largest" difference in the data."""
        return "largest" if self.reach == "largest" else "stated"

    @step("b", {"largest": r"\max_{ij} |$d|", "stated": "$reach"}, by="prior_of_mean", check=check.nonnegative, unit="score")
    def mean_bound(self) -> Value:
        """Bound of the uniform prior of the population mean, from minus this value to this value."""
        return np.abs(self.d).max((0, 1)) if self.reach == "largest" else np.float64(self.reach)

    @step(r"\bar\sigma", r"1000 \cdot \text{mean of } $sds <- $means $n", check=check.nonnegative, unit="score")
    def sd_bound(self) -> Value:
        """Upper bound of the uniform prior of the standard deviation within each data set."""
        within, among = mean_spreads(self.sds, self.means, self.n)
        return BOUND_FACTOR * np.where(within > 0, within, among)[()]

    @step(r"\bar\sigma_0", r"1000 \cdot \text{standard deviation of } $means <- $sds $n", check=check.nonnegative, unit="score")
    def scale_bound(self) -> Value:
        """Upper bound of the uniform prior of the scale of the population."""
        within, among = mean_spreads(self.sds, self.means, self.n)
        return BOUND_FACTOR * np.where(among > 0, among, within)[()]

    @step(
        r"(\mu_0, \sigma_0, \nu)",
        r"p(\mu_0, \sigma_0, \nu) \prod_i \int \int N(x_i; \mu, \Sigma(\sigma, \rho))\,t_\nu(\mu; \mu_0, \sigma_0^2)\,d\sigma\,d\mu "
        "<- $n $means $sds $rho $mean_bound $sd_bound $scale_bound $shape $rate $nodes",
        relation=r"\sim",
    )
    def population(self) -> PopulationPosteriorBatch:
        """Posterior of the population of data sets: its mean, its scale and its degrees of freedom."""
        shape, rate = ((float(low), float(high)) for low, high in (self.shape, self.rate))
        bounds = self.mean_bound, self.sd_bound, self.scale_bound
        return PopulationPosteriorBatch(self.n, self.means, self.sds, self.rho, *bounds, shape, rate, self.nodes)

    @step(
        r"\theta",
        r"\left(P(\mu < -$rope),\ P(-$rope \leq \mu \leq $rope),\ P(\mu > $rope)\right),\ \mu \sim t_\nu(\mu_0, \sigma_0^2) <- $population",
    )
    def posterior(self) -> NextDataSetProbabilities:
        """Posterior of the probabilities of the three regions for the true mean difference on the next data set."""
        return NextDataSetProbabilities(self.population, self.rope)

    expected = BayesianSignedRank.expected.restated("Expected probability of each region for the next data set.")

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability, for each region, that it is the most probable region for the next data set."""
        return self.posterior.largest()

    _grid_error_formula = r"\text{how far } P_c \text{ is from that of a grid with half the nodes } <- $posterior"

    @step(r"\epsilon_c", _grid_error_formula, over="c", check=check.nonnegative, after=True)
    def grid_error(self) -> Array:
        """Change of the probabilities on a coarser grid, which is larger than the error of the probabilities."""
        return self.posterior.error()

    _credible_formula = r"\text{ends that leave } \frac{$alpha}{2} \text{ of } \mu_0 \text{ on either side } <- $population"

    @step(r"\mathrm{CrI}", _credible_formula, over="e", after=True, check=result_checks.interval_ends, unit="score")
    def credible(self) -> Interval:
        """Credible interval, which contains the population mean with probability 1 - alpha."""
        return self.population.credible(self.alpha)

    @step(r"E[\mu_i]", r"\text{mean of } \mu_i <- $population", over="i", check=check.numbers_of_min_length(1), after=True, unit="score")
    def shrunk(self) -> Array:
        """Expected true mean difference on each data set: its observed mean, shrunk towards the means of the other data sets."""
        return self.population.shrunk()

    @step("l_i", r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies below } <- $population", over="i", after=True, unit="score")
    def shrunk_low(self) -> Array:
        """Lower end of the credible interval of each true mean difference."""
        return self.population.intervals(self.alpha)[0]

    @step("h_i", r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies above } <- $population", over="i", after=True, unit="score")
    def shrunk_high(self) -> Array:
        """Upper end of the credible interval of each true mean difference."""
        return self.population.intervals(self.alpha)[1]

    def _rows(self) -> Iterator[Row]:
        """Yield the rows of a worked example, without the row `data_sets` if the data sets have no names."""
        return (row for row in super()._rows() if row.name != "data_sets" or row.value is not None)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data; for other data the credible interval and the precision of the grid."""
        means, sds, n = (self.get_or_default(name, None) for name in ("means", "sds", "n"))
        if means is None or sds is None or n is None:
            return ""
        degenerate_note = degenerate_data_note(sds, means, n)
        if not any(mean_spreads(sds, means, n)):
            return degenerate_note
        error = max(float(self.grid_error.max()), 1e-9)
        decade = 10 ** np.floor(np.log10(error))
        rounded_error = decade * next(step for step in (1, 2, 5, 10) if error <= step * decade)
        low, high = map(format_plain, self.credible)
        interval_note = f"With probability {format_plain(1 - self.alpha)} the mean of such data sets lies between {low} and {high}."
        grid_note = f"Computed on a grid; with half its nodes no probability changes by more than {rounded_error:g}."
        return f"{interval_note} {degenerate_note or grid_note}"
