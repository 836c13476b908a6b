"""Pictures of type I errors, power and p by seed; the exact interval of a rate; a source that is fair by symmetry; the
stored studies of both.
"""

import json
from collections import Counter
from functools import partial

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

import fstats
from fstats import cli, plot
from fstats.plot.drawing.picture_marks import Curve, Label, Line, Links, Points
from fstats.procedures.resampling.cross_validation_tests import TABLE_5
from fstats.simulate import Epsilon, OneFeature, TwoFeatures, power_curve, type_one_error
from fstats.simulate.rejection_rates import Rate
from fstats.studies import seeds, small_samples
from fstats.studies.seeds import seed_pvalues as seed_study
from fstats.studies.small_samples import small_sample_errors as level_study


# -- the interval of a rate ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("count", "total"), [(0, 200), (1, 200), (10, 200), (100, 200), (199, 200), (200, 200), (3, 7)])
def test_the_interval_is_exact(count, total):
    expected = stats.binomtest(count, total).proportion_ci(method="exact")
    assert Rate("a", None, count, total).interval == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("total", [1, 8, 50, 1000])
def test_the_interval_covers_at_least_as_often_as_it_says(total):
    """Summed over all counts, for rates as they occur, on few data sets as on many."""
    for true in (0.002, 0.02, 0.05, 0.1, 0.3):
        chance = stats.binom.pmf(np.arange(total + 1), total, true)
        covered = [low <= true <= high for low, high in (Rate("a", None, k, total).interval for k in range(total + 1))]
        assert chance[covered].sum() >= 0.95


@pytest.mark.complete
@pytest.mark.parametrize("total", [8, 60, 1000])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_verdict_is_the_binomial_tests(total, alpha):
    for k in range(total + 1):
        few, many = (stats.binomtest(k, total, alpha, alternative=side).pvalue < 0.025 for side in ("less", "greater"))
        expected = "conservative" if few else "liberal" if many else "cannot be told"
        assert Rate("a", None, k, total).verdict(alpha) == expected


def test_verdicts_need_an_interval_and_levels_stand_in_order():
    expected = ["conservative", "conservative", "cannot be told", "cannot be told", "cannot be told", "liberal", "liberal"]
    assert [Rate("a", None, count, 1000).verdict() for count in (0, 36, 38, 50, 62, 67, 1000)] == expected
    assert (Rate("a", None, 80, 1000).verdict(0.1), Rate("a", None, 0, 0).verdict()) == ("conservative", "cannot be told")
    rates = [Rate("Low", None, 2, 500), Rate("High", None, 100, 500), Rate("Middle", None, 25, 500)]
    picture = plot.levels(rates, chosen="Middle")
    labels = [mark for mark in picture.marks if isinstance(mark, Label)]
    expected = [("High: 0.200, liberal", False), ("Middle: 0.050, cannot be told", True), ("Low: 0.004, conservative", False)]
    assert [(label.words, label.bold) for label in labels] == expected
    assert [mark.x for mark in picture.marks if isinstance(mark, Line)] == [rates[k].interval for k in (1, 2, 0)]
    assert [(mark.x[0], mark.open) for mark in picture.marks if isinstance(mark, Points)] == [(0.2, True), (0.05, False), (0.004, False)]
    assert_raises(lambda: plot.levels([]), r"levels\(\) needs at least one type I error rate")


# -- pictures ------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("high", [0.04, 0.3, 0.98])
@pytest.mark.parametrize("names", [["K"], ["KFoldT"] * 6, ["BlockedFiveByTwoMcNemar"] * 6, [test.__name__ for test in TABLE_5], ["A"] * 20])
def test_names_touch_no_interval_and_no_name(names, high):
    """As matplotlib draws them, however long they are and however high the rates; six of them need no more room than a hall has."""
    rates = [Rate(name, None, round(200 * high * (1 - k / len(names))), 200) for k, name in enumerate(names)]
    picture = plot.levels(rates, chosen=names[0])
    made = picture.figure()
    (ax,) = made.axes
    boxes = {}
    for text in ax.texts:
        box = text.get_window_extent()
        assert box.x1 <= made.bbox.x1
        boxes[round(text.xy[1])] = box  # an annotation: its name stands beside this place
    for mark in (mark for mark in picture.marks if isinstance(mark, Line)):
        assert ax.transData.transform((mark.x[1], mark.y[0]))[0] + 2 < boxes[round(mark.y[0])].x0
    tops = sorted((box.y0 + box.y1) / 2 for box in boxes.values())
    assert min(np.diff([*tops, np.inf])) >= ax.texts[0].get_fontsize()
    assert made.bbox.height * 80 / made.dpi <= 290 or len(names) > 6


