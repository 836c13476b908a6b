"""Files of studies: printed numbers, units of work, and stored results with their provenance."""

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
    """Read printed.toml in the package of a study: the printed numbers of its source, as text with the printed digits.

    >>> printed_figures("fstats.studies.bcv")["table_5"]["KFoldT"]
    ['0.043', '0.076', '0.109', '0.142']
    """
    return tomllib.loads(files(package).joinpath("printed.toml").read_text(encoding="utf-8"))


def join_as_text(parts: Iterable[Any]) -> str:
    """Join the parts of a study as text; strings are unchanged, other objects become their repr."""
    return "\n\n".join(part if isinstance(part, str) else repr(part) for part in parts)


def format_rate(rate: Rate) -> str:
    """Return a rate and its standard error as text."""
    return f"{rate.rate:.3f} ± {rate.se:.3f}"


def unit_sizes(total: int, at_once: int) -> list[int]:
    """Divide a total into units of work and return the size of each unit.

    >>> unit_sizes(7, 3)
    [3, 3, 1]
    """
    return [min(at_once, total - first) for first in range(0, total, at_once)]


# -- results -----------------------------------------------------------------------------------------------------------------
def read_results(package: str, kind: str, folder: Any = None) -> tuple[dict[str, Any], ...]:
    """Read all results whose file names begin with `kind`, from a folder (by default from the package)."""
    return _packaged_results(package, kind) if folder is None else _read(Path(folder), kind)


@cache
def _packaged_results(package: str, kind: str) -> tuple[dict[str, Any], ...]:
    return _read(files(package) / "results", kind)


def _read(folder: Any, kind: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((path for path in folder.iterdir() if path.name.startswith(kind) and path.name.endswith(".json")), key=lambda p: p.name)
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in paths)


def save(folder: Any, name: str, results: Mapping[str, Any]) -> None:
    """Write results to a folder in the form that :func:`read_results` reads."""
    path = Path(folder) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8", newline="\n")


def provenance(command: str, *libraries: str, at: str = "day", seed: int | None = None, **more: Any) -> dict[str, Any]:
    """Return the provenance of results: command, time (with the precision `at`), versions of libraries and further facts."""
    now = datetime.now(UTC)
    time = now.date().isoformat() if at == "day" else now.isoformat(timespec="seconds")
    return {"command": command, **({} if seed is None else {"seed": seed}), "time": time, "versions": versions(*libraries), **more}


def version_text(about: Mapping[str, Any]) -> str:
    """Return the library versions of a provenance as text."""
    return ", ".join(f"{library} {number}" for library, number in about["versions"].items())


class StoredStudy:
    """Study stored in one file: its provenance, then one line for each unit of work."""

    rows_key, result_key = "units", "result"  # key of the rows in the file, and key of the result in a row

    def __init__(self, about: Mapping[str, Any], units: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> None:
        self.about, self.units, self.results = dict(about), units, results

    @classmethod
    def stored(cls, package: str, name: str) -> Self:
        """Read the study from its package."""
        (study,) = read_results(package, name)
        return cls(study["about"], *([line[part] for line in study["units"]] for part in ("unit", cls.result_key)))

    @property
    def stored_rows(self) -> list[dict[str, Any]]:
        """Stored values of each unit."""
        return [{"unit": unit, self.result_key: result} for unit, result in zip(self.units, self.results, strict=True)]

    @property
    def seeds(self) -> str:
        """Seed of the study as text; empty if each unit has its own seed."""
        return f"seed {self.about['seed']}, " if "seed" in self.about else ""

    @property
    def provenance(self) -> str:
        """Provenance of the numbers, in words."""
        return f"made by `{self.about['command']}`, {self.seeds}{self.about['time']}, {version_text(self.about)}"

    def save(self, path: Any) -> None:
        """Write the study to a file: its provenance, then one line for each unit."""
        lines = ",\n".join(json.dumps(line, separators=(",", ":")) for line in self.stored_rows)
        text = f'{{"about": {json.dumps(self.about)},\n"{self.rows_key}": [\n{lines}\n]}}\n'
        Path(path).write_text(text, encoding="utf-8", newline="\n")
