"""The explorers of the contingency study: every number that their sliders show, against fresh computation."""

import re

import numpy as np
import pytest
from shortcuts import parametrize
from shown_numbers import shown_in

from fstats import explore
from fstats.core.number_format import format_plain
from fstats.explore.two_classifiers.contingency_simulation_explorer import RATE, TRIALS
from fstats.explore.widgets.slider import LEVEL_SLIDER
from fstats.simulate import Rate
from fstats.studies.contingency import exact_power, simulated_power, stored
from fstats.studies.contingency.blog_post_claims import SEED, SIZES
from fstats.studies.contingency.cross_validated_classifiers import LEARNERS
from fstats.studies.contingency.repeated_fold_study import FOLDS, REPEATS


def dots(explorer, mark):
    return re.findall(mark, explorer.view["pictures"][0])


@pytest.mark.complete
@parametrize(
    "moves",
    {},
    *({"records": k} for k in (0, 7, 19)),
    *({"rate": k} for k in (0, 3, 11)),
    *({"classes": k} for k in (2, 3, 20)),
    *({"trials": k} for k in (0, 2, 5)),
    *({"alpha": k} for k in (0, 6)),
    {"records": 12, "rate": 4, "classes": 5, "trials": 3, "alpha": 2},
)
def test_every_number_is_that_of_a_fresh_computation(moves):
    explorer = explore.contingency_simulation()
    explorer.move(**moves)
    at = {"records": 5, "rate": 6, "classes": 10, "trials": 4, "alpha": 4} | moves
    N, r, classes, trials = SIZES[at["records"]], RATE.values[at["rate"]], at["classes"], TRIALS.values[at["trials"]]
    alpha = LEVEL_SLIDER.values[at["alpha"]]
    simulated = simulated_power(N, r, classes, trials=trials, alpha=alpha, rng=[SEED, N])
    exact = exact_power(N, r, classes, alpha)
    only_second = (1 - 1 / classes) * (r + (1 - r) / classes)
    only_first = 1 / classes * (1 - r) * (1 - 1 / classes)
    expected = {"N": N, "r": r, "classes": classes, "trials": trials, "only_second": only_second, "only_first": only_first}
    expected |= {"discordant": N * (only_second + only_first), "power": exact, "rate": simulated.rate, "se": simulated.se}
    shown = shown_in(explorer)
    assert {name: shown[name] for name in expected} == {name: format_plain(value) for name, value in expected.items()}
    words = f"with probability {format_plain(exact, 3)}; in {trials} simulated trials: {format_plain(simulated.rate, 3)} ±"
    assert words in explorer.view["conclusion"]
    assert ("a true H0 is rejected" in explorer.view["conclusion"]) == (r == 0)
    curve, points = explorer.test.by_size
    np.testing.assert_array_equal(curve, [exact_power(n, r, classes, alpha) for n in SIZES])
    fresh = [simulated_power(n, r, classes, trials=trials, alpha=alpha, rng=[SEED, n]).rate for n in SIZES]
    np.testing.assert_array_equal(points, fresh)
    wanted = [(format_plain(exact, 3), str(trials), format_plain(simulated.rate, 3))]
    assert dots(explorer, r"exact ([\d.e-]+), in (\d+) trials ([\d.e-]+)\.") == wanted


def test_the_dots_lie_around_the_curve():
    exact, simulated = explore.contingency_simulation(trials=3000, r=0.03).test.by_size
    assert (np.abs(exact - simulated) < 4.5 * np.sqrt(exact * (1 - exact) / 3000)).all()


@pytest.mark.complete
@pytest.mark.parametrize("learner", range(len(LEARNERS)))
@pytest.mark.parametrize("folds", range(len(FOLDS)))
@pytest.mark.parametrize("repeats", range(len(REPEATS)))
def test_every_position_shows_the_stored_study(learner, folds, repeats):
    explorer = explore.repeated_folds()
    explorer.move(learner=learner, folds=folds, repeats=repeats)
    name, K, L = list(LEARNERS)[learner], FOLDS[folds], REPEATS[repeats]
    study = stored()
    units = [result[f"K={K} L={L}"] for unit, result in zip(study.units, study.results) if unit["learner"] == name]
    naive, corrected = (sum(one[test]["less"] for one in units) for test in ("naive", "corrected"))
    worth = 120 * L * sum(one["discordant"] for one in units) / sum(one["squares"] for one in units)
    expected = {
        "folds": K,
        "repeats": L,
        "classifications": 120 * L,
        "naive": naive / 2000,
        "naive_se": Rate("", None, naive, 2000).se,
        "worth": worth,
        "corrected": corrected / 2000,
        "corrected_se": Rate("", None, corrected, 2000).se,
    }
    shown = shown_in(explorer)
    assert {key: shown[key] for key in expected} == {key: format_plain(value) for key, value in expected.items()}
    assert f"worth {round(worth)}. It rejects a true H0 in {format_plain(100 * (naive / 2000), 3)} %" in explorer.view["conclusion"]
    wanted = [(format_plain(naive / 2000, 3), format_plain(corrected / 2000, 3))]
    assert dots(explorer, r"exact test ([\d.e-]+), corrected ([\d.e-]+)\.") == wanted
