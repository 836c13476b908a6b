"""Checks of a test: what every test promises by being one, whatever it computes; of your own classes as of those in this package."""

from .compared import Broken
from .contract import check_test

__all__ = ["Broken", "check_test"]
