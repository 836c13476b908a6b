# Every public name and where it lives, a line each: the one list, for type checkers and editors as for the import at first use.
from . import datasets as datasets
from . import plot as plot
from . import simulate as simulate
from .assumptions.normality import Normality as Normality
from .assumptions.outliers import Outliers as Outliers
from .assumptions.symmetry import Symmetry as Symmetry
from .auc.delong import DeLong as DeLong
from .auc.delong import UnpairedDeLong as UnpairedDeLong
from .bayes.correlated_t import BayesianCorrelatedT as BayesianCorrelatedT
from .bayes.hierarchical import BayesianHierarchical as BayesianHierarchical
from .bayes.sign import BayesianSignTest as BayesianSignTest
from .bayes.signed_rank import BayesianSignedRank as BayesianSignedRank
from .comparing.benchmark import benchmark as benchmark
from .comparing.every_test import compare_all as compare_all
from .comparing.one_test import compare as compare
from .comparing.one_test import scores_on as scores_on
from .comparing.your_own import your_own as your_own
from .contingency.mcnemar import McNemar as McNemar
from .contingency.mcnemar_exact import McNemarExact as McNemarExact
from .contingency.mcnemar_exact import McNemarMidP as McNemarMidP
from .contingency.predictions import PairedTable as PairedTable
from .contingency.proportions import DifferenceOfProportions as DifferenceOfProportions
from .course.catalogue import exercise as exercise
from .course.catalogue import individual as individual
from .critical import critical_values as critical_values
from .folds import average_folds as average_folds
from .grading.so_far import so_far as so_far
from .guide.report import report as report
from .guide.which import which_test as which_test
from .multiple.aligned_ranks import FriedmanAligned as FriedmanAligned
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
from .posthoc.pairwise_aligned import PairwiseAligned as PairwiseAligned
from .posthoc.shaffer import Shaffer as Shaffer
from .posthoc.tukey_hsd import TukeyHSD as TukeyHSD
from .printed import PrintedBesideOurs as PrintedBesideOurs
from .resampling.blocks import BlockRegularizedCV as BlockRegularizedCV
from .resampling.posteriors import TablePosteriors as TablePosteriors
from .resampling.scores import Scores as Scores
from .results.results import Results as Results

# isort: off
# The tests on resampled scores stand as compare_all shows them, which is not the order of the alphabet but that of Table 5 of Wang
# and Li, Block-regularized 5x2 cross-validated McNemar's test; those of which it has no figures stand where they belong.
from .resampling.resampled_t import ResampledT as ResampledT
from .resampling.k_fold_t import KFoldT as KFoldT
from .resampling.five_by_two_t import FiveByTwoT as FiveByTwoT
from .resampling.corrected_resampled_t import CorrectedResampledT as CorrectedResampledT
from .resampling.pseudo_bootstrap_t import PseudoBootstrapT as PseudoBootstrapT
from .resampling.pseudo_bootstrap_t import CorrectedPseudoBootstrapT as CorrectedPseudoBootstrapT
from .resampling.corrected_resampled_t import CorrectedRepeatedKFoldT as CorrectedRepeatedKFoldT
from .resampling.five_by_two_t import CombinedFiveByTwoT as CombinedFiveByTwoT
from .resampling.blocked_three_by_two_t import BlockedThreeByTwoT as BlockedThreeByTwoT
from .resampling.five_by_two_f import CombinedFiveByTwoF as CombinedFiveByTwoF
from .resampling.five_by_two_f import CalibratedFiveByTwoF as CalibratedFiveByTwoF
from .resampling.proportional_z import ProportionalZ as ProportionalZ
from .resampling.conservative_z import ConservativeZ as ConservativeZ
from .resampling.cross_validated_z import CrossValidatedZ as CrossValidatedZ
from .resampling.hold_out_mcnemar import HoldOutMcNemar as HoldOutMcNemar
from .resampling.naive_k_fold_mcnemar import NaiveKFoldMcNemar as NaiveKFoldMcNemar
from .resampling.bcv_mcnemar import BlockedFiveByTwoMcNemar as BlockedFiveByTwoMcNemar
# isort: on

__version__: str
_HOME: dict[str, str]  # the module of each name in fstats
__all__: list[str]

def __dir__() -> list[str]: ...
