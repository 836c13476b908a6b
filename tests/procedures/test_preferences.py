"""Preferences between systems: wins, losses, ties and single judgements, by the Bradley-Terry model."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special
from shortcuts import assert_each_raises, assert_raises

import fstats
from fstats import BradleyTerry

ISSUE = [[0, 30, 45, 50], [20, 0, 33, 41], [12, 22, 0, 28], [8, 15, 25, 0]]
# Citations among four journals of statistics (Stigler 1994, Statistical Science 9), as in Turner and Firth (2012), Bradley-Terry models
# in R: the BradleyTerry2 package, Journal of Statistical Software 48; who is cited wins.  Their printed coefficients beside Biometrika.
JOURNALS = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
CITED = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
PRINTED = {"Comm Statist": -2.94907, "JASA": -0.47957, "JRSS-B": 0.26895}
NO_SCORES = r"(look like counts or shares of wins|have the same names for rows and columns).* BradleyTerry\.from_wins"


def likeliest(wins, k):
    """Abilities of the greatest likelihood, the first 0, by a general optimiser."""
    first, second = np.triu_indices(k, 1)

    def cost(free):
        beta = np.r_[0, free]
        delta = beta[first] - beta[second]
        return -(wins[first, second] * special.log_expit(delta) + wins[second, first] * special.log_expit(-delta)).sum()

    return np.r_[0, optimize.minimize(cost, np.zeros(k - 1), tol=1e-10).x]


def test_the_printed_figures_of_bradleyterry2():
    """The likelihood gives them to the last digit; the prior draws ours towards each other, by less than a tenth of a standard error."""
    best = likeliest(CITED, 4)
    for name, printed in PRINTED.items():
        assert best[JOURNALS.index(name)] == pytest.approx(printed, abs=1.5e-4)
    test = BradleyTerry.from_wins(CITED, labels=JOURNALS)
    assert test.in_order == ["JRSS-B", "Biometrika", "JASA", "Comm Statist"]
    errors = {"Comm Statist": 0.10255, "JASA": 0.06059, "JRSS-B": 0.07083}
    for name, printed in PRINTED.items():
        ours = test.abilities[JOURNALS.index(name)] - test.abilities[0]
        assert abs(ours - printed) < 0.1 * errors[name]


@pytest.mark.complete
def test_three_systems_by_enumeration():
    wins, ties = [[0, 6, 9], [3, 0, 5], [1, 4, 0]], [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    test = BradleyTerry.from_wins(wins, ties=ties, tau=0.4, rope=0.1)
    won = np.array([6 + 1, 9, 5 + 0.5]), np.array([3 + 1, 1, 4 + 0.5])
    grid, spread = np.linspace(-5, 5, 81), np.linspace(-1.6, 1.6, 33)
    b = np.array(np.meshgrid(grid, grid, grid, indexing="ij"))
    delta = np.array([b[0] - b[1], b[0] - b[2], b[1] - b[2]])
    log_wins = sum(w * special.log_expit(d) + v * special.log_expit(-d) for d, w, v in zip(delta, *won))
    squares = (b**2).sum(0)
    logs = [log_wins - squares / (2 * np.exp(2 * s)) - 3 * s - s**2 / (2 * 0.4**2) for s in spread]
    top = max(one.max() for one in logs)
    mass = sum(np.exp(one - top) for one in logs)
    mass /= mass.sum()
    chance = special.expit(delta)
    assert test.estimates == pytest.approx([(mass * one).sum() for one in chance], abs=0.003)
    away = b - b.mean(0)
    assert test.abilities == pytest.approx([(mass * one).sum() for one in away], abs=0.01)
    assert test.elo == pytest.approx(400 / np.log(10) * test.abilities)
    for j in range(3):
        elo = away[j] * 400 / np.log(10)
        below = (mass * (elo < test.elo_low[j])).sum(), (mass * (elo > test.elo_high[j])).sum()
        assert below == pytest.approx((0.025, 0.025), abs=0.006)


def test_wins_are_no_scores():
    """A square table of counts is asked about, wherever a table of scores is taken; names of data sets answer."""
    tests = (BradleyTerry, fstats.Friedman, fstats.RepeatedAnova, fstats.Nemenyi)
    assert_each_raises(lambda test: test(ISSUE, labels=list("ABCD")), tests, NO_SCORES)
    assert_raises(lambda: BradleyTerry(pd.DataFrame(ISSUE, columns=list("ABCD"))), "from_wins")
    assert fstats.Friedman(ISSUE, labels=list("ABCD"), data_sets=["iris", "wine", "heart", "glass"]).n == 4
    test = BradleyTerry.from_wins(ISSUE, labels=list("ABCD"))
    assert (test.in_order, test.worth, test.comparisons) == (list("ABCD"), 1, sum(map(sum, ISSUE)))
    assert "data set" not in test.conclusion
    assert "of judgements like these" in test.conclusion
    assert "329 comparisons of two" in str(fstats.report(test))
    assert "too extreme" not in test.conclusion
    assert "data set" not in repr(test).replace("next data set", "")


def test_judgements_one_by_one_are_their_counts():
    judgements = [("x", "y"), ("x", "y"), ("y", "x"), ("z", "x"), ("x", "z", True), ("z", "x", "tie"), ("y", "z", False)]
    by_hand = BradleyTerry.from_wins([[0, 2, 0], [1, 0, 1], [1, 0, 0]], ties=[[0, 0, 2], [0, 0, 0], [0, 0, 0]], labels=list("xyz"))
    frame = pd.DataFrame([(*one, False)[:3] for one in judgements], columns=["Winner", "loser", "tie"])
    for given in (judgements, frame, [dict(zip(("winner", "loser", "tie"), one)) for one in judgements]):
        test = BradleyTerry.from_judgements(given)
        assert test.pairs.tolist() == by_hand.pairs.tolist()
        for name in ("wins", "losses", "ties", "estimates"):
            assert getattr(test, name) == pytest.approx(getattr(by_hand, name))
    assert by_hand.ties.tolist() == [0, 2, 0]


def test_shares_of_wins_and_names_on_both_sides_are_asked_about():
    wins = np.array(ISSUE)
    shares = np.where(np.eye(4) > 0, 0.5, wins / (wins + wins.T + np.eye(4)))
    for table in (shares, 100 * shares, shares * (1 - np.eye(4)), pd.DataFrame(shares, list("ABCD"), list("ABCD"))):
        for test in (BradleyTerry, fstats.Friedman, fstats.Nemenyi):
            with pytest.raises(ValueError, match=NO_SCORES):
                test(table)
    named = pd.DataFrame(wins, list("ABCD"), list("ABCD"))
    assert_raises(lambda: fstats.Nemenyi(named), r"same names for rows and columns \(A, B, C\)")
    assert BradleyTerry.from_wins(named).in_order == list("ABCD")
    assert BradleyTerry.from_wins(named.where(~np.eye(4, dtype=bool))).in_order == list("ABCD")  # nan in the diagonal
    with pytest.raises(TypeError, match=r"got text in the column 'index'. Make it the index by wins\.set_index\('index'\)"):
        BradleyTerry.from_wins(named.reset_index())
    for setting in ({"higher_is_better": False}, {"metric": "loss"}):
        with pytest.raises(TypeError, match="can be used only with scores; got winners"):
            BradleyTerry.from_wins(wins, **setting)


def test_layouts_and_systems_that_never_met():
    arena = pd.DataFrame(
        {"model_a": list("xxyz"), "model_b": list("yyxx"), "winner": ["model_a", "model_b", "tie (bothbad)", "z"], "turn": [1, 1, 1, 1]}
    )
    found = BradleyTerry.from_judgements(arena)
    same = BradleyTerry.from_judgements([("x", "y"), ("y", "x"), ("x", "y", True), ("z", "x")])
    for name in ("wins", "losses", "ties"):
        assert getattr(found, name).tolist() == getattr(same, name).tolist()
    assert_raises(lambda: BradleyTerry.from_judgements(arena.assign(winner="nobody")), "`winner` must be model_a, model_b, tie")
    apart = BradleyTerry.from_judgements([("A", "B")] * 9 + [("C", "D")] * 9)
    assert "Some classifiers were never compared, not even through others" in apart.conclusion
    assert "never compared" not in BradleyTerry.from_judgements([("A", "B")] * 9 + [("C", "D")] * 9 + [("B", "C")]).conclusion
    test = BradleyTerry.from_wins(ISSUE, labels=list("ABCD"))
    said = str(fstats.report(test))
    for pair, chance, low, high in zip(test.pairs, test.estimates, test.low, test.high, strict=True):
        assert f"{pair} {chance:.4g} [{low:.4g}, {high:.4g}]" in said
    assert "chance to win the next judgement with 95 % credible intervals" in said
    assert "data set" not in test.plot().text + test.plot().xlabel
