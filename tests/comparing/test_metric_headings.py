"""Metrics in headings of wide and long tables: which words are the metric, and which of several metrics is compared."""

import numpy as np
from shortcuts import assert_raises, parametrize

import fstats
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


def long(heads, cells):
    """A table with a line for each classifier on each data set; the cells of the columns follow from row and column."""
    lines = [",".join([SETS[i], NAMES[j], *(str(cell(i, j)) for cell in cells)]) for i in range(12) for j in range(3)]
    return "\n".join([",".join(["dataset", "method", *heads]), *lines])


def reversed_score(i, j):
    """A score in which the worst classifier is the best."""
    return round(SCORES[i, 2 - j] + 0.15, 3)


@parametrize(
    "first, metric",
    ("train_acc", "test_acc"),
    ("train_loss", "test_loss"),
    ("fit_time", "accuracy"),
    ("score_time", "test_score"),
    ("Runtime", "test/acc"),
    ("duration", "f1"),
    ("cost_usd", "accuracy"),
    ("memory_mb", "accuracy"),
    ("val_acc", "test_acc"),
)
def test_the_desk_compares_test_scores_and_names_the_other_metrics(first, metric):
    scores = SCORES if "loss" not in metric else np.round(1 - SCORES, 3)
    desk = fstats.desk(long([first, metric], [reversed_score, lambda i, j: scores[i, j]]))
    assert desk.results.metric == metric
    assert desk.results.classifiers[int(desk.results.mean_ranks.argmin())] == "Chain"
    assert any(note.startswith(f"Compared by {metric}. The table also holds {first} (") for note in desk.view["notes"])
    for stated in ({"metric": first}, {"roles": {first: "score"}}):
        assert desk.comparison.with_settings(**stated).results.metric == first


def test_training_and_test_scores_of_each_classifier_are_two_metrics():
    heads = [f"{name} {part} acc" for name in ("RF", "SVM") for part in ("train", "test")]
    desk = fstats.desk(wide(heads, np.c_[SCORES[:, 1] + 0.2, SCORES[:, 0], SCORES[:, 1] + 0.1, SCORES[:, 1]].round(3)))
    assert desk.results.classifiers == ("RF", "SVM")
    assert (desk.results.metric, desk.results.mean_ranks.argmin()) == ("test acc", 1)
