"""All tests on resampled scores, in the order of Table 5 of the source paper; those that it describes without figures come where they belong."""

from __future__ import annotations

from typing import Any

from .algorithms import TwoAlgorithms
from .bcv_mcnemar import BlockedFiveByTwoMcNemar
from .blocked_three_by_two_t import BlockedThreeByTwoT
from .conservative_z import ConservativeZ
from .corrected_resampled_t import CorrectedRepeatedKFoldT, CorrectedResampledT
from .cross_validated_z import CrossValidatedZ
from .five_by_two_f import CalibratedFiveByTwoF, CombinedFiveByTwoF
from .five_by_two_t import CombinedFiveByTwoT, FiveByTwoT
from .hold_out_mcnemar import HoldOutMcNemar
from .k_fold_t import KFoldT
from .naive_k_fold_mcnemar import NaiveKFoldMcNemar
from .proportional_z import ProportionalZ
from .pseudo_bootstrap_t import CorrectedPseudoBootstrapT, PseudoBootstrapT
from .resampled_t import ResampledT

EVERY_TEST: tuple[type[TwoAlgorithms], ...] = (
    ResampledT,
    KFoldT,
    FiveByTwoT,
    CorrectedResampledT,
    PseudoBootstrapT,
    CorrectedPseudoBootstrapT,
    CorrectedRepeatedKFoldT,
    CombinedFiveByTwoT,
    BlockedThreeByTwoT,
    CombinedFiveByTwoF,
    CalibratedFiveByTwoF,
    ProportionalZ,
    ConservativeZ,
    CrossValidatedZ,
    HoldOutMcNemar,
    NaiveKFoldMcNemar,
    BlockedFiveByTwoMcNemar,
)

# Those with figures in Table 5: each training serves one split of the plan, and no further ones are needed.
TABLE_5 = tuple(test for test in EVERY_TEST if not {"halves", "replicates"} & {*test.needs})


def check_test(test: Any, name: str = "test") -> None:
    """A class that tests scores on a plan."""
    if not (isinstance(test, type) and issubclass(test, TwoAlgorithms) and hasattr(test, "plan")):
        got = test.__name__ if isinstance(test, type) else repr(test)
        raise TypeError(
            f"{name} must be a test on resampled scores, a class such as fstats.BlockedFiveByTwoMcNemar or fstats.CombinedFiveByTwoF; got {got}"
        )


def check_settings(test: type[TwoAlgorithms], alpha: float, settings: dict[str, Any]) -> None:
    """Refuse what the test would refuse, before the scores are there: after hours of work it would be too late."""
    known = [name for name in test.inputs if name in test.defaults or name == "test_train_ratio"]
    if unknown := settings.keys() - {*known}:
        raise TypeError(f"{test.__name__} has no setting {', '.join(sorted(unknown))}; it has {', '.join(known)}")
    test.from_steps(alpha=alpha, **settings)
