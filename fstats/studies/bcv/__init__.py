"""The experiments of the paper on the 5x2 BCV McNemar test, I: type I errors and power (Table 5, Figures 2 to 4).

    from fstats.studies import bcv

    bcv.table5()                    # printed / ours / z, and the figures that chance does not explain
    bcv.claims()                    # what section 5.2 observes, with verdicts from our numbers
    bcv.power("Simple")             # Figure 4 as a table; .picture() draws it
    bcv.figure2(), bcv.figure3("EXP6")
    bcv.exp6_readings()             # the printed error rates are those of training sets of n/2 records

All numbers come from stored results, data set by data set; ``fstats reproduce bcv`` prints them, and computes them anew with ``--again``.
"""

from __future__ import annotations

from typing import Any

from .again import again as make
from .claims import Observation, Observations, claims
from .figures import exp6_readings, figure2, figure3
from .power import PowerCurves, power
from .stored import Rejections, provenance, stored, written
from .table5 import ErrorBeside, Table5, table5

__all__ = [
    "ErrorBeside",
    "Observation",
    "Observations",
    "PowerCurves",
    "Rejections",
    "Table5",
    "claims",
    "exp6_readings",
    "figure2",
    "figure3",
    "make",
    "power",
    "provenance",
    "reproduced",
    "stored",
    "table5",
]

PARTS = ("calibration", "table5", "readings", "power", "errors", "left_out", "power2")


def reproduced(
    part: str | None = None, *, again: bool = False, jobs: int = 1, store: Any = None, folder: Any = None, data_dir: Any = None
) -> str:
    """The tables of a part of the study, or of all, as text: from the stored results, or from results made again in a folder."""
    if part is not None and part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}; got {part!r}")
    if again:
        for one in PARTS if part is None else [part]:
            make(one, jobs=jobs, store=store, folder=folder, data_dir=data_dir)
    found = written(folder) if again else stored()
    shown: list[Any] = []
    if part in (None, "table5", "readings", "left_out"):
        shown.append(Table5(found))
    if part in (None, "power", "power2"):
        shown += [PowerCurves(source, found) for source in ("EXP6", "Simple", "letter") if len(found.points(source)) > 2]
    if part in (None, "calibration", "errors"):
        shown.append(exp6_readings())
    if part is None:
        shown.append(claims(found))
    if not again:
        shown.append(provenance())
    return "\n\n".join(map(repr, shown))
