"""Sources whose learners are trained on every split: any two learners, on data sets drawn from a population."""

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
from .batch_classifiers import NearestNeighbour, nearest_training_records
from .data_sources import ErrorRates
from .training_cache import LearnerFailed, Seed, TrainedScores, TrainingCache, child_seed, stack_scores

LabelledRecords = tuple[Any, NDArray[Any]]  # records and their classes


class Trained(ABC):
    """A source that trains: it draws records with their classes, and two learners are fitted on each split of each data set."""

    n: int
    classes: frozenset[Any] = frozenset()  # of the population, where records are drawn from one

    @property
    @abstractmethod
    def learners(self) -> tuple[Any, Any]:
        """A and B, the same two objects at every call: estimators with ``fit`` and ``predict``."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """So many data sets of n records."""

    def ready(self, plan: Plan, needs: Collection[str]) -> None:
        """Raise an error if a data set cannot be split so: before anything is trained."""
        records = Records(self.n, np.zeros(self.n, np.int64), None, False, 0, None, REPLICATES)
        for part in ("splits", *(name for name in EXTRA_RESULTS if name in needs)):
            next(splits(plan, part, records))

    def scores(self, data: Sequence[LabelledRecords], plan: Plan, needs: Collection[str], seed: Seed) -> TrainedScores:
        """What both score on the splits of a plan, all data sets as one batch; where a learner fails, the others go on."""
        self.ready(plan, needs)
        found: list[Any] = []
        for r, (x, y) in enumerate(data):
            try:
                found.append(TrainingCache(x, y, child_seed(seed, r), self.classes).scores(plan, needs, *self.learners))
            except LearnerFailed as error:
                found.append(str(error))
        return stack_scores(plan, needs, found, self.n)

    @abstractmethod
    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """How often each learner errs on new records of the population, after training on n records.

        Parameters
        ----------
        data_sets : int
            Training sets over which is averaged, at least 2.
        rng : int
            Seed.
        n : int, optional
            Size of a training set, by default that of a data set.  Tests train on fewer: half of them in a two-fold cross-validation.
        """


class TableSource(Trained):
    """A source that draws its records with replacement from a table of them."""

    @property
    @abstractmethod
    def records(self) -> LabelledRecords:
        """All records and their classes."""

    @cached_property
    def classes(self) -> frozenset[Any]:  # type: ignore[override]
        """All classes: a learner may name one that the data set at hand does not have."""
        return frozenset(self.records[1].tolist())

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Data sets drawn with replacement."""
        x, y = self.records
        chosen = (rng.integers(len(y), size=n or self.n) for _ in range(repetitions))
        return [(take_records(x, of), y[of]) for of in chosen]

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """How often each learner errs on all records of the population, after training on n drawn ones.

        Raises
        ------
        LearnerFailed
            Where a learner raises: on which training set, how, and how many others it fails on.
        """
        size = int(check.count(1)(self.n if n is None else n, "n"))
        drawn = self.draw(np.random.default_rng(rng), int(check.count(2)(data_sets, "data_sets")), size)
        found: list[list[float]] = []
        failed: dict[int, str] = {}
        for k, data in enumerate(drawn):
            try:
                found.append([error_rate(one, self.records, data, rng) for one in self.learners])
            except ModuleNotFoundError:  # which fails on every training set, and says what to install
                raise
            except Exception as error:  # whatever a learner may raise
                failed[k] = f"{type(error).__name__}: {error}"
        if failed:
            first, why = next(iter(failed.items()))
            raise LearnerFailed(
                f"a learner failed on {len(failed)} of {len(drawn)} training sets of {size} "
                f"records, first on training set {first + 1} ({why}): its "
                "true error rate is not defined; take larger training sets (n=), or a learner that can be trained on each"
            )
        a, b = zip(*found)
        return ErrorRates.of(a, b, size)


def error_rate(learner: Any, population: LabelledRecords, data: LabelledRecords, rng: int = 0) -> float:
    """Share of the population on which a learner errs after training on one data set."""
    (x, y), (train, truth) = population, data
    if isinstance(learner, NearestNeighbour):
        return nearest_neighbour_error_rates([learner], population, data)[0]
    one = check_model(learner, type(learner).__name__)
    split = Split(np.arange(len(truth)), np.arange(len(y)), (0, 0), "on the population")
    fitted = one.seeded_copy(rng, split)
    fitted.fit(train, truth)
    return 1 - float(correct_predictions(fitted.predict(x), y, frozenset(y.tolist()), one, split).mean())


def nearest_neighbour_error_rates(learners: Sequence[NearestNeighbour], population: LabelledRecords, data: LabelledRecords) -> list[float]:
    """The same for several nearest neighbours at once, which differ in weights alone."""
    (x, y), (train, truth) = population, data
    found = nearest_training_records(np.asarray(train, float), np.asarray(x, float), [one.weights_for(x.shape[1]) for one in learners])
    return [float((truth[places] != y).mean()) for places in found]


@dataclass(frozen=True, eq=False, repr=False)
class Population(TableSource):
    """Data sets drawn from your own records: how often would a test have rejected, had you drawn others like them?

    Each data set is n records drawn with replacement from all of them, both models are trained on every split of it, and the tests judge
    as in :func:`fstats.compare`.  What is true of the two models is known here: :meth:`true_error_rates`, after training on n of the
    records and tested on all.

    Parameters
    ----------
    x : array_like, sparse matrix or DataFrame
        The records.
    y : array_like
        The class of each.
    model_a, model_b : estimator
        Any estimators with ``fit`` and ``predict``, as scikit-learn's.
    n : int
        Records in each data set.

    Raises
    ------
    ValueError, TypeError
        For models without ``fit`` or ``predict``, x and y of different lengths, records of one class only; when data sets are split, for
        a plan that needs more records.

    Notes
    -----
    Data sets are drawn with replacement, so that a record may stand in training and test set alike; of many records with a small n this
    hardly happens.

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
    told: str = field(init=False, default="")

    def __post_init__(self) -> None:
        x = self.x.tocsr() if hasattr(self.x, "tocsr") else self.x
        y = class_labels.class_labels(self.y, "y")
        length = x.shape[0] if hasattr(x, "shape") else len(x)
        for name in ("model_a", "model_b"):
            check_model(getattr(self, name), name)
        if y.ndim != 1 or len(y) != length:
            raise ValueError(f"x and y must have an entry for each record; got {length} records in x and shape {y.shape} of y")
        if len(names := np.unique(y)) < 2:
            raise ValueError(f"a population must have records of at least two classes; got {names.tolist()!r} only")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "n", int(check.count(2)(self.n, "n")))
        digest = hashlib.sha256(_table_bytes(x) + repr(y.tolist()).encode()).hexdigest()[:12]
        object.__setattr__(self, "told", f"{length} records, sha256 {digest}")

    def __repr__(self) -> str:
        a, b = (" ".join(repr(one).split()) for one in (self.model_a, self.model_b))
        return f"Population({self.told}, {a}, {b}, n={self.n})"

    @property
    def learners(self) -> tuple[Any, Any]:
        """Both models."""
        return self.model_a, self.model_b

    @cached_property
    def records(self) -> LabelledRecords:
        """All records and their classes."""
        return self.x, self.y


def _table_bytes(x: Any) -> bytes:
    """What tells one table of records from another."""
    if hasattr(x, "indptr"):  # a sparse matrix, which may be too large to be written out
        return b"".join(np.ascontiguousarray(part).tobytes() for part in (x.indptr, x.indices, x.data))
    table = np.asarray(x)
    return table.tobytes() if table.dtype.kind in "biuf" else repr(table.tolist()).encode()
