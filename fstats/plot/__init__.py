"""Plots of statistical tests and simulations.

Resampling plans have plots, too.

Every function also has the arguments ``title=`` (None for no title), ``figsize=`` (a width, or a width and a height, in inches; the
picture is then laid out for a publication) and ``ax=`` (matplotlib axes on which to draw).
"""

from .charts.coverage_plot import coverage as coverage
from .charts.diagnostic_plots import normal_quantiles as normal_quantiles
from .charts.diagnostic_plots import outliers as outliers
from .charts.diagnostic_plots import scores as scores
from .charts.diagnostic_plots import symmetry as symmetry
from .charts.multiple_runs import intervals as intervals
from .charts.multiple_runs import performance as performance
from .charts.null_distribution_plot import null as null
from .charts.pair_intervals import pair_intervals as pair_intervals
from .charts.posterior_plots import by_rope as by_rope
from .charts.posterior_plots import density as density
from .charts.posterior_plots import posterior as posterior
from .charts.posterior_plots import triangle as triangle
from .charts.power_curves import power_curves as power_curves
from .charts.pvalues_by_seed import pvalues as pvalues
from .charts.roc_curves import roc as roc
from .charts.score_profiles import profiles as profiles
from .charts.shrinkage_plot import shrinkage as shrinkage
from .charts.specification_curve import specification as specification
from .charts.ten_fold_differences import ten_folds as ten_folds
from .charts.training_set_overlap import plan_overlap as plan_overlap
from .charts.type_one_error_bars import rates as rates
from .charts.type_one_error_intervals import levels as levels
from .drawing.picture import Picture as Picture
from .drawing.picture_marks import BLACK as BLACK
from .drawing.picture_marks import BLUE as BLUE
from .drawing.picture_marks import GREEN as GREEN
from .drawing.picture_marks import GREY as GREY
from .drawing.picture_marks import ORANGE as ORANGE
from .drawing.picture_marks import VERMILLION as VERMILLION
from .drawing.picture_marks import Area as Area
from .drawing.picture_marks import Bars as Bars
from .drawing.picture_marks import Cells as Cells
from .drawing.picture_marks import Curve as Curve
from .drawing.picture_marks import Label as Label
from .drawing.picture_marks import Line as Line
from .drawing.picture_marks import Links as Links
from .drawing.picture_marks import Points as Points
from .drawing.picture_marks import VerticalLine as VerticalLine
from .post_hoc.comparison_matrix import comparison_matrix as comparison_matrix
from .post_hoc.critical_difference_diagram import critical_difference as critical_difference
