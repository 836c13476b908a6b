"""The pictures of tests, of the plans that they need, and of simulations."""

from .diagram import critical_difference as critical_difference
from .distribution import null as null
from .levels import levels as levels
from .overlap import plan_overlap as plan_overlap
from .power_curves import power_curves as power_curves
from .profiles import profiles as profiles
from .pvalues import pvalues as pvalues
from .rates import rates as rates
from .roc import roc as roc
from .sample import normal_quantiles as normal_quantiles
from .sample import outliers as outliers
from .sample import scores as scores
from .sample import symmetry as symmetry
