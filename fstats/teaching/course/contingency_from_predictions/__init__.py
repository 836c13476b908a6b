"""Exercise: from the predictions of two classifiers to the contingency table and McNemar's tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....distributions.symmetric_binomial import SymmetricBinomial
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import ACCURACIES, TABLE, VARIANTS, FromPredictions

KINDS = {"c": "cat", "d": "dog", "f": "fox"}  # three, so that two classifiers can be wrong in different ways


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Twenty to 24 photographs: one classifier leads, and both tend to fail on the same ones, now and then in different ways."""
    while True:
        few, lead, neither, size = (int(x) for x in rng.integers([1, 4, 4, 20], [4, 10, 8, 25]))
        many, both = few + lead, size - 2 * few - lead - neither
        p = 2 * SymmetricBinomial(many + few).at_most(few)
        if both >= 5 and 0.01 < p < 0.3 and both * neither - few * many > size / 2 + 4:
            break
    cells = [neither, few, many, both]
    right_a, right_b = (np.repeat(bits, cells) for bits in rng.permutation([[0, 0, 1, 1], [0, 1, 0, 1]]))
    truth, slip = rng.integers(3, size=size), rng.integers(1, 3, size)
    other = np.where(np.arange(size) <= neither // 2, 3 - slip, slip)  # where both are wrong: half of them in different ways
    kinds, order = np.array(list(KINDS.values())), rng.permutation(size)
    says = truth, np.where(right_a, truth, (truth + slip) % 3), np.where(right_b, truth, (truth + other) % 3)
    return {name: kinds[column[order]].tolist() for name, column in zip(("y_true", "pred_a", "pred_b"), says, strict=True)}


EXERCISE = Exercise(
    name="contingency_from_predictions",
    test=FromPredictions,
    given={
        "y_true": [KINDS[kind] for kind in "cffffcdfdcddcccffcdddcdf"],
        "pred_a": [KINDS[kind] for kind in "cfcdccdfdccddccdfcdddcdd"],
        "pred_b": [KINDS[kind] for kind in "fcfcccdfddffcffcdfdddfdd"],
    },
    draw=draw,
    questions=(
        Question("q1", "right_a", TABLE),
        Question("q2", "table", TABLE),
        Question("q3", "n01", TABLE),
        Question("q4", "difference", ACCURACIES),
        Question("q5", "n", TABLE),
        Question("q6", "pvalue", TABLE),
        Question("q7", "reject", TABLE),
        Question("q8", "one_way", ACCURACIES),
        Choice(
            "q9",
            "Add 1000 photographs that both classifiers get right. What happens to the exact p-value?",
            (
                Option("It stays as it is.", "Only the discordant photographs enter it; these say nothing about which one is better."),
                Option(
                    "It becomes smaller.",
                    "More records help only where they tell the two apart: n, n01 and n10 are what they were.",
                    "more records, smaller p",
                ),
                Option(
                    "It becomes larger.",
                    "The accuracies come closer to each other, but the test does not compare them: n, n01 and n10 are what they were.",
                    "p read from the accuracies",
                ),
            ),
            ACCURACIES,
        ),
        Question("q10", "chi_squared", VARIANTS),
        Question("q11", "approximate_pvalue", VARIANTS),
        Choice(
            "q12",
            "Two tests of the same hypothesis, two p-values. Which one do you report?",
            (
                Option(
                    "The one that was chosen before the data were seen.",
                    "And with so few discordant photographs choose the exact one: the curve of chi-squared only imitates the coins.",
                ),
                Option(
                    "The smaller one: it makes better use of the data.",
                    "Whoever takes the smaller of two p-values rejects true hypotheses more often than alpha says.",
                    "the more convenient p-value",
                ),
                Option(
                    "The one of chi-squared: its correction makes it exact.",
                    "The correction brings the curve closer to the coins; it remains an "
                    "approximation, which needs many discordant records to be good.",
                    "an approximation taken for exact",
                ),
            ),
            VARIANTS,
        ),
    ),
    mistakes=written_in(__package__),
)
