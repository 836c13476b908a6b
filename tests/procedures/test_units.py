"""What each score is of, and by which metric: the word goes through every row, sentence and paragraph."""

import numpy as np
import pytest
from shortcuts import assert_raises

import fstats
from fstats.core.unit_of_analysis import UnitOfAnalysis, plural, replace_unit_words, singular

A, B = np.random.default_rng(2).uniform(0.6, 0.9, (2, 12))
NEEDED = {"rope": 0.1, "margin": 0.5, "clusters": list("xyz") * 4}
OF_UNITS = [
    one
    for name in fstats.__all__
    if isinstance(one := getattr(fstats, name), type) and issubclass(one, UnitOfAnalysis) and hasattr(one, "scored")
]


def made(test, **more):
    needed = {name: NEEDED[name] for name in test.inputs if name in NEEDED and name not in test.defaults}
    return test(A, B - 0.3, **needed, **more)


@pytest.mark.complete
@pytest.mark.parametrize("test", OF_UNITS, ids=lambda test: test.__name__)
def test_no_word_of_the_usual_unit_is_left(test):
    assert len(OF_UNITS) >= 10
    usual, one = made(test), made(test, unit="seed")
    word = test.default_unit
    below = repr(one).partition("\n")[2]  # the first line is the question that the class asks
    for said in (one.conclusion, str(fstats.report(one)), below, fstats.report(one).latex):
        assert word not in said.lower().replace("discordant record", "").replace("records in", "")
    assert word in repr(usual)
    assert "unit" not in repr(usual)
    assert str(fstats.report(usual, unit="seed")) == str(fstats.report(one))
    assert np.all(getattr(usual, "pvalue", 0) == getattr(one, "pvalue", 0))


def test_the_issue_of_two_bare_vectors():
    assert "n = 12 folds" in str(fstats.report(fstats.PairedT(A, B, unit="fold")))
    words = "`unit=` must be left out for Friedman, because only tests of two classifiers have it"
    assert_raises(lambda: fstats.report(fstats.Friedman(np.c_[A, B, A + 1]), unit="seed"), words, TypeError)


@pytest.mark.complete
@pytest.mark.parametrize("word", ["", "12", 3, None, "a_b", "x" * 40])
def test_what_is_no_word(word):
    assert_raises(lambda: fstats.PairedT(A, B, unit=word), "`unit` must be a word for the unit of each score, in the singular")


def test_words_in_both_numbers():
    expected = [*("seed", "seed", "class", "corpus", "data set")]
    assert [singular(word, "unit") for word in ("seed", "seeds", "class", "corpus", "data set")] == expected
    assert plural("study") == "studies"
    assert replace_unit_words("data sets of data set net", "data set", "seed", ["data set net"]) == "seeds of data set net"


def test_the_metric_by_name():
    test = fstats.PairedT(A, B - 0.3, metric="accuracy", labels=["forest", "tree"])
    assert "forest is better than tree in mean accuracy, by" in test.conclusion
    assert "mean score" not in str(fstats.report(test))
    loss = fstats.PairedT(A, B - 0.3, metric="log_loss", labels=["forest", "tree"])
    assert loss.higher_is_better is False
    assert "forest is worse than tree in mean log_loss (lower is better), higher by" in loss.conclusion
    assert fstats.PairedT(A, B - 0.3, metric="log_loss", higher_is_better=True).better_sign == 1
    results = fstats.Results(np.c_[A, B, A - 0.2], metric="RMSE")
    assert "Lower is better, by the name RMSE" in repr(results)
    for said in (fstats.report(fstats.Friedman(results)), fstats.report(fstats.TukeyHSD(results)), fstats.report(fstats.Nemenyi(results))):
        assert "RMSE" in str(said)
        assert "mean score" not in str(said)
    assert fstats.Results(np.c_[A, B], metric="RMSE", higher_is_better=True).notes == ()


def test_scorers_with_a_sign_before_them_are_the_losses_that_they_are():
    scores = {"neg_log_loss": -np.c_[A, B], "r2": np.c_[A, B], "neg_gain": np.c_[A, -B]}
    results = fstats.Results(scores)
    assert results.metrics == ("log_loss", "r2", "neg_gain")  # the last is positive somewhere
    assert results.higher == {"log_loss": False, "r2": True, "neg_gain": True}
    assert results["log_loss"].scores == pytest.approx(np.c_[A, B])
    assert "neg_log_loss is shown as the loss log_loss" in repr(results["log_loss"])
    kept = fstats.Results({"neg_log_loss": -np.c_[A, B], "log_loss": np.c_[A, B]})
    assert kept.metrics == ("neg_log_loss", "log_loss")
