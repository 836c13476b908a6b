"""The correlations of ten tables: from the definition and by a closed form, as stored, and as section 5.1 observes them."""

import json
from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from shortcuts import assert_raises
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from fstats import BlockedFiveByTwoMcNemar, cli
from fstats.comparing.model_evaluation import check_model
from fstats.comparing.splits import Split
from fstats.procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from fstats.simulate import Epsilon
from fstats.simulate.training_cache import TrainingCache
from fstats.studies import correlations
from fstats.studies.correlations import Cloud, cloud, refined_correlations, without_replacement
from fstats.studies.correlations.correlation_classifiers import TriangularNeighbours, learners, without_sklearn_checks
from fstats.studies.correlations.correlation_computation import collect_units, compute_sums
from fstats.studies.correlations.correlation_datasets import SETS, TABLE_4, data_set
from fstats.studies.correlations.correlation_estimates import moments_from_sums
from fstats.studies.correlations.correlation_sums import CHUNK, LEARNERS, PAIRS, SEED, losses_of_unit, moment_sums, sums_of_unit, units
from fstats.studies.correlations.section_5_1_claims import observations
from fstats.studies.correlations.stored_correlations import stored_results
from fstats.studies.integer_encoding import decode_integers, encode_integers


# -- the estimate ------------------------------------------------------------------------------------------------------------
def by_definition(counts):
    """Mean, variance and both covariances of counts (samples, 5, 2), pair of folds by pair of folds, each with the mean of all ten."""
    samples = len(counts)
    rows = counts.reshape(samples, 10)
    mean = rows.mean()
    found = {"own": [], "same": [], "other": []}
    for k in range(10):
        for m in range(10):
            kind = "own" if k == m else "same" if k // 2 == m // 2 else "other"
            found[kind].append(np.mean([(row[k] - mean) * (row[m] - mean) for row in rows]))
    # the mean is estimated: what is missing of each is the variance of the mean of all samples
    missing = rows.mean(1).var(ddof=1) / samples
    return [mean, *(np.mean(each) + missing for each in found.values())]


@pytest.mark.parametrize("seed", range(3))
def test_covariances_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.uniform(5, 30, (7, 1, 1)), (7, 5, 2))
    found = moments_from_sums(moment_sums(counts[:, np.newaxis]), 7)
    assert [float(x[0]) for x in found] == pytest.approx(by_definition(counts), rel=1e-10)


def test_estimates_without_bias_by_enumeration():
    # Two samples only, many times: the means are the true variance and covariances, here 4 + 1, 1 and 1.
    rng = np.random.default_rng(5)
    counts = 2 * rng.normal(size=(20_000, 2, 1, 5, 2)) + rng.normal(size=(20_000, 2, 1, 1, 1))
    total = counts.sum((3, 4))
    sums = np.stack([total.sum(1), (total**2).sum(1), (counts**2).sum((1, 3, 4)), counts.prod(4).sum((1, 3))], -1)
    for each, true in zip(moments_from_sums(sums, 2)[1:], (5, 1, 1), strict=True):
        assert abs(each.mean() - true) < 4 * each.std() / np.sqrt(each.size)
    # Every pair of disjoint halves and of halves that share half of their records, among six records of which some disagree.
    disagree, half = np.array([1, 1, 0, 1, 0, 0]), 2
    first, disjoint, sharing = (np.array([disagree[list(p[a : a + half])].sum() for p in permutations(range(6))]) for a in (0, 2, 1))
    rho1, rho2 = (np.cov(first, other, ddof=0)[0, 1] / first.var() for other in (disjoint, sharing))
    assert (rho1, rho2) == (pytest.approx(-half / (6 - half)), pytest.approx((1 + rho1) / 2))
    assert without_replacement(690)[0] == -150 / 540


def test_losses_that_do_not_train_have_the_closed_form():
    """On Epsilon records are independent and all alike in their disagreement: rho1 = 0, rho2 = 1/2 (Lemma 3), up to chance."""
    source, repetitions = Epsilon(n=304), 4000
    scores = source.scores(source.draw(np.random.default_rng(1), repetitions), BLOCKED_FIVE_BY_TWO, ("tables",), np.random.SeedSequence(2))
    counts = np.moveaxis(scores.tables[:, :, 0, 1] + scores.tables[:, :, 1, 0], -1, 0)[:, np.newaxis].astype(np.int64)
    found = moments_from_sums(moment_sums(counts), repetitions)
    rho1, rho2 = float(found.same[0] / found.variance[0]), float(found.other[0] / found.variance[0])
    assert (rho1, rho2) == (pytest.approx(0, abs=4 / np.sqrt(5 * repetitions)), pytest.approx(0.5, abs=4 / np.sqrt(repetitions)))
    e = 0.05 * 0.85 + 0.15 * 0.95
    assert float(found.variance[0]) == pytest.approx(152 * e * (1 - e), rel=4 * np.sqrt(2 / repetitions))


