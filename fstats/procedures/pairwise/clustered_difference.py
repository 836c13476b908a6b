"""Paired t-test with cluster-robust standard error."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import computed_relative_noise, round_noise_to_zero
from ...core.numerics.sums_of_squares import power_of_two_unit
from ...core.numerics.zero_division import ratio, square_root
from ...core.step import count_step, input_field, step
from ...core.validation import check, class_labels
from ...core.value_types import Array, Value
from .confidence_interval import no_spread_note
from .paired_t import PairedT

FEW_CLUSTERS = 10  # with fewer clusters, p may be much too small if one cluster is large


def check_argument_order(a: Any, b: Any, clusters: Any) -> None:
    """Raise ValueError if the values of `clusters` look like scores."""
    if clusters.dtype.kind not in "biuf":
        return
    names = np.asarray(clusters, float)
    is_score = bool((names != np.rint(names)).any())
    if not is_score and a is not None and b is not None and len(np.unique(names)) == 2:
        binary = all(set(np.unique(x)) == {0.0, 1.0} for x in (names, b))
        is_score = binary and len(np.unique(a)) > 2 and bool((a == np.rint(a)).all())
    if is_score:
        got = check.format_received_value(np.unique(clusters)[:4].tolist())
        raise ValueError(
            f"`clusters` must name the cluster of each record, not scores; got {got}. Write `ClusteredDifference(a, b, clusters)`."
        )


class ClusteredDifference(PairedT):
    r"""Paired t-test on clusters: do two classifiers differ in mean score if the records of a cluster depend on each other?

    Origin: published, Cameron and Miller (2015); Miller (2024).

    Examples of clusters are the questions about one text, the pages of one document or the scans of one patient.  If classifier A has the
    higher score on one record of a cluster, classifier A probably has the higher score on the other records of this cluster, too.  Because
    of this dependence, n records in clusters carry less information than n independent records.  The deviations in each cluster are added
    up before squaring,

    .. math:: u_g = \sum_{i : g_i = g} (d_i - \bar d), \qquad
              \mathrm{SE} = \frac{1}{n} \sqrt{\frac{G}{G - 1} \sum_g u_g^2}, \qquad t = \frac{\bar d}{\mathrm{SE}},

    so deviations of the same sign in a cluster increase the standard error.  The statistic t is compared with Student's t distribution
    with G - 1 degrees of freedom, where G is the number of clusters.  If each cluster has one record, the test is the same as
    :class:`fstats.PairedT`.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 2 records, in the same order; higher is better.  Scores may have any unit: 1 (right)
        and 0 (wrong), points, or minus the loss.  Each further axis holds independent repetitions, and each repetition is a separate
        test.
    clusters : array_like, shape (n,) or (n, ...)
        The cluster of each record, as text or numbers; at least 2 clusters.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, each difference is B minus A, so that a positive difference still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "question"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (true mean difference above 0), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Clusters must be independent of each other; records within a cluster may depend on each other in any way.  Every record has
    the same weight, so a large cluster weighs more than a small one.  To give every cluster the same weight, average the scores
    within each cluster and use :class:`fstats.PairedT` on the means.

    `naive_se` is the standard error under the assumption that all records are independent.  `design_effect` is the square of
    `se` / `naive_se`.  `effective_n` = n / design effect is the number of independent records that carry the same information.
    A design effect below 1 is possible if differences of opposite sign within a cluster balance each other.

    The test needs enough clusters of similar size.  In simulations (``test_clustered_difference.py``) H0 was true and differences were
    normal, with half of the variance between clusters.  With clusters of equal size the test kept alpha = 0.05, even with only 5
    clusters.  If one of 10 clusters held half of the records, the test rejected H0 in 19 % of all trials; with 2 large clusters among 30,
    it rejected H0 in 9 %.  The t-test on all records rejected H0 in 40 to 75 % of the trials.  See Cameron and Miller, section VI, and
    the references there for other methods.

    If the deviations add up to 0 in every cluster, the standard error is 0.  With a standard error of 0, a mean difference of 0 has t = 0
    and p = 1 (one-sided 0.5).  Any other mean difference has an infinite t and p = 0; `remark` explains this result.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, the clusters do not match the records, there are fewer than two clusters, a value is not a finite
        number, the alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv 2411.00640, section 2.2
    (clustered standard errors; without the factor G / (G - 1)) and section 4.2 (paired differences).  Cameron and Miller (2015), A
    practitioner's guide to cluster-robust inference, Journal of Human Resources 50, pages 317 to 372, Eq. 11 with the factor of section
    II.B, and section VI (G - 1 degrees of freedom).

    Examples
    --------
    The differences 1, 1 (first cluster) and 0, 0 (second cluster) have the mean 1/2.  The deviations of the clusters add up to 1 and -1,
    so SE = sqrt(2 (1 + 1)) / 4 = 1/2 and t = 1 with one degree of freedom.  For independent records, the SE would be sqrt(1/3) / 2.

    >>> import fstats
    >>> test = fstats.ClusteredDifference([1, 1, 1, 0], [0, 0, 1, 0], ["x", "x", "y", "y"])
    >>> print(test.statistic, test.df, round(test.pvalue, 6), round(test.naive_se, 4), round(test.effective_n, 4))
    1.0 1.0 0.5 0.2887 1.3333
    """

    default_unit = "record"

    clusters: Any = input_field("g_i", "The cluster of each record.", over="i", check=partial(class_labels.record_labels, what="cluster"))

    def __post_init__(self) -> None:
        super().__post_init__()
        a, clusters = self.__dict__.get("a"), self.__dict__.get("clusters")
        if clusters is None:
            return
        check_argument_order(a, self.__dict__.get("b"), clusters)
        if a is not None:
            class_labels.check_label_shape(clusters, a, "clusters", "cluster", "a")
        if (self.cluster_count < 2).any():
            raise ValueError("`clusters` must name at least 2 clusters; got 1. Give at least one record to a second cluster.")

    d = PairedT.d.restated("Difference on each record; positive if A is better.")

    n = count_step("n", "d", "i", "Number of records.", check=check.count(2))

    @step("n_g", r"\#\{i : $clusters = g\}", over="g", check=check.counts)
    def cluster_sizes(self) -> Array:
        """Number of records in each cluster."""
        return self._cluster_totals(np.ones(self.clusters.shape))

    @step("G", r"\#\{g : $cluster_sizes > 0\}", check=check.count(2))
    def cluster_count(self) -> Value:
        """Number of clusters."""
        return (self.cluster_sizes > 0).sum(0).astype(float)

    @step("u_g", r"\sum_{i : $clusters = g} ($d - $mean)", over="g", unit="score")
    def cluster_sums(self) -> Array:
        """Sum of the deviations from the mean in each cluster; deviations of opposite sign balance each other."""
        sums = self._cluster_totals(self.d - self.mean)
        return np.asarray(round_noise_to_zero(sums, np.abs(self.d).sum(0), computed_relative_noise(self.d)))

    def _cluster_totals(self, x: Array) -> Array:
        """Return the sum of the values `x` over the records of each cluster."""
        names, index = np.unique(self.clusters, return_inverse=True)
        index = index.reshape(self.clusters.shape)
        sums = np.zeros((len(names), *x.shape[1:]))
        np.add.at(sums, index if index.ndim == 1 else (index, *np.ogrid[tuple(map(slice, x.shape[1:]))]), x)
        return sums

    _se_formula = r"\frac{1}{$n} \sqrt{\frac{$cluster_count}{$cluster_count - 1} \sum_g $cluster_sums^2}"

    @step(r"\mathrm{SE}", _se_formula, check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean difference if clusters are independent but the records within a cluster are not."""
        # divide the sums by a power of two, so that their squares neither overflow nor underflow
        scale = power_of_two_unit(self.cluster_sums)
        squares = ((self.cluster_sums / scale) ** 2).sum(0)
        return scale * np.sqrt(self.cluster_count / (self.cluster_count - 1) * squares) / self.n

    @step(r"\nu", "$cluster_count - 1", check=check.count(1))
    def df(self) -> Value:  # type: ignore[override]
        """Degrees of freedom: number of clusters minus 1, because the mean difference is estimated from the data."""
        return self.cluster_count - 1

    @step(r"\mathrm{SE}_0", r"\frac{$sd}{\sqrt{$n}}", after=True, check=check.nonnegative, unit="score")
    def naive_se(self) -> Value:
        """Standard error of the mean difference under the assumption that all records are independent."""
        return self.sd / square_root(self.n)

    @step(r"\mathrm{deff}", r"\left(\frac{$se}{$naive_se}\right)^2", after=True, check=check.nonnegative)
    def design_effect(self) -> Value:
        """Design effect: variance of the mean difference divided by its variance for independent records."""
        return ratio(self.se, self.naive_se) ** 2

    @step("n_e", r"\frac{$n}{$design_effect}", after=True, check=check.nonnegative)
    def effective_n(self) -> Value:
        """Effective sample size: number of independent records that carry as much information as the given records."""
        return ratio(self.n, self.design_effect)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the design effect of the clusters."""
        if note := no_spread_note(
            self, "mean", "The differences add up to 0 in every cluster", "The mean difference is {} in every cluster"
        ):
            return note
        if np.ndim(self.statistic):
            return ""
        warning, sizes = "", self.get_or_default("cluster_sizes", None)
        if self.cluster_count < FEW_CLUSTERS and sizes is not None:
            warning = (
                f" With so few clusters, p is right only if they are about equally large (the largest has {format_plain(sizes.max())} "
                "records): in simulations in which one of 10 clusters held half of the records, H0 was rejected in 19 % of all trials."
            )
        n, clusters, effective_n = map(format_plain, (self.n, self.cluster_count, self.effective_n))
        if self.effective_n > self.n:
            return (
                f"The means of the {clusters} clusters vary less than with independent records (design effect "
                f"{format_plain(self.design_effect)}), perhaps by chance.{warning}"
            )
        return (
            f"{n} records in {clusters} clusters carry as much information as {effective_n} independent records "
            f"(design effect {format_plain(self.design_effect)}).{warning}"
        )
