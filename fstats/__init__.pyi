# All public names with their modules, one line each: type checkers, editors and the lazy import of fstats/__init__.py read this list.
from . import plot as plot
from . import simulate as simulate
from .comparing import datasets as datasets
from .comparing.apply_test import apply_test as apply_test
from .comparing.benchmark import benchmark as benchmark
from .comparing.compare import compare as compare
from .comparing.compare import scores_on as scores_on
from .comparing.compare_all import compare_all as compare_all
from .comparing.fold_averages import average_folds as average_folds
from .comparing.multiverse import multiverse as multiverse
from .comparing.results.results import Results as Results
from .guide.recommendation import which_test as which_test
from .guide.report_paragraph import report as report
from .planning.critical_value_tables import critical_values as critical_values
from .planning.power import power as power
from .planning.power import sample_size as sample_size
from .procedures.assumptions.normality import Normality as Normality
from .procedures.assumptions.outliers import Outliers as Outliers
from .procedures.assumptions.symmetry import Symmetry as Symmetry
from .procedures.auc.delong import DeLong as DeLong
from .procedures.auc.delong import UnpairedDeLong as UnpairedDeLong
from .procedures.bayes.bayesian_correlated_t import BayesianCorrelatedT as BayesianCorrelatedT
from .procedures.bayes.bayesian_multilevel import BayesianMultilevel as BayesianMultilevel
from .procedures.bayes.bayesian_sign_test import BayesianSignTest as BayesianSignTest
from .procedures.bayes.bayesian_signed_rank import BayesianSignedRank as BayesianSignedRank
from .procedures.bayes.bradley_terry.bradley_terry import BradleyTerry as BradleyTerry
from .procedures.bayes.hierarchical.bayesian_hierarchical import BayesianHierarchical as BayesianHierarchical
from .procedures.contingency.binomial_proportion import BinomialProportion as BinomialProportion
from .procedures.contingency.difference_of_proportions import DifferenceOfProportions as DifferenceOfProportions
from .procedures.contingency.mcnemar import McNemar as McNemar
from .procedures.contingency.mcnemar_exact import McNemarExact as McNemarExact
from .procedures.contingency.mcnemar_exact import McNemarMidP as McNemarMidP
from .procedures.contingency.paired_table import PairedTable as PairedTable
from .procedures.language_models.question_sample_size import QuestionsNeeded as QuestionsNeeded
from .procedures.language_models.sampled_answers import PassAtK as PassAtK
from .procedures.language_models.sampled_answers import SampledAnswers as SampledAnswers
from .procedures.metric_comparison.metrics import Metric as Metric
from .procedures.metric_comparison.paired_bootstrap import PairedBootstrap as PairedBootstrap
from .procedures.metric_comparison.paired_permutation import PairedPermutation as PairedPermutation
from .procedures.multiple.cochran_q import CochranQ as CochranQ
from .procedures.multiple.friedman import Friedman as Friedman
from .procedures.multiple.friedman_aligned_ranks import FriedmanAligned as FriedmanAligned
from .procedures.multiple.iman_davenport import ImanDavenport as ImanDavenport
from .procedures.multiple.one_way_anova import OneWayAnova as OneWayAnova
from .procedures.multiple.quade import Quade as Quade
from .procedures.multiple.repeated_measures_anova import RepeatedAnova as RepeatedAnova
from .procedures.pairwise.clustered_difference import ClusteredDifference as ClusteredDifference
from .procedures.pairwise.equivalence import EquivalenceSignedRank as EquivalenceSignedRank
from .procedures.pairwise.equivalence import EquivalenceT as EquivalenceT
from .procedures.pairwise.one_sample_t import OneSampleT as OneSampleT
from .procedures.pairwise.paired_t import PairedT as PairedT
from .procedures.pairwise.rank_sum import RankSum as RankSum
from .procedures.pairwise.sign_test import SignTest as SignTest
from .procedures.pairwise.signed_rank import SignedRank as SignedRank
from .procedures.pairwise.two_sample_t import TwoSampleT as TwoSampleT
from .procedures.pairwise.two_sample_t import WelchT as WelchT
from .procedures.posthoc.benjamini_hochberg import BenjaminiHochberg as BenjaminiHochberg
from .procedures.posthoc.benjamini_hochberg import BenjaminiYekutieli as BenjaminiYekutieli
from .procedures.posthoc.bergmann_hommel import BergmannHommel as BergmannHommel
from .procedures.posthoc.bonferroni_dunn import BonferroniDunn as BonferroniDunn
from .procedures.posthoc.finner import Finner as Finner
from .procedures.posthoc.hochberg import Hochberg as Hochberg
from .procedures.posthoc.holm import Holm as Holm
from .procedures.posthoc.hommel import Hommel as Hommel
from .procedures.posthoc.li import Li as Li
from .procedures.posthoc.nemenyi import Nemenyi as Nemenyi
from .procedures.posthoc.pairwise_aligned_ranks import PairwiseAligned as PairwiseAligned
from .procedures.posthoc.pairwise_tests import Pairwise as Pairwise
from .procedures.posthoc.shaffer import Shaffer as Shaffer
from .procedures.posthoc.tukey_hsd import TukeyHSD as TukeyHSD
from .procedures.repeated_runs.interquartile_mean import InterquartileMean as InterquartileMean
from .procedures.repeated_runs.interquartile_mean_difference import DifferenceOfInterquartileMeans as DifferenceOfInterquartileMeans
from .procedures.repeated_runs.performance_profile import PerformanceProfile as PerformanceProfile
from .procedures.repeated_runs.probability_of_improvement import ProbabilityOfImprovement as ProbabilityOfImprovement
from .procedures.repeated_runs.stochastic_order import AlmostStochasticOrder as AlmostStochasticOrder
from .procedures.resampling.block_regularized.contingency_table_posterior import TablePosteriors as TablePosteriors
from .procedures.resampling.split_plans.block_regularized_cv import BlockRegularizedCV as BlockRegularizedCV
from .procedures.resampling.split_scores.split_scores import Scores as Scores
from .procedures.training_variance.probability_of_outperforming import ProbabilityOfOutperforming as ProbabilityOfOutperforming
from .procedures.training_variance.variance_components import VarianceParts as VarianceParts
from .procedures.training_variance.variance_components_across_data_sets import VariancePartsOfDataSets as VariancePartsOfDataSets
from .publish.desk_page import desk as desk
from .render.printed_numbers import PrintedBesideOurs as PrintedBesideOurs
from .teaching.course.catalogue import exercise as exercise
from .teaching.course.individual_data import individual as individual
from .teaching.grading.course_progress import progress as progress

