"""Metrics of classification and regression.

Examples are accuracy, F1, MCC, AUC, log loss and RMSE.
"""

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

RecordArrays = tuple[Any, Any, Any]  # arrays of y_true, a and b
# predicted probabilities are clipped to [MIN_PROBABILITY, 1 - MIN_PROBABILITY], because one wrong 0 or 1 makes the log loss infinite
MIN_PROBABILITY = np.finfo(float).eps


class Metric:
    r"""User-defined metric, which computes one number from the true values and the predictions of the records.

    The metric also states whether a higher number is better.

    The built-in metrics are used by their names: "accuracy", "balanced_accuracy", "f1", "f1_macro", "mcc" (for predicted classes), "auc",
    "average_precision" (for scores), "log_loss", "brier" (for probabilities), "rmse", "mae" (for numbers).

    Parameters
    ----------
    function : callable
        ``function(y_true, prediction)`` returns the metric of one classifier as a number, or nan if it is not defined.  The metric must
        not depend on the order of the records; in resamples some records occur more than once.
    higher_is_better : bool
        True for a score, False for a loss.
    name : str, optional
        Name in sentences.  Default: the name of the function.

    Notes
    -----
    The built-in metrics agree with scikit-learn's functions.  The exception is rounding noise: scores that differ only by rounding noise
    are ties, as in :class:`fstats.DeLong`, while scikit-learn ranks the noise of probabilities near 1 (use log-odds for probabilities
    near 1).  F1 and MCC are 0 if their denominator is 0.  Means over classes ignore a class without records.  AUC and average precision
    need records of both classes.  "f1", "auc" and the metrics of probabilities are for two classes, with 1 as the positive class; convert
    class names to numbers, as in ``y == "sick"``.

    A built-in metric is computed from counts of *outcomes* (right or wrong, a rank, a loss).  If there are few distinct outcomes, the
    computing time hardly depends on the number of records.  A user-defined function is called once for each set of records.

    **Probabilities of more than two classes** would be several columns, but further columns are repetitions.  For the log loss, pass the
    probability of the true class as prediction, and 1 as true value.  The Brier score of several classes adds the squares of all classes
    (for two classes it is twice "brier"); see the example.

    Raises
    ------
    TypeError
        If the function is not callable, or higher_is_better is not True or False.

    References
    ----------
    Sokolova and Lapalme (2009), A systematic analysis of performance measures for classification tasks, Information Processing and
    Management 45, pages 427 to 437, Tables 2 and 3.  Gorodkin (2004), Comparing two K-category assignments by a K-category correlation
    coefficient, Computational Biology and Chemistry 28, pages 367 to 374.  Brier (1950), Verification of forecasts expressed in terms of
    probability, Monthly Weather Review 78, pages 1 to 3.

    Examples
    --------
    A metric with the cost 5 for each missed sick patient and the cost 1 for each false alarm:

    >>> import fstats
    >>> def cost(y, predicted):
    ...     return (5 * ((y == 1) & (predicted == 0)) + ((y == 0) & (predicted == 1))).mean()
    >>> fstats.Metric(cost, higher_is_better=False)
    Metric(cost, higher_is_better=False)

    Log loss and Brier score of probabilities of three classes:

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

    exact_route = ""  # name of a test of the same metric that needs no random draws
    is_vectorized = False  # True if thousands of sets of records are evaluated together
    uses_scores = False  # True if predictions are scores or probabilities instead of classes
    sorts_by_prediction = False  # True if sorting the records by their predictions makes evaluation faster

    def __init__(self, function: Callable[..., Any], higher_is_better: bool, name: str = "") -> None:
        if not callable(function):
            raise TypeError(f"`function` must be callable as function(y_true, prediction); got {check.format_received_value(function)}")
        self.function, self.higher_is_better = function, check.boolean(higher_is_better, "higher_is_better")
        self.name = name or getattr(function, "__name__", type(function).__name__)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}, higher_is_better={self.higher_is_better})"

    @property
    def display_name(self) -> str:
        """Name of the metric in sentences."""
        return DISPLAY_NAMES.get(self.name, self.name.replace("_", " "))

    def check_inputs(self, y: Any, a: Any, b: Any) -> RecordArrays:
        """Check the three inputs and return them in the form that this metric needs."""
        class_labels.check_same_label_kind({"a": a, "b": b})
        return y, a, b

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        """Return the outcome of each record for this metric: of the true value, of the prediction by A, and of the prediction by B."""
        return y, a, b

    def evaluate(self, y: Any, p: Any, counts: Array) -> Array:
        """Return the metric of each set of records (a row with the count of each outcome); nan if it is undefined."""
        times = counts.astype(np.int64)
        values = np.array([float(self.function(np.repeat(y, row), np.repeat(p, row))) for row in times])
        if np.isinf(values).any():
            raise ValueError(f"`metric` must be finite, or nan if it is not defined; {self.display_name} was infinite on some records")
        return values


class ClassMetric(Metric):
    """Metric of predicted classes, from counts of records by true class, by predicted class, and by both."""

    is_vectorized = True

    def __init__(self, function: Callable[..., Array], outcome_kind: str, exact_route: str = "") -> None:
        super().__init__(function, True)
        self.outcome_kind, self.exact_route = outcome_kind, exact_route

    def check_inputs(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.outcome_kind == "positive":
            return binary_labels(y, "y_true"), binary_labels(a, "a"), binary_labels(b, "b")
        labels = {name: class_labels.class_labels(value, name) for name, value in (("y_true", y), ("a", a), ("b", b))}
        class_labels.check_same_label_kind(labels)
        return labels["y_true"], labels["a"], labels["b"]

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.outcome_kind == "right":
            return np.zeros(len(y), int), (a != y).astype(int), (b != y).astype(int)
        if self.outcome_kind == "positive":
            return y, a, b
        _, codes = np.unique(np.concatenate([y, a, b]), return_inverse=True)
        y, a, b = codes.reshape(3, -1)
        return (y, a, b) if self.outcome_kind == "classes" else (y, np.where(a == y, y, -1), np.where(b == y, y, -1))

    def evaluate(self, y: Any, p: Any, counts: Array) -> Array:
        classes = np.arange(2) if self.outcome_kind == "positive" else np.unique(np.r_[y, p])
        true, predicted = (np.equal.outer(x, classes[classes >= 0]).astype(float) for x in (y, p))
        return np.asarray(self.function(counts @ (true * predicted), counts @ true, counts @ predicted))


class LossMetric(Metric):
    """Mean loss over records, or the root of the mean squared loss."""

    is_vectorized = True

    def __init__(self, function: Callable[..., Array], name: str = "") -> None:
        super().__init__(function, False, name)

    @property
    def uses_scores(self) -> bool:  # type: ignore[override]
        """Whether predictions are probabilities."""
        return self.name in ("log_loss", "brier")

    def check_inputs(self, y: Any, a: Any, b: Any) -> RecordArrays:
        if self.uses_scores:
            return binary_labels(y, "y_true"), np.asarray(check.proportion(a, "a")), np.asarray(check.proportion(b, "b"))
        return check.numbers(y, "y_true"), check.numbers(a, "a"), check.numbers(b, "b")

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return np.zeros(len(y), int), self.function(y, a), self.function(y, b)

    def evaluate(self, y: Any, p: Any, counts: Array) -> Array:  # noqa: ARG002
        return self.from_means(p, lambda losses: counts @ losses / counts.sum(1))

    def from_means(self, p: Array, mean: Callable[[Array], Array]) -> Array:
        """Return the metric, given a function that returns means of losses (or of squared losses); losses are scaled to at most 1."""
        largest, power = float(np.abs(p).max()) or 1.0, 2 if self.name == "rmse" else 1
        return largest * np.asarray(mean((p / largest) ** power) ** (1 / power))


class RankMetric(Metric):
    """Metric of the order in which a classifier ranks the records."""

    is_vectorized = sorts_by_prediction = uses_scores = True

    def __init__(self, function: Callable[..., Array], exact_route: str = "") -> None:
        super().__init__(function, True)
        self.exact_route = exact_route

    def check_inputs(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return both_classes(y, "y_true"), check.numbers(a, "a"), check.numbers(b, "b")

    def outcomes(self, y: Any, a: Any, b: Any) -> RecordArrays:
        return y, average_ranks(unify_score_ties(a)), average_ranks(unify_score_ties(b))

    def evaluate(self, y: Any, p: Any, counts: Array) -> Array:
        if (np.diff(p) < 0).any():
            order = np.argsort(p, kind="stable")
            y, p, counts = y[order], p[order], counts[:, order]
        starts = np.flatnonzero(np.r_[True, np.diff(p) > 0])
        positive, negative = (np.add.reduceat(counts * label, starts, axis=1) for label in (y, 1 - y))
        values = np.asarray(self.function(positive, negative))
        return np.where((positive.sum(1) > 0) & (negative.sum(1) > 0), values, np.nan)


# -- metrics of sets of records, from the counts of right predictions, of true classes and of predicted classes -------------------------
def accuracy(right: Array, true: Array, _: Array) -> Array:
    """Return the share of right predictions; outcomes are 0 (right) and 1 (wrong)."""
    return np.asarray(right.sum(1) / true.sum(1))


def balanced_accuracy(right: Array, true: Array, _: Array) -> Array:
    """Return the mean over the classes of the share of right predictions."""
    return np.asarray(ratio(right, true).sum(1) / (true > 0).sum(1))


def f1(right: Array, true: Array, predicted: Array) -> Array:
    """Return F1 of class 1."""
    return np.asarray(ratio(2 * right, true + predicted))[:, 1]


def f1_macro(right: Array, true: Array, predicted: Array) -> Array:
    """Return the mean F1 of the classes that occur as true or predicted classes."""
    return np.asarray(ratio(2 * right, true + predicted).sum(1) / (true + predicted > 0).sum(1))


def mcc(right: Array, true: Array, predicted: Array) -> Array:
    """Return Matthews' correlation coefficient for two or more classes."""
    n = true.sum(1)
    free = (n**2 - (true**2).sum(1)) * (n**2 - (predicted**2).sum(1))
    return np.asarray(ratio(right.sum(1) * n - (true * predicted).sum(1), np.sqrt(free)))


