"""Files of a comparison for a paper: LaTeX texts and tables, figures, results, and a script that repeats the comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...render.steps_csv import steps_csv
from .ranking_table import contingency_latex


class ComparisonFiles(Mapping[str, bytes]):
    """Mapping of the names of files to their contents; a file is made when it is read."""

    def __init__(self, comparison: Any) -> None:
        has_table = comparison.kind == "data sets" or comparison.contingency is not None
        self._makers: dict[str, Callable[[], str | bytes]] = {
            **({"table.tex": lambda: table_latex(comparison)} if has_table else {}),
            "paragraph.tex": lambda: comparison.report.latex,
            "paragraph.txt": lambda: comparison.report.text,
            "references.txt": lambda: "".join(f"{work}\n" for work in comparison.report.references),
            "steps.tex": lambda: "\n\n".join(test.to_latex() for test in comparison.tests),
            **{f"figure.{kind}": partial(figure, comparison, kind) for kind in ("pdf", "svg", "png")},
            "numbers.csv": lambda: steps_csv(comparison.tests),
            "comparison.py": lambda: comparison.code,
            comparison.sheet.name: lambda: comparison.content,
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __getitem__(self, name: str) -> bytes:
        if name not in self._makers:
            raise KeyError(f"`file` must be one of {', '.join(self)}; got {name!r}")
        content = self._makers[name]()
        return content.encode() if isinstance(content, str) else content


def figure(comparison: Any, kind: str) -> bytes:
    """Return the first picture of a comparison as a file for a paper."""
    with TemporaryDirectory() as place:
        comparison.pictures[0].save(Path(place) / f"figure.{kind}")
        return (Path(place) / f"figure.{kind}").read_bytes()


def table_latex(comparison: Any) -> str:
    """Return the 2x2 table, or the scores with the decimal places of the table, at most 6; means of folds have the default places."""
    if comparison.contingency:
        return contingency_latex(comparison.contingency)
    results = comparison.results
    places = min(6, max(len(f"{score:.6g}".partition(".")[2]) for score in results.scores.flat))
    return str(results.to_latex(digits=None if "each score" in results.in_setup else places))
