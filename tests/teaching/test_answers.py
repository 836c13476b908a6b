"""The answers that are folded below explorers, held against the explorers: each is moved as its question asks."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from undrawn import undrawn

from fstats import (
    BinomialProportion,
    BlockedFiveByTwoMcNemar,
    BlockedFiveByTwoT,
    CorrectedRepeatedKFoldT,
    FiveByTwoT,
    Friedman,
    HoldOutMcNemar,
    KFoldT,
    Nemenyi,
    OneSampleT,
    PairedT,
    ResampledT,
    SignedRank,
    SignTest,
    compare,
    explore,
    multiverse,
    scores_on,
    which_test,
)
from fstats.core.number_format import format_plain
from fstats.guide.rules import RULES
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.simulate.rejection_rates import Rate
from fstats.teaching.demonstrations.groups_of_test_set import group_accuracies
from fstats.teaching.demonstrations.language_models import BENCHMARKS
from fstats.teaching.demonstrations.type_one_error_simulation import NAMES
from fstats.teaching.polls import POLL

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(autouse=True)
def nobody_looks():
    """The words are held against tests and controls; tests/explore holds against them what is shown."""
    with undrawn():
        yield


@cache
def cells(name):
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def folded(name, tag):
    """What is folded under a tag in a notebook (behind a poll: test_polls.py), cell by cell, without the marks of its letters."""
    every = [(set(cell["metadata"].get("tags", ())), "".join(cell["source"])) for cell in cells(name)]
    found = [text for (before, _), (tags, text) in pairwise(every) if tag in tags and POLL not in before]
    return [re.sub(r"[`$]", "", text).replace("−", "-").replace("\u00a0", " ").replace("{,}", ",") for text in found]


def answers(name, which=0):
    """The words of a notebook's answers."""
    return folded(name, "answers")[which]


def words_of(name):
    """All cells of a notebook, without what they put out."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells).replace("\u00a0", " ")


# -- the explorers of the cores, as their notebooks start them ---------------------------------------------------------------------
FIVE = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
MORE = [88, 74, 91, 66, 80, 79, 85, 77, 90, 72], [90, 75, 92, 69, 81, 82, 84, 80, 92, 75]
SIX = [87, 68, 85, 75, 83, 90], [85, 70, 79, 78, 83, 85]
SIX_MORE = [81, 92, 77, 88, 70, 84], [80, 88, 77, 85, 73, 79]
ACCURACIES = {"tree": [78, 65, 90, 71, 84, 59, 88, 73], "bayes": [80, 68, 91, 70, 88, 62, 87, 75], "svm": [84, 71, 92, 77, 89, 63, 92, 80]}
AUC = {
    "C4.5": "763 599 954 628 882 936 661 583 775 1000 940 619 972 957",
    "C4.5+m": "768 591 971 661 888 931 668 583 838 1000 962 666 981 978",
    "C4.5+cf": "771 590 968 654 886 916 609 563 866 1000 965 614 975 946",
    "C4.5+m+cf": "798 569 967 657 898 931 685 625 875 1000 962 669 975 970",
}


RATED = [ResampledT, KFoldT, FiveByTwoT, CorrectedRepeatedKFoldT, BlockedFiveByTwoMcNemar, BlockedFiveByTwoT]


def auc():
    return pd.DataFrame({name: [int(word) / 1000 for word in line.split()] for name, line in AUC.items()})


def cancer():
    """The learners and the data of lessons 07 and 08."""
    return make_pipeline(StandardScaler(), KNeighborsClassifier()), GaussianNB(), *load_breast_cancer(return_X_y=True)


@cache
def ten_tables():
    return compare(*cancer(), test=BlockedFiveByTwoMcNemar, rng=0, labels=["kNN", "Bayes"], progress=False).tables


@cache
def hundred_differences():
    five = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    data = load_breast_cancer(return_X_y=True)
    return scores_on(CorrectedRepeatedKFoldT, LinearDiscriminantAnalysis("lsqr"), five, *data, rng=1, progress=False).difference.ravel()


def test_discriminants_are_alike_in_every_scikit_learn():
    """Since 1.9 the default solver divides the covariance by another number; that by least squares divides as ever."""
    sources = "\n".join("".join(cell["source"]) for path in sorted(NOTEBOOKS.glob("*.ipynb")) for cell in cells(path.stem))
    assert {*re.findall(r"LinearDiscriminantAnalysis\((.*?)\)", sources)} == {'solver="lsqr"'}


def network():
    layers = MLPClassifier((4,), learning_rate_init=0.1, tol=0.01, n_iter_no_change=2, random_state=0)
    return make_pipeline(StandardScaler(), layers)


@cache
def randomness():
    return explore.randomness(network(), GaussianNB(), *load_wine(return_X_y=True))


STARTED = {
    "00_start_here": [randomness, lambda: explore.binomial_proportion(19, 20, share=0.75)],
    "01_paired_t": [lambda: explore.paired_t(*map(list.__add__, FIVE, MORE), n=5)],
    "01b_without_pairs": [lambda: explore.unpaired(*FIVE, mu=75)],
    "02_wilcoxon": [lambda: explore.signed_rank(*map(list.__add__, SIX, SIX_MORE), n=6, alpha=0.1)],
    "03_contingency_table": [lambda: explore.discordant(33, 15)],
    "04_anova": [lambda: explore.anova(pd.DataFrame(ACCURACIES), step=0.5)],
    "05_friedman": [lambda: explore.ranking(auc(), alpha=0.1, step=0.005)],
    "05b_post_hoc": [lambda: explore.ranking(auc(), alpha=0.1, step=0.005)],
    "06_cross_validation_is_not_independent": [lambda: explore.overlap(splits=15)],
    "07_five_by_two": [lambda: explore.five_by_two(scores_on(FiveByTwoT, *cancer(), rng=0, progress=False).difference)],
    "08_bcv_mcnemar": [lambda: explore.bcv_mcnemar(ten_tables())],
    "09_which_test": [explore.which_test],
    "10_contingency_simulation": [explore.contingency_simulation],
    "11_fold_hacking": [lambda: explore.fold_hacking("iris", ("GNB", "KNN"), seed=213)],
    "12_type_one_error_and_power": [lambda: explore.false_alarms(RATED)],
    "13_block_regularized_cv": [explore.correlations],
    "14_bayesian_comparison": [
        lambda: explore.rope(hundred_differences(), labels=["linear", "five"], step=0.001),
        lambda: explore.prior(auc()["C4.5+m"], auc()["C4.5"]),
    ],
    "15_unstable_learners": [explore.unstable_training],
    "16_language_models": [explore.two_models],
}


def started(name, which=0):
    return STARTED[name][which]()


@pytest.mark.complete
@pytest.mark.parametrize("name", STARTED)
def test_the_lecturer_has_words_for_each_control(name):
    """Behind each explorer of a core its controls are named as they are on the screen, and no others; of folded ones it is
    said how to get them.
    """
    notes = folded(name, "speaker-notes")[1 : 1 + len(STARTED[name])]
    assert len(notes) == len(STARTED[name])
    for made, note in zip(STARTED[name], notes):
        assert "**What to say at each control.**" in note
        named = re.findall(r"\*([^*\n]+)\*(?=[,: ])", re.sub(r"\*\*[^*]+\*\*", "", re.sub(r"^\* ", "", note, flags=re.MULTILINE)))
        page = made()
        assert sorted(control.label for control in page.controls) == sorted(set(named) - {"majority"})
        leading = {page.control(name).label for name in page.main_controls}
        for head in re.findall(r"^\* (\*[^*\n]+\*[^:\n]*)", note, re.MULTILINE):  # what key m must bring out first
            assert ("(key m)" in head) == leading.isdisjoint(re.findall(r"\*([^*]+)\*", head)), head


def test_every_lesson_with_an_explorer_in_its_core_is_held():
    with_one = {path.stem for path in NOTEBOOKS.glob("[0-9]*.ipynb") if "explore." in path.read_text(encoding="utf-8")}
    assert set(STARTED) == with_one, "STARTED in this file starts the explorers of each lesson as the lesson does: add or remove a line"


def moved(explorer, **texts):
    """The explorer's test, with the controls moved to where they say this."""
    explorer.reset()
    for name, text in texts.items():
        control = explorer.control(name)
        explorer.move(**{name: next(k for k in range(control.least, control.most + 1) if said(explorer, name, k) == text)})
    return explorer.test


