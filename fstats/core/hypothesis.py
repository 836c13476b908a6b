"""What every test shares: an alternative, a level, and one rule from the null distribution to the decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from .null_distribution import NullDistribution
from .number_format import DIGITS, digits_to_distinguish, format_confidence_level, format_level, format_plain, format_pvalue
from .procedure import Procedure
from .rejection_region import SYMMETRIC_TAILS, TAILS, Tail
from .renderer_registry import get_renderer
from .step import NotStated, input_field, step
from .validation import check, result_checks
from .value_types import Interval, Value
from .worked_example_row import Row

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture

Alternative = Literal["two-sided", "less", "greater"]

NO_SPREAD_MESSAGE = "there is no spread to measure luck by"  # why an infinite statistic shows nothing
SMALLEST_POSITIVE_FLOAT = np.nextafter(0.0, 1.0)


class HypothesisTest(Procedure, ending=True):
    """A test: inputs and steps of its own, then null distribution, p-value, critical value and decision."""

    tails: ClassVar[Mapping[str, Tail]] = SYMMETRIC_TAILS
    parameter: ClassVar[str]  # what H0 says is 0, in symbols
    compares: ClassVar[str]  # and in words: "a difference in <compares>"
    estimated_by: ClassVar[str] = ""  # the step that says how large it is; `ci` is its interval
    not_shown: ClassVar[str] = "that H0 is true"  # what a test that does not reject is often taken to show

    alternative: Alternative = input_field("H_1", "Which difference is looked for.", default="two-sided", kw_only=True)
    alpha: float = input_field(
        r"\alpha", "Probability of rejecting a true null hypothesis that is tolerated.", check=check.level, default=0.05, kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.alternative, str) or self.alternative not in self.tails:
            raise ValueError(
                f"alternative must be {' or '.join(map(repr, self.tails))} for "
                f"{type(self).__name__}; got {check.format_received_value(self.alternative)}"
            )

    @property
    def tail(self) -> Tail:
        """Which values of the statistic are evidence against H0."""
        return self.tails[self.alternative]

    @step("T")
    def statistic(self) -> Value:
        """What is compared with its null distribution."""
        raise TypeError(f"{type(self).__name__} must say how its statistic is computed")

    @step("T_0", relation=r"\sim", check=result_checks.null_distribution)
    def null(self) -> NullDistribution:
        """Distribution of the statistic when the null hypothesis is true."""
        raise TypeError(f"{type(self).__name__} must say its null distribution")

    @step("p", {tail: tail.pvalue_formula for tail in TAILS}, by="tail", over="$statistic", check=check.probability)
    def pvalue(self) -> Value:
        """Probability, if H0 is true, of a statistic at least as extreme as this one."""
        return positive_pvalue(self.tail.pvalue(self.null, self.statistic), self.statistic)

    @step("c", {tail: tail.critical_value_formula for tail in TAILS}, by="tail", check=result_checks.critical_value)
    def critical_value(self) -> Any:  # a Value, or an Interval of two where the null may be skew
        """The least extreme value of the statistic that rejects (infinite where none can)."""
        return self.tail.critical_value(self.null, self.alpha)

    @step(r"\text{reject } H_0", r"$pvalue \leq $alpha", relation=r"\Leftrightarrow", over="$statistic", check=result_checks.decisions)
    def reject(self) -> np.bool | NDArray[np.bool]:
        """Reject the null hypothesis if and only if p is at most alpha."""
        return np.less_equal(self.pvalue, self.alpha)

    # -- in words -----------------------------------------------------------------------------------------------------
    @property
    def compared(self) -> str:
        """What is compared in words, with the metric where its name is known."""
        return self.compares

    @property
    def claim(self) -> str:
        """What the test looks for, as "the data show ..." and "the data do not show ..." go on; it holds no negation of its own."""
        return {
            "two-sided": f"a difference in {self.compared}",
            "greater": f"that {self.compared} is larger than if H0 were true",
            "less": f"that {self.compared} is smaller than if H0 were true",
        }[self.alternative]

    @property
    def finding(self) -> str:
        """What a rejection shows: the claim, or what more is known of whom and how much."""
        return self.claim

    @property
    def interval_in_words(self) -> str:
        """What the true value may be, in brackets, for the end of a sentence; empty without an interval."""
        return ""

    @property
    def hypotheses(self) -> str:
        """Both hypotheses in symbols."""
        relation = {"two-sided": r"\neq", "greater": ">", "less": "<"}[self.alternative]
        return rf"{self.parameter} {relation} 0 \text{{, against }} H_0: {self.parameter} = 0"

    @property
    def decision(self) -> str:
        """The decision in two or four words (of a single test)."""
        return "Reject H0" if self.reject else "Fail to reject H0"

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are; empty for ordinary data."""
        return ""

    @property
    def doubt(self) -> str:
        """What the inputs look like, if they are probably not what the test takes; empty otherwise."""
        return ""

    @property
    def remarks(self) -> str:
        """Both, for the end of a conclusion."""
        return " ".join(filter(None, (self.if_known("remark", ""), self.if_known("doubt", ""))))

    @property
    def is_formal(self) -> bool:
        """Whether an infinite statistic alone makes p = 0: then nothing has been measured (of a single test)."""
        return bool(np.isinf(self.if_known("statistic", 0.0))) and not self.pvalue

    @property
    def verdict(self) -> str:
        """What the data show and what they do not, after "Reject H0 at alpha = ..." (of a single test)."""
        if not self.reject:
            return f": the data do not show {self.claim}, which is not evidence {self.not_shown}"
        if self.is_formal:
            return ", but only formally, since the statistic is infinite"
        return f": the data show {self.finding}"

    @property
    def conclusion(self) -> str:
        """The decision in one sentence, and the remark if there is one (of a single test)."""
        check.check_single_repetition(np.shape(self.pvalue), "conclusion", "test.at({}).conclusion")
        p, alpha = format_pvalue(self.pvalue, self.alpha), format_level(self.alpha, self.pvalue)
        within = self.interval_in_words if self.reject and not self.is_formal else ""
        return f"{self.decision} at alpha = {alpha} ({p}){self.verdict}{within}. {self.remarks}".rstrip()

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and the conclusion of a single test; the alternative is told where there is a choice."""
        for row in super()._rows():
            if row.name in ("statistic", "critical_value"):
                row = replace(row, digits=self.digits_of_statistic)
            if row.name == "alternative":
                chosen = row.value if len(self.tails) > 1 else self.claim
                name, sentence = "alternative" if len(self.tails) > 1 else "claim", f"What is looked for: {self.claim}."
                row = Row(name, row.symbol, ":", self.hypotheses, self.hypotheses, chosen, sentence, "", row.kind)
            yield row
        if "pvalue" in self.__dict__ and not np.ndim(self.pvalue):
            yield Row("conclusion", "", "", "", "", self.conclusion, "The decision in one sentence.", "", "conclusion")

    @property
    def digits_of_statistic(self) -> int:
        """With so many significant digits statistic and critical value lie as they do (of a single test)."""
        try:
            c, x = self.critical_value, self.statistic
        except NotStated:
            return DIGITS
        if np.ndim(x) or np.ndim(c) or not np.isfinite(c):
            return DIGITS
        return digits_to_distinguish(*self.tail.in_order(x, c))

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The null distribution with the statistic, the critical value and the p-value in it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Draw there; without it the returned picture shows itself in a notebook, and ``save("t.pdf")`` draws it for a paper.
        title : str, optional
            Another title than its own; None for none.
        figsize : float or (float, float), optional
            Inches of a figure for a paper: its width, such as 3.4 for a column, or its width and height.
        """
        return get_renderer("null")(self, ax=ax, title=title, figsize=figsize)

    # -- for tables ---------------------------------------------------------------------------------------------------
    @classmethod
    def of_size(cls, n: Any, **settings: Any) -> Self:
        """The test as it stands before any data: n known, no ties (what a table of critical values is made from)."""
        return cls.from_steps(n=n, **settings)


def format_confidence_interval(ends: Interval | None, outside: float, of: str = "") -> str:
    """An interval that leaves so much outside, for the end of a sentence: " (with 95 % confidence between 1.1 and 5.3)".

    It is empty where both ends are infinite, and where nothing is left inside.

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
    """A finite statistic is possible under H0: a p-value too small for a float is the smallest float, not 0."""
    if isinstance(p, np.ndarray):
        return np.where((p == 0) & np.isfinite(statistic), SMALLEST_POSITIVE_FLOAT, p)
    return p if p or np.isinf(statistic) else SMALLEST_POSITIVE_FLOAT
