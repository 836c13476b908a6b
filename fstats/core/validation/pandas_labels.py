"""What a row is: a data set (or a record) that stands there once, as far as the labels of a pandas object tell."""

from __future__ import annotations

import re
from typing import Any

# What a level of an index may be called (or begin with) whose entries are parts or repetitions of one experiment
FOLDS = (
    "fold",
    "outer",
    "inner",
    "split",
    "rep",
    "run",
    "seed",
    "cv",
    "iter",
    "trial",
    "round",
    "resample",
    "boot",
    "shuffle",
    "partition",
)
# What numbers parts of an experiment: repetitions of all splits, or runs, whose name does not tell whether splits or seeds differ
RUNS = {"run", "iteration", "trial"}
REPETITIONS = {"repeat", "repetition", "rep"}
# A column of such a name is no classifier (but REPTree is one, so here nothing is guessed from a beginning)
FOLD_COLUMNS = {"fold", "split", "cv", "partition", "resample", "round", *REPETITIONS, *RUNS}
# A column (or a level of an index) of such a name numbers trainings that differ by chance alone, which are no folds
SEED_NAMES = {"seed", "seeds", "random_seed", "random_state"}


METADATA_COLUMNS = {
    *("dataset", "data_set", "datasets", "id", "did", "task_id", "dataset_id", "openml_id", "n", "n_samples", "n_features", "n_classes"),
    *(
        "rank",
        "mean_rank",
        "std",
        "sd",
        "best",
        "mean",
        "average",
        "avg",
        "median",
        "row",
        "year",
        "epoch",
        "epochs",
        "replicate",
        "restart",
    ),
    *("experiment", "init", "size", "count", "time", "fit_time", "score_time", "runtime"),
}
SUMMARIES = {"mean", "average", "avg", "avg.", "median", "mean_rank", "average_rank", "rank", "total", "sum"}
OLD_INDEX = re.compile(r"index|level_\d+|Unnamed: \d+")


def is_data_set_name(word: str) -> bool:
    """Whether a level or a column of this name says which data set a row belongs to."""
    return "data" in word.lower() or word.lower() in ("set", "problem", "task")


def is_seed_name(word: Any) -> bool:
    """Whether a level or a column of this name says from which seed a model was trained."""
    return normalize_name(word) in SEED_NAMES


def is_fold_name(word: Any) -> bool:
    """Whether a level or a column of this name numbers folds, splits, repetitions or runs.

    >>> [is_fold_name(word) for word in ("fold", "CV fold", "outer-fold", "fold_id", "Runs", "REPTree", "folder")]
    [True, True, True, True, True, False, False]
    """
    words = [part for part in normalize_name(word).split("_") if part not in ("cv", "outer", "inner", "test", "id", "no", "nr", "number")]
    return normalize_name(word) == "cv" or (len(words) == 1 and (words[0] in FOLD_COLUMNS or words[0].removesuffix("s") in FOLD_COLUMNS))


def normalize_name(word: Any) -> str:
    """A name in small letters, its parts joined by underscores."""
    return str(word).strip().lower().replace(" ", "_").replace("-", "_")


def column_names(table: Any) -> Any:
    """The names of the columns of a DataFrame, whichever library it is of, or of results; None of anything else."""
    named = getattr(table, "column_names", None)  # pyarrow's tables, whose columns are something else
    return named if isinstance(named, list) else getattr(table, "columns", None)


def data_set_levels(index: Any, name: str = "scores") -> list[Any]:
    """The levels of a pandas index that say which data set a row belongs to: those called so, or else those not called folds or seeds."""
    if index.nlevels == 1:
        return [0]
    if any(level is None for level in index.names):
        raise ValueError(
            f"{name} has an index of {index.nlevels} levels without names, so nothing says which one names the data set; "
            f"name them, as in {name}.index.names = ['data set', 'fold']"
        )
    called = [str(level).lower() for level in index.names]
    own = [level for level, word in enumerate(called) if is_data_set_name(word)]
    return own or [level for level, word in enumerate(called) if not (word.startswith(FOLDS) or is_seed_name(word))] or [0]


