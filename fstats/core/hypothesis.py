"""Base class of hypothesis tests.

It has the alternative, level, null distribution, p-value, critical value and decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from .null_distribution import NullDistribution
from .number_format import DIGITS, digits_to_distinguish, format_confidence_level, format_level, format_plain, format_pvalue
from .procedure import Procedure
from .rejection_region import SYMMETRIC_TAILS, TAILS, Tail
from .renderer_registry import get_renderer
from .step import NotStated, input_field, step
from .validation import check, result_checks
from .validation.name_suggestions import alternative_remedy
from .value_types import Interval, Value
from .worked_example_row import Row

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture

Alternative = Literal["two-sided", "less", "greater"]

NO_SPREAD_MESSAGE = "there is no spread to measure luck by"  # end of a sentence: an infinite test statistic is not evidence
NO_VALUE = " (infinite if no value can reject H0)"  # part of the sentence about a critical value; removed if the value is finite
SMALLEST_POSITIVE_FLOAT = np.nextafter(0.0, 1.0)


class HypothesisTest(Procedure, ending=True):
    """A hypothesis test: inputs and steps of the subclass, then null distribution, p-value, critical value and decision."""

    tails: ClassVar[Mapping[str, Tail]] = SYMMETRIC_TAILS
    parameter: ClassVar[str]  # symbol of the parameter that is 0 under H0
    compares: ClassVar[str]  # name of the parameter, as in "a difference in <compares>"
    estimated_by: ClassVar[str] = ""  # name of the step that estimates the difference; `ci` is the confidence interval of this step
    unproven_claim: ClassVar[str] = "that H0 is true"  # conclusion that does not follow if H0 is not rejected; the text warns against it

    alternative: Alternative = input_field("H_1", "Kind of difference that the test looks for.", default="two-sided", kw_only=True)
    alpha: float = input_field(
        r"\alpha", "Tolerated probability of rejecting a null hypothesis that is true.", check=check.level, default=0.05, kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.alternative, str) or self.alternative not in self.tails:
            allowed, test = " or ".join(map(repr, self.tails)), type(self).__name__
            remedy = alternative_remedy(self.alternative, self.tails)
            raise ValueError(f"`alternative` must be {allowed} for {test}; got {check.format_received_value(self.alternative)}{remedy}")

    def __iter__(self) -> NoReturn:
        """Raise TypeError for ``statistic, p = test``; the error names the two attributes."""
        raise TypeError(f"{type(self).__name__} is one test, not a pair of numbers. Write `test.statistic` and `test.pvalue`.")

    @property
    def tail(self) -> Tail:
        """Rule for which values of the statistic are evidence against H0."""
        return self.tails[self.alternative]

    @step("T")
    def statistic(self) -> Value:
        """The test statistic, which is compared with its null distribution."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'statistic'")

    @step("T_0", relation=r"\sim", check=result_checks.null_distribution)
    def null(self) -> NullDistribution:
        """Distribution of the test statistic if the null hypothesis is true."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'null'")

    @step("p", {tail: tail.pvalue_formula for tail in TAILS}, by="tail", over="$statistic", check=check.probability)
    def pvalue(self) -> Value:
        """Probability, if H0 is true, of a statistic at least as extreme as the observed one."""
        return positive_pvalue(self.tail.pvalue(self.null, self.statistic), self.statistic)

    @step("c", {tail: tail.critical_value_formula for tail in TAILS}, by="tail", check=result_checks.critical_value)
    def critical_value(self) -> Any:  # a Value, or an Interval if the null distribution may be skewed
        """The least extreme value of the statistic that rejects H0 (infinite if no value can reject H0)."""
        return self.tail.critical_value(self.null, self.alpha)

    @step(r"\text{reject } H_0", r"$pvalue \leq $alpha", relation=r"\Leftrightarrow", over="$statistic", check=result_checks.decisions)
    def reject(self) -> np.bool | NDArray[np.bool]:
        """Reject the null hypothesis if and only if p is at most alpha."""
        return np.less_equal(self.pvalue, self.alpha)

    # -- sentences about the result -----------------------------------------------------------------------------------
    @property
    def compared(self) -> str:
        """The compared quantity in words, with the name of the metric if the name is known."""
        return self.compares

    @property
    def claim(self) -> str:
        """Claim of the alternative, without a negation: the end of a sentence that begins "the data show" or "the data do not show"."""
        return {
            "two-sided": f"a difference in {self.compared}",
            "greater": f"that {self.compared} is larger than if H0 were true",
            "less": f"that {self.compared} is smaller than if H0 were true",
        }[self.alternative]

    @property
    def finding(self) -> str:
        """Statement that a rejection supports: the claim, or a more precise statement."""
        return self.claim

    @property
    def interval_text(self) -> str:
        """Confidence interval in brackets, as the end of a sentence; empty if the test has no interval."""
        return ""

    @property
    def hypotheses(self) -> str:
        """Alternative and null hypothesis in symbols."""
        relation = {"two-sided": r"\neq", "greater": ">", "less": "<"}[self.alternative]
        return rf"{self.parameter} {relation} 0 \text{{, against }} H_0: {self.parameter} = 0"

    @property
    def decision(self) -> str:
        """The decision, "Reject H0" or "Fail to reject H0" (of a single test)."""
        return "Reject H0" if self.reject else "Fail to reject H0"

    @property
    def remark(self) -> str:
        """Remark on degenerate data that gives the reason for the result; empty for ordinary data."""
        return ""

    @property
    def input_warning(self) -> str:
        """Warning that the inputs are probably of another kind than the test takes; empty otherwise."""
        return ""

    @property
    def remarks(self) -> str:
        """The remark and the warning together, as the end of a conclusion."""
        return " ".join(filter(None, (self.get_or_default("remark", ""), self.get_or_default("input_warning", ""))))

    @property
    def is_degenerate(self) -> bool:
        """Whether p = 0 only because the statistic of a single test is infinite; an infinite statistic is no measurement."""
        return bool(np.isinf(self.get_or_default("statistic", 0.0))) and not self.pvalue

    @property
    def verdict(self) -> str:
        """Statement of what the data show or do not show, placed after "Reject H0 at alpha = ..." in the conclusion of a single test."""
        if not self.reject:
            return f": the data do not show {self.claim}, which is not evidence {self.unproven_claim}"
        if self.is_degenerate:
            return ", but only formally, since the statistic is infinite"
        return f": the data show {self.finding}"

    @property
    def conclusion(self) -> str:
        """The decision of a single test in one sentence, followed by the remarks if there are any."""
        check.check_single_repetition(np.shape(self.pvalue), "conclusion", "test.at({}).conclusion")
        p, alpha = format_pvalue(self.pvalue, self.alpha), format_level(self.alpha, self.pvalue)
        interval = self.interval_text if self.reject and not self.is_degenerate else ""
        return f"{self.decision} at alpha = {alpha} ({p}){self.verdict}{interval}. {self.remarks}".rstrip()

    def _rows(self) -> Iterator[Row]:
        """Yield one row for each input and step, and the conclusion of a single test.

        If the test has only one alternative, the row `alternative` is replaced by the row `claim`.
        """
        for row in super()._rows():
            if row.name in ("statistic", "critical_value"):
                is_finite = row.name == "critical_value" and np.isfinite(row.value).all()
                row = replace(row, digits=self.statistic_digits, sentence=row.sentence.replace(NO_VALUE, "") if is_finite else row.sentence)
            if row.name == "alternative":
                chosen = row.value if len(self.tails) > 1 else self.claim
                name, sentence = "alternative" if len(self.tails) > 1 else "claim", f"The test looks for: {self.claim}."
                row = Row(name, row.symbol, ":", self.hypotheses, self.hypotheses, chosen, sentence, "", row.kind)
            yield row
        if "pvalue" in self.__dict__ and not np.ndim(self.pvalue):
            yield Row("conclusion", "", "", "", "", self.conclusion, "The decision in one sentence.", "", "conclusion")

    @property
    def statistic_digits(self) -> int:
        """Number of significant digits that show on which side of the critical value the statistic lies (of a single test)."""
        try:
            c, x = self.critical_value, self.statistic
        except NotStated:
            return DIGITS
        if np.ndim(x) or np.ndim(c) or not np.isfinite(c):
            return DIGITS
        return digits_to_distinguish(*self.tail.ordered_pair(x, c))

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the null distribution with the statistic, the critical value and the p-value.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on.  Without axes, a notebook displays the returned picture, and its method ``save("t.pdf")`` writes a file for
            a paper.
        title : str, optional
            Title instead of the default title; None draws no title.
        figsize : float or (float, float), optional
            Size of the figure in inches: the width (3.4 for one column of a paper), or width and height.
        """
        return get_renderer("null")(self, ax=ax, title=title, figsize=figsize)

    # -- tables of critical values ----------------------------------------------------------------------------------------------
    @classmethod
    def from_sample_size(cls, n: Any, **settings: Any) -> Self:
        """Return the test for sample size n without data and without ties; tables of critical values are computed from this test."""
        return cls.from_steps(n=n, **settings)