def said(explorer, name, position):
    explorer.move(**{name: position})
    return explorer.control(name).text


# -- from where on nothing changes ---------------------------------------------------------------------------------------------
STEADY, TYPED = [83, 79, 91, 88, 76, 85, 90, 81, 78, 84], [81, 78, 89, 87, 74, 84, 88, 80, 76, 83]
ENDS = re.compile(r"[Ff]rom (?!which)(?:\S+ ){1,4}on\b|stops? changing|for the last time|for ever\b|stands? still|no longer moves")


def outlier():
    return explore.outlier(STEADY, TYPED, reach=60)


@dataclass(frozen=True)
class Rest:
    """A claim that something, read off an explorer, changes along a control up to a position and from there on no more."""

    words: str
    lesson: str
    made: Callable[[], Any]
    control: str
    read: Callable[[Any], Any]
    at: str  # what the control says where the claim has it come to rest
    where: dict[str, str] = field(default_factory=dict)  # what the other controls say
    downwards: bool = False
    told: tuple[str, ...] = ("answers",)  # where the words stand

    def found(self):
        """What the control says where it really comes to rest, by all positions from one end to the other; "" where nothing changes."""
        page = self.made()
        moved(page, **self.where)
        ends = page.control(self.control)
        along = range(ends.least, ends.most + 1)[:: -1 if self.downwards else 1]
        readings = []
        for position in along:
            page.move(**{self.control: position})
            readings.append(np.asarray(self.read(page.test)).tolist())
        changes = [k for k in range(1, len(along)) if readings[k] != readings[k - 1]]
        return said(page, self.control, along[changes[-1]]) if changes else ""


def sixth(words, read, at, **more):
    made, where = STARTED["02_wilcoxon"][0], {"dataset": "number 6"}
    return Rest(words, "02_wilcoxon", made, "score", read, f"{at} (B: 85)", where, **more)


def last(words, read, at, **more):
    return Rest(words, "02_wilcoxon", outlier, "away", read, f"{at} (B: 83)", **more)


