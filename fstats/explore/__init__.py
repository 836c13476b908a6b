"""Interactive explorers of statistical tests in notebooks.

An explorer shows a question, an answer, a few sliders and pictures.

After every move of a control, the explorer computes all results again. Buttons select words and sliders select numbers; if a number is a
mark in a picture, the mark can be dragged. Further controls (key m) and the worked rows (key w) are hidden at first; key p shows large
type.

One classifier: ``binomial_proportion(right, n)`` shows how sure one accuracy is, and how often its interval is right.

Two classifiers: ``paired_t(a, b)`` and ``signed_rank(a, b)`` show a test whose data, size, level and alternative can be changed.
``of(MyTest, a, b)`` shows any other test on paired scores. ``unpaired(x, y)`` shows three tests without pairs. ``discordant(n01, n10)``
shows McNemar's tests. ``groups(right_a, right_b)`` shows the effect of dividing one test set into groups. ``outlier(a, b)`` shows the
effect of one score on two tests.

Your own results: ``desk("scores.csv")`` compares the classifiers in a table, with every step from the reading to the paragraph.

Many classifiers: ``anova(scores)``, ``ranking(scores)`` and ``multiplicity()``.

Resampling: ``overlap()`` shows a mean over splits of one data set. ``five_by_two(d)`` shows the ten differences of five times two-fold
cross-validation. ``bcv_mcnemar(tables)`` shows block-regularized cross-validation. ``false_alarms()`` shows the type I errors of the tests.
``contingency_simulation()`` simulates the test on a contingency table. ``repeated_folds()`` shows the test on a contingency table after
cross-validation. ``fold_hacking()`` changes the seed of the folds. ``correlations()`` shows how strongly ten tables are correlated.
``unstable_training()`` shows tests on ten tables of learners with random training. ``two_models()`` shows two language models on one
benchmark. ``tuning()`` shows the true accuracy of the best of many settings that was chosen on the test records.

Bayesian comparisons: ``rope(d)`` changes the region of practical equivalence, and ``prior(a, b)`` changes the prior.

Teaching: ``randomness(model_a, model_b, x, y)`` draws weights, splits and folds again. ``which_test()`` asks
questions until one test can be recommended.

The class of an explorer lists the sliders (:mod:`fstats.explore.widgets.slider`) and the main controls, computes a test from the values of
the sliders, draws the test, and names the marks that can be dragged (:mod:`fstats.explore.widgets.drag_handle`). The base class
:class:`fstats.explore.widgets.explorer.Explorer` does all other work.
"""

import sys
from importlib import import_module
from types import ModuleType

from ..core.lazy_imports import public_name_modules
from ..core.validation.name_suggestions import unknown_name_message
from .widgets import explorer as explorer  # imported here, so that `import fstats.explore` reports a missing library

_HOME = public_name_modules(__spec__)
__all__ = [*_HOME]


class _Explorers(ModuleType):
    """Module that loads an explorer at its first use, because loading all explorers would make a web page compile two thirds of fstats."""

    def __getattr__(self, name: str) -> object:
        if name not in _HOME:
            raise AttributeError(unknown_name_message("fstats.explore", [name], sorted(_HOME)))
        return getattr(import_module(f".{_HOME[name]}", self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        """Bind the name of a loaded submodule to the function with the same name, not to the module as Python would do."""
        super().__setattr__(name, getattr(value, name) if name in _HOME and isinstance(value, ModuleType) else value)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Explorers
