"""Compute the correlation study.

The samples are computed in chunks, and the results are written to a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...simulate.work_units import run
from ..data_folder import data_folder
from ..integer_encoding import encode_integers
from ..study_files import LIBRARIES, provenance
from .correlation_classifiers import DESCRIBED
from .correlation_datasets import SETS, data_set, missing_files
from .correlation_sums import RECORDS, SAMPLES, SEED, sums_of_unit, units

ARRAYS = ("errors", "disagreements", "differences")


def compute_sums(
    sets: Sequence[str] = SETS, *, samples: int = SAMPLES, data_dir: Any = None, **running: Any
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Train every learner on every split of every sample, in rounds over the data sets.

    Parameters
    ----------
    sets : sequence of str
        Names of data sets.
    samples : int
        Number of samples of each data set.
    data_dir : path, optional
        Folder of the data sets; by default the folder in the environment variable FSTATS_DATA.
    **running
        The arguments jobs, store and progress of :func:`fstats.simulate.run`; a unit of work is a chunk of 50 samples of one data set.

    Returns
    -------
    list of (unit, result)

    Raises
    ------
    ValueError
        If data sets are missing; the message lists the missing data sets and the folder.  Nothing is computed then.
    """
    if missing := missing_files(sets, data_dir):
        files = f"files such as {missing[0]}.csv or {missing[0]}.csv.gz"
        raise ValueError(
            f"the data sets {', '.join(missing)} are missing in {data_folder(data_dir)}. Add {files}, or name fewer data sets."
        )
    work = units(sets, samples)
    arguments = {
        "study": "correlations of disagreements",
        "records": RECORDS,
        "learners": {name: here for name, _, here in DESCRIBED},
        "data": {name: data_set(name, data_dir).sha256 for name in sets},
    }
    results = run(partial(sums_of_unit, data_dir=data_dir), work, arguments=arguments, rng=SEED, **running)
    return list(zip(work, results))


def collect_units(results: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]], data_dir: Any = None) -> dict[str, Any]:
    """Join the results of the units: the description of each data set and its chunks in order."""
    by_set: dict[str, list[tuple[Mapping[str, Any], Mapping[str, Any]]]] = {}
    for unit, result in results:
        by_set.setdefault(unit["set"], []).append((unit, result))
    sets: dict[str, Any] = {}
    for name, chunks in by_set.items():
        data = data_set(name, data_dir)
        chunks.sort(key=lambda chunk: int(chunk[0]["chunk"]))
        sets[name] = {
            "records": len(data.y),
            "features": data.x.shape[1],
            "classes": len(np.unique(data.y)),
            "sha256": data.sha256,
            "chunks": [unit["chunk"] for unit, _ in chunks],
            "samples": [unit["samples"] for unit, _ in chunks],
            **{array: encode_integers([result[array] for _, result in chunks]) for array in ARRAYS},
        }
    seconds = sum(result["seconds"] for chunks in by_set.values() for _, result in chunks)
    about = provenance("fstats reproduce correlations --again", *LIBRARIES, at="second", seed=SEED, seconds=None)
    about["processor seconds"] = round(seconds)
    return {"about": about, "sets": sets}
