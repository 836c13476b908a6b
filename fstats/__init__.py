"""Statistical comparison of classifiers, step by step.

Each test is a frozen object whose attributes are the lines of the textbook procedure; printing it shows the worked
example.  Scores are better the higher they are, differences are A minus B, and ``alternative="greater"`` claims that A
is better.
"""

from . import plot
from .contingency.mcnemar_exact import McNemarExact
from .contingency.predictions import PairedTable
from .critical import critical_values
from .pairwise.paired_t import PairedT
from .pairwise.signed_rank import SignedRank
from .printed import PrintedBesideOurs

__version__ = "0.1.0"
__all__ = ["McNemarExact", "PairedT", "PairedTable", "PrintedBesideOurs", "SignedRank", "critical_values", "plot"]
