"""The answers that are folded below explorers, held against the explorers: each is moved as its question asks."""

import json
from math import sqrt
from pathlib import Path

import pandas as pd
import pytest

from fstats import explore

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def answers(name, which=0):
    """The words of a notebook's answers, without their marks."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    found = ["".join(cell["source"]) for cell in cells if "answers" in cell["metadata"].get("tags", ())]
    return found[which].replace("`", "").replace("$", "").replace("−", "-")


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


def test_two_analyses_of_variance():
    text = answers("04_anova")
    scores = pd.DataFrame(
        {"tree": [78, 65, 90, 71, 84, 59, 88, 73], "bayes": [80, 68, 91, 70, 88, 62, 87, 75], "svm": [84, 71, 92, 77, 89, 63, 92, 80]}
    )
    page = explore.anova(scores, step=0.5)
    f = [moved(page, apart=f"{times} times as given") for times in (0, 1, 2)]
    together, given, twice = (found.conclusion.partition("F = ")[2].partition(",")[0] for found in f)
    assert (
        f"pulled together (0) it is {float(together):.0f}, at the given distances {float(given):.2f}, at twice the distances {float(twice):.2f}"
        in text
    )
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
    assert f"takes {first.classifications} classifications for independent; they are worth {first.worth:.0f}" in text
    assert f"rejects a true H_0 in {100 * first.naive:.0f} %" in text
    assert "the worth hardly grows, the false alarms do" in text
    assert neighbour[-1].worth < 1.15 * first.worth
    assert neighbour[-1].naive > 4 * first.naive
    assert "Nearest mean with L = 1 is harmless; with L = 30 it is not." in text
    one, thirty = (moved(page, learner="nearest mean", repeats=repeats) for repeats in ("1", "30"))
    assert one.naive <= 0.05 < 0.3 < thirty.naive


def test_false_alarms():
    text = answers("12_type_one_error_and_power")
    page = explore.false_alarms()

    def told(test):
        return {rate.test for rate in test.rates if rate.verdict(test.alpha) != "cannot be told"}

    by_size = {size: told(moved(page, repetitions=str(size))) for size in (50, 100, 200, 400, 800)}
    counts = [len(names) for names in by_size.values()]
    assert counts == [2, 4, 4, 9, 10]
    assert "2 of the 14 have a verdict with 50 data sets, 4 with 100 and with 200, 9 with 400, 10 with 800." in text
    assert "BlockedThreeByTwoT" in by_size[200] - by_size[400]
    assert 2000 < 1.96**2 * 0.06 * 0.94 / 0.01**2 < 2500  # "some two thousand data sets"
    never = {rate.test for rate in moved(page, n="20", epsilon="0.02", repetitions="800").rates if not rate.rate}
    assert f"{len(never)} of the 14 never reject in 800 data sets" in text
    for epsilon in ("0.02", "0.3", "0.5"):
        rates = {rate.test: rate.rate for rate in moved(page, n="20", epsilon=epsilon, repetitions="800").rates}
        assert rates["NaiveKFoldMcNemar"] == 0
        assert (rates["HoldOutMcNemar"] == 0) == (epsilon != "0.5")


@pytest.mark.slow
def test_two_tests_are_liberal_wherever_one_moves():
    page = explore.false_alarms()
    liberal = [
        {rate.test for rate in test.rates if rate.verdict(test.alpha) == "liberal"}
        for n in ("20", "50", "100", "200", "300", "600")
        for epsilon in ("0.02", "0.05", "0.1", "0.2", "0.3", "0.5")
        for test in [moved(page, n=n, epsilon=epsilon, repetitions="800")]
    ]
    share = {name: sum(name in found for found in liberal) / len(liberal) for name in set().union(*liberal)}
    assert {name for name, often in share.items() if often > 0.9} == {"ResampledT", "CombinedFiveByTwoT"}