# isort: off
# The tests on resampled scores are in the order in which compare_all shows them, that of Table 5 of Wang and Li, Block-regularized 5x2
# cross-validated McNemar's test.  Tests without figures in that table follow the related tests; the test unknown to it is last.
from .procedures.resampling.resampled_t import ResampledT as ResampledT
from .procedures.resampling.k_fold_t import KFoldT as KFoldT
from .procedures.resampling.five_by_two.five_by_two_t import FiveByTwoT as FiveByTwoT
from .procedures.resampling.corrected_resampled_t import CorrectedResampledT as CorrectedResampledT
from .procedures.resampling.pseudo_bootstrap_t import PseudoBootstrapT as PseudoBootstrapT
from .procedures.resampling.pseudo_bootstrap_t import CorrectedPseudoBootstrapT as CorrectedPseudoBootstrapT
from .procedures.resampling.corrected_resampled_t import CorrectedRepeatedKFoldT as CorrectedRepeatedKFoldT
from .procedures.resampling.five_by_two.five_by_two_t import CombinedFiveByTwoT as CombinedFiveByTwoT
from .procedures.resampling.block_regularized.blocked_three_by_two_t import BlockedThreeByTwoT as BlockedThreeByTwoT
from .procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF as CombinedFiveByTwoF
from .procedures.resampling.five_by_two.five_by_two_f import CalibratedFiveByTwoF as CalibratedFiveByTwoF
from .procedures.resampling.proportional_z import ProportionalZ as ProportionalZ
from .procedures.resampling.conservative_z import ConservativeZ as ConservativeZ
from .procedures.resampling.cross_validated_z import CrossValidatedZ as CrossValidatedZ
from .procedures.resampling.hold_out_mcnemar import HoldOutMcNemar as HoldOutMcNemar
from .procedures.resampling.naive_k_fold_mcnemar import NaiveKFoldMcNemar as NaiveKFoldMcNemar
from .procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar as BlockedFiveByTwoMcNemar
from .procedures.resampling.block_regularized.blocked_five_by_two_t import BlockedFiveByTwoT as BlockedFiveByTwoT
# isort: on

__version__: str
_HOME: dict[str, str]  # the module of each name in fstats
__all__: list[str]

def __dir__() -> list[str]: ...
