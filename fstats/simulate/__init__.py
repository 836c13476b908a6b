"""Simulation of the type I error and power of tests."""

from .bcv_paper_sources import EXP6 as EXP6
from .bcv_paper_sources import Letter as Letter
from .bcv_paper_sources import Simple as Simple
from .data_sources import Epsilon as Epsilon
from .data_sources import ErrorRates as ErrorRates
from .data_sources import FixedLosses as FixedLosses
from .data_sources import Source as Source
from .level_stress import Stressed as Stressed
from .level_stress import stress as stress
from .rejection_rates import Rate as Rate
from .rejection_rates import Rates as Rates
from .rejection_rates import power_curve as power_curve
from .rejection_rates import type_one_error as type_one_error
from .simulation_classifiers import Logistic as Logistic
from .simulation_classifiers import Majority as Majority
from .simulation_classifiers import NearestNeighbour as NearestNeighbour
from .symmetric_pairs import by_coin as by_coin
from .symmetric_pairs import leaning as leaning
from .symmetric_pairs import mirrored as mirrored
from .symmetric_pairs import record_halves as record_halves
from .symmetric_pairs import seeds as seeds
from .symmetric_sources import DrawnRecords as DrawnRecords
from .symmetric_sources import NormalClasses as NormalClasses
from .symmetric_sources import OneRule as OneRule
from .symmetric_sources import Rules as Rules
from .symmetric_sources import Symmetric as Symmetric
from .training_sources import Population as Population
from .training_sources import Trained as Trained
from .two_feature_source import OneFeature as OneFeature
from .two_feature_source import TwoFeatures as TwoFeatures
from .work_units import run as run

__all__ = sorted(  # constants first, then classes, then functions
    (name for name, value in [*globals().items()] if getattr(value, "__module__", "").startswith(f"{__name__}.")),
    key=lambda name: (not name.isupper(), name),
)
