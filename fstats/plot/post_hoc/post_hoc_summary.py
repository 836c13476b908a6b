"""Sorted classifiers and significant pairs for plots of post hoc tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from .maximal_cliques import maximal_cliques

MAX_NAMED_MEMBERS = 4  # all members of a group are named if the group has at most this size


@dataclass(frozen=True)
class PostHocSummary:
    """Classifiers, sorted with the best first, and the decisions of the test; decisions contain indices of the sorted classifiers."""

    test: str
    alpha: float
    statistic_name: str  # "mean rank", "mean aligned rank" or "mean"
    names: list[str]
    values: list[float]
    axis_ends: tuple[float, float]  # worst and best value on the axis
    not_different: list[set[int]]  # for each classifier, the classifiers from which it does not differ significantly
    control: int | None
    critical_difference: float | None  # critical difference; None if the test has none
    critical_difference_name: str

    def format_value(self, value: float) -> str:
        """Return a value as text in the format of the picture."""
        return f"{value:.2f}" if self.statistic_name == "mean rank" else format_plain(value)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """Group of the control and all classifiers that are not shown to differ from it; without a control, all maximal groups."""
        if self.control is not None:
            return [tuple(sorted({self.control, *self.not_different[self.control]}))]
        return [group for group in maximal_cliques(self.not_different) if len(group) > 1]

    @cached_property
    def non_members_between(self) -> dict[tuple[int, ...], list[int]]:
        """For each group that is not an interval: the classifiers between its members that do not belong to the group."""
        between_members = {}
        for group in self.groups if self.control is None else []:
            low, high = sorted((self.values[group[0]], self.values[group[-1]]))
            if between := [i for i, value in enumerate(self.values) if i not in group and low <= value <= high]:
                between_members[group] = between
        return between_members

    @property
    def description(self) -> str:
        """Alternative text of the picture."""
        every = ", ".join(f"{name} {self.format_value(value)}" for name, value in zip(self.names, self.values, strict=True))
        sentences = [
            f"Critical difference diagram ({self.test}, alpha = {format_plain(self.alpha)}) of {len(self.names)} classifiers.",
            f"{self.statistic_name.capitalize()}s from the best to the worst: {every}.",
        ]
        if self.critical_difference is not None:
            sentences.append(f"Critical difference {self.format_value(self.critical_difference)}.")
        return " ".join(sentences + (self._describe_all_pairs() if self.control is None else self._describe_control(self.control)))

    def _describe_control(self, control: int) -> list[str]:
        (group,) = self.groups
        sentences = []
        if differ := [i for i in range(len(self.names)) if i not in group]:
            sentences.append(f"Shown to differ from the control {self.names[control]}: {self._join_names(differ)}.")
        if same := [i for i in group if i != control]:
            sentences.append(f"Not shown to differ from the control {self.names[control]}: {self._join_names(same)}.")
        return sentences

    def _describe_all_pairs(self) -> list[str]:
        sentences = []
        if len(self.groups) == 1 and len(self.groups[0]) == len(self.names):
            sentences.append("No two are shown to differ.")
        elif self.groups:
            sentences.append(f"Groups of which no two are shown to differ: {'; '.join(map(self._describe_group, self.groups))}.")
        alone = [i for i in range(len(self.names)) if not self.not_different[i]]
        if len(alone) == len(self.names):
            sentences.append("Any two are shown to differ.")
        elif alone:
            sentences.append(f"Shown to differ from all others: {self._join_names(alone)}.")
        for group, between in self.non_members_between.items():
            lie = "lies" if len(between) == 1 else "lie"
            sentences.append(f"{self._join_names(between)} {lie} between {self._join_names(group)} without belonging to that group.")
        return sentences

    def _join_names(self, places: Sequence[int]) -> str:
        *others, last = (self.names[i] for i in places)
        return f"{', '.join(others)} and {last}" if others else last

    def _describe_group(self, group: tuple[int, ...]) -> str:
        if len(group) <= MAX_NAMED_MEMBERS or group in self.non_members_between:
            return self._join_names(group)
        return f"the {len(group)} from {self.names[group[0]]} to {self.names[group[-1]]}"


def summarize_post_hoc(test: Any) -> PostHocSummary:
    """Return the summary of a post-hoc test; only the order of the classifiers is computed."""
    steps = getattr(type(test), "steps", {})
    if not {"pairs", "reject"} <= steps.keys():
        raise TypeError(f"a critical difference diagram needs a post-hoc test, such as fstats.Nemenyi(scores); got {type(test).__name__}")
    check_single_repetition(np.shape(test.reject)[1:], "picture", "fstats.plot.critical_difference(test.at({}))")
    source = test.__dict__.get("_source")
    name, what, labels, values = _name_and_values(test, source)
    lower_is_better = what != "mean" or not getattr(test, "higher_is_better", True)  # True for ranks and for means of losses
    order = sorted(range(len(labels)), key=lambda i: values[i] if lower_is_better else -values[i])
    names, values = [labels[i] for i in order], [values[i] for i in order]
    control = next((known for each in (test, source) if (known := getattr(each, "control", None)) is not None), None)
    _check_all_pairs(name, labels, control, test.pairs)
    difference_step = next((each for each in ("cd", "hsd") if each in steps and not np.ndim(getattr(test, each))), "")
    critical_difference = float(getattr(test, difference_step)) if difference_step else None
    ends = (float(len(labels)), 1.0) if what == "mean rank" else _mean_axis_ends(values, critical_difference or 0.0, lower_is_better)
    decisions = _not_different_sets(names, test), None if control is None else names.index(control)
    return PostHocSummary(name, test.alpha, what, names, values, ends, *decisions, critical_difference, difference_step.upper())


def _name_and_values(test: Any, source: Any) -> tuple[str, str, list[str], list[float]]:
    """Return the name of the test, the name of the values, the classifiers, and their values."""
    name = type(test).__name__
    if "aligned" in getattr(type(source), "steps", {}):
        return f"{name} of aligned ranks", "mean aligned rank", *_labels_and_values(source, None, "mean aligned rank")
    what = "mean" if "means" in type(test).steps else "mean rank"
    if not hasattr(type(source), "test_of"):
        return name, what, *_labels_and_values(test, None, what)
    # the name mentions the paired test of each pair
    return f"{name} of {type(source.tests).__name__}", what, *_labels_and_values(test, source, what)


def _not_different_sets(names: Sequence[str], test: Any) -> list[set[int]]:
    """Return, for each classifier, the indices of the classifiers that are not shown to differ from this classifier."""
    not_different: list[set[int]] = [set() for _ in names]
    for pair, differ in zip(test.pairs, test.reject, strict=True):
        if not differ:
            i, j = map(names.index, pair)
            not_different[i].add(j)
            not_different[j].add(i)
    return not_different


def _labels_and_values(test: Any, pairwise: Any, what: str) -> tuple[list[str], list[float]]:
    """Return the classifiers and their mean ranks or means; if each pair has a paired test, return the mean ranks of the scores."""
    name = type(test).__name__
    try:
        if pairwise is not None and "mean_ranks" not in test.stated:
            test = type(test)(pairwise.scores, pairwise.labels, higher_is_better=pairwise.higher_is_better)
        values = test.means if what == "mean" else test.mean_ranks
        return test.labels.tolist(), values.tolist()
    except (AttributeError, LookupError):
        remedy = f"Write {name}(scores), or test.assuming(labels=..., {what.replace(' ', '_')}s=...)."
        raise ValueError(
            f"a critical difference diagram needs the {what}s of the classifiers; got {name} without {what}s. {remedy}"
        ) from None


def _check_all_pairs(name: str, labels: list[str], control: str | None, pairs: Any) -> None:
    """Raise ValueError unless all pairs of classifiers, or each classifier and the control, have been compared."""
    needed = set(map(frozenset, combinations(labels, 2) if control is None else ((label, control) for label in labels if label != control)))
    if set(map(frozenset, pairs)) != needed:
        raise ValueError(
            f"a critical difference diagram needs a decision on {('all pairs' if control is None else 'each pair with the control')} of "
            f"the classifiers {', '.join(labels)}; got {name} with decisions only on {', '.join(map(str, pairs))}"
        )


def _mean_axis_ends(values: Sequence[float], critical_difference: float, lower_is_better: bool) -> tuple[float, float]:
    """Return the worst and best value of an axis of means on which the critical difference fits."""
    low, high = min(values), max(values)
    more = max(0.1 * (high - low), 0.55 * critical_difference - 0.5 * (high - low)) or 1.0
    return (high + more, low - more) if lower_is_better else (low - more, high + more)
