"""Metrics of records: what each is computed from, and whether higher is better."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.zero_division import ratio
from ...core.validation import check, class_labels
from ...core.value_types import Array
from ..auc.placement_values import binary_labels, both_classes, unify_score_ties
from .unique_outcomes import unique_with_counts

RecordArrays = tuple[Any, Any, Any]  # what belongs to y_true, to a and to b
MIN_PROBABILITY = np.finfo(float).eps  # no probability is held to be smaller, or one wrong record would make the log loss infinite


class Metric:
    r"""A metric of records, of your own: one number from the true values and the predictions, and whether higher is better.

    Those with a name need no more than that: "accuracy", "balanced_accuracy", "f1", "f1_macro", "mcc" (of predicted classes), "auc",
    "average_precision" (of scores), "log_loss", "brier" (of probabilities), "rmse", "mae" (of numbers).

    Parameters
    ----------
    function : callable
        ``function(y_true, prediction)`` gives the metric of one classifier as a number, or nan where it is not defined.  It must not
        depend on the order of the records, some of which come more than once.
    higher_is_better : bool
        True of a score, False of a loss.
    name : str, optional
        What sentences call it; by default the name of the function.

    Notes
    -----
    The metrics with a name give what scikit-learn's functions give; only that scores tie which nothing but rounding noise tells apart, as
    for :class:`fstats.DeLong`, where scikit-learn ranks the noise of probabilities near 1: hand in log-odds.  Where nothing can be
    divided F1 and MCC are 0; a class that no record has is in no mean over classes; AUC and average precision need both classes.
    "f1", "auc" and those of probabilities are of two classes, 1 the positive one: of words say which, as ``y == "sick"``.

    A metric with a name is computed from counts of *outcomes* (right or wrong, a rank, a loss), so that the number of records hardly
    matters where few outcomes are different.  A function of your own is called once for each set of records.

    **Probabilities of more than two classes** are several columns, which here would be repetitions; hand in what the metric takes: for the
    log loss that of the class that came, as prediction of a 1; the Brier score adds the squares of all classes (twice "brier"), see below.

    Raises
    ------
    TypeError
        For a function that cannot be called, or anything but True and False.

    References
    ----------
    Sokolova and Lapalme (2009), A systematic analysis of performance measures for classification tasks, Information Processing and
    Management 45, pages 427 to 437, Tables 2 and 3.  Gorodkin (2004), Comparing two K-category assignments by a K-category correlation
    coefficient, Computational Biology and Chemistry 28, pages 367 to 374.  Brier (1950), Verification of forecasts expressed in terms of
    probability, Monthly Weather Review 78, pages 1 to 3.

    Examples
    --------
    5 for each sick one that is missed, 1 for each false alarm:

    >>> import fstats
    >>> def cost(y, predicted):
    ...     return (5 * ((y == 1) & (predicted == 0)) + ((y == 0) & (predicted == 1))).mean()
    >>> fstats.Metric(cost, higher_is_better=False)
    Metric(cost, higher_is_better=False)

    Of three classes:

    >>> import numpy as np
    >>> y, a, b = [0, 2, 1], np.array([[6, 2, 2], [1, 1, 8], [2, 5, 3]]) / 10, np.full((3, 3), 1 / 3)
    >>> came = np.eye(3)[y]
    >>> p_a, p_b = (x[came == 1] for x in (a, b))
    >>> print(fstats.PairedBootstrap([1, 1, 1], p_a, p_b, metric="log_loss").metric_a.round(4))
    0.4757
    >>> loss_a, loss_b = (((x - came) ** 2).sum(1) for x in (a, b))
    >>> brier = fstats.Metric(lambda _, loss: loss.mean(), higher_is_better=False, name="Brier score")
    >>> print(fstats.PairedBootstrap(y, loss_a, loss_b, metric=brier).metric_a.round(4))
    0.2267
    """

    exact_route = ""  # the test that answers without drawing
    quick = False  # whether thousands of sets of records are measured at once
    graded = False  # whether it is of scores or probabilities, and not of classes
    ranks = False  # whether that is quicker where the records stand in the order of their predictions

    def __init__(self, function: Callable[..., Any], higher_is_better: bool, name: str = "") -> None:
        if not callable(function):
            raise TypeError(f"function must be called as function(y_true, prediction); got {check.format_received_value(function)}")
        self.function, self.higher_is_better = function, check.boolean(higher_is_better, "higher_is_better")
        self.name = name or getattr(function, "__name__", type(function).__name__)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}, higher_is_better={self.higher_is_better})"

    @property
    def words(self) -> str:
        """What a sentence calls it."""
        return DISPLAY_NAMES.get(self.name, self.name.replace("_", " "))

    def checked(self, y: Any, a: Any, b: Any) -> RecordArrays:
        """The three inputs as this metric takes them."""
        class_labels.check_same_label_kind({"a": a, "b": b})
        return y, a, b

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        """Of each record what matters for the metric: of its true value, of A's prediction and of B's."""
        return y, a, b

    def of(self, y: Any, p: Any, counts: Array) -> Array:
        """The metric of each set of records (a line of counts): how often each of these outcomes is in it; nan where it has none."""
        times = counts.astype(np.int64)
        found = np.array([float(self.function(np.repeat(y, line), np.repeat(p, line))) for line in times])
        if np.isinf(found).any():
            raise ValueError(f"metric must be finite, or nan where it is not defined; {self.words} was infinite on some records")
        return found


class OfClasses(Metric):
    """From the records that have each class, that are predicted to have it, and both."""

    quick = True

    def __init__(self, function: Callable[..., Array], matters: str, exact_route: str = "") -> None:
        super().__init__(function, True)
        self.matters, self.exact_route = matters, exact_route

    def checked(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.matters == "positive":
            return binary_labels(y, "y_true"), binary_labels(a, "a"), binary_labels(b, "b")
        named = {name: class_labels.class_labels(value, name) for name, value in (("y_true", y), ("a", a), ("b", b))}
        class_labels.check_same_label_kind(named)
        return named["y_true"], named["a"], named["b"]

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.matters == "right":
            return np.zeros(len(y), int), (a != y).astype(int), (b != y).astype(int)
        if self.matters == "positive":
            return y, a, b
        _, codes, _ = unique_with_counts(np.concatenate([y, a, b]))
        y, a, b = codes.reshape(3, -1)
        return (y, a, b) if self.matters == "classes" else (y, np.where(a == y, y, -1), np.where(b == y, y, -1))

    def of(self, y: Any, p: Any, counts: Array) -> Array:
        classes = np.arange(2) if self.matters == "positive" else np.unique(np.r_[y, p])
        of_class, as_class = (np.equal.outer(x, classes[classes >= 0]).astype(float) for x in (y, p))
        return np.asarray(self.function(counts @ (of_class * as_class), counts @ of_class, counts @ as_class))


class OfLosses(Metric):
    """From the mean over records of what each loses."""

    quick = True

    def __init__(self, function: Callable[..., Array], name: str = "") -> None:
        super().__init__(function, False, name)

    @property
    def graded(self) -> bool:  # type: ignore[override]
        """Whether it is of probabilities."""
        return self.name in ("log_loss", "brier")

    def checked(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.graded:
            return binary_labels(y, "y_true"), np.asarray(check.proportion(a, "a")), np.asarray(check.proportion(b, "b"))
        return check.numbers(y, "y_true"), check.numbers(a, "a"), check.numbers(b, "b")

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return np.zeros(len(y), int), self.function(y, a), self.function(y, b)

    def of(self, y: Any, p: Any, counts: Array) -> Array:  # noqa: ARG002
        largest, power = float(np.abs(p).max()) or 1.0, 2 if self.name == "rmse" else 1
        return largest * np.asarray((counts @ (p / largest) ** power / counts.sum(1)) ** (1 / power))


class OfRanks(Metric):
    """From the order in which a classifier puts the records."""

    quick = ranks = graded = True

    def __init__(self, function: Callable[..., Array], exact_route: str = "") -> None:
        super().__init__(function, True)
        self.exact_route = exact_route

    def checked(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return both_classes(y, "y_true"), check.numbers(a, "a"), check.numbers(b, "b")

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return y, average_ranks(unify_score_ties(a)), average_ranks(unify_score_ties(b))

    def of(self, y: Any, p: Any, counts: Array) -> Array:
        if (np.diff(p) < 0).any():
            order = np.argsort(p, kind="stable")
            y, p, counts = y[order], p[order], counts[:, order]
        starts = np.flatnonzero(np.r_[True, np.diff(p) > 0])
        positive, negative = (np.add.reduceat(counts * one, starts, axis=1) for one in (y, 1 - y))
        found = np.asarray(self.function(positive, negative))
        return np.where((positive.sum(1) > 0) & (negative.sum(1) > 0), found, np.nan)


# -- of each set of records, from the counts of those that are right, that have a class, and that are predicted to have it ---------------
def accuracy(right: Array, true: Array, _: Array) -> Array:
    """Share of right answers; outcomes are 0, right, and 1, wrong."""
    return np.asarray(right.sum(1) / true.sum(1))


def balanced_accuracy(right: Array, true: Array, _: Array) -> Array:
    """Mean over the classes of the share of right answers."""
    return np.asarray(ratio(right, true).sum(1) / (true > 0).sum(1))


def f1(right: Array, true: Array, predicted: Array) -> Array:
    """F1 of the class 1."""
    return np.asarray(ratio(2 * right, true + predicted))[:, 1]


def f1_macro(right: Array, true: Array, predicted: Array) -> Array:
    """Mean F1 of the classes that some record has or is predicted to have."""
    return np.asarray(ratio(2 * right, true + predicted).sum(1) / (true + predicted > 0).sum(1))


def mcc(right: Array, true: Array, predicted: Array) -> Array:
    """Matthews' correlation of two or more classes."""
    n = true.sum(1)
    free = (n**2 - (true**2).sum(1)) * (n**2 - (predicted**2).sum(1))
    return np.asarray(ratio(right.sum(1) * n - (true * predicted).sum(1), np.sqrt(free)))


