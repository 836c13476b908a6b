"""Calls as users of other libraries make them: the same numbers, or an error with the right call; and the page of both calls."""

import inspect
import re
import tomllib
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from cases import CASES
from shortcuts import assert_raises, parametrize

import fstats
from fstats.core.procedure import Procedure
from fstats.core.validation.name_suggestions import OTHER_NAMES
from fstats.guide.decision_questions import QUESTIONS, SEED_QUESTION

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / ".github" / "COMING_FROM.md").read_text(encoding="utf-8")
FIRST_CALLS = [
    (call, told)
    for calls in tomllib.loads(Path(__file__).with_name("neighbours.toml").read_text(encoding="utf-8")).values()
    for call, told in calls.items()
]
PYTHONS_WORDS = re.compile(r"__init__|\d+ required|takes (from )?\d|multiple values for|unexpected keyword")
SUGGESTED = re.compile(r"[Ww]rite `?(\w+\([^()]*\))")


@pytest.fixture(scope="module")
def names():
    """The data of the page, and what else the calls name."""
    pytest.importorskip("pandas")
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], names)
    d = names["a"] - names["b"]
    A = names["a"].reshape(5, 2)
    return vars(fstats) | {name: getattr(fstats, name) for name in fstats.__all__} | names | {
        "d": d,
        "A": A,
        "B": names["b"].reshape(5, 2),
        "S": names["frame"].to_numpy(),
    }  # fmt: skip


# -- first calls ------------------------------------------------------------------------------------------------------------------
def numbers_of(test):
    """The steps of a test that two calls have in common."""
    found = {}
    for name in test.steps:
        with suppress(LookupError):
            value = getattr(test, name)
            if isinstance(value, (int, float, np.number, np.ndarray)) and np.asarray(value).dtype.kind in "biuf":
                found[name] = value
    return found


@pytest.mark.every_case
@pytest.mark.parametrize(("call", "told"), FIRST_CALLS, ids=[call for call, _ in FIRST_CALLS])
def test_a_first_call(call, told, names):
    if "same" in told:
        ours, other = numbers_of(eval(call, names)), numbers_of(eval(told["same"], names))
        common = ours.keys() & other.keys()
        assert common & {"statistic", "pvalues", "probabilities", "mean", "z"}
        for name in common:
            np.testing.assert_allclose(ours[name], other[name], rtol=1e-9, atol=1e-12, err_msg=name)
        return
    with pytest.raises((TypeError, ValueError, AttributeError)) as error:
        eval(call, names)
    assert told["says"] in str(error.value)
    assert not PYTHONS_WORDS.search(str(error.value))


def test_names_of_other_libraries_are_told_the_names_here():
    assert OTHER_NAMES.keys() <= set(fstats.__all__)
    for name, words in OTHER_NAMES.items():
        for word in words.split():
            with pytest.raises(AttributeError, match=f"^fstats has no '{word}': did you mean '{name}'"):
                getattr(fstats, word)


def test_the_first_calls_come_from_eight_libraries():
    assert len(FIRST_CALLS) >= 41
    assert len(re.findall(r"^## ", PAGE, re.M)) == 10  # eight libraries, STAC, and the arguments


# -- any missing or surplus argument of any test -----------------------------------------------------------------------------------
CLASSES = sorted({name for name in fstats.__all__ if isinstance(cls := getattr(fstats, name), type) and issubclass(cls, Procedure)})


def data_of(cls):
    """Valid arguments of a class, for a single repetition, and settings without which it makes no test."""
    _, data, settings = next(case for case in CASES.values() if case[0] is cls)
    batch = cls(**data, **settings)
    single = batch.at(0)
    required = {p.name for p in inspect.signature(cls).parameters.values() if p.default is p.empty}
    return {name: getattr(single, name) for name in cls.inputs if name in required}


