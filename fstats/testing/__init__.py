"""Conformance checks of procedures: rules for the test classes of this package and of its users."""

from .check_assertions import ConformanceError
from .conformance import check_test

__all__ = ["ConformanceError", "check_test"]
