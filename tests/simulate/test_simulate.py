"""How often tests reject: shuffles and counts by plain loops, units of work that survive a crash, and the paper's figures."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from math import comb
from pathlib import Path

import joblib
import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

import fstats
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS, TABLE_5
from fstats.procedures.resampling.split_plans import split_plan
from fstats.simulate import Epsilon, FixedLosses, power_curve, run, type_one_error
from fstats.simulate.fixed_loss_scores import shuffled_split_scores
from fstats.simulate.rejection_rates import Rate, fisher_exact_pvalue

PLANS = sorted({test.plan for test in ALL_TESTS}, key=str)
PARTS = ("tables", "record_difference", "halves", "replicates")
SEED = np.random.SeedSequence(1)


# -- sources ----------------------------------------------------------------------------------------------------------------
def test_epsilon_and_its_advantage():
    # on the first half A errs with eps/2 and B with 3 eps/2, on the second half the other way round
    right = Epsilon(n=8, epsilon=0.2).draw(np.random.default_rng(0), 40_000)
    assert right.shape == (2, 8, 40_000)
    error = 1 - right.mean(2)
    expected = [[0.1] * 4 + [0.3] * 4, [0.3] * 4 + [0.1] * 4]
    assert np.abs(error - expected).max() < 4 * np.sqrt(0.3 * 0.7 / 40_000)
    assert np.abs(np.corrcoef(right.reshape(16, -1)) - np.eye(16)).max() < 5 / np.sqrt(40_000)  # all draws are independent
    assert Epsilon(epsilon=0.2, advantage=0.05).error_rates.mean(1).tolist() == pytest.approx([0.2, 0.25])


@parametrize(
    "arguments, words",
    ({"n": 301}, "`n` must be even .half of the records"),
    ({"n": 0}, "`n` must be even"),
    ({"epsilon": 0}, "`epsilon` must be above 0 and at most 2/3"),
    ({"epsilon": 0.7}, "`epsilon` must be above 0 and at most 2/3"),
    ({"epsilon": 0.6, "advantage": 0.2}, "`advantage` must keep the error rates of B between 0 and 1; got advantage = 0.2"),
    ({"advantage": -0.06}, "`advantage` must keep"),
)
def test_rates_that_are_none(arguments, words):
    assert_raises(lambda: Epsilon(**arguments), words)


# -- shuffles and counts ----------------------------------------------------------------------------------------------------
def kinds(n, seed):
    """Right or wrong on n records of three data sets; in the last the algorithms never differ."""
    correct = np.random.default_rng(seed).random((2, n, 3)) < 0.6
    correct[1, :, 2] = correct[0, :, 2]
    return correct


@pytest.mark.every_case
@pytest.mark.parametrize("n", [40, 61])
@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_every_cross_validation_tests_each_record_once(plan, n):
    correct = kinds(n, 1)
    scores = shuffled_split_scores(correct, plan, ("tables",), SEED)
    axis = len(plan.shape)
    totals = scores.tables.sum((axis, axis + 1)).reshape(plan.splits, 3)
    assert totals.tolist() == [[len(tested)] * 3 for _, tested in plan.test_positions(n)]
    a, b = scores.tables.sum(axis + 1), scores.tables.sum(axis)  # wrong and right of A, of B
    for score, counts in ((scores.score_a, a), (scores.score_b, b)):
        assert np.array_equal(score, np.moveaxis(counts, axis, 0)[1] / counts.sum(axis))
    if plan.kind != "hold-out":  # all folds together are the data set itself
        whole = [[(correct[0] == u) & (correct[1] == v) for v in (0, 1)] for u in (0, 1)]
        assert (scores.tables.reshape(plan.repeats, -1, 2, 2, 3).sum(1) == np.sum(whole, 2)).all()


class Told(FixedLosses):
    """Right and wrong as they were handed in."""

    def __init__(self, correct):
        self.correct = correct

    def draw(self, _, repetitions):
        return self.correct[:, :, :repetitions]


def test_test_sets_are_cut_from_the_shuffles_as_the_plan_says(monkeypatch):
    # without shuffling, each test set must be the records at the places of the cut
    class Lazy:
        def permuted(self, x, axis, out):  # noqa: ARG002
            return out

    n, correct = 26, kinds(26, 2)
    monkeypatch.setattr("fstats.simulate.fixed_loss_scores.np.random.default_rng", lambda _: Lazy())
    for plan in PLANS:
        scores = shuffled_split_scores(correct, plan, ("tables", "record_difference"), SEED)
        tables = scores.tables.reshape(plan.splits, 2, 2, 3)
        for k, (_, tested) in enumerate(plan.test_positions(n)):
            for r in range(3):
                for u in (0, 1):
                    for v in (0, 1):
                        assert tables[k, u, v, r] == sum(tuple(correct[:, i, r]) == (u, v) for i in tested)
        if plan == split_plan.TEN_FOLD:
            assert np.array_equal(scores.record_difference, correct[0].astype(int) - correct[1])
            assert scores.record_fold.tolist() == [k + 1 for k, (_, tested) in enumerate(plan.test_positions(n)) for _ in tested]


def test_shuffled_records_and_folds():
    # one record of eight differs; in how many of the ten test halves it lies is a matter of five independent coins
    correct = np.zeros((2, 8, 20_000), bool)
    correct[0, 0] = True
    scores = shuffled_split_scores(correct, split_plan.FIVE_BY_TWO, ("tables",), SEED)
    first = scores.tables[:, 0, 1, 0]  # repetitions of the plan, data sets: whether the first fold tests it
    patterns = Counter(map(tuple, first.T.astype(int).tolist()))
    expected = 20_000 / 32
    assert len(patterns) == 32
    assert sum((count - expected) ** 2 / expected for count in patterns.values()) < 62  # chi-squared with 31 df: p = 0.0008
    scores = shuffled_split_scores(kinds(45, 3), split_plan.TEN_FOLD, PARTS, SEED)
    for k in range(10):
        of_fold = scores.record_difference[scores.record_fold == k + 1]
        assert of_fold.mean(0) == pytest.approx(scores.difference[k], abs=1e-15)


def test_halves_by_hand(monkeypatch):
    # shuffles that turn the line round by one place are easy to follow
    class Turning:
        def permuted(self, x, axis, out):
            out[...] = np.roll(x, 1, axis=axis)
            return out

    correct = kinds(20, 4)
    d = correct[0].astype(int) - correct[1]
    monkeypatch.setattr("fstats.simulate.fixed_loss_scores.np.random.default_rng", lambda _: Turning())
    halves = shuffled_split_scores(correct, fstats.ConservativeZ.plan, ("halves",), SEED).halves
    expected, marks = np.empty((10, 2, 3)), np.r_[np.ones(2), np.zeros(8)]
    for m in range(10):
        d = np.roll(d, 1, axis=0)
        sums = np.zeros((2, 3))
        for _ in range(15):
            marks = np.roll(marks, 1)  # two of the ten places test
            for h in (0, 1):
                sums[h] += d[10 * h : 10 * h + 10][marks == 1].mean(0)
        expected[m] = sums / 15
    assert halves == pytest.approx(expected, abs=1e-15)


def test_replicates_and_refusals():
    # drawn with replacement: on average the difference of the split, with the variance of a mean of independent records
    correct = np.repeat(kinds(60, 5)[:, :, :1], 4000, axis=2)
    scores = shuffled_split_scores(correct, split_plan.REPEATED_HOLD_OUT_THIRD, ("replicates", "tables"), SEED)
    assert scores.replicates.shape == (15, 15, 4000)
    away = scores.replicates - scores.difference[:, np.newaxis]
    share10, share01 = scores.tables[:, 1, 0] / 20, scores.tables[:, 0, 1] / 20
    variance = (share10 + share01 - (share10 - share01) ** 2) / 20
    standard = away / np.sqrt(variance)[:, np.newaxis]
    assert abs(standard.mean()) < 4 / np.sqrt(standard.size)
    assert standard.var() == pytest.approx(1, abs=0.01)
    assert set(np.unique(np.round(scores.replicates * 20, 9))) <= set(range(-20, 21))
    scores = shuffled_split_scores(kinds(40, 6), split_plan.TEN_FOLD, (), SEED)
    assert [getattr(scores, part) for part in PARTS] == [None] * 4
    for part in PARTS[:2]:
        more = shuffled_split_scores(kinds(40, 6), split_plan.TEN_FOLD, (part,), SEED)
        assert getattr(more, part) is not None
        assert np.array_equal(more.score_a, scores.score_a)  # and one part more does not change the others
    message = r"a source must return an array of shape \(2, records, repetitions\), True for right predictions; got shape \(3, 4, 5\)"
    assert_raises(lambda: shuffled_split_scores(np.ones((3, 4, 5), bool), split_plan.TEN_FOLD, (), SEED), message)
    (many,) = shuffled_split_scores(np.ones((2, 2**21, 1), bool), split_plan.HOLD_OUT_THIRD, (), SEED).score_a
    assert many == 1


# -- rates ------------------------------------------------------------------------------------------------------------------
QUICK = Epsilon(n=100, epsilon=0.2)


def test_rates_by_one_test_at_a_time():
    rates = type_one_error([fstats.FiveByTwoT, fstats.CombinedFiveByTwoT, fstats.CrossValidatedZ], QUICK, 500, rng=3)
    alone = type_one_error([fstats.CrossValidatedZ], QUICK, 500, rng=3)
    assert rates[fstats.CrossValidatedZ] == alone[fstats.CrossValidatedZ]  # other tests do not change the draws
    assert rates["FiveByTwoT"].rejections != rates["CombinedFiveByTwoT"].rejections
    one_sided = {"A": (fstats.KFoldT, {"alternative": "greater"}), "B": (fstats.KFoldT, {"alternative": "less"}), "both": fstats.KFoldT}
    sides = type_one_error(one_sided, QUICK, 1000, alpha=0.05)
    halved = type_one_error([fstats.KFoldT], QUICK, 1000, alpha=0.1)  # twice the level of each side
    assert sides["A"].rejections + sides["B"].rejections == halved[fstats.KFoldT].rejections > sides["both"].rejections


def test_chunks_and_workers(tmp_path):
    alone = type_one_error(TABLE_5, QUICK, 250, rng=1, chunk=100)
    assert alone.repetitions == 250
    with joblib.parallel_config(backend="threading"):
        assert list(type_one_error(TABLE_5, QUICK, 250, rng=1, chunk=100, jobs=3)) == list(alone)
    again = type_one_error(TABLE_5, QUICK, 250, rng=1, chunk=100, jobs=2, store=tmp_path / "rates.jsonl")
    assert list(again) == list(alone)
    assert list(type_one_error(TABLE_5, QUICK, 250, rng=2, chunk=100)) != list(alone)


@pytest.mark.filterwarnings("default")  # what a cluster warns of is its own affair
def test_a_dask_cluster_counts_the_same(tmp_path, distributed):
    alone = type_one_error([fstats.KFoldT], QUICK, 300, chunk=50)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert list(type_one_error([fstats.KFoldT], QUICK, 300, chunk=50, jobs=-1, store=tmp_path / "far.jsonl")) == list(alone)


def test_the_standard_error_is_always_shown():
    rates = type_one_error([fstats.CombinedFiveByTwoT, fstats.NaiveKFoldMcNemar], QUICK, 400)
    often, never = rates
    assert (often.rate, never.rejections) == (often.rejections / 400, 0)
    assert often.se == pytest.approx(np.sqrt(often.rate * (1 - often.rate) / 400), rel=0.01)
    assert 0 < never.se < 1 / 400  # no rejection in 400 is no proof that there never is one
    text, html, plain = repr(rates), rates._repr_html_(), rates.to_dict()
    assert f"{often.rate:.4f} ± {often.se:.4f}" in text
    assert f"{often.rate:.4f} ± {often.se:.4f}" in html
    assert "Type I error at alpha = 0.05 on Epsilon(n=100, epsilon=0.2, advantage=0.0), 400 data sets" in text
    expected = dict(test="CombinedFiveByTwoT", effect=None, rejections=often.rejections, repetitions=400, rate=often.rate, se=often.se)
    assert (plain["rates"][0], json.loads(json.dumps(plain))) == (expected, plain)
    assert_raises(lambda: rates[fstats.KFoldT], "`test` must be one of CombinedFiveByTwoT, NaiveKFoldMcNemar; got 'KFoldT'", KeyError)


def test_power_grows_with_the_effect():
    effects = [0, 0.05, 0.1]
    curve = power_curve([fstats.CombinedFiveByTwoF, fstats.BlockedFiveByTwoMcNemar], lambda effect: Epsilon(advantage=effect), effects, 300)
    assert curve.rate.shape == curve.se.shape == (2, 3)
    assert (np.diff(curve.rate) > 0).all()
    assert [rate.effect for rate in curve["CombinedFiveByTwoF"]] == effects
    text = repr(curve)
    assert text.count("±") == 6
    assert "0.05" in text.splitlines()[2]
    assert "Power at alpha = 0.05, 300 data sets for each effect" in curve._repr_html_()
    # the power against an advantage does not depend on what else is looked at, but on the unit's number
    expected = power_curve([fstats.CombinedFiveByTwoF], lambda e: Epsilon(advantage=e), [0], 300)[fstats.CombinedFiveByTwoF][0]
    assert curve[fstats.CombinedFiveByTwoF][0] == expected


@pytest.mark.every_case
@parametrize(
    "arguments, error, words",
    ({"tests": [fstats.PairedT]}, TypeError, "`tests` must be the class of a test on resampled scores, .*; got PairedT"),
    ({"tests": []}, ValueError, "`tests` must name at least one test; got none"),
    ({"tests": [fstats.KFoldT, fstats.KFoldT]}, ValueError, "`tests` must have different names; got KFoldT twice"),
    ({"tests": {"x": (fstats.KFoldT, {"sided": 1})}}, TypeError, "KFoldT has no 'sided'; it has "),
    ({"tests": {"x": (fstats.KFoldT, {"alternative": "up"})}}, ValueError, "`alternative` must be"),
    ({"repetitions": 0}, ValueError, "`repetitions` must be at least 1"),
    ({"chunk": 0}, ValueError, "`chunk` must be at least 1"),
    ({"alpha": 1}, ValueError, "`alpha` must be between 0 and 1"),
    ({"rng": -1}, ValueError, "`rng` must be a whole number of at least 0"),
    ({"rng": None}, ValueError, "`rng` must be a whole number of at least 0"),
    ({"source": Told(None)}, ValueError, "a source must have a repr that names its settings"),
)
def test_arguments_that_do_not_fit(arguments, error, words):
    assert_raises(lambda: type_one_error(**(dict(tests=[fstats.KFoldT], source=QUICK, repetitions=10) | arguments)), words, error)


# -- units of work ----------------------------------------------------------------------------------------------------------
def squares(unit, seed, factor=1):
    """A unit's number, and a random one."""
    return {"square": factor * unit**2, "draw": np.random.default_rng(seed).random(), "pair": (np.int64(unit), np.arange(2.0))}


