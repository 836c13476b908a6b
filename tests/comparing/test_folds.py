"""Folds become one score for each data set before a test sees them."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_each_raises, assert_raises

import fstats
from fstats import CochranQ, OneWayAnova, PairedT, average_folds

ON_A_TABLE = ["OneWayAnova", "RepeatedAnova", "Friedman", "ImanDavenport", "FriedmanAligned", "PairwiseAligned", "Quade", "TukeyHSD"]
ON_A_TABLE += ["Nemenyi", "BonferroniDunn", "Holm", "Shaffer", "BergmannHommel", "Pairwise"]
ON_TWO_COLUMNS = ["PairedT", "SignedRank", "SignTest", "TwoSampleT", "WelchT", "RankSum", "EquivalenceT", "EquivalenceSignedRank"]
SETS = ["iris", "wine", "glass", "car"]


def test_averages_of_rows_and_what_folds_taken_as_independent_cost():
    assert average_folds([[0.75, 1.0], [0.5, 0.25], [1, 0]]).tolist() == [0.875, 0.375, 0.5]
    assert average_folds([[0.75, 0.75, 0.0], [0.5, 0.25, 0.0]]).tolist() == [0.5, 0.25]  # neither the median nor the middle of the range
    assert average_folds(np.ones((4, 10, 7))).shape == (4, 7)
    # H0 is true: each data set favours A or B by chance, and its ten folds share that luck
    rng = np.random.default_rng(50)
    folds = rng.normal(0, 0.02, (8, 1, 4000)) + rng.normal(0, 0.01, (8, 10, 4000))
    as_independent = PairedT(folds.reshape(80, 4000), np.zeros((80, 4000)))
    averaged = PairedT(average_folds(folds), np.zeros((8, 4000)))
    assert as_independent.reject.mean() > 0.3
    assert averaged.reject.mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 4000))


@pytest.mark.parametrize(("scores", "got"), [([0.8, 0.9], r"\(2,\)"), (np.ones((3, 0)), r"\(3, 0\)")])
def test_a_table_is_needed(scores, got):
    assert_raises(lambda: average_folds(scores), f"`scores` must be a table .*; got shape {got}")


# -- folds are not data sets: what the index of a table tells ------------------------------------------------------------------
def scores_by_fold(index):
    """Two columns that differ a little on each of 12 rows."""
    rng = np.random.default_rng(51)
    return pd.DataFrame(rng.normal(0.8, 0.02, (12, 3)), columns=["tree", "bayes", "svm"], index=index)


REPEATED = {
    "data set and fold": pd.MultiIndex.from_product([SETS, range(3)], names=["data set", "fold"]),
    "fold and data set": pd.MultiIndex.from_product([range(3), SETS], names=["fold", "data set"]),
    "data set and a level of any name": pd.MultiIndex.from_product([SETS, range(3)], names=["Dataset", "i"]),
    "outer folds": pd.MultiIndex.from_product([SETS, range(3)], names=["name", "outer_fold"]),
    "suite, data set, seed": pd.MultiIndex.from_tuples(
        [("UCI", name, seed) for name in SETS for seed in range(3)], names=["suite", "set", "Seeds"]
    ),
    "the same rows three times": pd.Index(SETS * 3),
    "numbers after concat": pd.Index([0, 1, 2, 3] * 3),
}


@pytest.mark.parametrize("index", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("name", [*ON_A_TABLE, *ON_TWO_COLUMNS])
def test_a_table_that_repeats_data_sets_is_refused(name, index):
    frame, test = scores_by_fold(index), getattr(fstats, name)
    settings = {"margin": 0.1} if "Equivalence" in name else {"control": "svm"} if name == "BonferroniDunn" else {}

    def made(frame):
        return test(frame, **settings) if name in ON_A_TABLE else test(frame["tree"], frame["svm"], **settings)

    message = r"one row for each data set; got 3 rows of the data set .*Average the folds of each data set with fstats.average_folds\("
    assert_raises(lambda: made(frame), message)
    averaged = made(average_folds(frame))  # as the error says
    assert np.shape(averaged.scores if name in ON_A_TABLE else averaged.a if "a" in averaged.inputs else averaged.x)[0] == 4
    made(frame.reset_index(drop=True))  # and the other way that it names


def test_averages_of_data_sets_groups_and_repeated_records():
    by_set = {kind: average_folds(scores_by_fold(index)) for kind, index in REPEATED.items() if "and" in kind}
    ordered = scores_by_fold(None).to_numpy().reshape(4, 3, 3).mean(1)
    np.testing.assert_allclose(by_set["data set and fold"], ordered)
    np.testing.assert_allclose(by_set["data set and a level of any name"], ordered)
    np.testing.assert_allclose(by_set["fold and data set"], scores_by_fold(None).to_numpy().reshape(3, 4, 3).mean(0))
    assert by_set["data set and fold"].index.tolist() == SETS
    uneven = average_folds(pd.Series([0.5, 1.0, 0.2], index=["b", "b", "a"], name="tree"))
    assert (uneven.to_dict(), uneven.name) == ({"b": 0.75, "a": 0.2}, "tree")
    twice = pd.Series([0.8, 0.9, 0.7], index=["iris", "iris", "wine"], name="tree")
    with pytest.raises(ValueError, match="`group tree` must have one row for each data set; got 2 rows of the data set 'iris'"):
        OneWayAnova.from_groups(twice, [0.5, 0.6])
    with pytest.raises(ValueError, match=r"`correct` must have one row for each record; got 2 rows of the record 0.*Keep one row of"):
        CochranQ(pd.DataFrame([[1, 0], [0, 1], [1, 1]], index=[0, 0, 1]))
    index = pd.MultiIndex.from_tuples([(name, year) for name, year in zip(SETS, [1990, 1991, 1992, 1993])], names=["name", "year"])
    assert fstats.Friedman(scores_by_fold(None).iloc[:4].set_axis(index)).n == 4
    # Fold and data set may stand in either order: nothing says which of them is the data set.
    frame = scores_by_fold(pd.MultiIndex.from_product([range(3), SETS]))
    words = r"got 2 levels, not all with a name. Write scores.index.names = \['data set', 'fold'\]"
    assert_each_raises(lambda refuses: refuses(frame), (fstats.Friedman, average_folds), words)
    frame.index.names = ["fold", "data set"]
    assert fstats.Friedman(average_folds(frame)).n == 4


@pytest.mark.parametrize("column", ["fold", "Seed", "outer_fold"])
def test_the_number_of_a_fold_is_no_classifier(column):
    """The commonest layout of a file: data set, fold, and a column for each classifier."""
    frame = scores_by_fold(pd.Index(SETS * 3, name="dataset")).assign(**{column: np.repeat([1, 2, 3], 4)})
    assert_raises(lambda: fstats.Friedman(frame), "Average the folds of each data set")
    averaged = average_folds(frame)
    assert (list(averaged.columns), fstats.Friedman(averaged).k) == (["tree", "bayes", "svm"], 3)
    with pytest.raises(ValueError, match=f"got the column '{column}', which numbers parts of an experiment. Write fstats.Results"):
        fstats.Friedman(frame.reset_index(drop=True))
    assert fstats.Friedman(averaged.rename(columns={"tree": "REPTree"})).k == 3  # a classifier may begin like a fold


def test_classifiers_are_not_averaged():
    averaged = average_folds(scores_by_fold(REPEATED["data set and fold"]))
    message = "got one row for each data set and the column 'tree'. If the columns are folds, pass scores.to_numpy"
    assert_raises(lambda: average_folds(averaged), message)
    folds = pd.DataFrame([[0.5, 1.0], [0.25, 0.75]], index=["a", "b"])
    assert average_folds(folds).tolist() == [0.75, 0.5]
    assert average_folds(folds.set_axis(["fold 1", "fold 2"], axis=1)).tolist() == [0.75, 0.5]


def test_columns_of_independent_samples_are_paired_by_name():
    frame = scores_by_fold(None)
    for cls in (fstats.TwoSampleT, fstats.WelchT, fstats.RankSum):
        with pytest.raises(ValueError, match="`x` and `y` must have the same columns in the same order"):
            cls(frame[["tree", "svm"]], frame[["svm", "tree"]])
        assert cls(frame[["tree", "svm"]], frame[["tree", "svm"]].iloc[:7] - 0.01).pvalue.shape == (2,)