def test_power_curves_show_every_rate_with_its_interval():
    tests, effects = TABLE_5[:7], [0, 0.05, 0.1]
    found = power_curve(tests, lambda advantage: Epsilon(n=60, epsilon=0.1, advantage=advantage), effects, 60, progress=False)
    picture = plot.power_curves(found)
    curves, bars = ([mark for mark in picture.marks if isinstance(mark, kind)] for kind in (Curve, Links))
    assert len(curves) == len(bars) == 7
    for curve, bar, rates, errors in zip(curves, bars, found.rate, found.se, strict=True):
        assert curve.x.tolist() == effects
        np.testing.assert_array_equal(curve.y, rates)
        np.testing.assert_allclose(bar.high, np.minimum(rates + 1.96 * errors, 1))
        np.testing.assert_allclose(bar.low, np.maximum(rates - 1.96 * errors, 0))
    signs = Counter((mark.color, mark.open) for mark in picture.marks if isinstance(mark, Points) and len(mark.x) == 1)
    assert set(signs.values()) == {1}, "each test has a sign of its own"
    with pytest.raises(ValueError, match=r"power_curves\(\) needs at least two numeric effects"):
        plot.power_curves(type_one_error([fstats.KFoldT], Epsilon(), 10, progress=False))


def test_p_by_seed_shows_every_seed():
    study = seeds.stored("naive Bayes")
    picture = plot.pvalues(study)
    points = [mark for mark in picture.marks if isinstance(mark, Points)]
    for test, (kept, rejected) in zip(study.tests, zip(points[::2], points[1::2], strict=True), strict=True):
        assert sorted([*kept.x, *rejected.x]) == sorted(study[test])
        assert all(rejected.x <= 0.05)
        assert all(kept.x > 0.05)
        assert f"{test}: {len(rejected.x)} of 50 reject" in [mark.words for mark in picture.marks if isinstance(mark, Label)]


# -- two learners that are equally good by symmetry -----------------------------------------------------------------------------
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_the_learner_says_the_more_probable_class(share):
    """By the normal densities of both classes, with the shares and the common variance of the training records."""
    for x, y in TwoFeatures(n=40, share=share).draw(np.random.default_rng(4), 30):
        for feature in (0, 1):
            train, test = x[:25, feature], x[25:, feature]
            groups = [train[y[:25] == k] for k in (0, 1)]
            sd = np.sqrt(sum(((group - group.mean()) ** 2).sum() for group in groups) / (25 - 2))
            density = [len(group) * stats.norm.pdf(test, group.mean(), sd) for group in groups]
            ours = OneFeature(feature).fit(x[:25], y[:25]).predict(x[25:])
            np.testing.assert_array_equal(ours, np.argmax(density, axis=0))


def test_many_splits_at_once_say_what_each_says():
    rates, alone = (
        fstats.scores_on(fstats.CorrectedResampledT, *pair, *TwoFeatures(n=30, share=0.3).draw(np.random.default_rng(2), 1)[0], rng=5)
        for pair in ((OneFeature(0), OneFeature(1)), (_Plain(0), _Plain(1)))
    )
    np.testing.assert_array_equal(rates.tables, alone.tables)
    source = TwoFeatures(n=30, share=0.3)
    x, y = source.draw(np.random.default_rng(3), 1)[0]
    from fstats.simulate.training_cache import TrainingCache

    seed = np.random.SeedSequence(8)
    plan = fstats.CorrectedResampledT.plan
    fast, slow = (TrainingCache(x, y, seed).scores(plan, ("tables",), *pair) for pair in (source.learners, (_Plain(0), _Plain(1))))
    np.testing.assert_array_equal(fast.tables, slow.tables)


class _Plain:
    """The same learner without its fast way."""

    def __init__(self, feature=0):
        self.feature = feature

    def get_params(self, deep=True):  # noqa: ARG002
        return {"feature": self.feature}

    def set_params(self, **settings):
        vars(self).update(settings)
        return self

    def fit(self, x, y):
        self.model = OneFeature(self.feature).fit(x, y)
        return self

    def predict(self, x):
        return self.model.predict(x)


def test_degenerate_training_sets_have_an_answer():
    assert OneFeature().fit([[1.0], [2.0]], ["b", "b"]).predict([[5.0]]).tolist() == ["b"]
    assert OneFeature().fit([[1.0], [2.0]], ["a", "b"]).predict([[0.0], [1.4], [1.6]]).tolist() == ["a", "a", "b"]  # no spread
    assert_raises(lambda: OneFeature().fit([[1.0], [2.0], [3.0]], [1, 2, 3]), "OneFeature needs at most two classes; got 3")


@pytest.mark.parametrize(("n", "share"), [(50, 0.5), (50, 0.2), (300, 0.2)])
def test_both_are_equally_good(n, share):
    rates = TwoFeatures(n=n, share=share).true_error_rates(400, rng=1)
    assert abs(rates.difference) < 4 * rates.se_difference
    best = stats.norm.cdf(-0.6) if share == 0.5 else None
    assert best is None or best < rates.a < best + 0.02


def test_true_error_rates_are_those_on_new_records():
    source = TwoFeatures(n=40, share=0.3)
    told = source.true_error_rates(300, rng=2)
    fresh = []
    x_new, y_new = source.draw(np.random.default_rng(9), 1, n=4000)[0]
    for x, y in source.draw(np.random.default_rng(2), 300, n=40):
        fresh.append((OneFeature(0).fit(x, y).predict(x_new) != y_new).mean())
    assert told.a == pytest.approx(np.mean(fresh), abs=0.02)