RESTS = (
    sixth("From 89 on W stays", lambda test: test.statistic, 89),
    sixth("from 92 on it stays 0.5", lambda test: test.pvalue, 92),
    sixth("there the difference has the largest rank, 5", lambda test: test.ranks, 92),
    sixth("From 89 on W stays", lambda test: test.statistic, 89, told=("speaker-notes",)),
    sixth("from 92 on p does, too", lambda test: test.pvalue, 92, told=("speaker-notes",)),
    last("from thirteen points more on the t-test fails to reject", lambda test: test.p_t <= 0.05, 84 + 13),
    last("from two points more on it is the largest, 10", lambda test: test.ranks[-1], 84 + 2),
    last("From four points less on, the ranks stay the same (p = 0.082)", lambda test: (test.p_w, *test.ranks), 84 - 4, downwards=True),
    Rest(
        "Mid-p rejects from five on",
        "03_contingency_table",
        STARTED["03_contingency_table"][0],
        "n01",
        lambda test: test.reject,
        "5",
        {"n10": "0", "test": "mid-p"},
    ),
    Rest(
        "From 0.024 on",
        "14_bayesian_comparison",
        STARTED["14_bayesian_comparison"][0],
        "rope",
        lambda test: test.probabilities[1] >= 0.95,
        "±0.024",
    ),
)


@pytest.mark.parametrize("claim", RESTS, ids=lambda claim: f"{claim.lesson[:2]}: {claim.words}")
def test_what_comes_to_rest_does_so_where_the_page_says(claim):
    """Along its whole slider: it changes up to there, and from there on no more."""
    assert any(claim.words in text for tag in claim.told for text in folded(claim.lesson, tag))
    assert claim.found() == claim.at


def test_every_claim_that_something_comes_to_rest_is_held():
    for path in NOTEBOOKS.glob("[0-9]*.ipynb"):
        for tag in ("answers", "speaker-notes"):
            held = [claim.words for claim in RESTS if claim.lesson == path.stem and tag in claim.told]
            for text in folded(path.stem, tag):
                for found in ENDS.finditer(text):
                    assert any(found[0] in words and words in text for words in held), f"{path.stem}: {found[0]!r} is held against nothing"


def test_two_analyses_of_variance():
    text = answers("04_anova")
    page = started("04_anova")
    farthest = said(page, "apart", page.control("apart").most)
    f = [moved(page, apart=apart) for apart in ("0 times as given", "as given", farthest)]
    together, given, apart = (found.conclusion.partition("F = ")[2].partition(",")[0] for found in f)
    assert (
        f"pulled together (0) it is {float(together):.0f}, at the given distances "
        f"{float(given):.2f}, at {farthest.removesuffix(' as given')} the distances "
        f"{float(apart):.2f} (further apart, an accuracy would exceed 100)" in text
    )
    beyond = pd.DataFrame(ACCURACIES).T
    beyond += (float(farthest.split()[0]) + 0.1 - 1) * (beyond.mean() - beyond.stack().mean())
    assert beyond.to_numpy().max() > 100
    assert {round(float(found.repeated.statistic), 2) for found in f} == {28.11}
    assert "The F with blocks stays 28.11" in text
    less, worst = moved(page, bonus="-4"), moved(page, bonus="-10")
    assert f"(with blocks p = {less.repeated.pvalue:.3f})" in text
    assert less.conclusion.count("fails to reject") == 2
    tree, bayes, svm = less.repeated.means
    assert tree < svm < bayes  # "lies between the other two"
    assert worst.repeated.means.argmin() == 2
    assert worst.repeated.reject


def test_a_simulation_beside_the_exact_power():
    text = answers("10_contingency_simulation")
    page = explore.contingency_simulation()
    assert f"the standard error is up to {sqrt(0.25 / 10):.2f}" in text
    assert f"at 1000 it is still up to {sqrt(0.25 / 1000):.3f}" in text
    assert f"At 500 records and level 0.05 it is {moved(page, records='500', rate='r = 0').power:.3f}." in text
    ten, two = (moved(page, records="500", classes=classes).power for classes in ("10", "2"))
    assert f"With 500 records and 5 % known, ten classes give {ten:.2f}, two classes {two:.2f}" in text


def test_folds_of_many_learners():
    """Worth, false alarms, and which learner is harmless with one repetition and not with thirty."""
    text = answers("10_contingency_simulation", 1)
    page = explore.repeated_folds(learner="1-nearest neighbour")
    neighbour = [moved(page, repeats=repeats) for repeats in ("1", "2", "5", "10", "30")]
    first = neighbour[0]
    assert f"treats {first.classifications} classifications as independent; they are worth only {first.worth:.0f}" in text
    assert f"rejects a true H_0 in {100 * first.naive:.0f} %" in text
    assert "the number of independent classifications hardly grows, but the number of false alarms does" in text
    assert neighbour[-1].worth < 1.15 * first.worth
    assert neighbour[-1].naive > 4 * first.naive
    assert "The nearest mean gives few false alarms with L = 1, but too many with L = 30." in text
    one, thirty = (moved(page, learner="nearest mean", repeats=repeats) for repeats in ("1", "30"))
    assert one.naive <= 0.05 < 0.3 < thirty.naive


def told(test, names):
    """Which of the tests have a verdict."""
    return {rate.test for rate in test.rates if rate.test in names and rate.verdict(test.alpha) != "cannot be told"}


def silent(page, names):
    """Which of them never reject on few records with few errors."""
    rates = moved(page, n="20", epsilon="0.02", repetitions="800").rates
    return {rate.test for rate in rates if rate.test in names and not rate.rate}


