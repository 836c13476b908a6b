"""The whole experiment computed again, as the command line asks for it."""

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
from .stored_partition_scores import save as kept


def again(
    *,
    repeats: int,
    data_dir: Path | None = None,
    sets: Sequence[str] | None = None,
    store: Path | None = None,
    save: Path | None = None,
    jobs: int = 1,
) -> None:
    """Compute everything again, telling of each part as soon as it is there.

    Parameters
    ----------
    repeats : int
        Seeds of each data set in each mode; halvings and seeds of trees are at most as many as the package has.
    data_dir : path, optional
        A folder of CSV files.
    sets : sequence of str, optional
        Data sets; by default all eighteen.
    store : path, optional
        A folder from which an interrupted run goes on; by default ``fold_hacking_R`` in the current folder, for R repetitions.
    save : path, optional
        A folder where the results are written as the package has them.
    jobs : int
        How many workers.

    Raises
    ------
    ValueError
        For other records than those of the study, before anything is computed.
    """
    total = int(check.count(1)(repeats, "repeats"))
    names = list(sets or SETS)
    for name in names:
        check_records(name, data_dir)
    folder = store if store is not None else Path(f"fold_hacking_{total}")
    print(f"each unit is kept in {folder} as soon as it is done; the same command goes on from there", flush=True)
    clock = perf_counter()

    def done(what: Any, words: str) -> None:
        nonlocal clock
        if save is not None:
            kept(what, save, made_by=command(total, names))
        print(f"{words} ({perf_counter() - clock:.1f} s)", flush=True)
        clock = perf_counter()

    for mode in MODES:
        for name in names:
            file = folder / f"{file_stem(name, mode)}.jsonl"
            found = population(name, mode=mode, repeats=total, data_dir=data_dir, jobs=jobs, store=file)
            done(found, summary_line(found))
    for name in names:
        halves = halvings(name, repeats=min(REPEATS, total), data_dir=data_dir, jobs=jobs, store=folder / f"{name}_halves.jsonl")
        done(halves, f"{name}: {len(halves)} times five random and five blocked halvings")
        trees = tree_seeds(name, splits=min(SPLITS, total), data_dir=data_dir, jobs=jobs, store=folder / f"{name}_trees.jsonl")
        done(trees, f"{name}: other seeds of the tree")


def check_records(name: str, data_dir: Path | None) -> None:
    """Refuse other records than those of the stored results: what came of them would be no reproduction."""
    about, here = stored(check_data_set_name(name)).about, load(name, data_dir)
    if here.sha256 != about["sha256 of data"]:
        there = f"{stored(name).sizes.sum()} records, checksum {about['sha256 of data'][:8]}"
        raise ValueError(
            f"{name} here ({len(here)} records, {here.source}) is not the {name} of the study ({there}): "
            f"name the folder with its {name}.csv by --data-dir or FSTATS_DATA, or leave {name} out by --sets"
        )


def summary_line(population: PartitionScores) -> str:
    """One line of what came of it."""
    told = {"-".join(pair.labels): " ".join(f"{sign}{share:.4f}" for sign, share in pair.shares.items()) for pair in population.pairs}
    return f"{population.name}, {population.mode}: {'; '.join(f'{names} {shares}' for names, shares in told.items())}"
