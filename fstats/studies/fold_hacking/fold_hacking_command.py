"""Command-line computation of the study of fold hacking."""

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
    """Compute the whole experiment again, and print a line about each part as soon as the part is finished.

    Parameters
    ----------
    repeats : int
        Number of seeds for each data set and mode; for halvings and seeds of trees, at most the number in the package.
    data_dir : path, optional
        Folder of CSV files.
    sets : sequence of str, optional
        Names of data sets; by default all eighteen data sets.
    store : path, optional
        Folder of finished units, with which an interrupted computation continues; by default ``fold_hacking_R`` for R repetitions.
    save : path, optional
        Folder to which the results are written, in the file format of the package.
    jobs : int
        Number of workers.

    Raises
    ------
    ValueError
        For records that differ from the records of the study; the error is raised before anything is computed.
    """
    total = int(check.count(1)(repeats, "repeats"))
    names = list(sets or SETS)
    for name in names:
        check_records(name, data_dir)
    folder = store if store is not None else Path(f"fold_hacking_{total}")
    print(f"each finished unit is stored in {folder}; after an interruption, the same command continues", flush=True)
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
    """Raise ValueError if the records differ from the records of the stored results, because the stored results could not be reproduced."""
    about, here = stored(check_data_set_name(name)).about, load(name, data_dir)
    if here.sha256 != about["sha256 of data"]:
        expected = f"{stored(name).sizes.sum()} records, checksum {about['sha256 of data'][:8]}"
        remedy = f"Name the folder with its {name}.csv with --data-dir or FSTATS_DATA, or leave out {name} with --sets."
        raise ValueError(f"the data set {name} must be as in the study ({expected}); got {len(here)} records ({here.source}). {remedy}")


def summary_line(population: PartitionScores) -> str:
    """Return one line of text about the results on one data set."""
    shares = {"-".join(pair.labels): " ".join(f"{sign}{share:.4f}" for sign, share in pair.shares.items()) for pair in population.pairs}
    return f"{population.name}, {population.mode}: {'; '.join(f'{names} {text}' for names, text in shares.items())}"
