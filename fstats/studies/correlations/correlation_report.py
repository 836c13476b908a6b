"""The study printed from what is stored, or computed anew and printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...render.display_table import Table
from ..bcv.bcv_design import SEED
from ..study_files import LIBRARIES, as_text, made_by, results, save, with_versions
from .correlation_computation import again as make
from .correlation_computation import collected
from .correlation_datasets import table4
from .correlation_estimates import Cloud
from .refined_correlations import Refined, compared, variations
from .section_5_1_claims import observations
from .stored_correlations import kept

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
        save(folder, "sums", collected(done, which.get("data_dir")))
    if again and part in (None, "refined"):
        found = compared(variations(_found("sums", folder)), jobs=jobs, store=store)
        about = made_by("fstats reproduce correlations --part refined --again", *LIBRARIES, at="second", seed=SEED, seconds=None)
        save(folder, "refined", {"about": about, **found})
    shown: list[Any] = []
    if part in (None, "sums"):
        sums = _found("sums", folder)
        every = Cloud(sums), Cloud(sums, "differences")
        shown += [*every, Table(("", "share"), [[name, f"{share:.3f}"] for name, share in every[0].shares.items()]), observations(every[0])]
    if part in (None, "refined"):
        shown.append(Refined(_found("refined", folder)))
    if not again:
        shown += [table4(), provenance()]
    return as_text(shown)


def _found(name: str, folder: Any) -> dict[str, Any]:
    """What was written to a folder; of what was not computed there, that of the package."""
    return (*(results(__package__, name, folder) if folder and Path(folder).is_dir() else ()), kept(name))[0]


def provenance() -> Table:
    """How each stored result came about."""
    lines = []
    for name in PARTS:
        about = kept(name)["about"]
        lines.append([name, about["command"], about["seed"], about["time"], about.get("processor seconds", ""), with_versions(about)])
    return Table(("", "command", "seed", "time", "processor seconds", "versions"), lines, "How the stored results came about")