@pytest.mark.complete
def test_false_alarms_of_six_tests():
    text = answers("12_type_one_error_and_power")
    page, six = explore.false_alarms(RATED), [test.__name__ for test in RATED]
    counts = [len(told(moved(page, repetitions=size), six)) for size in ("50", "100", "200", "400", "800")]
    assert counts == [1, 1, 1, 5, 5]
    assert "1 of the 6 has a verdict with 50, 100 or 200 data sets, 5 have one with 400 or 800." in text
    assert f"{len(silent(page, six))} of the 6 never reject in 800 data sets" in text
    assert round(2 * 0.02 * 0.98, 2) == 0.04  # "about four records in a hundred"


def test_false_alarms_of_all_tests():
    text = answers("12_type_one_error_and_power", 1)
    page = explore.false_alarms()
    by_size = {size: told(moved(page, repetitions=str(size)), NAMES) for size in (50, 100, 200, 400, 800)}
    counts = [len(names) for names in by_size.values()]
    assert counts == [2, 3, 4, 9, 10]
    assert "2 of the 14 have a verdict with 50 data sets, 3 with 100, 4 with 200, 9 with 400, 10 with 800." in text
    assert "BlockedThreeByTwoT" in (by_size[200] & by_size[800]) - by_size[400]
    enough = next(m for m in range(50, 10_000, 50) if Rate("", None, round(0.06 * m), m).verdict() == "liberal")
    assert 1900 < enough < 2200  # "some two thousand data sets"
    assert f"{len(silent(page, NAMES))} of the 14 never reject in 800 data sets" in text
    control = page.control("epsilon")
    found = {}
    for epsilon in [said(page, "epsilon", k) for k in range(control.least, control.most + 1)]:
        counts = {rate.test: rate.rejections for rate in moved(page, n="20", epsilon=epsilon, repetitions="800").rates}
        assert counts["NaiveKFoldMcNemar"] == 0
        found[epsilon] = counts["HoldOutMcNemar"]
    assert found.pop("0.5") == 1
    assert not any(found.values())
    ((train, tested),) = HoldOutMcNemar.plan.splitter(0).split(np.zeros((20, 1)))
    assert (len(train), len(tested)) == (13, 7)  # "two thirds", "one third, here on seven"
    n01, n10 = np.array([(a, b) for a in range(8) for b in range(8 - a)]).T
    rejecting = HoldOutMcNemar(n01, n10).reject
    assert np.array_equal(rejecting, (np.maximum(n01, n10) >= 6) & (np.minimum(n01, n10) == 0))


@pytest.mark.slow
def test_two_tests_are_liberal_wherever_one_moves():
    page = explore.false_alarms()
    liberal = [
        {rate.test for rate in test.rates if rate.test in NAMES and rate.verdict(test.alpha) == "liberal"}
        for n in ("20", "50", "100", "200", "300", "600")
        for epsilon in ("0.02", "0.05", "0.1", "0.2", "0.3", "0.5")
        for test in [moved(page, n=n, epsilon=epsilon, repetitions="800")]
    ]
    share = {name: sum(name in found for found in liberal) / len(liberal) for name in set().union(*liberal)}
    assert {name for name, often in share.items() if often > 0.9} == {"ResampledT", "CombinedFiveByTwoT"}


# -- lessons 00 to 03 ------------------------------------------------------------------------------------------------------------
def ahead(test):
    """On how many draws A is ahead, and B."""
    return int((test.a > test.b).sum()), int((test.b > test.a).sum())


def test_randomness():
    text = answers("00_start_here")
    page = randomness()
    split = moved(page)
    a, b = ahead(split)
    assert f"A is ahead in {a} of the 8 draws, B in {b}." in text
    assert "contradicts the majority in three cases of eight" in text
    assert min(a, b) == 3
    still = moved(page, weights="fixed", split="fixed")
    assert len({*still.a}) == len({*still.b}) == 1
    weights = moved(page, weights="drawn anew", split="fixed")
    assert len({*weights.a}) > 1 == len({*weights.b})
    both = moved(page, weights="drawn anew", split="drawn anew")
    folds = moved(page, weights="drawn anew", split="drawn anew", cross="5 folds")
    assert folds.sd_a < both.sd_a / 2
    assert folds.sd_b < both.sd_b / 2
    assert f"A is ahead in {ahead(both)[0]} of 8 draws before, in {ahead(folds)[0]} after, and there is one tie" in text
    assert sum(ahead(folds)) == 7


def test_one_accuracy():
    text, page = answers("00_start_here", 1), started("00_start_here", 1)
    words = folded("00_start_here", "speaker-notes")[2]
    fewest = next(k for k in range(15, 21) if moved(page, right=str(k)).ci.low > 0.75)
    assert f"({fewest} of 20.)" in words
    widths = [np.ptp(BinomialProportion(*counts).ci) for counts in ((19, 20), (190, 200))]
    assert 0.25 < widths[1] / widths[0] < 0.3
    assert "A little more than a quarter is left." in words
    all_right = moved(page, right="20")
    assert tuple(OneSampleT(20 * [1]).ci) == (1, 1)
    assert "The t interval is [1, 1]" in text
    assert f"Wilson's interval begins at {all_right.ci.low:.3f}" in text
    shares = np.linspace(0.0, 1.0, 20_001)
    covered = {method: BinomialProportion.coverage(20, shares, method=method) for method in ("wilson", "clopper-pearson", "jeffreys")}
    assert [method for method, chances in covered.items() if chances.min() >= 0.95] == ["clopper-pearson"]
    assert "Clopper-Pearson: at least 95 % for every true accuracy" in text
    assert f"in {100 * covered['wilson'].mean():.1f} % of cases on average, but only in {100 * covered['wilson'].min():.0f} %" in text


