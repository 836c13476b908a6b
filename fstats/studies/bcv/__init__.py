"""Replication study of a paper on 5x2 cross-validation.

The 5x2 BCV McNemar paper (block-regularized cross-validation) estimates type I errors and power (Tables 5 and 6, Figures 2 to 6).

    from fstats.studies import bcv

    bcv.table5()                    # printed / ours / z, and the numbers that differ by more than chance
    bcv.claims()                    # claims of section 5.2, with verdicts from our numbers
    bcv.power("Simple")             # Figure 4 as a table; .picture() draws it
    bcv.figure2(), bcv.figure3("EXP6")
    bcv.exp6_readings()             # evidence that the printed error rates come from training sets of n/2 records
    bcv.partition_sets()            # Table 6: random instead of blocked partitions; .picture() and .violins() draw Figures 5 and 6
    bcv.digits_row()                # type I errors on the handwritten digits, at a reduced scale

All numbers come from stored results of each data set; ``fstats reproduce bcv`` prints them, and ``--again`` computes them again.
:mod:`fstats.studies.bcv.digits_on_gpu` trains the networks of the digits many at once, on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..claim_verdicts import Claim as Claim
from ..claim_verdicts import Observations as Observations
from ..study_files import join_as_text
from .bcv_computation import compute_part as make
from .bcv_design import DIGITS, SOURCES
from .bcv_power_curves import PowerCurves as PowerCurves
from .bcv_power_curves import power as power
from .error_rate_figures import error_table as error_table
from .error_rate_figures import exp6_readings as exp6_readings
from .error_rate_figures import figure2 as figure2
from .error_rate_figures import figure3 as figure3
from .mnist_digits import Digits as Digits
from .mnist_digits import digits_row as digits_row
from .section_5_2_claims import claims as claims
from .section_5_3_claims import partition_claims as partition_claims
from .stored_rejections import Rejections as Rejections
from .stored_rejections import provenance as provenance
from .stored_rejections import stored as stored
from .stored_rejections import stored_results
from .table5 import ErrorBeside as ErrorBeside
from .table5 import Table5 as Table5
from .table5 import rates_of
from .table5 import table5 as table5
from .table6 import PartitionSets as PartitionSets
from .table6 import partition_sets as partition_sets

PARTS = ("calibration", "table5", "readings", "power", "errors", "left_out", "power2", "partitions")
# parts with printed tables, in the order of the paper
ALL_PARTS = ("table5", "power", "calibration", "errors", "partitions", "digits", "claims")
# maps each part to a function f(rejections, folder of results), which returns the tables of the part
PART_TABLES: dict[str, Callable[[Rejections, Any], list[Any]]] = {
    "table5": lambda runs, _: [Table5(runs)],
    "left_out": lambda runs, _: [rates_of(Table5(runs).excluded_tests, "Type I errors of tests that the paper leaves out")],
    "readings": lambda runs, _: [rates_of(Table5(runs).all_readings, "Type I errors of tests that can be read in several ways")],
    "power": lambda runs, _: [PowerCurves(source, runs) for source in SOURCES[1:] if len(runs.points(source)) > 2],
    "calibration": lambda _, folder: [exp6_readings(folder)],
    "errors": lambda _, folder: [error_table(result["source"], folder) for result in stored_results("errors", folder)],
    "partitions": lambda _, folder: [six := PartitionSets(stored_results("partitions", folder)[0]), partition_claims(six)],
    "digits": lambda _, folder: [digits_row(runs)] if (runs := stored_results("digits", folder)) else [],
    "claims": lambda runs, folder: [claims(runs, folder)],
    **dict.fromkeys(DIGITS, lambda _, folder: [digits_row(stored_results("digits", folder))]),
}
PART_TABLES["power2"] = PART_TABLES["power"]


def reproduced(
    part: str | None = None, *, again: bool = False, jobs: int = 1, store: Any = None, folder: Any = None, data_dir: Any = None
) -> str:
    """Return the tables of one part or of all parts as text; with `again`, compute the results again and write them to a folder."""
    if part not in (None, *PARTS, *DIGITS):
        raise ValueError(f"`part` must be one of {', '.join((*PARTS, *DIGITS))}; got {part!r}")
    if again:
        for part_name in PARTS if part is None else [part]:
            make(part_name, jobs=jobs, store=store, folder=folder, data_dir=data_dir)
    results_folder = folder if again else None
    runs = stored(results_folder)
    tables = [table for name in (ALL_PARTS if part is None else [part]) for table in PART_TABLES[name](runs, results_folder)]
    return join_as_text(tables if again else [*tables, provenance()])
