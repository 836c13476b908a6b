"""Class for scores of classifiers on data sets.

The scores may have folds, seeds and several metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Self
from warnings import warn

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, metric_attributes, read_direction
from ...core.validation.name_suggestions import UnknownNameError, format_names_by_similarity, unknown_name_message
from ...core.value_types import Array
from . import missing_scores as gaps
from . import score_entries
from .column_names import is_score_heading, is_value_heading
from .fold_plan import parse_ratio
from .reading_plan import (
    ASSUMED,
    READING_ARGUMENTS,
    RUN_AS_FOLD,
    CellPlace,
    Column,
    Reading,
    ReadingOptions,
    ReadingPlan,
    ScoreEntry,
    left_out,
)
from .reading_question import ReadingQuestion
from .repeated_lines import SAME_FOLD
from .score_statistics import ScoreStatistics
from .sklearn_results import CANDIDATE, CANDIDATE_WARNING, check_sklearn_results, has_sklearn_results
from .stated_spreads import stated_spreads
from .tabular_input import read_csv, read_dataframe


def reading_options(metric: str, higher: Any, reading: Mapping[str, Any], door: str) -> ReadingOptions:
    """Return what the user states about a table; raise TypeError for an unknown argument."""
    if wrong := [name for name in reading if name not in READING_ARGUMENTS]:
        raise TypeError(unknown_name_message(f"{door}()", wrong, (*READING_ARGUMENTS, "metric", "higher_is_better", "missing")))
    return ReadingOptions(metric=metric, higher_is_better=higher, **reading)


class Results(ScoreStatistics):
    """Scores of k classifiers on N data sets, as input of tests, tables and figures.

    Every test of many classifiers accepts an object of this class, as in ``fstats.Friedman(results)``.  The test also reads the names of
    classifiers and data sets, and whether higher is better.  Folds and seeds of training are averaged to one score for each data set;
    folds and seeds never count as data sets, and are never mixed with each other.

    Parameters
    ----------
    scores : DataFrame, array_like, or mapping of such tables
        A DataFrame, wide (a row for each data set, or for each data set, fold and seed; a column for each classifier) or long (columns
        with data set, classifier and one or several scores); or numbers of shape (N, k), (N, k, folds), or (N, k, folds, seeds).
        A mapping holds such a table for each metric.  Instead of a table, results of scikit-learn: results of ``cross_validate`` as
        ``{data set: {classifier: ...}}``, or for one data set ``{classifier: ...}``; or a fitted search (or ``cv_results_``), or a
        search for each data set, with the candidates of the search as classifiers.
    data_sets, classifiers : list of str, optional
        Names for an array without names; by default 1, 2, 3, ... and A, B, C, ...  Mathematics between dollar signs (``$k$-NN``) is
        typeset where the output can typeset it, and plain elsewhere.
    metric : str
        Name of the scores, if the data do not name them.  For a table of predictions of numbers, "absolute error" or "squared error" says
        how they are compared with the true numbers.
    higher_is_better : bool or mapping
        False for errors and losses; a mapping for several metrics.  By default the name of the metric determines the direction: for
        RMSE, log_loss, error, ... lower is better, and the table says so.
    missing : {"refuse", "keep", "average", "drop folds", "drop data sets", "drop classifiers", "worst"}
        Policy for missing scores (nan, empty cells, missing rows).  "refuse" raises an error that names the first missing scores;
        "keep" keeps missing scores as named gaps, which tests refuse; the other words are the policies of :meth:`without_gaps`, and the
        table states which scores were changed or left out.
    **reading
        How a DataFrame (or a file, :meth:`from_csv`) is read, if its headings are unclear; `reading` of the results shows the role of each
        column and the reason.

        data_set, classifier, fold, repetition, seed : str or list of str
            The columns with data sets, classifiers, folds, repetitions of all folds with other splits, and seeds of training; the cells of
            several columns are joined.
        scores, ignore : str or list of str
            The columns that hold scores, by default all other columns; and columns that are left out.
        where : dict
            The lines that are read, ``where={"partition": "test"}``; a list of values is also allowed.
        cells : {"mean"}
            Read the number before ± or brackets in cells such as 93.3(0.5).
        turned : bool
            Whether each line is a classifier and each column a data set; by default only if headings and numbers allow no other reading.
        numbered : {"folds", "repetitions", "seeds", "classifiers"}
            What columns are that differ only by a number, such as "svm 1", "svm 2", or what numbers count in names such as "iris_1".
        na_values : str or list of str
            Texts that mean that a score is missing, besides the usual ones (``n/a``, ``n/d``, ``k. A.``, ``?``, ``-``, ...).
        repeated : {"average", "first", "folds", "drop data sets", "repetitions"}
            Several lines for the same score, without a column of folds: their average or the first of them; or the lines are folds of their
            data set; or their data sets are left out.  Several lines for the same fold may be repetitions of all folds with other splits.
            By default an error names the lines.
        spellings : {"same", "different"}
            Whether names (of data sets, of classifiers) that differ only in capital letters, blanks or hyphens mean the same.
        test_train_ratio : float or str
            Test records divided by training records on each split of one data set, ``"1/9"``, if the folds do not say.
        points : {"thousands", "decimals"}
            What points separate in numbers such as 2.005, which stand beside whole numbers such as 739.
        commas : {"thousands", "decimals"}
            What commas separate in numbers such as 1,200, which stand beside whole numbers such as 640.
        units : {"percent", "same"}
            Whether numbers up to 1 beside percent are shares of 1, which are multiplied by 100; or whether all scores have one unit.

    Attributes
    ----------
    data_sets, classifiers, metrics : tuple of str
        The names.
    scores, sd : array, shape (N, k)
        Means over folds and seeds, and standard deviations over `sd_over` (divisor: number of folds - 1; nan for a single fold).
    sd_over : {"folds", "seeds", "stated", ""}
        For results with both folds and seeds the value is "folds", and each fold is the mean over its seeds: folds and seeds are never
        mixed.
    folds, seeds : tuple of tuples of str
        Names of the folds and seeds on each data set; a single "" if there are no folds or seeds.
    fold_seed_scores : array, shape (N, k, folds, seeds)
        All scores; `fold_scores` (N, k, folds) are means over the seeds, `seed_scores` (N, k, seeds) are means over the folds.
    reading : Reading
        How a table was read: the role of each column with the reason, directions of the metrics, what was left out, and doubts.
    read_as : mapping
        Role of each column of a file or DataFrame: "data set", "classifier", "fold", "repetition", "seed", ...
    ranks, mean_ranks : array
        Ranks of the classifiers on each data set and their means, as in Friedman's test (1 = best).
    gaps : tuple
        Missing scores: data set, classifier, metric, fold (then the seed, if there are several seeds), and reason.
    notes : tuple of str
        Notes on scores that were left out or filled in.

    Notes
    -----
    Results of several metrics are indexed by the name of a metric, ``results["f1_macro"]``, which gives results of that metric.

    A column (or level of an index) called "seed", "random_state" or "random_seed" holds the seed of training.  On each data set every fold
    has every seed, the same seeds for all classifiers.  A seed that determined the splits numbers their repetitions:
    ``from_csv(path, repetition="seed")``.

    Raises
    ------
    ValueError, TypeError
        If scores are missing and no policy is stated (the error names data set, classifier, fold and seed), if text stands where a
        score is expected, if scores or names are duplicate, or if the policy is unknown.

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

    def __init__(
        self,
        scores: Any = None,
        /,
        *,
        data_sets: Sequence[str] | None = None,
        classifiers: Sequence[str] | None = None,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str | Sequence[str] = "refuse",
        **reading: Any,
    ) -> None:
        if scores is None:  # scores= is the table if there is no first argument; otherwise scores= names columns of the table
            scores = reading.pop("scores", None)
        if scores is None or isinstance(scores, (str, PathLike)):
            got = "nothing" if scores is None else repr(str(scores))
            raise TypeError(
                f"Results() must be given a table of scores; got {got}. Write Results(table), or Results.from_csv('scores.csv')."
            )
        options = reading_options(metric, higher_is_better, reading, "Results")
        tables = scores if isinstance(scores, Mapping) and not has_sklearn_results(scores) else {metric: scores}
        if not tables:
            raise ValueError("`scores` must hold a table for at least one metric; got none")
        if attributes := metric_attributes(scores):  # only a DataFrame that Results has written has these attributes
            tables = {attributes["metric"] if metric == DEFAULT_METRIC_NAME else metric: scores}
            higher_is_better = attributes["higher_is_better"] if higher_is_better is None else higher_is_better
            options = replace(options, higher_is_better=higher_is_better)
        self._read(tables, options, missing, data_sets, classifiers)

    def _read(
        self, tables: Mapping[Any, Any], options: ReadingOptions, missing: Any, data_sets: Any = None, classifiers: Any = None
    ) -> Self:
        """Read a table for each metric, and return the results."""
        policy, entries, columns, plans = gaps.check_policy(missing), list[ScoreEntry](), dict[str, Column](), list[ReadingPlan]()
        for name, table in tables.items():
            found, roles, plan = score_entries.entries_from_table(table, data_sets, classifiers, str(name), options)
            entries, columns, plans = entries + found, columns | roles, plans + ([] if plan is None else [plan])
        self._set_entries(entries, options.higher_is_better)
        if len(plans) == 1 and data_sets is classifiers is None:
            self.stated_sd = stated_spreads(plans[0], entries)
        self._set_reading(columns, plans, options.higher_is_better)
        self.notes += (CANDIDATE_WARNING,) * (CANDIDATE in self.read_as.values())
        self._apply_policy(policy)
        return self

    @classmethod
    def from_csv(
        cls,
        path: Any,
        *,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str | Sequence[str] = "refuse",
        **reading: Any,
    ) -> Self:
        """Read scores from a file, wide or long; `reading` of the results shows how.

        Parameters
        ----------
        path : path, open file, or text of several lines
            CSV with commas, semicolons or tabs (gzipped or not), Markdown, LaTeX, columns between blanks, JSON lines, or an Excel file.
            A wide table has a row for each data set (or each data set, fold and seed) and a column for each classifier.  A long table has
            a column that names the classifier of each row ("classifier", "model", "algorithm", "method", ...).
        metric, higher_is_better, missing
            As in :class:`fstats.Results`.  If the table holds several metrics, `metric` chooses one of them.
        **reading
            The arguments of :class:`fstats.Results` that say how a table is read: `data_set`, `classifier`, `fold`, `repetition`, `seed`,
            `scores`, `ignore`, `where`, `cells`, `turned`, `numbered`, `na_values`, `repeated`, `spellings`, `test_train_ratio`, `points`,
            `commas`, `units`.  If no column names the data sets, ``data_set="line"`` reads each line as a data set, ``fold="line"`` as a
            fold of one data set, and ``seed="line"`` as a run of its own, which is not paired with runs of other classifiers.
        """
        options = reading_options(metric, higher_is_better, reading, "from_csv")
        return object.__new__(cls)._read({metric: read_csv(path)}, options, missing)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        metric: str = DEFAULT_METRIC_NAME,
        higher_is_better: Any = None,
        missing: str | Sequence[str] = "refuse",
        **reading: Any,
    ) -> Self:
        """Read scores from a DataFrame, like :meth:`from_csv`; the index names the data sets unless a column names the data sets."""
        options = reading_options(metric, higher_is_better, reading, "from_frame")
        if has_sklearn_results(frame):
            return cls(frame, metric=metric, higher_is_better=higher_is_better, missing=missing)
        return object.__new__(cls)._read({metric: read_dataframe(frame, options.named_columns, metric)}, options, missing)

    @classmethod
    def from_cross_validate(cls, results: Any, **settings: Any) -> Self:
        """Read scores of scikit-learn, ``{data set: {classifier: cross_validate(...)}}``, or the candidates of a fitted search.

        :class:`fstats.Results` takes the same inputs and settings; its parameter `scores` describes other forms.
        """
        return cls(check_sklearn_results(results), **settings)

    def _set_reading(self, columns: Mapping[str, Column], plans: Sequence[ReadingPlan], stated: Any) -> None:
        """Store how the table was read, and warn of guesses that could change the scores."""
        texts = ("notes", "doubts", "remarks", "changes")
        parts: dict[str, Any] = {part: tuple(dict.fromkeys(text for plan in plans for text in getattr(plan, part))) for part in texts}
        for part in ("undirected", "mixed_units"):
            parts[part] = {name: why for plan in plans for name, why in getattr(plan, part).items()}
        said = any(getattr(plan, "metric_name", "").endswith("is better)") for plan in plans)  # stated in the table
        directions = {name: self._direction(name, stated, said) for name in self.metrics}
        parts["turned"] = any(plan.options.turned for plan in plans)
        parts["test_train_ratio"] = next((parse_ratio(plan.options.test_train_ratio) for plan in plans), None)
        self.reading = reading = Reading(dict(columns), directions, **parts)
        self.read_as = {head: column.role for head, column in columns.items()}
        self.notes += (*reading.notes, *reading.doubts, *reading.remarks, *reading.assumptions(self.metrics))
        if doubts := " ".join(reading.doubts):
            warn(f"{plans[0].sheet.name}: {doubts} (print(results.reading) shows how the table was read)", stacklevel=4)

    def _direction(self, metric: str, stated: Any, said: bool) -> str:
        direction = "higher is better" if self.higher[metric] else "lower is better"
        if stated.get(metric) is not None if isinstance(stated, Mapping) else stated is not None:
            return f"{direction}: stated"
        known = not is_value_heading(metric) and (read_direction(metric)[0] is not None or is_score_heading(metric))
        return f"{direction}: {'by its name' if known else 'by the table' if said else ASSUMED}"

    @classmethod
    def _from_entries(cls, entries: Sequence[ScoreEntry], higher: Any, why: Mapping[Any, str]) -> Self:
        results = object.__new__(cls)
        results._set_entries(entries, higher, why)
        results._set_reading({}, [], higher)
        return results

    def _set_entries(self, entries: Sequence[ScoreEntry], higher: Any, why: Mapping[Any, str] | None = None) -> None:
        """Store the scores of each metric in an array; `why` maps the names of a missing score to the reason."""
        if not entries:
            raise ValueError("`scores` must hold at least one score; got none")
        entries, why, higher, negated = score_entries.negate_loss_scores(entries, why or {}, higher)
        self.data_sets, self.classifiers, self.metrics = (tuple(dict.fromkeys(str(entry[k]) for entry in entries)) for k in (0, 1, 4))
        folds, seeds = ({name: dict[str, int]() for name in self.data_sets} for _ in range(2))
        for entry in entries:
            folds[entry.data_set].setdefault(entry.fold, len(folds[entry.data_set]))
            seeds[entry.data_set].setdefault(entry.seed, len(seeds[entry.data_set]))
        # names of the folds and of the seeds, for each data set
        self.folds, self.seeds = (tuple(map(tuple, names.values())) for names in (folds, seeds))
        rows, columns = ({name: k for k, name in enumerate(part)} for part in (self.data_sets, self.classifiers))
        shape = len(rows), len(columns), max(map(len, self.folds)), max(map(len, self.seeds))
        self._tables = {metric: np.full(shape, np.nan) for metric in self.metrics}
        places: dict[Any, str] = {}
        for entry in entries:
            if (key := entry[:5]) in places:
                part = f"{entry.data_set}{f', fold {entry.fold}' * bool(entry.fold)}{f', seed {entry.seed}' * bool(entry.seed)}"
                raise ReadingQuestion(
                    f"there must be one score of {entry.classifier} on {part}; got two, in {places[key]} and in {entry.place}. Keep one "
                    f"score, or number the repetitions in a column 'fold'{SAME_FOLD * isinstance(entry.place, CellPlace)}"
                )
            places[key] = entry.place
            training = folds[entry.data_set][entry.fold], seeds[entry.data_set][entry.seed]
            self._tables[entry.metric][rows[entry.data_set], columns[entry.classifier], *training] = entry.value
        self.higher, guessed = score_entries.metric_directions(higher, self.metrics)
        self.notes, self.gaps = (*negated, *guessed), gaps.find_missing_scores(self, why, places)

    def _apply_policy(self, policy: str) -> None:
        if self.gaps and policy == "refuse":
            seed = next((head for head, role in self.read_as.items() if role in ("seed", RUN_AS_FOLD)), "")
            is_one = len(self) == 1 and 1 in (len(self.folds[0]), len(self.seeds[0]))
            raise ReadingQuestion(gaps.missing_scores_message(self.gaps, gaps.working_policies(self), seed * is_one))
        if self.gaps and policy != "keep":
            self.__dict__.update(self.without_gaps(policy).__dict__)

    def __getitem__(self, metric: str) -> Self:
        if not isinstance(metric, str):
            raise TypeError(f"results[...] needs the name of a metric, such as results[{self.metrics[0]!r}]; got {metric!r}")
        metric = metric if metric in self.metrics else metric.removeprefix("neg_")
        if metric not in self.metrics:
            raise KeyError(f"there is no metric {metric!r}; {format_names_by_similarity(str(metric), self.metrics)}")
        return self._with({metric: self._tables[metric]}, gaps=tuple(gap for gap in self.gaps if gap.metric in ("", metric)))

    def _with(self, tables: Mapping[str, Array], **changed: Any) -> Self:
        results = object.__new__(type(self))
        results.__dict__.update(self.__dict__ | {"metrics": tuple(tables), "_tables": dict(tables)} | changed)
        return results

    def __getattr__(self, name: str) -> Any:
        # Python and IPython look up special names to inspect an object, and these names are not metrics
        if name.startswith("_") or "data_sets" not in self.__dict__:
            raise AttributeError(name)
        raise UnknownNameError("Results", [name], (known for known in dir(type(self)) if not known.startswith("_")))

    def _remark(self, text: str, change: str = "") -> dict[str, Any]:
        """Return the attributes `notes` and `reading` with a remark on missing scores, and a sentence of a paper."""
        changes = (*self.reading.changes, *[change] * bool(change))
        return {"notes": (*self.notes, text), "reading": replace(self.reading, remarks=(*self.reading.remarks, text), changes=changes)}

    def select(self, *unnamed: Any, data_sets: Sequence[str] | str | None = None, classifiers: Sequence[str] | str | None = None) -> Self:
        """Return the results of only some data sets and classifiers, in the given order."""
        if unnamed:
            raise TypeError(f"select() needs `data_sets=` or `classifiers=`; got only {unnamed[0]!r}. Write `select(classifiers=[...])`.")
        rows = score_entries.name_indices(data_sets, self.data_sets, "data_sets")
        columns = score_entries.name_indices(classifiers, self.classifiers, "classifiers")
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
        """Return the results without gaps, by a stated policy; `notes` (below each table, in LaTeX comments above) list the changes.

        Parameters
        ----------
        policy : {"average", "drop folds", "drop data sets", "drop classifiers", "worst"}
            Average the folds and seeds that have scores, without filling in the others (not on a single data set, whose folds or seeds are
            compared); leave out the folds that have a gap, for all classifiers (or the seeds, on data sets without folds); leave out the
            data sets, or the classifiers, that have a gap; or replace a gap by the worst score of any classifier on that fold with that
            seed (or else on that data set), so that a classifier that failed on a whole data set has the last rank on that data set.
            ``("worst", "worst")`` allows that more than a tenth is replaced.
        """
        policy = gaps.check_policy(policy, "policy")
        if policy in ("refuse", "keep"):
            raise ValueError(f"`policy` must be {', '.join(map(repr, gaps.REMEDIES[:-1]))} or 'worst'; got {policy!r}")
        if not self.gaps:
            return self
        missing = {metric: gaps.is_missing(table, self.folds, self.seeds) for metric, table in self._tables.items()}
        if policy in ("average", "drop folds"):
            tables, remaining_folds = gaps.change_folds(self, policy, missing)
            remark = self._remark(*gaps.filling_sentences(policy, self.gaps, missing))
            changed = self._with(tables, gaps=(), has_partial_means=policy == "average", **remaining_folds, **remark)
            if len(self) == 1:  # keep the ratio, which the remaining folds do not determine
                changed.reading = replace(changed.reading, test_train_ratio=self.test_train_ratio)
            return changed
        if policy in ("worst", gaps.TWICE_WORST):
            if empty := [name for i, name in enumerate(self.data_sets) if any(np.isnan(table[i]).all() for table in self._tables.values())]:
                raise ValueError(
                    f"each data set must have a score, or there is no worst score; got no score on {', '.join(empty)}. Leave out these "
                    "data sets."
                )
            for absent in missing.values():
                gaps.check_invented_share(absent, self.folds, self.seeds, policy)
            tables = {metric: gaps.fill_with_worst(table, missing[metric], self.higher[metric]) for metric, table in self._tables.items()}
            return self._with(tables, gaps=(), **self._remark(*gaps.filling_sentences("worst", self.gaps, missing)))
        bad = {gap.data_set if policy == "drop data sets" else gap.classifier for gap in self.gaps}
        axis, names = ("data_sets", self.data_sets) if policy == "drop data sets" else ("classifiers", self.classifiers)
        remaining, reasons = [name for name in names if name not in bad], gaps.format_missing_scores(self.gaps)
        if len(remaining) < 2:
            raise ValueError(
                f"missing={policy!r} must leave at least 2 {axis} to compare; got {len(remaining)} of {len(names)}, because of {reasons}"
            )
        dropped = ", ".join(name for name in names if name in bad)
        results = self.select(**{axis: remaining})
        change = left_out(axis.replace("_", " "), [name for name in names if name in bad], len(names), "scores are missing")
        return results._with(results._tables, **self._remark(f"Left out: {dropped} ({reasons}).", change))
