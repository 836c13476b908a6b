"""Explorers for notebooks: a question, its answer in a sentence, at most three controls, and pictures; all recomputed at each move.

Words are chosen by buttons, numbers by sliders, and where a number is a mark in a picture one moves the mark itself.  More controls
(key m) and the worked rows (w) are folded away; p presents in large type.

``paired_t(a, b)`` and ``signed_rank(a, b)`` show a test whose data, size, level and alternative move, ``of(MyTest, a, b)`` any
other on paired scores; ``discordant(n01, n10)``
shows McNemar's tests, ``groups(right_a, right_b)`` what comes of cutting one test set into groups, ``outlier(a, b)`` what one score
does to two tests.

``anova(scores)``, ``ranking(scores)`` and ``multiplicity()`` are about many classifiers.

``overlap()`` shows a mean over splits of one data set, ``five_by_two(d)`` the ten differences of five times two-fold
cross-validation, ``bcv_mcnemar(tables)`` block-regularized cross-validation, ``false_alarms()`` the type I errors of all such tests;
``contingency_simulation()`` simulates the test on a contingency table, ``repeated_folds()`` shows it after cross-validation,
``fold_hacking()`` moves the seed that cuts the folds, ``correlations()`` shows how strongly ten tables are correlated,
``unstable_training()`` what ten tables tell of learners whose training is a matter of luck.

``rope(d)`` widens the region of practical equivalence of a Bayesian comparison, ``prior(a, b)`` changes its prior.

``randomness(model_a, model_b, x, y)`` draws weights, splits and folds anew; ``procedure(a, b)`` walks through the five steps;
``which_test()`` asks one question after the other.

An explorer lists its sliders (:mod:`fstats.explore.slider`), says which of them come first, computes what they say, draws it, and
names the marks that can be moved (:mod:`fstats.explore.grip`); all else is the business of :class:`fstats.explore.explorer.Explorer`.
"""

from .anova import anova
from .bcv_mcnemar import bcv_mcnemar
from .contingency_simulation import contingency_simulation
from .correlations import correlations
from .discordant import discordant
from .false_alarms import false_alarms
from .five_by_two import five_by_two
from .fold_hacking import fold_hacking
from .groups import groups
from .multiplicity import multiplicity
from .outlier import outlier
from .overlap import overlap
from .paired_t import paired_t
from .paired_test import of
from .procedure import procedure
from .randomness import randomness
from .ranking import ranking
from .repeated_folds import repeated_folds
from .rope import prior, rope
from .signed_rank import signed_rank
from .unstable_training import unstable_training
from .which_test import which_test

__all__ = [
    "anova",
    "bcv_mcnemar",
    "contingency_simulation",
    "correlations",
    "discordant",
    "false_alarms",
    "five_by_two",
    "fold_hacking",
    "groups",
    "multiplicity",
    "of",
    "outlier",
    "overlap",
    "paired_t",
    "prior",
    "procedure",
    "randomness",
    "ranking",
    "repeated_folds",
    "rope",
    "signed_rank",
    "unstable_training",
    "which_test",
]
