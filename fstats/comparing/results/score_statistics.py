"""Summary statistics of scores, and their export.

The statistics (means over folds, ranks, wins) are exported as DataFrame, CSV, LaTeX, HTML and Markdown.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, ClassVar

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, direction_text, is_loss_metric
from ...core.number_format import format_plain
from ...core.numerics.average_ranks import descending_row_ranks
from ...core.validation.check import numbers
from ...core.validation.keyword_arguments import with_suggestions
from ...core.value_types import Array
from ...render.display_table import Table, TableDisplay
from . import publication_table
from .column_names import RUN_HEADING, unit_of_heading
from .fold_plan import USUAL_FOLDS, find_fold_plan, split_size_question
from .missing_scores import MissingScore, format_missing_scores, mean_of_known, working_policies
from .reading_plan import ASSUMED, MAX_LISTED, READING_CHANGES, READING_DOUBTS, RENUMBERED, RUN_AS_FOLD, Reading, some
from .reading_question import ReadingQuestion
from .score_entries import name_index
from .tabular_input import import_narwhals


class ScoreStatistics(TableDisplay):
    """Scores of classifiers on data sets, folds and seeds of training, with statistics of these scores."""

    data_sets: tuple[str, ...]
    classifiers: tuple[str, ...]
    metrics: tuple[str, ...]
    of_classifiers: ClassVar = True  # attribute by which other modules recognize results
    folds: tuple[tuple[str, ...], ...]  # names of the folds of each data set
    seeds: tuple[tuple[str, ...], ...]
    read_as: Mapping[str, str]
    reading: Reading
    gaps: tuple[MissingScore, ...]
    notes: tuple[str, ...]
    higher: Mapping[str, bool]
    # maps (data set, classifier, metric) to the standard deviation that a table prints beside the mean
    stated_sd: Mapping[tuple[str, str, str], float] = {}
    has_partial_means: bool = False  # whether means are over the folds and seeds that have scores, because missing="average"
    setup: Mapping[str, str] = {}  # plan, seed, models and library versions of a benchmark
    _tables: Mapping[str, Array]  # maps a metric to its scores, an array of shape (data sets, classifiers, folds, seeds)

    # -- numbers ------------------------------------------------------------------------------------------------------
    @property
    def metric(self) -> str:
        """Name of the metric; raises an error for results in several metrics."""
        if len(self.metrics) > 1:
            raise ValueError(
                f"`results` must have one metric here; got {', '.join(self.metrics)}. Choose one, such as results[{self.metrics[0]!r}]."
            )
        return self.metrics[0]

    @property
    def higher_is_better(self) -> bool:
        """Whether higher scores are better."""
        return self.higher[self.metric]

    @property
    def has_known_direction(self) -> bool:
        """Whether the direction was stated or follows from the name of the metric, and was not only assumed."""
        return not self.reading.directions.get(self.metric, ASSUMED).endswith(ASSUMED)

    @property
    def direction_question(self) -> ReadingQuestion | None:
        """The question whether higher or lower is better, if the scores may be errors and nothing says so; otherwise None."""
        if self.metric not in self.reading.undirected:
            return None
        lower, higher = (False, True) if len(self.reading.directions) == 1 else ({self.metric: False}, {self.metric: True})
        ends = " to ".join(format_plain(float(end(self.fold_seed_scores))) for end in (np.nanmin, np.nanmax))
        what = "the scores" if self.metric == DEFAULT_METRIC_NAME else repr(self.metric)
        return ReadingQuestion(
            f"nothing says whether higher or lower is better for {what}: {self.reading.undirected[self.metric]} (from {ends}) may "
            f"be costs or errors. Write higher_is_better={lower} if lower is better, or higher_is_better={higher} if higher is better"
        )

    @property
    def unit_question(self) -> ReadingQuestion | None:
        """The question whether all scores have one unit, if some seem to be shares and others percent; otherwise None."""
        return ReadingQuestion(self.reading.mixed_units[self.metric]) if self.metric in self.reading.mixed_units else None

    @property
    def repetition_question(self) -> ReadingQuestion | None:
        """The question what a column such as "seed" numbers, if the tests of one data set depend on the answer; otherwise None."""
        columns = self.reading.columns
        if len(self.data_sets) > 1 or len(self.folds[0]) == len(self.seeds[0]) == 1 or [*columns][:2] == ["data set", "classifier"]:
            return None  # in a file of Results.to_csv, "seed" is the seed of training
        several = {"seed": len(self.seeds[0]) > 1, RUN_AS_FOLD: len(self.folds[0]) > 1}  # one seed or fold raises no question
        seeds, runs = ([head for head, column in columns.items() if column.role == role] * many for role, many in several.items())
        if not (asked := [head for head in seeds or runs if columns[head].reason in ("its name", RENUMBERED)[: 1 + bool(runs)]]):
            return None
        what, seed, repetition = f"{asked[0]!r} numbers", f"seed={asked[0]!r}", f"repetition={asked[0]!r}"
        if RUN_HEADING.fullmatch(asked[0]):  # each run has a column
            what, seed, repetition = f"the columns {some(asked)} hold", "numbered='seeds'", "numbered='repetitions'"
        return ReadingQuestion(
            f"nothing says what {what}: trainings with different seeds on the same splits, or repetitions with other splits. "
            f"Write {seed} if only the training differs, or {repetition} if the splits differ"
        )

    @property
    def test_train_ratio(self) -> float | None:
        """Ratio of test to training records on the splits of one data set, as stated or by the number of folds; None if it is unknown."""
        if (stated := self.reading.test_train_ratio) is not None:
            return stated
        roles, folds = {role.removeprefix("scores of one ") for role in self.read_as.values()}, find_fold_plan(self.folds[0]).folds
        repeated = all(", " in name for name in self.folds[0])
        is_known = folds > 1 and (repeated or (folds in USUAL_FOLDS and ("repetition" not in roles or "fold" in roles)))
        return 1 / (folds - 1) if is_known else None

    @property
    def split_size_question(self) -> ReadingQuestion | None:
        """The question how many records each split of one data set tests, if the table does not say; otherwise None."""
        splits = len(self.folds[0])
        if len(self.data_sets) > 1 or splits == 1 or self.test_train_ratio is not None:
            return None
        return split_size_question(splits, find_fold_plan(self.folds[0]).folds > 1 and "repetition" not in self.read_as.values())

    @property
    def open_question(self) -> ReadingQuestion | None:
        """The first of the questions above that the table does not answer; None if there is none."""
        return self.unit_question or self.repetition_question or self.split_size_question or self.direction_question

    @property
    def in_setup(self) -> dict[str, str]:
        """Setup of the experiment, for :func:`fstats.report`."""
        data_sets = f"{len(self.data_sets)} data sets" if len(self.data_sets) > MAX_LISTED else ", ".join(self.data_sets)
        units = {"folds": {*map(len, self.folds)}, "seeds": {*map(len, self.seeds)}}  # data sets may have different numbers of folds
        means = " and ".join(f"{' to '.join(map(str, sorted({min(n), max(n)})))} {unit}" for unit, n in units.items() if max(n) > 1)
        doubts = " ".join(self.reading.warnings(self.metrics))
        units_of_rows = [unit_of_heading(head) for head, role in self.read_as.items() if role == "data set"]
        return (
            {"data sets": data_sets}
            | ({"unit": units_of_rows[0]} if len(units_of_rows) == 1 and units_of_rows[0] else {})
            | ({"each score": f"the mean of {means}"} if means else {})
            | ({READING_DOUBTS: doubts} if doubts else {})
            | ({READING_CHANGES: " ".join(self.reading.changes)} if self.reading.changes else {})
            | dict(self.setup)
        )

    @property
    def fold_seed_scores(self) -> Array:
        """All scores, shape (N, k, folds, seeds); nan at gaps, and for data sets with fewer folds or seeds than other data sets."""
        return self._tables[self.metric]

    @property
    def fold_scores(self) -> Array:
        """Scores on the folds, each averaged over the seeds of the fold, shape (N, k, folds); nan as in `fold_seed_scores`."""
        scores = self.fold_seed_scores
        if self.has_partial_means:
            return mean_of_known(scores, 3)
        if scores.shape[3] == 1:  # the mean over one seed would turn -0 into 0
            return scores[..., 0]
        return np.array([table[:, :, : len(names)].mean(2) for table, names in zip(scores, self.seeds)])

    @property
    def seed_scores(self) -> Array:
        """Scores with each seed, averaged over the folds, shape (N, k, seeds); nan as in `fold_seed_scores`."""
        if self.has_partial_means:
            return mean_of_known(self.fold_seed_scores, 2)
        return np.array([table[:, : len(names)].mean(1) for table, names in zip(self.fold_seed_scores, self.folds)])

    @property
    def scores(self) -> Array:
        """Mean over the folds and seeds of each data set, shape (N, k); nan at gaps."""
        if self.has_partial_means:
            return mean_of_known(self.fold_seed_scores, (2, 3))
        return np.array([table[:, : len(names)].mean(1) for table, names in zip(self.fold_scores, self.folds)])

    @property
    def sd_over(self) -> str:
        """Units of the standard deviations: "folds" (each averaged over its seeds), "seeds" if there are no folds, "table" or "".

        "table" means that the table of means states a spread beside each mean; "" means that there is none.
        """
        over = next((over for over in ("folds", "seeds") if any(len(names) > 1 for names in getattr(self, over))), "")
        return over or ("table" if self.stated_sd else "")

    @property
    def sd(self) -> Array:
        """Standard deviation over the folds, over the seeds if no data set has folds, or as the table states it; shape (N, k).

        With both folds and seeds, the standard deviation is over the folds, each averaged over its seeds (see `sd_over`).  The value is
        nan at gaps, and for a single fold or seed.
        """
        if self.sd_over == "table":
            keys = [[(data_set, name, self.metric) for name in self.classifiers] for data_set in self.data_sets]
            return np.array([[self.stated_sd.get(key, np.nan) for key in row] for row in keys])
        pairs = zip(self.seed_scores, self.seeds) if self.sd_over == "seeds" else zip(self.fold_scores, self.folds)
        if self.has_partial_means:
            known = [[row[row == row] for row in table] for table, _ in pairs]
            return np.array([[row.std(ddof=1) if len(row) > 1 else np.nan for row in rows] for rows in known])
        return np.array([table[:, : len(n)].std(1, ddof=1) if len(n) > 1 else table[:, 0] * np.nan for table, n in pairs])

    @property
    def ranks(self) -> Array:
        """Rank of each classifier on each data set, 1 = best; equal scores get the mean of their ranks."""
        scores = numbers(self, "scores")
        return descending_row_ranks(scores if self.higher_is_better else -scores)

    @property
    def mean_ranks(self) -> Array:
        """Mean rank of each classifier."""
        return np.asarray(self.ranks.mean(0))

    def wins_draws_losses(self, classifier: str) -> list[tuple[int, int, int]]:
        """Return for each classifier the numbers of data sets with a win, draw and loss of one classifier against it (itself: draws).

        >>> import fstats
        >>> fstats.Results([[3, 1], [2, 2], [5, 4]]).wins_draws_losses("A")
        [(0, 3, 0), (2, 1, 0)]
        """
        ranks = self.ranks
        own = ranks[:, [name_index(classifier, self.classifiers)]]
        wins, draws, losses = (outcome.sum(0).tolist() for outcome in (own < ranks, own == ranks, own > ranks))
        return list(zip(wins, draws, losses, strict=True))

    # -- input of tests: numbers, and names of rows and columns ------------------------------------------------------------
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if self.gaps:
            remedies = " or ".join(f"results.without_gaps({policy!r})" for policy in working_policies(self))
            raise ValueError(
                f"`scores` must be complete; got missing scores ({format_missing_scores(self.gaps)}). "
                f"{f'Remove the gaps with {remedies}.' if remedies else 'Fill in the gaps.'}"
            )
        return np.array(self.scores, dtype)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the classifiers, which are the columns of a DataFrame."""
        return self.classifiers

    def __len__(self) -> int:
        return len(self.data_sets)

    # -- export -------------------------------------------------------------------------------------------------------
    def to_frame(self, form: str = "wide", backend: str = "pandas") -> Any:
        """Return a DataFrame: "wide" has the means (a row for each data set, a column for each classifier), "long" has all scores.

        A long DataFrame has a row for each fold and seed.  The backend is "pandas", where the index of a wide DataFrame names the data
        sets, or "polars" or "pyarrow" (through narwhals), where the first column names the data sets.
        """
        if form not in ("wide", "long"):
            raise ValueError(f"`form` must be 'wide' or 'long'; got {form!r}")
        if backend not in ("pandas", "polars", "pyarrow"):
            raise ValueError(f"`backend` must be 'pandas', 'polars' or 'pyarrow'; got {backend!r}")
        if backend == "pandas" and form == "wide":
            from pandas import DataFrame, Index

            frame = DataFrame(self.scores, Index(self.data_sets, name="data set"), Index(self.classifiers))
            frame.attrs = {"metric": self.metric, "higher_is_better": self.higher_is_better}  # tests and Results read these attributes
            return frame
        wide = form == "wide"
        heads, *lines = [["data set", *self.classifiers], *zip(self.data_sets, *self.scores.T.tolist())] if wide else self._lines()
        if backend == "pandas":
            from pandas import DataFrame

            return DataFrame(lines, columns=heads)
        columns = dict(zip(heads, map(list, zip(*lines)), strict=True))
        return import_narwhals().from_dict(columns, backend=backend).to_native()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write all scores to a long CSV file for :meth:`from_csv`."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["" if cell != cell else cell for cell in line] for line in self._lines()])

    def _head(self, metric: str) -> str:
        """Return the heading of a column for a metric; it states the direction if the name of the metric suggests the opposite."""
        lower = not self.higher[metric]
        return metric if lower == is_loss_metric(metric) else metric + direction_text(lower)

    def _lines(self) -> list[list[Any]]:
        """Return headings, then a row for each data set, classifier, fold and seed with its score in each metric."""
        numbered, seeded = (any(names != ("",) for names in part) for part in (self.folds, self.seeds))
        lines: list[list[Any]] = [["data set", "classifier", *["fold"] * numbered, *["seed"] * seeded, *map(self._head, self.metrics)]]
        for i, data_set in enumerate(self.data_sets):
            for j, classifier in enumerate(self.classifiers):
                for (fold, name), (seed, number) in product(enumerate(self.folds[i]), enumerate(self.seeds[i])):
                    scores = [float(table[i, j, fold, seed]) for table in self._tables.values()]
                    lines.append([data_set, classifier, *[name] * numbered, *[number] * seeded, *scores])
        return lines

    @with_suggestions
    def to_latex(
        self,
        *,
        digits: int | None = None,
        sd: bool = True,
        best: bool = True,
        ranks: bool = True,
        against: str | None = None,
        percent: bool = False,
        caption: str = "",
        label: str = "",
        transpose: bool = False,
        fit: bool = False,
    ) -> str:
        """Return the table as LaTeX for the package booktabs: a row for each data set, a column for each classifier.

        Parameters
        ----------
        digits : int, optional
            Decimals of scores; by default 3, in percent 1.
        sd : bool
            Whether to add the standard deviation to each mean if there are folds or seeds; `sd_over` says which of them are used.
        best : bool
            Whether to print the best score of each row in bold, together with all scores that have the same printed digits.
        ranks : bool
            Whether to add rows with means, mean ranks and wins/draws/losses; results with gaps have no such rows.
        against : str, optional
            The classifier against which wins and losses are counted; by default the classifier with the best mean rank.
        percent : bool
            Whether to multiply scores by 100.
        caption, label : str, optional
            With a caption or a label the table is in an environment ``table``; the caption is LaTeX and is not escaped.
        transpose : bool
            Whether classifiers are rows and data sets columns.
        fit : bool
            Whether to shrink a table that is wider than the page (with the package graphicx); for many classifiers first try
            ``sd=False`` and ``transpose=True``.
        """
        places = publication_table.decimal_places(digits, percent)
        from ...render import latex_table
        from ...render.latex import escape_document_text

        def block(lines: Iterable[publication_table.PublicationRow]) -> list[list[str]]:
            return [[escape_document_text(head), *(publication_table.latex_cell(cell, best) for cell in cells)] for head, cells in lines]

        named = "" if self.metric == DEFAULT_METRIC_NAME else f" ({self.metric}{', lower is better' * (not self.higher_is_better)})"
        heads, body = (
            [escape_document_text(f"Data set{named}"), *map(escape_document_text, self.classifiers)],
            block(publication_table.data_set_rows(self, places, sd, percent)),
        )
        below = block(publication_table.summary_rows(self, places, percent, against)) if ranks else []
        for line in below:
            line[0] = line[0][:1].upper() + line[0][1:]
        if transpose:
            (_, *sets), *turned = zip(heads, *body, *below, strict=True)
            heads, body, below = [escape_document_text(f"Classifier{named}"), *sets], [list(line) for line in turned], []
        blocks = [part for part in (body, below) if part]
        spread = [publication_table.averaging_note(self)] if sd and self.sd_over and any(len(names) > 1 for names in self.seeds) else []
        remarks = [*spread, *self.notes, *(f"Missing: {gap}" for gap in self.gaps)]
        return latex_table.latex_tabular(heads, blocks, caption=caption, label=label, remarks=remarks, fit=fit)

    @with_suggestions
    def to_html(
        self,
        *,
        digits: int | None = None,
        sd: bool = True,
        best: bool = True,
        ranks: bool = True,
        against: str | None = None,
        percent: bool = False,
        caption: str = "",
    ) -> str:
        """Return the table as HTML for any page; notes on omitted or missing scores follow below the table.

        Parameters
        ----------
        digits, sd, best, ranks, against, percent
            As in :meth:`to_latex`.
        caption : str, optional
            Text above the table; by default a description of its content.
        """
        return publication_table.display_table(self, digits, sd, percent, best, ranks, against, caption)._repr_html_()

    @with_suggestions
    def to_markdown(
        self,
        *,
        digits: int | None = None,
        sd: bool = True,
        best: bool = True,
        ranks: bool = True,
        against: str | None = None,
        percent: bool = False,
        caption: str = "",
    ) -> str:
        """Return the table as Markdown, for a page or a pull request; parameters as in :meth:`to_html`."""
        return publication_table.display_table(self, digits, sd, percent, best, ranks, against, caption).markdown()

    @property
    def _table(self) -> Table:
        if len(self.metrics) > 1:
            return publication_table.metric_overview(self)
        return publication_table.display_table(self)