ABOUT = dict(arguments={"factor": 1})


def test_units_by_their_numbers():
    whole = run(squares, range(5), **ABOUT)
    assert ([unit["square"] for unit in whole], len({unit["draw"] for unit in whole})) == ([0, 1, 4, 9, 16], 5)
    assert whole[2]["pair"] == [2, [0.0, 1.0]]
    assert run(squares, range(3), **ABOUT) == whole[:3]  # a unit's seed follows from its number
    assert run(squares, range(5), rng=1, **ABOUT)[0]["draw"] != whole[0]["draw"]
    assert whole[1]["draw"] == np.random.default_rng(np.random.SeedSequence(0, spawn_key=(1,))).random()


def test_a_store_tells_what_it_was_made_from(tmp_path):
    path = tmp_path / "deep" / "results.jsonl"
    whole = run(squares, range(4), store=path, **ABOUT)
    first, *lines = map(json.loads, path.read_text().splitlines())
    assert first["about"]["arguments"] == {"factor": 1}
    assert first["about"]["work"].endswith("test_simulate.squares")
    assert (first["about"]["rng"], first["about"]["units"]) == (0, 4)
    loaded = {"scikit-learn"} if "sklearn" in sys.modules else set()
    assert (set(first["versions"]), first["command"]) == ({"python", "fstats", "numpy", "scipy"} | loaded, sys.argv)
    assert [line["result"] for line in lines] == whole
    before = path.read_bytes()

    def refuse(*_):
        raise AssertionError("nothing is left to do")

    refuse.__module__, refuse.__qualname__ = squares.__module__, squares.__qualname__
    assert (run(refuse, range(4), store=path, **ABOUT), path.read_bytes()) == (whole, before)


