"""How often a test rejects: type I error and power on simulated data, in units of work that survive a crash."""

from .exchangeable import OneFeature, TwoFeatures
from .learners import Logistic, Majority, NearestNeighbour
from .published import EXP6, Letter, Simple
from .rates import Rate, Rates, power_curve, type_one_error
from .run import run
from .sources import Epsilon, ErrorRates, FixedLosses, Source
from .trained import Population, Trained

__all__ = [
    "EXP6",
    "Epsilon",
    "ErrorRates",
    "FixedLosses",
    "Letter",
    "Logistic",
    "Majority",
    "NearestNeighbour",
    "OneFeature",
    "Population",
    "Rate",
    "Rates",
    "Simple",
    "Source",
    "Trained",
    "TwoFeatures",
    "power_curve",
    "run",
    "type_one_error",
]
