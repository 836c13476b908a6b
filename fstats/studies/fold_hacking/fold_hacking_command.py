"""Computation of the whole fold experiment for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from ...comparing.datasets import load
from ...core.validation import check
from .alternative_tests import REPEATS, halvings
from .decision_tree_seeds import SPLITS, tree_seeds
from .fold_experiment import MODES, SETS, check_data_set_name, population
from .partition_scores import PartitionScores, file_stem
from .stored_partition_scores import command, stored
from .stored_partition_scores import save as save_results


def again(
    *,
    repeats: int,
    data_dir: Path | None = None,
    sets: Sequence[str] | None = None,
    store: Path | None = None,
    save: Path | None = None,
    jobs: int = 1,
) -> None:
    """Compute the whole experiment again, and print a line about each part as soon as it is done.

    Parameters
    ----------
    repeats : int
        Seeds of each data set in each mode; halvings and seeds of trees are at most as many as in the package.
    data_dir : path, optional
        Folder of CSV files.
    sets : sequence of str, optional
        Data sets; by default all eighteen.
    store : path, optional
        Folder from which an interrupted run goes on; by default ``fold_hacking_R`` in the current folder, for R repetitions.
    save : path, optional
        Folder to which the results are written, in the form of the package.
    jobs : int
        Number of workers.

    Raises
    ------
    ValueError
        For records that differ from those of the study; raised before anything is computed.
    """
    total = int(check.count(1)(repeats, "repeats"))
    names = list(sets or SETS)
    for name in names:
        check_records(name, data_dir)
    folder = store if store is not None else Path(f"fold_hacking_{total}")
    print(f"each finished unit is stored in {folder}; the same command goes on from there", flush=True)
    clock = perf_counter()

    def finish(what: Any, words: str) -> None:
        nonlocal clock
        if save is not None:
            save_results(what, save, made_by=command(total, names))
        print(f"{words} ({perf_counter() - clock:.1f} s)", flush=True)
        clock = perf_counter()

    for mode in MODES:
        for name in names:
            file = folder / f"{file_stem(name, mode)}.jsonl"
            scores = population(name, mode=mode, repeats=total, data_dir=data_dir, jobs=jobs, store=file)
            finish(scores, summary_line(scores))
    for name in names:
        halves = halvings(name, repeats=min(REPEATS, total), data_dir=data_dir, jobs=jobs, store=folder / f"{name}_halves.jsonl")
        finish(halves, f"{name}: {len(halves)} times five random and five blocked halvings")
        trees = tree_seeds(name, splits=min(SPLITS, total), data_dir=data_dir, jobs=jobs, store=folder / f"{name}_trees.jsonl")
        finish(trees, f"{name}: other seeds of the tree")


def check_records(name: str, data_dir: Path | None) -> None:
    """Raise ValueError if the records differ from those of the stored results: the results would be no reproduction."""
    about, here = stored(check_data_set_name(name)).about, load(name, data_dir)
    if here.sha256 != about["sha256 of data"]:
        expected = f"{stored(name).sizes.sum()} records, checksum {about['sha256 of data'][:8]}"
        raise ValueError(
            f"{name} must be the data set of the study ({expected}); got {len(here)} records ({here.source}): "
            f"name the folder with its {name}.csv by --data-dir or FSTATS_DATA, or leave {name} out by --sets"
        )


def summary_line(population: PartitionScores) -> str:
    """Return one line of results."""
    shares = {"-".join(pair.labels): " ".join(f"{sign}{share:.4f}" for sign, share in pair.shares.items()) for pair in population.pairs}
    return f"{population.name}, {population.mode}: {'; '.join(f'{names} {text}' for names, text in shares.items())}"
