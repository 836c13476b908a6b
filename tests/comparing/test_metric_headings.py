"""Metrics in headings of wide and long tables: which words are the metric, and which of several metrics is compared."""

import numpy as np
from shortcuts import assert_raises, parametrize

from fstats import Results

RNG = np.random.default_rng(5)
SCORES = np.round(RNG.uniform(0.65, 0.75, (12, 1)) + np.array([0, 0.03, 0.06]) + RNG.normal(0, 0.01, (12, 3)), 3)  # the last is the best
NAMES = ["Arbre", "Boost", "Chain"]
SETS = [f"set {chr(97 + row)}" for row in range(12)]


def wide(headings, scores=SCORES):
    """A table with a line for each data set."""
    lines = [",".join([SETS[row], *map(str, cells)]) for row, cells in enumerate(scores.tolist())]
    return "\n".join([",".join(["dataset", *headings]), *lines])


@parametrize(
    "heading, metric, higher",
    ("{} (tasa de error)", "tasa de error", False),
    ("{} (taux d'erreur)", "taux d'erreur", False),
    ("{} (test error)", "test error", False),
    ("{}_test_error", "test_error", False),
    ("{} val loss", "val loss", False),
    ("{} cross entropy", "cross entropy", False),
    ("{} Hamming loss", "Hamming loss", False),
    ("{} top-1 error", "top-1 error", False),
    ("{} mean squared error", "mean squared error", False),
    ("{} negative log likelihood", "negative log likelihood", False),
    ("{} 1 - AUC", "1 - AUC", False),
    ("{} 1-accuracy", "1-accuracy", False),
    ("{} drop in accuracy", "drop in accuracy", False),
    ("{} RMSE ↓", "RMSE ↓", False),
    ("{} ↓", "score", False),
    ("{} balanced accuracy", "balanced accuracy", True),
    ("{} ROC AUC", "ROC AUC", True),
    ("{} Acc ↑", "Acc ↑", True),
    ("{} forest accuracy", "accuracy", True),
)
def test_all_words_of_a_metric_are_taken_off_the_classifier(heading, metric, higher):
    results = Results.from_csv(wide([heading.format(name) for name in NAMES], SCORES if higher else np.round(1 - SCORES, 3)))
    assert results.classifiers == tuple(f"{name} forest" if "forest" in heading else name for name in NAMES)
    assert (results.metric, results.higher_is_better) == (metric, higher)
    assert results.classifiers[int(results.mean_ranks.argmin())].startswith("Chain")


@parametrize(
    "headings",
    ["focal loss", "hinge loss", "log loss"],
    ["cross-entropy loss", "dice loss", "focal loss"],
    ["triplet loss", "contrastive loss", "softmax loss"],
)
def test_loss_functions_may_be_compared_by_a_score(headings):
    assert_raises(lambda: Results.from_csv(wide(headings)), "higher_is_better=True if the numbers are scores")
    for higher, scores in ((True, SCORES), (False, np.round(1 - SCORES, 3))):
        results = Results.from_csv(wide(headings, scores), higher_is_better=higher)
        assert results.classifiers[int(results.mean_ranks.argmin())] == headings[2]
