"""Conformance checks for authors of statistical tests."""

from .check_assertions import ConformanceError
from .conformance import check_test

__all__ = ["ConformanceError", "check_test"]
