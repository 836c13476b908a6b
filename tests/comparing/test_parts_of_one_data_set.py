"""Folds, seeds and runs of one data set never become data sets, whether a column or an index numbers them."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises

import fstats
from fstats import Results

HEADS = ["fold", "Fold", "folds", "CV fold", "cv_fold", "outer-fold", "fold_id", "split", "repetition", "run", "runs", "trial", "iteration"]
SEEDS = ["seed", "random_state", "Random Seed"]
SCORES = np.random.default_rng(5).uniform(0.6, 0.9, (10, 3))


def frame(head):
    return pd.DataFrame(SCORES, columns=list("abc")).assign(**{head: range(10)})


@pytest.mark.parametrize("head", [*HEADS, *SEEDS])
@pytest.mark.parametrize("door", ["column", "index", "range", "long"])
def test_they_are_parts_of_one_data_set(head, door):
    table = frame(head)
    if door == "long":
        table = table.melt(head, var_name="model", value_name="accuracy")
    elif door != "column":
        table = table.set_index(head) if door == "index" else table.drop(columns=head).rename_axis(index=head)
    for read in (Results, Results.from_frame):
        found = read(table)
        assert found.data_sets == ("1",)
        assert len(found.seeds[0] if head in SEEDS else found.folds[0]) == 10
        assert (found.scores, found.classifiers) == (pytest.approx(SCORES.mean(0)[None]), ("a", "b", "c"))
        with pytest.raises(ValueError, match=r"needs several data sets; got 10 \w+ of one data set"):
            fstats.Friedman(found)


@pytest.mark.complete
@pytest.mark.parametrize("head", [*HEADS, *SEEDS])
def test_an_index_that_numbers_them_is_refused_where_data_sets_are_taken(head):
    table = frame(head).set_index(head)
    for test in (fstats.Friedman, fstats.TukeyHSD, fstats.RepeatedAnova, fstats.Nemenyi, fstats.BradleyTerry):
        with pytest.raises(ValueError, match=rf"got rows numbered by '{head}'. For one data set, write unit='{head}'"):
            test(table)
    for test in (fstats.PairedT, fstats.SignedRank, fstats.SignTest):
        for given in ((table[["a", "b"]],), (table["a"], table["b"])):
            with pytest.raises(ValueError, match=rf"got rows numbered by '{head}'"):
                test(*given)


def test_what_names_a_data_set():
    assert (Results(frame("fold").iloc[3:]).data_sets, Results(frame("seed").query("seed > 4")).data_sets) == (("1",), ("1",))
    twice = pd.concat([frame("fold"), frame("fold")], ignore_index=True)
    assert_raises(lambda: Results(twice), r"one line for fold 0, because no column .*; got rows 0 and 10 .* Add a column 'data set'")
    assert Results(twice.assign(task=["x"] * 10 + ["y"] * 10)).data_sets == ("x", "y")
    table = pd.DataFrame(SCORES, columns=["REPTree", "Folding", "seedling"])
    assert Results(table).classifiers == ("REPTree", "Folding", "seedling")


def test_runs_of_two_models_are_independent_samples_of_runs():
    x, y = (pd.Series(SCORES[:, j], pd.RangeIndex(10, name="seed"), name="ab"[j]) for j in (0, 1))
    for test in (fstats.WelchT, fstats.TwoSampleT, fstats.RankSum):
        said = str(fstats.report(test(x, y)))
        assert "10 runs of a" in said
        assert "data set" not in said
        with pytest.raises(ValueError, match="got rows numbered by 'fold'"):
            test(x.rename_axis("fold"), y.rename_axis("fold"))
        said = test(x.rename_axis("fold"), y.rename_axis("fold"), unit="fold")  # who says so need not call them data sets
        assert said.pvalue == test(x, y).pvalue
