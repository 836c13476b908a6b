"""What all tests for many classifiers share: a table with named columns, and H0 that all classifiers are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ...core.classifier_pair import metric_settings, shorten_name
from ...core.hypothesis import HypothesisTest
from ...core.metric_direction import DEFAULT_METRIC_NAME, ScoreProcedure
from ...core.number_format import format_plain
from ...core.numerics.average_ranks import descending_row_ranks
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.procedure import Procedure
from ...core.rejection_region import UPPER_TAIL
from ...core.step import NotStated, input_field, step
from ...core.validation import check, tables
from ...core.validation.pandas_labels import column_names
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, ScoresLike
from ...core.worked_example_row import Row


class ManyClassifiers(Procedure):
    """What compares k named classifiers: the names are the labels given, a DataFrame's columns, or A, B, C, ..."""

    takes_results = True
    names_by_index: ClassVar[Mapping[str, Any]] = {"i": "data_sets", "j": "labels", "l": "labels"}

    def __post_init__(self) -> None:
        values = self.__dict__
        columns, rows, place = None, None, None
        for name, axis in self._tables():
            if name in values:
                table, place = values[name], (name, axis)
                if type(table) is not np.ndarray:
                    columns, rows = column_names(table), data_set_names(table)
                    values["_setup"] = getattr(table, "in_setup", None)
                    told = metric_settings(table, type(self))  # results know it of themselves
                    sure = not hasattr(table, "iloc")
                    values |= {name: one for name, one in told.items() if sure or values.get(name) in (None, DEFAULT_METRIC_NAME)}
                break
        super().__post_init__()
        if "data_sets" in self.inputs:
            rows = rows if values.get("data_sets") is None else values["data_sets"]
            many = None if place is None else len(values[place[0]])
            values["data_sets"] = rows if rows is None or many is None else tables.distinct_names(rows, many, "data_sets", "data set")
        k, stated = values.get("k"), values.get("labels")
        if place is not None and np.ndim(table := values[place[0]]) > place[1]:
            k = table.shape[place[1]]
        elif k is None and stated is not None:  # nothing else says how many there are
            k = max(2, np.size(stated))
        if k is not None:
            stated = columns if stated is None else stated
            values["labels"] = default_labels(int(k)) if stated is None else tables.distinct_names(stated, int(k), "labels")

    def _rows(self) -> Iterator[Row]:
        """The rows; where data sets have no names, none that tells them."""
        return (row for row in super()._rows() if row.name != "data_sets" or row.value is not None)

    @classmethod
    def _tables(cls) -> list[tuple[str, int]]:
        """The inputs and steps with an entry for each classifier, and which of their axes that is."""
        found = cls.__dict__.get("_with_classifiers")
        if found is None:
            overs = {name: cls.over(name) for name in (*cls.inputs, *cls.steps) if name != "labels"}
            found = cls._with_classifiers = [(name, over.index("j")) for name, over in overs.items() if "j" in over]  # type: ignore[attr-defined]
        return found


def data_set_names(table: Any) -> list[str] | None:
    """The names of the data sets, where a table has them: results, or a DataFrame whose index holds more than numbers."""
    if (own := getattr(table, "data_sets", None)) is not None:
        return list(own)
    index: Any = getattr(table, "index", None)
    if not hasattr(index, "nlevels") or not len(index):
        return None
    names = [", ".join(map(str, entry)) if isinstance(entry, tuple) else entry for entry in index]
    return list(map(str, names)) if all(isinstance(name, str) for name in names) else None


def classifier_labels(test: Any) -> Any:
    """The labels of a test, or what is missing (of one started half-way, from p-values say)."""
    if test.labels is None:
        raise NotStated("it needs labels (Name of each classifier), but nothing says how many classifiers there are")
    return test.labels


@lru_cache(64)
def default_labels(k: int) -> Any:
    """A, B, C, ..., or C1, C2, ... where the alphabet does not suffice."""
    named = np.array([chr(65 + j) for j in range(k)] if k <= 26 else [f"C{j}" for j in range(1, k + 1)])
    named.setflags(write=False)
    return named


