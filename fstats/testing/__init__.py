"""Checks of a test: what every test promises by being one, whatever it computes; of your own classes as of those in this package."""

from .check_assertions import Broken
from .conformance import check_test

__all__ = ["Broken", "check_test"]
