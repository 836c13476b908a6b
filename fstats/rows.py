"""What a row is: a data set (or a record) that stands there once, as far as a pandas index tells."""

from __future__ import annotations

from typing import Any

# What a level of an index may be called (or begin with) whose entries are parts or repetitions of one experiment
FOLDS = ("fold", "split", "rep", "run", "seed", "cv", "iter", "trial", "round", "resample", "shuffle", "partition", "random_state")


def data_set_levels(index: Any) -> list[Any]:
    """The levels of a pandas index that say which data set a row belongs to: those not called folds; if they have no names, the first."""
    if index.nlevels == 1 or any(name is None for name in index.names):
        return [0]
    return [level for level, name in enumerate(index.names) if not str(name).lower().startswith(FOLDS)] or [0]


def each_once(value: Any, name: str, what: str = "data set") -> None:
    """Raise an error if the index of a pandas object names a data set (or a record) more than once."""
    index: Any = getattr(value, "index", None)
    if not hasattr(index, "nlevels"):
        return
    levels = data_set_levels(index)
    row_of = index.droplevel([level for level in range(index.nlevels) if level not in levels]) if index.nlevels > 1 else index
    if row_of.is_unique:
        return
    again = row_of[row_of.duplicated()].tolist()[0]
    mend = (
        f"average its folds first, fstats.average_folds({name}); if the rows are different data sets, say so by an index without repetition, "
        f"{name}.reset_index(drop=True)"
        if what == "data set"
        else f"keep each once; if the rows are different {what}s, say so by {name}.reset_index(drop=True)"
    )
    raise ValueError(
        f"{name} must have one row for each {what}; got {what} {again!r} {row_of.tolist().count(again)} times. Rows of the same {what} are not "
        f"independent, and a test that takes them for so finds far too much: {mend}"
    )
