"""The explorers of Bayesian comparisons: every number shown is that of the comparison with the sliders' values."""

import re

import numpy as np
import pytest
from shortcuts import parametrize

from fstats import BayesianCorrelatedT, BayesianSignTest, explore
from fstats.core.number_format import format_plain

D = [0.012, 0.02, -0.004, 0.018, 0.03, 0.009, 0.015, 0.001, 0.022, 0.011]
A, B = [85, 70, 79, 78, 83, 90], [82, 71, 75, 76, 83, 88]


def shown(explorer, name):
    return re.findall(rf'data-step="{name}\[\d+\]">(?:<[^>]+>)*([^<]*)<', explorer.view["work"])


@parametrize(
    "moves",
    {},
    {"rope": 0},
    {"rope": 30},
    {"shift": -20},
    {"shift": 7, "rho": 0},
    {"rho": 4, "alpha": 6, "rope": 3},
    {"shift": -13, "rope": 2},
)
def test_the_correlated_t_follows_its_sliders(moves):
    explorer = explore.rope(D)
    explorer.move(**moves)
    at = {"rope": 10, "shift": 0, "rho": 2, "alpha": 4} | moves
    rho, alpha = (0, 0.05, 0.1, 0.2, 0.5)[at["rho"]], (0.001, 0.005, 0.01, 0.02, 0.05, 0.10, 0.20)[at["alpha"]]
    fresh = BayesianCorrelatedT(np.add(D, at["shift"] * 0.001), rho=rho, rope=round(at["rope"] * 0.001, 12), alpha=alpha)
    assert explorer.view["conclusion"] == fresh.conclusion
    assert [float(cell) for cell in shown(explorer, "probabilities")] == pytest.approx(fresh.probabilities.tolist(), abs=1e-4)
    for picture in explorer.pictures(explorer.test):
        assert f"equivalent {fresh.probability_text(1)}" in picture.text


@pytest.mark.complete
@parametrize("moves", {}, {"rope": 0}, {"rope": 30}, {"prior": 0}, {"prior": 5, "place": 2}, {"place": 0, "rope": 4, "alpha": 0})
def test_the_sign_test_follows_its_sliders(moves):
    explorer = explore.prior(A, B, rope=1, step=0.5)
    explorer.move(**moves)
    at = {"rope": 2, "prior": 2, "place": 1, "alpha": 4} | moves
    prior, place = (0, 0.5, 1, 2, 5, 10)[at["prior"]], ("worse", "equivalent", "better")[at["place"]]
    alpha = (0.001, 0.005, 0.01, 0.02, 0.05, 0.10, 0.20)[at["alpha"]]
    fresh = BayesianSignTest(A, B, rope=at["rope"] * 0.5, prior=prior, place=place, alpha=alpha)
    assert explorer.view["conclusion"] == fresh.conclusion
    assert shown(explorer, "concentration") == [format_plain(x) for x in fresh.concentration]
    for picture in explorer.pictures(explorer.test):
        assert f"equivalent {fresh.probability_text(1)}" in picture.text


def test_the_rope_of_the_curve_and_other_starts():
    explorer = explore.rope(D)
    (grip,) = explorer.drag_handles(explorer.test)
    assert (grip.x, grip.y) == (0.01, explorer.test.p_rope)
    explorer.move(rope=20)
    (grip,) = explorer.drag_handles(explorer.test)
    assert grip.x == 0.02
    assert "forest is better" in explore.rope(D, labels=["forest", "tree"]).view["conclusion"]