def test_half_a_line_is_done_again(tmp_path):
    path = tmp_path / "results.jsonl"
    whole = run(squares, range(6), store=path, **ABOUT)
    text = path.read_bytes()
    lines = text.splitlines(keepends=True)
    for kept in (text[:10], b"".join(lines[:1]), b"".join(lines[:4]), b"".join(lines[:4]) + lines[4][:-1], text[:-3]):
        path.write_bytes(kept)
        assert run(squares, range(6), store=path, **ABOUT) == whole
        found = [json.loads(line) for line in path.read_text().splitlines()]
        assert sorted(line["unit"] for line in found if "unit" in line) == list(range(6))
    resumed = [line for line in found if "resumed" in line]
    assert [line["resumed"] for line in resumed] == [5]
    assert "versions" in resumed[0]


@parametrize(
    "other, words",
    (dict(work=partial(squares, factor=2), arguments={"factor": 2}), "factor is 1 in the file and 2 in this call"),
    (dict(rng=5), "rng is 0 in the file and 5 in this call"),
    (dict(units=range(7)), "units is 4 in the file and 7 in this call"),
    (dict(units=[0, 1, 2, 4]), "sha256 of units is"),
    (dict(work=len), "work is 'test_simulate.squares' in the file and 'builtins.len' in this call|work is '.*squares' in the file"),
    (dict(arguments={"factor": 1, "more": 2}), "arguments: more in this call only"),
)
def test_a_store_made_by_other_arguments_is_refused(tmp_path, other, words):
    path = tmp_path / "results.jsonl"
    run(squares, range(4), store=path, **ABOUT)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"was written for other arguments: .*Name another file") as error:
        run(**(dict(work=squares, units=range(4), store=path, **ABOUT) | other))
    assert error.match(words)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "[1, 2]\n", '{"x": 1}\n', "a line of somebody's", "a,b\n1,2"])
