"""Exercise on contingency tables and McNemar's test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....distributions.symmetric_binomial import SymmetricBinomial
from ..exercise_loader import load_exercise

KINDS = {"c": "cat", "d": "dog", "f": "fox"}  # with three classes, two wrong predictions for the same photograph can differ


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw 20 to 24 photographs: one classifier is better, and both tend to fail on the same photographs, sometimes differently."""
    while True:
        few, lead, neither, size = (int(x) for x in rng.integers([1, 4, 4, 20], [4, 10, 8, 25]))
        many, both = few + lead, size - 2 * few - lead - neither
        p = 2 * SymmetricBinomial(many + few).at_most(few)
        if both >= 5 and 0.01 < p < 0.3 and both * neither - few * many > size / 2 + 4:
            break
    cells = [neither, few, many, both]
    right_a, right_b = (np.repeat(bits, cells) for bits in rng.permutation([[0, 0, 1, 1], [0, 1, 0, 1]]))
    truth, slip = rng.integers(3, size=size), rng.integers(1, 3, size)
    # the two classifiers give different answers on about half of the photographs on which both are wrong
    other = np.where(np.arange(size) <= neither // 2, 3 - slip, slip)
    kinds, order = np.array(list(KINDS.values())), rng.permutation(size)
    says = truth, np.where(right_a, truth, (truth + slip) % 3), np.where(right_b, truth, (truth + other) % 3)
    return {name: kinds[column[order]].tolist() for name, column in zip(("y_true", "pred_a", "pred_b"), says, strict=True)}


EXERCISE = load_exercise(__package__, draw)
