"""Data sources on which learners are trained.

Two learners are trained on every split of each data set.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import check_model, correct_predictions, take_records
from ..comparing.splits import Records, Split, splits
from ..core.validation import check, class_labels
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import EXTRA_RESULTS, REPLICATES
from .data_sources import ErrorRates
from .simulation_classifiers import NearestNeighbour, nearest_training_records
from .training_cache import LearnerFailed, Seed, TrainedScores, TrainingCache, child_seed, stack_scores

LabelledRecords = tuple[Any, NDArray[Any]]  # records and the class of each record


class Trained(ABC):
    """A source of records with classes, on which two learners are trained on each split of each data set."""

    n: int
    classes: frozenset[Any] = frozenset()  # class labels of the population; empty if the source has no population

    @property
    @abstractmethod
    def learners(self) -> tuple[Any, Any]:
        """The learners A and B, the same two objects at every call: estimators with ``fit`` and ``predict``."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Draw data sets of n records."""

    def check_plan(self, plan: Plan, needs: Collection[str]) -> None:
        """Raise an error before any training if a data set cannot be split according to the plan."""
        records = Records(self.n, np.zeros(self.n, np.int64), None, False, 0, None, REPLICATES)
        for part in ("splits", *(name for name in EXTRA_RESULTS if name in needs)):
            next(splits(plan, part, records))

    def scores(self, data: Sequence[LabelledRecords], plan: Plan, needs: Collection[str], seed: Seed) -> TrainedScores:
        """Return the scores of both learners on the splits of a plan as one batch; a failure on one data set does not stop the rest."""
        self.check_plan(plan, needs)
        results: list[Any] = []
        for r, (x, y) in enumerate(data):
            try:
                results.append(TrainingCache(x, y, child_seed(seed, r), self.classes).scores(plan, needs, *self.learners))
            except LearnerFailed as error:
                results.append(str(error))
        return stack_scores(plan, needs, results, self.n)

    @abstractmethod
    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """Estimate the error rate of each learner on new records of the population, after training on n records.

        Parameters
        ----------
        data_sets : int
            Number of training sets, at least 2; error rates are averaged over all training sets.
        rng : int
            Seed.
        n : int, optional
            Size of a training set; by default the size of a data set.  Tests train on fewer records: on half of the records in a
            two-fold cross-validation.
        """


