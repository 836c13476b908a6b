"""The contingency study: exact power against full sums and simulation, the stored study against plain loops and scikit-learn."""

import json
import re
from importlib.resources import files
from math import comb

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

from fstats import BlockedFiveByTwoMcNemar, CorrectedResampledT, McNemarExact, cli
from fstats.simulate.rejection_rates import Rate
from fstats.studies import contingency
from fstats.studies.contingency import blog_post_claims, exact_power, simulated_power, statements, stored
from fstats.studies.contingency import repeated_fold_study as fold_module
from fstats.studies.contingency.cross_validated_classifiers import LEARNERS
from fstats.studies.contingency.exact_test_power import _discordant_counts, critical_losses, record_outcome
from fstats.studies.contingency.guessing_simulation import draw_counts, draw_labels, is_rejected
from fstats.studies.contingency.repeated_fold_study import (
    FOLDS,
    RECORDS,
    REPEATS,
    _contingency_tables,
    blocked_partitions,
    draw,
    fold_tables_of_unit,
    partitions,
)

ALTERNATIVES = ("less", "two-sided", "greater")
MODELS = {
    "nearest mean": lambda: NearestCentroid(),
    "naive Bayes": lambda: GaussianNB(var_smoothing=0),
    "1-nearest neighbour": lambda: KNeighborsClassifier(1),
    "decision stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
}


# -- exact power -------------------------------------------------------------------------------------------------------------
def summed(n, r, classes, alpha, alternative):
    """Over all outcomes of the trinomial law, each with the library's own test."""
    guess = 1 / classes
    p_s, p_f = (1 - guess) * (r + (1 - r) * guess), guess * (1 - r) * (1 - guess)
    total = 0.0
    for s in range(n + 1):
        for f in range(n - s + 1):
            if McNemarExact(s, f, alternative=alternative, alpha=alpha).reject:
                total += comb(n, s) * comb(n - s, f) * p_s**s * p_f**f * (1 - p_s - p_f) ** (n - s - f)
    return total


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "r", "classes", "alpha"), [(1, 0.5, 2, 0.5), (4, 0.3, 2, 0.0625), (13, 0.4, 3, 0.05), (17, 1.0, 10, 0.125)])
def test_exact_power_is_the_full_sum(n, r, classes, alpha, alternative):
    assert exact_power(n, r, classes, alpha, alternative) == pytest.approx(summed(n, r, classes, alpha, alternative), abs=1e-13)


@pytest.mark.parametrize("n", [60, 1000, 30_000])
def test_exact_power_is_scipys_sum(n):
    one = record_outcome(0.03, 10)
    d = np.arange(n + 1)
    weights = stats.binom.pmf(d, n, one.discordant)
    d, weights = d[weights > 0], weights[weights > 0]
    least = d - stats.binom.ppf(0.05, d, 0.5) + 1  # the least s that rejects, one too cautious where the quantile is hit exactly
    least -= stats.binom.sf(least - 2, d, 0.5) <= 0.05
    assert exact_power(n, 0.03) == pytest.approx(weights @ stats.binom.sf(least - 1, d, one.share), rel=1e-9)


def test_exact_power():
    grid = exact_power(np.array([50, 400])[:, np.newaxis], [0.0, 0.03, 1.0])
    assert (grid.shape, grid[1, 1]) == ((2, 3), exact_power(400, 0.03))
    assert exact_power(2, 1.0) == 0  # no outcome of two records rejects
    assert exact_power(1000, 1.0) == pytest.approx(1, abs=1e-12)
    assert (exact_power(np.arange(1, 400), 0.0) <= 0.05).all()
    np.testing.assert_array_equal(exact_power([5, 300], 0.0, alternative="greater"), exact_power([5, 300], 0.0, alternative="less"))
    n, r = 1_000_000, 0.0005
    one = record_outcome(r, 10)
    mean, var = n * (one.s - one.f), n * (one.discordant - (one.s - one.f) ** 2)
    normal = stats.norm.sf((stats.norm.isf(0.05) * np.sqrt(n * one.discordant) - mean) / np.sqrt(var))
    assert (exact_power(n, r), exact_power(n, 0.0)) == (pytest.approx(normal, abs=0.002), pytest.approx(0.05, abs=5e-4))