# -- the learners ------------------------------------------------------------------------------------------------------------
def triangle(distances):
    """kknn's weights of the five nearest of six."""
    weights = 1 - np.clip(distances / np.maximum(distances[:, -1:], 1e-6), 1e-6, 1 - 1e-6)
    weights[:, -1] = 0
    return weights


SCIKIT_LEARN = {
    "majority": DummyClassifier(strategy="most_frequent"),
    "mean": NearestCentroid(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=5e7)),
    "SVM": make_pipeline(MinMaxScaler(), SVC(kernel="linear")),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(6, weights=triangle, algorithm="brute")),
}


@pytest.mark.parametrize("name", SCIKIT_LEARN)
@pytest.mark.parametrize("classes", [2, 4])
def test_a_learner_is_that_of_scikit_learn(name, classes):
    rng = np.random.default_rng(classes)
    x, y = rng.normal(size=(120, 5)), rng.integers(classes, size=120)
    x[:, 0] += y
    x[:, 4] = rng.integers(2, size=120) if name == "mean" else 3.0  # a feature that does not vary, of which NearestCentroid would warn
    train, test = np.arange(70), np.arange(70, 120)
    with without_sklearn_checks():
        theirs = SCIKIT_LEARN[name].fit(x[train], y[train]).predict(x[test])
        ours = learners()[name].fit(x[train], y[train]).predict(x[test])
    assert ours.tolist() == theirs.tolist()
    splits = [Split(train, test, (0, 0), "one"), Split(test, train, (0, 1), "other")]
    right, _ = TrainingCache(x, y, np.random.SeedSequence(0))._evaluate_learner(check_model(learners()[name], name), splits, 0)
    assert right.tolist() == (ours == y[test]).tolist()


def test_learners_where_there_is_little_to_learn():
    x, alone = np.arange(8.0)[:, np.newaxis], np.full(8, 3)
    for name in ("logistic", "SVM", "mean", "neighbours"):
        assert learners()[name].fit(x, alone).predict(x).tolist() == alone.tolist()
    same = np.zeros((7, 2))
    # the first five, all as near as the sixth
    assert TriangularNeighbours().fit(same, [0, 0, 0, 1, 1, 1, 1]).predict(same[:1]).tolist() == [0]
    assert_raises(lambda: TriangularNeighbours().fit(same[:5], [0, 1, 0, 1, 0]), r"`X` must have at least 6 records.*; got 5")


# -- the work ----------------------------------------------------------------------------------------------------------------
def test_what_is_done_at_any_time_is_balanced():
    every = units(("a", "b", "c"), 430)
    assert sum(unit["samples"] for unit in every) == 3 * 430
    assert ({unit["samples"] for unit in every}, len({(unit["set"], unit["chunk"]) for unit in every})) == ({CHUNK, 30}, len(every))
    for k in range(len(every)):
        counts = Counter({"a": 0, "b": 0, "c": 0}) + Counter(unit["set"] for unit in every[:k])
        done = [counts[name] for name in "abc"]
        assert max(done) - min(done) <= 4  # a round of 200 samples


def test_sums_are_those_of_the_tables(data_folder):
    """The ten tables of each pair as the test on them wants them; both counts follow from these."""
    unit, seed = {"set": "balance", "chunk": 2, "samples": 1}, np.random.SeedSequence(SEED)
    found, wrong = (work(unit, seed, data_dir=data_folder) for work in (sums_of_unit, losses_of_unit))
    for k, (a, b) in enumerate(PAIRS):
        x, y = wrong[:, LEARNERS.index(a)], wrong[:, LEARNERS.index(b)]
        cells = [[((x == lost_a) & (y == lost_b)).sum(-1) for lost_b in (1, 0)] for lost_a in (1, 0)]  # samples, 5, 2 in each
        test = BlockedFiveByTwoMcNemar(np.array(cells).transpose(3, 4, 0, 1, 2))
        assert found["disagreements"][k][0] == pytest.approx((test.e * 1500).sum())
        assert found["differences"][k][0] == pytest.approx((10 * (test.n01 - test.n10)).sum())
    assert found["errors"] == wrong.sum((0, 2, 3, 4)).tolist()