class TableSource(Trained):
    """A source of records drawn with replacement from a table."""

    @property
    @abstractmethod
    def records(self) -> LabelledRecords:
        """All records and their classes."""

    @cached_property
    def classes(self) -> frozenset[Any]:  # type: ignore[override]
        """All classes; a learner may predict a class that the current data set does not have."""
        return frozenset(self.records[1].tolist())

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Draw data sets with replacement."""
        x, y = self.records
        chosen = (rng.integers(len(y), size=n or self.n) for _ in range(repetitions))
        return [(take_records(x, rows), y[rows]) for rows in chosen]

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """Return the error rate of each learner on all records of the population, after training on n drawn records.

        Raises
        ------
        LearnerFailed
            If a learner fails; the error names the training set, the reason, and the number of failures.
        """
        size = int(check.count(1)(self.n if n is None else n, "n"))
        drawn = self.draw(np.random.default_rng(rng), int(check.count(2)(data_sets, "data_sets")), size)
        rates: list[list[float]] = []
        failed: dict[int, str] = {}
        for k, data in enumerate(drawn):
            try:
                rates.append([error_rate(learner, self.records, data, rng) for learner in self.learners])
            # a missing package makes all trainings fail, so pass on this error, which names the package
            except ModuleNotFoundError:
                raise
            # any other error of a learner is a failed training on this training set
            except Exception as error:
                failed[k] = f"{type(error).__name__}: {error}"
        if failed:
            first, why = next(iter(failed.items()))
            raise LearnerFailed(
                f"a learner failed on {len(failed)} of {len(drawn)} training sets of {size} records (first: training set {first + 1}, "
                f"{why}), and has no true error rate. Use larger training sets (`n=`), or another learner."
            )
        a, b = zip(*rates)
        return ErrorRates.of(a, b, size)


def error_rate(learner: Any, population: LabelledRecords, data: LabelledRecords, rng: int = 0) -> float:
    """Return the share of the population on which a learner errs after training on one data set."""
    (x, y), (train, truth) = population, data
    if isinstance(learner, NearestNeighbour):
        nearest = nearest_training_records(np.asarray(train, float), np.asarray(x, float), learner.weights_for(x.shape[1]))
        return float((truth[nearest] != y).mean())
    model = check_model(learner, type(learner).__name__)
    split = Split(np.arange(len(truth)), np.arange(len(y)), (0, 0), "on the population")
    fitted = model.seeded_copy(rng, split)
    fitted.fit(train, truth)
    return 1 - float(correct_predictions(fitted.predict(x), y, frozenset(y.tolist()), model, split).mean())


@dataclass(frozen=True, eq=False, repr=False)
class Population(TableSource):
    """Data sets drawn from your own records, to estimate how often a test would reject on other data sets like yours.

    Each data set consists of n records drawn with replacement from all records.  Both models are trained on every split of the data
    set, and the tests are computed as in :func:`fstats.compare`.  The true error rates of the two models are known:
    :meth:`true_error_rates` computes these rates by training on n records and testing on all records.

    Parameters
    ----------
    x : array_like, sparse matrix or DataFrame
        The records.
    y : array_like
        The class of each record.
    model_a, model_b : estimator
        Any estimators with ``fit`` and ``predict``, as in scikit-learn.
    n : int
        Number of records in each data set.

    Raises
    ------
    ValueError, TypeError
        If a model has no ``fit`` or ``predict``, if x and y have different lengths, or if all records are of one class.  When data sets
        are split: if a plan needs more records.

    Notes
    -----
    Data sets are drawn with replacement, so the same record may be in the training set and in the test set; with many records and a
    small n such repeated records are rare.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import fstats
    >>> source = fstats.simulate.Population(*load_iris(return_X_y=True), GaussianNB(), DecisionTreeClassifier(max_depth=1), n=60)
    >>> rates = fstats.simulate.type_one_error([fstats.BlockedFiveByTwoMcNemar], source, 20, progress=False)
    >>> rates["BlockedFiveByTwoMcNemar"].rate > 0.8, source.true_error_rates(20).difference < -0.2
    (True, True)
    """

    x: Any
    y: Any
    model_a: Any
    model_b: Any
    n: int = 300
    description: str = field(init=False, default="")

    def __post_init__(self) -> None:
        x = self.x.tocsr() if hasattr(self.x, "tocsr") else self.x
        y = class_labels.class_labels(self.y, "y")
        length = x.shape[0] if hasattr(x, "shape") else len(x)
        for name in ("model_a", "model_b"):
            check_model(getattr(self, name), name)
        if y.ndim != 1 or len(y) != length:
            raise ValueError(f"`x` and `y` must have an entry for each record; got {length} records in x and y of shape {y.shape}")
        if len(names := np.unique(y)) < 2:
            raise ValueError(f"a population must have records of at least two classes; got only the classes {names.tolist()!r}")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "n", int(check.count(2)(self.n, "n")))
        digest = hashlib.sha256(_table_bytes(x) + repr(y.tolist()).encode()).hexdigest()[:12]
        object.__setattr__(self, "description", f"{length} records, sha256 {digest}")

    def __repr__(self) -> str:
        a, b = (" ".join(repr(model).split()) for model in (self.model_a, self.model_b))
        return f"Population({self.description}, {a}, {b}, n={self.n})"

    @property
    def learners(self) -> tuple[Any, Any]:
        """Both models A and B."""
        return self.model_a, self.model_b

    @cached_property
    def records(self) -> LabelledRecords:
        """All records and their classes."""
        return self.x, self.y


def _table_bytes(x: Any) -> bytes:
    """Return bytes that are different for different tables of records."""
    if hasattr(x, "indptr"):  # a sparse matrix, whose full array may not fit into memory
        return b"".join(np.ascontiguousarray(part).tobytes() for part in (x.indptr, x.indices, x.data))
    table = np.asarray(x)
    return table.tobytes() if table.dtype.kind in "biuf" else repr(table.tolist()).encode()