@pytest.mark.parametrize(("n", "q"), [(1, 0.5), (40, 0.18), (1000, 0.01), (10**6, 0.18)])
def test_the_window_holds_all_but_a_hundred_trillionth(n, q):
    d, weights = _discordant_counts(n, q)
    law_of_d = stats.binom(n, q)
    assert law_of_d.cdf(d[0] - 1) + law_of_d.sf(d[-1]) <= 1e-14
    np.testing.assert_allclose(weights, law_of_d.pmf(d), rtol=1e-7, atol=1e-16)


@pytest.mark.complete
@pytest.mark.parametrize("tail", [0.6, 0.0625, 0.05, 0.025, 0.001])
def test_critical_values_are_the_tests_own(tail):
    d = np.concatenate([np.arange(60), [1023, 1024, 5000]])
    losses = critical_losses(d, tail)
    for n, k in zip(d.tolist(), losses.tolist()):
        assert k < 0 or stats.binom.cdf(k, n, 0.5) <= tail
        assert stats.binom.cdf(k + 1, n, 0.5) > tail
    np.testing.assert_array_equal(
        critical_losses(np.array([3, 200_000]), tail), [critical_losses(np.array([n]), tail)[0] for n in (3, 200_000)]
    )


# -- simulation --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_lookup_decides_as_the_test(alternative):
    s, f = np.random.default_rng(5).integers(40, size=(2, 2000))
    tail = 0.025 if alternative == "two-sided" else 0.05
    np.testing.assert_array_equal(is_rejected(s, f, tail, alternative), McNemarExact(s, f, alternative=alternative).reject)


@pytest.mark.complete
@pytest.mark.parametrize("forced", ["each", "exactly"])
@pytest.mark.parametrize(("n", "r", "classes"), [(300, 0.05, 10), (80, 0.2, 2), (500, 0.0, 10), (60, 0.1, 300)])
def test_labels_and_counts_have_the_same_law(n, r, classes, forced):
    trials = 6000
    counts, labels = (
        made(n, r, classes, trials, np.random.default_rng(seed), forced) for seed, made in ((1, draw_counts), (2, draw_labels))
    )
    one = record_outcome(r, classes)
    for k, expected in enumerate((n * one.s, n * one.f)):
        for drawn in (counts[k], labels[k]):  # the reading "exactly r N" has the same means
            assert abs(drawn.mean() - expected) < 4.5 * drawn.std() / np.sqrt(trials)
        sd = [drawn[k].std(ddof=1) for drawn in (counts, labels)]
        assert sd[0] / sd[1] == pytest.approx(1, abs=0.06)
    a, b = (
        simulated_power(n, r, classes, trials=trials, level=level, forced=forced, rng=seed)
        for level, seed in (("counts", 3), ("labels", 4))
    )
    assert abs(a.rate - b.rate) < 4.5 * np.hypot(a.se, b.se)
    if forced == "each":
        exact = exact_power(n, r, classes)
        assert abs(a.rate - exact) < 4.5 * a.se
        assert abs(b.rate - exact) < 4.5 * b.se


def test_labels_are_counted_by_a_plain_loop():
    """One record at a time, with the definition of the post."""
    rng = np.random.default_rng(8)
    s, f = draw_labels(50, 0.3, 4, 7, np.random.default_rng(8))
    truth, first, second = rng.integers(4, size=(3, 50, 7), dtype=np.int8)
    known = rng.random((50, 7)) < 0.3
    for t in range(7):
        only_1 = only_2 = 0
        for i in range(50):
            says_2 = truth[i, t] if known[i, t] else second[i, t]
            only_1 += first[i, t] == truth[i, t] != says_2
            only_2 += says_2 == truth[i, t] != first[i, t]
        assert (s[t], f[t]) == (only_2, only_1)


def test_a_simulation_is_repeatable_and_large_ones_are_cut():
    assert simulated_power(200, 0.05, trials=50, rng=1) == simulated_power(200, 0.05, trials=50, rng=1)
    drawn = draw_labels(1_500_000, 0.5, 2, 3, np.random.default_rng(0))
    assert np.allclose(drawn[0] / 1_500_000, record_outcome(0.5, 2).s, atol=0.003)
    assert simulated_power(10, 0.55, forced="exactly", trials=20).repetitions == 20