@pytest.mark.slow
def test_a_random_slice_of_the_stored_sums_comes_out_again(data_folder):
    """One chunk of one data set, drawn by chance, with the learners whose predictions hinge on no rounding."""
    rng = np.random.default_rng()
    name = str(rng.choice([name for name in SETS if name not in ("letter", "optdigits")]))
    one = stored_results()["sets"][name]
    place = int(rng.integers(len(one["chunks"])))
    chosen = ["majority", "tree", "neighbours"]
    wrong = losses_of_unit(
        {"set": name, "chunk": one["chunks"][place], "samples": one["samples"][place]},
        np.random.SeedSequence(SEED),
        data_dir=data_folder,
        only=chosen,
    )
    for k, learner in enumerate(chosen):
        assert decode_integers(one["errors"])[place][LEARNERS.index(learner)] == wrong[:, k].sum(), (name, place, learner)
    for a, b in (("majority", "tree"), ("majority", "neighbours"), ("tree", "neighbours")):
        apart = wrong[:, chosen.index(a)] - wrong[:, chosen.index(b)]
        for kind, counts in (("disagreements", np.abs(apart)), ("differences", apart)):
            told = decode_integers(one[kind])[place][PAIRS.index((a, b))]
            assert told.tolist() == moment_sums(counts.sum(-1)[:, np.newaxis])[0].tolist(), (name, place, a, b)


@pytest.mark.slow
def test_a_random_slice_with_all_learners(data_folder):
    """The same with those that are fitted step by step: on another machine a few of their predictions may differ by rounding."""
    rng = np.random.default_rng()
    name = str(rng.choice(SETS))
    one = stored_results()["sets"][name]
    place = int(rng.integers(len(one["chunks"])))
    found = sums_of_unit(
        {"set": name, "chunk": one["chunks"][place], "samples": one["samples"][place]}, np.random.SeedSequence(SEED), data_dir=data_folder
    )
    assert found["errors"] == pytest.approx(decode_integers(one["errors"])[place].tolist(), rel=1e-3)


def test_a_run_is_kept_collected_and_told(tmp_path, monkeypatch, data_folder):
    monkeypatch.setattr("fstats.studies.correlations.correlation_sums.CHUNK", 2)
    done = compute_sums(
        ("balance", "car"), samples=4, store=tmp_path / "store" / "correlations.jsonl", data_dir=data_folder, progress=False
    )
    found = collect_units(done, data_folder)
    assert (list(found["sets"]), found["sets"]["car"]["samples"]) == (["balance", "car"], [2, 2])
    assert found["sets"]["car"]["sha256"] == data_set("car", data_folder).sha256
    part = Cloud(found)
    assert (part.sets, len(part.pairs)) == (["balance", "car"], 2 * len(PAIRS))
    told = correlations.reproduced(
        "sums", again=True, sets=["balance", "car"], samples=4, store=tmp_path / "store", folder=tmp_path, data_dir=data_folder
    )
    assert "Samples of each data set: 4." in told
    assert json.loads((tmp_path / "sums.json").read_text())["sets"] == found["sets"]


def test_a_folder_without_the_data_sets_is_named(tmp_path, monkeypatch):
    (tmp_path / "car.csv").write_text("a,target\n1,0\n")
    message = r"the data sets balance, cmc are missing in .*Add files such as balance.csv or balance.csv.gz, or name fewer data sets"
    assert_raises(lambda: compute_sums(("balance", "car", "cmc"), data_dir=tmp_path), message)
    monkeypatch.delenv("FSTATS_DATA", raising=False)
    message = r"`data_dir` must name the folder of the data sets; got none. Write data_dir=..., or set the environment variable FSTATS_DATA"
    assert_raises(lambda: compute_sums(), message)
    assert_raises(lambda: compute_sums(data_dir=tmp_path / "nowhere"), r"there is no folder .*nowhere")
    assert_raises(lambda: data_set("titanic", tmp_path), r"`name` must be one of the data sets australian, balance.*; got .titanic.")
    assert_raises(lambda: data_set("cmc", tmp_path), r"cmc is missing. Add cmc.csv or cmc.csv.gz to")


