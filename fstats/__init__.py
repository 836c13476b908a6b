"""Statistical comparison of classifiers, step by step.

Each test is a frozen object whose attributes are the lines of the textbook procedure; printing it shows the worked
example.  Scores are better the higher they are, differences are A minus B, and ``alternative="greater"`` claims that A
is better.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; a test holds it against the table below
    from . import plot as plot
    from . import simulate as simulate
    from .assumptions.normality import Normality as Normality
    from .assumptions.outliers import Outliers as Outliers
    from .assumptions.symmetry import Symmetry as Symmetry
    from .comparing.one import compare as compare
    from .comparing.one import scores_on as scores_on
    from .comparing.together import compare_all as compare_all
    from .contingency.mcnemar import McNemar as McNemar
    from .contingency.mcnemar_exact import McNemarExact as McNemarExact
    from .contingency.mcnemar_exact import McNemarMidP as McNemarMidP
    from .contingency.predictions import PairedTable as PairedTable
    from .contingency.proportions import DifferenceOfProportions as DifferenceOfProportions
    from .course.opening import exercise as exercise
    from .course.opening import individual as individual
    from .critical import critical_values as critical_values
    from .folds import average_folds as average_folds
    from .guide.report import report as report
    from .guide.which import which_test as which_test
    from .multiple.cochran_q import CochranQ as CochranQ
    from .multiple.friedman import Friedman as Friedman
    from .multiple.iman_davenport import ImanDavenport as ImanDavenport
    from .multiple.one_way_anova import OneWayAnova as OneWayAnova
    from .multiple.quade import Quade as Quade
    from .multiple.repeated_anova import RepeatedAnova as RepeatedAnova
    from .pairwise.equivalence import EquivalenceSignedRank as EquivalenceSignedRank
    from .pairwise.equivalence import EquivalenceT as EquivalenceT
    from .pairwise.one_sample_t import OneSampleT as OneSampleT
    from .pairwise.paired_t import PairedT as PairedT
    from .pairwise.rank_sum import RankSum as RankSum
    from .pairwise.sign_test import SignTest as SignTest
    from .pairwise.signed_rank import SignedRank as SignedRank
    from .pairwise.two_sample_t import TwoSampleT as TwoSampleT
    from .pairwise.two_sample_t import WelchT as WelchT
    from .planning import power as power
    from .planning import sample_size as sample_size
    from .posthoc.bergmann_hommel import BergmannHommel as BergmannHommel
    from .posthoc.bonferroni_dunn import BonferroniDunn as BonferroniDunn
    from .posthoc.finner import Finner as Finner
    from .posthoc.hochberg import Hochberg as Hochberg
    from .posthoc.holm import Holm as Holm
    from .posthoc.hommel import Hommel as Hommel
    from .posthoc.li import Li as Li
    from .posthoc.nemenyi import Nemenyi as Nemenyi
    from .posthoc.pairwise import Pairwise as Pairwise
    from .posthoc.shaffer import Shaffer as Shaffer
    from .posthoc.tukey_hsd import TukeyHSD as TukeyHSD
    from .printed import PrintedBesideOurs as PrintedBesideOurs
    from .resampling.bcv_mcnemar import BlockedFiveByTwoMcNemar as BlockedFiveByTwoMcNemar
    from .resampling.blocked_three_by_two_t import BlockedThreeByTwoT as BlockedThreeByTwoT
    from .resampling.conservative_z import ConservativeZ as ConservativeZ
    from .resampling.corrected_resampled_t import CorrectedRepeatedKFoldT as CorrectedRepeatedKFoldT
    from .resampling.corrected_resampled_t import CorrectedResampledT as CorrectedResampledT
    from .resampling.cross_validated_z import CrossValidatedZ as CrossValidatedZ
    from .resampling.five_by_two_f import CalibratedFiveByTwoF as CalibratedFiveByTwoF
    from .resampling.five_by_two_f import CombinedFiveByTwoF as CombinedFiveByTwoF
    from .resampling.five_by_two_t import CombinedFiveByTwoT as CombinedFiveByTwoT
    from .resampling.five_by_two_t import FiveByTwoT as FiveByTwoT
    from .resampling.hold_out_mcnemar import HoldOutMcNemar as HoldOutMcNemar
    from .resampling.k_fold_t import KFoldT as KFoldT
    from .resampling.naive_k_fold_mcnemar import NaiveKFoldMcNemar as NaiveKFoldMcNemar
    from .resampling.plans import BlockRegularizedCV as BlockRegularizedCV
    from .resampling.posteriors import TablePosteriors as TablePosteriors
    from .resampling.proportional_z import ProportionalZ as ProportionalZ
    from .resampling.pseudo_bootstrap_t import CorrectedPseudoBootstrapT as CorrectedPseudoBootstrapT
    from .resampling.pseudo_bootstrap_t import PseudoBootstrapT as PseudoBootstrapT
    from .resampling.resampled_t import ResampledT as ResampledT
    from .resampling.scores import Scores as Scores

__version__ = "0.1.0"

# Where each name lives ("": a module of its own).  It is loaded when it is first used, so that `import fstats` stays as cheap as it was with three tests.
_HOME = {
    "BergmannHommel": "posthoc.bergmann_hommel",
    "BlockRegularizedCV": "resampling.plans",
    "BlockedFiveByTwoMcNemar": "resampling.bcv_mcnemar",
    "BlockedThreeByTwoT": "resampling.blocked_three_by_two_t",
    "BonferroniDunn": "posthoc.bonferroni_dunn",
    "CalibratedFiveByTwoF": "resampling.five_by_two_f",
    "CochranQ": "multiple.cochran_q",
    "CombinedFiveByTwoF": "resampling.five_by_two_f",
    "CombinedFiveByTwoT": "resampling.five_by_two_t",
    "ConservativeZ": "resampling.conservative_z",
    "CorrectedPseudoBootstrapT": "resampling.pseudo_bootstrap_t",
    "CorrectedRepeatedKFoldT": "resampling.corrected_resampled_t",
    "CorrectedResampledT": "resampling.corrected_resampled_t",
    "CrossValidatedZ": "resampling.cross_validated_z",
    "DifferenceOfProportions": "contingency.proportions",
    "EquivalenceSignedRank": "pairwise.equivalence",
    "EquivalenceT": "pairwise.equivalence",
    "Finner": "posthoc.finner",
    "FiveByTwoT": "resampling.five_by_two_t",
    "Friedman": "multiple.friedman",
    "Hochberg": "posthoc.hochberg",
    "HoldOutMcNemar": "resampling.hold_out_mcnemar",
    "Holm": "posthoc.holm",
    "Hommel": "posthoc.hommel",
    "ImanDavenport": "multiple.iman_davenport",
    "KFoldT": "resampling.k_fold_t",
    "Li": "posthoc.li",
    "McNemar": "contingency.mcnemar",
    "McNemarExact": "contingency.mcnemar_exact",
    "McNemarMidP": "contingency.mcnemar_exact",
    "NaiveKFoldMcNemar": "resampling.naive_k_fold_mcnemar",
    "Nemenyi": "posthoc.nemenyi",
    "Normality": "assumptions.normality",
    "OneSampleT": "pairwise.one_sample_t",
    "OneWayAnova": "multiple.one_way_anova",
    "Outliers": "assumptions.outliers",
    "PairedT": "pairwise.paired_t",
    "PairedTable": "contingency.predictions",
    "Pairwise": "posthoc.pairwise",
    "PrintedBesideOurs": "printed",
    "ProportionalZ": "resampling.proportional_z",
    "PseudoBootstrapT": "resampling.pseudo_bootstrap_t",
    "Quade": "multiple.quade",
    "RankSum": "pairwise.rank_sum",
    "RepeatedAnova": "multiple.repeated_anova",
    "ResampledT": "resampling.resampled_t",
    "Scores": "resampling.scores",
    "Shaffer": "posthoc.shaffer",
    "SignTest": "pairwise.sign_test",
    "SignedRank": "pairwise.signed_rank",
    "Symmetry": "assumptions.symmetry",
    "TablePosteriors": "resampling.posteriors",
    "TukeyHSD": "posthoc.tukey_hsd",
    "TwoSampleT": "pairwise.two_sample_t",
    "WelchT": "pairwise.two_sample_t",
    "average_folds": "folds",
    "compare": "comparing.one",
    "compare_all": "comparing.together",
    "critical_values": "critical",
    "exercise": "course.opening",
    "individual": "course.opening",
    "plot": "",
    "power": "planning",
    "report": "guide.report",
    "sample_size": "planning",
    "simulate": "",
    "scores_on": "comparing.one",
    "which_test": "guide.which",
}
__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"fstats has no {name!r}; it has {', '.join(sorted(_HOME))}")
    home = _HOME[name]
    value = globals()[name] = getattr(import_module(f".{home}", __name__), name) if home else import_module(f".{name}", __name__)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
