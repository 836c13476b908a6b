"""What Bayesian comparisons of many classifiers share: three probabilities for each pair, what is decided for, and the words for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.number_format import format_plain
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, result_checks, tables
from ...core.value_types import Array
from ...core.worked_example_row import Row
from ..multiple.many_classifiers import ManyClassifiers, TableOfScores, classifier_labels
from ..posthoc.posthoc_comparison import Pair, object_array, pair_array

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

PAIR_REGIONS = ("second better", "equivalent", "first better")


def names(value: Any, name: str) -> Any:
    """Names that differ, of a model that is started half-way too."""
    return None if value is None else tables.distinct_names(value, np.size(value), name)


class PairwiseRopeComparison(TableOfScores, ending=True):
    """Steps of its own, then for each pair the probabilities of three regions, and which of them is probable enough to say so."""

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs", "s": PAIR_REGIONS}

    scores: Any = input_field("s_{ij}", "Score of each classifier on each data set.", over="ij", check=tables.score_table, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", check=names, default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)
    alpha: float = input_field(
        r"\alpha", "A region is decided for if its probability is at least 1 less this.", check=check.level, default=0.05, kw_only=True
    )

    middle: ClassVar[float] = 0.0  # what is expected of a pair of equals
    xlabel: ClassVar[str] = "difference in mean score"  # what is expected of a pair, for a picture
    estimates: ClassVar[Any]  # the steps that every subclass has, beside a rope: what is expected of each pair,
    low: ClassVar[Any]  # and its credible interval
    high: ClassVar[Any]

    @step(r"(j, l)_h", r"\text{all pairs of } $labels", over="h", check=pair_array)
    def pairs(self) -> Any:
        """The two classifiers of each comparison."""
        return object_array([Pair(*pair) for pair in combinations(classifier_labels(self).tolist(), 2)])

    @step("k", r"\#\{j : $labels\}", check=check.count(2))
    def k(self) -> int:
        """Number of classifiers."""
        return len(classifier_labels(self))

    @step("P_{hs}", over="hs", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability that the second is better, that both are equivalent in practice, that the first is better."""
        raise TypeError(f"{type(self).__name__} must say how its probabilities are computed")

    @step(r"\text{decided}_{hs}", r"$probabilities \geq 1 - $alpha", over="hs", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def decided(self) -> NDArray[np.bool]:
        """Whether the region is probable enough to decide for it; often none is."""
        return np.greater_equal(self.probabilities, 1 - self.alpha)

    # -- in words ------------------------------------------------------------------------------------------------------
    @property
    def ability(self) -> Array:
        """By what the classifiers are put in order, the best first: larger is better."""
        raise TypeError(f"{type(self).__name__} must say who is better")

    @property
    def even(self) -> bool:
        """Whether no classifier is ahead of another."""
        raise TypeError(f"{type(self).__name__} must say whether anybody is ahead")

    @property
    def beyond(self) -> str:
        """What it means that one is better, for sentences."""
        raise TypeError(f"{type(self).__name__} must say what lies beyond its rope")

    @property
    def in_order(self) -> list[str]:
        """The classifiers, the best first (of a single table)."""
        return [str(name) for name in classifier_labels(self)[np.argsort(-self.ability, kind="stable")]]

    @property
    def conclusion(self) -> str:
        """The order of the classifiers, which regions are decided for, and how many pairs are left open (of a single table)."""
        check.check_single_repetition(np.shape(self.decided)[2:], "conclusion", "test.at({}).conclusion")
        classifiers = self.in_order
        beaten: dict[str, list[str]] = {name: [] for name in classifiers}
        equal = []
        for (first, second), found in zip(self.pairs, self.decided.tolist()):
            if found == [False, False, True]:
                beaten[first].append(second)
            elif found == [True, False, False]:
                beaten[second].append(first)
            elif found == [False, True, False]:
                equal.append(f"{first} and {second}")
        told = [f"{name} than {', '.join(sorted(others, key=classifiers.index))}" for name, others in beaten.items() if others]
        many, left = len(self.pairs), int((self.decided.sum(1) != 1).sum())  # with a large alpha two may be decided for
        said = ["No classifier is ahead of another." if self.even else f"The best first: {', '.join(classifiers)}."]
        if told:
            said.append(f"With probability {format_plain(1 - self.alpha)} or more each, better {self.beyond}: {'; '.join(told)}.")
        if equal:
            said.append(f"With probability {format_plain(1 - self.alpha)} or more each, practically equivalent: {'; '.join(equal)}.")
        if left:
            said.append(f"Open: {left} of {many} {'pairs' if many > 1 else 'pair'}.")
        return " ".join(filter(None, [*said, self.remark]))

    @property
    def remark(self) -> str:
        """What must be known of the decisions; empty where there is nothing."""
        return ""

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and the conclusion of a single table."""
        yield from super()._rows()
        if "decided" in self.__dict__ and np.ndim(self.decided) == 2:
            yield Row("conclusion", "", "", "", "", self.conclusion, "The decisions in words.", "", "conclusion")

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """What is expected of each pair with its credible interval, beside the region of equivalence.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Draw there; without it the returned picture shows itself in a notebook, and ``save("pairs.pdf")`` draws it for a paper.
        title : str, optional
            Another title than its own; None for none.
        figsize : float or (float, float), optional
            Inches of a figure for a paper: its width, such as 3.4 for a column, or its width and height.
        """
        return get_renderer("pair_intervals")(self, ax=ax, title=title, figsize=figsize)
