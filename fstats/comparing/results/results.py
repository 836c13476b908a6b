"""The one object for scores: k classifiers on N data sets, with folds and seeds or without, in one metric or several."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, metric_attributes
from ...core.validation.keyword_arguments import with_suggestions
from ...core.validation.name_suggestions import format_names_by_similarity
from ...core.value_types import Array
from .column_roles import ScoreEntry, as_list, assign_column_roles, read_entries
from .missing_scores import check_policy, fill_with_worst, find_missing_scores, format_missing_scores, is_missing, missing_scores_message
from .score_entries import entries_from_table, metric_directions, name_indices, negate_loss_scores
from .score_statistics import ScoreStatistics
from .sklearn_results import CANDIDATE, CANDIDATE_WARNING, check_sklearn_results, has_sklearn_results
from .tabular_input import TabularData, read_csv, read_dataframe


class Results(ScoreStatistics):
    """Scores of k classifiers on N data sets: what tests, tables and figures of a paper start from.

    It can be handed to every test of many classifiers as it is, ``fstats.Friedman(results)``: the names of classifiers and data sets
    go along, and so does which end of the metric is the better one.  Folds and seeds of training are averaged, one score for each data
    set, and never taken for data sets, nor for one another.

    Parameters
    ----------
    scores : DataFrame, array_like, or mapping of such
        A DataFrame, wide (a row for each data set, or for each data set, fold and seed; a column for each classifier) or long (columns
        that name data set and classifier, one or several with scores); or numbers of shape (N, k), (N, k, folds), or (N, k, folds, seeds).
        A mapping holds such a table for each metric.  Or what ``cross_validate`` gives, ``{data set: {classifier: ...}}``, or of one data
        set ``{classifier: ...}``; or a fitted search (or ``cv_results_``), or one for each data set: its candidates are the classifiers.
    data_sets, classifiers : list of str, optional
        The names that an array does not bring along; by default 1, 2, 3, ... and A, B, C, ...
    metric : str
        What the scores are, where nothing says it.
    higher_is_better : bool or mapping
        False for errors and losses; for several metrics a mapping.  Where it is not told the name decides: of RMSE, log_loss, error, ...
        lower is better, which the table then says.
    missing : {"refuse", "keep", "drop data sets", "drop classifiers", "worst"}
        What to do about scores that are missing (nan, empty cells, lines that are not there).  "refuse" names the first ones; "keep"
        keeps them as named gaps, which tests refuse; the others are the policies of :meth:`without_gaps`, and the table says what was done.

    Attributes
    ----------
    data_sets, classifiers, metrics : tuple of str
        The names.
    scores, sd : array, shape (N, k)
        Means over folds and seeds, and standard deviations (with folds - 1; nan with one fold only) over what `sd_over` says.
    sd_over : {"folds", "seeds", ""}
        With folds and seeds "folds", each the mean over its seeds: the two are never mixed.
    folds, seeds : tuple of tuples of str
        What they are called on each data set; one "" where there are none.
    fold_seed_scores : array, shape (N, k, folds, seeds)
        All scores; `fold_scores` (N, k, folds) are their means over the seeds, `seed_scores` (N, k, seeds) over the folds.
    read_as : mapping
        What each column of a file or DataFrame was taken for: "data set", "classifier", "fold", "repetition", "seed", ...
    ranks, mean_ranks : array
        As in Friedman's test, 1 = best.
    gaps : tuple
        What is missing: data set, classifier, metric, fold (then the seed, where there are several), and why.
    notes : tuple of str
        What was left out or filled in.

    Notes
    -----
    Results of several metrics are asked for one of them by its name, ``results["f1_macro"]``, which are results again.

    A column (or level of an index) called "seed", "random_state" or "random_seed" tells the seed from which a model was trained.  On each
    data set every fold has every seed, the same ones for all classifiers.  Where a seed cut the splits and trained nothing, it belongs
    to the folds: ``from_csv(path, fold=["seed", "fold"])``.

    Raises
    ------
    ValueError, TypeError
        For missing scores (data set, classifier, fold and seed are named) unless a policy is stated, for text where scores should be, for a
        score that stands twice, names that are not different, an unknown policy.

    Examples
    --------
    >>> import fstats
    >>> results = fstats.Results([[0.9, 0.8], [0.7, 0.6], [0.5, 0.6]], classifiers=["forest", "tree"], data_sets=["iris", "wine", "heart"])
    >>> results
    score of 2 classifiers on 3 data sets
    <BLANKLINE>
      data set                      forest    tree
      iris                          0.900*   0.800
      wine                          0.700*   0.600
      heart                          0.500  0.600*
      mean                          0.700*   0.667
      mean rank                     1.333*   1.667
      win/draw/loss against forest       –   1/0/2
    <BLANKLINE>
    * the best of its line
    >>> fstats.Friedman(results).mean_ranks
    array([1.33333333, 1.66666667])
    """

    @with_suggestions
    def __init__(
        self,
        scores: Any,
        *,
        data_sets: Sequence[str] | None = None,
        classifiers: Sequence[str] | None = None,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str = "refuse",
    ) -> None:
        policy = check_policy(missing)
        tables = scores if isinstance(scores, Mapping) and not has_sklearn_results(scores) else {metric: scores}
        if not tables:
            raise ValueError("scores must hold a table for at least one metric; got none")
        if known := metric_attributes(scores):  # of a frame that results made
            tables = {known["metric"] if metric == DEFAULT_METRIC_NAME else metric: scores}
            higher_is_better = known["higher_is_better"] if higher_is_better is None else higher_is_better
        found = [entries_from_table(table, data_sets, classifiers, str(name)) for name, table in tables.items()]
        self._take(list(chain.from_iterable(entries for entries, _ in found)), higher_is_better)
        self.read_as = dict(chain.from_iterable(roles.items() for _, roles in found))
        self.notes += (CANDIDATE_WARNING,) * (CANDIDATE in self.read_as.values())
        self._treat(policy)

    @classmethod
    @with_suggestions
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        data_set: str | None = None,
        classifier: str | None = None,
        fold: Sequence[str] | str | None = None,
        seed: str | None = None,
        scores: Sequence[str] | str | None = None,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str = "refuse",
    ) -> Self:
        """Scores from a CSV file (gzipped or not; commas, semicolons or tabs), wide or long.

        Parameters
        ----------
        path : path
            A wide file has a line for each data set (or each data set, fold and seed) and a column for each classifier; a long one has
            a column that names the classifier ("classifier", "model", "algorithm", "method", ...).
        data_set, classifier, fold, seed : str, optional
            The columns that name these, where their heads do not tell; `read_as` says what each column was taken for.  Columns that
            number folds together are a list, ``fold=["repetition", "fold"]``.
        scores : str or list of str, optional
            The columns that hold scores; by default all others.
        metric, higher_is_better, missing
            As for :class:`fstats.Results`.
        """
        return cls._of_sheet(read_csv(path), (data_set, classifier, fold, seed, scores), metric, higher_is_better, missing)

    @classmethod
    @with_suggestions
    def from_frame(
        cls,
        frame: Any,
        *,
        data_set: str | None = None,
        classifier: str | None = None,
        fold: Sequence[str] | str | None = None,
        seed: str | None = None,
        scores: Sequence[str] | str | None = None,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str = "refuse",
    ) -> Self:
        """The same from a DataFrame; its index names the data sets unless a column does."""
        if has_sklearn_results(frame):
            return cls(frame, metric=metric, higher_is_better=higher_is_better, missing=missing)
        sheet = read_dataframe(frame, [one for one in (data_set, classifier, *as_list(fold), seed) if one is not None])
        return cls._of_sheet(sheet, (data_set, classifier, fold, seed, scores), metric, higher_is_better, missing)

    @classmethod
    def from_cross_validate(cls, found: Any, **settings: Any) -> Self:
        """Scores from scikit-learn, ``{data set: {classifier: cross_validate(...)}}``, or the candidates of a fitted search.

        :class:`fstats.Results` takes the same, and the same settings; its parameter `scores` tells the other forms.
        """
        return cls(check_sklearn_results(found), **settings)

    @classmethod
    def _of_sheet(cls, sheet: TabularData, stated: Any, metric: str, higher: Any, missing: str) -> Self:
        policy, columns = check_policy(missing), assign_column_roles(sheet, *stated)
        return cls._of_entries(read_entries(sheet, columns), metric, higher, policy, read_as=columns.read_as)

    @classmethod
    def _of_entries(
        cls,
        found: Iterable[ScoreEntry],
        metric: str,
        higher: Any,
        policy: str,
        why: Mapping[Any, str] | None = None,
        read_as: Mapping[str, str] | None = None,
    ) -> Self:
        made = object.__new__(cls)
        made._take([one if one.metric else one._replace(metric=metric) for one in found], higher, why)
        made.read_as = dict(read_as or {})
        made._treat(policy)
        return made

    def _take(self, found: Sequence[ScoreEntry], higher: Any, why: Mapping[Any, str] | None = None) -> None:
        """Sort the scores into tables; `why` holds the reasons of gaps by (data set, classifier, fold, seed, metric)."""
        if not found:
            raise ValueError("scores must hold at least one score; got none")
        found, why, higher, turned = negate_loss_scores(found, why or {}, higher)
        self.data_sets, self.classifiers, self.metrics = (tuple(dict.fromkeys(str(entry[k]) for entry in found)) for k in (0, 1, 4))
        folds, seeds = ({name: dict[str, int]() for name in self.data_sets} for _ in range(2))
        for entry in found:
            folds[entry.data_set].setdefault(entry.fold, len(folds[entry.data_set]))
            seeds[entry.data_set].setdefault(entry.seed, len(seeds[entry.data_set]))
        self.folds, self.seeds = (tuple(map(tuple, known.values())) for known in (folds, seeds))  # their names on each data set
        rows, columns = ({name: k for k, name in enumerate(part)} for part in (self.data_sets, self.classifiers))
        shape = len(rows), len(columns), max(map(len, self.folds)), max(map(len, self.seeds))
        self._tables = {metric: np.full(shape, np.nan) for metric in self.metrics}
        seen: dict[Any, str] = {}
        for entry in found:
            if (key := entry[:5]) in seen:
                told = f"{f', fold {entry.fold}' * bool(entry.fold)}{f', seed {entry.seed}' * bool(entry.seed)}"
                raise ValueError(
                    f"{entry.data_set}, {entry.classifier}{told} has a score twice: {seen[key]}; and "
                    f"{entry.place}: keep one, or number the repetitions in a column 'fold'"
                )
            seen[key] = entry.place
            training = folds[entry.data_set][entry.fold], seeds[entry.data_set][entry.seed]
            self._tables[entry.metric][rows[entry.data_set], columns[entry.classifier], *training] = entry.value
        self.higher, guessed = metric_directions(higher, self.metrics)
        self.notes, self.gaps = (*turned, *guessed), find_missing_scores(self, why, seen)

    def _treat(self, policy: str) -> None:
        if self.gaps and policy == "refuse":
            raise ValueError(missing_scores_message(self.gaps))
        if self.gaps and policy != "keep":
            self.__dict__.update(self.without_gaps(policy).__dict__)

    def __getitem__(self, metric: str) -> Self:
        metric = metric if metric in self.metrics else metric.removeprefix("neg_")
        if metric not in self.metrics:
            raise KeyError(f"there is no metric {metric!r}; {format_names_by_similarity(str(metric), self.metrics)}")
        return self._with({metric: self._tables[metric]}, gaps=tuple(gap for gap in self.gaps if gap.metric in ("", metric)))

    def _with(self, tables: Mapping[str, Array], **changed: Any) -> Self:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__ | {"metrics": tuple(tables), "_tables": dict(tables)} | changed)
        return made

    def select(self, *, data_sets: Sequence[str] | str | None = None, classifiers: Sequence[str] | str | None = None) -> Self:
        """The same of some data sets and classifiers only, in the order in which they are named."""
        rows, columns = name_indices(data_sets, self.data_sets, "data_sets"), name_indices(classifiers, self.classifiers, "classifiers")
        sets, names = tuple(self.data_sets[i] for i in rows), tuple(self.classifiers[j] for j in columns)
        return self._with(
            {metric: table[np.ix_(rows, columns)] for metric, table in self._tables.items()},
            data_sets=sets,
            classifiers=names,
            folds=tuple(self.folds[i] for i in rows),
            seeds=tuple(self.seeds[i] for i in rows),
            gaps=tuple(gap for gap in self.gaps if gap.data_set in sets and gap.classifier in names),
        )

    def without_gaps(self, policy: str) -> Self:
        """The same without gaps, by a stated policy; `notes`, below each table and in LaTeX comments above it, tell what was done.

        Parameters
        ----------
        policy : {"drop data sets", "drop classifiers", "worst"}
            Leave out the data sets, or the classifiers, that have a gap; or let a gap count as the worst score that any classifier has
            on that fold with that seed (where none has, on that data set), so that a classifier that failed on a whole data set comes
            last there.
        """
        if check_policy(policy, "policy") in ("refuse", "keep"):
            raise ValueError(f"policy must say what becomes of gaps: 'drop data sets', 'drop classifiers' or 'worst'; got {policy!r}")
        if not self.gaps:
            return self
        reasons = format_missing_scores(self.gaps)
        if policy == "worst":
            if empty := [name for i, name in enumerate(self.data_sets) if any(np.isnan(table[i]).all() for table in self._tables.values())]:
                raise ValueError(
                    f"no classifier has a score on {', '.join(empty)}, so there is no worst one: leave these data sets out first"
                )
            tables = {
                metric: fill_with_worst(table, is_missing(table, self.folds, self.seeds), self.higher[metric])
                for metric, table in self._tables.items()
            }
            return self._with(tables, gaps=(), notes=(*self.notes, f"Counted as the worst score there: {reasons}."))
        bad = {gap.data_set if policy == "drop data sets" else gap.classifier for gap in self.gaps}
        axis, known = ("data_sets", self.data_sets) if policy == "drop data sets" else ("classifiers", self.classifiers)
        kept = [name for name in known if name not in bad]
        if len(kept) < 2:
            raise ValueError(f"{policy} leaves {len(kept)} of {len(known)}, and there is nothing to compare: {reasons}")
        left = ", ".join(name for name in known if name in bad)
        made = self.select(**{axis: kept})
        return made._with(made._tables, notes=(*self.notes, f"Left out: {left} ({reasons})."))
