"""How often a test rejects: type I error and power on simulated data, in units of work that survive a crash."""

from .rates import Rate, Rates, power_curve, type_one_error
from .run import run
from .sources import Epsilon, FixedLosses, Source

__all__ = ["Epsilon", "FixedLosses", "Rate", "Rates", "Source", "power_curve", "run", "type_one_error"]