def test_five_steps():
    text = answers("00_start_here", 2)
    test = PairedT(*FIVE)
    assert f"the mean difference is {test.mean:.1f}, about four tenths of a standard error from 0" in text
    assert round(abs(test.statistic), 1) == 0.4
    assert f"with probability {test.pvalue:.2f}" in text


def test_paired_t():
    text = answers("01_paired_t")
    page = started("01_paired_t")
    third = moved(page, dataset="number 3", score="82 (B: 85)")
    assert (third.statistic, third.pvalue) == (0, 1)
    assert "To 82, three points up" in text
    first, more = moved(page), moved(page, n="15")
    assert f"fallen from {first.se:.1f} to about {more.se:.2f} and the critical value from" in text
    assert f"from {first.critical_value:.3f} to {more.critical_value:.3f}" in text
    assert f"to {more.mean:.1f}, and p falls from {first.pvalue:.2f} to {more.pvalue:.3f}" in text
    less, greater = (moved(page, n="15", alternative=name) for name in ("less", "greater"))
    assert f"half of the two-sided p ({less.pvalue:.4f})" in text
    assert less.pvalue == pytest.approx(more.pvalue / 2)
    assert greater.pvalue > 0.98
    stricter = moved(page, alpha="0.01")
    assert stricter.critical_value > first.critical_value
    assert (stricter.statistic, stricter.pvalue) == (first.statistic, first.pvalue)


@pytest.mark.complete
def test_without_pairs():
    text = answers("01b_without_pairs")
    page = started("01b_without_pairs")
    control = page.control("mu")
    values = [moved(page, mu=said(page, "mu", k)) for k in range(control.least, control.most + 1)]
    kept = [int(test.mu) for test in values if not test.reject]
    assert f"From {kept[0]} to {kept[-1]}: the interval of 95 % goes from {values[0].ci[0]:.2f} to {values[0].ci[1]:.2f}" in text
    assert kept == list(range(kept[0], kept[-1] + 1))
    rising = [str(score) for score in range(85, page.control("score").most + 1)]
    t = [float(moved(page, test="two samples", score=score).statistic) for score in rising]
    u = [float(moved(page, test="ranks", score=score).statistic) for score in rising]
    assert t == sorted(set(t))
    assert f"from {t[0]:.2f} to {t[-1]:.2f}. U rises from {u[0]:.0f} to {max(u):.1f} at {rising[u.index(max(u))]}" in text
    assert set(u[u.index(max(u)) :]) == {max(u)}


def test_signed_rank():
    text = answers("02_wilcoxon")
    page = started("02_wilcoxon")
    end = moved(page, dataset="number 6", score="100 (B: 85)")
    assert page.control("score").most == 100
    assert f"From 89 on W stays {end.statistic}, the sum of the ranks of B's two wins." in text
    assert f"At 91 a tie moves p once more, and from 92 on it stays {end.pvalue}" in text
    tie = moved(page, dataset="number 6", score="91 (B: 85)")
    assert tie.ranks[5] == tie.ranks[2]
    assert end.ranks[5] == 5
    t = [float(PairedT([*SIX[0][:5], score], SIX[1]).statistic) for score in range(89, 101)]
    assert min(np.diff(t)) > 0
    assert f"from 89 to 100 its t rises with each point, from {t[0]:.2f} to {t[-1]:.2f}" in text
    four = moved(page, n="4")
    assert four.pvalue == 1
    assert "Four ranks give 16 outcomes, and the most extreme one on both sides has 2/16 = 0.125." in text
    assert "no outcome could have rejected" in four.conclusion


def test_outlier():
    text = answers("02_wilcoxon", 1)

    def both(more):
        a = [*STEADY[:-1], 84 + more]
        return float(PairedT(a, TYPED).pvalue), float(SignedRank(a, TYPED).pvalue)

    page = outlier()
    assert said(page, "away", page.control("away").most) == "100 (B: 83)"
    up = [both(more) for more in range(17)]
    assert f"With ten points more, the p of the t-test has risen to {up[10][0]:.3f}" in text
    assert f"at an accuracy of 100 its p is {up[16][0]:.3f}" in text
    assert f"The p of the signed-rank test stays at {up[0][1]:.3f}, because A is ahead on every data set: W is 0" in text
    assert len({ranks for _, ranks in up}) == 1
    assert SignedRank(STEADY, TYPED).statistic == 0
    assert both(-2)[0] > both(0)[0]
    assert both(-2)[1] > both(0)[1]
    assert "moves down by two points, A is behind on the last data set" in text
    assert round(both(-4)[1], 3) == 0.082
    assert len({both(-k)[0] for k in range(4, 61)}) > 50  # "the t-test keeps changing"


def test_discordant():
    text = answers("03_contingency_table")
    page = started("03_contingency_table")
    tests = ("exact", "mid-p", "χ² corrected", "χ²")
    names = [said(page, "test", k) for k in range(4)]
    assert all(moved(page, n01="33", n10="33", test=name).pvalue == 1 for name in names), tests
    least = {name: min(n for n in range(1, 12) if moved(page, n01=str(n), n10="0", test=name).reject) for name in names[:2]}
    assert [*least.values()] == [6, 5]
    assert "Six: 2 / 2^6 = 0.03125, while five give 0.0625. Mid-p rejects from five on (0.03125)." in text
    none = moved(page, n01="0", n10="0")
    assert none.pvalue == 1
    assert "right and wrong on the same records: the data give no evidence against H0" in none.conclusion
    nine = {name: moved(page, n01="2", n10="9", test=name) for name in names}
    assert [bool(test.reject) for test in nine.values()].count(True) == 2
    kept = "the exact test ({:.3f}) and the corrected χ² ({:.3f}) do not"
    for words, rejects in (("Mid-p ({:.3f}) and the plain χ² ({:.3f}) reject", True), (kept, False)):
        assert any(
            words.format(one.pvalue, other.pvalue) in text
            for one in nine.values()
            for other in nine.values()
            if one.reject == other.reject == rejects
        )


