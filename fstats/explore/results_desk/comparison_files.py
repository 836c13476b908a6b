"""Files of a comparison for a paper: LaTeX texts and tables, figures, results, and a script that repeats the comparison."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .ranking_table import contingency_latex


class ComparisonFiles(Mapping[str, bytes]):
    """Mapping of the names of files to their contents; a file is made when it is read."""

    def __init__(self, comparison: Any) -> None:
        def table() -> str:
            if comparison.contingency:
                return contingency_latex(comparison.contingency)
            return str(comparison.results.to_latex(digits=decimal_places(comparison.results)))

        has_table = comparison.kind == "data sets" or comparison.contingency is not None
        self._makers: dict[str, Callable[[], str | bytes]] = {
            **({"table.tex": table} if has_table else {}),
            "paragraph.tex": lambda: comparison.report.latex,
            "paragraph.txt": lambda: comparison.report.text,
            "references.txt": lambda: "".join(f"{work}\n" for work in comparison.report.references),
            "steps.tex": lambda: "\n\n".join(test.to_latex() for test in comparison.tests),
            **{f"figure.{kind}": partial(figure, comparison, kind) for kind in ("pdf", "svg", "png")},
            "numbers.csv": lambda: numbers_csv(comparison.tests),
            "comparison.py": lambda: comparison.code,
            comparison.sheet.name: lambda: comparison.content,
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __getitem__(self, name: str) -> bytes:
        if name not in self._makers:
            raise KeyError(f"file must be one of {', '.join(self)}; got {name!r}")
        content = self._makers[name]()
        return content.encode() if isinstance(content, str) else content


def figure(comparison: Any, kind: str) -> bytes:
    """Return the first picture of a comparison as a file for a paper."""
    with TemporaryDirectory() as place:
        comparison.pictures[0].save(Path(place) / f"figure.{kind}")
        return (Path(place) / f"figure.{kind}").read_bytes()


def decimal_places(results: Any) -> int | None:
    """Return the number of decimal places of the scores in the table, at most 6; None, the default, for means of folds or seeds."""
    if "each score" in results.in_setup:
        return None
    return min(6, max(len(f"{score:.6g}".partition(".")[2]) for score in results.scores.flat))


def numbers_csv(tests: list[Any]) -> str:
    """Return all steps of tests as CSV: test, step, index, value."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["test", "step", "index", "value"])
    for test in tests:
        for step, value in test.to_dict().items():
            writer.writerows([type(test).__name__, step, index, entry] for index, entry in _entries(value))
    return text.getvalue()


def _entries(value: Any, index: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the entries of a nested value with their indices."""
    parts = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, (list, tuple)) else None
    if parts is None:
        yield index, value
    else:
        for key, part in parts:
            yield from _entries(part, f"{index} {key}".strip())
