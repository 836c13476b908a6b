"""What a test is started from: every step knows its range, and what is stated must agree as far as rounding allows."""

import json
import tomllib
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from cases import CASES, every, make
from shortcuts import assert_raises, parametrize

import fstats
from fstats import McNemarExact, Nemenyi, Outliers, PairedT, RankSum, SignedRank
from fstats.core.hypothesis import HypothesisTest
from fstats.core.number_format import format_plain
from fstats.core.validation.stated_value_consistency import is_exact_check
from fstats.core.value_types import Interval
from fstats.distributions.continuous_distributions import StudentT

# The range of each step, by its name, and values outside.  The range of a step that is not listed is the one that its own check holds.
OUTSIDE = {
    "probability": (-0.01, 1.01, 3.0, np.inf),
    "share": (-0.01, 1.01, np.inf),
    "correlation": (-1.01, 1.01, np.inf),
    "half": (-0.51, 0.51),
    "positive": (0.0, -1.0, np.inf),
    "nonnegative": (-0.1, -1e300, np.inf),
    "count": (-1, 2.5, np.inf),
    "ranks": (-1.0, 1.25, np.inf),
    "decision": (0.5, 2),
    "distribution": (3.0, 0.5),
    "interval": (3.0,),
    "number": (),
}
KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
RANGE, OWN = KNOWN["range"], KNOWN["own"]  # the steps of each range; where a class has another one
CLASSES = list(dict.fromkeys(cls for cls, *_ in CASES.values()))


def range_of(cls, name):
    for key, classes in OWN.items():
        kind, step = key.split()
        if step == name and cls.__name__ in classes.split():
            return kind
    listed = next((kind for kind, names in RANGE.items() if name in names.split()), None)
    check, over = cls.steps[name].check, cls.over(name)
    if listed or check is None:
        return listed or "number"
    return next(kind for kind, values in OUTSIDE.items() if all(is_refused(check, shaped(x, over)) for x in values))


def is_refused(check, value):
    try:
        check(value, "step")
    except (ValueError, TypeError):
        return True
    return False


def shaped(value, over):
    """A value as a number, a column or a table (of any of the shapes that steps ask for: two is the least)."""
    return value if not over else np.full((2,) * len(over), value).tolist()


@pytest.mark.every_case
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_step_refuses_what_is_outside_its_range(cls):
    for name in cls.steps:
        kind, over = range_of(cls, name), cls.over(name).replace("$statistic", "")
        for value in OUTSIDE[kind]:
            stated = value if kind == "interval" else shaped(value, over)
            with pytest.raises((ValueError, TypeError), match=name):
                cls.from_steps(**{name: stated})


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("value", ["0.05", None, "none"])
def test_no_step_takes_text_or_nothing(cls, value):
    for name in cls.steps:
        with pytest.raises((ValueError, TypeError), match=name):
            cls.from_steps(**{name: value})


@pytest.mark.every_case
@pytest.mark.parametrize("name", CASES)
def test_what_a_test_computes_is_within_its_ranges(name):
    cls, data, settings = CASES[name]
    test, checked = cls(**data, **settings), 0
    for one in (test.at(0), test.at(3), test.at(6)):
        for step, s in cls.steps.items():
            value = getattr(one, step)
            infinite = isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype.kind == "f" and not np.isfinite(value).all()
            if s.check is not None and not infinite:
                s.check(value, step)  # raises where the value is out of its range
                checked += 1
    assert checked > 0


# -- agreement -----------------------------------------------------------------------------------------------------------------
def as_printed(one, digits):
    """All steps that are numbers, rounded as a paper prints them."""
    printed = {}
    for name, s in one.steps.items():
        value = getattr(one, name)
        if isinstance(value, (int, float, np.generic)) and not isinstance(value, (bool, np.bool)) and np.isfinite(value):
            text = format_plain(value, digits)
            printed[name] = value if is_exact_check(s.check) else float(text) if {*".e"} & {*text} else int(text)
        elif isinstance(value, (bool, np.bool)):
            printed[name] = bool(value)
    return printed


def defaults_of(one):
    """The inputs that need not be data."""
    return {name: getattr(one, name) for name, about in one.inputs.items() if about["setting"] or name in one.defaults}


@pytest.mark.parametrize(("name", "alternative"), every)
def test_rounded_summaries_are_believed(name, alternative):
    batch = make(name, alternative)
    for r in (0, 2, 3, 5):
        one = batch.at(r)
        for digits in (3, 4, 17):
            printed = as_printed(one, digits)
            again = type(one).from_steps(**(defaults_of(one) | printed))
            for step in printed:
                assert getattr(again, step) == printed[step]