def repetition_columns(value: Any) -> list[Any]:
    """The columns of a pandas object that number folds, runs or seeds."""
    columns = column_names(value)
    return [
        column
        for column in (() if columns is None else columns)
        if isinstance(column, str) and (is_fold_name(column) or is_seed_name(column))
    ]


def has_seed_index(value: Any) -> bool:
    """Whether the index of a pandas object numbers runs or seeds, each once."""
    index: Any = getattr(value, "index", None)
    head = getattr(index, "name", None)
    return head is not None and (is_seed_name(head) or normalize_name(head).removesuffix("s") in RUNS) and index.is_unique


def has_fold_index(value: Any) -> bool:
    """Whether the one level of the index of a pandas object numbers folds, runs or seeds."""
    head = getattr(getattr(value, "index", None), "name", None)
    return head is not None and (is_fold_name(head) or is_seed_name(head))


def index_columns(value: Any) -> list[Any]:
    """The columns of a pandas object that are their old index, which `reset_index` or a file made a column of, or say what a row is."""
    if not hasattr(value, "columns") or not hasattr(value, "iloc"):
        return []
    named = [head for head in value.columns if isinstance(head, str)]
    numbered = [head for head in named if OLD_INDEX.fullmatch(head) and getattr(value[head].dtype, "kind", "") in "iu"]
    return [head for head in named if is_metadata_column(head) or (head in numbered and value[head].is_unique)]


def is_metadata_column(head: str) -> bool:
    """Whether a column of this name says what a row is, or sums it up.

    >>> [is_metadata_column(head) for head in ("dataset", "task_id", "n_samples", "Mean", "REPTree", "best first")]
    [True, True, True, True, False, False]
    """
    return normalize_name(head) in METADATA_COLUMNS


def check_unique_labels(value: Any, name: str, what: str = "data set") -> None:
    """Raise an error if the labels of a pandas object name a data set (or a record) more than once, or a fold as a classifier."""
    index: Any = getattr(value, "index", None)
    if not hasattr(index, "nlevels"):
        return
    head = index.names[0]
    if index.nlevels == 1 and what == "data set" and (is_fold_name(head) or is_seed_name(head)):
        raise ValueError(
            f"{name} must have one row for each data set; got an index {head!r}: these are parts or repetitions of one experiment, which "
            f"are no sample of data sets: fstats.which_test says what suits them. A test of two classifiers takes them with "
            f"unit={str(head)!r}; if each row is a data set, rename the index, {name}.rename_axis('data set')"
        )
    if counting := index_columns(value):
        which = "which numbers the rows" if OLD_INDEX.fullmatch(counting[0]) else "which is none"
        raise ValueError(
            f"{name} must hold scores of classifiers; got a column {counting[0]!r}, {which}: drop it, {name}.drop(columns={counting}), or "
            "make it the index, if it names the data sets"
        )
    if what == "data set" and index.nlevels == 1 and len(index) and normalize_name(index[-1]) in SUMMARIES:
        raise ValueError(f"{name} must have a row for each data set; got a row {index[-1]!r}, a summary of others: leave it out")
    levels = data_set_levels(index, name)
    row_of = index.droplevel([level for level in range(index.nlevels) if level not in levels]) if index.nlevels > 1 else index
    if not row_of.is_unique:
        again = row_of[row_of.duplicated()].tolist()[0]
        mend = (
            f"average its folds first, fstats.average_folds({name}); if the rows are different data sets, say so by an index without "
            f"repetition, {name}.reset_index(drop=True)"
            if what == "data set"
            else f"keep each once; if the rows are different {what}s, say so by {name}.reset_index(drop=True)"
        )
        raise ValueError(
            f"{name} must have one row for each {what}; got {what} {again!r} {row_of.tolist().count(again)} times. Rows of the same {what} "
            f"are not independent, and a test that takes them for so finds far too much: {mend}"
        )
    if numbering := repetition_columns(value):
        raise ValueError(
            f"{name} must hold scores of classifiers; got a column {numbering[0]!r}, which numbers parts of an experiment, and "
            f"these are no data sets: fstats.Results({name}) reads it and averages them; of one data set see fstats.which_test"
        )
