"""The paired t-test where records come in clusters."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...core.classifier_pair import directed_formula
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import computed_relative_noise, noise_free_difference, round_noise_to_zero
from ...core.numerics.sums_of_squares import power_of_two_unit
from ...core.numerics.zero_division import ratio, square_root
from ...core.step import input_field, step
from ...core.validation import check, class_labels
from ...core.value_types import Array, Value
from .confidence_interval import no_spread_note
from .paired_t import PairedT

FEW = 10  # clusters, of which a large one makes p too small


def check_argument_order(a: Any, b: Any, clusters: Any) -> None:
    """Raise an error if what should name the clusters looks like scores."""
    if clusters.dtype.kind not in "biuf":
        return
    names = np.asarray(clusters, float)
    scored = bool((names != np.rint(names)).any())
    if not scored and a is not None and b is not None and len(np.unique(names)) == 2:
        binary = all(set(np.unique(x)) == {0.0, 1.0} for x in (names, b))
        scored = binary and len(np.unique(a)) > 2 and bool((a == np.rint(a)).all())
    if scored:
        raise ValueError(
            f"clusters must name the cluster of each record; got {check.format_received_value(np.unique(clusters)[:4].tolist())}, as scores are: "
            "the order is ClusteredDifference(a, b, clusters)"
        )


class ClusteredDifference(PairedT):
    r"""Paired t-test on clusters: do two classifiers differ in mean score over records that come in families and share their luck?

    Questions about one text, pages of one document, scans of one patient: if A does better on one of them, it is likely to do better on
    the others.  Then n records say less than n independent ones.  The deviations of a cluster are added up before they are squared,

    .. math:: u_g = \sum_{i : g_i = g} (d_i - \bar d), \qquad
              \mathrm{SE} = \frac{1}{n} \sqrt{\frac{G}{G - 1} \sum_g u_g^2}, \qquad t = \frac{\bar d}{\mathrm{SE}},

    so that those of one sign in a cluster count together, and t is compared with Student's t distribution with G - 1 degrees of freedom,
    G being the number of clusters.  With clusters of one record it is :class:`fstats.PairedT`.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 2 records, in the same order; higher is better, any unit: 1 and 0 for right and wrong,
        points, minus the loss.  Further axes are independent repetitions, each a test of its own.
    clusters : array_like, shape (n,) or (n, ...)
        The cluster of each record: text or numbers; at least 2 clusters.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default those of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: then differences are B's less A's, so that they are positive where A is better as well.
    metric, unit : str
        What the scores are, such as "RMSE", and what each is of, such as "question"; sentences use these words.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (true mean difference above 0), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Clusters must be independent of each other; within one anything may be.  Every record counts alike, so a large cluster weighs more
    than a small one; to give every cluster the same weight, average within clusters and use :class:`fstats.PairedT` on the means.

    `naive_se` is the standard error that takes all records for independent, `design_effect` the square of how much larger the right one
    is, and `effective_n` = n / design effect the number of independent records that would say as much.  A design effect below 1 is
    possible: the differences within clusters then balance each other.

    What counts is the number of clusters, G, and that none is much larger than the others.  In simulated normal differences, half of
    whose variance is the cluster's, clusters of equal size keep alpha = 0.05, as few as 5 of them; where one of 10 clusters holds half of
    the records, H0 is rejected in 19 % of all trials, and with 2 large ones among 30 in 9 % (``test_clustered_difference.py``; the
    t-test on all records rejects in 40 to 75 %).  See Cameron and Miller, section VI, and for other ways their references.

    Where all clusters add up to nothing there is no spread between them: a mean difference of 0 has t = 0 and p = 1 (one-sided 0.5),
    any other an infinite t and p = 0; `remark` says so.

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, clusters that do not match the records, fewer than two clusters, anything but finite numbers, an
        unknown alternative, a level outside (0, 1).

    References
    ----------
    Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv 2411.00640, section 2.2
    (clustered standard errors; without the factor G / (G - 1)) and section 4.2 (paired differences).  Cameron and Miller (2015), A
    practitioner's guide to cluster-robust inference, Journal of Human Resources 50, pages 317 to 372, Eq. 11 with the factor of section
    II.B, and section VI (G - 1 degrees of freedom).

    Examples
    --------
    Differences 1, 1, 0, 0 in two clusters of two, around 1/2: the clusters add up to 1 and -1, so SE = sqrt(2 (1 + 1)) / 4 = 1/2 and
    t = 1 with one degree of freedom.  Taken for independent they would have SE = sqrt(1/3) / 2.

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
            raise ValueError("clusters must name at least 2 clusters; got 1: with all records in one there is nothing to compare it with")

    @step("d_i", directed_formula("$a - $b"), by="higher_is_better", over="i", check=check.scores, unit="score")
    def d(self) -> Array:
        """Difference on each record; positive where A is better."""
        return noise_free_difference(*self.terms)

    @step("n", r"\#\{i : $d\}", check=check.count(2))
    def n(self) -> int:
        """Number of records."""
        return len(self.d)

    @step("n_g", r"\#\{i : $clusters = g\}", over="g", check=check.counts)
    def cluster_sizes(self) -> Array:
        """Records of each cluster."""
        return self._added(np.ones(self.clusters.shape))

    @step("G", r"\#\{g : $cluster_sizes > 0\}", check=check.count(2))
    def cluster_count(self) -> Value:
        """Number of clusters."""
        return (self.cluster_sizes > 0).sum(0).astype(float)

    @step("u_g", r"\sum_{i : $clusters = g} ($d - $mean)", over="g", unit="score")
    def cluster_sums(self) -> Array:
        """What the records of each cluster add up to, beyond the mean: of one sign they count together, else they balance."""
        return np.asarray(round_noise_to_zero(self._added(self.d - self.mean), np.abs(self.d).sum(0), computed_relative_noise(self.d)))

    def _added(self, x: Array) -> Array:
        """The sums of what the records of each cluster have."""
        names, place = np.unique(self.clusters, return_inverse=True)
        place = place.reshape(self.clusters.shape)
        sums = np.zeros((len(names), *x.shape[1:]))
        np.add.at(sums, place if place.ndim == 1 else (place, *np.ogrid[tuple(map(slice, x.shape[1:]))]), x)
        return sums

    @step(
        r"\mathrm{SE}",
        r"\frac{1}{$n} \sqrt{\frac{$cluster_count}{$cluster_count - 1} \sum_g $cluster_sums^2}",
        check=check.nonnegative,
        unit="score",
    )
    def se(self) -> Value:
        """Standard error of the mean difference, with clusters as what is independent."""
        scale = power_of_two_unit(self.cluster_sums)  # or the squares of very large and very small sums would not fit a float
        squares = ((self.cluster_sums / scale) ** 2).sum(0)
        return scale * np.sqrt(self.cluster_count / (self.cluster_count - 1) * squares) / self.n

    @step(r"\nu", "$cluster_count - 1", check=check.count(1))
    def df(self) -> Value:  # type: ignore[override]
        """Degrees of freedom: G clusters, one spent on their mean."""
        return self.cluster_count - 1

    @step(r"\mathrm{SE}_0", r"\frac{$sd}{\sqrt{$n}}", after=True, check=check.nonnegative, unit="score")
    def naive_se(self) -> Value:
        """Standard error as if all records were independent."""
        return self.sd / square_root(self.n)

    @step(r"\mathrm{deff}", r"\left(\frac{$se}{$naive_se}\right)^2", after=True, check=check.nonnegative)
    def design_effect(self) -> Value:
        """Design effect: how many times larger the variance is than that of as many independent records."""
        return ratio(self.se, self.naive_se) ** 2

    @step("n_e", r"\frac{$n}{$design_effect}", after=True, check=check.nonnegative)
    def effective_n(self) -> Value:
        """How many independent records would say as much."""
        return ratio(self.n, self.design_effect)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and how much the clusters take away."""
        if said := no_spread_note(
            self, "mean", "The differences add up to 0 in every cluster", "The mean difference is {} in every cluster"
        ):
            return said
        if np.ndim(self.statistic):
            return ""
        few, largest = "", self.get_or_default("cluster_sizes", None)
        if self.cluster_count < FEW and largest is not None:
            few = (
                f" With so few clusters p is right only if they are about equally large (the largest has {format_plain(largest.max())} records): "
                "in simulations with one of 10 that held half of the records, H0 was rejected in 19 % of all trials."
            )
        return (
            f"{format_plain(self.n)} records in {format_plain(self.cluster_count)} clusters say as much as {format_plain(self.effective_n)} independent ones "
            f"(design effect {format_plain(self.design_effect)}).{few}"
        )
