"""Stored test decisions of a study of 5x2 cross-validation tests.

A bit is 1 if the test rejects; the provenance of the results is stored, too.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...render.display_table import Table
from ...simulate.rejection_rates import Rate
from ..study_files import read_results, version_text

# function that reads stored results of one kind: "rejections", "calibration", "errors", "partitions" or "digits"
stored_results = partial(read_results, __package__)


class Rejections:
    """Decisions of each test on each data set, at each point of a source."""

    def __init__(self, results: Sequence[Mapping[str, Any]]) -> None:
        self.results = list(results)

    def find_run(self, source: str, point: str, test: str) -> Mapping[str, Any] | None:
        """Return the run of a test on a source at a point, or None if this run is not stored."""
        for run in self.results:
            if run["source"] == source and point in run["points"] and test in run["points"][point]["rejected"]:
                return run
        return None

    def points(self, source: str) -> list[str]:
        """Return the stored points of a source, in order."""
        points = {point for run in self.results if run["source"] == source for point in run["points"]}
        return sorted(points, key=lambda point: (float(point.split()[0]), point))

    def rejected(self, source: str, point: str, test: str) -> NDArray[np.bool] | None:
        """Return whether the test rejected, for each data set on which no learner failed; None if nothing is stored."""
        run = self.find_run(source, point, test)
        if run is None:
            return None
        about = run["points"][point]
        bits = np.unpackbits(np.frombuffer(base64.b64decode(about["rejected"][test]), np.uint8), count=run["data_sets"]).astype(bool)
        judged = np.ones(len(bits), bool)
        judged[[int(r) for r in about["failed"]]] = False
        return bits[judged]

    def rate(self, source: str, point: str, test: str) -> Rate | None:
        """Return the rejection rate of a test."""
        bits = self.rejected(source, point, test)
        return None if bits is None else Rate(test, point, int(bits.sum()), len(bits))


def pack_bits(bits: NDArray[np.bool]) -> str:
    """Pack booleans into hexadecimal digits, the first data set in the highest bit."""
    return np.packbits(bits).tobytes().hex()


def unpack_bits(text: str, count: int) -> NDArray[np.bool]:
    """Unpack the booleans that :func:`pack_bits` has packed.

    >>> unpack_bits(pack_bits(np.array([True, False, True])), 3).tolist()
    [True, False, True]
    """
    return np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8), count=count).astype(bool)


def collect_units(units: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Join the results of the units of a run: the bits of all data sets one after the other."""
    points: dict[str, Any] = {}
    for point, value in units[0]["points"].items():
        bits: dict[str, list[NDArray[np.bool]]] = {}
        failed: dict[str, str] = {}
        first = 0
        for unit, result in zip(units, results, strict=True):
            for test, text in result["rejected"][point].items():
                bits.setdefault(test, []).append(unpack_bits(text, unit["data_sets"]))
            failed |= {str(first + int(r)): why for r, why in result["failed"].get(point, {}).items()}
            first += unit["data_sets"]
        rejected = {test: base64.b64encode(np.packbits(np.concatenate(each)).tobytes()).decode() for test, each in bits.items()}
        points[point] = {"value": value, "failed": failed, "rejected": rejected}
    return {"tests": units[0]["tests"], "data_sets": sum(unit["data_sets"] for unit in units), "points": points}


def stored(folder: Any = None) -> Rejections:
    """Return the stored rejections of the package, or the rejections stored in a folder."""
    return Rejections(stored_results("rejections", folder))


def provenance() -> Table:
    """Return the provenance of each stored result."""
    lines = []
    for result in (result for kind in ("calibration", "errors", "rejections", "partitions", "digits") for result in stored_results(kind)):
        about = result["about"]
        tests = f"{result['tests']} tests" if "tests" in result else "blocked and random partitions"
        what = f"error rates, n = {result['n']}" if "n" in result else f"{tests} at {', '.join(result['points'])}"
        how = (about[name] for name in ("command", "seed", "time", "seconds"))
        lines.append([result["source"], what, result["data_sets"], *how, version_text(about)])
    heads = ("source", "what", "data sets", "command", "seed", "time", "seconds", "versions")
    return Table(heads, lines, "How the stored results came about")
