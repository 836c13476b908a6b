"""The study printed from what is stored, or computed anew and printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...render.display_table import Table
from ..bcv.bcv_design import SEED
from ..study_files import LIBRARIES, join_as_text, read_results, save, version_text
from ..study_files import provenance as made_by
from .correlation_computation import collect_units
from .correlation_computation import compute_sums as make
from .correlation_datasets import table4
from .correlation_estimates import Cloud
from .refined_correlations import Refined, compare_variations, variations
from .section_5_1_claims import observations
from .stored_correlations import stored_results

PARTS = ("sums", "refined")


def reproduced(part: str | None = None, *, again: bool = False, jobs: int = 1, store: Any = None, folder: Any = None, **which: Any) -> str:
    """The tables of the study as text.

    Parameters
    ----------
    part : {"sums", "refined"}, optional
        The correlations, or what they would give the test; both if none is named.
    again : bool
        Whether it is computed anew (half an hour of one processor for each part) and written to a folder.
    jobs, store
        As in :func:`fstats.studies.correlations.make`; the store is a folder.
    folder : path
        Where results are written.
    **which
        sets, samples and data_dir, as there.

    Raises
    ------
    ValueError
        For another part, and as :func:`fstats.studies.correlations.make`.
    """
    if part not in (None, *PARTS):
        raise ValueError(f"part must be one of {', '.join(PARTS)}; got {part!r}")
    if again and part in (None, "sums"):
        done = make(jobs=jobs, store=None if store is None else Path(store) / "correlations.jsonl", **which)
        save(folder, "sums", collect_units(done, which.get("data_dir")))
    if again and part in (None, "refined"):
        found = compare_variations(variations(_read_results("sums", folder)), jobs=jobs, store=store)
        about = made_by("fstats reproduce correlations --part refined --again", *LIBRARIES, at="second", seed=SEED, seconds=None)
        save(folder, "refined", {"about": about, **found})
    shown: list[Any] = []
    if part in (None, "sums"):
        sums = _read_results("sums", folder)
        every = Cloud(sums), Cloud(sums, "differences")
        shown += [*every, Table(("", "share"), [[name, f"{share:.3f}"] for name, share in every[0].shares.items()]), observations(every[0])]
    if part in (None, "refined"):
        shown.append(Refined(_read_results("refined", folder)))
    if not again:
        shown += [table4(), provenance()]
    return join_as_text(shown)


def _read_results(name: str, folder: Any) -> dict[str, Any]:
    """What was written to a folder; of what was not computed there, that of the package."""
    return (*(read_results(__package__, name, folder) if folder and Path(folder).is_dir() else ()), stored_results(name))[0]


def provenance() -> Table:
    """How each stored result came about."""
    lines = []
    for name in PARTS:
        about = stored_results(name)["about"]
        lines.append([name, about["command"], about["seed"], about["time"], about.get("processor seconds", ""), version_text(about)])
    return Table(("", "command", "seed", "time", "processor seconds", "versions"), lines, "How the stored results came about")
