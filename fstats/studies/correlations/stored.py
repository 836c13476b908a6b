"""What is kept of the experiment: sums for each data set, chunk of samples and pair of learners."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def kept(name: str = "sums") -> dict[str, Any]:
    """Results that lie in the package."""
    found: dict[str, Any] = json.loads((files("fstats.studies.correlations") / "results" / f"{name}.json").read_text(encoding="utf-8"))
    return found