@parametrize(
    "settings, message",
    ({"n": 1}, "`n` must be at least 2"),
    ({"share": 0.0}, "`share` must be between"),
    ({"apart": np.nan}, "`apart` must be a number"),
)
def test_sources_that_cannot_be(settings, message):
    assert_raises(lambda: TwoFeatures(**settings), message)


# -- the stored studies --------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("opponent", ["LDA", "naive Bayes"])
def test_a_random_seed_of_the_study_comes_out_again(opponent):
    study = seeds.stored(opponent)
    seed = int(np.random.default_rng().integers(50))
    tests = [test for test in TABLE_5 if test.plan.splits < 50]
    again = fstats.compare_all(*seed_study.learners(opponent), *seed_study.records(), tests=tests, rng=seed, progress=False)
    for verdict in again:
        assert verdict.test.pvalue == pytest.approx(study[verdict.name][seed], rel=1e-9), (verdict.name, seed)


def test_the_study_of_seeds_is_complete_and_says_how_it_was_made(tmp_path):
    for opponent, name in seed_study.STORED.items():
        study = seeds.stored(opponent)
        assert (study.pvalues.shape, study.tests) == ((14, 50), tuple(test.__name__ for test in TABLE_5))
        assert study.about["settings"]["opponent"] == opponent
        study.save(tmp_path / name)
        assert json.loads((tmp_path / name).read_text(encoding="utf-8"))["pvalues"] == study.found
        assert f"study({opponent!r})" in study.provenance
    assert_raises(lambda: seeds.stored("tree"), "`opponent` must be 'LDA' or 'naive Bayes'; got 'tree'")
    assert_raises(lambda: seeds.stored()["PairedT"], r"`test` must be one of .*; got 'PairedT'", KeyError)


def test_how_often_two_seeds_disagree():
    study = seeds.SeedStudy(seeds.stored().about, [{"KFoldT": p} for p in (0.01, 0.02, 0.3, 0.4)])
    assert study.disagree("KFoldT") == pytest.approx(4 / 6)  # of six pairs of seeds, four have one of each
    assert study.disagree(fstats.KFoldT) == study.disagree("KFoldT")


def test_a_seed_is_judged_as_compare_all_judges(monkeypatch):
    monkeypatch.setattr(seed_study, "TABLE_5", (fstats.HoldOutMcNemar, fstats.KFoldT))
    study = seeds.study("naive Bayes", seeds=2, progress=False)
    for test in (fstats.HoldOutMcNemar, fstats.KFoldT):
        np.testing.assert_allclose(study[test], seeds.stored("naive Bayes")[test][:2])


@pytest.mark.complete
def test_a_random_unit_of_the_small_samples_comes_out_again():
    study = small_samples.stored()
    k = int(np.random.default_rng().integers(len(study.units)))
    unit = study.units[k]
    assert level_study.rejections_of_unit(unit, np.random.SeedSequence(0)) == study.results[k], unit


def test_the_study_of_small_samples_is_complete(tmp_path):
    study = small_samples.stored()
    for n in level_study.SIZES:
        for share in level_study.SHARES:
            rates = study.of(n, share)
            assert [rate.test for rate in rates] == [test.__name__ for test in TABLE_5]
            assert {rate.repetitions for rate in rates} == {level_study.DATA_SETS}
    assert len({(unit["n"], unit["share"], unit["seed"]) for unit in study.units}) == len(study.units)
    study.save(tmp_path / "levels.json")
    kept = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))
    assert [line["rejected"] for line in kept["units"]] == study.results
    assert_raises(lambda: study.of(70), "`n` must be")


# -- the commands ------------------------------------------------------------------------------------------------------------
def test_reproduce_prints_what_is_stored(capsys):
    assert cli.main(["reproduce", "seeds", "--opponent", "naive Bayes"]) == 0
    assert repr(seeds.stored("naive Bayes")) in capsys.readouterr().out
    assert cli.main(["reproduce", "small-samples"]) == 0
    printed = capsys.readouterr().out
    assert repr(small_samples.stored()) in printed
    assert small_samples.stored().provenance in printed
    assert cli.main(["reproduce", "seeds", "--opponent", "a tree"]) == 1
    assert "`opponent` must be" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["reproduce", "seeds", "--store", "x"])
    assert "--store needs --again" in capsys.readouterr().err


def test_reproduce_again_computes_and_writes(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(small_samples, "study", partial(level_study.study, data_sets=1))
    file = tmp_path / "levels.json"
    assert cli.main(["reproduce", "small-samples", "--again", "--save", str(file), "--store", str(tmp_path / "kept")]) == 0
    assert "1 data sets for each column" in capsys.readouterr().out
    written = json.loads(file.read_text())
    assert (len(written["units"]), written["about"]["command"]) == (6, "fstats reproduce small-samples --again --save levels.json")
    assert str(tmp_path) not in json.dumps(written)
