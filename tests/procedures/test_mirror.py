"""Errors and losses: whatever takes a table names the same winner, with the same p, as of the mirror image whose scores are high.

Every public procedure is here: it keeps the direction, or refuses a table in which lower is better, or takes no table at all.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shortcuts import assert_raises

import fstats
from fstats import Results
from fstats.plot.post_hoc.comparison_matrix import comparison_matrix

ERRORS = np.random.default_rng(3).normal([1, 1.6, 2.4], 0.3, (12, 3)) + np.random.default_rng(4).uniform(0, 3, (12, 1))
NAMES = ["good", "bad", "worst"]
NEEDED: dict[str, Any] = {
    "rope": 0.1,
    "margin": 3.0,
    "control": "bad",
    "rho": 0.1,
    "clusters": ["x", "y", "z"] * 4,
    "test_train_ratio": 0.1,
}
PROCEDURES = {
    name: one
    for name in sorted(fstats.__all__)
    if inspect.isclass(one := getattr(fstats, name)) and hasattr(one, "inputs") and hasattr(one, "from_steps")
}


def both(k: int) -> tuple[Results, Results]:
    """Errors of k classifiers, and scores that are their mirror image."""
    names = NAMES[:k]
    lower = Results(ERRORS[:, :k], classifiers=names, metric="error", higher_is_better=False)
    return lower, Results(-ERRORS[:, :k], classifiers=names, metric="score")


def made(test: Any, table: Any, **more: Any) -> Any:
    """The test of a table, with the settings that it cannot do without."""
    needed = {name: NEEDED[name] for name in test.inputs if (name in NEEDED and name not in test.defaults) or name == "control"}
    needed = {name: value for name, value in needed.items() if name != "control" or test.__name__ == "BonferroniDunn"}
    return test(table, **needed | more)


def order(text: str) -> list[str]:
    """The classifiers in the order in which a sentence names them, and what it says of them."""
    return re.findall(
        r"good|bad|worst|better|worse|beats|differ|Reject|Fail|wins", re.sub(r"\(lower is better\)| \(\w+ minus \w+\)", "", text)
    )


def numbers(test: Any) -> list[Any]:
    names = ("pvalue", "pvalues", "adjusted", "probabilities", "reject", "probability", "mean_ranks", "effect_size")
    return [np.asarray(getattr(test, name), float) for name in names if name in test.steps]


def assert_mirrored(one: Any, other: Any) -> None:
    for x, y in zip(numbers(one), numbers(other), strict=True):
        assert x == pytest.approx(y, rel=1e-9, abs=1e-12)
    words = (one.conclusion, other.conclusion) if hasattr(one, "conclusion") else ("", "")
    assert order(words[0]) == order(words[1]), words


def taken(name: str) -> int:
    """How many classifiers a procedure takes of a table of scores: 2 or 3, and 0 if it takes none."""
    for k in (3, 2):
        try:
            made(PROCEDURES[name], both(k)[1])
        except (TypeError, ValueError):
            continue
        return k
    return 0


TAKES = {name: taken(name) for name in PROCEDURES}


@pytest.mark.every_case
@pytest.mark.parametrize("name", [name for name, k in TAKES.items() if k])
def test_a_table_of_errors_has_the_winner_of_its_mirror_image(name: str) -> None:
    lower, higher = both(TAKES[name])
    if "higher_is_better" not in PROCEDURES[name].inputs:
        words = r"for which higher is better; got scores of error, for which lower is better. Change the signs first"
        assert_raises(lambda: made(PROCEDURES[name], lower), words)
        return
    test = made(PROCEDURES[name], lower)
    assert test.higher_is_better is False
    assert_mirrored(test, made(PROCEDURES[name], higher))
    assert_mirrored(test, made(PROCEDURES[name], lower.to_frame(), higher_is_better=False))
    if np.ndim(getattr(test, "pvalue", 0)) == 0:
        assert_mirrored(fstats.apply_test(PROCEDURES[name], lower, **_settings(name)), test)


def _settings(name: str) -> dict[str, Any]:
    test = PROCEDURES[name]
    found = {one: NEEDED[one] for one in test.inputs if one in NEEDED and one not in test.defaults}
    return found | ({"control": "bad"} if name == "BonferroniDunn" else {})


def test_what_takes_no_table_refuses_results() -> None:
    for name, k in TAKES.items():
        if not k:
            for table in both(2):
                with pytest.raises((TypeError, ValueError)):
                    made(PROCEDURES[name], table)


def test_nothing_that_compares_scores_is_left_out() -> None:
    assert sum(k == 2 for k in TAKES.values()) >= 10
    assert sum(k == 3 for k in TAKES.values()) >= 20
    without = {
        name for name, one in PROCEDURES.items() if {"a", "b"} <= {*one.inputs} or {"x", "y"} <= {*one.inputs} or "scores" in one.inputs
    }
    without -= {name for name, one in PROCEDURES.items() if "higher_is_better" in one.inputs}
    by_metric, of_runs = {"PairedBootstrap", "PairedPermutation"}, {"InterquartileMean", "PerformanceProfile", "SampledAnswers"}
    refuse = {"AlmostStochasticOrder", "DifferenceOfInterquartileMeans", "ProbabilityOfImprovement"}
    areas = {"DeLong", "UnpairedDeLong"}
    assert without <= by_metric | of_runs | refuse | areas, "does it keep the direction?"


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["TwoSampleT", "WelchT", "RankSum"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_independent_samples_are_mirrored(name: str, alternative: str) -> None:
    test, x, y = PROCEDURES[name], ERRORS[:, 0], ERRORS[:7, 2]
    one, other = test(x, y, higher_is_better=False, alternative=alternative), test(-x, -y, alternative=alternative)
    assert_mirrored(one, other)
    assert (tuple(one.ci), one.ci.open_low) == (pytest.approx(tuple(other.ci)), other.ci.open_low)


@pytest.mark.parametrize("name", ["PairedT", "SignedRank", "SignTest"])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_greater_claims_that_a_is_better(name: str, alternative: str) -> None:
    test = PROCEDURES[name](ERRORS[:, 0], ERRORS[:, 2], higher_is_better=False, alternative=alternative, labels=["good", "worst"])
    assert bool(test.reject) is (alternative == "greater")
    assert_mirrored(test, PROCEDURES[name](-ERRORS[:, 0], -ERRORS[:, 2], alternative=alternative, labels=["good", "worst"]))


AFTER = ["TukeyHSD", "Nemenyi", "Holm", "Shaffer", "BergmannHommel", "Finner", "Hochberg", "Hommel", "Li"]
AFTER += ["BenjaminiHochberg", "BenjaminiYekutieli"]
SHOWN: dict[str, Callable[[Any], str]] = {
    "diagram": lambda test: test.plot().text,
    "matrix": lambda test: comparison_matrix(test).text,
    "report": lambda test: str(fstats.report(test)),
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("name", AFTER)
def test_pictures_and_reports_of_comparisons_are_mirrored(name: str, shown: str) -> None:
    one, other = (made(PROCEDURES[name], table) for table in both(3))
    assert order(SHOWN[shown](one)) == order(SHOWN[shown](other))
    for what in ("differences", "pvalues", "adjusted"):
        if what in one.steps:
            assert one.to_frame("matrix", what).to_numpy() == pytest.approx(other.to_frame("matrix", what).to_numpy())


RANKED = ["Friedman", "Quade", "ImanDavenport"]


@pytest.mark.parametrize("name", ["PairedT", "SignedRank", "SignTest", "RepeatedAnova", "OneWayAnova", *RANKED])
def test_reports_are_mirrored(name: str) -> None:
    one, other = (made(PROCEDURES[name], table) for table in both(TAKES[name]))
    assert order(str(fstats.report(one))) == order(str(fstats.report(other)))
    assert ("lower is better" in str(fstats.report(one))) == (name not in RANKED and bool(one.reject))


def test_a_multiverse_and_the_issue_are_mirrored() -> None:
    groups = [ERRORS[:, 0], ERRORS[:7, 1], ERRORS[:, 2]]
    for test in (fstats.TukeyHSD, fstats.OneWayAnova):
        one = test.from_groups(*groups, labels=NAMES, higher_is_better=False)
        assert_mirrored(one, test.from_groups(*(-group for group in groups), labels=NAMES))
    a, b = ERRORS[:, 0], ERRORS[:, 1]
    one, other = fstats.multiverse(a, b, higher_is_better=False, progress=False), fstats.multiverse(-a, -b, progress=False)
    assert [x.test.pvalue for x in one.analyses] == pytest.approx([x.test.pvalue for x in other.analyses])
    errors = {"good": [1, 2, 3, 4, 5, 6, 7.0], "bad": [1.5, 2.6, 3.1, 4.4, 5.2, 6.9, 7.3]}
    results = Results(np.array([*errors.values()]).T, classifiers=[*errors], metric="RMSE", higher_is_better=False)
    assert "good is better than bad by 0.4286" in fstats.TukeyHSD(results).conclusion
    for test in (fstats.PairedT, fstats.SignedRank, fstats.SignTest):
        said = fstats.apply_test(test, results).conclusion
        assert re.search("the data show that good (is better than bad in|wins on more data sets than bad)", said)
        assert "(lower is better)" in said


@pytest.mark.parametrize("explorer", ["ranking", "anova"])
def test_explorers_are_mirrored(explorer: str) -> None:
    from fstats import explore

    lower, higher = (Results(np.round(one.scores, 2), classifiers=NAMES, higher_is_better=one.higher_is_better) for one in both(3))
    made_of = getattr(explore, explorer)
    texts = [
        made_of(table, **more).test.conclusion
        for table, more in ((lower, {}), (higher, {}), (lower.scores, {"labels": NAMES, "higher_is_better": False}))
    ]
    assert order(texts[0]) == order(texts[1]) == order(texts[2])
    pictures = [[picture.text for picture in explorer_.pictures(explorer_.test)] for explorer_ in (made_of(lower), made_of(higher))]
    assert [order(text) for text in pictures[0]] == [order(text) for text in pictures[1]]


@pytest.mark.parametrize("test", [fstats.PairedBootstrap, fstats.PairedPermutation])
def test_a_metric_of_records_is_mirrored(test: Any) -> None:
    y, a, b = np.random.default_rng(1).normal(size=(3, 60))
    loss = fstats.Metric(lambda y, p: np.abs(y - p).mean(), higher_is_better=False, name="error")
    score = fstats.Metric(lambda y, p: -np.abs(y - p).mean(), higher_is_better=True, name="score")
    one, other = (test(y, y + a / 3, y + b, metric=metric, draws=300, labels=["good", "bad"]) for metric in (loss, score))
    assert_mirrored(one, other)
    assert order(str(fstats.report(one))) == order(str(fstats.report(other)))


def test_every_door_for_a_table_keeps_its_direction() -> None:
    lower, higher = both(3)
    for before, after in (
        (fstats.Friedman, fstats.Nemenyi),
        (fstats.Friedman, fstats.Holm),
        (fstats.ImanDavenport, fstats.Shaffer),
        (fstats.FriedmanAligned, fstats.Holm),
        (fstats.Pairwise, fstats.BergmannHommel),
        (fstats.PairwiseAligned, fstats.Hommel),
        (fstats.Friedman, fstats.BenjaminiHochberg),
    ):
        if hasattr(after, "from_test"):
            one, other = (after.from_test(before(table)) for table in (lower, higher))
            assert_mirrored(one, other)
            assert order(str(fstats.report(before(lower), one))) == order(str(fstats.report(before(higher), other)))
    two = both(2)
    for test in (fstats.PairedT, fstats.SignedRank):
        texts = [order(fstats.plot.null(test(table)).text) for table in two]
        assert texts[0] == texts[1]
