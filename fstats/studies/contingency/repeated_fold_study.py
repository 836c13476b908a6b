"""Validity of the exact test after repeated K-fold cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.hypothesis import Alternative
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...procedures.resampling.corrected_resampled_t import CorrectedResampledT
from ...procedures.resampling.split_plans.block_regularized_cv import half_blocks
from ...render.display_table import Table
from ...simulate.rejection_rates import Rate
from ...simulate.work_units import run
from ..study_files import StoredStudy, format_rate, provenance, unit_sizes
from .cross_validated_classifiers import LEARNERS, CorrectRecords, Folds
from .exact_test_power import tail_probability
from .guessing_simulation import is_rejected

# number of records (half in each class), number of features, and distance between the class means
RECORDS, FEATURES, MEAN_DISTANCE = 120, 2, 1.0
FOLDS, REPEATS, ALPHA = (2, 5, 10), (1, 2, 5, 10, 30), 0.05
DATA_SETS, AT_ONCE, SEED = 2000, 100, 2003
STORED = "folds.json"
SIDES: tuple[Alternative, ...] = ("less", "two-sided")


def draw(rng: np.random.Generator, data_sets: int) -> tuple[Array, NDArray[np.int64]]:
    """Draw data sets with features of A and of B, shape (2, data sets, records, features), and the classes of the records.

    All features are independent and have the same distribution, so the features of A and the features of B are exchangeable.  A learner on
    the features of A and the same learner on the features of B therefore have the same true error rate, whatever the learner is.
    """
    y = np.tile([0, 1], RECORDS // 2)
    x = rng.normal(size=(2, data_sets, RECORDS, FEATURES)) + MEAN_DISTANCE * (y - 0.5)[:, np.newaxis]
    return x, y


def partitions(rng: np.random.Generator, data_sets: int, folds: int, repeats: int) -> Folds:
    """Draw random partitions into folds of equal size; return the fold of each record, shape (data sets, repeats, records)."""
    dealt = np.tile((np.arange(RECORDS) % folds).astype(np.int8), (data_sets, repeats, 1))
    return rng.permuted(dealt, axis=2)


def blocked_partitions(rng: np.random.Generator, data_sets: int) -> Folds:
    """Draw five halvings; each half consists of four of eight blocks, as the 5x2 BCV McNemar test requires."""
    block = partitions(rng, data_sets, 8, 1)[:, 0]
    return np.stack([np.isin(block, second).astype(np.int8) for _, second in half_blocks(5)], 1)


def fold_tables_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence) -> dict[str, Any]:
    """Compute one unit: count on how many data sets each test rejects, for one learner on the features of A and of B, and all K and L."""
    learner, data_sets = LEARNERS[unit["learner"]], int(unit["data_sets"])
    rng = np.random.default_rng(seed)
    x, y = draw(rng, data_sets)
    accuracy = 0.0
    decisions: dict[str, Any] = {}
    for folds in FOLDS:
        fold = partitions(rng, data_sets, folds, max(REPEATS))
        a, b = (learner(features, y, fold) for features in x)
        accuracy += float((a.mean() + b.mean()) / 2 / len(FOLDS))
        for repeats in REPEATS:
            decisions[f"K={folds} L={repeats}"] = _decision_counts(a[:, :repeats], b[:, :repeats], fold[:, :repeats], folds)
    fold = blocked_partitions(rng, data_sets)
    a, b = (learner(features, y, fold) for features in x)
    decisions["5x2 BCV"] = int(BlockedFiveByTwoMcNemar(_contingency_tables(a, b, fold), alpha=ALPHA).reject.sum())
    return {"accuracy": round(accuracy, 6), **decisions}


def _decision_counts(a: CorrectRecords, b: CorrectRecords, fold: Folds, folds: int) -> dict[str, Any]:
    """Count the rejections of the naive test and of the corrected t-test, and sum s + f and the squares of s - f over the data sets."""
    s, f = (b & ~a).sum((1, 2)), (a & ~b).sum((1, 2))
    won = a.astype(np.int8) - b
    # axes: folds, data sets, repetitions
    differences = np.array([(won * (fold == k)).sum(2) for k in range(folds)]) / (RECORDS // folds)
    d = differences.transpose(2, 0, 1).reshape(-1, len(a))
    tests: Any = {side: CorrectedResampledT(d, test_train_ratio=1 / (folds - 1), alternative=side, alpha=ALPHA) for side in SIDES}
    naive = {side: int(is_rejected(s, f, tail_probability(ALPHA, side), side).sum()) for side in SIDES}
    corrected = {side: int(test.reject.sum()) for side, test in tests.items()}
    return {"naive": naive, "corrected": corrected, "discordant": int((s + f).sum()), "squares": int(((s - f) ** 2).sum())}


def _contingency_tables(a: CorrectRecords, b: CorrectRecords, fold: Folds) -> Array:
    """Return ten tables for each data set, shape (repetitions, folds, A wrong or right, B wrong or right, data sets)."""
    cells = [[[((fold == k) & (a == i) & (b == j)).sum(2) for j in (0, 1)] for i in (0, 1)] for k in (0, 1)]
    return np.array(cells).transpose(4, 0, 1, 2, 3).astype(float)  # axes of `cells`: fold, A, B, data set, repetition


# -- the whole study ---------------------------------------------------------------------------------------------------------
class StudyCell(NamedTuple):
    """Rejection rates of a true H0 for one learner, one K and one L."""

    learner: str
    folds: int
    repeats: int
    naive: Rate  # rejection rate of the exact test on all L N classifications
    corrected: Rate  # rejection rate of the corrected t-test on the K L differences
    inflation: float  # variance of s - f, divided by the variance that the exact test assumes

    @property
    def worth(self) -> float:
        """Number of independent classifications that contain as much information as the L N classifications."""
        return self.repeats * RECORDS / self.inflation


class FoldStudy(StoredStudy):
    """Rejection rates of a true H0 after K-fold cross-validation that is repeated L times, for each learner."""

    heads: ClassVar[tuple[str, ...]] = ("learner", "K", *(f"L = {repeats}" for repeats in REPEATS))

    def cell(self, learner: str, folds: int, repeats: int, side: str = "less") -> StudyCell:
        """Return the results of one learner, K and L."""
        if learner not in LEARNERS or folds not in FOLDS or repeats not in REPEATS or side not in SIDES:
            known = f"learner {', '.join(LEARNERS)}; folds {FOLDS}; repeats {REPEATS}; side {', '.join(SIDES)}"
            raise ValueError(f"each argument must be one of these values: {known}; got {learner!r}, {folds}, {repeats} and {side!r}")
        parts = [result[f"K={folds} L={repeats}"] for result in self._learner_results(learner)]
        squares, discordant = (sum(part[name] for part in parts) for name in ("squares", "discordant"))
        rejections = {test: sum(part[test][side] for part in parts) for test in ("naive", "corrected")}
        naive, corrected = (Rate(test, side, count, self.data_sets(learner)) for test, count in rejections.items())
        return StudyCell(learner, folds, repeats, naive, corrected, squares / discordant)

    def blocked(self, learner: str) -> Rate:
        """Return the rejection rate of the 5x2 BCV McNemar test (two-sided)."""
        return Rate("5x2 BCV", "two-sided", sum(result["5x2 BCV"] for result in self._learner_results(learner)), self.data_sets(learner))

    def accuracy(self, learner: str) -> float:
        """Return the mean accuracy of the learner."""
        return float(np.mean([result["accuracy"] for result in self._learner_results(learner)]))

    def data_sets(self, learner: str) -> int:
        """Return the number of data sets on which the learner was compared."""
        return sum(unit["data_sets"] for unit in self.units if unit["learner"] == learner)

    def _learner_results(self, learner: str) -> list[dict[str, Any]]:
        return [result for unit, result in zip(self.units, self.results, strict=True) if unit["learner"] == learner]

    @staticmethod
    def _format_cell(cell: StudyCell, what: str) -> str:
        return f"{cell.worth:.0f} of {cell.repeats * RECORDS}" if what == "worth" else format_rate(getattr(cell, what))

    def table(self, what: str = "naive", side: str = "less") -> Table:
        """Return the table of one result: "naive" (exact test on all classifications), "corrected" (t-test) or "worth"."""
        title = {
            "naive": f"Exact test on all L N classifications ({side}): share of data sets on which a true H0 is rejected, ± standard error",
            "corrected": f"Corrected t-test on the K L differences ({side}), the same data sets",
            "worth": f"How many independent classifications the L N are worth (N = {RECORDS})",
        }[what]
        cells = {(learner, k): [self.cell(learner, k, repeats, side) for repeats in REPEATS] for learner in LEARNERS for k in FOLDS}
        lines = [[learner, str(k), *(self._format_cell(cell, what) for cell in row)] for (learner, k), row in cells.items()]
        return Table(self.heads, lines, title)

    @property
    def blocked_table(self) -> Table:
        """Table of the 5x2 BCV McNemar test on the same data sets, with the accuracy of each learner."""
        lines = [[learner, f"{self.accuracy(learner):.3f}", format_rate(self.blocked(learner))] for learner in LEARNERS]
        return Table(("learner", "accuracy", "rejected"), lines, "5x2 BCV McNemar's test (two-sided), the same data sets")


def fold_study(*, data_sets: int = DATA_SETS, seed: int = SEED, at_once: int = AT_ONCE, **running: Any) -> FoldStudy:
    """Compute the whole study again, in units of work; with a `store`, an interrupted computation continues from the stored units."""
    total, size = (check.count(1)(value, name) for value, name in ((data_sets, "data_sets"), (at_once, "at_once")))
    units = [{"learner": learner, "data_sets": chunk} for learner in LEARNERS for chunk in unit_sizes(total, size)]
    settings = {"records": RECORDS, "features": FEATURES, "apart": MEAN_DISTANCE, "folds": FOLDS, "repeats": REPEATS, "alpha": ALPHA}
    results = run(fold_tables_of_unit, units, arguments=settings, rng=seed, **running)
    stored_settings = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
    about = provenance(f"fstats reproduce contingency --again --save {STORED}", "numpy", "scipy", settings=stored_settings, seed=seed)
    return FoldStudy(about, units, results)


@cache
def stored() -> FoldStudy:
    """Return the study stored in the package."""
    return FoldStudy.stored(__package__, STORED)