@pytest.mark.every_case
@parametrize(
    "settings, message",
    ({"N": 0}, "`N` must be at least 1; got 0"),
    ({"N": 2.5}, "`N` must be a count .*; got 2.5"),
    ({"r": -0.1}, r"`r` must be a share between 0 and 1, .*; got -0.1"),
    ({"r": 3}, r"`r` must be a share between 0 and 1, such as 0.03 for 3 %; got 3"),
    ({"r": float("nan")}, "`r` must hold finite numbers"),
    ({"classes": 1}, "`classes` must be at least 2; got 1"),
    ({"classes": [2, 3]}, "`classes` must be one number; got 2 numbers"),
    ({"alpha": 1}, "`alpha` must be between 0 and 1"),
    ({"alternative": "more"}, "`alternative` must be 'two-sided' or 'greater' or 'less'; got 'more'"),
)
def test_bad_input_of_both(settings, message):
    for call in (exact_power, simulated_power):
        with pytest.raises((ValueError, TypeError), match=message):
            call(**({"N": 100, "r": 0.1} | settings))


@parametrize(
    "settings, message",
    ({"trials": 0}, "`trials` must be at least 1; got 0"),
    ({"N": [10, 20]}, "`N` must be one number; got 2 numbers"),
    ({"r": [0.1, 0.2]}, "`r` must be one number; got 2 numbers"),
    ({"level": "records"}, "`level` must be 'counts' or 'labels'; got 'records'"),
    ({"forced": "often"}, "`forced` must be 'each' or 'exactly'; got 'often'"),
)
def test_bad_input_of_the_simulation(settings, message):
    assert_raises(lambda: simulated_power(**({"N": 100, "r": 0.1} | settings)), message)
    assert_raises(lambda: exact_power([10, 20], [0.1, 0.2, 0.3]), "`N` and `r` must have shapes that can be combined")


# -- what the post states ----------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_the_statements():
    assert (exact_power([300, 350], 0.05).round(3).tolist(), round(exact_power(750, 0.03), 3)) == ([0.467, 0.522], 0.469)
    assert exact_power([817, 818, 819], 0.03).round(4)[0] <= 0.5 < exact_power(818, 0.03)
    table = {figure.what: figure for figure in statements().figures}
    agree = {what for what, figure in table.items() if figure.agrees}
    assert set(table) - agree == {"N > 300, any r > 0.05: majority", "r"}
    assert "0.467 at N = 300, 0.522 at 350" in table["N > 300, any r > 0.05: majority"].note
    assert table["r = 3 (%): majority only when N > 750"].note == "0.469 at N = 750, a majority from N = 818 on"


def test_the_tables_show_the_grid():
    exact, counts, labels = contingency.power_tables(trials=60)
    assert [len(table.lines) for table in (exact, counts, labels)] == [20, 20, 20]
    for line in exact.lines:
        assert line[1:] == [f"{exact_power(int(line[0]), r):.4f}" for r in (0, 0.01, 0.03, 0.05, 0.1)]
    grid = exact_power(np.array(blog_post_claims.SIZES)[:, np.newaxis], blog_post_claims.RATES)
    for table in (counts, labels):
        found = [[float(cell.split()[0]) for cell in line[1:]] for line in table.lines]
        assert np.abs(np.array(found) - grid).max() < 5 * 0.5 / np.sqrt(60)
    assert "1000" in exact._repr_html_()


# -- cross-validation --------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_are_scikit_learns(learner):
    rng = np.random.default_rng(3)
    x, y = draw(rng, 2)
    for fold in (*(partitions(rng, 2, folds, 2) for folds in FOLDS), blocked_partitions(rng, 2)):
        ours = LEARNERS[learner](x[0], y, fold)
        for i in range(2):
            for one, right in zip(fold[i], ours[i]):
                for k in range(fold.max() + 1):
                    model = MODELS[learner]().fit(x[0, i][one != k], y[one != k])
                    np.testing.assert_array_equal(right[one == k], model.predict(x[0, i][one == k]) == y[one == k])


