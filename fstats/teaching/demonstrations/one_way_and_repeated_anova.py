"""Two analyses of variance of one table: as if its columns were independent, and with its data sets as blocks."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.number_format import format_plain, format_pvalue
from ...core.worked_example_row import Row
from ...procedures.multiple.one_way_anova import OneWayAnova
from ...procedures.multiple.repeated_measures_anova import RepeatedAnova


@dataclass(frozen=True)
class OneWayAndRepeatedAnova:
    """The same scores, analysed as if independent, and as they are: in blocks."""

    one_way: OneWayAnova
    repeated: RepeatedAnova

    def worked(self) -> tuple[Row, ...]:
        """The rows of the repeated-measures analysis."""
        return tuple(row for row in self.repeated.worked() if row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """What the two analyses decide, in one sentence."""
        one, two = ("rejects" if test.reject else "fails to reject" for test in (self.one_way, self.repeated))
        told = [f"F = {format_plain(test.statistic)}, {format_pvalue(test.pvalue, test.alpha)}" for test in (self.one_way, self.repeated)]
        first = f"At alpha = {format_plain(self.repeated.alpha)} the one-way analysis {one} H0 ({told[0]})"
        return f"{first}, {'and' if one == two else 'but'} the one with data sets as blocks {two} it ({told[1]})."
