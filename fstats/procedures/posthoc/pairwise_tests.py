"""One paired test for each pair of classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...core.hypothesis import HypothesisTest
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.value_types import Array, ScoresLike
from ...core.worked_example_row import Row
from ..multiple.many_classifiers import ManyClassifiers, TableOfScores, classifier_labels
from ..pairwise.signed_rank import SignedRank
from .posthoc_comparison import ControlComparison, know_control, places


def _paired_test(value: Any, name: str) -> Any:
    """A class that tests two columns of scores, two-sided, and needs nothing else."""
    if isinstance(value, type) and issubclass(value, HypothesisTest):
        needed = [one for one in value.inputs if one not in value.defaults]
        if needed == ["a", "b"] and "two-sided" in value.tails:
            return value
    got = value.__name__ if isinstance(value, type) else repr(value)
    raise TypeError(
        f"{name} must be a class that compares paired scores two-sided: fstats.SignedRank, fstats.PairedT or fstats.SignTest; got {got}"
    )


def _of(what: str) -> dict[bool, str]:
    """A formula: something that the test finds on the scores of each pair."""
    return {
        better: what + r"\text{ of } $using \text{ on } " + sign + r"$scores \text{ of } $pairs \text{ of } $labels"
        for better, sign in ((True, ""), (False, "-"))
    }


class EachPairAlone(ManyClassifiers):
    """A p-value for each pair of classifiers, not adjusted for the number of pairs: nothing is decided yet."""

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs"}

    pairs: ClassVar[Any]  # the steps that every subclass has: what is compared,
    pvalues: ClassVar[Any]  # and the p-value of each pair on its own

    def __post_init__(self) -> None:
        super().__post_init__()
        know_control(self)

    @property
    def difference_sign(self) -> Any:
        """For each pair a number that is positive where the first looks better."""
        raise TypeError(f"{type(self).__name__} must say who looks better")

    @property
    def single_pair(self) -> str:
        """Where the decision on the only pair stands."""
        return "the p-value of the one pair needs no adjustment"

    @property
    def conclusion(self) -> str:
        """That nothing is decided yet."""
        if len(self.pairs) == 1:
            return f"No decision: {self.single_pair}."
        return (
            f"No decision: each of the {len(self.pairs)} p-values looks at its own pair, as if there were no others. "
            f"Adjust them for their number, by fstats.Holm.from_test(...) say."
        )

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and that nothing is decided (of a single table)."""
        yield from super()._rows()
        if "pvalues" in self.__dict__ and np.ndim(self.pvalues) == 1:
            yield Row("conclusion", "", "", "", "", self.conclusion, "What may be concluded.", "", "conclusion")


class Pairwise(TableOfScores, EachPairAlone):
    r"""One paired test for each pair: how much speaks for a difference, pair by pair?

    Each p-value looks at its two classifiers alone.  They are not adjusted for their number: hand them to a procedure, such as
    ``fstats.Holm.from_test(fstats.Pairwise(scores))``.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default a DataFrame's column names, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default those in a DataFrame's index.
    higher_is_better : bool
        False for errors and losses: their sign is turned, so that "positive" always means that the first of a pair is better.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    using : class
        The paired test: :class:`fstats.SignedRank`, :class:`fstats.PairedT` or :class:`fstats.SignTest`, two-sided, with its
        usual settings.
    control : str, optional
        The label of the classifier that all others are compared with; without it all pairs are compared.

    Notes
    -----
    All pairs are computed in one batch; :meth:`test_of` gives the worked test of one.  Ranks are taken within each pair, so that
    other classifiers in the table do not matter (unlike the mean ranks of Friedman's test).  Two identical classifiers have p = 1.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, or a test that is not for paired scores.

    References
    ----------
    Benavoli, Corani and Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR 17, pages 1 to 10.

    Examples
    --------
    On four data sets A beats C each time: p = 2 / 2**4.

    >>> import fstats
    >>> tests = fstats.Pairwise([[3, 4, 1], [5, 3, 2], [7, 6, 3], [9, 8, 4]])
    >>> print(*tests.pairs, tests.pvalues)
    A – B A – C B – C [0.5   0.125 0.125]
    """

    scores: ScoresLike = input_field(
        "s_{ij}", "Score of each classifier on each data set.", over="ij", check=tables.score_table, unit="score"
    )
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)
    using: Any = input_field(r"\text{test}", "The test of each pair.", check=_paired_test, default=SignedRank, kw_only=True)
    control: str | None = input_field(r"\text{control}", "The classifier that all others are compared with.", default=None, kw_only=True)

    against = ControlComparison.against
    pairs = ControlComparison.pairs

    @cached_property
    def tests(self) -> Any:
        """The tests of all pairs as one batch: the pairs are its first axis of repetitions."""
        better = self.scores if self.higher_is_better else -self.scores
        first, second = places(self.pairs, classifier_labels(self))
        return self.using(better[:, first], better[:, second])

    @step("T_h", _of(r"\text{statistic}"), by="higher_is_better", over="h")
    def statistic(self) -> Array:
        """Statistic of the test of each pair."""
        return self.tests.statistic

    @step("p_h", _of("p"), by="higher_is_better", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided p-value of each pair on its own, not adjusted for the number of pairs."""
        return self.tests.pvalue

    @step("e_h", _of(r"\text{effect size}"), by="higher_is_better", over="h")
    def effect_size(self) -> Array:
        """Effect size of each pair, as the test defines it: positive where the first of the pair is better."""
        return self.tests.effect_size

    def test_of(self, first: str, second: str) -> Any:
        """The worked test of two classifiers, the first as A and the second as B: ``tests.test_of("C4.5", "CN2")``."""
        labels = classifier_labels(self).tolist()
        i, j = (labels.index(tables.known_name(label, labels, name)) for label, name in ((first, "first"), (second, "second")))
        better = self.scores if self.higher_is_better else -self.scores
        return self.using(better[:, i], better[:, j], labels=[labels[i], labels[j]])

    def to_frame(self, form: str = "pairs", what: str | None = None) -> Any:
        """The comparisons as a pandas DataFrame: a row for each pair, or a matrix of what ("pvalues" by default)."""
        from .posthoc_data_frame import to_data_frame

        return to_data_frame(self, form, what)

    @property
    def difference_sign(self) -> Any:
        """For each pair a number that is positive where the first looks better."""
        return self.effect_size

    @property
    def single_pair(self) -> str:
        """Where the decision on the only pair stands."""
        return "the p-value of the one pair is that of its test, and needs no adjustment; see tests.test_of(...)"

    def _rows(self) -> Iterator[Row]:
        """The rows, in which the test of each pair is told by its name."""
        for row in super()._rows():
            yield replace(row, value=row.value.__name__) if row.name == "using" else row
