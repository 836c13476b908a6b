"""Inputs that look like something else are asked about, or the answer says so."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises

import fstats

A, B = np.round(np.random.default_rng(8).uniform(0.6, 0.9, (2, 12)), 2)


@pytest.mark.parametrize("test", [fstats.PairedT, fstats.SignedRank, fstats.SignTest, fstats.WelchT, fstats.RankSum])
@pytest.mark.parametrize(("alpha", "meant"), [(0.95, "0.05"), (0.99, "0.01"), (0.9, "0.1"), (0.999, "0.001")])
def test_a_confidence_is_no_level(test, alpha, meant):
    assert_raises(lambda: test(A, B, alpha=alpha), rf"`alpha` must be at most 0.5, .* got {alpha}. Write alpha={meant} for")


def test_a_level_of_one_half_is_one():
    assert fstats.PairedT(A, B, alpha=0.5).alpha == 0.5
    assert_raises(lambda: fstats.Friedman(np.c_[A, B, A], alpha=0.95), r"alpha=0\.05")


@pytest.mark.parametrize("test", [fstats.PairedT, fstats.SignedRank, fstats.WelchT, fstats.EquivalenceT, fstats.BayesianSignTest])
def test_percent_beside_fractions(test):
    more = {"margin": 1.0} if test is fstats.EquivalenceT else {"rope": 0.1} if test is fstats.BayesianSignTest else {}
    for one, other in ((100 * A, B), (A, 100 * B)):
        with pytest.raises(
            ValueError,
            match=r"in one unit; got [AB] from .* Divide the scores of .* by 100. .* `metric='seconds'",
        ):
            test(one, other, **more)
        assert test(one, other, metric="seconds", **more).metric == "seconds"
        with pytest.raises(ValueError, match="in one unit"):
            test(one, other, metric="accuracy", **more)
    test(100 * A, 100 * B, **more)


def test_one_column_in_percent():
    for test in (fstats.Friedman, fstats.RepeatedAnova, fstats.Pairwise, fstats.TukeyHSD, fstats.BradleyTerry):
        with pytest.raises(ValueError, match=r"got svm .*, perhaps in percent"):
            test(np.c_[A, 100 * B, A], labels=["forest", "svm", "tree"])


def test_arguments_of_clusters_in_another_order():
    clusters = np.repeat([4, 7, 9, 12], 3)
    right, wrong = (A > 0.75).astype(int), (B > 0.75).astype(int)
    for given in ((clusters, right, wrong), (clusters, A, B)):
        with pytest.raises(
            ValueError,
            match=(
                r"`clusters` must name the cluster of each record, not scores; got .*. Write "
                r"`ClusteredDifference\(a, b, clusters\)"
            ),
        ):
            fstats.ClusteredDifference(*given)
    few = fstats.ClusteredDifference(A, B, clusters)
    assert "With so few clusters, p is right only if they are about equally large (the largest has 3 records)" in few.conclusion
    assert "so few clusters" not in fstats.ClusteredDifference(A, B, range(12)).conclusion


@pytest.mark.parametrize("head", ["index", "level_0", "Unnamed: 0"])
def test_an_old_index_is_no_classifier(head, tmp_path):
    for numbers in (range(12), range(5, 17), [*range(6), *range(8, 14)]):
        frame = pd.DataFrame({head: numbers, "forest": A, "svm": B, "tree": A - 0.1})
        with pytest.raises(ValueError, match=rf"got the column '{head}', which numbers the rows. Write .*\.drop\(columns="):
            fstats.Friedman(frame)
        assert fstats.Results(frame).classifiers == ("forest", "svm", "tree")
    frame.to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(ValueError, match=r"no column names the data sets, so nothing says what the 12 lines are. Write data_set='line' if"):
        fstats.Results.from_csv(tmp_path / "scores.csv")
    assert fstats.Results.from_csv(tmp_path / "scores.csv", data_set="line").classifiers == ("forest", "svm", "tree")


@pytest.mark.complete
@pytest.mark.parametrize("metric", ["auc", "log_loss", "brier", "average_precision"])
def test_classes_where_probabilities_are_taken(metric):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    classes, soft = np.where(rng.random(60) < 0.8, y, 1 - y), np.clip(0.6 * y + rng.uniform(0, 0.4, 60), 0.01, 0.99)
    said = fstats.PairedBootstrap(y, soft, classes, metric=metric, draws=200).conclusion
    assert "The predictions of B are only 0 and 1, like classes, but " in said
    assert "only 0 and 1" not in fstats.PairedBootstrap(y, soft, soft**2, metric=metric, draws=200).conclusion
    assert "only 0 and 1" not in fstats.PairedBootstrap(y, classes, 1 - classes, metric="accuracy", draws=200).conclusion
    if metric == "auc":
        assert "The predictions of B are only 0 and 1" in fstats.DeLong(y, soft, classes).conclusion
        assert "The predictions of B are only 0 and 1" in str(fstats.report(fstats.DeLong(y, soft, classes)))


@pytest.mark.parametrize("short", ["float16", "float32"])
def test_short_floats_keep_their_ties(short):
    table = np.c_[A, B, np.round(B + 0.01, 2)]
    for test in (fstats.Friedman, fstats.Quade, fstats.FriedmanAligned, fstats.Pairwise):
        want = test(table)
        for given in (table.astype(short), pd.DataFrame(table.astype(short)), fstats.Results(table.astype(short))):
            found = test(given)
            for step in ("pvalue", "pvalues"):
                if step in test.steps:
                    assert getattr(found, step) == pytest.approx(getattr(want, step), rel=1e-9)
    frame = pd.DataFrame(table.astype(short), columns=list("abc"))
    assert fstats.Quade(fstats.Results(frame)).pvalue == pytest.approx(fstats.Quade(table).pvalue, rel=1e-9)


def test_both_values_of_a_loss():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    a, b = (np.clip(y * scale + shift + rng.normal(0, 0.1, 200), 0.01, 0.99) for scale, shift in ((0.8, 0.1), (0.4, 0.3)))
    for one, other, word, how in ((a, b, "better", "lower"), (b, a, "worse", "higher")):
        for test in (fstats.PairedBootstrap, fstats.PairedPermutation):
            found = test(y, one, other, metric="log_loss", draws=400)
            both = f"{found.metric_a:.4g} against {found.metric_b:.4g}"
            assert f"A is {word} than B in log loss (lower is better), {both}, {how} by {abs(found.statistic):.4g}" in found.conclusion
