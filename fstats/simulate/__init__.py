"""How often a test rejects: type I error and power on simulated data, in units of work that survive a crash."""

from .exchangeable import OneFeature, TwoFeatures
from .learners import Logistic, Majority, NearestNeighbour
from .published import EXP6, Letter, Simple
from .rates import Rate, Rates, power_curve, type_one_error
from .roles import by_coin, leaning, mirrored, record_halves, seeds
from .run import run
from .sources import Epsilon, ErrorRates, FixedLosses, Source
from .stress import Stressed, stress
from .symmetric import DrawnRecords, NormalClasses, OneRule, Rules, Symmetric
from .trained import Population, Trained

__all__ = [
    "EXP6",
    "DrawnRecords",
    "Epsilon",
    "ErrorRates",
    "FixedLosses",
    "Letter",
    "Logistic",
    "Majority",
    "NearestNeighbour",
    "NormalClasses",
    "OneFeature",
    "OneRule",
    "Population",
    "Rate",
    "Rates",
    "Rules",
    "Simple",
    "Source",
    "Stressed",
    "Symmetric",
    "Trained",
    "TwoFeatures",
    "by_coin",
    "leaning",
    "mirrored",
    "power_curve",
    "record_halves",
    "run",
    "seeds",
    "stress",
    "type_one_error",
]