@pytest.mark.parametrize(("name", "alternative"), every)
def test_a_figure_that_contradicts_the_others_is_refused(name, alternative):
    one = make(name, alternative).at(0)
    printed = as_printed(one, 6)
    if not isinstance(one, HypothesisTest) or not np.isfinite(one.statistic):
        return
    # the test decides by p, so that this decision is never right
    stated = defaults_of(one) | {"pvalue": printed["pvalue"], "reject": not printed["reject"]}
    assert_raises(lambda: type(one).from_steps(**stated), "the stated values contradict each other: reject is")
    assert (
        type(one).from_steps(**defaults_of(one), pvalue=printed["pvalue"]).assuming(reject=not printed["reject"]).reject
        != printed["reject"]
    )


BELIEVED = [
    (PairedT, dict(n=5, mean=-0.6, sd=3.578, se=1.6, statistic=-0.375, df=4, pvalue=0.7267, effect_size=-0.168, reject=False)),
    (PairedT, dict(n=5, mean=-0.6, sd=3.6, statistic=-0.38)),  # -0.3727 from these, but -0.55 / 3.65 and -0.65 / 3.55 are possible
    (SignedRank, dict(w_plus=93, w_minus=12)),  # Demsar
    (SignedRank, dict(ranks=[0, 1.5, 1.5, 3], w_plus=4.5, w_minus=1.5, n=3)),
    (Nemenyi, dict(n=14, k=4, mean_ranks=[3.143, 2.0, 2.893, 1.964])),
    (fstats.WelchT, dict(n_x=3, n_y=3, sd_x=1.0, sd_y=2.0, df=2.94)),
]


@pytest.mark.parametrize(("cls", "printed"), BELIEVED)
def test_what_agrees_up_to_rounding_is_believed(cls, printed):
    test = cls.from_steps(**printed)
    assert set(test.stated) == {*printed}
    for name, value in printed.items():
        assert np.array_equal(getattr(test, name), value)


def test_wrong_values_are_carried_on_and_copied():
    test = PairedT.from_steps(n=5, mean=-0.6, sd=3.578)
    assert (test.assuming(df=9).df, test.assuming(statistic=2.0).statistic) == (9, 2)
    assert test.assuming(pvalue=1.46).reject == False  # noqa: E712 (a student's; the next answer may still follow from it)
    w = SignedRank([1, 2, 3, 5], [0, 0, 0, 9])
    assert w.assuming(w_plus=100).statistic == w.w_minus
    import pickle

    wrong = PairedT([1, 2, 4], [0, 0, 0]).assuming(df=9)
    assert (pickle.loads(pickle.dumps(wrong)).df, wrong.at().df) == (9, 9)


# -- other inputs that were believed ---------------------------------------------------------------------------------------------
@parametrize(
    "made, name",
    (lambda: Outliers([1, 2, 3, 4], reach=[]), "reach"),
    (lambda: McNemarExact([], []), "n01"),
    (lambda: fstats.OneSampleT([1, 2, 3], mu=[]), "mu"),
    (lambda: fstats.EquivalenceT([1, 2, 3], [1, 2, 2], margin=[]), "margin"),
    (lambda: PairedT.from_steps(sd=[]), "sd"),
    (lambda: PairedT.from_steps(pvalue=[]), "pvalue"),
)
def test_nothing_is_no_number(made, name):
    assert_raises(made, rf"`{name}` must hold at least one number; got none")


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["y_true", "pred_a", "pred_b"])
@pytest.mark.parametrize("kind", [np.array, lambda x: np.array(x, object), list])
def test_bytes_beside_text_are_refused(name, kind):
    given = {"y_true": ["a", "b"], "pred_a": ["a", "b"], "pred_b": ["b", "b"]}
    mixed = given | {name: kind([b"a", b"b"])}
    words = rf"y_true, pred_a and pred_b must all be text .*; got bytes in {name}. Write {name} = "
    assert_raises(lambda: fstats.PairedTable(**mixed), words, TypeError)
    assert_raises(lambda: fstats.PairedTable(**(given | {name: np.array([b"a", "b"], object)})), "got bytes", TypeError)
    same = {key: kind([entry.encode() for entry in value]) for key, value in given.items()}
    assert (fstats.PairedTable(**same).table == fstats.PairedTable(**given).table).all()


def test_a_model_that_predicts_bytes_is_refused():
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.dummy import DummyClassifier

    class Encoded(ClassifierMixin, BaseEstimator):
        """Predicts the right class, as bytes."""

        def fit(self, X, y):  # noqa: ARG002
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.full(len(X), b"a")

    X, y = np.arange(40.0)[:, None], np.array(["a", "b"] * 20)
    with pytest.raises(TypeError, match=r"must predict labels of the type of `y`; got b'a' in split 1 .*, but `y` holds 'a'"):
        fstats.compare(Encoded(), DummyClassifier(), X, y, fstats.FiveByTwoT, rng=0)