def auc(positive: Array, negative: Array) -> Array:
    """How often a positive record stands above a negative one, ties by half; levels from the lowest up."""
    below = negative.cumsum(1) - negative / 2
    return np.asarray(ratio((positive * below).sum(1), positive.sum(1) * negative.sum(1)))


def average_precision(positive: Array, negative: Array) -> Array:
    """Mean over the positive records of the precision at their level."""
    hits, alarms = (x[:, ::-1].cumsum(1)[:, ::-1] for x in (positive, negative))
    return np.asarray(ratio(ratio(positive * hits, hits + alarms).sum(1), positive.sum(1)))


def log_loss(y: Array, p: Array) -> Array:
    """Minus the logarithm of the probability of what came."""
    p = np.clip(p, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(-np.log(np.where(y == 1, p, 1 - p)))


def brier(y: Array, p: Array) -> Array:
    """Squared distance from what came."""
    return np.asarray((p - y) ** 2)


def distance(y: Array, p: Array) -> Array:
    """Distance from the true number."""
    return np.asarray(np.abs(p - y))


DISPLAY_NAMES = {
    "f1": "F1",
    "f1_macro": "macro-F1",
    "mcc": "Matthews correlation",
    "auc": "AUC",
    "brier": "Brier score",
    "rmse": "RMSE",
    "mae": "MAE",
}
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        OfClasses(accuracy, "right", exact_route="McNemarExact"),
        OfClasses(balanced_accuracy, "class and right"),
        OfClasses(f1, "positive"),
        OfClasses(f1_macro, "classes"),
        OfClasses(mcc, "classes"),
        OfRanks(auc, exact_route="DeLong"),
        OfRanks(average_precision),
        OfLosses(log_loss),
        OfLosses(brier),
        OfLosses(distance, "rmse"),
        OfLosses(distance, "mae"),
    )
}


def get_metric(value: Any, name: str) -> Metric:
    """A metric by its name, or one of your own."""
    if isinstance(value, Metric):
        return value
    if isinstance(value, str) and value in METRICS:
        return METRICS[value]
    own = f": of a function say what is better, as {name}=fstats.Metric(function, higher_is_better=...)" if callable(value) else ""
    raise ValueError(f"{name} must be {', '.join(map(repr, METRICS))} or a fstats.Metric; got {check.format_received_value(value)}{own}")


record_values = partial(class_labels.record_labels, what="value")  # the check of what there is for each record, before the metric is known
