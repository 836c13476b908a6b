"""What a post-hoc test found, read for a picture: the classifiers in their order, and which of them are told apart."""

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

MAX_NAMED_MEMBERS = 4  # members of a group that are all named in words


@dataclass(frozen=True)
class PostHocSummary:
    """Classifiers, the best first; they are spoken of by their places in that order."""

    test: str
    alpha: float
    what: str  # the values are: mean rank, mean
    names: list[str]
    values: list[float]
    ends: tuple[float, float]  # of the axis: worst, best
    alike: list[set[int]]  # for each classifier those that it is not shown to differ from
    control: int | None
    reach: float | None  # the critical difference, and what it is called
    reach_name: str

    def written(self, value: float) -> str:
        """A value as it stands in the picture."""
        return f"{value:.2f}" if self.what == "mean rank" else format_plain(value)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The control with all that are not shown to differ from it; without a control all maximal cliques of more than one."""
        if self.control is not None:
            return [tuple(sorted({self.control, *self.alike[self.control]}))]
        return [group for group in maximal_cliques(self.alike) if len(group) > 1]

    @cached_property
    def strangers(self) -> dict[tuple[int, ...], list[int]]:
        """For each group that is no interval, those that lie between its members and are none."""
        found = {}
        for group in self.groups if self.control is None else []:
            low, high = sorted((self.values[group[0]], self.values[group[-1]]))
            if between := [i for i, value in enumerate(self.values) if i not in group and low <= value <= high]:
                found[group] = between
        return found

    @property
    def text(self) -> str:
        """All of it in words."""
        every = ", ".join(f"{name} {self.written(value)}" for name, value in zip(self.names, self.values, strict=True))
        said = [
            f"Critical difference diagram ({self.test}, alpha = {format_plain(self.alpha)}) of {len(self.names)} classifiers.",
            f"{self.what.capitalize()}s from the best to the worst: {every}.",
        ]
        if self.reach is not None:
            said.append(f"Critical difference {self.written(self.reach)}.")
        return " ".join(said + (self._all_pairs_in_words() if self.control is None else self._control_in_words(self.control)))

    def _control_in_words(self, control: int) -> list[str]:
        (group,) = self.groups
        said = []
        if differ := [i for i in range(len(self.names)) if i not in group]:
            said.append(f"Shown to differ from the control {self.names[control]}: {self._listed(differ)}.")
        if same := [i for i in group if i != control]:
            said.append(f"Not shown to differ from the control {self.names[control]}: {self._listed(same)}.")
        return said

    def _all_pairs_in_words(self) -> list[str]:
        said = []
        if len(self.groups) == 1 and len(self.groups[0]) == len(self.names):
            said.append("No two are shown to differ.")
        elif self.groups:
            said.append(f"Groups of which no two are shown to differ: {'; '.join(map(self._group_in_words, self.groups))}.")
        alone = [i for i in range(len(self.names)) if not self.alike[i]]
        if len(alone) == len(self.names):
            said.append("Any two are shown to differ.")
        elif alone:
            said.append(f"Shown to differ from all others: {self._listed(alone)}.")
        for group, between in self.strangers.items():
            lie = "lies" if len(between) == 1 else "lie"
            said.append(f"{self._listed(between)} {lie} between {self._listed(group)} without belonging to that group.")
        return said

    def _listed(self, places: Sequence[int]) -> str:
        *others, last = (self.names[i] for i in places)
        return f"{', '.join(others)} and {last}" if others else last

    def _group_in_words(self, group: tuple[int, ...]) -> str:
        if len(group) <= MAX_NAMED_MEMBERS or group in self.strangers:
            return self._listed(group)
        return f"the {len(group)} from {self.names[group[0]]} to {self.names[group[-1]]}"


def summarize_post_hoc(test: Any) -> PostHocSummary:
    """What the test says; nothing is computed here but the order of the classifiers."""
    steps = getattr(type(test), "steps", {})
    if not {"pairs", "reject"} <= steps.keys():
        raise TypeError(
            f"a critical difference diagram shows which classifiers differ, so it needs a "
            f"post-hoc test, such as fstats.Nemenyi(scores); got {type(test).__name__}"
        )
    check_single_repetition(np.shape(test.reject)[1:], "picture", "fstats.plot.critical_difference(test.at({}))", verb="draw")
    source = test.__dict__.get("_source")
    name, what, labels, values = _name_and_values(test, source)
    down = what != "mean" or not getattr(test, "higher_is_better", True)  # the lower the better
    order = sorted(range(len(labels)), key=lambda i: values[i] if down else -values[i])
    names, values = [labels[i] for i in order], [values[i] for i in order]
    control = next((known for each in (test, source) if (known := getattr(each, "control", None)) is not None), None)
    _check_all_pairs(name, labels, control, test.pairs)
    known_as = next((each for each in ("cd", "hsd") if each in steps and not np.ndim(getattr(test, each))), "")
    reach = float(getattr(test, known_as)) if known_as else None
    return PostHocSummary(
        test=name,
        alpha=test.alpha,
        what=what,
        names=names,
        values=values,
        ends=(float(len(labels)), 1.0) if what == "mean rank" else _mean_axis_ends(values, reach or 0.0, down),
        alike=_not_different_sets(names, test),
        control=None if control is None else names.index(control),
        reach=reach,
        reach_name=known_as.upper(),
    )


def _name_and_values(test: Any, source: Any) -> tuple[str, str, list[str], list[float]]:
    """What the test is called, and where it places the classifiers: at what, their labels, their values."""
    name = type(test).__name__
    if "aligned" in getattr(type(source), "steps", {}):
        return f"{name} of aligned ranks", "mean aligned rank", *_labels_and_values(source, None, "mean aligned rank")
    what = "mean" if "means" in type(test).steps else "mean rank"
    if not hasattr(type(source), "test_of"):
        return name, what, *_labels_and_values(test, None, what)
    return f"{name} of {type(source.tests).__name__}", what, *_labels_and_values(test, source, what)  # one paired test for each pair


def _not_different_sets(names: Sequence[str], test: Any) -> list[set[int]]:
    """For each classifier the places of those that it is not shown to differ from."""
    alike: list[set[int]] = [set() for _ in names]
    for pair, differ in zip(test.pairs, test.reject, strict=True):
        if not differ:
            i, j = map(names.index, pair)
            alike[i].add(j)
            alike[j].add(i)
    return alike


def _labels_and_values(test: Any, pairwise: Any, what: str) -> tuple[list[str], list[float]]:
    """The classifiers and their mean ranks, or their means; after one paired test for each pair, the mean ranks of its scores."""
    name = type(test).__name__
    try:
        if pairwise is not None and "mean_ranks" not in test.stated:
            test = type(test)(pairwise.scores, pairwise.labels, higher_is_better=pairwise.higher_is_better)
        values = test.means if what == "mean" else test.mean_ranks
        return test.labels.tolist(), values.tolist()
    except (AttributeError, LookupError):
        raise ValueError(
            f"a critical difference diagram places each classifier at its {what}, and this {name} knows no {what}s: hand in scores, as "
            f"{name}(scores), or state them, as test.assuming(labels=..., {what.replace(' ', '_')}s=...)"
        ) from None


def _check_all_pairs(name: str, labels: list[str], control: str | None, pairs: Any) -> None:
    """All pairs of the classifiers must have been compared, or each with the control."""
    needed = set(map(frozenset, combinations(labels, 2) if control is None else ((label, control) for label in labels if label != control)))
    if set(map(frozenset, pairs)) != needed:
        raise ValueError(
            f"a critical difference diagram needs a decision on {'all pairs' if control is None else 'each pair with the control'} of "
            f"{', '.join(labels)}; this {name} decides on {', '.join(map(str, pairs))}"
        )


def _mean_axis_ends(values: Sequence[float], reach: float, down: bool) -> tuple[float, float]:
    """Ends of an axis of means, worst and best, between which the critical difference fits."""
    low, high = min(values), max(values)
    more = max(0.1 * (high - low), 0.55 * reach - 0.5 * (high - low)) or 1.0
    return (high + more, low - more) if down else (low - more, high + more)
