"""Statistical comparison of classifiers, step by step.

Each test is a frozen object whose attributes are the lines of the textbook procedure; printing it shows the worked
example.  Scores are better the higher they are, differences are A minus B, and ``alternative="greater"`` claims that A
is better.
"""

from . import plot
from .assumptions.normality import Normality
from .assumptions.outliers import Outliers
from .assumptions.symmetry import Symmetry
from .contingency.mcnemar import McNemar
from .contingency.mcnemar_exact import McNemarExact, McNemarMidP
from .contingency.predictions import PairedTable
from .contingency.proportions import DifferenceOfProportions
from .critical import critical_values
from .folds import average_folds
from .pairwise.equivalence import EquivalenceSignedRank, EquivalenceT
from .pairwise.one_sample_t import OneSampleT
from .pairwise.paired_t import PairedT
from .pairwise.rank_sum import RankSum
from .pairwise.sign_test import SignTest
from .pairwise.signed_rank import SignedRank
from .pairwise.two_sample_t import TwoSampleT, WelchT
from .power import power, sample_size
from .printed import PrintedBesideOurs

__version__ = "0.1.0"
__all__ = [
    "DifferenceOfProportions",
    "EquivalenceSignedRank",
    "EquivalenceT",
    "McNemar",
    "McNemarExact",
    "McNemarMidP",
    "Normality",
    "OneSampleT",
    "Outliers",
    "PairedT",
    "PairedTable",
    "PrintedBesideOurs",
    "RankSum",
    "SignTest",
    "SignedRank",
    "Symmetry",
    "TwoSampleT",
    "WelchT",
    "average_folds",
    "critical_values",
    "plot",
    "power",
    "sample_size",
]
