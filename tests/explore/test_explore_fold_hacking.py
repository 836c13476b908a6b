"""The explorer of the fold experiment: every seed that its sliders reach, against a test computed afresh from the stored accuracies."""

from html import unescape

import numpy as np
import pytest
from scipy import stats
from shortcuts import parametrize
from shown_numbers import shown_in

from fstats import CorrectedResampledT, KFoldT, explore
from fstats.core.number_format import format_plain
from fstats.explore.resampling.fold_hacking_explorer import DATA, PAIR, PAIRS
from fstats.studies.fold_hacking import LEARNERS, stored


def at(explorer):
    """Where the sliders stand."""
    return {control.name: control.value for control in explorer.controls}


def accuracies(name, mode, pair):
    """Of both learners in each fold: two arrays (seeds, folds)."""
    population = stored(name, mode=mode)
    return [population.right[..., LEARNERS.index(one)] / population.sizes for one in pair]


def statistics(name, mode, pair):
    """T of every seed by SciPy, 0 where all folds are alike."""
    left, right = accuracies(name, mode, pair)
    with np.errstate(all="ignore"):
        t = stats.ttest_rel(left, right, axis=1).statistic
    return np.where((left == right).all(1), 0.0, t)


# against the tree, whose seed was not printed
BEST_FOR_KNN = int(np.argmax(np.round(statistics("liver", "as printed", ("KNN", "DTC")), 6)))


@parametrize(
    "moves",
    {},
    *({"data": k} for k in (0, 7, 17)),
    *({"pair": k} for k in (0, 2)),
    {"mode": 1},
    {"test": 1},
    *({"seed": k} for k in (1, 213, 9999)),
    *({"wanted": k} for k in (1, 2, 3)),
    {"data": 10, "pair": 2, "mode": 1, "test": 1, "seed": 17},
    {"data": 10, "pair": 2, "wanted": 3},
)
def test_everything_shown_is_that_of_a_fresh_test(moves):
    explorer = explore.fold_hacking()
    explorer.move(**moves)
    values = explorer.values
    pair, seed = values["pair"], values["seed"]
    left, right = accuracies(values["data"], values["mode"], pair)
    d = left[seed] - right[seed]
    corrected = values["test"] == "corrected t"
    test = CorrectedResampledT(d, test_train_ratio=1 / 4, labels=list(pair)) if corrected else KFoldT(d, labels=list(pair))
    shown = shown_in(explorer)
    names = ("n", "mean", "sd", "se", "statistic", "df", "pvalue", "critical_value", "reject")
    assert {name: shown[name] for name in names} == {name: format_plain(getattr(test, name)) for name in names}
    said = explorer.view["conclusion"]
    assert said.startswith(f"With seed {seed}, T = {format_plain(test.statistic)} (limits ±2.776): ")
    better = pair[0] if test.mean > 0 else pair[1]
    assert (f"{better} is significantly better" in said, "we fail to reject" in said) == (bool(test.reject), not test.reject)
    first, second = explorer.view["pictures"]
    assert f"Seed {seed}: T = {format_plain(test.statistic)}" in unescape(first)
    words = f"{pair[0]} {', '.join(map(format_plain, left[seed]))}; {pair[1]} {', '.join(map(format_plain, right[seed]))}."
    assert words in unescape(second)


def test_how_many_other_seeds_say_otherwise():
    explorer = explore.fold_hacking("iris", ("GNB", "KNN"), seed=213)
    limit = stats.t.ppf(0.975, 4)
    others = int((abs(statistics("iris", "as printed", ("GNB", "KNN"))) < limit).sum())
    assert others == 9872  # printed as D = 0.9872
    assert "T = -146 (limits" in explorer.view["conclusion"]
    words = f"KNN is significantly better than GNB. {others} of 10000 seeds lead to another verdict: 1.28 % find KNN better, 0 % GNB"
    assert words in explorer.view["conclusion"]


@pytest.mark.complete
@pytest.mark.parametrize(("data", "pair"), [("iris", 1), ("wine", 0), ("liver", 2)])
def test_the_seed_that_one_would_like(data, pair):
    explorer = explore.fold_hacking(data, PAIRS[pair])
    t = np.round(statistics(data, "as printed", PAIRS[pair]), 6)
    found = {}
    for wanted, worth in ((1, -abs(t)), (2, -t), (3, t)):
        explorer.move(wanted=wanted)
        found[wanted] = at(explorer)["seed"]
        assert (worth[found[wanted]], found[wanted]) == (worth.max(), np.flatnonzero(worth == worth.max())[0])
    assert found[2] != found[3]


def test_a_seed_chosen_by_hand_is_not_the_wanted_one_any_more():
    explorer = explore.fold_hacking("liver", ("KNN", "DTC"))
    explorer.move(wanted=3)
    best = at(explorer)["seed"]
    assert best == BEST_FOR_KNN
    explorer.move(seed=best + 1)
    assert (at(explorer)["seed"], at(explorer)["wanted"]) == (best + 1, 0)
    explorer.move(wanted=3)
    explorer.move(data=DATA.position("iris"))  # the wish stays, its seed is another one
    assert at(explorer)["wanted"] == 3
    assert at(explorer)["seed"] == np.argmax(np.round(statistics("iris", "as printed", ("KNN", "DTC")), 6))


def test_keys_that_are_pressed_faster_than_answered():
    explorer = explore.fold_hacking("liver", ("KNN", "DTC"))
    seen = dict(explorer.positions)
    explorer.positions = seen | {"wanted": 2}
    explorer.positions = seen | {"wanted": 3}
    assert (at(explorer)["wanted"], at(explorer)["seed"]) == (3, BEST_FOR_KNN)
    seen = dict(explorer.positions)
    explorer.positions = seen | {"seed": BEST_FOR_KNN + 1}
    explorer.positions = seen | {"seed": BEST_FOR_KNN + 2}
    assert (at(explorer)["wanted"], at(explorer)["seed"]) == (0, BEST_FOR_KNN + 2)


@pytest.mark.complete
@pytest.mark.parametrize("name", ["data", "pair", "mode", "test", "seed", "wanted"])
def test_every_slider_changes_what_is_shown(name):
    explorer = explore.fold_hacking()
    before = dict(explorer.view)
    control = next(control for control in explorer.controls if control.name == name)
    explorer.move(**{name: control.value + (1 if control.value < control.most else -1)})
    assert explorer.view["pictures"] != before["pictures"]
    assert explorer.view["work"] != before["work"]
    assert explorer.view["conclusion"] != before["conclusion"]
    explorer.reset()
    expected = {key: before[key] for key in ("pictures", "work", "conclusion")}
    assert {key: explorer.view[key] for key in ("pictures", "work", "conclusion")} == expected


def test_fewer_seeds_take_the_seed_along():
    explorer = explore.fold_hacking(seed=9999)
    explorer.move(mode=1)
    assert at(explorer)["seed"] == len(stored("iris")) - 1


def test_all_data_sets_are_there():
    assert (len(DATA.values), PAIR.text(("GNB", "KNN"))) == (18, "GNB and KNN")
