"""AUC of a classifier and its standard error from placement values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import sqrt

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import absolute_noise, has_no_ties, relative_noise, round_noise_to_zero, unify_ties
from ...core.step import Step
from ...core.validation import check
from ...core.value_types import Array, Value


def record_scores(value: Any, name: str) -> Array:
    """Return the checked scores, one for each record along the first axis; higher means more likely positive."""
    x = check.numbers(value, name)
    if x.ndim == 0 or len(x) < 4:
        got = f"{len(x)} scores" if x.ndim else "a single number"
        raise ValueError(f"`{name}` must be a list of at least 4 scores, one for each record; got {got}")
    return x


def binary_labels(value: Any, name: str) -> Array:
    """Return the checked class of each record: 1 positive, 0 negative."""
    labels = np.asarray(value)
    if labels.dtype.kind not in "biuf":
        names = list(dict.fromkeys(check.format_received_value(str(entry))[1:-1] for entry in labels.ravel()[:1000].tolist()))
        raise TypeError(
            f"`{name}` must hold 1 for each positive record and 0 for each negative record; got {', '.join(map(repr, names[:3]))}. Write "
            f"`{name} = (labels == {names[-1] if names else ''!r})`."
        )
    x = check.numbers(value, name)
    if ((x != 0) & (x != 1)).any():
        raise ValueError(
            f"`{name}` must hold 1 for each positive record and 0 for each negative record; got {x[(x != 0) & (x != 1)].flat[0]:g}. Write "
            f"`{name} = (labels == {x.max():g})`."
        )
    if x.ndim == 0:
        raise ValueError(f"`{name}` must be a list with the class of each record; got a single number")
    return x


def both_classes(value: Any, name: str) -> Array:
    """Return the checked classes; a variance needs at least two records of each class in every repetition."""
    x = binary_labels(value, name)
    count = x.sum(0)
    for is_too_few, kind in ((count < 2, "positive (1)"), (len(x) - count < 2, "negative (0)")):
        if np.any(is_too_few):
            got = int(np.ravel(count if "1" in kind else len(x) - count)[np.argmax(np.ravel(is_too_few))])
            raise ValueError(f"`{name}` must hold at least 2 {kind} records; got {got} of {len(x)}, too few for the variance of an AUC")
    return x


def unify_score_ties(x: Array) -> Array:
    """Return the scores with one number for all scores that differ only by rounding noise.

    Scores of one sign are probabilities, votes or logarithms.  Such scores span many powers of ten, and each score has rounding noise in
    its own last digits: 1e-20 and 1e-30 are not tied.  If signs differ, the tolerance is the noise of the largest score, because a score
    may be a difference of two large numbers.

    >>> unify_score_ties(np.array([1e-30, 1e-20, 0.1 + 0.2, 0.3])).tolist()
    [1e-30, 1e-20, 0.3, 0.3]
    """
    if has_no_ties(x):
        return x
    one_sign = (x >= 0).all(0) | (x <= 0).all(0)
    return unify_ties(x, np.where(one_sign, relative_noise(x) * np.abs(x), absolute_noise(x)))


def count_step(symbol: str, y: str, over: str, which: str) -> Step[Value]:
    """Return the step that counts the positive or the negative records, chosen by the last word of `which`."""
    negative = which.endswith("negative")

    def count(test: Any) -> Value:
        truth = getattr(test, y)
        return (1 - truth if negative else truth).sum(0)

    formula = rf"\sum_{over} (1 - ${y})" if negative else rf"\sum_{over} ${y}"
    return Step(count, symbol, formula, check=check.count(2), sentence=f"Number of {which} records.")


def rank_step(scores: str, side: str, over: str) -> Step[Array]:
    """Return the step of the average ranks among all records."""

    def ranks(test: Any) -> Array:
        return average_ranks(unify_score_ties(getattr(test, scores)))

    sentence = f"Rank of each record by {side}, 1 = least positive; equal scores share the mean of their ranks."
    formula = rf"\mathrm{{rank}}_{over}\,${scores}"
    return Step(ranks, rf"R_{{{side},{over}}}", formula, over=over, check=check.half_integers, aside=True, sentence=sentence)


def within_class_rank_step(ranks: str, y: str, side: str, over: str) -> Step[Array]:
    """Return the step of the average ranks among the records of the same class."""

    def own_ranks(test: Any) -> Array:
        r, positive = getattr(test, ranks), getattr(test, y)
        # add 2 n to the ranks of the positive records, so that they rank above all negative records
        class_ranks = average_ranks(r + 2 * len(r) * positive)
        return class_ranks - positive * (len(r) - positive.sum(0))

    sentence = f"Rank of each record by {side} among the records of its own class."
    formula = rf"\mathrm{{rank}}_{over}\,${ranks} \text{{ among those with the same }} ${y}"
    return Step(own_ranks, rf"r_{{{side},{over}}}", formula, over=over, check=check.half_integers, aside=True, sentence=sentence)


def placement_step(ranks: str, own: str, y: str, positives: str, negatives: str, side: str, over: str) -> Step[Array]:
    """Return the step of the placement values."""

    def placements(test: Any) -> Array:
        # number of records of the other class with a lower rank (a tie counts 1/2), for each record
        others = getattr(test, ranks) - getattr(test, own)
        below_positive, above_negative = others / getattr(test, negatives), 1 - others / getattr(test, positives)
        return np.where(getattr(test, y) == 1, below_positive, above_negative)

    sentence = f"Placement: share of the records of the other class that {side} orders correctly with this record; ties count 1/2."
    formula = (
        rf"\frac{{${ranks} - ${own}}}{{${negatives}}} \text{{ where }} ${y} = 1, "
        rf"\text{{ else }} 1 - \frac{{${ranks} - ${own}}}{{${positives}}}"
    )
    return Step(placements, rf"V_{{{side},{over}}}", formula, over=over, check=check.proportion, sentence=sentence)


def auc_step(placements: str, y: str, positives: str, side: str, over: str) -> Step[Value]:
    """Return the step of the AUC, the mean placement of the positive records."""

    def auc(test: Any) -> Value:
        return (getattr(test, placements) * getattr(test, y)).sum(0) / getattr(test, positives)

    sentence = f"AUC of {side}: probability of ranking a positive record above a negative one; ties count one half."
    return Step(
        auc, rf"\hat A_{side}", rf"\frac{{1}}{{${positives}}} \sum_{over} ${y}\,${placements}", check=check.proportion, sentence=sentence
    )


def se_step(placements: str, auc: str, y: str, positives: str, negatives: str, side: str, over: str, after: bool = False) -> Step[Value]:
    """Return the step of the standard error of one AUC."""

    def se(test: Any) -> Value:
        v, mean, is_positive = getattr(test, placements), getattr(test, auc), getattr(test, y)
        m, n = getattr(test, positives), getattr(test, negatives)
        return sqrt(variance_within_class(v, mean, is_positive, m) / m + variance_within_class(v, mean, 1 - is_positive, n) / n)

    sums = (rf"\frac{{\sum_{{{over} : {eq}}} (${placements} - ${auc})^2}}{{{size} ({size} - 1)}}" for eq, size in (
        (f"${y} = 1", f"${positives}"), (f"${y} = 0", f"${negatives}")
    ))  # fmt: skip
    sentence = f"Standard error of the AUC of {side}: root of the sum of the variances from both classes."
    return Step(se, rf"\mathrm{{SE}}_{side}", rf"\sqrt{{{' + '.join(sums)}}}", check=check.nonnegative, after=after, sentence=sentence)


def variance_within_class(values: Any, mean: Any, inside: Any, count: Any) -> Value:
    """Return the variance of the values with inside = 1 around their mean; differences due to rounding noise count as 0."""
    deviations = round_noise_to_zero((values - mean) * inside, np.ones_like(values))
    return (deviations**2).sum(0) / (count - 1)


def hard_prediction_note(metric: str, sides: Sequence[str], predictions: Sequence[Any]) -> str:
    """Return a note if predictions consist of 0 and 1 only although the metric needs scores or probabilities."""
    hard = [side for side, x in zip(sides, predictions) if x is not None and bool(((x == 0) | (x == 1)).all())]
    if not hard:
        return ""
    return f"The predictions of {' and '.join(hard)} are only 0 and 1, like classes, but {metric} needs scores or probabilities."
