"""Base class of Bayesian pairwise comparisons of many classifiers.

The comparisons use a region of practical equivalence (ROPE).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.number_format import format_plain
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, result_checks, tables
from ...core.value_types import Array
from ..multiple.many_classifiers import SCORES, ManyClassifiers, TableOfScores, classifier_labels
from ..posthoc.posthoc_comparison import RankComparison
from .rope_comparison import LEVEL_OF_REGION

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

PAIR_REGIONS = ("second better", "equivalent", "first better")


def names(value: Any, name: str) -> Any:
    """Check that names are different; None means that there are no names."""
    return None if value is None else tables.distinct_names(value, np.size(value), name)


class PairwiseRopeComparison(TableOfScores, ending=True):
    """Bayesian comparison of all pairs: probabilities of three regions for each pair, and the decisions that follow from them."""

    conclusion_row = ("decided", 2, "The decisions as text.")

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs", "s": PAIR_REGIONS}

    scores: Any = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", check=names, default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)
    alpha: float = input_field(r"\alpha", LEVEL_OF_REGION, check=check.level, default=0.05, kw_only=True)

    null_value: ClassVar[float] = 0.0  # value of the estimate for two equal classifiers
    xlabel: ClassVar[str] = "difference in mean score"  # axis label of the estimates
    estimates: ClassVar[Any]  # step that each subclass defines: expected value for each pair
    low: ClassVar[Any]  # step that each subclass defines: lower limit of the credible interval for each pair
    high: ClassVar[Any]

    pairs = RankComparison.pairs

    @step("k", r"\#\{j : $labels\}", check=check.count(2))
    def k(self) -> int:
        """Number of classifiers."""
        return len(classifier_labels(self))

    @step("P_{hs}", over="hs", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probabilities for each pair: second classifier better, both practically equivalent, first classifier better."""
        raise TypeError(f"the class {type(self).__name__} must define the step `probabilities`")

    @step(r"\text{decided}_{hs}", r"$probabilities \geq 1 - $alpha", over="hs", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def decided(self) -> NDArray[np.bool]:
        """Whether the probability of each region is high enough for a decision; often no probability is."""
        return np.greater_equal(self.probabilities, 1 - self.alpha)

    # -- conclusion ----------------------------------------------------------------------------------------------------
    @property
    def ability(self) -> Array:
        """Values that determine the ranking of the classifiers; larger is better."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'ability'")

    @property
    def is_tied(self) -> bool:
        """Whether no classifier is better than another."""
        raise TypeError(f"the class {type(self).__name__} must define the property is_tied")

    @property
    def better_meaning(self) -> str:
        """Meaning of "better", as the end of a sentence."""
        raise TypeError(f"the class {type(self).__name__} must define the property better_meaning")

    @property
    def in_order(self) -> list[str]:
        """Names of the classifiers, best first (for a single table)."""
        return [str(name) for name in classifier_labels(self)[np.argsort(-self.ability, kind="stable")]]

    @property
    def conclusion(self) -> str:
        """Ranking of the classifiers, the decisions, and the number of open pairs, as text (for a single table)."""
        check.check_single_repetition(np.shape(self.decided)[2:], "conclusion", "test.at({}).conclusion")
        classifiers = self.in_order
        losers: dict[str, list[str]] = {name: [] for name in classifiers}
        equivalent = []
        for (first, second), decisions in zip(self.pairs, self.decided.tolist()):
            if decisions == [False, False, True]:
                losers[first].append(second)
            elif decisions == [True, False, False]:
                losers[second].append(first)
            elif decisions == [False, True, False]:
                equivalent.append(f"{first} and {second}")
        better = [f"{name} than {', '.join(sorted(others, key=classifiers.index))}" for name, others in losers.items() if others]
        # undecided pairs: no region is probable enough, or more than one region is (possible with a large alpha)
        pair_count, open_count = (len(self.pairs), int((self.decided.sum(1) != 1).sum()))
        sentences = ["No classifier is better than another." if self.is_tied else f"Best first: {', '.join(classifiers)}."]
        certainty = f"With probability {format_plain(1 - self.alpha)} or more each"
        if better:
            sentences.append(f"{certainty}, better {self.better_meaning}: {'; '.join(better)}.")
        if equivalent:
            sentences.append(f"{certainty}, practically equivalent: {'; '.join(equivalent)}.")
        if open_count:
            sentences.append(f"Open: {open_count} of {pair_count} {'pairs' if pair_count > 1 else 'pair'}.")
        return " ".join(filter(None, [*sentences, self.remark]))

    @property
    def remark(self) -> str:
        """Note about the decisions; empty if there is none."""
        return ""

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Plot the expected value and the credible interval of each pair, with the region of equivalence.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on.  Without them, the returned picture is shown in a notebook, and ``save("pairs.pdf")`` saves it for a paper.
        title : str, optional
            Title instead of the default one; None for no title.
        figsize : float or (float, float), optional
            Size of a figure for a paper in inches: its width, such as 3.4 for a column, or its width and height.
        """
        return get_renderer("pair_intervals")(self, ax=ax, title=title, figsize=figsize)
