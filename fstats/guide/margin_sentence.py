"""Equivalence within a margin by confidence intervals, for results without a test of equivalence of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ..core.number_format import format_confidence_level, format_plain
from ..core.value_types import Interval
from ..procedures.contingency.paired_table import PairedTable
from ..procedures.contingency.proportion_interval import clopper_pearson_limit
from .procedure_citation import join_words

MIN_DISCORDANT = 25  # with fewer discordant records, the interval of the difference of the accuracies is too short


def accuracy_interval(right_a: Sequence[int], right_b: Sequence[int], alpha: float) -> Interval:
    """Return limits at 1 - 2 alpha of the difference of two accuracies on the same records.

    With few discordant records the limits are the exact upper limit of the share of discordant records, with both signs: the accuracies
    cannot differ by more than this share.

    >>> accuracy_interval([1] * 59, [1] * 59, 0.05)
    Interval(low=np.float64(-0.049507609888227), high=np.float64(0.049507609888227))
    """
    table = PairedTable([1] * len(right_a), right_a, right_b, alpha=2 * alpha)
    discordant = table.n01 + table.n10
    if discordant >= MIN_DISCORDANT:
        return table.difference_ci
    limit = np.float64(1 - clopper_pearson_limit(table.records - discordant, discordant, alpha))
    return Interval(-limit, limit)


def margin_sentence(tests: Mapping[Any, Any], answers: Mapping[str, Sequence[int]] | None, margin: float, alpha: float) -> str:
    """Return whether classifiers are equivalent: whether the interval at 1 - 2 alpha of each pair lies within the margin.

    `tests` are tests at 2 alpha of the pairs; `answers` (1 if right, else 0) of each classifier stand in their place for test records.

    >>> margin_sentence({}, {"net": [1] * 59, "tree": [1] * 59}, 0.05, 0.05)
    'Equivalence within ± 0.05 in accuracy is shown at level 0.05 for net – tree, by the 90 % confidence interval [-0.04951, 0.04951].'
    """
    intervals = {pair: test.ci for pair, test in tests.items()} if answers is None else {}
    for (first, right), (second, other) in combinations((answers or {}).items(), 2):
        intervals[first, second] = accuracy_interval(right, other, alpha)
    compared = "accuracy" if answers is not None else next(iter(tests.values())).compared
    level, parts = format_confidence_level(2 * alpha), list[str]()
    for is_within, verb in ((True, "is shown"), (False, "is not shown")):
        found = {pair: ends for pair, ends in intervals.items() if (-margin < ends.low and ends.high < margin) == is_within}
        each = [f"{' – '.join(pair)}, by the {level} % confidence interval {ends.written(format_plain)}" for pair, ends in found.items()]
        sentence = (
            f"Equivalence within ± {format_plain(margin)} in {compared} {verb} at level {format_plain(alpha)} for {join_words(each)}."
        )
        parts += [sentence] * bool(found)
    return " ".join(parts)
