"""The two open questions: is the exact test valid after K-fold cross-validation, and on L times N classifications?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core import check
from ...core.value import Array
from ...procedures.resampling.bcv_mcnemar import BlockedFiveByTwoMcNemar
from ...procedures.resampling.blocks import halves
from ...procedures.resampling.corrected_resampled_t import CorrectedResampledT
from ...render.table import Table
from ...running.versions import versions
from ...simulate.run import run
from .learners import LEARNERS, Folds, Right
from .power import tail_of
from .simulation import rejected

RECORDS, FEATURES, APART = 120, 2, 1.0  # half of each class; features of each learner; distance of the classes along each feature
FOLDS, REPEATS, ALPHA = (2, 5, 10), (1, 2, 5, 10, 30), 0.05
DATA_SETS, AT_ONCE, SEED = 2000, 100, 2003
STORED = "folds.json"
SIDES = ("less", "two-sided")


def draw(rng: np.random.Generator, data_sets: int) -> tuple[Array, NDArray[np.int64]]:
    """Data sets with the features of A and of B, shape (2, data sets, records, features), and the classes of the records.

    All features have the same law and are independent, so that exchanging those of A with those of B changes nothing: one learner that
    sees the first half and the same learner that sees the second have the same true error, whatever the learner is.
    """
    y = np.tile([0, 1], RECORDS // 2)
    x = rng.normal(size=(2, data_sets, RECORDS, FEATURES)) + APART * (y - 0.5)[:, np.newaxis]
    return x, y


def partitions(rng: np.random.Generator, data_sets: int, folds: int, repeats: int) -> Folds:
    """Random disjoint partitions into folds of equal size: the fold of each record, shape (data sets, repeats, records)."""
    dealt = np.tile((np.arange(RECORDS) % folds).astype(np.int8), (data_sets, repeats, 1))
    return rng.permuted(dealt, axis=2)


def blocked(rng: np.random.Generator, data_sets: int) -> Folds:
    """Five times two halves made of eight blocks, as the 5x2 BCV McNemar test wants them."""
    block = partitions(rng, data_sets, 8, 1)[:, 0]
    return np.stack([np.isin(block, second).astype(np.int8) for _, second in halves(5)], 1)


def judged(unit: Mapping[str, Any], seed: np.random.SeedSequence) -> dict[str, Any]:
    """One unit: some data sets, one learner on both halves of the features, all K and L, and on how many data sets each test rejects."""
    learner, data_sets = LEARNERS[unit["learner"]], int(unit["data_sets"])
    rng = np.random.default_rng(seed)
    x, y = draw(rng, data_sets)
    accuracy = 0.0
    found: dict[str, Any] = {}
    for folds in FOLDS:
        fold = partitions(rng, data_sets, folds, max(REPEATS))
        a, b = (learner(one, y, fold) for one in x)
        accuracy += float((a.mean() + b.mean()) / 2 / len(FOLDS))
        for repeats in REPEATS:
            found[f"K={folds} L={repeats}"] = _counted(a[:, :repeats], b[:, :repeats], fold[:, :repeats], folds)
    fold = blocked(rng, data_sets)
    a, b = (learner(one, y, fold) for one in x)
    found["5x2 BCV"] = int(BlockedFiveByTwoMcNemar(_tables(a, b, fold), alpha=ALPHA).reject.sum())
    return {"accuracy": round(accuracy, 6), **found}


def _counted(a: Right, b: Right, fold: Folds, folds: int) -> dict[str, Any]:
    """What the naive test and the corrected t-test decide, and how far s - f strays."""
    s, f = (b & ~a).sum((1, 2)), (a & ~b).sum((1, 2))
    won = a.astype(np.int8) - b
    differences = np.array([(won * (fold == k)).sum(2) for k in range(folds)]) / (RECORDS // folds)  # folds, data sets, repetitions
    d = differences.transpose(2, 0, 1).reshape(-1, len(a))
    return {
        "naive": {side: int(rejected(s, f, tail_of(ALPHA, side), side).sum()) for side in SIDES},
        "corrected": {
            side: int(CorrectedResampledT(d, test_train_ratio=1 / (folds - 1), alternative=side, alpha=ALPHA).reject.sum())  # type: ignore[arg-type]
            for side in SIDES
        },
        "discordant": int((s + f).sum()),
        "squares": int(((s - f) ** 2).sum()),
    }


def _tables(a: Right, b: Right, fold: Folds) -> Array:
    """Ten tables of each data set: (repetition, fold, A wrong or right, B wrong or right, data set)."""
    cells = [[[(fold == k) & (a == i) & (b == j) for j in (0, 1)] for i in (0, 1)] for k in (0, 1)]
    tables: Array = np.array([[[cells[k][i][j].sum(2) for j in (0, 1)] for i in (0, 1)] for k in (0, 1)])  # k, i, j, data set, repetition
    return tables.transpose(4, 0, 1, 2, 3).astype(float)


# -- the whole study ---------------------------------------------------------------------------------------------------------
class Cell(NamedTuple):
    """One learner, K and L: how often a true H0 is rejected."""

    learner: str
    folds: int
    repeats: int
    naive: int  # rejections of the exact test on all L N classifications
    corrected: int  # of the corrected t-test on the K L differences
    data_sets: int
    inflation: float  # variance of s - f, in units of what the test takes it to be

    @property
    def rate(self) -> float:
        """Share of the data sets on which the exact test rejects."""
        return self.naive / self.data_sets

    @property
    def corrected_rate(self) -> float:
        """Share of the data sets on which the corrected t-test rejects."""
        return self.corrected / self.data_sets

    @property
    def worth(self) -> float:
        """How many independent classifications the L N classifications are worth."""
        return self.repeats * RECORDS / self.inflation


def standard_error(rejections: int, data_sets: int) -> float:
    """Monte Carlo standard error of a share, with half a rejection and half a non-rejection added: never 0."""
    share = (rejections + 0.5) / (data_sets + 1)
    return float(np.sqrt(share * (1 - share) / data_sets))


class FoldStudy:
    """How often a true H0 is rejected after K-fold cross-validation, repeated L times, for each learner."""

    heads: ClassVar[tuple[str, ...]] = ("learner", "K", *(f"L = {repeats}" for repeats in REPEATS))

    def __init__(self, about: Mapping[str, Any], units: list[dict[str, Any]], results: list[dict[str, Any]]) -> None:
        self.about, self.units, self.results = dict(about), units, results

    def cell(self, learner: str, folds: int, repeats: int, side: str = "less") -> Cell:
        """What is known of one learner, K and L."""
        if learner not in LEARNERS or folds not in FOLDS or repeats not in REPEATS or side not in SIDES:
            raise ValueError(
                f"the study has the learners {', '.join(LEARNERS)}; K = {', '.join(map(str, FOLDS))}; L = {', '.join(map(str, REPEATS))}; "
                f"the alternatives {' and '.join(SIDES)}; got {learner!r}, {folds}, {repeats}, {side!r}"
            )
        parts = [result[f"K={folds} L={repeats}"] for result in self._of(learner)]
        total = {name: sum(part[name] for part in parts) for name in ("discordant", "squares")}
        naive, corrected = (sum(part[test][side] for part in parts) for test in ("naive", "corrected"))
        return Cell(learner, folds, repeats, naive, corrected, self.data_sets(learner), total["squares"] / total["discordant"])

    def blocked(self, learner: str) -> int:
        """On how many data sets the 5x2 BCV McNemar test rejects (two-sided)."""
        return sum(result["5x2 BCV"] for result in self._of(learner))

    def accuracy(self, learner: str) -> float:
        """Mean accuracy of the learner."""
        return float(np.mean([result["accuracy"] for result in self._of(learner)]))

    def data_sets(self, learner: str) -> int:
        """Data sets on which the learner was compared."""
        return sum(unit["data_sets"] for unit in self.units if unit["learner"] == learner)

    def _of(self, learner: str) -> list[dict[str, Any]]:
        return [result for unit, result in zip(self.units, self.results, strict=True) if unit["learner"] == learner]

    def lines(self, what: str = "naive", side: str = "less") -> list[list[str]]:
        """The table's lines: a share and its standard error for each learner, K and L; or what the classifications are worth."""
        return [
            [learner, str(folds), *(self._told(self.cell(learner, folds, repeats, side), what) for repeats in REPEATS)]
            for learner in LEARNERS
            for folds in FOLDS
        ]

    @staticmethod
    def _told(cell: Cell, what: str) -> str:
        if what == "worth":
            return f"{cell.worth:.0f} of {cell.repeats * RECORDS}"
        count = {"naive": cell.naive, "corrected": cell.corrected}[what]
        return f"{count / cell.data_sets:.3f} ± {standard_error(count, cell.data_sets):.3f}"

    def table(self, what: str = "naive", side: str = "less") -> Table:
        """One table: `what` is "naive" (the exact test on all classifications), "corrected" (t-test) or "worth"."""
        title = {
            "naive": f"Exact test on all L N classifications ({side}): share of data sets on which a true H0 is rejected, ± standard error",
            "corrected": f"Corrected t-test on the K L differences ({side}), the same data sets",
            "worth": f"How many independent classifications the L N are worth (N = {RECORDS})",
        }[what]
        return Table(self.heads, self.lines(what, side), title)

    @property
    def blocked_table(self) -> Table:
        """The 5x2 BCV McNemar test on the same data sets, with the accuracy of each learner."""
        lines = []
        for learner in LEARNERS:
            count, total = self.blocked(learner), self.data_sets(learner)
            lines.append([learner, f"{self.accuracy(learner):.3f}", f"{count / total:.3f} ± {standard_error(count, total):.3f}"])
        return Table(("learner", "accuracy", "rejected"), lines, "5x2 BCV McNemar's test (two-sided), the same data sets")

    @property
    def provenance(self) -> str:
        """How the numbers came about."""
        about = self.about
        versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
        return f"made by `{about['command']}`, seed {about['seed']}, {about['time']}, {versions}"

    def save(self, path: Any) -> None:
        """Write the study: what it was made from, then a line for each unit."""
        lines = [
            json.dumps({"unit": unit, "result": result}, separators=(",", ":"))
            for unit, result in zip(self.units, self.results, strict=True)
        ]
        text = '{"about": ' + json.dumps(self.about) + ',\n"units": [\n' + ",\n".join(lines) + "\n]}\n"
        Path(path).write_text(text, encoding="utf-8")