def test_groups_of_records():
    text = answers("03_contingency_table", 1)
    rng = np.random.default_rng(6)
    classes = rng.integers(3, size=300)
    measured = rng.normal(size=(300, 2)) + np.stack([1.2 * classes, 0.9 * (classes == 1)], axis=1)

    def right(x):
        means = np.array([x[:60][classes[:60] == c].mean(0) for c in range(3)])
        return ((x[60:, None] - means) ** 2).sum(-1).argmin(1) == classes[60:]

    systems = right(measured[:, :1]), right(measured)
    first = explore.groups(*systems, k=10).test
    rejected = {k: PairedT(*group_accuracies(*systems, k, partitions=100, rng=2026)).reject for k in (2, 10, 120)}
    assert f"Partition 1 fails to reject (p = {first.pvalue:.3f}), partition 2 rejects." in text
    assert not rejected[10][0]
    assert rejected[10][1]
    assert f"Of the hundred {rejected[10].sum()} reject" in text
    assert f"only {rejected[2].sum()} of 100 partitions reject" in text


# -- lessons 05 to 09 ------------------------------------------------------------------------------------------------------------
def test_ranks():
    text = answers("05_friedman")
    page = started("05_friedman")
    six, two = moved(page, n="6").friedman, moved(page, k="2").friedman
    assert f"with the first six data sets p is {six.pvalue:.2f}" in text
    assert sum(two.mean_ranks) == 3
    assert f"(p = {two.pvalue:.3f} on these data)" in text
    ranks = []
    for score in (0.967, 0.968, 0.969, 0.970, 0.971):  # C4.5+m on the third data set, between and past its rivals
        table = auc()
        table.loc[2, "C4.5+m"] = score
        ranks.append(float(Friedman(table).ranks[2, 1]))
    assert ranks == [2.5, 1.5, 1, 1, 1]


def test_pairs_of_ranks():
    text = answers("05b_post_hoc")
    page = started("05b_post_hoc")
    all_data, six = moved(page).posthoc, moved(page, n="6").posthoc
    assert f"It grows from {all_data.cd:.2f} to {six.cd:.2f}" in text
    assert not six.reject.any()
    cds = [Nemenyi(auc().iloc[:, :k], alpha=0.1).cd for k in (2, 3, 4)]
    assert [moved(page, k=str(k)).posthoc.cd for k in (2, 3, 4)] == cds
    assert "With two it is {:.3f}, with three {:.3f}, with four {:.3f}".format(*cds) in text
    control = page.control("procedure")
    found = {said(page, "procedure", k): page.test.posthoc for k in range(control.least, control.most + 1) if not page.reset()}
    of_pairs = {name: int(test.reject.sum()) for name, test in found.items() if len(test.pairs) == 6}
    assert {name for name, many in of_pairs.items() if many > of_pairs["Nemenyi"]} == {"Finner"}
    assert of_pairs.pop("Finner") == 4
    assert of_pairs.pop("Li") == 1
    assert {*of_pairs.values()} == {2}


def test_overlapping_splits():
    text = answers("06_cross_validation_is_not_independent")
    thirty = moved(started("06_cross_validation_is_not_independent"), splits="30")
    words = r"rejects in (\d+) % of the data sets, six times the promised 5 %; the corrected test rejects in (\d+) %"
    plain, corrected = re.search(words, text).groups()
    assert (f"{100 * thirty.naive_rejections:.0f}", f"{100 * thirty.corrected_rejections:.0f}") == (plain, corrected)


def test_numbering():
    text = answers("07_five_by_two")
    page = started("07_five_by_two")
    rejecting = [said(page, "first", k) for k in range(1, 11) if moved(page, first=said(page, "first", k)).reject]
    assert rejecting == ["repetition 5, fold 1"]
    test = moved(page, first="repetition 5, fold 1")
    assert f"{test.estimate:.4f}, and t = {test.statistic:.2f} exceeds {test.critical_value:.3f}" in text


def test_what_caution_costs():
    text = answers("08_bcv_mcnemar")
    page = started("08_bcv_mcnemar")
    assert not moved(page).reject
    step = moved(page, rho2="0.45")
    assert step.reject
    assert f"at 0.45 p is {step.pvalue:.3f}" in text
    assert f"are worth {moved(page, rho2='0').t:.2f} tables" in text
    fixed = moved(page, rho1="0", rho2="0.5")
    assert f"t = {fixed.t:g} instead of 1.82, and here t = 2 is enough to reject (p = {fixed.pvalue:.3f})" in text
    assert fixed.reject


def test_two_ways_through_the_tree():
    text = answers("09_which_test")
    pairs = which_test(aim="difference", classifiers="two", data_sets="many", paired="yes", normal="no")
    one = which_test(aim="difference", classifiers="two", data_sets="one", results="scores", size="large")
    for found in (pairs, one):
        assert f"recommends {found.test.__name__}." in text