def _names_with_value(value: Any, values: Any, labels: Any) -> str:
    """Which classifiers have this value, or how many if they are more than three."""
    found = [shorten_name(label) for label, one in zip(labels.tolist(), values) if one == value]
    return f"{len(found)} of them" if len(found) > 3 else ", ".join(found)


def is_win_matrix(scores: Any) -> bool:
    """Whether a table of scores is square, and counts who won against whom, or tells the shares: then both of a pair add up alike."""
    if type(scores) is not np.ndarray or scores.ndim != 2 or scores.shape[0] != scores.shape[1] or scores.min() < 0:
        return False
    if not np.diagonal(scores).any() and scores.max() > 1 and (scores == np.rint(scores)).all():
        return True
    sums = (scores + scores.T)[np.triu_indices(len(scores), 1)]
    return len(sums) > 1 and any(np.abs(sums - whole).max() <= 1e-9 * whole for whole in (1, 100))


class TableOfScores(ScoreProcedure, ManyClassifiers):
    """A table of scores, errors or losses."""

    def __post_init__(self) -> None:
        given, unnamed = self.__dict__.get("scores"), self.__dict__.get("data_sets") is None
        lines: Any = getattr(given, "index", None) if type(given) is not np.ndarray else None
        super().__post_init__()
        if unnamed and "data_sets" in self.inputs:
            why = "look like counts of who won against whom, or their shares" if is_win_matrix(self.__dict__.get("scores")) else ""
            if hasattr(lines, "equals") and lines.equals(column_names(given)):
                why = f"are called alike on both sides, {', '.join(map(str, lines[:3]))}, as systems that met each other"
            if why:
                raise ValueError(
                    f"scores {why}, and {type(self).__name__} takes a line for each data set: for counts of wins there is "
                    "BradleyTerry.from_wins; if they are scores, name the lines by data_sets=[...]"
                )

    def _scores_in_mixed_units(self) -> Mapping[str, Any]:
        scores = self.__dict__.get("scores")
        if type(scores) is not np.ndarray or scores.max() <= 1 or (scores.max(0) > 1).all():
            return {}
        return dict(zip(classifier_labels(self).tolist(), np.moveaxis(scores, 1, 0)))


class ScoreTable(ScaledSquares, TableOfScores):
    """Scores, errors or losses of k named classifiers, in the columns of a table."""

    measured = ("scores",)

    scores: ScoresLike = input_field(
        "s_{ij}", "Score of each classifier on each data set.", over="ij", check=tables.score_table_for_means, unit="score"
    )
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)


class ByRank(TableOfScores):
    """Ranks by scores: whichever scores are good, the best rank is 1."""

    highest_is_best = False
    direction = ""


class Ranking(ByRank):
    """Ranks of k classifiers on each of N data sets."""

    scores: ScoresLike = input_field(
        "s_{ij}", "Score of each classifier on each data set.", over="ij", check=tables.score_table, unit="score"
    )
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)
    data_sets: Any = input_field(r"\text{data set}_i", "Name of each data set.", over="i", default=None)

    @step(
        "r_{ij}",
        {True: r"\mathrm{rank}_j(-$scores)", False: r"\mathrm{rank}_j($scores)"},
        by="higher_is_better",
        over="ij",
        check=tables.rank_table,
    )
    def ranks(self) -> Array:
        """Rank of each classifier on each data set, 1 = best; equal scores share the mean of their ranks."""
        return descending_row_ranks(self.scores if self.higher_is_better else -self.scores)

    @step("N", r"\#\{i : $ranks\}", check=check.count(2))
    def n(self) -> int:
        """Number of data sets."""
        return len(self.ranks)

    @step("k", r"\#\{j : $ranks\}", check=check.count(2))
    def k(self) -> int:
        """Number of classifiers."""
        return self.ranks.shape[1]

    @step("R_j", r"\sum_i $ranks", over="j", check=check.nonnegative)
    def rank_sums(self) -> Array:
        """Sum of the ranks of each classifier."""
        return self.ranks.sum(0)

    @step(r"\bar R_j", r"\frac{1}{$n} $rank_sums", over="j", check=check.nonnegative)
    def mean_ranks(self) -> Array:
        """Mean rank of each classifier; the best is the one closest to 1."""
        return self.rank_sums / self.n


