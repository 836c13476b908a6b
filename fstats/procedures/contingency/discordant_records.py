"""Base class of McNemar's tests.

The tests use discordant records, those on which exactly one of two classifiers is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ...core.classifier_pair import TwoClassifierTest, series_names
from ...core.number_format import format_plain
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import CountsLike, Value
from .paired_table import PairedTable


class DiscordantTest(TwoClassifierTest):
    """Test on the records on which exactly one of two classifiers is right."""

    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"
    in_report: ClassVar[Mapping[str, str]] = {"n10": "n10 = {} (only A right)", "n01": "n01 = {} (only B right)"}

    n01: CountsLike = input_field("n_{01}", "Number of records on which only B is right.", check=check.counts)
    n10: CountsLike = input_field("n_{10}", "Number of records on which only A is right.", check=check.counts, like="n01")

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:
        """Accept a 2x2 table, or the true classes and two lists of predictions, instead of the counts.

        The first cell counts the records on which both are right, as in statsmodels and mlxtend; in :class:`PairedTable`, both are wrong.
        """
        if len(values) == 3 and all(np.ndim(value) for value in values):
            return cls.from_predictions(*values, **named)
        if len(values) == 1 and isinstance(values[0], PairedTable):
            return cls.following(values[0], **{"labels": values[0].labels, **named})
        if len(values) != 1 or "n10" in named or isinstance(values[0], Mapping) or np.shape(given := values[0])[:2] != (2, 2):
            return None
        rows, columns = (getattr(given, axis) if hasattr(given, "iloc") else () for axis in ("index", "columns"))
        wrong_first = list(rows) == list(columns) == [False, True]  # as in a table of pandas.crosstab, which lists False (wrong) first
        cells = np.asarray(given) if wrong_first else np.asarray(given)[::-1, ::-1]
        labels = series_names(rows, columns) if named.get("labels") is None else named["labels"]
        table = PairedTable.from_steps(table=cells, alpha=named.get("alpha", 0.05), labels=labels)
        return cls.following(table, **dict(named) | {"labels": table.labels})

    @classmethod
    def from_predictions(cls, y_true: Any, pred_a: Any, pred_b: Any, **settings: Any) -> Self:
        """Return the test on the predictions of two classifiers for the same records; its first step is the 2x2 `table`.

        >>> import fstats
        >>> fstats.McNemarExact.from_predictions(list("xxyy"), list("xyyy"), list("xxxx")).n10
        np.float64(2.0)
        """
        table = PairedTable(y_true, pred_a, pred_b, alpha=settings.get("alpha", 0.05), labels=settings.pop("labels", None))
        return cls.following(table, labels=table.labels, **settings)

    @step("n", "$n01 + $n10", check=check.counts)
    def n(self) -> Value:
        """Number of discordant records: exactly one classifier is right."""
        return self.n01 + self.n10

    @step("g", r"\frac{$n10 - $n01}{2\,$n}", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: share of the discordant records on which A is right, minus one half; 0 without discordant records."""
        return ratio(self.n10 - self.n01, 2 * self.n)

    @property
    def effect_text(self) -> str:
        """Number of records on which only A is right, and on which only B is right."""
        return discordant_counts_text(self.n10, self.n01)


def discordant_counts_text(n10: Value, n01: Value, place: str = "") -> str:
    """Return the counts of discordant records as the end of a sentence."""
    records = "record" if n10 == 1 else "records"
    return f", alone right on {format_plain(n10)} {records}{place} against {format_plain(n01)}"
