"""Stored results of the correlation study."""

from __future__ import annotations

from typing import Any

from ..study_files import read_results


def stored_results(name: str = "sums") -> dict[str, Any]:
    """Return the results of the correlation experiment that are stored in the package."""
    (results,) = read_results(__package__, name)
    return results