def fold_study(
    *, data_sets: int = DATA_SETS, seed: int = SEED, at_once: int = AT_ONCE, jobs: int = 1, store: Any = None, progress: bool = True
) -> FoldStudy:
    """Make the whole study again, in units that survive a crash if a `store` is named."""
    total, size = (check.count(1)(value, name) for value, name in ((data_sets, "data_sets"), (at_once, "at_once")))
    chunks = [size] * (total // size) + [total % size] * (total % size > 0)
    units = [{"learner": learner, "data_sets": chunk} for learner in LEARNERS for chunk in chunks]
    settings = {"records": RECORDS, "features": FEATURES, "apart": APART, "folds": FOLDS, "repeats": REPEATS, "alpha": ALPHA}
    results = run(judged, units, arguments=settings, rng=seed, jobs=jobs, store=store, progress=progress)
    about = {
        "command": f"fstats reproduce contingency --again --save {STORED}",
        "seed": seed,
        "time": datetime.now(UTC).date().isoformat(),
        "versions": versions("numpy", "scipy"),
        "settings": {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()},
    }
    return FoldStudy(about, units, results)


@cache
def stored() -> FoldStudy:
    """The study as it is kept in the package."""
    kept = json.loads((files(__package__) / "results" / STORED).read_text(encoding="utf-8"))
    return FoldStudy(kept["about"], [line["unit"] for line in kept["units"]], [line["result"] for line in kept["units"]])
