"""The parts from which procedures are written: steps, inputs, checks, types, arithmetic without rounding noise, and number formats.

Most procedures need many of these names; rarer names are imported from their own modules.
"""

from __future__ import annotations

from .arithmetic_steps import mean_step, ratio_step, sum_step
from .classifier_pair import PairedScores, TwoClassifiers, TwoClassifierTest, directed_step, series_names
from .hypothesis import NO_SPREAD_MESSAGE, SMALLEST_POSITIVE_FLOAT, Alternative, HypothesisTest
from .mathematics_in_names import plain_formulas, plain_name
from .number_format import format_plain, format_pvalue, format_range
from .numerics.average_ranks import average_ranks
from .numerics.bisection import bisect
from .numerics.floating_point_ties import (
    DOUBLE_NOISE,
    absolute_noise,
    difference_with_ties,
    noise_free_difference,
    round_noise_to_zero,
    unify_ties,
)
from .numerics.sums_of_squares import ScaledSquares, standard_deviation
from .numerics.zero_division import product, ratio, square_root
from .procedure import Procedure
from .rejection_region import SMALL_COUNT_TAILS, SYMMETRIC_TAILS, UPPER_TAIL
from .step import NotStated, Step, count_step, input_field, step
from .validation import check, class_labels, result_checks, tables
from .validation.keyword_arguments import with_suggestions
from .validation.stated_value_consistency import check_sum, check_upper_bound
from .value_types import Array, CountsLike, Decision, Integers, Interval, ScoresLike, Value, broadcast_column
from .worked_example_row import Row

__all__ = ["HypothesisTest", "NotStated", "PairedScores", "Procedure", "Row", "Step", "TwoClassifierTest", "TwoClassifiers", "step"]
__all__ += ["count_step", "directed_step", "input_field", "mean_step", "ratio_step", "sum_step"]
__all__ += ["check", "check_sum", "check_upper_bound", "class_labels", "result_checks", "tables", "with_suggestions"]
__all__ += ["Alternative", "Array", "CountsLike", "Decision", "Integers", "Interval", "ScoresLike", "Value", "broadcast_column"]
__all__ += ["SMALLEST_POSITIVE_FLOAT", "SMALL_COUNT_TAILS", "SYMMETRIC_TAILS", "UPPER_TAIL"]
__all__ += ["DOUBLE_NOISE", "ScaledSquares", "absolute_noise", "average_ranks", "bisect", "difference_with_ties", "noise_free_difference"]
__all__ += ["product", "ratio", "round_noise_to_zero", "square_root", "standard_deviation", "unify_ties"]
__all__ += ["NO_SPREAD_MESSAGE", "format_plain", "format_pvalue", "format_range", "plain_formulas", "plain_name", "series_names"]
