"""Statistical comparison of classifiers, step by step."""

from .contingency.mcnemar_exact import McNemarExact
from .pairwise.paired_t import PairedT
from .pairwise.signed_rank import SignedRank

__version__ = "0.1.0"
__all__ = ["McNemarExact", "PairedT", "SignedRank"]
