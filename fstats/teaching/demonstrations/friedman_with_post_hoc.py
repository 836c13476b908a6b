"""Friedman test followed by a post-hoc test."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.number_format import format_level, format_pvalue
from ...core.worked_example_row import Row
from ...procedures.multiple.friedman import Friedman
from ...procedures.posthoc.posthoc_comparison import RankComparison


@dataclass(frozen=True)
class FriedmanWithPostHoc:
    """Friedman's test and a post-hoc procedure on the same ranks."""

    friedman: Friedman
    posthoc: RankComparison
    name: str

    def worked(self) -> tuple[Row, ...]:
        """Return the rows of Friedman's test, then the additional rows of the post-hoc procedure."""
        first = tuple(row for row in self.friedman.worked() if row.kind != "conclusion" and row.name not in ("reject", "null"))
        known = {row.name for row in first}
        return first + tuple(row for row in self.posthoc.worked() if row.name not in known and row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """The verdicts of Friedman's test and the post-hoc procedure; the diagram shows which mean ranks differ."""
        first = self.friedman
        level, p = format_level(first.alpha, first.pvalue), format_pvalue(first.pvalue, first.alpha)
        warning = "" if first.reject else " A cautious reader stops here."
        formally = first.verdict if first.is_degenerate else ""
        return f"Friedman: {first.decision} at alpha = {level} ({p}){formally}.{warning} {self.name}: {self.posthoc.conclusion}"