def test_a_file_that_is_no_store(tmp_path, text):
    path = tmp_path / "results.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"line (1 of .*results.csv is not a line of a|of the checkpoint file .*results.csv must contain)"):
        run(squares, range(4), store=path, **ABOUT)
    assert path.read_text() == text


def test_rates_of_other_tests_are_refused(tmp_path):
    path = tmp_path / "rates.jsonl"
    type_one_error([fstats.KFoldT], QUICK, 20, store=path)
    with pytest.raises(ValueError, match=r"written for other arguments: .*repetitions is 20 in the file and 30 in this call"):
        type_one_error([fstats.KFoldT], QUICK, 30, store=path)
    assert_raises(
        lambda: type_one_error([fstats.KFoldT], Epsilon(n=100, epsilon=0.3), 20, store=path), r"written for other arguments: sources is "
    )
    assert_raises(lambda: type_one_error([fstats.FiveByTwoT], QUICK, 20, store=path), r"written for other arguments: .*FiveByTwoT")


KILLED = """
import sys, time
import fstats.simulate.rejection_rates as rates
from fstats.procedures.resampling.k_fold_t import KFoldT
from fstats.simulate import Epsilon, type_one_error

class Slow(Epsilon):
    def draw(self, rng, repetitions):
        time.sleep(0.05)
        return super().draw(rng, repetitions)
    def __repr__(self):
        return repr(Epsilon(self.n, self.epsilon))

type_one_error([KFoldT], Slow(n=100, epsilon=0.2), 2000, chunk=10, store=sys.argv[1], jobs=int(sys.argv[2]))
"""


