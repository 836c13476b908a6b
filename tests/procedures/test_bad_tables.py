"""What the tests for many classifiers refuse, and what they say: the argument, the rule, what was got, what to do."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize

import fstats

GOOD = np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.7], [0.9, 0.7, 0.8]])
OMNIBUS_ON_SCORES = [fstats.OneWayAnova, fstats.RepeatedAnova, fstats.Friedman, fstats.FriedmanAligned, fstats.ImanDavenport, fstats.Quade]
POST_HOC = [fstats.TukeyHSD, fstats.Nemenyi, fstats.PairwiseAligned, fstats.Holm, fstats.Shaffer, fstats.BergmannHommel]
ON_SCORES = [*OMNIBUS_ON_SCORES, *POST_HOC]
OMNIBUS = [*OMNIBUS_ON_SCORES, fstats.CochranQ]
on_scores = pytest.mark.parametrize("test_class", ON_SCORES)


def holed(kind):
    """A table with a hole in row 1, column 2."""
    table = GOOD.copy()
    table[1, 2] = np.nan
    return table if kind == "array" else pd.DataFrame(table, columns=["tree", "bayes", "svm"], index=["iris", "wine", "glass"])


@pytest.mark.every_case
@on_scores
@parametrize(
    "scores, message",
    ([0.9, 0.8], "scores must be a table.* for each data set and a column for each classifier"),
    (0.9, "scores must be a table"),
    ([[0.9, 0.8]], r"scores must hold at least 2 data sets \(rows\) and 2 classifiers \(columns\); got the shape 1 x 2"),
    ([[0.9], [0.8]], r"at least 2 data sets \(rows\) and 2 classifiers \(columns\); got the shape 2 x 1"),
    (holed("array"), r"scores must hold finite numbers; got nan in row 1, column 2 \(counting from 0\): drop the row"),
    (holed("frame"), r"scores must hold finite numbers; got nan in row 1 \(wine\), column 2 \(svm\)"),
    ([[0.9, np.inf], [1, 2]], "got inf in row 0, column 1"),
    ([[0.9, 0.8], [0.7]], "whose rows have the same length"),
    ids=["a list", "a number", "one data set", "one classifier", "nan", "nan in a frame", "infinite", "ragged"],
)
def test_tables(test_class, scores, message):
    assert_raises(lambda: test_class(scores), message)


@pytest.mark.parametrize("test_class", [fstats.Friedman, fstats.FriedmanAligned, fstats.ImanDavenport, fstats.Nemenyi])
def test_ranks_are_whole_or_half(test_class):
    """Equal scores share a mean rank; with any other number, scores were taken for ranks."""
    assert_raises(lambda: test_class.from_steps(ranks=GOOD), r"ranks must be whole numbers or half numbers .*, because average ranks are")
    assert_raises(lambda: test_class.from_steps(ranks=[1, 2, 3]), "ranks must be a table")


@pytest.mark.every_case
@on_scores
def test_text_is_no_score(test_class):
    assert_raises(lambda: test_class([["a", "b"], ["c", "d"]]), "scores must hold numbers; got", TypeError)


@pytest.mark.every_case
@on_scores
@parametrize(
    "labels, message",
    (["tree", "tree", "svm"], "labels must be different names; got 'tree' more than once"),
    (["tree", "svm"], "labels must be a list of 3 names, one for each classifier; got tree, svm"),
    ("abc", "labels must be a list of 3 names, one for each classifier; got 'abc'"),
)
def test_labels(test_class, labels, message):
    assert_raises(lambda: test_class(GOOD, labels), message)


@pytest.mark.every_case
@on_scores
def test_duplicate_columns(test_class):
    with pytest.raises(ValueError, match="labels must be different names; got 'tree' more than once: rename a column"):
        test_class(pd.DataFrame(GOOD, columns=["tree", "tree", "svm"]))


@pytest.mark.parametrize("test_class", OMNIBUS)
def test_there_is_no_alternative_to_choose(test_class):
    with pytest.raises(ValueError, match=rf"alternative must be 'two-sided' for {test_class.__name__}; got 'less': the test is one-tailed"):
        test_class(np.eye(3), alternative="less")
    assert "one-tailed" in test_class.__doc__


@pytest.mark.parametrize("value", [0.5, 2, -1])
def test_right_is_1_and_wrong_is_0(value):
    with pytest.raises(ValueError, match=rf"correct must hold 1 where a classifier is right and 0 where it is wrong; got {value:g}"):
        fstats.CochranQ([[1, 0], [0, value]])


@parametrize(
    "settings, message",
    ({"ties": "average"}, "ties must be 'correct' or 'ignore'; got 'average'"),
    ({"method": "normal"}, "method must be 'chi-squared' or 'exact'; got 'normal'"),
    ({"alpha": 5}, "alpha must lie between 0 and 1"),
)
def test_settings(settings, message):
    assert_raises(lambda: fstats.Friedman(GOOD, **settings), message)


def test_higher_is_better_is_yes_or_no():
    assert_raises(lambda: fstats.Friedman(GOOD, higher_is_better=1), "higher_is_better must be True or False; got 1", TypeError)


@pytest.mark.parametrize("test_class", [fstats.Holm, fstats.BonferroniDunn])
def test_an_unknown_control(test_class):
    with pytest.raises(ValueError, match="control must be one of the labels tree, bayes, svm; got 'forest'"):
        test_class(GOOD, ["tree", "bayes", "svm"], control="forest")


@pytest.mark.every_case
@pytest.mark.parametrize("test_class", [fstats.Holm, fstats.Shaffer, fstats.BergmannHommel])
@parametrize(
    "p, message",
    ([0.1, 1.2, 0.3], r"between 0 and 1; got 1\.2 at position 1"),
    ([0.1, -0.1, 0.3], r"got -0\.1"),
    ([0.1, np.nan, 0.2], "got nan at position 1"),
)
def test_p_values(test_class, p, message):
    assert_raises(lambda: test_class.from_pvalues(p), message)


@pytest.mark.parametrize("test_class", [fstats.Shaffer, fstats.BergmannHommel])
def test_all_pairs_are_needed(test_class):
    assert_raises(lambda: test_class.from_pvalues([0.1, 0.2, 0.3, 0.4]), "4")


def test_bergmann_hommel_says_what_too_many_would_cost():
    assert_raises(lambda: fstats.BergmannHommel(np.random.default_rng(0).normal(size=(5, 10))).adjusted, r"115,97.*Shaffer")


@on_scores
def test_the_callers_table_is_copied(test_class):
    scores = GOOD.copy()
    test = test_class(scores)
    scores[:] = 7
    assert (test.scores == GOOD).all()
    assert not test.scores.flags.writeable