# -- reports from the least that can be stated -----------------------------------------------------------------------------------
TESTS = [cls for cls in CLASSES if issubclass(cls, HypothesisTest)]
SETTINGS = {"margin": 0.5}
# what the null distribution of a test hangs on
LEAST = {
    "SignedRank": dict(n=9, statistic=4),
    "RankSum": dict(n_x=3, n_y=4, statistic=4),
    "EquivalenceSignedRank": dict(statistic=0.2),
    "CalibratedFiveByTwoF": dict(statistic=3.1, df_error=5),
    "SignTest": dict(n=9, statistic=2),
    "McNemarExact": dict(n=9, statistic=2),
    "McNemarMidP": dict(n=9, statistic=2),
    "BinomialProportion": dict(n=9, statistic=2),
    "RepeatedAnova": dict(statistic=3.1, df=2, df_error=18, k=3, n=10),
}


def least(cls):
    df = {name: 9 for name in ("df", "df_error") if name in cls.steps}
    return LEAST.get(cls.__name__, dict(statistic=0.7) | df)


@pytest.mark.parametrize("cls", TESTS, ids=lambda cls: cls.__name__)
def test_a_report_of_the_least_that_can_be_stated(cls):
    settings = {name: value for name, value in SETTINGS.items() if name in cls.inputs}
    for alternative in cls.tails:
        chosen = settings | {"alternative": alternative}
        for stated in (dict(pvalue=0.03), least(cls), {}):
            test = cls.from_steps(**stated, **chosen)
            said = fstats.report(test)
            assert ("p = 0.030" in said.text) == ("pvalue" in stated)
            if "statistic" in stated:
                assert f"= {format_plain(test.statistic)}" in said.text
            assert ("p = " in said.text or "p < " in said.text) != ("No decision: " in said.text)
            if "No decision" in said.text:
                assert "cannot be computed: the computation needs" in said.text
            else:
                assert f"We {test.decision[0].lower()}{test.decision[1:]} at" in said.text
                assert test.verdict in said.text
            assert repr(test)
            assert test._repr_html_()
            assert test.to_latex()
            json.dumps(test.to_dict(), allow_nan=False)


def test_a_report_from_statistic_and_degrees_of_freedom():
    said = str(fstats.report(PairedT.from_steps(statistic=-3.2, df=9)))
    assert said.startswith(
        "Paired t-test (Student, 1908): t(9) = -3.2, p = 0.011. We reject H0 at alpha = 0.05: the data show that A is worse than B in "
        "mean score."
    )
    assert "effect size" not in said
    assert "interval" not in said
    ranks = SignedRank.from_steps(ranks=np.arange(1, 10), statistic=4)
    assert str(fstats.report(ranks)).startswith("Wilcoxon signed-rank test (Wilcoxon, 1945): W = 4, exact p = 0.027.")
    unknown = str(fstats.report(SignedRank.from_steps(n=9, statistic=4)))  # there may be ties
    assert unknown.startswith(
        "Wilcoxon signed-rank test (Wilcoxon, 1945): W = 4, n = 9 data sets on which the classifiers differ. No "
        "decision: SignedRank.pvalue cannot be computed: the computation needs a ("
    )
    sums = RankSum.from_steps(n_x=3, n_y=4, ranks=np.arange(1, 8), statistic=0)
    assert str(fstats.report(sums)).startswith(
        "Wilcoxon rank-sum test (Wilcoxon, 1945): U = 0, exact p = 0.057, n_x = 3 data sets of A, n_y = 4 data sets of B, "
        "effect size r = -1 (large)."
    )
    assert "t(9) = -3.2" in str(fstats.report(PairedT.from_steps(null=StudentT(9), statistic=-3.2)))


def test_infinite_intervals_and_names_of_steps():
    test = PairedT.from_steps(pvalue=0.2, ci=(-np.inf, 2.0), critical_value=np.inf)
    assert (test.ci, test.to_dict()["ci"]) == (Interval(-np.inf, 2.0), ["-inf", 2.0])
    assert test.to_dict()["critical_value"] == "inf"
    names = list(chain.from_iterable(text.split() for text in RANGE.values()))
    assert len(names) == len(set(names))
    assert set(names) <= {name for cls in CLASSES for name in cls.steps}


def test_rounded_ranks_are_believed():
    demsar = fstats.Friedman.from_steps(n=14, k=4, mean_ranks=[3.143, 2.0, 2.893, 1.964], ties="ignore")  # Demsar (2006), table 6
    assert demsar.statistic == pytest.approx(9.28, abs=0.01)
    at_most = fstats.ImanDavenport.from_steps(n=3, k=3, chi_squared=6.0)
    assert (np.isinf(at_most.statistic), at_most.pvalue) == (True, 0)
    assert not np.isnan(fstats.ImanDavenport.from_steps(n=10, k=4, chi_squared=30.01).pvalue)
