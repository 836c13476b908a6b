"""Estimate type I error rates on data similar to your own.

A stress test shows how often tests reject a true H0 for your learners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..comparing.model_evaluation import check_model
from ..core.number_format import format_plain
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.resampling.cross_validation_tests import ALL_TESTS
from ..render.display_table import Table, TableDisplay
from .rejection_counts import count_unit_rejections, tests_by_name
from .rejection_rates import Rate
from .symmetric_pairs import EqualPair, record_halves, seeds
from .symmetric_sources import DrawnRecords, Symmetric
from .work_units import run

DATA_SETS_PER_UNIT = 10
# tests with at most 10 splits and without further splits; together they need 37 trainings of each learner
FAST_TESTS = tuple(test for test in ALL_TESTS if not test.further_splits() and test.plan.splits <= 10)


@dataclass(frozen=True, repr=False)
class Stressed(TableDisplay):
    """Rejection rates of each test, for each pair of learners for which H0 is true."""

    rates: dict[str, list[Rate]]  # maps the description of a pair of learners to a rate for each test
    alpha: float
    n: int

    def __iter__(self) -> Iterator[Rate]:
        """Yield the worst rate of each test, in the order of the tests."""
        return (max(rates, key=lambda rate: rate.rate) for rates in zip(*self.rates.values(), strict=True))

    @property
    def _table(self) -> Table:
        first = next(iter(self.rates.values()))
        worst = {rate.test: rate.verdict(self.alpha) for rate in self}
        rows = [
            [rate.test, *(f"{rates[k].rate:.3f} ± {rates[k].se:.3f}" for rates in self.rates.values()), worst[rate.test]]
            for k, rate in enumerate(first)
        ]
        drawn = f"{first[0].repetitions} data sets of {self.n} records drawn from yours"
        title = f"How often a true H0 is rejected at alpha = {format_plain(self.alpha)}: {drawn}"
        notes = [
            "In each column both learners are equally good by symmetry.  The verdict is about the largest rate: liberal if the exact "
            "95 % interval lies above alpha, conservative if below alpha.  The largest of several rates is larger partly by chance."
        ]
        return Table(["test", *self.rates, "verdict"], rows, title, notes=notes)


@with_suggestions
def stress(
    learner_a: Any,
    learner_b: Any,
    X: Any,
    y: Any,
    *,
    n: int | None = None,
    tests: Sequence[Any] = FAST_TESTS,
    data_sets: int = 200,
    alpha: float = 0.05,
    rng: int = 0,
    jobs: int = 1,
    store: Any = None,
    progress: bool = True,
) -> Stressed:
    """Estimate which tests keep their level with your own two learners, on records like yours.

    Data sets are drawn from your records with replacement.  Each learner is compared with itself, so that neither side can be better.
    In one comparison every training set is divided at random, and the two sides are trained on different halves.  If the learner
    depends on a seed, the two sides have different seeds in a second comparison.  Because H0 is true, every rejection is a false alarm;
    do not trust a test with many rejections for these learners.

    Parameters
    ----------
    learner_a, learner_b : estimator
        Any estimators with ``fit`` and ``predict``, as in scikit-learn.
    X, y : array_like
        Your records and their classes.
    n : int, optional
        Number of records in each data set; by default the number of your records.
    tests : list of classes
        Tests on resampled scores; by default the tests that need at most ten trainings on a plan.
    data_sets : int
        Number of data sets; 200 suffice to distinguish 0.05 from 0.10.
    alpha : float
        Level of the tests.
    rng : int
        Seed.
    jobs, store, progress
        As in :func:`fstats.simulate.run`; a unit of work is ten data sets.

    Returns
    -------
    Stressed
        A table; iteration yields the largest rate of each test.  :func:`fstats.plot.levels` draws these rates with their intervals.

    Raises
    ------
    ValueError, TypeError
        If a model has no ``fit`` or ``predict``, if X and y have different lengths, if a test does not use resampled scores, or if a
        number is below 1.

    Notes
    -----
    Halves of the training set are smaller than your training sets, so training varies more than with your training sets; in the
    comparison of two seeds both sides get all records.  Neither comparison shows the level of a test for two different learners that
    are equally good by chance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import fstats
    >>> learners, records = (GaussianNB(), DecisionTreeClassifier()), load_iris(return_X_y=True)
    >>> stressed = fstats.simulate.stress(*learners, *records, tests=[fstats.HoldOutMcNemar], data_sets=20, progress=False)
    >>> list(stressed.rates)
    ['GaussianNB, halves', 'DecisionTreeClassifier, halves', 'DecisionTreeClassifier, two seeds']
    """
    x, labels = np.asarray(X), np.asarray(y)
    if len(x) != len(labels):
        raise ValueError(f"`X` and `y` must have an entry for each record; got {len(x)} records in X and {len(labels)} in y")
    size = len(labels) if n is None else int(check.count(2)(n, "n"))
    total, level = int(check.count(1)(data_sets, "data_sets")), float(check.level(alpha, "alpha"))
    by_name = tests_by_name(tests)
    law = DrawnRecords(x, labels)
    pairs = _learner_pairs({"learner_a": learner_a, "learner_b": learner_b})
    sources = {name: Symmetric(pair, law, size) for name, pair in pairs.items()}
    for source in sources.values():
        for test, _ in by_name.values():
            source.check_plan(test.plan, test.required_results)
    units = [
        {"source": name, "repetitions": min(DATA_SETS_PER_UNIT, total - first)}
        for name in sources
        for first in range(0, total, DATA_SETS_PER_UNIT)
    ]
    arguments = {"tests": list(by_name), "sources": {name: repr(source) for name, source in sources.items()}, "alpha": level}
    work = partial(_unit_rejections, tests=by_name, sources=sources, alpha=level)
    counts = run(work, units, arguments=arguments, rng=rng, jobs=jobs, store=store, progress=progress)
    rates = {}
    for name in sources:
        results = [result for unit, result in zip(units, counts, strict=True) if unit["source"] == name]
        drawn = total - sum(len(result["failed"]) for result in results)
        rates[name] = [Rate(test, name, sum(result["rejections"][test] for result in results), drawn) for test in by_name]
    return Stressed(rates, level, size)


def _learner_pairs(learners: dict[str, Any]) -> dict[str, EqualPair]:
    """Return pairs of learners for which H0 is true, by the description of the pair."""
    pairs: dict[str, EqualPair] = {}
    for name, learner in learners.items():
        class_name = type(learner).__name__
        if f"{class_name}, halves" in pairs:
            class_name = f"{class_name} ({name})"
        pairs[f"{class_name}, halves"] = record_halves(learner)
        if check_model(learner, name).unseeded_parameters:
            pairs[f"{class_name}, two seeds"] = seeds(learner)
    return pairs


def _unit_rejections(unit: Any, seed: np.random.SeedSequence, *, sources: dict[str, Symmetric], **how: Any) -> dict[str, Any]:
    """Return the numbers of rejections in a unit of work, which names its source."""
    return count_unit_rejections({"source": 0, "repetitions": unit["repetitions"]}, seed, sources=[sources[unit["source"]]], **how)
