"""One-way and repeated-measures ANOVA of the same table."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.number_format import format_plain, format_pvalue
from ...core.worked_example_row import Row
from ...procedures.multiple.one_way_anova import OneWayAnova
from ...procedures.multiple.repeated_measures_anova import RepeatedAnova


@dataclass(frozen=True)
class OneWayAndRepeatedAnova:
    """One-way and repeated-measures analysis of variance of the same scores."""

    one_way: OneWayAnova
    repeated: RepeatedAnova

    def worked(self) -> tuple[Row, ...]:
        """Return the rows of the repeated-measures analysis."""
        return tuple(row for row in self.repeated.worked() if row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """The verdicts of the two analyses, in one sentence."""
        first_verdict, second_verdict = ("rejects" if test.reject else "fails to reject" for test in (self.one_way, self.repeated))
        results = [
            f"F = {format_plain(test.statistic)}, {format_pvalue(test.pvalue, test.alpha)}" for test in (self.one_way, self.repeated)
        ]
        first = f"At alpha = {format_plain(self.repeated.alpha)} the one-way analysis {first_verdict} H0 ({results[0]})"
        link = "and" if first_verdict == second_verdict else "but"
        return f"{first}, {link} the analysis with data sets as blocks {second_verdict} H0 ({results[1]})."