# -- lessons 11, 13, 14 ----------------------------------------------------------------------------------------------------------
def test_seeds():
    text = answers("11_fold_hacking")
    page = started("11_fold_hacking")
    best = moved(page).test
    assert np.abs(best.d).max() == pytest.approx(1 / 29)  # one record of the fifth fold, of 29
    assert "one record in each fold" in text
    shrunk = moved(page, test="corrected t").test
    assert shrunk.statistic / best.statistic == pytest.approx(sqrt((1 / 5) / (1 / 5 + 1 / 4)))
    assert round(shrunk.statistic / best.statistic, 2) == 0.67  # "two thirds"


def test_worth_of_tables():
    text = answers("13_block_regularized_cv")
    page = started("13_block_regularized_cv")
    control = page.control("pair")
    worth = {said(page, "pair", k): page.test.differences.worth for k in range(control.least, control.most + 1)}
    most, least = max(worth, key=worth.get), min(worth, key=worth.get)
    assert (most, least) == ("mean and neighbours", "majority and SVM")
    assert (
        f"the mean against the neighbours, {worth[most]:.2f} tables (the tree against the neighbours {worth['tree and neighbours']:.2f})"
        in text
    )
    assert f"least for the majority against the SVM, {worth[least]:.2f}, which is less than the test assumes" in text
    assert worth[least] < 20 / 11
    page.reset()
    sets = page.control("data")
    rho2 = {said(page, "data", k): page.test.disagreements.rho2 for k in range(sets.least, sets.most + 1)}
    farthest = max(rho2, key=rho2.get)
    assert rf"\rho_2 is small: {rho2[farthest]:.2f} at most, on *{farthest}*" in text
    car = moved(page, data="car", pair="majority and neighbours")
    assert car.disagreements.rho2 > 0.5


def test_the_rope():
    text = answers("14_bayesian_comparison")
    page = started("14_bayesian_comparison")
    at = {name: moved(page, rope=f"±{name}").probabilities for name in ("0.023", "0.024", "0.005", "0")}
    assert f"From 0.024 on ({at['0.024'][1]:.3f}; with 0.023 it is {at['0.023'][1]:.3f})" in text
    assert at["0.023"][1] < 0.95 <= at["0.024"][1]
    assert f'With a rope of 0.005 "five is better" is the most probable, at {at["0.005"][0]:.2f}' in text
    assert at["0"][1] == 0
    assert f'{at["0"][0]:.2f} for "five is better" and {at["0"][2]:.2f} for "linear is better"' in text
    shifts = page.control("shift")
    decided = [
        shift for shift in (said(page, "shift", k) for k in range(shifts.least, 1)) if moved(page, shift=shift).probabilities[0] >= 0.95
    ]
    assert f"At {decided[-1]} ({moved(page, shift=decided[-1]).probabilities[0]:.3f})".replace("−", "-") in text
    independent = moved(page, rho="0")
    assert "the others stay near one half ({:.2f} and {:.2f})".format(*sorted(independent.probabilities[:2])) in text
    width = [np.ptp(moved(page, rho=rho).credible) for rho in ("0", "0.1")]
    assert width[0] < width[1] / 3


def test_the_prior():
    text = answers("14_bayesian_comparison", 1)
    page = explore.prior(auc()["C4.5+m"], auc()["C4.5"])
    places = [said(page, "place", k) for k in range(3)]
    nothing = [moved(page, prior="0", place=place).probabilities for place in places]
    assert np.ptp(nothing, axis=0).max() == 0
    assert f'{nothing[0][1]:.3f} for "equivalent", {nothing[0][2]:.3f} for C4.5+m' in text
    one, ten = (np.array([moved(page, prior=strength, place=place).probabilities for place in places]) for strength in ("1", "10"))
    assert (
        f"With weight 1 these probabilities change by at most {np.abs(one - nothing).max():.2f}; "
        f"with 10 by up to {np.abs(ten - nothing).max():.2f}" in text
    )
    assert f"C4.5+m rises from {nothing[0][2]:.3f} to {ten[:, 2].max():.3f}" in text
    assert f"({ten[:, 0].max():.3f} for C4.5, which is ahead" in text
    assert (ten.argmax(1) != nothing[0].argmax()).sum() == 2
    assert (SignTest(auc()["C4.5+m"], auc()["C4.5"]).d < -0.01).sum() == 0


@pytest.mark.complete
def test_training_that_strays():
    text = answers("15_unstable_learners")
    page = started("15_unstable_learners")
    sizes = [said(page, "n", position) for position in range(page.control("n").least, page.control("n").most + 1)]
    still, most = ([moved(page, strays=strays, n=n) for n in sizes] for strays in ("0", "8"))
    for test, words in (("mcnemar_level", "McNemar's test at"), ("t_level", "the blocked t-test at")):
        rates = [getattr(found, test) for found in still]
        assert f"{words} {format_plain(min(rates), 3)} to {format_plain(max(rates), 3)}" in text
        assert all(Rate("", None, round(400 * rate), 400).verdict() != "liberal" for rate in rates)  # none "is shown to be above"
    rates = [found.mcnemar_level for found in most]
    assert rates == sorted(rates)
    assert f"from {format_plain(rates[0], 3)} with {most[0].n} records to {format_plain(rates[-1], 3)} with {most[-1].n:,}" in text
    assert f"the blocked t-test is never above {max(found.t_level for found in most):.2f}" in text
    shown = [moved(page, draw=str(draw)) for draw in range(1, 41)]
    assert f"rejects on {sum(one.mcnemar_p <= one.alpha for one in shown)} of the 40, and the blocked t-test on none." in text
    assert not any(one.t_p <= one.alpha for one in shown)
    assert f"is {format_plain(shown[0].mcnemar_level, 3)} there" in text
    assert round(40 * shown[0].mcnemar_level) == 5
    quiet = shown[38]
    low, high = quiet.scatter_interval
    assert f"The scatter is {quiet.scatter:.2f}, with an interval from {low:.2f} to {high:.1f}" in text
    assert quiet.strays == 5