def format_confidence_interval(ends: Interval | None, outside: float, of: str = "") -> str:
    """Write an interval as the end of a sentence: " (with 95 % confidence between 1.1 and 5.3)".

    `outside` is 1 - confidence level.  The text is empty if both ends are infinite or the confidence level is 0.

    >>> format_confidence_interval(Interval(0.0, 0.02, open_low=True), 0.05)
    ' (with 95 % confidence above 0 and at most 0.02)'
    """
    if ends is None or np.all(np.isinf(ends)) or outside >= 1:
        return ""
    if np.isfinite(ends).all() and not ends.open_low and not ends.open_high:
        where = f"between {format_plain(ends.low)} and {format_plain(ends.high)}"
    else:
        low, high = "above" if ends.open_low else "at least", "below" if ends.open_high else "at most"
        where = " and ".join(f"{word} {format_plain(end)}" for word, end in ((low, ends.low), (high, ends.high)) if np.isfinite(end))
    return f" ({of}with {format_confidence_level(outside)} % confidence {where})"


def positive_pvalue(p: Value, statistic: Value) -> Value:
    """Replace a p-value of 0 by the smallest positive float if the statistic is finite: finite statistics are possible under H0."""
    if isinstance(p, float) and p:
        return p  # fast path: np.where takes longer than the computation of p
    return np.where(np.equal(p, 0) & np.isfinite(statistic), SMALLEST_POSITIVE_FLOAT, p)[()]
