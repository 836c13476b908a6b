"""Seeds of training are an index of their own: read beside folds or alone, averaged, and never taken for folds or data sets."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import FiveByTwoT, Results, Scores

SETS, NAMES = ["iris", "wine", "heart"], ["forest", "net"]
SCORES = np.random.default_rng(8).uniform(0.6, 0.95, (3, 2, 4, 5)).round(3)  # data sets, classifiers, folds, seeds
LONG = pd.DataFrame(
    [(SETS[i], NAMES[j], f + 1, s + 10, SCORES[i, j, f, s]) for i, j, f, s in np.ndindex(SCORES.shape)],
    columns=["dataset", "model", "fold", "seed", "accuracy"],
)
WIDE = LONG.pivot(index=["dataset", "fold", "seed"], columns="model", values="accuracy")
ALONE = LONG[LONG.fold == 1].drop(columns="fold").reset_index(drop=True)  # each data set with its seeds


def placed(results):
    """All scores by the names of their places, whatever order these were read in."""
    return {
        (data_set, classifier, fold, seed): results.fold_seed_scores[i, j, f, s]
        for i, data_set in enumerate(results.data_sets)
        for j, classifier in enumerate(results.classifiers)
        for f, fold in enumerate(results.folds[i])
        for s, seed in enumerate(results.seeds[i])
    }


EVERY = {(SETS[i], NAMES[j], str(f + 1), str(s + 10)): SCORES[i, j, f, s] for i, j, f, s in np.ndindex(SCORES.shape)}


# -- in ----------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("name", ["seed", "Seed", "random_state", "random state", "Random_Seed"])
@parametrize(
    "form",
    LONG,
    WIDE.reset_index(),
    LONG.pivot(index=["dataset", "model", "seed"], columns="fold", values="accuracy").add_prefix("fold ").reset_index(),
    ids=["long", "wide", "folds as columns"],
)
def test_a_column_of_seeds_stands_beside_the_folds(tmp_path, form, name):
    form = form.rename(columns={"seed": name})
    form = form.sample(frac=1, random_state=0).reset_index(drop=True)  # in any order
    form.to_csv(tmp_path / "scores.csv", index=False)
    for results in (Results.from_csv(tmp_path / "scores.csv"), Results.from_frame(form), Results(form)):
        assert (placed(results), results.read_as[name]) == (EVERY, "seed")
        assert f"column '{name}' as the seed of training." in " ".join(str(results).split())


def test_levels_of_an_index_are_seeds():
    for frame in (WIDE, WIDE.reset_index("fold"), WIDE.reset_index(["dataset", "fold"]), WIDE.reset_index("seed")):
        assert placed(Results(frame)) == EVERY
    unnamed = WIDE.rename_axis(index=["dataset", "i", "random_state"])  # what is no seed numbers the folds, as ever
    assert placed(Results(unnamed)) == EVERY
    assert Results(unnamed).read_as == {
        "dataset": "data set",
        "i": "run, counted as a fold",
        "random_state": "seed",
        "forest": "scores of one classifier",
        "net": "scores of one classifier",
    }
    numbered = WIDE.xs(1, level="fold").reset_index("dataset").iloc[:5].set_axis(pd.RangeIndex(5, name="seed"))
    assert Results(numbered).seeds == (tuple("01234"),)


def test_columns_that_are_seeds(tmp_path):
    LONG.rename(columns={"seed": "start"}).to_csv(tmp_path / "scores.csv", index=False)
    assert placed(Results.from_csv(tmp_path / "scores.csv", seed="start")) == EVERY
    named = Results.from_frame(WIDE.rename_axis(index=["dataset", "fold", "start"]), seed="start")
    assert (placed(named), named.read_as["start"]) == (EVERY, "seed")
    frame = ALONE.pivot(index=["dataset", "model"], columns="seed", values="accuracy").add_prefix("seed_").reset_index()
    results = Results(frame)
    assert set(results.seeds) == {("10", "11", "12", "13", "14")}
    assert results.seed_scores[results.data_sets.index("wine"), 1].tolist() == SCORES[1, 1, 0].tolist()
    assert results.read_as["seed_12"] == "scores of one seed"
    with pytest.raises(
        ValueError, match=r"the column 'seed_10' is a seed, not a classifier\. Add a column 'classifier' with the classifier"
    ):
        Results(frame[frame.model == "net"].drop(columns="model"))


def test_a_seed_that_cut_the_splits_is_a_fold_if_that_is_said():
    stated = Results.from_frame(LONG, fold=["seed", "fold"])
    assert (stated.seeds, {len(names) for names in stated.folds}) == ((("",),) * 3, {20})
    assert "over 20 folds" in repr(stated)
    assert "Read" not in repr(stated)
    alone = Results.from_frame(ALONE, fold="seed")
    assert "over 5 folds" in repr(alone)
    assert alone.scores == pytest.approx(Results(ALONE).scores)


@pytest.mark.parametrize("name", ["run", "Trial", "iteration"])
def test_a_column_whose_name_does_not_tell_folds_from_seeds_is_named(tmp_path, name):
    frame = ALONE.rename(columns={"seed": name})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    for results in (Results.from_csv(tmp_path / "scores.csv"), Results(frame), Results(frame.set_index(["dataset", "model", name]))):
        assert results.read_as[name] == "run, counted as a fold"
        assert f"Column '{name}' was counted as a fold: if the runs are trainings with different seeds" in " ".join(repr(results).split())
    seeds, folds = (Results.from_csv(tmp_path / "scores.csv", **{role: name}) for role in ("seed", "fold"))
    assert (seeds.sd_over, folds.sd_over, seeds.read_as[name], folds.read_as[name]) == ("seeds", "folds", "seed", "fold")
    assert "was counted" not in repr(seeds) + repr(folds)


def test_what_nothing_numbers_is_said_to_be_counted_as_folds():
    plain, told = ALONE.drop(columns="seed"), "No column numbers the folds: lines of one data set were counted as folds; if the lines are"
    assert told in " ".join(repr(Results(plain.sample(frac=1, random_state=1).reset_index(drop=True))).split())
    for clear in (LONG, LONG.rename(columns={"fold": "repetition"}), ALONE, ALONE.drop_duplicates(["dataset", "model"])):
        assert "No column numbers" not in repr(Results(clear.reset_index(drop=True)))
    assert "No column" not in repr(Results(SCORES))  # the axes of an array have their places
    assert Results(LONG.rename(columns={"fold": "repetition"})).read_as["repetition"] == "repetition"


@pytest.mark.parametrize("name", ["train_seed", "Model Seed", "seed_id", "rng"])
def test_what_seems_to_number_seeds_is_asked_for_and_no_metric(name):
    frame = LONG.rename(columns={"seed": name})
    assert_raises(lambda: Results(frame), f"the column '{name}' seems to hold seeds, not scores. Write seed='{name}' for seeds")
    assert placed(Results.from_frame(frame, seed=name)) == EVERY
    assert Results.from_frame(frame, fold=["fold", name]).metrics == ("accuracy",)


# -- numbers -----------------------------------------------------------------------------------------------------------------
def test_scores_by_fold_by_seed_and_over_both():
    results = Results(SCORES, data_sets=SETS, classifiers=NAMES)
    assert (results.fold_seed_scores.tolist(), results.fold_scores) == (SCORES.tolist(), pytest.approx(SCORES.mean(3), rel=1e-12))
    assert results.seed_scores == pytest.approx(SCORES.mean(2), rel=1e-12)
    assert results.scores == pytest.approx(SCORES.mean((2, 3)), rel=1e-12)
    assert results.sd == pytest.approx(SCORES.mean(3).std(2, ddof=1), rel=1e-12)
    assert fstats.Friedman(results).n == 3  # neither folds nor seeds are data sets
    some = results.select(data_sets="wine", classifiers="net")
    assert some.seed_scores == pytest.approx(SCORES[1:2, 1:2].mean(2), rel=1e-12)
    two = fstats.BayesianHierarchical.from_results(results, rho=0.25, rope=0.01)
    assert two.d == pytest.approx(SCORES[:, 0].mean(2) - SCORES[:, 1].mean(2))  # a fold once, however many seeds it has


def test_data_sets_may_have_different_numbers_of_folds_and_seeds():
    results = Results(LONG.query("dataset != 'wine' or (fold < 3 and seed < 13)").reset_index(drop=True))
    assert ([len(names) for names in results.folds], [len(names) for names in results.seeds]) == ([4, 2, 4], [5, 3, 5])
    assert results.select(data_sets="wine").scores == pytest.approx(SCORES[1, :, :2, :3].mean((1, 2))[None])
    assert "over 2 to 4 folds, each fold the mean of 3 to 5 seeds" in " ".join(repr(results).split())


def test_what_the_spread_is_over_is_said_and_the_two_are_never_mixed():
    of_seeds = Results(ALONE)
    assert of_seeds.sd_over == "seeds"
    assert of_seeds.sd == pytest.approx(np.array([SCORES[SETS.index(name), :, 0].std(1, ddof=1) for name in of_seeds.data_sets]))
    assert "mean ± standard deviation over 5 seeds\n" in repr(of_seeds)
    assert of_seeds.to_latex().startswith("% mean ± standard deviation over 5 seeds\n")
    assert "seeds" not in of_seeds.to_latex(sd=False)
    both = Results(SCORES)
    assert both.sd_over == "folds"
    assert "over 4 folds, each fold the mean of 5 seeds" in " ".join(repr(both).split())
    assert "over 4 folds\n" in repr(Results(LONG[LONG.seed == 10].reset_index(drop=True)))
    assert Results(SCORES[:, :, 0, 0]).sd_over == ""


def test_out_and_in_again(tmp_path):
    for results in (Results({"a": SCORES, "b": 1 - SCORES}, data_sets=SETS), Results({"a": SCORES[:, :, :1], "b": SCORES[:, :, 1:2]})):
        results.to_csv(tmp_path / "all.csv")
        again = Results.from_csv(tmp_path / "all.csv")
        assert (again.folds, again.seeds) == (results.folds, results.seeds)
        for metric in "ab":
            assert np.array_equal(again[metric].fold_seed_scores, results[metric].fold_seed_scores)
        assert np.array_equal(Results(results["a"].to_frame("long")).seed_scores, results["a"].seed_scores)
        assert "as the seed of training" in repr(again)  # of several metrics, too


@pytest.mark.parametrize("read", [Results, Results.from_frame])
def test_without_seeds_nothing_tells_of_them(tmp_path, read):
    results = read(LONG[LONG.seed == 10].drop(columns="seed").reset_index(drop=True))
    assert results.seeds == (("",),) * 3
    assert results.fold_scores.base is results.fold_seed_scores
    results.to_csv(tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_text().splitlines()[0] == "data set,classifier,fold,accuracy"
    for text in (repr(results), results.to_latex()):
        assert "seed" not in text


# -- gaps --------------------------------------------------------------------------------------------------------------------
def test_a_fold_without_one_of_the_seeds_is_refused_with_its_place(tmp_path):
    lost = LONG.query("not (dataset == 'wine' and model == 'net' and fold == 3 and seed == 12)").reset_index(drop=True)
    lost.to_csv(tmp_path / "gap.csv", index=False)
    message = "on each data set every fold with every seed; wine, net, fold 3, seed 12: there is no line for this score: fill in gaps"
    assert_raises(lambda: Results.from_csv(tmp_path / "gap.csv"), message)
    kept = Results.from_csv(tmp_path / "gap.csv", missing="keep")
    (gap,) = kept.gaps
    assert (gap[:5], np.isnan(kept.scores).sum()) == (("wine", "net", "", "3", "12"), 1)
    worst = kept.without_gaps("worst")
    assert placed(worst)["wine", "net", "3", "12"] == SCORES[1, 0, 2, 2]  # what the other classifier has there
    assert kept.without_gaps("drop data sets").data_sets == tuple(name for name in kept.data_sets if name != "wine")
    whole = Results(LONG.assign(accuracy=LONG.accuracy.where((LONG.dataset != "wine") | (LONG.model != "net"))), missing="keep")
    assert [(gap.fold, gap.seed) for gap in whole.gaps][:2] == [("1", "10"), ("1", "11")]


def test_a_seed_of_each_fold_is_a_name_of_the_fold():
    nested = LONG[LONG.seed == LONG.fold + 9].reset_index(drop=True)
    results = Results(nested)
    assert (results.folds, results.seeds) == ((tuple("1234"),) * 3, (("",),) * 3)
    assert results.reading.columns["seed"].role == "ignored"
    assert "each fold has one seed" in repr(results.reading)


@pytest.mark.complete
@parametrize(
    "frame, how, message",
    (
        LONG.drop(columns="fold"),
        {},
        r"seed 1\d; got rows .*. Keep one line, number the folds in",
    ),
    (
        WIDE.reset_index().drop(columns="fold"),
        {},
        r"heart, seed 10; got rows 0, 5, 10 and 15 ",
    ),
    (
        WIDE.reset_index().drop(columns="dataset"),
        {},
        "fold 1, seed 10, because no column names the data set; got rows 0, 20 .*. Add a column 'data set', .*columns: fold, seed, ",
    ),
    (LONG.assign(random_state=1), {}, "must have one column with the seed of training; got 'seed' and 'random_state'"),
    (LONG.assign(start=1), {"seed": "start"}, "must have one column with the seed of training; got 'start' and 'seed'"),
    (LONG, {"seed": "sed"}, "scores has no column 'sed'; the nearest names are 'seed'"),
    (LONG, {"seed": "seed", "fold": "seed"}, "each column of scores must have one role; got 'seed' as fold and as seed. State it once"),
    (
        LONG.assign(seed=LONG.seed.where(LONG.seed > 10)),
        {},
        "every line must have a seed; got none in .*, column 'seed'. Write the seed. A classifier without seeds",
    ),
    (pd.concat([LONG, LONG.iloc[:1]], ignore_index=True), {}, "one score of forest on iris, fold 1, seed 10; got two, in scores, row 0"),
)
def test_what_is_refused(frame, how, message):
    assert_raises(lambda: Results.from_frame(frame, **how), message)


def test_columns_and_axes_are_stated():
    two = LONG.assign(random_state=1)
    assert placed(Results.from_frame(two, seed="seed", scores="accuracy")) == EVERY
    expected = {(data_set, name, f"1, {fold}", seed) for data_set, name, fold, seed in EVERY}
    assert placed(Results.from_frame(two, seed="seed", fold=["random_state", "fold"])).keys() == expected
    message = r"or \(data sets, classifiers, folds, seeds\); got shape \(5,\)"
    assert_raises(lambda: Results(np.ones(5)), message)
    assert Results(SCORES[:, :, :1]).folds == (("",),) * 3
    assert Results(SCORES[:, :, 0]).seeds == (("",),) * 3  # a third axis is one of folds
    assert Results(Results(SCORES).fold_seed_scores).scores == pytest.approx(SCORES.mean((2, 3)))


# -- the tests themselves ----------------------------------------------------------------------------------------------------
def test_a_table_that_names_seeds_is_refused_as_one_that_names_folds():
    frame = WIDE.xs(1, level="fold")
    assert_raises(lambda: fstats.Friedman(frame), r"got 5 rows of the data set 'heart'.*Average the folds of each data set")
    assert fstats.average_folds(frame).loc["wine", "net"] == pytest.approx(SCORES[1, 1, 0].mean())
    assert fstats.average_folds(frame.rename_axis(index=["name", "random_state"])).index.tolist() == sorted(SETS)
    column = frame.reset_index("seed").rename(columns={"seed": "random_state"})
    assert list(fstats.average_folds(column).columns) == NAMES
    with pytest.raises(ValueError, match=r"got the column 'random_state', which numbers parts of an experiment\. Write fstats.Results"):
        fstats.Friedman(column.reset_index(drop=True))


# -- one data set: splits and seeds --------------------------------------------------------------------------------------------
A, B = np.random.default_rng(5).uniform(0.7, 0.9, (2, 5, 2, 3))  # 5 times 2 folds, 3 seeds
SEEDED = Scores.from_arrays(FiveByTwoT.plan, A, B, seeds=[7, 8, 9], n_train=50, n_test=50, labels=["net", "forest"])


def test_tests_on_a_plan_take_the_means_over_seeds():
    assert SEEDED.score_a == pytest.approx(A.mean(2), rel=1e-15)
    test, by_hand = FiveByTwoT.from_scores(SEEDED), FiveByTwoT(A.mean(2) - B.mean(2))
    assert test.statistic == pytest.approx(by_hand.statistic)
    assert test.df == 5  # of the plan: seeds are no splits
    assert str(SEEDED).startswith("10 splits (5 x 2-fold cross-validation), the mean of 3 seeds on each, mean score ")


def test_differences_by_seed_are_kept():
    assert SEEDED.seeds == ("7", "8", "9")
    assert np.array_equal(SEEDED.difference_by_seed, (A - B).reshape(10, 3))
    assert np.array_equal(SEEDED.score_a_by_seed, A.reshape(10, 3))
    assert SEEDED.difference_by_seed.mean(1) == pytest.approx(np.ravel(SEEDED.difference))
    plain = Scores.from_arrays(FiveByTwoT.plan, A[..., 0], B[..., 0])
    assert plain.seeds is None
    assert np.array_equal(plain.difference_by_seed, (A - B)[..., :1].reshape(10, 1))
    batch = Scores.from_arrays(FiveByTwoT.plan, *np.ones((2, 5, 2, 3, 100)), seeds=[1, 2, 3])
    assert (batch.repetitions, batch.difference_by_seed.shape) == ((100,), (10, 3, 100))


@pytest.mark.parametrize("test", ["FiveByTwoT", "KFoldT", "CorrectedResampledT", "HoldOutMcNemar"])
def test_a_file_of_splits_and_seeds(tmp_path, test):
    plan = getattr(fstats, test).plan
    a, b = np.random.default_rng(6).normal(size=(2, *plan.shape, 4))
    scores = Scores.from_arrays(plan, a, b, seeds=["s1", "s2", "s3", "s4"], n_train=9, n_test=3)
    scores.save(tmp_path / "scores.csv")
    again = Scores.load(tmp_path / "scores.csv")
    for name in ("plan", "seeds"):
        assert getattr(again, name) == getattr(scores, name)
    for name in ("score_a", "score_b", "score_a_by_seed", "score_b_by_seed", "n_test"):
        assert np.array_equal(getattr(again, name), getattr(scores, name))
    opening, heads, *lines = (tmp_path / "scores.csv").read_text().splitlines()
    np.random.default_rng(0).shuffle(seeds := ["s4", "s2", "s1", "s3"])
    lines.sort(key=lambda line: seeds.index(line.rpartition(",")[2]))  # seed by seed
    (tmp_path / "scores.csv").write_text("\n".join([opening, heads, *lines]))
    assert np.allclose(Scores.load(tmp_path / "scores.csv").score_a, scores.score_a, rtol=1e-12)


def test_scores_without_seeds_are_written_as_before(tmp_path):
    Scores.from_arrays(FiveByTwoT.plan, A[..., 0], B[..., 0]).save(tmp_path / "scores.csv")
    heads = (tmp_path / "scores.csv").read_text().splitlines()[1]
    assert heads == "part,i,j,score_a,score_b,n00,n01,n10,n11,difference,n_train,n_test"


@parametrize(
    "change, message",
    (lambda lines: lines[:7] + lines[8:], "for every seed in .*; the split i = 1, j = 2 has no line for the seed 9$"),
    (lambda lines: [line for line in lines if not line.endswith("50,8")] + lines[3:4], "no line for the seed 8, and 8 more"),
    (lambda lines: lines + lines[-1:], "the split i = 5, j = 2 must have one line for the seed 9 .*; got two lines"),
    (lambda lines: [*lines[:5], lines[5].removesuffix("7"), *lines[6:]], "either all lines or no line must have a seed; line 6 of"),
    (lambda lines: [*lines[:4], lines[4].replace("50,50", "40,60"), *lines[5:]], "j = 1 must have the same n_train and n_test for every"),
)
def test_a_file_in_which_seeds_are_not_crossed_with_splits(tmp_path, change, message):
    SEEDED.save(tmp_path / "scores.csv")
    (tmp_path / "scores.csv").write_text("\n".join(change((tmp_path / "scores.csv").read_text().splitlines())))
    assert_raises(lambda: Scores.load(tmp_path / "scores.csv"), message)


@parametrize(
    "scores, more, message",
    (A, {"seeds": [1, 2]}, "`seeds` must be a list of 3 names, one for each seed; got 1, 2"),
    (A, {"seeds": [1, 2, 2]}, "`seeds` must hold different names; got '?2'? more than once"),
    (A[..., 0], {"seeds": [1]}, r"`score_a` must have an axis of seeds after the axes \(5, 2\) of the plan 5 x 2-fold"),
    (
        A,
        {"seeds": [1, 2, 3], "tables": np.ones((5, 2, 2, 2))},
        "`tables` and `seeds` cannot be combined, because the mean of the tables of several seeds is not a table of counts",
    ),
)
def test_seeds_that_do_not_fit(scores, more, message):
    assert_raises(lambda: Scores.from_arrays(FiveByTwoT.plan, scores, scores, **more), message)


# -- columns that are no classifiers -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", [0, 1])
def test_the_numbers_of_lines_are_no_classifier(tmp_path, first):
    """As pandas writes them before the columns, and reads them again as 'Unnamed: 0'."""
    table = pd.DataFrame({"dataset": ["a", "b", "c"], "forest": [0.9, 0.8, 0.7], "tree": [0.8, 0.8, 0.6]}, index=range(first, first + 3))
    file = tmp_path / "scores.csv"
    table.to_csv(file)
    for found in (fstats.Results.from_csv(file), fstats.Results(pd.read_csv(file))):
        assert (list(found.classifiers), list(found.data_sets)) == (["forest", "tree"], ["a", "b", "c"])


@pytest.mark.complete
@pytest.mark.parametrize("head", ["fit_time", "train_seed", "Score Time", "init"])
def test_a_column_that_seems_to_be_no_classifier_is_not_ranked(tmp_path, head):
    table = pd.DataFrame({"dataset": ["a", "b", "c"], "forest": [0.9, 0.8, 0.7], "tree": [0.8, 0.8, 0.6], head: [3, 1, 2]})
    if head == "train_seed":
        message = f"the column '{head}' seems to hold seeds, .* Write seed='{head}' .* or ignore='{head}'"
        assert_raises(lambda: fstats.Results(table), message)
    else:
        with pytest.warns(UserWarning, match=f"The column '{head}' was ignored"):
            assert fstats.Results(table).classifiers == ("forest", "tree")
    table.to_csv(tmp_path / "scores.csv", index=False)
    assert list(fstats.Results.from_csv(tmp_path / "scores.csv", scores=["forest", "tree"]).classifiers) == ["forest", "tree"]
