"""True error rates, and the settings of the nearest neighbour with which it is as good as wanted: lambda = 0, as good as the
tree; 1, its best.

Which training sets are meant?  The paper says: those of n = 300 records.  What it prints for EXP6 are the error rates after training on
150, half of the records, as in a two-fold cross-validation (:func:`fstats.studies.bcv.exp6_readings`).  Both readings are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...simulate.batch_classifiers import NearestNeighbour
from ...simulate.bcv_paper_sources import letter_weights
from ...simulate.training_sources import error_rate, nearest_neighbour_error_rates
from .bcv_design import LAMBDAS, unit_seed
from .source_factory import make_source

GRIDS = {  # settings at which error rates are looked at first; the last is the nearest neighbour's best
    "EXP6": (0.12, 0.17, 0.23, 0.31, 0.42, 0.56, 0.75, 1.0),
    "letter": (50.0, 30.0, 18.0, 10.0, 6.0, 3.5, 1.9, 1.0),
}
CALIBRATION_DATA_SETS = 200  # data sets of that first look


def weights_of(name: str, value: float) -> tuple[float, ...]:
    """Weights of the features in the distance."""
    return (value, 1 / value) if name == "EXP6" else letter_weights(value)


def error_sums_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None) -> dict[str, Any]:
    """One unit: errors on the whole population after training on some data sets, as sums: of the tree, of each nearest neighbour."""
    own = unit_seed(dict(unit), seed)
    source = make_source(unit["source"], unit["values"][-1], data_dir)
    tree, _ = source.learners
    others = [NearestNeighbour(weights_of(unit["source"], value)) for value in unit["values"]]
    a, b = [], []
    for data in source.draw(np.random.default_rng(own), unit["data_sets"], unit["n"]):
        a.append(error_rate(tree, source.records, data))
        b.append(nearest_neighbour_error_rates(others, source.records, data))
    wrong = np.column_stack([a, b]) * len(source.records[1])
    whole = np.rint(wrong).astype(np.int64)
    return {
        "sum": whole.sum(0).tolist(),
        "squares": (whole**2).sum(0).tolist(),
        "apart": ((whole[:, :1] - whole[:, 1:]) ** 2).sum(0).tolist(),  # of tree and nearest neighbour
    }


class MeanErrorRates:
    """Mean error rates of the tree and of nearest neighbours, with standard errors."""

    def __init__(self, results: Sequence[Mapping[str, Any]], data_sets: int, population: int) -> None:
        total, squares, apart = (np.array([result[name] for result in results], float).sum(0) for name in ("sum", "squares", "apart"))
        self.data_sets = m = data_sets
        mean = total / m
        sd = np.sqrt((squares - m * mean**2) / (m - 1))
        self.tree, self.nearest = mean[0] / population, mean[1:] / population
        self.se_tree, self.se_nearest = sd[0] / population / np.sqrt(m), sd[1:] / population / np.sqrt(m)
        self.se_difference = np.sqrt((apart - m * (mean[0] - mean[1:]) ** 2) / (m - 1) / m) / population

    def told(self, values: Sequence[float]) -> dict[str, Any]:
        """As plain values, to be stored."""
        found = {"errors": self.nearest, "se": self.se_nearest, "se_difference": self.se_difference}
        nearest = {name: [round(float(x), 6) for x in each] for name, each in found.items()}
        tree = {"error": round(float(self.tree), 6), "se": round(float(self.se_tree), 6)}
        return {"data_sets": self.data_sets, "tree": tree, "values": list(values), "nearest": nearest}


def error_curve(grid: Sequence[float], errors_: Any) -> Any:
    """A smooth curve of error rates through what was measured, by the logarithm of the setting."""
    return np.polynomial.Polynomial.fit(np.log(grid), errors_, 4)


def error_difference(one: Mapping[str, Any], value: float) -> float:
    """From a stored calibration: error rate of the tree less that of the nearest neighbour at a setting."""
    return float(one["tree"]["error"] - error_curve(one["values"], one["nearest"]["errors"])(np.log(value)))


def setting_for_error(grid: Sequence[float], errors_: Any, target: float) -> float:
    """The setting with which the nearest neighbour errs as often as wanted: on a smooth curve through what was measured."""
    fine = np.linspace(np.log(min(grid)), np.log(max(grid)), 20_001)
    return float(f"{np.exp(fine[np.abs(error_curve(grid, errors_)(fine) - target).argmin()]):.4g}")


def settings_by_lambda(grid: Sequence[float], found: MeanErrorRates) -> dict[str, float]:
    """The setting for each lambda: from as many errors as the tree's to the fewest."""
    best = float(error_curve(grid, found.nearest)(np.log(grid[-1])))
    targets = {lam: found.tree - float(lam) * (found.tree - best) for lam in LAMBDAS[:-1]}
    return {lam: setting_for_error(grid, found.nearest, target) for lam, target in targets.items()} | {LAMBDAS[-1]: grid[-1]}