@pytest.mark.complete
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, jobs):
    path = tmp_path / "rates.jsonl"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path), str(jobs)], cwd=Path(__file__).parents[2], start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while (not path.exists() or path.read_bytes().count(b"\n") < 6) and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # and its workers
        process.kill()
        process.wait()
    left = [line for line in path.read_text().splitlines() if line.startswith('{"unit"')]
    assert 4 <= len(left) < 200
    expected = type_one_error([fstats.KFoldT], QUICK, 2000, chunk=10)
    assert list(type_one_error([fstats.KFoldT], QUICK, 2000, chunk=10, store=path)) == list(expected)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["resumed"] for line in lines if "resumed" in line] == [sum(line.endswith("}") for line in left)]
    assert sorted(line["unit"] for line in lines if "unit" in line) == list(range(200))


# -- the paper's figures ----------------------------------------------------------------------------------------------------
# Type I errors on epsilon with n = 300 and eps = 0.1, by a program of its own with 200,000 data sets.
OURS = {
    "ResampledT": 0.4660,
    "KFoldT": 0.0442,
    "FiveByTwoT": 0.0264,
    "CorrectedResampledT": 0.0468,
    "CorrectedRepeatedKFoldT": 0.0352,
    "CombinedFiveByTwoT": 0.2943,
    "BlockedThreeByTwoT": 0.0796,
    "CombinedFiveByTwoF": 0.0301,
    "CalibratedFiveByTwoF": 0.0286,
    "ProportionalZ": 0.0534,
    "CrossValidatedZ": 0.0447,
    "HoldOutMcNemar": 0.0248,
    "NaiveKFoldMcNemar": 0.0001,
    "BlockedFiveByTwoMcNemar": 0.0235,
}
# Table 5 of the paper, column "Epsilon": 1,000 data sets.
PRINTED = dict(zip(OURS, (0.478, 0.043, 0.034, 0.053, 0.035, 0.291, 0.087, 0.028, 0.035, 0.056, 0.046, 0.031, 0.000, 0.025), strict=True))


