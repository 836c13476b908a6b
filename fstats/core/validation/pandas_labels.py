"""Row and column labels of pandas objects.

They label data sets, folds and seeds; rows may be repeated.
"""

from __future__ import annotations

import re
from typing import Any

# an index level or column whose name begins with one of these words numbers the folds or repetitions of one experiment
FOLDS = (
    *("fold", "outer", "inner", "split", "rep", "run", "seed", "cv", "iter", "trial", "round", "resample"),
    *("boot", "shuffle", "partition"),
)
# names of index levels: RUNS for runs with different splits or seeds, REPETITIONS for repetitions of all splits
RUNS = {"run", "iteration", "trial"}
REPETITIONS = {"repeat", "repetition", "rep"}
# columns that are not classifiers; the whole name must match, because REPTree is a classifier although it begins with rep
FOLD_COLUMNS = {"fold", "split", "cv", "partition", "resample", "round", *REPETITIONS, *RUNS}
# names for random seeds; trainings that differ only in the seed are not folds
SEED_NAMES = {
    *("seed", "seeds", "random_seed", "random_state", "startwert", "zufallsstartwert", "semilla", "semilla_aleatoria", "graine"),
    *("graine_aléatoire", "graine_aleatoire", "seme", "seme_casuale", "semente", "semente_aleatória", "semente_aleatoria"),
}
METADATA_COLUMNS = {
    *("dataset", "data_set", "datasets", "id", "did", "task_id", "dataset_id", "openml_id", "n", "n_samples", "n_features", "n_classes"),
    *("rank", "mean_rank", "std", "sd", "best", "mean", "average", "avg", "median", "row", "year", "epoch", "epochs", "replicate"),
    *("restart", "experiment", "init", "size", "count", "time", "fit_time", "score_time", "runtime"),
}
COUNT_WORDS = {"n", "num", "number", "size", "count"}  # first words of columns of counts, such as "n_records"
SUMMARIES = {"mean", "average", "avg", "avg.", "median", "mean_rank", "average_rank", "rank", "total", "sum"}
OLD_INDEX = re.compile(r"index|level_\d+|Unnamed: \d+")


def is_data_set_name(word: str) -> bool:
    """Return whether an index level or a column of this name names the data set of a row.

    >>> [is_data_set_name(word) for word in ("data set", "Datensatz", "dataset_name", "task", "n_data", "metadata")]
    [True, True, True, True, False, False]
    """
    words = normalize_name(word).split("_")
    return words in (["set"], ["problem"], ["task"]) or (
        words[0] not in COUNT_WORDS and any(part.startswith(("data", "daten")) and part != "date" for part in words)
    )


def is_seed_name(word: Any) -> bool:
    """Return whether an index level or a column of this name holds the seed of a training."""
    return normalize_name(word) in SEED_NAMES


def is_fold_name(word: Any) -> bool:
    """Return whether an index level or a column of this name numbers folds, splits, repetitions or runs.

    >>> [is_fold_name(word) for word in ("fold", "CV fold", "outer-fold", "fold_id", "Runs", "REPTree", "folder")]
    [True, True, True, True, True, False, False]
    """
    words = [part for part in normalize_name(word).split("_") if part not in ("cv", "outer", "inner", "test", "id", "no", "nr", "number")]
    return normalize_name(word) == "cv" or (len(words) == 1 and (words[0] in FOLD_COLUMNS or words[0].removesuffix("s") in FOLD_COLUMNS))