def wrong_calls(cls, data):
    """Calls with arguments that are missing, surplus or given twice."""
    positional = [p for p in inspect.signature(cls).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    required = [p.name for p in positional if p.default is p.empty]
    settings = {name: value for name, value in data.items() if name not in required}
    values = [data[name] for name in required]
    for count in range(len(required)):
        yield values[:count], settings
        yield (), {name: data[name] for name in required if name != required[count]} | settings
    for name in settings:
        yield values, {other: value for other, value in settings.items() if other != name}
    surplus = [*values, *[None] * (len(positional) - len(required))]
    yield [*surplus, "greater"], settings
    yield [*surplus, 0.01], settings
    yield [*surplus, 0.01, 0.01, None], {}
    yield values, settings | {required[0]: values[0]}


@pytest.mark.every_case
@pytest.mark.parametrize("name", CLASSES)
def test_a_wrong_call_is_told_the_right_one(name):
    cls = getattr(fstats, name)
    if cls not in [case[0] for case in CASES.values()]:
        pytest.fail(f"{name} has no case")
    data = data_of(cls)
    other = data["d"] * 0 if "d" in data else None
    for values, named in wrong_calls(cls, data):
        try:
            cls(*values, **named)
        except (TypeError, ValueError) as error:
            said = str(error)
        else:  # the differences of two classifiers, or a table of right and wrong: another meaning without doubt
            assert len(values) == 1
            continue
        assert not PYTHONS_WORDS.search(said), said
        if re.match("`(rho|test_train_ratio)`, .*, must be stated. Write ", said):  # no example of these is right for all data
            continue
        assert "; got " in said, said
        (call,) = SUGGESTED.findall(said)[:1]
        suggested = eval(call, {"a": data.get("d"), "b": other, name: cls} | data)  # what is suggested works
        assert type(suggested) is cls


FUNCTIONS = [name for name in fstats.__all__ if inspect.isfunction(getattr(fstats, name))]


@pytest.mark.every_case
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_told_the_right_call(name):
    function = getattr(fstats, name)
    parameters = inspect.signature(function).parameters.values()
    surplus = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    required = any(p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)
    for values in [()] * required + [("?",) * 20] * (not surplus):
        with pytest.raises(
            TypeError, match=rf"^{name}\(\) (must be given|takes all arguments by name).*; got .*\. Write `{name}\("
        ) as error:
            function(*values)
        assert not PYTHONS_WORDS.search(str(error.value))


def test_an_error_inside_a_test_is_not_hidden():
    class Broken(fstats.PairedT):
        def __post_init__(self):
            len(3)

    assert_raises(lambda: Broken([1, 2], [3, 5]), "object of type 'int' has no len", TypeError)


# -- the forms ---------------------------------------------------------------------------------------------------------------------
ON_DIFFERENCES = [fstats.PairedT, fstats.SignedRank, fstats.SignTest]


@pytest.mark.parametrize("cls", ON_DIFFERENCES)
@pytest.mark.parametrize("settings", [{}, {"alternative": "less"}, {"higher_is_better": False}, {"metric": "RMSE"}])
def test_differences_are_those_of_the_scores(cls, settings):
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.integers(0, 9, (2, 8)).astype(float)
        ours, other = cls(a - b, **settings), cls(a, b, **settings)
        assert (ours.pvalue, ours.decision) == (other.pvalue, other.decision)
        assert ours.conclusion == other.conclusion
        assert ours.labels is None
        assert "d" in [row.name for row in ours.worked()]


@pytest.mark.parametrize("cls", ON_DIFFERENCES)
def test_differences_of_losses_may_all_be_negative(cls):
    test = cls([-1, -2, -3], metric="RMSE")  # A has the smaller losses
    assert test.d.tolist() == [1, 2, 3]
    assert "median" not in str(fstats.report(test))


def test_differences_have_no_scores():
    with pytest.raises(LookupError, match=r"needs a \(Scores of classifier A\)"):
        _ = fstats.PairedT([1, -2, 3]).a


@pytest.mark.parametrize("scores", [[0.8, 0.7, 0.9], [80, 70.5, 91], [0.5, 1.0]])
def test_scores_are_not_taken_for_differences(scores):
    assert_raises(lambda: fstats.SignedRank(scores), r"got scores from .* to .*. Write SignedRank\(a, b\)", TypeError)
    assert fstats.SignedRank.from_steps(d=scores).n == len(scores)


def test_the_table_says_who_is_right_where():
    """Rows are A right and A wrong: A alone is right on 5 records."""
    test = fstats.McNemarExact([[10, 5], [3, 12]], labels=["svm", "tree"])
    assert (test.n10, test.n01, test.correct_a, test.correct_b) == (5, 3, 15, 13)
    assert test.table.tolist() == [[12, 3], [5, 10]]
    assert [row.name for row in test.worked()][:2] == ["labels", "table"] or "table" in [row.name for row in test.worked()]
    batch = fstats.McNemarExact(np.stack([[[10, 5], [3, 12]], [[1, 0], [7, 2]]], axis=-1))
    assert batch.n10.tolist() == [5, 0]
    assert batch.n01.tolist() == [3, 7]


def test_a_crosstab_keeps_its_order():
    pd = pytest.importorskip("pandas")
    right_a, right_b = np.array([1, 1, 1, 0, 0], bool), np.array([1, 0, 0, 1, 0], bool)
    crossed = pd.crosstab(pd.Series(right_a, name="svm"), pd.Series(right_b, name="tree"))  # False comes first
    test = fstats.McNemarExact(crossed)
    assert (test.n10, test.n01) == ((right_a & ~right_b).sum(), (~right_a & right_b).sum()) == (2, 1)
    assert test.labels.tolist() == ["svm", "tree"]


def test_names_of_lists():
    pd = pytest.importorskip("pandas")
    index = ["iris", "wine", "heart"]
    series = [pd.Series([k, k + 1, 2 * k], index, name=f"model {k}") for k in range(3)]
    test = fstats.Friedman(*series)
    assert test.labels.tolist() == ["model 0", "model 1", "model 2"]
    assert test.data_sets.tolist() == index
    nested = fstats.Friedman({one.name: one.to_dict() for one in series})
    assert (nested.data_sets.tolist(), nested.labels.tolist()) == (index, test.labels.tolist())
    assert_raises(lambda: fstats.Friedman(series[0], series[1], series[2][::-1]), "must have equal labels")


# -- answers of which_test -----------------------------------------------------------------------------------------------------------
@parametrize(
    "question, typed, meant",
    *[("classifiers", typed, "two") for typed in (2, "2", "Two", "two classifiers", np.int64(2))],
    *[("classifiers", typed, "many") for typed in (3, 17, "3", "several", "more than two", "> 2", "three or more", "3+", "at least 3")],
    *[("data_sets", typed, "many") for typed in ("several", "multiple", 2, 30, "more than one", "30 data sets")],
    *[("data_sets", typed, "one") for typed in (1, "1", "single", "a single")],
    *[("results", typed, "scores") for typed in ("CV", "cross-validation", "Cross_validation", "folds", "score")],
    *[("results", typed, "records") for typed in ("predictions", "hold-out", "record")],
    *[("results", typed, "rankings") for typed in ("AUC", "roc", "ranking")],
    *[("aim", typed, "difference") for typed in ("different", "Diff", "better")],
    *[("aim", typed, "equivalence") for typed in ("equivalent", "TOST", "equal")],
    *[("paired", typed, "yes") for typed in (True, "True", "Yes", "y", "paired", "same")],
    *[("normal", typed, "no") for typed in (False, "No", "unknown", "not normal", "non-normal")],
    *[("seeds", typed, meant) for typed, meant in ((0, "none"), (1, "one"), (5, "several"), ("multiple", "several"))],
)
def test_a_typed_answer(question, typed, meant):
    assert {q.name: q for q in (*QUESTIONS, SEED_QUESTION)}[question].interpret(typed) == meant
    assert repr(fstats.which_test(**{question: typed})) == repr(fstats.which_test(**{question: meant}))


@parametrize(
    "question, typed",
    *[("classifiers", typed) for typed in (0, True, -2, "", "svm", 2.0, ["two"], "fewer than 3")],
    *[("data_sets", typed) for typed in (0, "none", False)],
    *[("results", typed) for typed in ("accuracy", "r", 3)],
    *[("paired", typed) for typed in (1, "maybe", "2")],
    *[("size", typed) for typed in (30, "medium", True)],
)
def test_an_answer_that_fits_nothing_is_told_the_list(question, typed):
    assert_raises(lambda: fstats.which_test(**{question: typed}), f"^{question} must be '.*' or '.*; got {re.escape(repr(typed))}")


# -- the page ------------------------------------------------------------------------------------------------------------------------
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \| ([\d.]+|–) \|$", PAGE, re.M)
IMPORTS = re.findall(r"`((?:from [\w.]+ )?import [\w, ]+)`", PAGE)


def half_a_digit(written):
    """The tolerance of a printed number: half a unit of its last digit."""
    return 0.500001 * 10.0 ** -len(written.partition(".")[2])


@pytest.fixture(scope="module")
def page_names(names):
    """The names in the calls of the page, and the libraries that are installed."""
    known = dict(names)
    for line in IMPORTS:
        with suppress(ImportError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(line, known)
    with suppress(ImportError):
        exec(
            "from sklearn.linear_model import LogisticRegression\nfrom sklearn.tree import DecisionTreeClassifier\n"
            "from sklearn.datasets import make_classification\nX, Y = make_classification(60, random_state=0)\n"
            "model_a, model_b = LogisticRegression(), DecisionTreeClassifier(max_depth=2, random_state=0)",
            known,
        )
    return known


def value_of(call, names):
    """What a call of the page gives; None if its library is not installed."""
    first = re.match(r"\w+", call)[0]
    if first not in names or ("model_a" in call and "model_a" not in names):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(call, names)


@pytest.mark.every_case
@pytest.mark.parametrize(("there", "here", "printed"), ROWS, ids=[here for _, here, _ in ROWS])
def test_a_row_of_the_page(there, here, printed, page_names):
    ours, other = value_of(here, page_names), value_of(there, page_names)
    if printed != "–":
        assert float(ours) == pytest.approx(float(printed), abs=half_a_digit(printed))
        assert other is None or float(other) == pytest.approx(float(printed), abs=half_a_digit(printed))
        if other is not None and not there.startswith("baycomp"):
            assert float(ours) == pytest.approx(float(other), rel=1e-9)


def test_every_row_of_the_page_is_run():
    body = PAGE.partition("## STAC")[0]
    assert len(ROWS) == len(re.findall(r"^\| `", body, re.M)) > 40
    libraries = {library.partition("](")[0] for library in re.findall(r"^## (.+)$", body, re.M)}
    assert libraries == {"SciPy", "statsmodels", "mlxtend", "baycomp", "pingouin", "scikit-posthocs", "autorank", "rliable"}