def test_whole_numbers_only_are_kept():
    assert decode_integers(encode_integers([[1, 2], [3, -4]])).tolist() == [[1, 2], [3, -4]]
    assert_raises(lambda: encode_integers([0.5]), "numbers must be whole numbers; got numbers of type float64", TypeError)


# -- the cloud ---------------------------------------------------------------------------------------------------------------
def made_up(counts):
    """Results with given disagreements, shape (chunks, samples, pairs of learners, 5, 2), and no differences."""
    sums = [moment_sums(chunk) for chunk in counts]
    zero = np.zeros((len(counts), len(PAIRS), 4), np.int64)
    one = {"records": 690, "samples": list(map(len, counts))}
    one |= {"disagreements": encode_integers(sums), "differences": encode_integers(zero)}
    return {"about": {}, "sets": {"balance": one}}


def test_the_cloud_by_hand():
    rng = np.random.default_rng(3)
    counts = rng.binomial(150, 0.2, (4, 25, len(PAIRS), 5, 2)) + rng.binomial(20, 0.5, (4, 25, len(PAIRS), 1, 1))
    counts[:, :, 4] = 7  # a pair that always differs on as many
    found = Cloud(made_up(counts))
    assert [(one.a, one.b) for one in found.undefined] == [PAIRS[4]]
    assert "Without correlations, because the count never varies: majority and neighbours on balance." in repr(found)
    one, rows = found["balance", PAIRS[0][1], PAIRS[0][0]], counts[:, :, 0].reshape(100, 5, 2)
    mean, variance, same, other = by_definition(rows)
    assert (one.share, one.rho1, one.rho2) == (pytest.approx(mean / 150), pytest.approx(same / variance), pytest.approx(other / variance))
    assert one.variance == pytest.approx(variance / (150 * one.share * (1 - one.share)))
    assert one.tables == pytest.approx(10 / (1 + one.rho1 + 8 * one.rho2))
    # variances: of one table, of the mean
    assert one.worth == pytest.approx(150 * one.share * (1 - one.share) / ((variance + same + 8 * other) / 10))
    assert (found.undefined[0].tables, found.undefined[0].worth) == (None, None)
    left_out = [by_definition(np.delete(counts[:, :, 0], k, 0).reshape(75, 5, 2)) for k in range(4)]
    assert one.se1 == pytest.approx(np.sqrt(3 * np.var([same / variance for _, variance, same, _ in left_out])))
    assert one.se2 == pytest.approx(np.sqrt(3 * np.var([other / variance for _, variance, _, other in left_out])))
    divided = Cloud(found.found, relative_to="binomial")["balance", *PAIRS[0]]
    assert (divided.rho1, len(Cloud(found.found, "differences"))) == (pytest.approx(one.rho1 * one.variance), 0)
    with pytest.raises(KeyError, match=r"the learners majority, mean.*; got 'balance', 'tree' and 'forest'"):
        _ = found["balance", "tree", "forest"]


def test_the_stored_cloud_and_its_correlations():
    for of in ("disagreements", "differences"):
        found = cloud(of)
        assert (found.sets, len(found) + len(found.undefined)) == (list(SETS), len(SETS) * len(PAIRS))
        assert {one.samples for one in found} <= set(range(200, 1001, 50))
    assert found.picture(["letter"]).text.startswith(f"rho2 against rho1 for {len(found)} pairs on 26 data sets")
    assert found.picture(["letter"]).svg().startswith("<svg")
    assert set(cloud().only(learner="tree").pairs) <= set(cloud().pairs)
    assert len(cloud().only(learner="tree", sets=["letter"])) == 5
    found = refined_correlations.refined()
    names = ("HALF_CORRELATIONS", "DISAGREEMENT_QUANTILE", "DIFFERENCE_QUANTILE")
    assert list(found.rhos) == [getattr(refined_correlations, name) for name in names]
    for name, chosen in refined_correlations.variations(stored_results()).items():
        assert found.rhos[name] == pytest.approx(chosen, abs=0.03)  # the cloud may have grown since
    for source, one in found.found["sources"].items():
        for rates in (found.rates(source, name) for name in found.rhos):
            assert all(more.rate >= less.rate - 4 * less.se for less, more in pairwise(rates)), source
        assert one["data_sets"] >= 1000


