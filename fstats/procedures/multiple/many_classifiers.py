"""Base classes of tests that compare many classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Self, cast

import numpy as np

from ...core.arithmetic_steps import sum_step
from ...core.classifier_pair import metric_settings, shorten_name
from ...core.hypothesis import HypothesisTest
from ...core.metric_direction import DEFAULT_METRIC_NAME, MIN_PERCENT, ScoreProcedure
from ...core.number_format import format_plain
from ...core.numerics.average_ranks import descending_row_ranks
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.procedure import Procedure
from ...core.rejection_region import UPPER_TAIL
from ...core.step import NotStated, count_step, input_field, make_read_only, step
from ...core.validation import check, tables
from ...core.validation.pandas_labels import column_names
from ...core.validation.score_lists import ScoreLists, score_lists_of_arguments, score_lists_of_mapping
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, ScoresLike
from ...core.worked_example_row import Row

SCORES = "Score of each classifier on each data set."


def _ask_about_list_of_arrays(title: str, scores: Any) -> None:
    """Raise ValueError for a list of few long arrays, which may be classifiers or data sets; a table has a row for each data set."""
    arrays = all(type(row) is np.ndarray and row.ndim == 1 for row in scores) and len({len(row) for row in scores}) == 1
    if arrays and 1 < len(scores) < len(scores[0]):
        raise ValueError(
            f"`scores` must be a table; got a list of {len(scores)} arrays of length {len(scores[0])}. Write {title}(*scores) if each "
            f"array is a classifier, or {title}(np.array(scores)) if each array is a data set."
        )


class ManyClassifiers(Procedure):
    """Comparison of k named classifiers; names come from `labels`, from the columns of a DataFrame, or are A, B, C, ..."""

    takes_results = True
    names_by_index: ClassVar[Mapping[str, Any]] = {"i": "data_sets", "j": "labels", "l": "labels"}

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:
        """Accept a list of scores for each classifier, or a dictionary {classifier: scores}, instead of the table."""
        if len(values) == 1 and type(values[0]) is np.ndarray:  # fast path: a single array needs no conversion
            return None
        table = next((name for name, about in cls.inputs.items() if not about["setting"]), "")
        if values and table in named:  # table given by position and by name: let the constructor raise an error
            return None
        first = values[0] if values else named.get(table)
        if isinstance(first, (list, tuple)) and len(values) == 1:
            _ask_about_list_of_arrays(cls.__name__, first)
        lists = score_lists_of_arguments(values) if len(values) > 1 else score_lists_of_mapping(first)
        return lists and cls._from_lists(lists, {name: value for name, value in named.items() if name != table})

    @classmethod
    def _from_lists(cls, lists: ScoreLists, settings: Mapping[str, Any]) -> Self:
        """Return the test on a list of scores for each classifier."""
        rows = data_set_names(lists.lists[0]) if lists.data_sets is None else lists.data_sets
        names = {name: value for name, value in (("labels", lists.labels), ("data_sets", rows)) if name in cls.inputs}
        make: Any = cls  # the type is Any, because subclasses declare the table
        return cast("Self", make(lists.columns(cls.__name__), **names | dict(settings)))

    def __post_init__(self) -> None:
        values = self.__dict__
        columns, rows, place = None, None, None
        for name, axis in self._find_classifier_axes():
            if name in values:
                table, place = values[name], (name, axis)
                if type(table) is not np.ndarray:
                    columns, rows = column_names(table), data_set_names(table)
                    values["_setup"] = getattr(table, "in_setup", None)
                    settings = metric_settings(table, type(self))  # a Results object stores its metric and direction
                    overrides = not hasattr(table, "iloc")
                    values |= {k: v for k, v in settings.items() if overrides or values.get(k) in (None, DEFAULT_METRIC_NAME)}
                break
        super().__post_init__()
        if "data_sets" in self.inputs:
            rows = rows if values.get("data_sets") is None else values["data_sets"]
            count = None if place is None else len(values[place[0]])
            values["data_sets"] = rows if rows is None or count is None else tables.distinct_names(rows, count, "data_sets", "data set")
        k, stated = values.get("k"), values.get("labels")
        if place is not None and (table := values[place[0]]).ndim > place[1]:
            k = table.shape[place[1]]
        elif k is None and stated is not None:  # without k, count the names of the classifiers
            k = max(2, np.size(stated))
        if k is not None:
            stated = columns if stated is None else stated
            values["labels"] = default_labels(int(k)) if stated is None else tables.distinct_names(stated, int(k), "labels")

    def _rows(self) -> Iterator[Row]:
        """Return the rows of a worked example, without the row `data_sets` if the data sets have no names."""
        return (row for row in super()._rows() if row.name != "data_sets" or row.value is not None)

    @classmethod
    def _find_classifier_axes(cls) -> list[tuple[str, int]]:
        """Return the names of inputs and steps that have an entry for each classifier, each with its axis of classifiers."""
        axes = cls.__dict__.get("_classifier_axes")
        if axes is None:
            overs = {name: cls.over(name) for name in (*cls.inputs, *cls.steps) if name != "labels"}
            axes = cls._classifier_axes = [(name, over.index("j")) for name, over in overs.items() if "j" in over]  # type: ignore[attr-defined]
        return axes


def data_set_names(table: Any) -> list[str] | None:
    """Return the names of the data sets from results or from a DataFrame whose index holds text; None if there are no names."""
    if (own := getattr(table, "data_sets", None)) is not None:
        return list(own)
    index: Any = getattr(table, "index", None)
    if not hasattr(index, "nlevels") or not len(index):
        return None
    names = [", ".join(map(str, entry)) if isinstance(entry, tuple) else entry for entry in index]
    return list(map(str, names)) if all(isinstance(name, str) for name in names) else None


def classifier_labels(test: Any) -> Any:
    """Return the labels of a test; raise NotStated if the number of classifiers is unknown (a test started from p-values, say)."""
    if test.labels is None:
        raise NotStated("the computation needs labels (Name of each classifier), because the number of classifiers is unknown")
    return test.labels


@lru_cache(64)
def default_labels(k: int) -> Any:
    """Return A, B, C, ..., or C1, C2, ... if there are more than 26 classifiers."""
    return make_read_only(np.array([chr(65 + j) for j in range(k)] if k <= 26 else [f"C{j}" for j in range(1, k + 1)]))


def _names_with_value(value: Any, values: Any, labels: Any) -> str:
    """Return the names of the classifiers that have the given value, or the number of such classifiers if there are more than three."""
    names = [shorten_name(label) for label, x in zip(labels.tolist(), values) if x == value]
    return f"{len(names)} of them" if len(names) > 3 else ", ".join(names)


def is_win_matrix(scores: Any) -> bool:
    """Return whether a square table of scores looks like counts or shares of wins of one system over another."""
    if type(scores) is not np.ndarray or scores.ndim != 2 or scores.shape[0] != scores.shape[1] or scores.min() < 0:
        return False
    if not np.diagonal(scores).any() and scores.max() > 1 and (scores == np.rint(scores)).all():
        return True
    sums = (scores + scores.T)[np.triu_indices(len(scores), 1)]
    return len(sums) > 1 and any(np.abs(sums - whole).max() <= 1e-9 * whole for whole in (1, 100))


class TableOfScores(ScoreProcedure, ManyClassifiers):
    """Base class of tests on a table of scores, errors or losses."""

    def __post_init__(self) -> None:
        given, unnamed = self.__dict__.get("scores"), self.__dict__.get("data_sets") is None
        lines: Any = getattr(given, "index", None) if type(given) is not np.ndarray else None
        super().__post_init__()
        if unnamed and "data_sets" in self.inputs:
            reason = "look like counts or shares of wins of one system over another" if is_win_matrix(self.__dict__.get("scores")) else ""
            if hasattr(lines, "equals") and lines.equals(column_names(given)):
                reason = f"have the same names for rows and columns ({', '.join(map(str, lines[:3]))}), as wins do"
            if reason:
                remedy = "For counts of wins, write BradleyTerry.from_wins. For scores, name the rows with data_sets=[...]."
                raise ValueError(f"`scores` must have one row for each data set; got scores that {reason}. {remedy}")

    def _scores_in_mixed_units(self) -> Mapping[str, Any]:
        scores = self.__dict__.get("scores")
        if type(scores) is not np.ndarray or scores[0].max() < MIN_PERCENT:
            return {}  # fast path: all scores of the first row are too small for percentages
        if not (scores.min(0) >= MIN_PERCENT).any() or (scores.max(0) > 1).all():
            return {}
        return dict(zip(classifier_labels(self).tolist(), np.moveaxis(scores, 1, 0)))


class ScoreTable(ScaledSquares, TableOfScores):
    """Scores, errors or losses of k named classifiers, in the columns of a table."""

    measured = ("scores",)

    scores: ScoresLike = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table_for_means, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)


def descending_rank_formula(index: str, values: str) -> dict[bool, str]:
    """Return the formula of ranks of which the best is 1, for each value of `higher_is_better`."""
    return {higher: rf"\mathrm{{rank}}_{index}({'-' * higher}${values})" for higher in (True, False)}


class RankProcedure(TableOfScores):
    """Base class of procedures on ranks; rank 1 is the best, for scores as well as for errors."""

    highest_is_best = False
    direction = ""


class RankTable(RankProcedure):
    """Ranks of k classifiers on each of N data sets."""

    scores: ScoresLike = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)

    @step("r_{ij}", descending_rank_formula("j", "scores"), by="higher_is_better", over="ij", check=tables.rank_table)
    def ranks(self) -> Array:
        """Rank of each classifier on each data set, 1 = best; equal scores share the mean of their ranks."""
        return descending_row_ranks(self.scores if self.higher_is_better else -self.scores)

    n = count_step("N", "ranks", "i", "Number of data sets.", check=check.count(2))

    k = count_step("k", "ranks", "j", "Number of classifiers.", check=check.count(2), axis=1)

    rank_sums = sum_step("R_j", "ranks", "i", "Sum of the ranks of each classifier over the data sets.", over="j", check=check.nonnegative)

    @step(r"\bar R_j", r"\frac{1}{$n} $rank_sums", over="j", check=check.nonnegative)
    def mean_ranks(self) -> Array:
        """Mean rank of each classifier; the best possible mean rank is 1."""
        return self.rank_sums / self.n


def check_rank_totals(known: Mapping[str, Any], chi_squared: str) -> None:
    """Check that given rank sums, given mean ranks and a given statistic agree with ranks 1 to k on each data set."""
    n, k = known.get("n"), known.get("k")
    for name, data_set_count in (("mean_ranks", 1), ("rank_sums", n)):
        if name in known and data_set_count is not None:
            count = len(known[name])
            check_sum(f"the entries of {name}", count, count if k is None else k, "the number of classifiers k")
            rounding = 0.05 * count if name == "mean_ranks" else 0.0  # maximum error of the sum if mean ranks are rounded to one digit
            total = data_set_count * count * (count + 1) / 2
            check_sum(name, known[name].sum(0), total, "the sum of ranks 1 to k on N data sets", rounding)
    if chi_squared in known and n is not None and k is not None:
        check_upper_bound(chi_squared, known[chi_squared], n * (k - 1), "N (k - 1), for data sets with the same ranks,", rounding=0.5)


class Omnibus(HypothesisTest, ending=True):
    """Test of H0 "there is no difference among the k classifiers"; an omnibus test is one-tailed and has no choice of alternative."""

    tails = UPPER_TAIL
    unproven_claim = "that they are equal"
    value_phrase: ClassVar[str] = ""  # words before the estimates, such as "with mean aligned ranks "
    equal_estimates: ClassVar[str]  # sentence (without full stop) for data in which all classifiers are equal
    zero_if_equal: ClassVar[str] = "statistic"  # name of a step that is 0 for such data

    def __post_init__(self) -> None:
        if self.__dict__.get("alternative", "two-sided") != "two-sided":
            raise ValueError(
                f"`alternative` must be 'two-sided' for {type(self).__name__}; got {check.format_received_value(self.alternative)}. For a "
                "directional question, write `fstats.Holm(scores, control=...)`."
            )
        super().__post_init__()

    @property
    def highest_is_best(self) -> bool:
        """Whether the highest estimate is the best (of mean ranks, the highest is the worst)."""
        return False

    @property
    def direction(self) -> str:
        """Text "(lower is better)" in brackets; empty for ranks, because everybody knows that low ranks are better."""
        return ""

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        return f"a difference in {self.compared} {self._classifiers_text}"

    @property
    def _classifiers_text(self) -> str:
        """Description of the compared classifiers."""
        labels, k = self.get_or_default("labels", None), self.get_or_default("k", None)
        if k == 2 and labels is not None:
            return f"between {' and '.join(map(shorten_name, labels.tolist()))}"
        return "among the classifiers" if k is None else f"among the {k} classifiers"

    @property
    def finding(self) -> str:
        """Conclusion of a rejection: the claim and the range of the estimates; with two classifiers, the name of the better classifier."""
        extremes = self._best_and_worst
        if extremes is None or self.get_or_default("k", None) != 2:
            return f"{self.claim}{self.effect_text}{self.direction}"
        (best, high), (worst, low) = extremes
        return f"that {best} is better than {worst} in {self.compared}{self.direction}, {self.value_phrase}{high} against {low}"

    @property
    def effect_text(self) -> str:
        """Range of the estimates in words, the best estimate first; empty if the estimates are unknown."""
        extremes = self._best_and_worst
        if extremes is None:
            return ""
        (best, high), (worst, low) = extremes
        return f", {self.value_phrase}from {high} ({best}) to {low} ({worst})"

    @property
    def _best_and_worst(self) -> tuple[tuple[str, str], tuple[str, str]] | None:
        """Names and estimates of the best and of the worst classifier; None if the estimates are unknown."""
        values, labels = self.get_or_default(self.estimated_by, None), self.get_or_default("labels", None)
        if values is None or labels is None:
            return None
        lowest, highest = ((_names_with_value(value, values, labels), format_plain(value)) for value in (min(values), max(values)))
        return (highest, lowest) if self.highest_is_best else (lowest, highest)

    @property
    def hypotheses(self) -> str:
        """Both hypotheses in symbols."""
        return rf"\text{{not all }} {self.parameter}_j \text{{ are equal, against }} H_0: {self.parameter}_1 = \cdots = {self.parameter}_k"

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.statistic):
            return ""
        if np.isinf(self.statistic):
            return self._infinite_statistic_note
        return "" if getattr(self, self.zero_if_equal) else f"{self.equal_estimates}: the data give no evidence against H0."

    @property
    def _infinite_statistic_note(self) -> str:
        """Explanation of an infinite statistic; empty for a statistic that is always finite."""
        return ""
