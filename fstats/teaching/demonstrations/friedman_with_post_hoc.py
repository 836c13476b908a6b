"""Friedman's test and a post-hoc procedure on the same ranks, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.number_format import format_level, format_pvalue
from ...core.worked_example_row import Row
from ...procedures.multiple.friedman import Friedman
from ...procedures.posthoc.posthoc_comparison import RankComparison


@dataclass(frozen=True)
class FriedmanWithPostHoc:
    """Friedman's test, and a post-hoc procedure on the same ranks."""

    friedman: Friedman
    posthoc: RankComparison
    name: str

    def worked(self) -> tuple[Row, ...]:
        """The rows of Friedman's test, then what the procedure adds to them."""
        rows = tuple(row for row in self.friedman.worked() if row.kind != "conclusion")
        known = {row.name for row in rows} - {"reject", "null"}
        first = tuple(row for row in rows if row.name not in ("reject", "null"))
        return first + tuple(row for row in self.posthoc.worked() if row.name not in known and row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """What both say; between which mean ranks the first one decides is seen in the diagram of the second."""
        first = self.friedman
        level, p = format_level(first.alpha, first.pvalue), format_pvalue(first.pvalue, first.alpha)
        doubt = "" if first.reject else " A cautious reader stops here."
        formally = first.verdict if first.is_degenerate else ""
        return f"Friedman: {first.decision} at alpha = {level} ({p}){formally}.{doubt} {self.name}: {self.posthoc.conclusion}"
