"""The experiment: so many seeds, five stratified folds for each, three learners, and how many answers of each fold are right."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...datasets import DataSet, load
from ...simulate.run import run
from .learners import Records, naive_bayes, nearest_neighbours, tree
from .splits import Folds, Splitter, stratified, stratified_until_0_20_2

Mode = Literal["as printed", "as it should be"]
LEARNERS = ("GNB", "KNN", "DTC")
FOLDS, AT_ONCE = 5, 250  # seeds in one unit of work
# From the cheapest to the dearest.
SETS = tuple(
    "soybean iris hayes wine heart liver monkthree monkone monktwo balance breastcan wisconsin australian diabetes yeast3 german sonar ionosphere".split()
)


class Recipe(NamedTuple):
    """What a mode is."""

    first: int  # the first row that is used
    splitter: Splitter


MODES: dict[Mode, Recipe] = {"as printed": Recipe(1, stratified_until_0_20_2), "as it should be": Recipe(0, stratified)}


def right_answers(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, mode: Mode) -> list[Any]:  # noqa: ARG001
    """One unit, the seeds from ``first`` to ``last``: how many answers are right, [seed][fold][learner]."""
    from threadpoolctl import threadpool_limits

    seeds = range(unit["first"], unit["last"] + 1)
    records = Records(x, y)
    with threadpool_limits(1):  # threads inside a fit make small sets slower
        fold = MODES[mode].splitter(records.y, seeds, FOLDS)
        predicted = (
            naive_bayes(records, fold, FOLDS),
            nearest_neighbours(records, fold, FOLDS),
            tree(records, fold, FOLDS, seeds),
        )
    return np.stack([counted(one == records.y[:, np.newaxis], fold, FOLDS) for one in predicted], 2).tolist()


def counted(right: NDArray[np.bool], fold: Folds, folds: int) -> NDArray[np.int64]:
    """How many are right in each fold, shape (splits, folds)."""
    return np.stack([(right & (fold == k)).sum(0) for k in range(folds)], 1)


def population(
    data: DataSet,
    *,
    mode: Mode = "as it should be",
    repeats: int = 1000,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> NDArray[np.int64]:
    """Right answers of seeds 0, 1, ..., repeats - 1."""
    recipe = MODES[mode]
    x, y = data.x[recipe.first :], data.y[recipe.first :]
    units = [{"first": first, "last": min(first + AT_ONCE, repeats) - 1} for first in range(0, repeats, AT_ONCE)]
    arguments = {
        "data set": data.name,
        "sha256 of data": data.sha256,
        "mode": mode,
        "learners": list(LEARNERS),
        "folds": FOLDS,
        "repeats": repeats,
        "scikit-learn": version("scikit-learn"),
    }
    found = run(
        partial(right_answers, x=x, y=y, mode=mode), units, arguments=arguments, jobs=jobs, store=store, progress=progress
    )
    return np.concatenate([np.array(part, np.int64) for part in found])


def experiment(data_dir: str | None, repeats: int, jobs: int, store: Path) -> None:
    """All sets, both modes."""
    import time

    for mode in MODES:
        for name in SETS:
            start = time.perf_counter()
            population(load(name, data_dir), mode=mode, repeats=repeats, jobs=jobs, store=store / f"{name} {mode}.jsonl".replace(" ", "_"))
            print(f"{name}, {mode}: {time.perf_counter() - start:.0f} s", flush=True)