def auc(positive: Array, negative: Array) -> Array:
    """Return the share of pairs in which a positive record ranks above a negative one (ties count half); levels in ascending order."""
    below = negative.cumsum(1) - negative / 2
    return np.asarray(ratio((positive * below).sum(1), positive.sum(1) * negative.sum(1)))


def average_precision(positive: Array, negative: Array) -> Array:
    """Return the average precision: mean over the positive records of the precision at the score of the record."""
    hits, alarms = (x[:, ::-1].cumsum(1)[:, ::-1] for x in (positive, negative))
    return np.asarray(ratio(ratio(positive * hits, hits + alarms).sum(1), positive.sum(1)))


def log_loss(y: Array, p: Array) -> Array:
    """Return minus the logarithm of the probability of the true class."""
    p = np.clip(p, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(-np.log(np.where(y == 1, p, 1 - p)))


def brier(y: Array, p: Array) -> Array:
    """Return the squared distance between the probability and the true class (0 or 1)."""
    return np.asarray((p - y) ** 2)


def distance(y: Array, p: Array) -> Array:
    """Return the absolute distance of the prediction from the true number."""
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
        ClassMetric(accuracy, "right", exact_route="McNemarExact"),
        ClassMetric(balanced_accuracy, "class and right"),
        ClassMetric(f1, "positive"),
        ClassMetric(f1_macro, "classes"),
        ClassMetric(mcc, "classes"),
        RankMetric(auc, exact_route="DeLong"),
        RankMetric(average_precision),
        LossMetric(log_loss),
        LossMetric(brier),
        LossMetric(distance, "rmse"),
        LossMetric(distance, "mae"),
    )
}


def get_metric(value: Any, name: str) -> Metric:
    """Return a built-in metric by its name, or a Metric unchanged."""
    if isinstance(value, Metric):
        return value
    if isinstance(value, str) and value in METRICS:
        return METRICS[value]
    remedy = f". Write `{name}=fstats.Metric(function, higher_is_better=...)`." if callable(value) else ""
    raise ValueError(
        f"`{name}` must be {', '.join(map(repr, METRICS))} or a fstats.Metric; got {check.format_received_value(value)}{remedy}"
    )


record_values = partial(class_labels.record_labels, what="value")  # checks the records before the metric checks them
