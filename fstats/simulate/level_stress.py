"""Which tests keep their level here: with your own two learners, on records like yours."""

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

DATA_SETS_PER_UNIT = 10  # data sets in a unit of work
FAST_TESTS = tuple(test for test in ALL_TESTS if not test.further_splits() and test.plan.splits <= 10)  # 37 trainings of each learner


@dataclass(frozen=True, repr=False)
class Stressed(TableDisplay):
    """How often each test rejected a true H0, for each way to make it true."""

    rates: dict[str, list[Rate]]  # by the words for the two learners, a rate for each test
    alpha: float
    n: int

    def __iter__(self) -> Iterator[Rate]:
        """The worst rate of each test, in the order of the tests."""
        return (max(of, key=lambda rate: rate.rate) for of in zip(*self.rates.values(), strict=True))

    @property
    def _table(self) -> Table:
        first = next(iter(self.rates.values()))
        worst = {rate.test: rate.verdict(self.alpha) for rate in self}
        rows = [
            [one.test, *(f"{of[k].rate:.3f} ± {of[k].se:.3f}" for of in self.rates.values()), worst[one.test]]
            for k, one in enumerate(first)
        ]
        drawn = f"{first[0].repetitions} data sets of {self.n} records drawn from yours"
        title = f"How often a true H0 is rejected at alpha = {format_plain(self.alpha)}: {drawn}"
        notes = [
            "In each column both learners are equally good by symmetry.  The verdict is that of the largest rate: liberal where its exact "
            "interval of 95 % lies above alpha, conservative where it lies below.  The largest of several rates is larger by chance, too.",
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
    """Which tests keep their level with your own two learners, on records like yours?

    Data sets are drawn from your records with replacement, and each learner is set against itself in ways in which neither can be the
    better one: trained on either half of every training set, dealt by chance; and, where it depends on a seed, with two seeds.  So every
    rejection is a false alarm, and a test that gives many of them here is not to be trusted with these learners.

    Parameters
    ----------
    learner_a, learner_b : estimator
        Any estimators with ``fit`` and ``predict``, as scikit-learn's.
    X, y : array_like
        Your records and their classes.
    n : int, optional
        Records in each data set, by default as many as there are.
    tests : list of classes
        Tests on resampled scores; by default those that need ten trainings on a plan at most.
    data_sets : int
        How many data sets are drawn: 200 tell 0.05 from 0.10.
    alpha : float
        Level of the tests.
    rng : int
        Seed.
    jobs, store, progress
        As in :func:`fstats.simulate.run`; a unit of work is ten data sets.

    Returns
    -------
    Stressed
        A table; going through it gives the largest rate of each test, which :func:`fstats.plot.levels` draws with their intervals.

    Raises
    ------
    ValueError, TypeError
        For models without ``fit`` or ``predict``, X and y of different lengths, what is no test on resampled scores, numbers below 1.

    Notes
    -----
    Halves of the training set are smaller than what your learners will be trained on, so that training scatters more than it will; two
    seeds leave all records to both.  Neither tells how a test fares where two different learners happen to be equally good.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import fstats
    >>> learners, records = (GaussianNB(), DecisionTreeClassifier()), load_iris(return_X_y=True)
    >>> found = fstats.simulate.stress(*learners, *records, tests=[fstats.HoldOutMcNemar], data_sets=20, progress=False)
    >>> list(found.rates)
    ['GaussianNB, halves', 'DecisionTreeClassifier, halves', 'DecisionTreeClassifier, two seeds']
    """
    x, labels = np.asarray(X), np.asarray(y)
    if len(x) != len(labels):
        raise ValueError(f"X and y must have an entry for each record; got {len(x)} and {len(labels)}")
    size = len(labels) if n is None else int(check.count(2)(n, "n"))
    total, level = int(check.count(1)(data_sets, "data_sets")), float(check.level(alpha, "alpha"))
    by_name = tests_by_name(tests)
    law = DrawnRecords(x, labels)
    sources = {
        words: Symmetric(pair, law, size) for words, pair in _learner_pairs({"learner_a": learner_a, "learner_b": learner_b}).items()
    }
    for source in sources.values():
        for test, _ in by_name.values():
            source.ready(test.plan, test.required_results)
    units = [
        {"source": words, "repetitions": min(DATA_SETS_PER_UNIT, total - first)}
        for words in sources
        for first in range(0, total, DATA_SETS_PER_UNIT)
    ]
    arguments = {"tests": list(by_name), "sources": {words: repr(source) for words, source in sources.items()}, "alpha": level}
    work = partial(_unit_rejections, tests=by_name, sources=sources, alpha=level)
    done = run(work, units, arguments=arguments, rng=rng, jobs=jobs, store=store, progress=progress)
    rates = {}
    for words in sources:
        results = [result for unit, result in zip(units, done, strict=True) if unit["source"] == words]
        drawn = total - sum(len(result["failed"]) for result in results)
        rates[words] = [Rate(name, words, sum(result["rejections"][name] for result in results), drawn) for name in by_name]
    return Stressed(rates, level, size)


def _learner_pairs(learners: dict[str, Any]) -> dict[str, EqualPair]:
    """Each learner against itself, by words for it."""
    found: dict[str, EqualPair] = {}
    for name, learner in learners.items():
        words = type(learner).__name__
        if f"{words}, halves" in found:
            words = f"{words} ({name})"
        found[f"{words}, halves"] = record_halves(learner)
        if check_model(learner, name).unseeded:
            found[f"{words}, two seeds"] = seeds(learner)
    return found


def _unit_rejections(unit: Any, seed: np.random.SeedSequence, *, sources: dict[str, Symmetric], **how: Any) -> dict[str, Any]:
    """A unit of work on the source that it names."""
    return count_unit_rejections({"source": 0, "repetitions": unit["repetitions"]}, seed, sources=[sources[unit["source"]]], **how)
