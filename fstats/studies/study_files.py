"""What every study needs: figures as printed, units of work, results as they are kept, and how they came about."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from ..runtime.library_versions import versions
from ..simulate.rejection_rates import Rate

LIBRARIES = ("numpy", "scipy", "scikit-learn")


@cache
def printed_figures(package: str) -> dict[str, Any]:
    """What the source of a study prints, from the file printed.toml in its package; figures are text as they stand there.

    >>> printed_figures("fstats.studies.bcv")["table_5"]["KFoldT"]
    ['0.043', '0.076', '0.109', '0.142']
    """
    return tomllib.loads(files(package).joinpath("printed.toml").read_text(encoding="utf-8"))


def join_as_text(parts: Iterable[Any]) -> str:
    """What a study shows, one part after the other: text as it is, other things as they show themselves."""
    return "\n\n".join(part if isinstance(part, str) else repr(part) for part in parts)


def format_rate(rate: Rate) -> str:
    """A rate with its standard error."""
    return f"{rate.rate:.3f} ± {rate.se:.3f}"


def unit_sizes(total: int, at_once: int) -> list[int]:
    """How much each unit of a long work does.

    >>> unit_sizes(7, 3)
    [3, 3, 1]
    """
    return [min(at_once, total - first) for first in range(0, total, at_once)]


# -- results -----------------------------------------------------------------------------------------------------------------
def read_results(package: str, kind: str, folder: Any = None) -> tuple[dict[str, Any], ...]:
    """All results whose file names begin with their kind: in a folder, by default that of the package."""
    return _packaged_results(package, kind) if folder is None else _read(Path(folder), kind)


@cache
def _packaged_results(package: str, kind: str) -> tuple[dict[str, Any], ...]:
    return _read(files(package) / "results", kind)


def _read(folder: Any, kind: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((path for path in folder.iterdir() if path.name.startswith(kind) and path.name.endswith(".json")), key=lambda p: p.name)
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in paths)


def save(folder: Any, name: str, found: Mapping[str, Any]) -> None:
    """Write results to a folder, as :func:`read_results` reads them."""
    path = Path(folder) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")


def provenance(command: str, *libraries: str, at: str = "day", seed: int | None = None, **more: Any) -> dict[str, Any]:
    """How results came about: by which command, when (the "day", or to the second), with which versions, and what else is to be said."""
    now = datetime.now(UTC)
    time = now.date().isoformat() if at == "day" else now.isoformat(timespec="seconds")
    return {"command": command, **({} if seed is None else {"seed": seed}), "time": time, "versions": versions(*libraries), **more}


def version_text(about: Mapping[str, Any]) -> str:
    """The versions with which results came about, in words."""
    return ", ".join(f"{library} {number}" for library, number in about["versions"].items())


class StoredStudy:
    """A study in one file: how it came about, then a line for each unit of work."""

    lines_are, result_is = "units", "result"  # how the file calls the lines, and in a line what came of its unit

    def __init__(self, about: Mapping[str, Any], units: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> None:
        self.about, self.units, self.results = dict(about), units, results

    @classmethod
    def stored(cls, package: str, name: str) -> Self:
        """As it is kept in its package."""
        (found,) = read_results(package, name)
        return cls(found["about"], *([line[part] for line in found["units"]] for part in ("unit", cls.result_is)))

    @property
    def kept_lines(self) -> list[dict[str, Any]]:
        """What is kept of each unit."""
        return [{"unit": unit, self.result_is: result} for unit, result in zip(self.units, self.results, strict=True)]

    @property
    def seeds(self) -> str:
        """By which seeds it came about, as far as they are not those of the units."""
        return f"seed {self.about['seed']}, " if "seed" in self.about else ""

    @property
    def provenance(self) -> str:
        """How the numbers came about."""
        return f"made by `{self.about['command']}`, {self.seeds}{self.about['time']}, {version_text(self.about)}"

    def save(self, path: Any) -> None:
        """Write the study: what it was made from, then a line for each unit."""
        lines = ",\n".join(json.dumps(line, separators=(",", ":")) for line in self.kept_lines)
        text = f'{{"about": {json.dumps(self.about)},\n"{self.lines_are}": [\n{lines}\n]}}\n'
        Path(path).write_text(text, encoding="utf-8", newline="\n")