def test_theorem_2_holds_for_any_counts():
    """It is no finding: whatever the ten counts are, the estimates lie below the line, because a variance is not negative."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        counts = rng.integers(0, 30, (rng.integers(2, 6), 1, 5, 2)) * rng.integers(0, 3, (1, 1, 5, 1))
        found = moments_from_sums(moment_sums(counts), len(counts))
        if found.variance[0] > 0:
            exchanged = (found.variance + found.same) / 2 - found.other  # a quarter of the mean squared difference of two repetitions
            assert exchanged[0] >= -1e-9
    assert cloud().shares["Theorem 2, rho2 < (1 + rho1)/2"] == 1.0


def test_parts_and_table_4():
    assert_raises(lambda: Cloud(stored_results(), "errors"), "`of` must be 'disagreements' or 'differences'; got 'errors'")
    assert_raises(lambda: Cloud(stored_results(), relative_to="theirs"), "`relative_to` must be 'observed' or 'binomial'; got 'theirs'")
    assert_raises(lambda: cloud().quantiles(95), "`share` must be between 0 and 1; got 95")
    assert cloud().quantiles(0.5) == (pytest.approx(np.median(cloud().rho1)), pytest.approx(np.median(cloud().rho2)))
    lines = correlations.table4().lines
    assert [line[0] for line in lines] == [line.printed for line in TABLE_4]
    assert Counter(str(line[3]).partition(":")[0] for line in lines) == {"agrees": 22, "differs": 4, "left out": 3}
    assert all(str(line[3]) == "agrees" or ":" in str(line[3]) for line in lines)  # each difference is explained
    assert [line[0] for line in correlations.described().lines] == [*LEARNERS, "RIPPER"]


def test_observations_follow_from_the_cloud():
    """Made up so that every statement fails that can fail: the two folds of a repetition go together, repetitions do not."""
    rng = np.random.default_rng(1)
    counts = rng.integers(10, 90, (4, 25, len(PAIRS), 5, 1)) + rng.integers(0, 9, (4, 25, len(PAIRS), 5, 2))
    said = {claim.states: claim.verdict for claim in observations(Cloud(made_up(counts)))}
    assert [
        verdict for states, verdict in said.items() if states.startswith(("Most values", "rho1 varies", "The bounds", "The majority"))
    ] == ["does not hold"] * 4
    assert said["All values lie below the line rho2 = (1 + rho1)/2, which confirms Theorem 2"] == "holds"
    stored = observations()
    assert [claim.where for claim in stored] == ["5.1, observation 1"] * 4 + ["5.1, observation 2"] * 2 + ["5.1, observation 3"]
    assert f"rho1 {100 * cloud().shares['rho1 <= 1/2']:.1f} %" in stored.claims[0].because


# -- correlations from data --------------------------------------------------------------------------------------------------
def test_the_test_with_other_correlations():
    found = refined_correlations.Refined(
        refined_correlations.compare_variations({refined_correlations.HALF_CORRELATIONS: (0.5, 0.5), "none": (0.0, 0.0)}, 6, progress=False)
    )
    assert set(found.found["sources"]) == {"Epsilon", "EXP6", "Simple", "letter"}
    for source in found.found["sources"]:
        assert all(
            less.rejections <= more.rejections
            for less, more in zip(found.rates(source, refined_correlations.HALF_CORRELATIONS), found.rates(source, "none"), strict=True)
        )
        assert found.picture(source).title == f"Power on {source}"
    assert "10.00" in repr(found)  # tables that ten are worth without correlation
    with pytest.raises(KeyError, match=r"`source` .*, letter, and `variation` must be one of 1/2 and 1/2, none; got source='MNIST' and "):
        found.rates("MNIST", "none")


def test_reproduce_prints_the_tables(capsys, tmp_path):
    assert cli.main(["reproduce", "correlations"]) == 0
    shown = capsys.readouterr().out
    for part in (
        "Correlations of the disagreements",
        "5.1, observation 3",
        "The 5x2 BCV McNemar test with correlations from data",
        "Table 4",
        "How the stored",
    ):
        assert part in shown
    assert cli.main(["reproduce", "correlations", "--again"]) == 2
    assert "fstats reproduce correlations --again needs --save" in capsys.readouterr().err
    assert cli.main(["reproduce", "correlations", "--again", "--save", str(tmp_path), "--data", str(tmp_path), "--sets", "car"]) == 1
    assert "the data sets car are missing in" in capsys.readouterr().err
    assert cli.main(["reproduce", "correlations", "--part", "table4"]) == 1
    assert "`part` must be one of sums, refined; got 'table4'" in capsys.readouterr().err
