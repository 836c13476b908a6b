"""Tables for the measures of the desk: scores of many classifiers, and predictions for many records."""

import numpy as np


def scores(classifiers: int = 40, data_sets: int = 200) -> str:
    """A row for each data set, as CSV; the classifiers differ."""
    values = np.random.default_rng(1).normal(0.8, 0.03, (data_sets, classifiers)) + np.linspace(0, 0.05, classifiers)
    lines = [",".join(["data set", *(f"c{j}" for j in range(classifiers))])]
    return "\n".join([*lines, *(f"d{i}," + ",".join(f"{value:.4f}" for value in row) for i, row in enumerate(values))])


def predictions(records: int = 100_000) -> str:
    """A row for each test record, as CSV: the true class, and the predictions of two models."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, records)
    columns = [np.where(rng.random(records) < share, truth, rng.integers(0, 3, records)).tolist() for share in (0.7, 0.71)]
    lines = (f"{k},{','.join(f'class {label}' for label in row)}" for k, row in enumerate(zip(truth.tolist(), *columns, strict=True)))
    return "\n".join(["record,y_true,first,second", *lines])
