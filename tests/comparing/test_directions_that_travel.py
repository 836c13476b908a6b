"""Metric and direction go along through frames, files, scorers and pictures; what speaks against them is asked about."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_each_raises, assert_raises, parametrize
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeRegressor

import fstats
from fstats import Results
from fstats.core.metric_direction import is_loss_metric

ERRORS = np.random.default_rng(0).normal([1, 1.6, 2.4], 0.3, (9, 3))
NAMES = ["good", "bad", "worst"]
RNG = np.random.default_rng(1)
DATA = {f"d{k}": (x := RNG.normal(size=(60, 4)), x @ [1, 2, 0, 1] + RNG.normal(size=60) / 3) for k in range(6)}
MODELS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}


@pytest.mark.parametrize(("metric", "higher"), [("RMSE", False), ("ms", False), ("cost", True), ("accuracy", True)])
def test_frames_and_files_of_results(metric, higher, tmp_path):
    results = Results(ERRORS, classifiers=NAMES, metric=metric, higher_is_better=higher)
    results.to_csv(tmp_path / "scores.csv")
    frame = results.to_frame()
    for again in (Results.from_csv(tmp_path / "scores.csv"), Results(frame), Results(results.to_frame("long")), Results(frame.iloc[1:])):
        assert again.higher == {metric: higher}
    for found, wanted in (
        (fstats.Friedman(frame), fstats.Friedman(results)),
        (fstats.TukeyHSD(frame), fstats.TukeyHSD(results)),
        (fstats.PairedT(frame["good"], frame["bad"]), fstats.PairedT(results.select(classifiers=["good", "bad"]))),
        (fstats.PairedT(frame[["good", "bad"]]), fstats.PairedT(results.select(classifiers=["good", "bad"]))),
        (fstats.apply_test(fstats.SignTest, frame["good"], frame["bad"]), fstats.SignTest(results.select(classifiers=["good", "bad"]))),
    ):
        assert found.conclusion == wanted.conclusion
    expected = -fstats.PairedT(frame[["good", "bad"]]).better_sign
    assert fstats.PairedT(frame["good"], frame["bad"], higher_is_better=not higher).better_sign == expected


@pytest.mark.complete
@parametrize("scoring", "neg_root_mean_squared_error", {"rmse": "neg_root_mean_squared_error"}, {"err": "neg_mean_absolute_error"})
def test_scorers_of_losses_by_any_name(scoring, tmp_path):
    results = fstats.benchmark(MODELS, DATA, scoring=scoring, cv=3)
    found = {
        name: {model: cross_validate(one, *data, cv=3, scoring=scoring) for model, one in MODELS.items()} for name, data in DATA.items()
    }
    crossed = Results(found, metric=scoring if isinstance(scoring, str) else "score")
    results.to_csv(tmp_path / "scores.csv")
    for one in (results, crossed, Results.from_csv(tmp_path / "scores.csv"), Results(results.to_frame())):
        assert (one.scores > 0).all()
        assert not one.higher_is_better
        assert one.mean_ranks.tolist() == [1, 2]
        assert "ridge is better than tree in mean" in fstats.PairedT(one).conclusion


def test_a_scorer_called_as_a_loss_has_a_sign_before_it():
    def rmse(model, X, y):
        return np.sqrt(((y - model.predict(X)) ** 2).mean())

    words = "has the name of a loss, but higher values of a scorer must be better"
    assert_each_raises(lambda scoring: fstats.benchmark(MODELS, DATA, scoring=scoring, cv=3), (rmse, {"RMSE": rmse}), words)

    def by_hand(y, predicted):
        return np.abs(y - predicted).mean()

    results = fstats.benchmark(MODELS, DATA, scoring={"mae": make_scorer(by_hand, greater_is_better=False)}, cv=3)
    assert results.mean_ranks.tolist() == [1, 2]
    assert (results.scores > 0).all()
    assert_raises(lambda: fstats.benchmark(MODELS, DATA, cv=3), "scoring='accuracy' can be used only with classifiers; got a regressor")


@pytest.mark.parametrize("test", [fstats.PairedT, fstats.SignedRank, fstats.WelchT])
def test_signs_that_speak_against_a_name(test):
    a, b = ERRORS[:, 0], ERRORS[:, 1]
    for scores, metric, says in (
        ((-a, -b), "rmse", "scores of rmse .* below 0"),
        ((a, b), "neg_rmse", "scores of neg_rmse .* above 0"),
    ):
        with pytest.raises(ValueError, match=says):
            test(*scores, metric=metric)
        assert test(*scores, metric=metric, higher_is_better=metric == "rmse").better_sign == 1
    assert_raises(lambda: Results(ERRORS, metric="neg_rmse"), "neg_rmse must be below 0")
    turned = Results(-ERRORS, metric="rmse", classifiers=NAMES)
    assert turned.scores == pytest.approx(ERRORS)
    assert "All numbers of rmse were below 0: their signs were changed" in repr(turned)


def test_names_that_are_losses_are_asked_about():
    with pytest.raises(ValueError, match="svr_rmse, gbm_rmse, ols_rmse are names of losses"):
        fstats.Friedman(pd.DataFrame(ERRORS, columns=["svr_rmse", "gbm_rmse", "ols_rmse"]))
    a, b = pd.Series(ERRORS[:, 0], name="rmse_forest"), pd.Series(ERRORS[:, 1], name="rmse_tree")
    assert_raises(lambda: fstats.PairedT(a, b), "Write higher_is_better=False, or higher_is_better=True if")
    assert fstats.PairedT(a, b, higher_is_better=False).better_sign == 1


LOSSES = [
    "cross_entropy",
    "cross-entropy",
    "CrossEntropyLoss",
    "bits per byte",
    "NRMSE",
    "miss rate",
    "FPR",
    "Hamming",
    "AIC",
    "train_time",
]


@parametrize("name", *LOSSES, "WER")
def test_names_of_losses(name):
    assert is_loss_metric(name)
    assert not is_loss_metric(f"neg_{name}")
    assert not is_loss_metric(f"{name} improvement")


@pytest.mark.every_case
@pytest.mark.parametrize("head", ["dataset", "Data set", "id", "task_id", "n_samples", "rank", "std", "best", "mean", "epoch", "fit_time"])
def test_numbers_about_rows_are_no_classifiers(head):
    frame = pd.DataFrame(ERRORS, columns=NAMES).assign(**{head: [3, 31, 37, 44, 50, 54, 151, 182, 188]})
    assert_raises(lambda: fstats.Friedman(frame), rf"got the column '{head}', which is not a classifier. Write .*\.drop\(columns=")
    if head.lower().replace(" ", "") == "dataset":
        assert Results(frame).classifiers == tuple(NAMES)
    else:
        named = head in ("id", "task_id")  # of data sets, because no other column names them
        with nullcontext() if named else pytest.warns(UserWarning, match=f"The column '{head}' was ignored"):
            results = Results(frame)
        assert results.classifiers == tuple(NAMES)
        assert results.data_sets == (("3", "31", "37", "44", "50", "54", "151", "182", "188") if named else tuple("123456789"))


def test_means_and_seeds_are_no_data_sets():
    frame = pd.DataFrame(ERRORS, columns=NAMES, index=[*map(str, range(8)), "mean"])
    assert_raises(lambda: fstats.Friedman(frame), "got the row 'mean', a summary of the other rows")
    assert_raises(lambda: fstats.PairedT(frame["good"], frame["bad"]), "got the row 'mean'")
    results = Results(pd.DataFrame(ERRORS, columns=NAMES).assign(seed=range(9)))
    words = r"got 9 seeds of one data set. WelchT\(\*results\.seed_scores\[0\], unit='seed'\)"
    assert_each_raises(lambda test: test(results), (fstats.Friedman, fstats.Nemenyi, fstats.RepeatedAnova), words)
    two = results.select(classifiers=["good", "bad"])
    assert_raises(lambda: fstats.PairedT(two), "got 9 seeds of one data set")
    assert fstats.WelchT(*two.seed_scores[0], unit="seed").pvalue == fstats.WelchT(ERRORS[:, 0], ERRORS[:, 1]).pvalue


def test_results_keep_their_direction():
    a, b = ERRORS[:, 0], ERRORS[:, 1]
    with pytest.raises(TypeError, match=r"`metrics=` can be used only with models; got scores\. Write `metric="):
        fstats.multiverse(a, b, metrics="RMSE", progress=False)
    found = fstats.multiverse(a, b, metric="RMSE", labels=["good", "bad"], progress=False)
    assert found.plot().xlabel.endswith("bad - good")
    assert fstats.multiverse(-a, -b, labels=["good", "bad"], progress=False).plot().xlabel.endswith("good - bad")
    results = fstats.benchmark(MODELS, DATA, scoring="r2", cv=3)
    expected = str(fstats.report(fstats.PairedT(results), setup=True))
    assert str(fstats.report(fstats.apply_test(fstats.PairedT, results), setup=True)) == expected


# names with negations, complements, changes, explanations in brackets, and words of both directions
LOWER_IS_BETTER = (
    "negative log likelihood | negative log-likelihood | negative_log_likelihood | neg. log-likelihood | neg log likelihood | nll | "
    "NegLogLik | neg_log_likelihood | -log likelihood | minus log likelihood | negative ELBO | -ELBO | neg elbo | log loss | "
    "log-likelihood (negative) | inverse accuracy | accuracy drop | drop in accuracy | accuracy gap | performance drop | AUC loss | "
    "error of AUC | relative error | % wrong | wrong | incorrect | mistakes | number of errors | failures | n_errors | no_errors | "
    "errors per 1000 | residual | distance | edit distance | rank loss | mean average precision error | top-5 err | err@1 | 1-F1 | "
    "1-AUC | 1 - NDCG | 1-accuracy | 100-accuracy | 100 - acc | 1 - balanced accuracy | 1-macro F1 | 1 − AUC | 1 minus AUC | "
    "one_minus_auc | 1-R² | 1-r2 | 1 - NDCG@10 | error (1 - accuracy) | error = 1 - acc | loss of accuracy | accuracy loss | "
    "reduction in accuracy | accuracy drop (%) | relative accuracy decrease | negative accuracy | neg_accuracy | "
    "false positive rate | false negative rate | FPR | FNR | false discovery rate | train_time | time to accuracy 0.9 | "
    "misclassification rate | Brier score | exact match error | top1 error | word error rate | balanced error rate | Hamming loss | "
    "negative_likelihood_ratio | generalization gap | optimality gap | mean rank | cost (accuracy) | WER (%) | "
    "error rate (negative class) | area under the error curve | inaccuracy | failure rate | acc_err | test/loss | cross_entropy | "
    "bits per byte | MAPE | sMAPE | Average loss | Fehlerrate | perte | -accuracy | F1 drop | drop_accuracy | calibration error | "
    "expected calibration error (ECE) | 1 - accuracy (%) | test 1 - accuracy"
)
HIGHER_IS_BETTER = (
    "error_free_rate | non_error_rate | 1-error | 1 - error rate | 100 - error | error-free rate | neg_log_loss | "
    "neg_mean_squared_error | neg_brier_score | neg_rmse | neg_root_mean_squared_error | neg_negative_likelihood_ratio | "
    "positive_likelihood_ratio | log_likelihood | ELBO | error reduction | Reduction in error (higher is better) | "
    "Reduction in error | error rate reduction | drop in error | error drop | decrease in loss | accuracy | acc | test/acc | "
    "1-NN accuracy | 1-shot accuracy | top-1 accuracy | top-1-accuracy | rouge-1 | ROUGE-1 F | mean reciprocal rank | "
    "Spearman rank correlation | distance correlation | time-dependent AUC | rank accuracy | true negative rate | "
    "negative predictive value | F1 (negative) | F1 negative | recall (negative class) | accuracy on negative class | "
    "accuracy (error) | accuracy improvement | loss improvement | information gain | skill | Brier skill score | specificity | "
    "average precision | worst-case accuracy | MRR | pass@1 | success_rate | win_rate | tpr_at_5_fpr | noise reduction accuracy | "
    "mean decrease accuracy | time saved | speedup | r2 | NDCG@10 | gap closed | no error rate | accuracy of fault/error detection | "
    "AUC of error detection | accuracy under 10% error | inverse problem accuracy | negative MSE | negative mean absolute error | "
    "-MSE | -log loss | minus error | neg RMSE | score | F1 | 1-step accuracy"
)


@parametrize("names, lower", (LOWER_IS_BETTER, True), (HIGHER_IS_BETTER, False))
def test_directions_of_names_are_read_as_words(names, lower):
    assert [name for name in names.split(" | ") if is_loss_metric(name) is not lower] == []


def table_of(metric, scores):
    """A long table with the scores of three classifiers on nine data sets."""
    lines = [f"set {chr(97 + row)},{model},{scores[row, k]:.3f}" for row in range(9) for k, model in enumerate(NAMES)]
    return "\n".join([f"dataset,method,{metric}", *lines])


@parametrize("name", "negative log likelihood", "1-AUC", "accuracy drop", "neg_log_likelihood", "error_free_rate", "1-error")
def test_a_reversed_metric_names_the_right_winner(name):
    results = Results.from_csv(table_of(name, ERRORS / 10 if is_loss_metric(name) else 1 - ERRORS / 10))
    assert results.metric == name
    assert NAMES[int(results.mean_ranks.argmin())] == "good"
    assert results.reading.directions[name].endswith("by its name")


@pytest.mark.filterwarnings("ignore:.*print.results.reading")
@parametrize(
    "title, lower",
    ("Reduction in error (higher is better)", False),
    ("Table 2: Error rate (higher is better)", False),
    ("Table 2: quality (lower is better)", True),
    ("1 - accuracy", True),
    ("Table 3: 1-AUC", True),
    ("error-free rate", False),
    ("Accuracy of five loss functions", False),
    ("Table 4: Accuracy and standard error", False),
    ("Table 3: Error rates", True),
    ("loss_function_comparison.csv", False),
    ("trial_and_error.csv", False),
    ("no_error_final.csv", False),
    ("error_rates.csv", True),
)
def test_a_title_or_a_file_name_says_the_direction(title, lower, tmp_path):
    scores = np.round(ERRORS / 10 if lower else 1 - ERRORS / 10, 3)
    text = "\n".join(["\t".join(["dataset", *NAMES]), *("\t".join([f"set {k}x", *map(str, row)]) for k, row in enumerate(scores))])
    file = tmp_path / (title if title.endswith(".csv") else "table.csv")
    file.write_text(text if title.endswith(".csv") else f"{title}\n{text}", encoding="utf-8")
    results = Results.from_csv(file)
    assert results.higher_is_better is not lower
    assert NAMES[int(results.mean_ranks.argmin())] == "good"


@parametrize("name", "negative quality", "1 - quality", "inverse quality")
def test_a_reversed_name_without_a_known_metric_is_asked_about(name):
    with pytest.warns(UserWarning, match="Write higher_is_better=False"):
        results = Results.from_csv(table_of(name, 1 - ERRORS / 10))
    assert "higher_is_better=False if lower is better" in str(results.direction_question)


def test_a_negated_scorer_is_shown_as_a_loss_without_a_doubt():
    results = Results.from_csv(table_of("neg_mean_squared_error", -ERRORS))
    assert (results.metric, results.higher_is_better, results.reading.doubts) == ("mean_squared_error", False, ())
