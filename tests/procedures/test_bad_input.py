"""What is refused, and what the refusal says: the argument, the rule, and what was got.  refused.toml lists most of the calls."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, assert_refused, parametrize, refused_calls

import fstats
from fstats import McNemarExact, PairedT, PairedTable, SignedRank

GOOD = [0.8, 0.7, 0.9]
MASKED = np.ma.array(GOOD, mask=[False, True, False])


class Labelled:
    """What a pandas Series looks like from outside: values, and an index that can be compared."""

    class Index(list):
        """Labels of the entries."""

        def equals(self, other):
            """Whether both have the same labels in the same order."""
            return list(self) == list(other)

    def __init__(self, values, labels):
        self.values, self.index = values, self.Index(labels)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)

    def mask(self):
        """A pandas Series has a method of this name; that does not make it a masked array."""


ON_SCORES = (
    "OneWayAnova RepeatedAnova Friedman FriedmanAligned ImanDavenport Quade TukeyHSD Nemenyi PairwiseAligned Holm Shaffer BergmannHommel"
)
X = ["x", "y", "x"]
XYZ, ZYX, ABC, ABD = Labelled(GOOD, "xyz"), Labelled(GOOD, "zyx"), Labelled(X, "abc"), Labelled(X, "abd")
HOLED = np.array([[0.9, 0.8, 0.7], [0.6, 0.5, np.nan], [0.9, 0.7, 0.8]])
HOLED_FRAME = pd.DataFrame(HOLED, ["iris", "wine", "glass"], ["tree", "bayes", "svm"])
TWICE = pd.DataFrame([[0.9, 0.8, 0.7], [0.6, 0.5, 0.7]], columns=["tree", "tree", "svm"])
# The rows that TOML cannot express: nothing, masked entries, pandas objects, and numbers of other kinds.
ODD = {
    "PairedT SignedRank SignTest": [
        (dict(a=[0.8, None, 0.9], b=GOOD), "^`a` must hold finite numbers; got nan at position 1"),
        (dict(a=None, b=GOOD), "^`a` must hold finite numbers; got nan$"),
        (
            dict(a=GOOD, b=MASKED),
            "^`b` must not hold masked entries; got 1 masked of .. Leave out the masked entries and their paired entries",
        ),
        (dict(a=np.array(["2024-01-01"] * 3, "datetime64[D]"), b=GOOD), "^`a` must hold numbers; got", "TypeError"),
        (dict(a=[0.8, 0.7j, 0.9], b=GOOD), "^`a` must hold numbers; got", "TypeError"),
        (dict(a={0.8, 0.7, 0.9}, b=GOOD), "^`a` must hold numbers; got", "TypeError"),
        (dict(a=iter(GOOD), b=GOOD), "^`a` must hold numbers; got", "TypeError"),
        (dict(a=[10**400, 1, 2], b=GOOD), r"^`a` must hold whole numbers up to 2\*\*44 .*; got 10,000,[0,]*\.\.\.. Subtract"),
        (
            dict(a=XYZ, b=ZYX),
            r"^`a` and `b` must have equal .*labels.*; got \['x', 'y', 'z'\] and \['z', 'y', 'x'\]\. Put both in the same order",
        ),
    ],
    "PairedT SignedRank": [
        (dict(a=GOOD, b=GOOD, alternative=None), "^`alternative` must be .* for (PairedT|SignedRank); got None"),
        (dict(a=GOOD, b=GOOD, alpha=None), "^`alpha` must be one number .* got None", "TypeError"),
        (dict(a=GOOD, b=GOOD, alpha=0.05j), "^`alpha` must be one number .* got 0.05j", "TypeError"),
    ],
    "McNemarExact": [
        (dict(n01=3, n10=None), "^`n10` must hold finite numbers; got nan$"),
        (dict(n01=np.ma.array([3, 4], mask=[True, False]), n10=[1, 2]), "^`n01` must not hold masked entries"),
    ],
    "PairedTable McNemarExact.from_predictions": [
        (
            dict(y_true=np.array([0, 1, 0], object), pred_a=X, pred_b=X),
            "^y_true, .* must all be text or all be numbers; got text in pred_a, pred_b only. Convert the labels",
            "TypeError",
        ),
        (dict(y_true=X, pred_a=["x", None, "x"], pred_b=X), "^`pred_a` must hold a class label for every record; got none at position 1"),
        (dict(y_true=np.ma.array(X, mask=[0, 0, 1]), pred_a=X, pred_b=X), "^`y_true` must not hold masked entries"),
        (dict(y_true=ABC, pred_a=X, pred_b=ABD), "^`y_true` and `pred_b` must have equal labels"),
    ],
    ON_SCORES: [
        (dict(scores=HOLED), r"`scores` must hold finite numbers; got nan in row 1, column 2 \(counting from 0\). Fill in the number"),
        (dict(scores=TWICE), "`labels` must hold different names; got 'tree' more than once. Rename a column"),
        (dict(scores=HOLED_FRAME), r"`scores` must hold finite numbers; got nan in row 1 \(wine\), column 2 \(svm\)"),
    ],
    "BayesianHierarchical": [
        (dict(d=[[1, 2], [2, 4]], rope=0, rho=None), "`rho` must be one number, such as 0.1 .*; got None", "TypeError")
    ],
    "BlockedFiveByTwoMcNemar": [
        (dict(tables=np.ones((5, 2, 2, 2)) / 2), "`tables` must be a count .*"),
        (dict(tables=-np.ones((5, 2, 2, 2))), "`tables` must be a count .*; got -"),
    ],
    "PairedBootstrap": [(dict(y_true=[1, 0], a=[1, 0], b=[0, 1], metric=max), r"Write `metric=fstats.Metric\(function, higher_is_b")],
    "BradleyTerry.from_wins": [
        (dict(wins=pd.Series([1, 2])), r"`wins` must be a square table.*got shape \(2,\)"),
        (dict(wins=pd.DataFrame([[0, 2], [1, 0]], ["b", "a"], ["a", "b"])), "the same systems in the same order in rows and columns"),
    ],
    "BradleyTerry.from_judgements": [
        (dict(judgements=[("a", None)]), r"judgement 0 .* must be \(winner, loser\)"),
        (dict(judgements=pd.DataFrame({"first": ["a"], "second": ["b"]})), "columns 'winner' and 'loser'; got the columns first, second"),
    ],
}
ROWS = [(call, *row) for calls, rows in ODD.items() for call in calls.split() for row in rows]
ROWS += refused_calls(Path(__file__).with_name("refused.toml"))


@pytest.mark.every_case
@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}-{k}" for k, row in enumerate(ROWS)])
def test_what_is_refused(row):
    assert_refused(*row)


def test_settings_are_given_by_name():
    assert_raises(lambda: PairedT(GOOD, GOOD, "less"), "positional", TypeError)


# -- what is accepted ------------------------------------------------------------------------------------------------------------
FORMS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "single precision": lambda values: np.array(values, np.float32),
    "objects": lambda values: np.array(values, object),
    "read-only": lambda values: np.frombuffer(np.array(values).tobytes()),
    "nothing masked": lambda values: np.ma.array(values, mask=False),
    "labelled": lambda values: Labelled(values, "abcd"),
}


@pytest.mark.parametrize("test", [PairedT, SignedRank])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_numbers_in_many_forms(test, form):
    a, b = [0.75, 0.5, 0.25, 1.0], [0.5, 0.5, 0.5, 0.5]  # exact in single precision too
    assert (test(form(a), form(b)).pvalue, test(form(a), b).a.dtype) == (test(a, b).pvalue, float)


@pytest.mark.parametrize("test", [PairedT, SignedRank])
def test_pandas_objects(test):
    import pandas

    a, b = pandas.Series([0.75, 0.5, 0.25], index=list("xyz")), pandas.Series([0.5, 0.5, 0.5], index=list("xyz"))
    assert test(a, b).pvalue == test(a.to_list(), b.to_list()).pvalue
    assert test(a, b.to_list()).pvalue == test(a, b).pvalue  # only one of them has labels
    frame = pandas.DataFrame({"a": a, "b": b})
    assert test(frame[["a", "b"]], frame[["a", "b"]] - 0.25).pvalue.shape == (2,)
    message = r"`a` and `b` must have equal columns, .*; got \['a', 'b'\] and \['b', 'a'\]\. Put both in the same order"
    assert_raises(lambda: test(frame[["a", "b"]], frame[["b", "a"]]), message)
    assert_raises(lambda: test(a, b[::-1]), "must have equal labels, because they are paired by position")
    assert_raises(lambda: test(pandas.Series([0.75, None, 0.25]), b), "`a` must hold finite numbers; got nan at position 1")


def test_whole_numbers_and_truth_values_are_scores():
    assert PairedT([True, False, True], [False, False, False]).mean == pytest.approx(2 / 3)
    assert PairedT(range(3), np.zeros(3, np.int8)).mean == 1


@parametrize("test, arguments", (PairedT, "a b"), (SignedRank, "a b"), (McNemarExact, "n01 n10"), (PairedTable, "y_true pred_a pred_b"))
def test_inputs_are_copied(test, arguments):
    mine = {name: np.array([k, 2, 3, 4]) for k, name in enumerate(arguments.split())}
    ours = test(**mine)
    for array in mine.values():
        array[:] = 7  # the caller's arrays stay writeable, and what becomes of them is no concern of the test
    for k, name in enumerate(mine):
        assert getattr(ours, name).tolist() == [k, 2, 3, 4]
        assert not getattr(ours, name).flags.writeable


@pytest.mark.parametrize("name", ON_SCORES.split())
def test_the_callers_table_is_copied(name):
    scores = np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.7], [0.9, 0.7, 0.8]])
    test = getattr(fstats, name)(scores)
    scores[:] = 7
    assert (test.scores < 1).all()
    assert not test.scores.flags.writeable


@pytest.mark.parametrize("name", [*ON_SCORES.split()[:6], "CochranQ"])
def test_there_is_no_alternative_to_choose(name):
    message = f"`alternative` must be 'two-sided' for {name}; got 'less'"
    assert_raises(lambda: getattr(fstats, name)(np.eye(3), alternative="less"), message)
    assert "one-tailed" in getattr(fstats, name).__doc__
