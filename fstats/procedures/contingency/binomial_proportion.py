"""Exact binomial test of one accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ...core.hypothesis import HypothesisTest, format_confidence_interval
from ...core.number_format import format_plain, format_range
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.rejection_region import BINOMIAL_TAILS
from ...core.step import input_field, step
from ...core.validation import check, class_labels, result_checks
from ...core.validation.paired_inputs import check_paired
from ...core.validation.tables import zeros_and_ones
from ...core.value_types import Array, CountsLike, Interval, Value
from ...distributions.binomial import Binomial
from .difference_of_proportions import check_correct_counts
from .proportion_interval import LOWER_LIMITS, METHOD_NAMES, exact_coverage, proportion_interval

MAX_RECORDS = 10**9  # with more records, probabilities would have fewer than seven correct digits

WILSON_CENTER = r"\frac{$right + z^2 / 2}{$n + z^2}"
WILSON_HALF_WIDTH = r"\frac{z}{$n + z^2} \sqrt{\frac{$right ($n - $right)}{$n} + \frac{z^2}{4}}"
BETA_PARAMETERS = {  # method -> LaTeX parameters of the beta distributions of the lower and upper limit
    "clopper-pearson": (r"$right,\ $n - $right + 1", r"$right + 1,\ $n - $right"),
    "jeffreys": (r"$right + \frac{1}{2},\ $n - $right + \frac{1}{2}",) * 2,
}


def _interval_formula(alternative: str, method: str) -> str:
    """Return the formula of the interval."""
    level = "$alpha / 2" if alternative == "two-sided" else "$alpha"
    if method == "wilson":
        definition = rf"z = z_{{1 - {level}}}"
        if alternative == "two-sided":
            return rf"{WILSON_CENTER} \mp {WILSON_HALF_WIDTH},\ {definition}"
        low, high = (f"{WILSON_CENTER} {sign} {WILSON_HALF_WIDTH}" for sign in "-+")
    else:
        definition = r"B_q(a, b) \text{ the quantile of Beta}(a, b)"
        low, high = (rf"B_{{{q}}}\left({p}\right)" for q, p in zip((level, f"1 - {level}"), BETA_PARAMETERS[method]))
    return rf"[{'0' if alternative == 'less' else low},\ {'1' if alternative == 'greater' else high}],\ {definition}"


INTERVAL_FORMULAS = {
    f"{alternative} {method}": _interval_formula(alternative, method) for alternative in BINOMIAL_TAILS for method in LOWER_LIMITS
}


class BinomialProportion(HypothesisTest):
    r"""Binomial test of one accuracy: is the true accuracy of a classifier equal to a stated share, and how precisely is it known?

    Origin: published, Sterne (1954); Wilson (1927).

    Of n independent test records R are right.  If each record is right with probability :math:`\pi_0`, R has the binomial distribution

    .. math:: P(R = k) = \binom{n}{k} \pi_0^k (1 - \pi_0)^{n - k}.

    Parameters
    ----------
    right : int or array_like of shape (...)
        Number of right records.  Axes are independent repetitions.
    n : int or array_like of shape (...)
        Number of records, at least 1.
    share : float or array_like of shape (...)
        Share of right records under H0, such as the accuracy of guessing or of the largest class.
    method : {"wilson", "clopper-pearson", "jeffreys"}
        Method of the confidence interval (see Notes).
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that the true accuracy is above `share`, "less" that it is below.  The interval is one-sided, too.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The p-value is exact.  Two-sided, it is the probability of all counts that are not more probable than the observed count (as in
    SciPy's ``binomtest``; probabilities that differ by less than a factor of 1 + 1e-7 count as equal), not twice the smaller tail.

    Wilson's interval holds the shares that are not more than z standard errors (each under that share) from the accuracy; its coverage is
    near 1 - alpha on average over shares.  The Clopper-Pearson interval covers every true share with at least 1 - alpha, and is
    the longest.  The Jeffreys interval holds the middle 1 - alpha of the posterior distribution with the prior Beta(1/2, 1/2); it begins
    at 0 if no record is right and ends at 1 if all are.  All three lie within [0, 1], also for 0 or n right records, for which the
    t interval of the 0s and 1s has no width.  :meth:`coverage` computes the exact coverage.

    The interval comes from another rule than the two-sided p-value.  Therefore the interval may hold `share` although the test rejects
    H0, or the other way round; `remark` says so.  With share = 0 a single right record disproves H0, with share = 1 a single wrong
    record.  With few records no count may reject; `remark` says so, too.  The records must be independent and must not have been used for
    training or for the choice of the classifier.

    Raises
    ------
    ValueError, TypeError
        If a count is negative, fractional or above n, n is 0, the share is outside [0, 1], the method or the alternative is unknown, or the
        level is outside (0, 1).

    References
    ----------
    Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26, pages
    404 to 413.  Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22, pages 209 to 212.  Brown,
    Cai and DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16, pages 101 to 133 (the Jeffreys
    interval, and coverage).  Sterne (1954), Some remarks on confidence or fiducial limits, Biometrika 41, pages 275 to 278 (the two-sided
    p-value).

    Examples
    --------
    Of 4 records 4 are right.  If guessing were right on every second record, 0 and 4 are the least probable counts: p = 2 / 2**4.

    >>> import fstats
    >>> fstats.BinomialProportion(4, 4).pvalue
    np.float64(0.125)

    Of 20 records 19 are right.  The accuracy is 0.95, and true accuracies from 0.764 to 0.991 are plausible:

    >>> low, high = fstats.BinomialProportion(19, 20).ci
    >>> print(round(low, 3), round(high, 3))
    0.764 0.991
    """

    tails = BINOMIAL_TAILS
    parameter = r"\pi - \pi_0"
    compares = "accuracy"
    estimated_by = "accuracy"
    unproven_claim = "that it is exactly that value"
    in_report: ClassVar[Mapping[str, str]] = {"share": "share under H0 {}"}

    right: CountsLike = input_field("R", "Number of right records.", check=check.counts)
    n: CountsLike = input_field("n", "Number of records.", check=check.count(1, MAX_RECORDS, "beyond which probabilities are not exact"))
    share: Any = input_field(r"\pi_0", "Share of right records under H0.", check=check.proportion, default=0.5)
    method: Literal["wilson", "clopper-pearson", "jeffreys"] = input_field(
        r"\text{method}", "Method of the confidence interval.", check=check.choice(*LOWER_LIMITS), default="wilson", kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if "right" in values and "n" in values:
            check_correct_counts(values["right"], values["n"], "right", "n")

    @classmethod
    def from_records(cls, records: Any, predictions: Any = None, **settings: Any) -> Self:
        """Return the test on the records: 1 (right) or 0 (wrong) of each, or the true class and the prediction of each.

        >>> import fstats
        >>> fstats.BinomialProportion.from_records([1, 1, 0, 1]).right
        np.float64(3.0)
        >>> fstats.BinomialProportion.from_records(list("xxyy"), list("xyyy"), share=0.9).right
        np.float64(3.0)
        """
        if predictions is None:
            right = zeros_and_ones(records, "records")
        else:
            raw = {"records": records, "predictions": predictions}
            labels = {name: class_labels.class_labels(value, name) for name, value in raw.items()}
            class_labels.check_same_label_kind(labels)
            check_paired("records", "predictions", raw, labels)
            right = labels["records"] == labels["predictions"]
        return cls(right.sum(0), len(right), **settings)

    @classmethod
    def coverage(cls, n: int, shares: Any, *, method: str = "wilson", alpha: float = 0.05) -> Array:
        """Return the exact probability, for each true accuracy in `shares`, that the two-sided interval of n records contains it.

        With true accuracy 1/2 and two records, the interval of each of the counts 0, 1 and 2 contains 1/2:

        >>> import fstats
        >>> fstats.BinomialProportion.coverage(2, [0.5]).tolist()
        [1.0]
        """
        size = int(check.single_number(check.count(1))(n, "n"))
        ends = proportion_interval(
            np.arange(size + 1.0), np.float64(size), check.choice(*LOWER_LIMITS)(method, "method"), check.level(alpha, "alpha")
        )
        return exact_coverage(np.asarray(check.proportion(shares, "shares")), size, ends)

    @step(r"\hat\pi", r"\frac{$right}{$n}", check=check.proportion)
    def accuracy(self) -> Value:
        """Accuracy: share of right records."""
        return np.divide(self.right, self.n)

    @step("E_0", r"$n\,$share", check=check.nonnegative)
    def expected(self) -> Value:
        """Expected number of right records under H0."""
        return np.multiply(self.n, self.share)

    @step("X", "$right", check=check.counts)
    def statistic(self) -> Value:
        """Number of right records, which is compared with its distribution under H0."""
        return self.right

    @step("X_0", r"\mathrm{Bin}\left($n,\ $share\right)", relation=r"\sim")
    def null(self) -> Binomial:
        """Distribution of the number of right records under H0: each record is right with the stated probability."""
        return Binomial(self.n, self.share)

    @step("D", "$accuracy - $share", after=True, check=check.number_between(-1, 1))
    def effect_size(self) -> Value:
        """Accuracy minus the share under H0."""
        return round_noise_to_zero(self.accuracy - self.share, self.accuracy)

    @step(r"\mathrm{CI}", INTERVAL_FORMULAS, by="interval_variant", over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Confidence interval for the true accuracy; near alpha it may disagree with the exact test."""
        return proportion_interval(self.right, self.n, self.method, self.alpha, self.alternative)

    @property
    def interval_variant(self) -> str:
        """Alternative and method, which choose the formula of the interval."""
        return f"{self.alternative} {self.method}"

    @property
    def interval_method(self) -> str:
        """Name of the method of the interval, for reports."""
        return METHOD_NAMES[self.method]

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        verb = {"two-sided": "differs from", "greater": "is above", "less": "is below"}[self.alternative]
        return f"that the true accuracy {verb} {format_range(self.share)}"

    @property
    def finding(self) -> str:
        """Conclusion of a rejection: the true accuracy is above or below the share, with the observed accuracy."""
        above = {"greater": 1, "less": -1}.get(self.alternative) or self.get_or_default("effect_size", 0)
        if not above:
            return self.claim
        accuracy = self.get_or_default("accuracy", None)
        estimate = "" if accuracy is None else f", at {format_plain(accuracy)}"
        return f"that the true accuracy is {'above' if above > 0 else 'below'} {format_range(self.share)}{estimate}"

    @property
    def interval_text(self) -> str:
        """Confidence interval of the true accuracy; the ends 0 and 1 of one-sided intervals are left out."""
        ends = self.get_or_default("ci", None)
        if ends is not None and self.alternative != "two-sided":
            ends = ends._replace(**{"low": -np.inf} if self.alternative == "less" else {"high": np.inf})
        return format_confidence_interval(ends, self.alpha)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, or of an interval that disagrees with the test."""
        reject, c, ends = (self.get_or_default(name, None) for name in ("reject", "critical_value", "ci"))
        if c is None or ends is None or "ci" in self.stated or np.ndim(reject):
            return ""
        if self.share in (0, 1):
            kind = "wrong" if self.share else "right"
            contradicts = "disproves" if reject else "would disprove"
            return f"If the true accuracy were {self.share:g}, no record could be {kind}: a single one {contradicts} H0."
        if not self.get_or_default("effect_size", 1.0):
            return "The accuracy is exactly the share under H0: the data give no evidence against H0."
        if np.isinf(self.tail.region(c)).all():
            return "With so few records, no count could have rejected H0 at this alpha."
        if ends.holds(self.share) == reject:
            contains = "contains" if reject else "does not contain"
            decides = "rejects" if reject else "does not reject"
            return (
                f"The {self.interval_method} interval follows another rule than the exact test; therefore it {contains} "
                f"{format_plain(self.share)} although the test {decides} H0."
            )
        return ""
