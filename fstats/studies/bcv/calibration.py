"""Calibration of the nearest neighbour: as good as the decision tree (lambda = 0) up to its best setting (lambda = 1).

The paper says that training sets have n = 300 records.  Its printed error rates of EXP6 are the rates after training on 150 records, as
in a two-fold cross-validation (:func:`fstats.studies.bcv.exp6_readings`).  The study computes results for 300 and for 150 records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...simulate.bcv_paper_sources import letter_weights
from ...simulate.simulation_classifiers import NearestNeighbour
from ...simulate.training_sources import error_rate
from .bcv_design import LAMBDAS, unit_seed
from .source_factory import make_source

# source -> settings of nearest neighbour whose error rates are measured; the last setting has the lowest error rate
GRIDS = {"EXP6": (0.12, 0.17, 0.23, 0.31, 0.42, 0.56, 0.75, 1.0), "letter": (50.0, 30.0, 18.0, 10.0, 6.0, 3.5, 1.9, 1.0)}
CALIBRATION_DATA_SETS = 200


def weights_of(name: str, value: float) -> tuple[float, ...]:
    """Return the weights of the features in the distance between records."""
    return (value, 1 / value) if name == "EXP6" else letter_weights(value)


def error_sums_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None) -> dict[str, Any]:
    """Compute one unit: number of errors on the whole population after training, summed over the data sets of the unit."""
    own = unit_seed(dict(unit), seed)
    source = make_source(unit["source"], unit["values"][-1], data_dir)
    learners = [source.learners[0], *(NearestNeighbour(weights_of(unit["source"], value)) for value in unit["values"])]
    drawn = source.draw(np.random.default_rng(own), unit["data_sets"], unit["n"])
    errors = np.array([[error_rate(learner, source.records, data) for learner in learners] for data in drawn])
    counts = np.rint(errors * len(source.records[1])).astype(np.int64)
    return {
        "sum": counts.sum(0).tolist(),
        "squares": (counts**2).sum(0).tolist(),
        # sums of squared differences between the tree's count and the count of each nearest neighbour
        "apart": ((counts[:, :1] - counts[:, 1:]) ** 2).sum(0).tolist(),
    }


class MeanErrorRates:
    """Mean error rates of the tree and of nearest neighbours, with standard errors."""

    def __init__(self, results: Sequence[Mapping[str, Any]], data_sets: int, population: int) -> None:
        sums = (np.array([result[name] for result in results], float).sum(0) for name in ("sum", "squares", "apart"))
        total, squares, squared_differences = sums
        self.data_sets = m = data_sets
        mean = total / m
        sd = np.sqrt((squares - m * mean**2) / (m - 1))
        self.tree, self.nearest = mean[0] / population, mean[1:] / population
        self.se_tree, self.se_nearest = sd[0] / population / np.sqrt(m), sd[1:] / population / np.sqrt(m)
        self.se_difference = np.sqrt((squared_differences - m * (mean[0] - mean[1:]) ** 2) / (m - 1) / m) / population

    def to_dict(self, values: Sequence[float]) -> dict[str, Any]:
        """Return the rates as plain values for JSON."""
        columns = {"errors": self.nearest, "se": self.se_nearest, "se_difference": self.se_difference}
        nearest = {name: [round(float(x), 6) for x in column] for name, column in columns.items()}
        tree = {"error": round(float(self.tree), 6), "se": round(float(self.se_tree), 6)}
        return {"data_sets": self.data_sets, "tree": tree, "values": list(values), "nearest": nearest}


def error_curve(grid: Sequence[float], errors_: Any) -> Any:
    """Fit a smooth curve to the measured error rates: a polynomial of the logarithm of the setting."""
    return np.polynomial.Polynomial.fit(np.log(grid), errors_, 4)


def error_difference(calibration: Mapping[str, Any], value: float) -> float:
    """Return the error rate of the tree minus the error rate of the nearest neighbour at a setting, from a stored calibration."""
    return float(calibration["tree"]["error"] - error_curve(calibration["values"], calibration["nearest"]["errors"])(np.log(value)))


def setting_for_error(grid: Sequence[float], errors_: Any, target: float) -> float:
    """Return the setting at which the smooth curve of the nearest neighbour has the given error rate."""
    fine = np.linspace(np.log(min(grid)), np.log(max(grid)), 20_001)
    return float(f"{np.exp(fine[np.abs(error_curve(grid, errors_)(fine) - target).argmin()]):.4g}")


def settings_by_lambda(grid: Sequence[float], rates: MeanErrorRates) -> dict[str, float]:
    """Return the setting for each lambda: the error rate falls evenly from the tree's rate (lambda = 0) to the best rate (lambda = 1)."""
    best = float(error_curve(grid, rates.nearest)(np.log(grid[-1])))
    targets = {lam: rates.tree - float(lam) * (rates.tree - best) for lam in LAMBDAS[:-1]}
    return {lam: setting_for_error(grid, rates.nearest, target) for lam, target in targets.items()} | {LAMBDAS[-1]: grid[-1]}
