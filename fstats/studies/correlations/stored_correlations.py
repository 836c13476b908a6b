"""What is kept of the experiment: sums for each data set, chunk of samples and pair of learners."""

from __future__ import annotations

from typing import Any

from ..study_files import read_results


def stored_results(name: str = "sums") -> dict[str, Any]:
    """Results that lie in the package."""
    (found,) = read_results(__package__, name)
    return found
