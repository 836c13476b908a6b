"""Simulation of the type I error and the power of tests; results that are already computed survive a crash."""

from .batch_classifiers import Logistic, Majority, NearestNeighbour
from .bcv_paper_sources import EXP6, Letter, Simple
from .data_sources import Epsilon, ErrorRates, FixedLosses, Source
from .level_stress import Stressed, stress
from .rejection_rates import Rate, Rates, power_curve, type_one_error
from .symmetric_pairs import by_coin, leaning, mirrored, record_halves, seeds
from .symmetric_sources import DrawnRecords, NormalClasses, OneRule, Rules, Symmetric
from .training_sources import Population, Trained
from .two_feature_source import OneFeature, TwoFeatures
from .work_units import run

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