def normalize_name(word: Any) -> str:
    """Return a name in lower case, with underscores between its parts.

    >>> normalize_name("Data set"), normalize_name("MetricName"), normalize_name("REPTree")
    ('data_set', 'metric_name', 'reptree')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(word).strip()).lower().replace(" ", "_").replace("-", "_")


def column_names(table: Any) -> Any:
    """Return the column names of a DataFrame of any library, or of results; None for other objects."""
    # in a pyarrow table, `column_names` holds the names, and `columns` holds the data
    names = getattr(table, "column_names", None)
    return names if isinstance(names, list) else getattr(table, "columns", None)


def data_set_levels(index: Any, name: str = "scores") -> list[Any]:
    """Return the levels of a pandas index that hold data sets: levels named so, or else all levels that do not number folds or seeds."""
    if index.nlevels == 1:
        return [0]
    if any(level is None for level in index.names):
        raise ValueError(
            f"all index levels of `{name}` must have names; got {index.nlevels} levels, not all with a name. Write {name}.index.names = "
            "['data set', 'fold']."
        )
    called = [str(level).lower() for level in index.names]
    own = [level for level, word in enumerate(called) if is_data_set_name(word)]
    return own or [level for level, word in enumerate(called) if not (word.startswith(FOLDS) or is_seed_name(word))] or [0]


def repetition_columns(value: Any) -> list[Any]:
    """Return the columns of a pandas object that number folds, runs or seeds."""
    columns = column_names(value)
    return [
        column
        for column in (() if columns is None else columns)
        if isinstance(column, str) and (is_fold_name(column) or is_seed_name(column))
    ]


def has_seed_index(value: Any) -> bool:
    """Return whether the index of a pandas object numbers runs or seeds without repetition."""
    index: Any = getattr(value, "index", None)
    name = getattr(index, "name", None)
    return name is not None and (is_seed_name(name) or normalize_name(name).removesuffix("s") in RUNS) and index.is_unique


def has_fold_index(value: Any) -> bool:
    """Return whether the only index level of a pandas object numbers folds, runs or seeds."""
    name = getattr(getattr(value, "index", None), "name", None)
    return name is not None and (is_fold_name(name) or is_seed_name(name))


def index_columns(value: Any) -> list[Any]:
    """Return the columns that are no classifiers: a former index (from `reset_index` or a file) or metadata of rows."""
    if not hasattr(value, "columns") or not hasattr(value, "iloc"):
        return []
    named = [head for head in value.columns if isinstance(head, str)]
    numbered = [head for head in named if OLD_INDEX.fullmatch(head) and getattr(value[head].dtype, "kind", "") in "iu"]
    return [head for head in named if is_metadata_column(head) or (head in numbered and value[head].is_unique)]


def is_metadata_column(head: str) -> bool:
    """Return whether a column of this name describes or summarizes a row.

    >>> [is_metadata_column(head) for head in ("dataset", "task_id", "n_samples", "Mean", "REPTree", "best first")]
    [True, True, True, True, False, False]
    """
    return normalize_name(head) in METADATA_COLUMNS


def check_unique_labels(value: Any, name: str, what: str = "data set") -> None:
    """Raise ValueError if the labels of a pandas object name a data set (or a record) twice, or a column is no classifier."""
    index: Any = getattr(value, "index", None)
    if not hasattr(index, "nlevels"):
        return
    head = index.names[0]
    if index.nlevels == 1 and what == "data set" and (is_fold_name(head) or is_seed_name(head)):
        raise ValueError(
            f"`{name}` must have one row for each data set; got rows numbered by {head!r}. For one data set, write unit={str(head)!r} in "
            f"a test of two classifiers, or see fstats.which_test; for several data sets, write {name}.rename_axis('data set')."
        )
    if columns := index_columns(value):
        reason = "which numbers the rows" if OLD_INDEX.fullmatch(columns[0]) else "which is not a classifier"
        raise ValueError(
            f"the columns of `{name}` must be classifiers; got the column {columns[0]!r}, {reason}. Write {name}.drop(columns={columns}), "
            f"or {name}.set_index({columns[0]!r}) for the names of data sets."
        )
    if what == "data set" and index.nlevels == 1 and len(index) and normalize_name(index[-1]) in SUMMARIES:
        raise ValueError(
            f"`{name}` must have a row for each data set; got the row {index[-1]!r}, a summary of the other rows. Leave out the row "
            f"{index[-1]!r}."
        )
    levels = data_set_levels(index, name)
    rows = index.droplevel([level for level in range(index.nlevels) if level not in levels]) if index.nlevels > 1 else index
    if not rows.is_unique:
        repeated = rows[rows.duplicated()].tolist()[0]
        remedy = (
            f"Average the folds of each data set with fstats.average_folds({name}), or write {name}.reset_index(drop=True) if each row is "
            "another data set."
            if what == "data set"
            else f"Keep one row of each {what}, or write {name}.reset_index(drop=True) if each row is another {what}."
        )
        raise ValueError(
            f"`{name}` must have one row for each {what}; got {rows.tolist().count(repeated)} rows of the {what} {repeated!r}, which are "
            f"not independent. {remedy}"
        )
    if columns := repetition_columns(value):
        raise ValueError(
            f"the columns of `{name}` must be classifiers; got the column {columns[0]!r}, which numbers parts of an experiment. Write "
            f"fstats.Results({name}) to average the parts of each data set."
        )
