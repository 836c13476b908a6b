"""Conformance checks of procedures: rules that every test class follows, for classes of users and of this package."""

from .check_assertions import ConformanceError
from .conformance import check_test

__all__ = ["ConformanceError", "check_test"]
