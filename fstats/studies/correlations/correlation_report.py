"""Text tables of the correlation study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...render.display_table import Table
from ..bcv.bcv_design import SEED
from ..study_files import LIBRARIES, join_as_text, read_results, save, version_text
from ..study_files import provenance as study_provenance
from .correlation_computation import collect_units
from .correlation_computation import compute_sums as make
from .correlation_datasets import table4
from .correlation_estimates import Cloud
from .refined_correlations import Refined, compare_variations, variations
from .section_5_1_claims import observations
from .stored_correlations import stored_results

PARTS = ("sums", "refined")


def reproduced(part: str | None = None, *, again: bool = False, jobs: int = 1, store: Any = None, folder: Any = None, **which: Any) -> str:
    """Return the tables of the study as text.

    Parameters
    ----------
    part : {"sums", "refined"}, optional
        Part of the study: "sums" (the correlations) or "refined" (the test with correlations from data); by default both parts.
    again : bool
        Whether to compute the results again (half an hour of one CPU core for each part) and write them to a folder.
    jobs, store
        The arguments of :func:`fstats.studies.correlations.make`; the store is a folder.
    folder : path
        Folder to which results are written.
    **which
        The arguments sets, samples and data_dir of :func:`fstats.studies.correlations.make`.

    Raises
    ------
    ValueError
        For an unknown part, and in the cases of :func:`fstats.studies.correlations.make`.
    """
    if part not in (None, *PARTS):
        raise ValueError(f"`part` must be one of {', '.join(PARTS)}; got {part!r}")
    if again and part in (None, "sums"):
        results = make(jobs=jobs, store=None if store is None else Path(store) / "correlations.jsonl", **which)
        save(folder, "sums", collect_units(results, which.get("data_dir")))
    if again and part in (None, "refined"):
        comparison = compare_variations(variations(_read_results("sums", folder)), jobs=jobs, store=store)
        about = study_provenance("fstats reproduce correlations --part refined --again", *LIBRARIES, at="second", seed=SEED, seconds=None)
        save(folder, "refined", {"about": about, **comparison})
    parts: list[Any] = []
    if part in (None, "sums"):
        sums = _read_results("sums", folder)
        clouds = Cloud(sums), Cloud(sums, "differences")
        shares = Table(("", "share"), [[name, f"{share:.3f}"] for name, share in clouds[0].shares.items()])
        parts += [*clouds, shares, observations(clouds[0])]
    if part in (None, "refined"):
        parts.append(Refined(_read_results("refined", folder)))
    if not again:
        parts += [table4(), provenance()]
    return join_as_text(parts)


def _read_results(name: str, folder: Any) -> dict[str, Any]:
    """Read results from a folder, or from the package if the folder does not contain these results."""
    return (*(read_results(__package__, name, folder) if folder and Path(folder).is_dir() else ()), stored_results(name))[0]


def provenance() -> Table:
    """Return the provenance of each stored result."""
    lines = []
    for name in PARTS:
        about = stored_results(name)["about"]
        lines.append([name, about["command"], about["seed"], about["time"], about.get("processor seconds", ""), version_text(about)])
    return Table(("", "command", "seed", "time", "processor seconds", "versions"), lines, "How the stored results came about")
