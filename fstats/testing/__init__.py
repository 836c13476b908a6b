"""Conformance checks of test classes, for authors of tests."""

from .check_assertions import ConformanceError
from .conformance import check_test

__all__ = ["ConformanceError", "check_test"]