def test_table_5_in_a_small_run():
    rates = [rate for rate in type_one_error(TABLE_5, Epsilon(), 1000, rng=1) if rate.test in OURS]
    assert [rate.test for rate in rates] == list(OURS)  # in the order of the table
    for rate in rates:
        assert abs(rate.rate - OURS[rate.test]) < 4 * np.hypot(rate.se, np.sqrt(OURS[rate.test] / 200_000))


@pytest.mark.slow
def test_type_one_errors_on_epsilon():
    for rate in type_one_error([test for test in TABLE_5 if test.__name__ in OURS], Epsilon(n=300, epsilon=0.1), 20_000, rng=2026):
        known, printed = OURS[rate.test], PRINTED[rate.test]
        assert abs(rate.rate - known) < 3 * np.hypot(rate.se, np.sqrt(known * (1 - known) / 200_000)), rate
        assert abs(rate.rate - printed) < 3 * np.hypot(rate.se, np.sqrt((printed + 0.0005) * (1 - printed) / 1000)), rate


@pytest.mark.slow
def test_the_tests_without_printed_figures_by_a_plain_loop():
    # pseudo-bootstrap and conservative Z, record by record, as their definitions read
    from scipy import stats

    rng, n, loops = np.random.default_rng(5), 300, 4000
    low_high = np.repeat([0.05, 0.15], n // 2)
    limit, rejected = stats.t.ppf(0.975, 14), np.zeros(3)
    for _ in range(loops):
        d = (rng.random(n) < low_high[::-1]).astype(int) - (rng.random(n) < low_high)
        tested = d[[rng.permutation(n)[:30] for _ in range(15)]]
        mean = tested.mean()
        drawn = np.take_along_axis(np.broadcast_to(tested, (15, 15, 30)), rng.integers(0, 30, (15, 15, 30)), 2)
        variance = drawn.mean((1, 2)).var(ddof=1)
        contrasts = []
        for _ in range(10):
            order, places = rng.permutation(n), [rng.permutation(150)[:30] for _ in range(15)]
            contrasts.append(np.mean([d[order[:150]][test].mean() - d[order[150:]][test].mean() for test in places]))
        spread = np.mean(np.square(contrasts)) / 2
        limits = limit * np.sqrt(variance), limit * np.sqrt(variance * 8 / 3), 1.959964 * np.sqrt(spread)
        rejected += np.abs(mean) > limits
    rates = type_one_error([fstats.PseudoBootstrapT, fstats.CorrectedPseudoBootstrapT, fstats.ConservativeZ], Epsilon(), 20_000, rng=2026)
    for rate, share in zip(rates, rejected / loops, strict=True):
        assert abs(rate.rate - share) < 3 * np.hypot(rate.se, np.sqrt(share * (1 - share) / loops)), (rate, share)


def test_fixed_losses_by_closed_forms():
    # with fixed losses six is the smallest one-sided table that McNemar's test rejects: five differences never do
    correct = np.ones((2, 100, 500), bool)
    correct[1, :5] = False
    assert type_one_error([fstats.HoldOutMcNemar], Named(correct), 500).rate.item() == 0
    correct[1, :60] = False
    assert type_one_error([fstats.HoldOutMcNemar], Named(correct), 500).rate.item() == 1


class Named(Told):
    """The same with a name."""

    def __repr__(self):
        return "Named()"


@pytest.mark.parametrize(("k", "m", "j", "n"), [(6, 100, 4, 8), (0, 8, 0, 8), (3, 3, 0, 2), (60, 1000, 900, 20_000), (0, 1, 1, 1)])
def test_two_rates_are_compared_exactly(k, m, j, n):
    """Fisher's exact test is SciPy's, and on few data sets the sum over all tables."""
    ours = fisher_exact_pvalue(Rate("", None, k, m), Rate("", None, j, n))
    assert ours == pytest.approx(stats.fisher_exact([[k, m - k], [j, n - j]])[1], rel=1e-9)
    if m + n < 20:
        chances = {a: comb(m, a) * comb(n, k + j - a) for a in range(m + 1) if 0 <= k + j - a <= n}
        assert ours == pytest.approx(sum(one for one in chances.values() if one <= chances[k]) / comb(m + n, k + j))
