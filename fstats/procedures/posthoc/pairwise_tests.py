"""Paired tests for all pairs of classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from ...core.hypothesis import HypothesisTest
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.value_types import Array, ScoresLike
from ...core.worked_example_row import Row
from ..multiple.many_classifiers import SCORES, ManyClassifiers, TableOfScores, classifier_labels
from ..pairwise.signed_rank import SignedRank
from .posthoc_comparison import ControlComparison, check_control, pair_positions


def _paired_test(value: Any, name: str) -> Any:
    """Return the class if it is a two-sided test of two columns of scores that needs no other input; else raise TypeError."""
    if isinstance(value, type) and issubclass(value, HypothesisTest):
        required = [name for name in value.inputs if name not in value.defaults]
        if required == ["a", "b"] and "two-sided" in value.tails:
            return value
    got = value.__name__ if isinstance(value, type) else repr(value)
    remedy = "Write fstats.SignedRank, fstats.PairedT or fstats.SignTest."
    raise TypeError(f"`{name}` must be the class of a two-sided test of paired scores; got {got}. {remedy}")


def _pairwise_formula(quantity: str) -> dict[bool, str]:
    """Return the formula of a quantity that the test computes from the scores of each pair."""
    return {
        better: quantity + r"\text{ of } $using \text{ on } " + sign + r"$scores \text{ of } $pairs \text{ of } $labels"
        for better, sign in ((True, ""), (False, "-"))
    }


class UnadjustedPairwiseTests(ManyClassifiers):
    """Base class for unadjusted p-values, one for each pair of classifiers; no decision is made yet."""

    conclusion_row = ("pvalues", 1, "What can be concluded.")

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs"}

    pairs: ClassVar[Any]  # step that each subclass defines: the compared pairs
    pvalues: ClassVar[Any]  # step that each subclass defines: unadjusted p-value of each pair

    def __post_init__(self) -> None:
        super().__post_init__()
        check_control(self)

    @property
    def difference_sign(self) -> Any:
        """Number for each pair, positive if the first classifier of the pair looks better."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'difference_sign'")

    @property
    def single_pair_note(self) -> str:
        """Reason, in words, why a single pair needs no procedure."""
        return "the p-value of a single pair needs no adjustment"

    @property
    def conclusion(self) -> str:
        """Sentence which states that no decision is made before the p-values are adjusted."""
        if len(self.pairs) == 1:
            return f"No decision: {self.single_pair_note}."
        opening = f"No decision: each of the {len(self.pairs)} p-values concerns only its own pair, as if there were no other pairs"
        return f"{opening}. Adjust the p-values for their number, for example with fstats.Holm.from_test(...)."


class Pairwise(TableOfScores, UnadjustedPairwiseTests):
    r"""Paired tests of all pairs of classifiers, without adjusted p-values: do the two classifiers of each pair differ?

    Origin: published, Benavoli, Corani and Mangili (2016).

    Each p-value belongs to one pair of classifiers, and is not adjusted for the number of pairs.  To adjust the p-values, use a procedure
    such as ``fstats.Holm.from_test(fstats.Pairwise(scores))``.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in any unit.  Further axes are independent repetitions.
        A list of scores for each classifier (``Pairwise(a, b, c)``), or a dictionary of such lists, is taken as the columns.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses: the sign of each score is reversed, so that a positive effect means that the first classifier of a
        pair is better.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    using : class
        The paired test: :class:`fstats.SignedRank`, :class:`fstats.PairedT` or :class:`fstats.SignTest`, two-sided, with its
        default settings.
    control : str, optional
        Label of the control, with which every other classifier is compared; without a control, all pairs are compared.

    Notes
    -----
    All pairs are computed in one batch; :meth:`test_of` returns the worked test of one pair.  Ranks are computed within each pair, so
    other classifiers in the table have no influence (unlike the mean ranks of the Friedman test).  Two identical classifiers have
    p = 1.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown, or the test is not a test of paired scores.

    References
    ----------
    Benavoli, Corani and Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR 17, pages 1 to 10.

    Examples
    --------
    On all four data sets A is better than C: p = 2 / 2**4.

    >>> import fstats
    >>> tests = fstats.Pairwise([[3, 4, 1], [5, 3, 2], [7, 6, 3], [9, 8, 4]])
    >>> print(*tests.pairs, tests.pvalues)
    A – B A – C B – C [0.5   0.125 0.125]
    """

    scores: ScoresLike = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)
    using: Any = input_field(r"\text{test}", "The test of each pair.", check=_paired_test, default=SignedRank, kw_only=True)
    control: str | None = input_field(r"\text{control}", "Control: every other classifier is compared with it.", default=None, kw_only=True)

    comparison_family = ControlComparison.comparison_family
    pairs = ControlComparison.pairs

    @cached_property
    def tests(self) -> Any:
        """The tests of all pairs as one batch; the pairs are the first axis of repetitions."""
        better = self.scores if self.higher_is_better else -self.scores
        first, second = pair_positions(self.pairs, classifier_labels(self))
        return self.using(better[:, first], better[:, second])

    @step("T_h", _pairwise_formula(r"\text{statistic}"), by="higher_is_better", over="h")
    def statistic(self) -> Array:
        """Test statistic of each pair."""
        return self.tests.statistic

    @step("p_h", _pairwise_formula("p"), by="higher_is_better", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided p-value of each pair, not adjusted for the number of pairs."""
        return self.tests.pvalue

    @step("e_h", _pairwise_formula(r"\text{effect size}"), by="higher_is_better", over="h")
    def effect_size(self) -> Array:
        """Effect size of each pair, as the paired test defines it; positive if the first classifier of the pair is better."""
        return self.tests.effect_size

    def test_of(self, first: str, second: str) -> Any:
        """Return the worked test of two classifiers, the first as A and the second as B: ``tests.test_of("C4.5", "CN2")``."""
        labels = classifier_labels(self).tolist()
        i, j = (labels.index(tables.known_name(label, labels, name)) for label, name in ((first, "first"), (second, "second")))
        better = self.scores if self.higher_is_better else -self.scores
        return self.using(better[:, i], better[:, j], labels=[labels[i], labels[j]])

    def to_frame(self, form: str = "pairs", what: str | None = None) -> Any:
        """Return the comparisons as a pandas DataFrame: a row for each pair, or a matrix of the step `what` (default "pvalues")."""
        from .posthoc_data_frame import to_data_frame

        return to_data_frame(self, form, what)

    @property
    def difference_sign(self) -> Any:
        """Number for each pair, positive if the first classifier of the pair looks better."""
        return self.effect_size

    @property
    def single_pair_note(self) -> str:
        """Reason, in words, why a single pair needs no procedure."""
        return "the p-value of a single pair is the p-value of its test and needs no adjustment; see tests.test_of(...)"

    def _rows(self) -> Iterator[Row]:
        """Return the rows of a worked example; the paired test is shown by its name."""
        for row in super()._rows():
            yield replace(row, value=row.value.__name__) if row.name == "using" else row