def ranks_add_up(known: Mapping[str, Any], chi_squared: str) -> None:
    """Ranks 1 to k are shared out on each data set, so what was stated of them, and of a statistic made from them, is bound."""
    n, k = known.get("n"), known.get("k")
    for name, of_all in (("mean_ranks", 1), ("rank_sums", n)):
        if name in known and of_all is not None:
            many = len(known[name])
            check_sum(f"the entries of {name}", many, many if k is None else k, "the number of classifiers k")
            rounding = 0.05 * many if name == "mean_ranks" else 0.0  # of printed means
            check_sum(name, known[name].sum(0), of_all * many * (many + 1) / 2, "what N data sets share out", rounding)
    if chi_squared in known and n is not None and k is not None:
        check_upper_bound(chi_squared, known[chi_squared], n * (k - 1), "N (k - 1), where all data sets rank alike,", rounding=0.5)


class Omnibus(HypothesisTest, ending=True):
    """A test of H0 "all k classifiers are alike".  It has one tail by nature, so there is no alternative to choose."""

    tails = UPPER_TAIL
    unproven_claim = "that they are equal"
    values_are: ClassVar[str] = ""  # what the classifiers are estimated by, where it is something else than what is compared

    def __post_init__(self) -> None:
        if self.__dict__.get("alternative", "two-sided") != "two-sided":
            raise ValueError(
                f"alternative must be 'two-sided' for {type(self).__name__}; got "
                f"{check.format_received_value(self.alternative)}: the test has one tail by nature, since any difference "
                "makes its statistic large. For a direction compare pairs, such as fstats.Holm(scores, control=...)"
            )
        super().__post_init__()

    @property
    def highest_is_best(self) -> bool:
        """Whether the highest of what the classifiers are estimated by is the best; of mean ranks it is the worst."""
        return False

    @property
    def direction(self) -> str:
        """That lower is better, in brackets, where it is; of ranks everybody knows it."""
        return ""

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        return f"a difference in {self.compared} {self._among}"

    @property
    def _among(self) -> str:
        """Whom the test compares."""
        labels, k = self.get_or_default("labels", None), self.get_or_default("k", None)
        if k == 2 and labels is not None:
            return f"between {' and '.join(map(shorten_name, labels.tolist()))}"
        return "among the classifiers" if k is None else f"among the {k} classifiers"

    @property
    def finding(self) -> str:
        """What a rejection shows: the claim, and how far the classifiers lie apart; of two, who is better."""
        ends = self._best_and_worst
        if ends is None or self.get_or_default("k", None) != 2:
            return f"{self.claim}{self.effect_text}{self.direction}"
        (best, high), (worst, low) = ends
        return f"that {best} is better than {worst} in {self.compared}{self.direction}, {self.values_are}{high} against {low}"

    @property
    def effect_text(self) -> str:
        """How far the classifiers lie apart, the best first; empty where nothing tells."""
        ends = self._best_and_worst
        if ends is None:
            return ""
        (best, high), (worst, low) = ends
        return f", {self.values_are}from {high} ({best}) to {low} ({worst})"

    @property
    def _best_and_worst(self) -> tuple[tuple[str, str], tuple[str, str]] | None:
        """The names of the best and of the worst, each with its value; None where nothing tells."""
        values, labels = self.get_or_default(self.estimated_by, None), self.get_or_default("labels", None)
        if values is None or labels is None:
            return None
        lowest, highest = ((_names_with_value(value, values, labels), format_plain(value)) for value in (min(values), max(values)))
        return (highest, lowest) if self.highest_is_best else (lowest, highest)

    @property
    def hypotheses(self) -> str:
        """Both hypotheses in symbols."""
        return rf"\text{{not all }} {self.parameter}_j \text{{ are equal, against }} H_0: {self.parameter}_1 = \cdots = {self.parameter}_k"