def test_neighbours_and_partitions():
    # Where all but the last records lie in the same fold, the search goes to its end.
    x, y = np.arange(12.0).reshape(1, 12, 1), np.array([0, 1] * 6)
    fold = np.array([[[0] * 11 + [1]]], np.int8)
    assert LEARNERS["1-nearest neighbour"](x, y, fold)[0, 0].tolist() == [*(y[:11] == y[11]), y[11] == y[10]]
    rng = np.random.default_rng(0)
    for folds in FOLDS:
        fold = partitions(rng, 3, folds, 4)
        assert {tuple(np.bincount(one)) for sets in fold for one in sets} == {(RECORDS // folds,) * folds}
        assert len({tuple(one) for sets in fold for one in sets}) == 12
    for one in blocked_partitions(rng, 2):
        shared = [np.sum((one[j] == 0) & (one[k] == 0)) for j in range(5) for k in range(j)]
        assert set(shared) == {RECORDS // 4}


def test_both_systems_are_exchangeable():
    """Over many data sets neither is better, for each learner, up to 4 standard errors."""
    rng = np.random.default_rng(12)
    x, y = draw(rng, 150)
    fold = partitions(rng, 150, 5, 1)
    for learner in LEARNERS.values():
        d = learner(x[0], y, fold).mean((1, 2)) - learner(x[1], y, fold).mean((1, 2))
        assert abs(d.mean()) < 4 * d.std(ddof=1) / np.sqrt(150)


def test_a_unit_counts_what_the_public_tests_decide():
    """The unit's rejections from one data set at a time, with a plain loop and the classes of fstats."""
    unit, seed = {"learner": "nearest mean", "data_sets": 6}, np.random.SeedSequence(4)
    found = fold_tables_of_unit(unit, seed)
    rng = np.random.default_rng(seed)
    x, y = draw(rng, 6)
    learner = LEARNERS["nearest mean"]
    for folds in FOLDS:
        fold = partitions(rng, 6, folds, max(REPEATS))
        a, b = (learner(one, y, fold) for one in x)
        for repeats in REPEATS:
            naive, corrected, squares, discordant = {"less": 0, "two-sided": 0}, {"less": 0, "two-sided": 0}, 0, 0
            for i in range(6):
                n01 = sum(int(np.sum(~a[i, j] & b[i, j])) for j in range(repeats))
                n10 = sum(int(np.sum(a[i, j] & ~b[i, j])) for j in range(repeats))
                d = [a[i, j][fold[i, j] == k].mean() - b[i, j][fold[i, j] == k].mean() for j in range(repeats) for k in range(folds)]
                squares, discordant = squares + (n01 - n10) ** 2, discordant + n01 + n10
                for side in naive:
                    naive[side] += McNemarExact(n01, n10, alternative=side).reject
                    corrected[side] += CorrectedResampledT(d, test_train_ratio=1 / (folds - 1), alternative=side).reject
            expected = {"naive": naive, "corrected": corrected, "discordant": discordant, "squares": squares}
            assert found[f"K={folds} L={repeats}"] == expected
    fold = blocked_partitions(rng, 6)
    a, b = (learner(one, y, fold) for one in x)
    tables = _contingency_tables(a, b, fold)
    for i in range(6):
        for j, k in np.ndindex(5, 2):
            tested = fold[i, j] == k
            for u, v in np.ndindex(2, 2):
                assert tables[j, k, u, v, i] == np.sum((a[i, j] == u) & (b[i, j] == v) & tested)
    assert found["5x2 BCV"] == sum(BlockedFiveByTwoMcNemar(tables[..., i]).reject for i in range(6))


@pytest.mark.complete
def test_a_random_slice_of_the_stored_study_comes_out_again():
    """One unit of the package's own file, drawn by chance; its seed follows from the study's and its number."""
    study = stored()
    number = int(np.random.default_rng().integers(len(study.units)))
    seed = np.random.SeedSequence(study.about["seed"], spawn_key=(number,))
    again = json.loads(json.dumps(fold_tables_of_unit(study.units[number], seed)))
    assert again == study.results[number], f"unit {number}"


def test_the_stored_study_is_complete_and_says_how_it_was_made(tmp_path):
    study = stored()
    assert ({study.data_sets(learner) for learner in LEARNERS}, study.about["settings"]["folds"]) == ({2000}, list(FOLDS))
    assert study.about["settings"]["repeats"] == list(REPEATS)
    assert re.search(
        rf"`fstats reproduce contingency --again --save {fold_module.STORED}`, seed 2003, \d{{4}}-\d\d-\d\d, python 3", study.provenance
    )
    study.save(tmp_path / "copy.json")
    kept = files("fstats.studies.contingency") / "results" / "folds.json"
    assert (tmp_path / "copy.json").read_text() == kept.read_text(encoding="utf-8")


def test_the_answers():
    """Question 1: nearly, for a stable learner; not for others.  Question 2: no, and less so the larger L is."""
    study = stored()
    for learner in LEARNERS:
        for folds in FOLDS:
            rates = [study.cell(learner, folds, repeats).naive.rate for repeats in REPEATS]
            worth = [study.cell(learner, folds, repeats).worth for repeats in REPEATS]
            assert rates == sorted(rates)
            assert rates[1] > 0.09
            assert rates[-1] > 0.35
            assert worth[-1] < 1.4 * RECORDS  # of 3600
    for folds in FOLDS:
        assert study.cell("nearest mean", folds, 1).naive.rate < 0.055
        for learner in ("1-nearest neighbour", "decision stump"):
            assert study.cell(learner, folds, 1).naive.rate > 0.065
    for learner in LEARNERS:
        assert study.blocked(learner).rate < 0.065
    assert_raises(lambda: study.cell("tree", 10, 1), r"one of these values: learner nearest mean, .*; got 'tree', 10, 1 and 'less'")


def test_a_study_is_taken_up_again(tmp_path, monkeypatch):
    """Killed after two units, it goes on; the numbers are those of a run without interruption."""
    monkeypatch.setattr(fold_module, "LEARNERS", {"nearest mean": LEARNERS["nearest mean"]})
    settings = {"data_sets": 7, "at_once": 2, "seed": 1, "progress": False}
    whole = contingency.fold_study(**settings)
    assert [unit["data_sets"] for unit in whole.units] == [2, 2, 2, 1]
    store = tmp_path / "store.jsonl"
    contingency.fold_study(**settings, store=store)
    store.write_text("".join(store.read_text().splitlines(keepends=True)[:3]))
    assert contingency.fold_study(**settings, store=store).results == whole.results
    assert_raises(lambda: contingency.fold_study(data_sets=0), "`data_sets` must be at least 1; got 0")


# -- the command -------------------------------------------------------------------------------------------------------------
def test_where_the_corrected_test_keeps_its_level():
    """What notebook 10 says of it, "up to chance" by the exact binomial law, one-sided as its table is."""
    found = {(learner, folds): [stored().cell(learner, folds, repeats) for repeats in REPEATS] for learner in LEARNERS for folds in FOLDS}
    for (learner, folds), cells in found.items():
        verdicts = {Rate("", None, cell.corrected.rejections, cell.corrected.repetitions).verdict() for cell in cells}
        assert ("liberal" in verdicts) == (learner in ("1-nearest neighbour", "decision stump") and folds > 2)
    assert f"{max(cell.corrected.rate for cells in found.values() for cell in cells) / 0.05:.1f}" == "2.4"


@pytest.mark.slow
def test_reproduce_prints_every_table(capsys):
    assert cli.main(["reproduce", "contingency"]) == 0
    printed = capsys.readouterr().out
    assert [printed.count(word) for word in ("labels drawn", "counts drawn", "10 classes", "independent classifications")] == [1, 1, 1, 1]
    exact = next(line for line in printed.splitlines() if re.match(r"\s+300 ", line))
    assert exact.split() == ["300", *(f"{exact_power(300, r):.4f}" for r in (0, 0.01, 0.03, 0.05, 0.1))]
    for table in (stored().table(), stored().table("corrected", "two-sided"), stored().blocked_table, statements()):
        assert repr(table) in printed
    assert stored().provenance in printed


@pytest.mark.complete
def test_reproduce_again_computes(capsys, monkeypatch, tmp_path):
    made = contingency.FoldStudy(stored().about | {"seed": 7}, stored().units, stored().results)
    monkeypatch.setattr(contingency, "fold_study", lambda **settings: made if settings == {"jobs": 1, "store": None} else None)
    assert cli.main(["reproduce", "contingency", "--again", "--save", str(tmp_path / "a.json")]) == 0
    assert "seed 7," in capsys.readouterr().out
    assert json.loads((tmp_path / "a.json").read_text())["about"]["seed"] == 7
    with pytest.raises(SystemExit):
        cli.main(["reproduce", "contingency", "--save", "x"])
    assert "--save needs --again" in capsys.readouterr().err
