"""Explorers for notebooks: a question, its answer in a sentence, at most three controls, and pictures; all recomputed at each move.

Words are chosen by buttons, numbers by sliders, and where a number is a mark in a picture one moves the mark itself.  More controls
(key m) and the worked rows (w) are folded away; p presents in large type.

``paired_t(a, b)`` and ``signed_rank(a, b)`` show a test whose data, size, level and alternative move, ``of(MyTest, a, b)`` any
other on paired scores; ``unpaired(x, y)`` shows three tests without pairs, ``discordant(n01, n10)``
McNemar's tests, ``groups(right_a, right_b)`` what comes of cutting one test set into groups, ``outlier(a, b)`` what one score
does to two tests.

``anova(scores)``, ``ranking(scores)`` and ``multiplicity()`` are about many classifiers.

``overlap()`` shows a mean over splits of one data set, ``five_by_two(d)`` the ten differences of five times two-fold
cross-validation, ``bcv_mcnemar(tables)`` block-regularized cross-validation, ``false_alarms()`` the type I errors of all such tests;
``contingency_simulation()`` simulates the test on a contingency table, ``repeated_folds()`` shows it after cross-validation,
``fold_hacking()`` moves the seed that cuts the folds, ``correlations()`` shows how strongly ten tables are correlated,
``unstable_training()`` what ten tables tell of learners whose training is a matter of luck, ``two_models()`` what a benchmark tells of
two language models, ``tuning()`` what the best of many settings is worth on the records that chose it.

``rope(d)`` widens the region of practical equivalence of a Bayesian comparison, ``prior(a, b)`` changes its prior.

``randomness(model_a, model_b, x, y)`` draws weights, splits and folds anew; ``procedure(a, b)`` walks through the five steps;
``which_test()`` asks one question after the other.

An explorer lists its sliders (:mod:`fstats.explore.widgets.slider`), says which of them come first, computes what they say, draws it, and
names the marks that can be moved (:mod:`fstats.explore.widgets.drag_handle`); all else is done by
:class:`fstats.explore.widgets.explorer.Explorer`.
"""

import sys
from importlib import import_module
from types import ModuleType

from ..core.lazy_imports import public_name_modules
from ..core.validation.name_suggestions import unknown_name_message
from .widgets import explorer as explorer  # what it needs and misses is said at once

_HOME = public_name_modules(__spec__)
__all__ = [*_HOME]


class _Explorers(ModuleType):
    """Loads an explorer when it is first used: all of them load two thirds of the library, which a page in a browser has to compile."""

    def __getattr__(self, name: str) -> object:
        if name not in _HOME:
            raise AttributeError(unknown_name_message("fstats.explore", [name], sorted(_HOME)))
        return getattr(import_module(f".{_HOME[name]}", self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        """Python gives a module that it has loaded the place of its name; here that is the place of the function inside."""
        super().__setattr__(name, getattr(value, name) if name in _HOME and isinstance(value, ModuleType) else value)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Explorers
