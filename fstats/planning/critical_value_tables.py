"""Tables of critical values.

They are computed, and compared with printed tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.hypothesis import Alternative, HypothesisTest
from ..core.number_format import format_plain
from ..core.validation.keyword_arguments import with_suggestions
from ..core.value_types import Interval, SampleSize
from ..render.display_table import WARNING_STYLE, Table, TableDisplay, TextAndHtml, emphasize
from ..render.printed_numbers import rounding_tolerance

Critical = float | int | None
Entries = Mapping[SampleSize, Mapping[float, Critical]]


@with_suggestions
def critical_values(
    test: type[HypothesisTest],
    n: int | Iterable[SampleSize],
    alpha: float | Sequence[float] = (0.10, 0.05, 0.01),
    alternative: Alternative = "two-sided",
    **settings: Any,
) -> CriticalValues:
    """Compute a table of critical values (the least extreme values that reject) for each n and alpha, without ties or zeros.

    Parameters
    ----------
    test : class
        ``SignedRank``, ``PairedT``, ``McNemarExact``, ...
    n : int or iterable
        Numbers of data sets or of discordant records; pairs such as ``[(5, 5), (5, 6)]`` for tests of two independent samples.
    alpha : float or sequence of float
        Levels.
    alternative : {"two-sided", "greater", "less"}
        The alternative of the test.
    **settings
        Further settings of the test, such as ``method="normal"``.

    Returns
    -------
    CriticalValues
        ``table[n][alpha]`` is a critical value, or None if no outcome can reject.  If there are two critical values (two-sided
        rank-sum test), the table holds the lower critical value; without ties the upper critical value is its mirror image.

    References
    ----------
    Course slides T7, slide "Procedure" of the Wilcoxon signed-rank test, step 5, and Demsar (2006), JMLR 7,
    Tables 3 and 5: printed tables for comparison.

    Examples
    --------
    >>> import fstats
    >>> table = fstats.critical_values(fstats.SignedRank, n=range(5, 8), alpha=[0.10, 0.05, 0.01])
    >>> table[6][0.05], table[6][0.01]
    (0, None)
    >>> table
    SignedRank, two-sided: critical values
    <BLANKLINE>
      n  0.1  0.05  0.01
      5    0     –     –
      6    2     0     –
      7    3     2     –
    """
    # the test itself checks each level later
    levels = list(alpha if isinstance(alpha, Iterable) and not isinstance(alpha, str) else [alpha])
    if not (isinstance(test, type) and issubclass(test, HypothesisTest)):
        got = getattr(test, "__name__", repr(test))
        raise TypeError(
            f"`test` must be a class whose critical value depends on n, such as fstats.SignedRank; got {got}. For a test of many "
            "classifiers, write `fstats.Nemenyi.from_steps(n=10, k=5).cd`."
        )
    sizes = list(n if isinstance(n, Iterable) and not isinstance(n, str) else [n])
    if not sizes or not levels:
        raise ValueError("`n` and `alpha` must each hold at least one value; got none")

    def cell(k: SampleSize, level: float) -> Critical:
        value = test.from_sample_size(k, alternative=alternative, alpha=level, **settings).critical_value
        value = value.low if isinstance(value, Interval) else value
        return None if np.isinf(value) else int(value) if float(value).is_integer() else float(value)

    entries = {k: {level: cell(k, level) for level in levels} for k in sizes}
    return CriticalValues(test.__name__, alternative, entries, test.tails[alternative].rejects_small_values)


@dataclass(frozen=True, eq=False, repr=False)
class CriticalValues(TableDisplay, Mapping[SampleSize, Mapping[float, Critical]]):
    """A table of critical values: ``table[n][alpha]``, None if no outcome can reject."""

    test: str
    alternative: str
    entries: Entries
    small_rejects: bool = True

    def __getitem__(self, n: SampleSize) -> Mapping[float, Critical]:
        return self.entries[n]

    def __iter__(self) -> Iterator[SampleSize]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def levels(self) -> list[float]:
        """The levels alpha, one for each column."""
        return list(next(iter(self.entries.values())))

    @property
    def caption(self) -> str:
        """The caption of the table."""
        return f"{self.test}, {self.alternative}: critical values"

    def against(self, printed: Mapping[SampleSize, Sequence[Critical]]) -> CheckedTable:
        """Compare a printed table, given as one list of cells for each n, with this computed table.

        >>> import fstats
        >>> table = fstats.critical_values(fstats.SignedRank, n=[5, 6], alpha=[0.10, 0.05, 0.01])
        >>> table.against({5: [0, 0, 0], 6: [2, 2, 0]}).wrong  # a t of 2.776 would be right: rounding counts
        [(5, 0.05), (5, 0.01), (6, 0.05), (6, 0.01)]
        """
        for n in self:
            if n not in printed or len(printed[n]) != len(self.levels):
                got = f"{len(printed[n])} cells" if n in printed else "no row"
                message = f"the printed table must have one cell for each alpha ({len(self.levels)}) in the row of n = {n}; got {got}"
                raise ValueError(message)
        return CheckedTable(self, {n: dict(zip(self.levels, printed[n], strict=True)) for n in self})

    @property
    def _heads(self) -> list[str | TextAndHtml]:
        return ["n", *(TextAndHtml(format_plain(level), f"α = {format_plain(level)}") for level in self.levels)]

    @property
    def _table(self) -> Table:
        return Table(self._heads, [[str(n), *row.values()] for n, row in self.items()], caption=self.caption, left=())

    def to_latex(self) -> str:
        """Return the table as a LaTeX ``tabular``."""
        lines = [" & ".join(["$n$", *(rf"$\alpha = {format_plain(level)}$" for level in self.levels)])]
        lines += [" & ".join([format_plain(n), *("--" if x is None else format_plain(x) for x in row.values())]) for n, row in self.items()]
        return f"\\begin{{tabular}}{{r{'r' * len(self.levels)}}}\n" + " \\\\\n".join(lines) + "\n\\end{tabular}"


@dataclass(frozen=True, eq=False, repr=False)
class CheckedTable(TableDisplay):
    """A printed table of critical values, compared with the computed table."""

    computed: CriticalValues
    printed: Entries

    @property
    def wrong(self) -> list[tuple[SampleSize, float]]:
        """The cells (n, alpha) whose printed value differs from the computed value."""
        cells = [(n, level) for n in self.computed for level in self.computed.levels]
        return [(n, level) for n, level in cells if not _rounds_to(self.computed[n][level], self.printed[n][level])]

    @property
    def liberal(self) -> list[tuple[SampleSize, float]]:
        """The wrong cells (n, alpha) with which the test rejects too easily."""
        sign = 1 if self.computed.small_rejects else -1

        def liberality(cell: Critical) -> float:  # a cell is None if no value rejects H0
            return -np.inf if cell is None else sign * cell

        return [(n, level) for n, level in self.wrong if liberality(self.printed[n][level]) > liberality(self.computed[n][level])]

    @property
    def summary(self) -> str:
        """Sentence with the number of wrong cells."""
        cells = len(self.computed) * len(self.computed.levels)
        return (
            f"{len(self.wrong)} of {cells} printed cells are wrong ({len(self.liberal)} reject too "
            f"easily, {len(self.wrong) - len(self.liberal)} not easily enough)."
        )

    @property
    def _table(self) -> Table:
        wrong = set(self.wrong)

        def cell(n: SampleSize, level: float) -> Critical | TextAndHtml:
            printed, computed = self.printed[n][level], self.computed[n][level]
            return emphasize(f"{format_plain(printed)} → {format_plain(computed)}", WARNING_STYLE) if (n, level) in wrong else printed

        lines = [[str(n), *(cell(n, level) for level in self.computed.levels)] for n in self.computed]
        caption = f"{self.computed.caption}, printed → computed"
        return Table(self.computed._heads, lines, caption=caption, notes=[self.summary], left=())


def _rounds_to(computed: Critical, printed: Critical) -> bool:
    """Return whether a computed value equals a printed value, if rounded to its digits; whole numbers and None are not rounded."""
    if computed is None or printed is None or isinstance(computed, int):
        return computed == printed
    return abs(computed - printed) <= rounding_tolerance(repr(printed)) * (1 + 1e-9)
