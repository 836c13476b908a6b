"""Stored results of the study of fold hacking.

They are compressed counts of right predictions, with their provenance.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ...runtime.atomic_write import write_atomically
from .. import study_files
from .alternative_tests import Halves
from .decision_tree_seeds import TreeSeeds
from .fold_experiment import SETS, Mode, check_data_set_name, experiment_mode
from .partition_scores import PartitionScores, file_stem

RESULTS = Path(__file__).parent / "results"
PROVENANCE_FILE = "about.json"


def stored(name: str, *, mode: Mode = "as it should be") -> PartitionScores:
    """Return all repetitions of the experiment on one data set from the package.

    Parameters
    ----------
    name : str
        Name of one of the eighteen data sets, such as "sonar".
    mode : {"as it should be", "as printed"}
        "as printed" repeats the procedure of the text: the first row of the file is lost, and folds and neighbours at equal distance are
        chosen as in scikit-learn until version 0.20.2.

    Returns
    -------
    PartitionScores
        ``accuracies`` (seeds, folds, learners), ``pair("GNB", "KNN")`` and the provenance.

    Raises
    ------
    ValueError
        For an unknown name or mode, or if a file of the package is damaged.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> sonar = fold_hacking.stored("sonar", mode="as printed")
    >>> sonar.pair("GNB", "KNN").shares
    {'=': 0.4383, '-': 0.5617, '+': 0.0}
    """
    experiment_mode(mode)
    return _population(check_data_set_name(name), mode, RESULTS)


def stored_halves(name: str) -> Halves:
    """Return the random and blocked halvings of one data set from the package.

    Parameters
    ----------
    name : str
        One of the eighteen data sets.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> fold_hacking.stored_halves("iris").five_by_two_f("GNB", "KNN").kinds
    1
    """
    arrays, about = read(f"{check_data_set_name(name)}_halves", RESULTS)
    return Halves(name, **arrays, about=about)


def stored_trees(name: str) -> TreeSeeds:
    """Return the stored results with several seeds of the tree on the same folds.

    Parameters
    ----------
    name : str
        One of the eighteen data sets.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> fold_hacking.stored_trees("soybean").changes("GNB")
    0.0
    """
    arrays, about = read(f"{check_data_set_name(name)}_trees", RESULTS)
    return TreeSeeds(name, **arrays, about=about)


@cache
def _population(name: str, mode: str, folder: Path) -> PartitionScores:
    arrays, about = read(file_stem(name, mode), folder)
    return PartitionScores(name, mode, arrays["right"].transpose(2, 1, 0), arrays["sizes"], about)


def save(what: PartitionScores | Halves | TreeSeeds, folder: str | os.PathLike[str] = RESULTS, *, made_by: str = "") -> Path:
    """Store results in a folder: the counts, and their provenance in ``about.json``.

    Parameters
    ----------
    what : PartitionScores, Halves or TreeSeeds
        Results to store.
    folder : path
        Folder for the files; by default the results folder of the package.
    made_by : str
        Command line that made the results, see :func:`command`; by default the note that the results were computed in Python.

    Returns
    -------
    pathlib.Path
        File of the counts.

    Raises
    ------
    ValueError
        If the file ``about.json`` in the folder is damaged; nothing is written then.
    """
    folder, name = Path(folder), what.file
    notes = provenance_notes(folder)
    small = {key: _smallest_dtype(np.ascontiguousarray(part)) for key, part in what.arrays.items()}
    buffer = BytesIO()
    np.savez_compressed(buffer, **small)  # all arrays must hold numbers, because numpy would pickle other objects
    how = study_files.provenance(made_by or "none: made in Python", *study_files.LIBRARIES)
    notes[name] = what.about | how | {"sha256 of counts": checksum(small)}
    write_atomically(folder / f"{name}.npz", buffer.getvalue())
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(notes[key])}" for key in sorted(notes))
    write_atomically(folder / PROVENANCE_FILE, f"{{\n{lines}\n}}\n".encode())
    return folder / f"{name}.npz"


def command(repeats: int, sets: Sequence[str] = SETS) -> str:
    """Return the command line that computes the results, with DIR instead of a folder name.

    >>> command(4, ["iris"])
    'fstats reproduce fold-hacking --data-dir DIR --repeats 4 --sets iris'
    """
    option = "" if set(sets) == set(SETS) else f" --sets {' '.join(sets)}"
    return f"fstats reproduce fold-hacking --data-dir DIR --repeats {repeats}{option}"


# -- files -----------------------------------------------------------------------------------------------------------------------
def read(name: str, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read counts and their provenance; raise ValueError if a file is damaged or missing."""
    path = folder / f"{name}.npz"
    about = provenance_notes(folder).get(name)
    if not isinstance(about, (Mapping, type(None))):
        wrong = f"its entry {name} must be an object with the provenance; got {about!r}"
        raise ValueError(f"the file {folder / PROVENANCE_FILE} is damaged ({wrong}). Restore the file from the repository.")
    if about is None:
        raise ValueError(f"the file {folder / PROVENANCE_FILE} has no entry {name}. Compute the entry by {command(10000)} --save {folder}.")
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored_arrays:
            arrays = {key: stored_arrays[key] for key in stored_arrays.files}
    except (OSError, KeyError, ValueError, BadZipFile, EOFError, zlib.error) as error:
        raise ValueError(f"the file {path} is damaged or missing ({error}). Restore the file from the repository.") from error
    if checksum(arrays) != about.get("sha256 of counts"):
        reason = f"its counts do not have the checksum in {PROVENANCE_FILE}"
        raise ValueError(f"the file {path} is damaged, because {reason}. Restore the file from the repository.")
    return arrays, dict(about)


def provenance_notes(folder: Path) -> dict[str, Any]:
    """Read the provenance of each file in a folder."""
    path = folder / PROVENANCE_FILE
    if not path.exists():
        return {}
    try:
        notes = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(notes, dict):
            raise ValueError("the JSON text must be an object with an entry for each file")
    except ValueError as error:
        raise ValueError(f"the file {path} is damaged ({error}), and nothing was written. Repair or delete this file.") from None
    return notes


def checksum(arrays: Mapping[str, Any]) -> str:
    """Return a checksum of the counts that does not depend on the compression of the file."""
    parts = (np.ascontiguousarray(arrays[key], "<i8").tobytes() for key in sorted(arrays))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _smallest_dtype(counts: Any) -> Any:
    return counts.astype(np.uint8 if counts.max(initial=0) < 256 else np.uint16)
