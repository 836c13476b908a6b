"""What is refused, and what the refusal says: the argument, the rule, and what was got."""

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import DifferenceOfProportions, EquivalenceT, McNemar, McNemarExact, OneSampleT, PairedT, PairedTable, RankSum, SignedRank

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


# -- scores: the same for both tests on scores ----------------------------------------------------------------------------------
SCORES = {
    "lengths differ": (GOOD, GOOD[:2], ValueError, "a and b must have the same length, .*; got the lengths 3 and 2"),
    "shapes differ": (
        np.ones((3, 2)),
        np.ones((2, 3)),
        ValueError,
        r"a and b must have the same shape, .*; got the shapes \(3, 2\) and \(2, 3\)",
    ),
    "dimensions differ": (np.ones((3, 2)), GOOD, ValueError, r"a and b .* same shape, .*; got the shapes \(3, 2\) and \(3,\)"),
    "nan": ([0.8, np.nan, 0.9], GOOD, ValueError, "a must hold finite numbers; got nan at position 1 .*drop the"),
    "nan in b": (GOOD, [0.8, 0.7, np.nan], ValueError, "b must hold finite numbers; got nan at position 2"),
    "too large": ([0.7, -1e301, 0.9], GOOD, ValueError, r"a must lie within ±1e\+300, .*; got -1e\+301 at position 1 .* unit"),
    "infinite": ([-np.inf, 0.7, 0.9], GOOD, ValueError, "a must hold finite numbers; got -inf at position 0"),
    "nan in a batch": ([[1, 2], [3, np.nan]], [[1, 2], [3, 4]], ValueError, r"a must hold finite numbers; got nan at position \(1, 1\)"),
    "None": ([0.8, None, 0.9], GOOD, ValueError, "a must hold finite numbers; got nan at position 1"),
    "nothing at all": (None, GOOD, ValueError, "a must hold finite numbers; got nan:"),
    "masked": (
        GOOD,
        MASKED,
        ValueError,
        "b must not hold masked entries; got masked_array.*: leave out masked entries and their paired entries",
    ),
    "empty": ([], [], ValueError, "a must hold the scores of at least 2 data sets; got 0"),
    "one data set": ([0.8], [0.7], ValueError, "a must hold the scores of at least 2 data sets; got 1"),
    "a scalar": (0.8, 0.7, ValueError, "a must be a list of scores, one for each data set; got the single number 0.8"),
    "text": (["0.8", "0.7", "0.9"], GOOD, TypeError, r"a must hold numbers; got \['0.8', '0.7', '0.9'\]"),
    "one text": (GOOD, [0.8, "missing", 0.9], TypeError, "b must hold numbers; got"),
    "a word": ("good", GOOD, TypeError, "a must hold numbers; got 'good'"),
    "dates": (np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "datetime64[D]"), GOOD, TypeError, "a must hold numbers; got"),
    "complex": ([0.8, 0.7j, 0.9], GOOD, TypeError, "a must hold numbers; got"),
    "a set": ({0.8, 0.7, 0.9}, GOOD, TypeError, "a must hold numbers; got"),
    "an iterator": (iter(GOOD), GOOD, TypeError, "a must hold numbers; got"),
    "huge integers": ([10**400, 1, 2], GOOD, ValueError, r"a must hold whole numbers up to 2\*\*44 .*; got 10,000,[0,]*\.\.\.: subtract"),
    "ragged": ([[0.8, 0.7], [0.9]], GOOD, ValueError, "a must be one list whose rows have the same length; got rows of different lengths"),
    "indexes differ": (
        Labelled(GOOD, "xyz"),
        Labelled(GOOD, "zyx"),
        ValueError,
        r"a and b are paired by position, .*labels differ; got \['x', 'y', 'z'\] and \['z', 'y', 'x'\]: put a and b",
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("test", [PairedT, SignedRank, fstats.SignTest])
@pytest.mark.parametrize(("a", "b", "kind", "message"), SCORES.values(), ids=SCORES.keys())
def test_scores(test, a, b, kind, message):
    assert_raises(lambda: test(a, b), f"^{message}", kind)


# -- settings --------------------------------------------------------------------------------------------------------------------
SETTINGS = {
    "alternative": (
        SignedRank,
        {"alternative": "unequal"},
        ValueError,
        "alternative must be 'two-sided' or 'less' or 'greater' for SignedRank; got 'unequal'",
    ),
    "alternative None": (PairedT, {"alternative": None}, ValueError, "alternative must be .* for PairedT; got None"),
    "alternative list": (PairedT, {"alternative": ["less"]}, ValueError, r"alternative must be .* got \['less'\]"),
    "zeros": (SignedRank, {"zeros": "keep"}, ValueError, "zeros must be 'drop' or 'pratt' or 'split'; got 'keep'"),
    "zeros False": (SignedRank, {"zeros": False}, ValueError, "zeros must be .* got False"),
    "method": (SignedRank, {"method": "auto"}, ValueError, "method must be 'exact' or 'normal'; got 'auto'"),
    "method list": (SignedRank, {"method": ["exact"]}, ValueError, r"method must be .* got \['exact'\]"),
    "alpha 0": (PairedT, {"alpha": 0}, ValueError, r"alpha must lie between 0 and 1 \(both excluded\), such as 0.05; got 0"),
    "alpha 1": (SignedRank, {"alpha": 1}, ValueError, "alpha must lie between 0 and 1 .* got 1"),
    "alpha 5": (PairedT, {"alpha": 5}, ValueError, "alpha must lie between 0 and 1 .* got 5"),
    "alpha negative": (PairedT, {"alpha": -0.05}, ValueError, "alpha must lie between 0 and 1 .* got -0.05"),
    "alpha nan": (PairedT, {"alpha": np.nan}, ValueError, "alpha must lie between 0 and 1 .* got nan"),
    "alpha text": (PairedT, {"alpha": "0.05"}, TypeError, "alpha must be one number between 0 and 1, such as 0.05; got '0.05'"),
    "alpha True": (PairedT, {"alpha": True}, TypeError, "alpha must be one number .* got True"),
    "alpha None": (PairedT, {"alpha": None}, TypeError, "alpha must be one number .* got None"),
    "alpha list": (SignedRank, {"alpha": [0.05, 0.01]}, TypeError, r"alpha must be one number .* got \[0.05, 0.01\]"),
    "alpha complex": (SignedRank, {"alpha": 0.05j}, TypeError, "alpha must be one number .* got 0.05j"),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("test", "setting", "kind", "message"), SETTINGS.values(), ids=SETTINGS.keys())
def test_settings(test, setting, kind, message):
    assert_raises(lambda: test(GOOD, [0.7, 0.7, 0.7], **setting), f"^{message}", kind)


def test_settings_are_given_by_name_to_the_test_that_has_them():
    assert_raises(lambda: PairedT(GOOD, GOOD, "less"), "positional", TypeError)
    assert_raises(lambda: PairedT(GOOD, GOOD, zeros="drop"), "zeros", TypeError)


# -- counts ----------------------------------------------------------------------------------------------------------------------
COUNTS = {
    "negative": (-1, 3, ValueError, "n01 must be a count, which is a whole number of at least 0; got -1"),
    "fractional": (3, 2.5, ValueError, "n10 must be a count, which is a whole number of at least 0; got 2.5"),
    "one of many": ([3, 4], [2, -7], ValueError, "n10 must be a count, which is a whole number of at least 0; got -7"),
    "nan": (np.nan, 3, ValueError, "n01 must hold finite numbers; got nan:"),
    "infinite": (3, np.inf, ValueError, "n10 must hold finite numbers; got inf:"),
    "text": ("3", 1, TypeError, "n01 must hold numbers; got '3'"),
    "None": (3, None, ValueError, "n10 must hold finite numbers; got nan:"),
    "masked": (np.ma.array([3, 4], mask=[True, False]), [1, 2], ValueError, "n01 must not hold masked entries"),
    "lengths differ": ([1, 2], [1, 2, 3], ValueError, "n01 and n10 must have the same length, .*; got the lengths 2 and 3"),
    "shapes differ": ([1, 2], 3, ValueError, r"n01 and n10 must have the same shape, .*; got the shapes \(2,\) and \(\)"),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("n01", "n10", "kind", "message"), COUNTS.values(), ids=COUNTS.keys())
def test_counts(n01, n10, kind, message):
    assert_raises(lambda: McNemarExact(n01, n10), f"^{message}", kind)


# -- predictions -----------------------------------------------------------------------------------------------------------------
X = ["x", "y", "x"]
PREDICTIONS = {
    "text and numbers": (
        X,
        X,
        [0, 1, 0],
        TypeError,
        (
            "y_true, pred_a and pred_b must all be text or all be numbers; got "
            "text only in y_true, pred_a: convert the labels to the same type"
        ),
    ),
    "objects and text": (
        np.array([0, 1, 0], object),
        X,
        X,
        TypeError,
        "y_true, .* must all be text or all be numbers; got text only in pred_a, pred_b: convert the labels to the same type",
    ),
    "lengths differ": (X, X[:2], X, ValueError, "y_true and pred_a must have the same length, .*; got the lengths 3 and 2"),
    "lengths differ in b": (X, X, X[:2], ValueError, "y_true and pred_b must have the same length, .*; got the lengths 3 and 2"),
    "None": (X, ["x", None, "x"], X, ValueError, "pred_a must give every record a class label; got no .* at position 1"),
    "nan": ([0, 1, 0], [0, 1, 0], [0, 1, np.nan], ValueError, "pred_b must give every record a class label; got no .* at position 2"),
    "masked": (np.ma.array([0, 1, 0], mask=[False, False, True]), [0, 1, 0], [0, 1, 0], ValueError, "y_true must not hold masked entries"),
    "empty": ([], [], [], ValueError, r"y_true must be a list of class labels, one for each record; got \[\]"),
    "a word": ("xyx", X, X, ValueError, "y_true must be a list of class labels, one for each record; got 'xyx'"),
    "a number": (1, 1, 1, ValueError, "y_true must be a list of class labels, one for each record; got 1"),
    "ragged": ([[0, 1], [0]], [0, 1], [0, 1], ValueError, "y_true must be one list whose rows have the same length"),
    "indexes differ": (
        Labelled(X, "abc"),
        X,
        Labelled(X, "abd"),
        ValueError,
        "y_true and pred_b are paired by position, but their labels differ",
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("door", [PairedTable, McNemarExact.from_predictions])
@pytest.mark.parametrize(("y", "a", "b", "kind", "message"), PREDICTIONS.values(), ids=PREDICTIONS.keys())
def test_predictions(door, y, a, b, kind, message):
    assert_raises(lambda: door(y, a, b), f"^{message}", kind)


# -- half-way starts -------------------------------------------------------------------------------------------------------------
STEPS = {
    "unknown step": (PairedT, {"median": 3}, TypeError, "PairedT has no 'median'; it has .*mean, sd, se, statistic"),
    "two unknown steps": (SignedRank, {"n": 4, "zz": 1, "aa": 2}, TypeError, "SignedRank has no 'aa', 'zz'; it has"),
    "fractional n": (PairedT, {"n": 4.5}, ValueError, "n must be a count, which is a whole number of at least 0; got 4.5"),
    "n too small": (PairedT, {"n": 1}, ValueError, "n must be at least 2; got 1"),
    "n as text": (PairedT, {"n": "5"}, TypeError, "n must hold numbers; got '5'"),
    "df too small": (PairedT, {"df": 0}, ValueError, "df must be at least 1; got 0"),
    "sd negative": (PairedT, {"sd": -1}, ValueError, "sd cannot be negative; got -1"),
    "mean nan": (PairedT, {"mean": np.nan}, ValueError, "mean must be a number; got nan: leave out unknown values"),
    "mean as text": (PairedT, {"mean": "-0.6"}, TypeError, "mean must hold numbers; got '-0.6'"),
    "one difference": (PairedT, {"d": [1.0]}, ValueError, "d must hold the scores of at least 2 data sets; got 1"),
    "ragged differences": (PairedT, {"d": [[1.0], [1.0, 2.0]]}, ValueError, "d must be one list whose rows have the same length"),
    "third of a rank": (
        SignedRank,
        {"ranks": [1, 2.3]},
        ValueError,
        r"ranks must be whole numbers or half numbers \(such as 2 or 2\.5\), because average ranks are; got array\(\[1. , 2.3\]\)",
    ),
    "negative rank": (SignedRank, {"ranks": [1, -2]}, ValueError, "ranks cannot be negative; got -2"),
    "sum of ranks": (SignedRank, {"w_plus": 4.3}, ValueError, "w_plus must be whole numbers or half numbers"),
    "discordant records": (McNemarExact, {"n": 12.5}, ValueError, "n must be a count, which is a whole number of at least 0; got 12.5"),
    "paired inputs": (PairedT, {"a": GOOD, "b": GOOD[:2]}, ValueError, "a and b must have the same length"),
    "alternative": (PairedT, {"n": 5, "alternative": "more"}, ValueError, "alternative must be .* got 'more'"),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("test", "stated", "kind", "message"), STEPS.values(), ids=STEPS.keys())
def test_from_steps(test, stated, kind, message):
    assert_raises(lambda: test.from_steps(**stated), f"^{message}", kind)


# -- tables ----------------------------------------------------------------------------------------------------------------------
TABLES = {
    "fractional n": (SignedRank, {"n": 5.5}, ValueError, "n must be a count, which is a whole number of at least 0; got 5.5"),
    "fractional n among others": (
        McNemarExact,
        {"n": [5, 5.5]},
        ValueError,
        ("n must be a count, which is a whole number of at least 0; got 5.5"),
    ),
    "no data sets": (SignedRank, {"n": 0}, ValueError, "n must be at least 1; got 0"),
    "negative n": (McNemarExact, {"n": -3}, ValueError, "n must be a count, which is a whole number of at least 0; got -3"),
    "one data set": (PairedT, {"n": 1}, ValueError, "n must be at least 2; got 1"),
    "n as text": (PairedT, {"n": "5"}, TypeError, "n must hold numbers; got '5'"),
    "no n": (SignedRank, {"n": []}, ValueError, "n and alpha must each hold at least one value; got none"),
    "no alpha": (SignedRank, {"n": 5, "alpha": []}, ValueError, "n and alpha must each hold at least one value; got none"),
    "alpha 2": (SignedRank, {"n": 5, "alpha": 2}, ValueError, "alpha must lie between 0 and 1 .* got 2"),
    "alpha as text": (
        SignedRank,
        {"n": 5, "alpha": "0.05"},
        TypeError,
        "alpha must be one number between 0 and 1, such as 0.05; got '0.05'",
    ),
    "alternative": (SignedRank, {"n": 5, "alternative": "both"}, ValueError, "alternative must be .* got 'both'"),
    "method": (SignedRank, {"n": 5, "method": "auto"}, ValueError, "method must be 'exact' or 'normal'; got 'auto'"),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("test", "arguments", "kind", "message"), TABLES.values(), ids=TABLES.keys())
def test_critical_values(test, arguments, kind, message):
    assert_raises(lambda: fstats.critical_values(test, **arguments), f"^{message}", kind)


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
    message = r"a and b are paired by position, but their columns differ; got \['a', 'b'\] and \['b', 'a'\]: put a and b"
    assert_raises(lambda: test(frame[["a", "b"]], frame[["b", "a"]]), message)
    assert_raises(lambda: test(a, b[::-1]), "paired by position, but their labels differ")
    assert_raises(lambda: test(pandas.Series([0.75, None, 0.25]), b), "a must hold finite numbers; got nan at position 1")


def test_whole_numbers_and_truth_values_are_scores():
    assert PairedT([True, False, True], [False, False, False]).mean == pytest.approx(2 / 3)
    assert PairedT(range(3), np.zeros(3, np.int8)).mean == 1


@parametrize(
    "test, arguments",
    (PairedT, ("a", "b")),
    (SignedRank, ("a", "b")),
    (McNemarExact, ("n01", "n10")),
    (PairedTable, ("y_true", "pred_a", "pred_b")),
)
def test_inputs_are_copied(test, arguments):
    mine = {name: np.array([k, 2, 3, 4]) for k, name in enumerate(arguments)}
    ours = test(**mine)
    for array in mine.values():
        array[:] = 7  # the caller's arrays stay writeable, and what becomes of them is no concern of the test
    for k, name in enumerate(arguments):
        assert getattr(ours, name).tolist() == [k, 2, 3, 4]
        assert not getattr(ours, name).flags.writeable


# -- independent samples, and what else the other tests refuse ------------------------------------------------------------------
OTHERS = {
    "one score": (lambda: fstats.TwoSampleT([0.8], GOOD), ValueError, "x must hold the scores of at least 2 data sets; got 1"),
    "nan in y": (lambda: fstats.WelchT(GOOD, [0.8, np.nan]), ValueError, "y must hold finite numbers; got nan at position 1"),
    "text": (lambda: RankSum(GOOD, ["a", "b"]), TypeError, "y must hold numbers; got"),
    "repetitions differ": (
        lambda: RankSum(np.ones((3, 2)), np.ones((4, 5))),
        ValueError,
        r"x and y must have the same repetitions after their first axis; got the shapes \(2,\) and \(5,\)",
    ),
    "mu is nan": (lambda: OneSampleT(GOOD, float("nan")), ValueError, "mu must hold finite numbers; got nan"),
    "mu is text": (lambda: OneSampleT(GOOD, "half"), TypeError, "mu must hold numbers; got 'half'"),
    "margin is 0": (lambda: EquivalenceT(GOOD, GOOD, margin=0), ValueError, "margin must be above 0; got 0"),
    "margin is missing": (lambda: EquivalenceT(GOOD, GOOD), TypeError, "margin"),
    "equivalence has one alternative": (
        lambda: EquivalenceT(GOOD, GOOD, margin=1, alternative="less"),
        ValueError,
        "alternative must be 'equivalence' for EquivalenceT; got 'less'",
    ),
    "unknown method": (lambda: RankSum(GOOD, GOOD, method="fast"), ValueError, "method must be 'exact' or 'normal'; got 'fast'"),
    "unknown zeros": (lambda: fstats.SignTest(GOOD, GOOD, zeros="pratt"), ValueError, "zeros must be 'drop' or 'split'; got 'pratt'"),
    "half a record": (lambda: McNemar(1.5, 2), ValueError, "n01 must be a count, which is a whole number of at least 0; got 1.5"),
    "negative": (lambda: McNemar(1, -2), ValueError, "n10 must be a count, which is a whole number of at least 0; got -2"),
    "no records": (lambda: DifferenceOfProportions(0, 0, 0), ValueError, "n must be at least 1; got 0"),
    "more than all of one's own": (
        lambda: DifferenceOfProportions(5, 11, 20, 10),
        ValueError,
        "correct_b must be at most n_b; got 11 right of 10 records",
    ),
    "more than all, repeated": (
        lambda: DifferenceOfProportions([5, 6], [3, 4], [7, 5]),
        ValueError,
        "correct_a must be at most n; got 6 right of 5 records",
    ),
    "sizes of other repetitions": (
        lambda: DifferenceOfProportions([5, 6], [3, 4], [7, 8, 9]),
        ValueError,
        r"correct_a and n must have the same repetitions; got \(2,\) and \(3,\)",
    ),
    "more than all": (lambda: DifferenceOfProportions(5, 11, 10), ValueError, "correct_b must be at most n; got 11 right of 10 records"),
    "level": (lambda: fstats.WelchT(GOOD, GOOD, alpha=1), ValueError, "alpha must lie between 0 and 1"),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("call", "kind", "message"), OTHERS.values(), ids=OTHERS.keys())
def test_others(call, kind, message):
    assert_raises(call, message, kind)
