"""Compute the type I errors and power of a study of 5x2 cross-validation tests.

Each data source has a calibration, error rates, type I errors and power.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

from ...simulate.bcv_paper_sources import LETTER_FILE, Simple, data_folder
from ...simulate.work_units import run
from ..integer_encoding import encode_integers
from ..study_files import LIBRARIES, provenance, save
from . import bcv_design as design
from . import calibration as calibrating
from . import random_partitions as partitioning
from .rejection_decisions import decisions_of_unit
from .source_factory import make_source
from .stored_rejections import collect_units, stored_results


def settings(folder: Any = None) -> dict[str, dict[str, float]]:
    """Return the setting at each point of each source: the calibrated value (from a folder or stored); for Simple, lambda itself."""
    values: dict[str, dict[str, float]] = {"Simple": {lam: float(lam) for lam in design.LAMBDAS}}
    folder_results = stored_results("calibration", folder) if folder and Path(folder).is_dir() else ()
    for result in (*stored_results("calibration"), *folder_results):
        points = values.setdefault(result["source"], {})
        if result["n"] == design.SIZES[result["source"]]:
            points[design.AS_WRITTEN] = result["settings"]["0"]
        else:
            points |= result["settings"]
    return values


def points_of(source: str, part: str, values: Mapping[str, Mapping[str, float]]) -> dict[str, float | None]:
    """Return the points of a part of the study with their settings; points without a calibration are left out."""
    if source == "Epsilon":
        return {"0": None} if part in ("table5", "readings") else {}
    point_names = design.PARTS[part] + ((design.AS_WRITTEN,) if part == "table5" and source in design.TWO_READING_SOURCES else ())
    return {point: values[source][point] for point in point_names if point in values.get(source, {})}


def compute_part(
    part: str,
    *,
    sources: Sequence[str] = design.SOURCES,
    data_sets: int | None = None,
    store: Any = None,
    folder: Any,
    data_dir: Any = None,
    **running: Any,
) -> None:
    """Compute one part of the study for some sources, and write one file of results for each source to a folder.

    Parameters
    ----------
    part : str
        Part to compute.  calibration: settings that make both learners equally good (200 training sets).  errors: true error rates at
        the calibrated settings.  table5: type I errors.  left_out: type I errors of the three tests that the paper leaves out.  readings:
        type I errors of other readings of two tests.  power: power at lambda = 0.3, 0.6 and 1.  power2: power at the other seven lambdas.
        partitions: the 5x2 BCV McNemar test on random partitions (letter only).  mnist: type I errors on the digits at the paper's scale,
        which needs a GPU and the 60,000 training images (:mod:`fstats.studies.bcv.digits_on_gpu` trains many networks at once).
        mnist_test: the same with the 10,000 test images as the population.  mnist_small: type I errors on the digits at a reduced scale.
    sources : sequence of str
        Sources: some of Epsilon, EXP6, Simple and letter; letter is skipped, with a message, if its data are missing.
    data_sets : int, optional
        Number of data sets; by default 1,000, but for type I errors 20,000 data sets of Epsilon and 4,000 of EXP6 and of Simple.
    store : path, optional
        Folder in which finished units are stored; after an interruption, the same call continues with the remaining units.
    folder : path
        Folder to which results are written; calibrations that are already in the folder are used.
    data_dir : path, optional
        Folder with the data file of letter.
    **running
        The arguments jobs and progress of :func:`fstats.simulate.run`.
    """
    known = ("calibration", "errors", *design.PARTS, "partitions", *design.DIGITS)
    if part not in known:
        raise ValueError(f"`part` must be one of {', '.join(known)}; got {part!r}")
    if unknown := [source for source in sources if source not in design.SOURCES]:
        raise ValueError(f"each source must be one of {', '.join(design.SOURCES)}; got {unknown[0]!r}")
    work = {
        "calibration": _compute_calibration,
        "errors": _compute_errors,
        "partitions": _compute_partitions,
        **dict.fromkeys(design.DIGITS, compute_digits),
    }
    for source in [design.DIGITS[part]] if part in design.DIGITS else sources:
        if source == "letter":
            try:
                data_folder(data_dir)
            except ValueError as error:
                print(f"letter is left out: {error}", flush=True)
                continue
        count = design.LEVEL_DATA_SETS.get(source, design.DATA_SETS) if part in ("table5", "readings") else design.DATA_SETS
        count = count if data_sets is None else data_sets
        work.get(part, _compute_rejections)(SourcePart(part, source, count, store, folder, data_dir, running))


@dataclass
class SourcePart:
    """One part of the study, computed on one source."""

    part: str
    source: str
    data_sets: int
    store: Any
    folder: Any
    data_dir: Any
    running: Mapping[str, Any]
    command: str = ""
    start: float = field(default_factory=perf_counter)
    fresh: bool = True  # True if this run has computed all units; only then is the total computing time known

    def run(self, name: str, work: Any, request: dict[str, Any], data_sets: int, **arguments: Any) -> tuple[list[Any], list[Any]]:
        """Run the units of some data sets, each with the arguments in `request`; return the units and their results."""
        units = [unit | request for unit in design.unit_ranges(self.source, data_sets)]
        path = None if self.store is None else self.store_path(name)
        self.fresh, self.start = path is None or not path.exists(), perf_counter()
        arguments = {"part": self.part, "source": self.source} | arguments
        return units, run(partial(work, data_dir=self.data_dir), units, arguments=arguments, rng=design.SEED, store=path, **self.running)

    def store_path(self, name: str) -> Path:
        """Return the path of the file that stores the finished units."""
        return Path(self.store) / f"{name.replace(' ', '_')}.jsonl"

    def errors(self, name: str, n: int, values: Sequence[float], data_sets: int) -> calibrating.MeanErrorRates:
        """Compute error rates after training on n records, for several settings of the nearest neighbour."""
        _, results = self.run(name, calibrating.error_sums_of_unit, {"n": n, "values": list(values)}, data_sets, part="errors")
        return calibrating.MeanErrorRates(results, data_sets, len(make_source(self.source, values[-1], self.data_dir).records[1]))

    @property
    def provenance(self) -> dict[str, Any]:
        """Provenance of the results."""
        seconds = round(perf_counter() - self.start) if self.fresh else None
        facts = {"seconds": seconds} | ({"data": dict(zip(("file", "sha256"), LETTER_FILE))} if self.source == "letter" else {})
        command = self.command or f"fstats reproduce bcv --part {self.part} --again"
        record = provenance(command, *LIBRARIES, at="second", seed=design.SEED, **facts)
        if self.part in design.DIGITS:
            with suppress(PackageNotFoundError):
                record["versions"]["torch"] = version("torch")
        return record

    def save(self, name: str, words: str, results: dict[str, Any]) -> None:
        """Write the results to the folder and print a line about them."""
        save(self.folder, name.replace(" ", "_"), {"about": self.provenance, "source": self.source} | results)
        print(f"{self.part}, {self.source}{words} {perf_counter() - self.start:.0f} s", flush=True)


def _compute_rejections(task: SourcePart) -> None:
    part, source = task.part, task.source
    if points := points_of(source, part, settings(task.folder)):
        # Epsilon needs no training, so all 17 tests are computed on it
        tests = "17" if (source, part) == ("Epsilon", "table5") else design.TESTS_OF_PART[part]
        name = f"rejections_{part}_{source}"
        results = task.run(name, decisions_of_unit, {"tests": tests, "points": points}, task.data_sets)
        task.save(name, f": {task.data_sets} data sets at {', '.join(points)},", collect_units(*results))


def _compute_calibration(task: SourcePart) -> None:
    for n in (design.SIZES.get(task.source, 0) // 2, design.SIZES.get(task.source, 0)):
        if task.source in calibrating.GRIDS and (n < design.SIZES[task.source] or task.source in design.TWO_READING_SOURCES):
            name, grid = f"calibration_{task.source}_{n}", calibrating.GRIDS[task.source]
            rates = task.errors(name, n, grid, min(task.data_sets, calibrating.CALIBRATION_DATA_SETS))
            facts = {"n": n, "settings": calibrating.settings_by_lambda(grid, rates), **rates.to_dict(grid)}
            task.save(name, f", training sets of {n}:", facts)


def _compute_errors(task: SourcePart) -> None:
    n, values = design.SIZES.get(task.source, 0) // 2, settings(task.folder).get(task.source, {})
    name, grid = f"errors_{task.source}_{n}", {point: value for point, value in values.items() if point != design.AS_WRITTEN}
    # the normal distribution gives exact error rates of logistic regression; the error rate of the majority classifier is 0.5
    if task.source == "Simple":
        rates = [Simple(lam).true_error_rates(task.data_sets, rng=design.SEED, n=n) for lam in grid.values()]
        logistic = {"errors": [round(rate.a, 6) for rate in rates], "se": [round(rate.se_a, 6) for rate in rates]}
        facts = {"data_sets": task.data_sets, "points": list(grid), "logistic": logistic, "majority": 0.5}
    elif task.source in calibrating.GRIDS and values:
        facts = {"points": list(grid), **task.errors(name, n, list(grid.values()), task.data_sets).to_dict(list(grid.values()))}
    else:
        return
    task.save(name, f", training sets of {n}:", {"n": n, **facts})


def _compute_partitions(task: SourcePart) -> None:
    """Compute the 5x2 BCV McNemar test with random partitions, on the same data sets of letter as in Table 5."""
    if task.source == "letter":
        name, points = f"{task.part}_{task.source}", partitioning.calibrated_v()
        _, results = task.run(name, partitioning.discordant_counts_of_unit, {"points": points}, task.data_sets)
        counts = {plan: encode_integers([count for result in results for count in result[plan]]) for plan in ("blocked", "random")}
        task.save(name, f": {task.data_sets} data sets,", {"points": points, "data_sets": task.data_sets, **counts})


def compute_digits(task: SourcePart, work: Any = decisions_of_unit, **arguments: Any) -> None:
    """Compute type I errors of all tests on each data set of digits: at most 100 data sets, as in the paper."""
    source = make_source(task.source, 0.0, task.data_dir)
    source.records  # noqa: B018  # if files are missing, raises an error before any training
    for network in source.learners:
        try:
            network.check_pytorch()
        except ImportError as error:
            raise ValueError(str(error)) from None
    name, data_sets = f"digits_{task.source}", min(task.data_sets, design.DIGITS_SETS)
    results = task.run(name, work, design.DIGITS_REQUEST, data_sets, source=repr(source), networks=repr(source.learners), **arguments)
    task.save(name, f": {data_sets} data sets,", collect_units(*results))
