"""The pictures of tests, of the plans that they need, and of simulations.

Each takes, beside what its own lines say, ``title=`` (None for none), ``figsize=`` (inches, a width or a width and a height: the picture is
then laid out for a paper) and ``ax=`` (matplotlib's, to draw there).
"""

from .comparison_matrix import comparison_matrix as comparison_matrix
from .diagram import critical_difference as critical_difference
from .distribution import null as null
from .levels import levels as levels
from .many_runs import intervals as intervals
from .many_runs import performance as performance
from .marks import BLACK as BLACK
from .marks import BLUE as BLUE
from .marks import GREEN as GREEN
from .marks import GREY as GREY
from .marks import ORANGE as ORANGE
from .marks import VERMILLION as VERMILLION
from .marks import Area as Area
from .marks import Bars as Bars
from .marks import Cells as Cells
from .marks import Curve as Curve
from .marks import Label as Label
from .marks import Line as Line
from .marks import Links as Links
from .marks import Points as Points
from .marks import VerticalLine as VerticalLine
from .overlap import plan_overlap as plan_overlap
from .pair_intervals import pair_intervals as pair_intervals
from .picture import Picture as Picture
from .posteriors import by_rope as by_rope
from .posteriors import density as density
from .posteriors import posterior as posterior
from .posteriors import triangle as triangle
from .power_curves import power_curves as power_curves
from .profiles import profiles as profiles
from .pvalues import pvalues as pvalues
from .rates import rates as rates
from .roc import roc as roc
from .sample import normal_quantiles as normal_quantiles
from .sample import outliers as outliers
from .sample import scores as scores
from .sample import symmetry as symmetry
from .shrunk import shrinkage as shrinkage
from .specification import specification as specification
from .ten_folds import ten_folds as ten_folds
