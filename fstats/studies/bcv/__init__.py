"""The experiments of the paper on the 5x2 BCV McNemar test, I: type I errors and power (Tables 5 and 6, Figures 2 to 6).

    from fstats.studies import bcv

    bcv.table5()                    # printed / ours / z, and the figures that chance does not explain
    bcv.claims()                    # what section 5.2 observes, with verdicts from our numbers
    bcv.power("Simple")             # Figure 4 as a table; .picture() draws it
    bcv.figure2(), bcv.figure3("EXP6")
    bcv.exp6_readings()             # the printed error rates are those of training sets of n/2 records
    bcv.partition_sets()            # Table 6: random partitions in place of blocked ones; .picture() and .violins() are Figures 5 and 6
    bcv.digits_row()                # the digits, reduced

All numbers come from stored results, data set by data set; ``fstats reproduce bcv`` prints them, and computes them anew with ``--again``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..claim_verdicts import Claim as Claim
from ..claim_verdicts import Observations
from ..study_files import join_as_text
from .bcv_computation import compute_part as make
from .bcv_design import DIGITS, SOURCES
from .bcv_power_curves import PowerCurves, power
from .error_rate_figures import error_table, exp6_readings, figure2, figure3
from .mnist_digits import Digits, digits_row
from .section_5_2_claims import claims
from .section_5_3_claims import partition_claims
from .stored_rejections import Rejections, provenance, stored, stored_results
from .table5 import ErrorBeside, Table5, rates_of, table5
from .table6 import PartitionSets, partition_sets

__all__ = [
    "Claim",
    "Digits",
    "ErrorBeside",
    "Observations",
    "PartitionSets",
    "PowerCurves",
    "Rejections",
    "Table5",
    "claims",
    "digits_row",
    "error_table",
    "exp6_readings",
    "figure2",
    "figure3",
    "make",
    "partition_claims",
    "partition_sets",
    "power",
    "provenance",
    "reproduced",
    "stored",
    "table5",
]

PARTS = ("calibration", "table5", "readings", "power", "errors", "left_out", "power2", "partitions")
ALL_PARTS = ("table5", "power", "calibration", "errors", "partitions", "digits", "claims")  # of the whole study, in the order of the paper
PART_TABLES: dict[str, Callable[[Rejections, Any], list[Any]]] = {  # what follows from rejections, and from what else a folder holds
    "table5": lambda found, _: [Table5(found)],
    "left_out": lambda found, _: [rates_of(Table5(found).left_out, "Type I errors of tests that the paper leaves out")],
    "readings": lambda found, _: [rates_of(Table5(found).every_reading, "Type I errors of tests that can be read in several ways")],
    "power": lambda found, _: [PowerCurves(source, found) for source in SOURCES[1:] if len(found.points(source)) > 2],
    "calibration": lambda _, folder: [exp6_readings(folder)],
    "errors": lambda _, folder: [error_table(one["source"], folder) for one in stored_results("errors", folder)],
    "partitions": lambda _, folder: [six := PartitionSets(stored_results("partitions", folder)[0]), partition_claims(six)],
    "digits": lambda _, folder: [digits_row(runs)] if (runs := stored_results("digits", folder)) else [],
    "claims": lambda found, folder: [claims(found, folder)],
    **dict.fromkeys(DIGITS, lambda _, folder: [digits_row(stored_results("digits", folder))]),
}
PART_TABLES["power2"] = PART_TABLES["power"]


def reproduced(
    part: str | None = None, *, again: bool = False, jobs: int = 1, store: Any = None, folder: Any = None, data_dir: Any = None
) -> str:
    """The tables of a part of the study, or of all, as text: from the stored results, or from results made again in a folder."""
    if part not in (None, *PARTS, *DIGITS):
        raise ValueError(f"part must be one of {', '.join((*PARTS, *DIGITS))}; got {part!r}")
    if again:
        for one in PARTS if part is None else [part]:
            make(one, jobs=jobs, store=store, folder=folder, data_dir=data_dir)
    made = folder if again else None
    found = stored(made)
    shown = [one for name in (ALL_PARTS if part is None else [part]) for one in PART_TABLES[name](found, made)]
    return join_as_text(shown if again else [*shown, provenance()])