@pytest.mark.complete
def test_two_language_models():
    text, page = answers("16_language_models").replace("\u00a0", " "), started("16_language_models")
    alone, large = moved(page, family="1"), moved(page, family="20")
    assert alone.paired_level == alone.family_level
    assert f"are the same test, and reject in {100 * alone.paired_level:.0f} %" in text
    assert f"rejects in {100 * large.paired_level:.0f} % of the benchmarks though both models are equally good" in text
    assert f"; the test on families rejects in {100 * large.family_level:.0f} %." in text
    strangers = moved(page, correlation="0")
    assert format_plain(100 * strangers.unpaired_se, 2) == format_plain(100 * strangers.paired_se, 2)
    assert f"with and without pairs the standard error is {format_plain(100 * strangers.paired_se, 2)} points" in text
    assert (
        f"without pairs the test rejects in {100 * strangers.unpaired_level:.0f} %, with pairs in {100 * strangers.paired_level:.0f} %, "
        f"the test on families in {100 * strangers.family_level:.0f} %" in text
    )
    averaged = moved(page, family="20", samples="10")
    assert (
        f"rejects in {100 * averaged.paired_level:.0f} % of the benchmarks, and the test on families in {100 * averaged.family_level:.0f} %"
        in text
    )
    shown = [moved(page, draw=str(draw)) for draw in range(1, 41)]
    found = [sum(getattr(one, p) <= 0.05 for one in shown) for p in ("unpaired_p", "paired_p", "family_p")]
    notes = folded("16_language_models", "speaker-notes")[1]
    assert f"on {found[1]} of the 40 the paired t-test rejects, on {found[0]} each of the other tests" in notes
    assert found[0] == found[2]
    # the benchmark of the lesson is one of those on which the tests disagree, and the lesson says how few these are
    verdicts = [(one.unpaired_p <= 0.05, one.paired_p <= 0.05, one.family_p <= 0.05) for one in shown]
    said = words_of("16_language_models")
    assert f"On {sum(len({*three}) == 1 for three in verdicts)} of the 40 benchmarks all three tests have the same verdict" in said
    assert verdicts[explore.two_models().test.draw - 1] == (False, True, False)
    effective = [one.effective_n for one in shown]
    assert f"on the 40 benchmarks it runs from {min(effective):.0f} to {max(effective):.0f}" in said
    error = 100 * np.sqrt(alone.paired_level * (1 - alone.paired_level) / BENCHMARKS)
    assert f"with {BENCHMARKS:,} benchmarks the Monte Carlo standard error is {error:.1f} points." in text


@pytest.mark.complete
def test_what_the_tree_says_of_the_tests_on_splits():
    every = multiverse(GaussianNB(), LinearDiscriminantAnalysis(), load_wine(return_X_y=True), seeds=1, progress=False)
    recommended, warned = len(every.analyses), len(every.left_out)
    rules = (rule for rule in RULES if rule.when.get("results") == "scores" and rule.when["aim"] == "difference")
    (second,) = {name for rule in rules for name in rule.second} - {*every.left_out} - {one.choices["test"] for one in every.analyses}
    assert second == "BlockedFiveByTwoT"
    assert BlockedFiveByTwoT.origin().kind == "ours"
    numbers = {2: "two", 5: "five", 10: "ten", 18: "eighteen"}
    assert (
        f"recommends {numbers[recommended]} of the {numbers[len(ALL_TESTS)]} tests, warns of {numbers[warned]}, names `{second}` second "
        f"(composed in this package), and is silent about {numbers[len(ALL_TESTS) - recommended - warned - 1]}" in words_of("09_which_test")
    )


@pytest.mark.complete
def test_settings_chosen_on_the_test_records():
    text, page = answers("09_which_test", 1).replace("\u00a0", " "), explore.tuning()
    one, fifty = moved(page, tried="1"), moved(page, tried="50")
    assert f"in {100 * one.level_same:.0f} % and {100 * one.level_fresh:.0f} % of the data sets" in text
    assert (
        f"in {100 * fifty.level_same:.0f} % on the records used for the choice, and in {100 * fifty.level_fresh:.0f} % on fresh records"
        in text
    )
    sizes = [moved(page, n=n) for n in ("50", "100", "200", "400")]
    assert {f"{100 * found.level_same:.0f}" for found in sizes} <= {"21", "22"}
    few, many = sizes[0].optimism, sizes[-1].optimism
    assert f"too high by {100 * few:.1f} points with 50 records and by {100 * many:.1f} with 400" in text
    shown = [moved(page, draw=str(draw)) for draw in range(1, 41)]
    same, fresh = (sum(getattr(found, name) <= 0.05 for found in shown) for name in ("p_same", "p_fresh"))
    assert f"rejects on {same} data sets with the records used for the choice, and on {fresh} with fresh records." in text
