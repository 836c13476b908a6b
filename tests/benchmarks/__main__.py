"""How fast fstats is, beside SciPy on the same machine in the same minute: ``python -m tests.benchmarks``, or some of it:
``... grading start``.

Times are medians; where there is a rival, ours and the rival's take turns, so that a busy moment hits both.  Nothing is
asserted about time: the table says whether each target is met.  That both compute the same is checked.
"""

import argparse
import os
import platform
import statistics
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import scipy
from scipy import stats

import fstats
from fstats.comparing.datasets import DataSet, load
from fstats.distributions.exact_rank_distributions import _cached_table
from fstats.distributions.studentized_range import StudentizedRange
from fstats.procedures.metric_comparison.metrics import brier, log_loss
from fstats.procedures.posthoc.bergmann_hommel import partitions
from fstats.procedures.resampling.cross_validation_tests import TABLE_5
from fstats.procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from fstats.publish.printable_page import find_browser
from fstats.runtime.parallel_tasks import worker_backend
from fstats.simulate import Epsilon, run, type_one_error
from fstats.simulate.training_cache import TrainingCache, child_seed
from fstats.studies.contingency import exact_power, simulated_power
from fstats.studies.contingency.exact_test_power import record_outcome
from fstats.studies.correlations.correlation_classifiers import learners
from fstats.studies.fold_hacking import SETS
from fstats.studies.fold_hacking.fold_classifiers import predict_classes
from fstats.studies.fold_hacking.fold_experiment import correct_counts_of_unit
from fstats.studies.fold_hacking.stratified_folds import stratified
from fstats.teaching.marking.sandbox.bubblewrap_sandbox import find_bubblewrap
from tests.benchmarks.growth import growth
from tests.benchmarks.script_path import script_path
from tests.benchmarks.timing import Work, alone, faster, in_turn, line, new_process, peak_memory, race, same, slower, unit, within
from tests.browser.laboratory import browser_page, jupyterlab, open_and_run
from tests.optional import THINGS

RNG = np.random.default_rng(2026)


def anew(test: type[fstats.SignedRank] | type[fstats.RankSum], a: object, b: object) -> object:
    """An exact p-value whose table is not remembered from the call before."""
    _cached_table.cache_clear()
    return test(a, b).pvalue


# -- one function a line -----------------------------------------------------------------------------------------------------
def paired_t_once() -> None:
    """One p-value of a paired t-test."""
    a, b = RNG.normal(size=(2, 15))
    what = "PairedT, one p-value, n = 15 | scipy.stats.ttest_rel"
    race(what, lambda: fstats.PairedT(a, b).pvalue, lambda: stats.ttest_rel(a, b).pvalue, 51, (100, 20), least=12)


def paired_t_batch() -> None:
    """Many repetitions at once."""
    a, b = RNG.normal(size=(2, 15, 10_000))
    what = "PairedT, 10,000 repetitions, n = 15 | ttest_rel, axis=0"
    race(what, lambda: fstats.PairedT(a, b).pvalue, lambda: stats.ttest_rel(a, b, axis=0).pvalue, 51, (3, 3), least=1.3)


def signed_rank_with_ties() -> None:
    """Exact, with ties: SciPy goes through all 2**13 signs."""
    a = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9])
    b = np.zeros(13)
    b[[1, 4, 6]] = 7
    what = "SignedRank, exact with ties, n = 13 | scipy.stats.wilcoxon"
    race(what, lambda: anew(fstats.SignedRank, a, b), lambda: stats.wilcoxon(a, b).pvalue, 11, (50, 1), least=500)


def signed_rank_of_50() -> None:
    """Exact, with ties, where going through all signs would take for ever."""
    a, b = np.round(RNG.normal(0.8, 0.05, size=(2, 50)), 2)
    within("SignedRank, exact with ties, n = 50", 1e-3, lambda: anew(fstats.SignedRank, a, b), 51, 5)


def signed_rank_batches() -> None:
    """Exact, each repetition with its own ties: time and memory."""
    for decimals in (2, 1):
        a, b = np.round(RNG.normal(0.8, 0.1, size=(2, 15, 10_000)), decimals)
        patterns = len(np.unique(np.sort(fstats.SignedRank(a, b).ranks, axis=0), axis=1).T)
        what = f"SignedRank, exact, 10,000 repetitions, n = 15, {decimals} decimal{'s' * (decimals > 1)}"
        within(what, 1, lambda a=a, b=b: fstats.SignedRank(a, b).pvalue, 3)  # type: ignore[misc]
        peak = peak_memory(lambda a=a, b=b: fstats.SignedRank(a, b).pvalue)  # type: ignore[misc]
        line(f"    its memory ({patterns} different patterns of ties)", f"{peak / 1e6:.3g} MB", target="< 200 MB", met=peak < 200e6)


def two_classifiers() -> None:
    """The other tests for two classifiers, one p-value each, beside SciPy's or statsmodels' (where it is installed)."""
    x, y = np.random.default_rng(1).normal(size=(2, 20)) + np.array([[0.4], [0]])
    races: list[tuple[str, Work, Work]] = [
        ("OneSampleT, n = 20 | ttest_1samp", lambda: fstats.OneSampleT(x, 0.1).pvalue, lambda: stats.ttest_1samp(x, 0.1).pvalue),
        ("TwoSampleT, 20 + 20 | ttest_ind", lambda: fstats.TwoSampleT(x, y).pvalue, lambda: stats.ttest_ind(x, y).pvalue),
        ("WelchT, 20 + 20 | ttest_ind", lambda: fstats.WelchT(x, y).pvalue, lambda: stats.ttest_ind(x, y, equal_var=False).pvalue),
        ("SignTest, n = 20 | binomtest", lambda: fstats.SignTest(x, y).pvalue, lambda: stats.binomtest(int((x > y).sum()), 20).pvalue),
        ("McNemarExact, 12 + 25 | binomtest", lambda: fstats.McNemarExact(12, 25).pvalue, lambda: stats.binomtest(12, 37).pvalue),
    ]
    try:
        from statsmodels.stats.contingency_tables import mcnemar
        from statsmodels.stats.proportion import proportions_ztest
        from statsmodels.stats.weightstats import ttost_paired
    except ImportError:
        line("McNemar, DifferenceOfProportions, EquivalenceT: not measured, statsmodels is missing", "")
    else:
        table = [[30, 12], [25, 33]]
        races += [
            ("McNemar, 12 + 25 | statsmodels mcnemar", lambda: fstats.McNemar(12, 25).pvalue, lambda: mcnemar(table, exact=False).pvalue),
            (
                "DifferenceOfProportions, n = 500 | proportions_ztest",
                lambda: fstats.DifferenceOfProportions(420, 395, 500).pvalue,
                lambda: proportions_ztest([420, 395], [500, 500])[1],
            ),
            (
                "EquivalenceT, n = 20 | ttost_paired",
                lambda: fstats.EquivalenceT(x, y, margin=0.5).pvalue,
                lambda: ttost_paired(x, y, -0.5, 0.5)[0],
            ),
        ]
    for what, ours, rival in races:
        unchecked = what.partition(" | ")[2] in ("statsmodels mcnemar", "proportions_ztest", "ttost_paired")  # rivals that check nothing
        race(what, ours, rival, 31, (50, 10), least=1 if unchecked else 12 if "ttest" in what else 5)
    exact = alone(lambda: fstats.RankSum(x, y).pvalue, 31, 5)
    scipys = alone(lambda: stats.mannwhitneyu(x, y, method="exact").pvalue, 31, 5)
    faster("RankSum, exact, 20 + 20, no ties | mannwhitneyu", exact, scipys, least=5)
    a, b = np.round(x, 1), np.round(y, 1)
    within("RankSum, exact with ties, 20 + 20", 5e-3, lambda: anew(fstats.RankSum, a, b), 31, 5)


def any_metric() -> None:
    """A million records by counts of their outcomes; and F1 beside SciPy's bootstrap of the same few records, in one vectorised formula."""
    y, a, b = (RNG.random((3, 2_000)) < 0.4).astype(int)

    def f1(y: Any, p: Any, axis: int) -> Any:
        return 2 * (y * p).sum(axis) / (y + p).sum(axis)

    def rival() -> Any:
        def statistic(y: Any, a: Any, b: Any, axis: int) -> Any:
            return f1(y, a, axis) - f1(y, b, axis)

        drawn = stats.bootstrap((y, a, b), statistic, paired=True, n_resamples=9_999, method="percentile", batch=500)
        return [*drawn.confidence_interval]

    np.testing.assert_allclose([*fstats.PairedBootstrap(y, a, b, metric="f1").ci], rival(), atol=0.01)
    what = "PairedBootstrap of F1, n = 2,000, 9,999 draws | scipy bootstrap"
    faster(what, *in_turn(lambda: fstats.PairedBootstrap(y, a, b, metric="f1").ci, rival, 3, (3, 1)), least=20)
    p_a, p_b = RNG.random((2, 2_000))
    for metric, loss in (("brier", brier), ("log_loss", log_loss)):
        advantage = loss(y, p_b) - loss(y, p_a)

        def interval(advantage: Any = advantage) -> Any:
            return [*stats.bootstrap((advantage,), np.mean, n_resamples=9_999, batch=500).confidence_interval]  # BCa is SciPy's default

        def bca(metric: str = metric) -> Any:
            return [*fstats.PairedBootstrap(y, p_a, p_b, metric=metric, interval="BCa").ci]

        np.testing.assert_allclose(bca(), interval(), atol=0.01)
        faster(f"PairedBootstrap, BCa of {metric}, n = 2,000 | scipy bootstrap", *in_turn(bca, interval, 5), least=3)

    def permuted() -> Any:
        way = {"permutation_type": "samples", "n_resamples": 9_999, "batch": 500}
        return stats.permutation_test((brier(y, p_b) - brier(y, p_a),), np.mean, **way).pvalue

    def permutation() -> Any:
        return fstats.PairedPermutation(y, p_a, p_b, metric="brier").pvalue

    np.testing.assert_allclose(permutation(), permuted(), atol=0.03)
    faster("PairedPermutation of brier, n = 2,000 | permutation_test", *in_turn(permutation, permuted, 5), least=3)
    y, a, b = RNG.integers(0, 3, (3, 1_000_000))
    for test in (fstats.PairedBootstrap, fstats.PairedPermutation):
        what = f"{test.__name__} of macro-F1, a million records"
        within(what, 3, lambda test=test: test(y, a, b, metric="f1_macro").pvalue, 3)  # type: ignore[misc]


def areas_under_curves() -> None:
    """DeLong's test beside MLstatkit's (where it is installed)."""
    y, (a, b) = (RNG.random(300) < 0.4).astype(int), RNG.random((2, 300))
    what = "DeLong, 300 records | MLstatkit Delong_test"
    if find_spec("MLstatkit") is None:
        line(f"{what}: not installed", unit(alone(lambda: fstats.DeLong(y, a, b).pvalue, 31, 20)))
        return
    delong = import_module("MLstatkit").Delong_test

    def rival() -> Any:
        return delong(y, a, b, return_ci=False, return_auc=False)[1]

    race(what, lambda: fstats.DeLong(y, a, b).pvalue, rival, 31, (20, 5), least=5)


def many_classifiers() -> None:
    """Friedman and the post-hoc tests of a table of 14 data sets and 4 classifiers; Bergmann and Hommel's of 9."""
    scores = RNG.normal(size=(14, 4))
    batch = RNG.normal(size=(14, 4, 10_000))
    few = batch[:, :, :500]

    def loop() -> list[float]:
        return [stats.friedmanchisquare(*few[:, :, r].T).pvalue for r in range(few.shape[2])]

    same(fstats.Friedman(few).pvalue, loop())
    what = "Friedman, one p-value, 14 x 4 | friedmanchisquare"
    race(what, lambda: fstats.Friedman(scores).pvalue, lambda: stats.friedmanchisquare(*scores.T).pvalue, 51, (100, 20), least=10)
    ours, rival = in_turn(lambda: fstats.Friedman(batch).pvalue, loop, 5)
    faster("Friedman, 10,000 repetitions | a loop (500, extrapolated)", ours, rival * 20, least=5)
    within("Nemenyi, all p-values, 14 x 4", 2e-3, lambda: fstats.Nemenyi(scores).pvalues, 31, 20)
    nine = RNG.normal(size=(14, 9))

    def cold() -> object:
        partitions.cache_clear()
        return fstats.BergmannHommel(nine).adjusted

    within("BergmannHommel, k = 9, nothing remembered", 5, cold, 5)
    q = np.linspace(0.5, 6, 20)
    what = "studentized range, 20 p-values, k = 4, df = 39 | SciPy"
    race(what, lambda: StudentizedRange(4, 39.0).at_least(q), lambda: stats.studentized_range.sf(q, 4, 39), 5, least=10)


def resampling() -> None:
    """The paper's first experiment for the tests of its Table 5; and what `compare` adds to the bare fits."""
    what = f"1,000 epsilon data sets, n = 300, {len(TABLE_5)} tests, splits included"
    within(what, 3, lambda: type_one_error(TABLE_5, Epsilon(n=300, epsilon=0.1), 1000, progress=False), 3)
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB

    x, y = load_breast_cancer(return_X_y=True)

    def bare() -> None:
        for train, test in fstats.FiveByTwoT.plan.splitter(0).split(x):
            for _ in range(2):
                model = GaussianNB().fit(x[train], y[train])
                (model.predict(x[test]) == y[test]).mean()

    def ours() -> object:
        return fstats.compare(GaussianNB(), GaussianNB(var_smoothing=1e-8), x, y, test=fstats.FiveByTwoT, progress=False).pvalue

    slower("compare, 5x2, breast cancer, GaussianNB | the bare fits", *in_turn(ours, bare, 31), most=1.1)


def benchmarked() -> None:
    """What `benchmark` adds to the bare fits and scores, with and without a store: ten folds, fits of milliseconds and of tens of them."""
    from sklearn.base import clone
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import accuracy_score
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    x, y = load_breast_cancer(return_X_y=True)

    def race(what: str, sets: int, first: Any, second: Any) -> None:
        data, models = {str(k): (x, y) for k in range(sets)}, {"a": first, "b": second}

        def bare() -> None:
            for features, classes in data.values():
                for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(features, classes):
                    for one in models.values():
                        fitted = clone(one).fit(features[train], classes[train])
                        accuracy_score(classes[test], fitted.predict(features[test]))

        def ours() -> fstats.Results:
            return fstats.benchmark(models, data, cv=10, progress=False)

        def stored() -> fstats.Results:
            with tempfile.TemporaryDirectory() as folder:
                return fstats.benchmark(models, data, cv=10, store=Path(folder) / "run.jsonl", progress=False)

        for way, work in (("without a store", ours), ("with a store", stored)):
            slower(f"benchmark {way}, {what} | the bare fits", *in_turn(work, bare, 7), most=1.1)

    race("GaussianNB", 10, GaussianNB(), GaussianNB(var_smoothing=1e-8))
    race("forest of 20", 1, RandomForestClassifier(20, random_state=0), RandomForestClassifier(20, random_state=1))


def contingency_study() -> None:
    """A cell of the simulation beside the bare draw of its counts and its labels; the exact grid; a million records."""
    rng, one = np.random.default_rng(0), record_outcome(0.05, 10)
    chances = [one.s, one.f, 1 - one.s - one.f]
    ours, bare = in_turn(lambda: simulated_power(1000, 0.05, rng=rng).rate, lambda: rng.multinomial(1000, chances, 1000), 101, (10, 10))
    slower("contingency cell, N = 1000, 1000 trials | trinomial draw", ours, bare, most=1.5)
    labels = alone(lambda: simulated_power(1000, 0.05, level="labels", rng=rng).rate, 11)
    line("the same, every label drawn", unit(labels), ratio=f"{labels / ours:.3g}x")
    sizes, rates = np.arange(50, 1001, 50)[:, np.newaxis], np.array([0.0, 0.01, 0.03, 0.05, 0.10])
    within("exact power of the whole grid, 20 x 5", 0.05, lambda: exact_power(sizes, rates), 21)
    line("exact power, N = 1,000,000", unit(alone(lambda: exact_power(1_000_000, 0.0005), 21)))


def fold_study() -> None:
    """The fold experiment beside cross_val_score, a repetition at a time; and a thousand repetitions of all sets (where they are)."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier
    from threadpoolctl import threadpool_limits

    def available(name: str) -> DataSet | None:
        folder = "" if THINGS["data_folder"].lacks else THINGS["data_folder"].value
        return load(name, folder) if folder or name in ("iris", "wine") else None

    with threadpool_limits(1):
        for name in ("iris", "wine", "sonar"):
            if (data := available(name)) is None:
                line(f"fold experiment, {name}: not measured, no FSTATS_DATA", "")
                continue
            (x, y), seeds = (data.x, np.unique(data.y, return_inverse=True)[1]), range(20)
            models = (GaussianNB(), KNeighborsClassifier(), DecisionTreeClassifier(random_state=0))
            cv = StratifiedKFold(5, shuffle=True, random_state=0)

            def scikit_learn(x: Any = x, y: Any = y, models: Any = models, cv: Any = cv) -> list[Any]:
                return [cross_val_score(model, x, y, cv=cv) for model in models]

            def ours(x: Any = x, y: Any = y, seeds: range = seeds) -> Any:
                return predict_classes(x, y, stratified(y, seeds), 5, seeds)

            fold = stratified(y, [0])[:, 0]
            same([[(mine[fold == k, 0] == y[fold == k]).mean() for k in range(5)] for mine in ours()], scikit_learn())
            three, rival = in_turn(ours, scikit_learn, 3, (1, 3))
            faster(f"GNB + KNN + DTC, 5 folds, {name} | cross_val_score", three / len(seeds), rival, least=1)
        whole = [data for name in SETS if (data := available(name))]
        if len(whole) < len(SETS):
            line("fold experiment, 18 sets: not measured, no FSTATS_DATA", "")
            return
        unit_of_100, none = {"first": 0, "last": 99}, np.random.SeedSequence(0)
        start = process_time()  # a busy machine would count its other work ten times
        for data in whole:
            correct_counts_of_unit(unit_of_100, none, data.x, data.y, "as it should be")
    most = (process_time() - start) * 10 / 2
    line("fold experiment, 18 sets x 1,000 (from 100), two cores", unit(most), target="<= 300 s", met=most <= 300)


def correlations_study() -> None:
    """The learners of the correlations beside cross_val_score, on ten blocked splits of 300 records; and a unit of work by
    either backend.
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    data = load("twonorm", data_dir="")
    chosen = np.random.default_rng(0).choice(len(data.y), 300, replace=False)
    x, y = data.x[chosen], data.y[chosen]
    rivals: dict[str, Any] = {
        "majority": DummyClassifier(strategy="most_frequent"),
        "mean": NearestCentroid(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=5e7)),
        "SVM": make_pipeline(MinMaxScaler(), SVC(kernel="linear")),
        "tree": DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(6, weights="distance", algorithm="brute")),  # as much work
    }
    for name, rival in rivals.items():

        def ours(name: str = name) -> object:
            return TrainingCache(x, y, np.random.SeedSequence(0)).correct_predictions(learners()[name], BLOCKED_FIVE_BY_TWO, "splits")

        def theirs(rival: Any = rival) -> object:
            return cross_val_score(rival, x, y, cv=fstats.BlockRegularizedCV(random_state=0))

        mine, other = in_turn(ours, theirs, 9)
        faster(f"correlations: {name}, 1,000 fits | cross_val_score", 100 * mine, 100 * other, least=1)
    units = [{"at": k} for k in range(8)]
    for backend in ("loky", "dask"):
        with worker_backend(backend, 2):
            took = alone(lambda: run(fitted, units, arguments={}, jobs=2, progress=False), 3)
        line(f"correlations: 8 units of 100 fits, 2 workers, {backend}", unit(took))


def fitted(one: dict[str, int], seed: np.random.SeedSequence) -> int:
    """A unit of the study's work on records that need no file: ten samples, the tree on ten splits of each."""
    rng, right = np.random.default_rng(seed), 0
    for r in range(10):
        x, y = rng.normal(size=(300, 20)), rng.integers(2, size=300)
        right += int(
            TrainingCache(x, y, child_seed(seed, one["at"], r)).correct_predictions(learners()["tree"], BLOCKED_FIVE_BY_TWO, "splits").sum()
        )
    return right


def start() -> None:
    """What `import fstats` adds to the start of a script, beside the one heavy thing that it needs."""

    what = "import fstats | import scipy.special (whole processes)"
    slower(what, *in_turn(new_process("-c", "import fstats"), new_process("-c", "import scipy.special"), 15), most=1.2)


def grading() -> None:
    """A class of 200 on two cores, and each submission beside nbgrader's autograde of the same notebook."""
    from tests.benchmarks.grading import CLASS, ours, theirs

    what = f"fstats grade, {CLASS} submissions, 2 workers"
    if not find_bubblewrap():
        line(f"{what}: not measured, bubblewrap is not installed", "")
        return
    print(f"    (load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
    whole = ours()
    line(what, unit(whole), target="<= 60 s", met=whole <= 60)
    if find_spec("nbgrader") is None:
        line("one submission | nbgrader autograde: not measured, nbgrader is not installed", "")
        return
    faster("one submission of these | nbgrader autograde", whole / CLASS, statistics.median(theirs()), 50)
    print(f"    (load of the last minute: {os.getloadavg()[0]:.1f})")


def votes() -> None:
    """300 phones in a room vote within ten seconds, each from its own connection; how long one waits until its vote is kept."""
    import asyncio
    import random

    from tests.publish.phones import lecture, lesson, percentile, votes_of

    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with lecture(lesson(here), here / "own") as (_, page, deck):
            _, waited = asyncio.run(votes_of(page, deck, 300, 10.0, random.Random(2026)))
    line("a vote of 300 phones within 10 s, kept: p95", unit(percentile(waited)), target="<= 200 ms", met=percentile(waited) <= 0.2)


FRAMES = """async seconds => {
    const at = [], end = performance.now() + 1000 * seconds;
    while (!at.length || at.at(-1) < end) at.push(await new Promise(requestAnimationFrame));
    return at.slice(1).map((time, k) => (time - at[k]) / 1000);
}"""


def frames() -> None:
    """How long the frames of a deck last while 300 phones vote and its bars grow, beside those of the same slide when none does."""
    import asyncio
    import random
    from threading import Thread

    from tests.publish.phones import lecture, lesson, percentile, votes_of

    what = "frames of a deck, 300 phones voting | none: p95"
    if not find_browser():
        line(f"{what}: not measured, there is no Chromium", "")
        return
    with tempfile.TemporaryDirectory() as folder, browser_page() as seen:
        here = Path(folder)
        with lecture(lesson(here), here / "own") as (_, page, deck):
            seen.goto(f"{deck}01_luck.html")
            seen.wait_for_selector("[data-ready]")
            for _ in range(2):  # the poll, and its votes
                seen.keyboard.press("ArrowRight")
            none = seen.evaluate(FRAMES, 10)
            voting = Thread(target=lambda: asyncio.run(votes_of(page, deck, 300, 10.0, random.Random(2026))))
            voting.start()
            some = seen.evaluate(FRAMES, 10)
            voting.join()
            seen.locator(".fstats-join", has_text="300 answered").first.wait_for()
    ours, rival = percentile(some), percentile(none)
    line(what, unit(ours), unit(rival), f"{ours / rival:.3g}x")
    line("    the longest", unit(max(some)), unit(max(none)), f"{max(some) / max(none):.3g}x")


WATCH = """() => {
    const root = document.querySelector(".fstats-explorer");
    let pressed = 0;
    window.answers = [];
    root.addEventListener("keydown", () => { pressed = performance.now(); }, true);
    new MutationObserver(() => window.answers.push(performance.now() - pressed))
        .observe(root.querySelector(".fstats-pictures"), { childList: true, subtree: true });
}"""


def slider() -> None:
    """From a key press on a slider to the changed picture in the page, in JupyterLab and Chromium: one test, and one simulation."""
    pressed("paired t", "explore.paired_t([85, 70, 79, 78, 83, 88, 74], [87, 68, 85, 75, 83, 85, 73], n=5)", "Score of A", 50)
    pressed("contingency, 20 x 1000 trials", "explore.contingency_simulation()", "Share on which system II is forced to be right", 100)


def pressed(what: str, source: str, name: str, most: float) -> None:
    """One line for an explorer and one of its sliders."""
    what = f"slider: key press -> picture, {what}"
    if not find_browser():
        line(f"{what}: not measured, there is no Chromium", "")
        return
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    from fstats.teaching.notebook_build import KERNEL

    cell = new_code_cell(f"from fstats import explore\n\n{source}")
    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(new_notebook(cells=[cell], metadata={"kernelspec": KERNEL}), Path(folder) / "slider.ipynb")
        with jupyterlab(Path(folder)) as address, browser_page() as page:
            open_and_run(page, address, "slider.ipynb")
            page.locator(".fstats-explorer").get_by_role("slider", name=name, exact=True).focus()
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(1000)
            page.evaluate(WATCH)
            for k in range(60):
                page.keyboard.press("ArrowLeft" if k % 10 < 5 else "ArrowRight")
                page.wait_for_timeout(150)
            answers = sorted(page.evaluate("window.answers"))
    p90 = answers[int(0.9 * len(answers))]
    figures = f"{statistics.median(answers):.0f} / {p90:.0f} / {answers[-1]:.0f} ms"
    line(f"{what} ({len(answers)} of 60)", figures, target=f"p90 <= {most:g}", met=len(answers) == 60 and p90 <= most)
    print("    (median / 90th percentile / longest)")


def bayesian() -> None:
    """Posteriors with a rope: a million at once, and one of each beside baycomp's (where it is installed)."""
    d = RNG.normal(0.01, 0.02, (10, 1000, 1000))
    what = "BayesianCorrelatedT, 1,000 x 1,000 posteriors of 10 folds"
    within(what, 1, lambda: fstats.BayesianCorrelatedT(d, rho=0.1, rope=0.01).probabilities, 3)
    folds = iter(RNG.normal(RNG.normal(0.01, 0.01, (4, 10, 1)), 0.02, (4, 10, 10)))  # new ones each time: an answer is kept
    what = "BayesianHierarchical, 10 data sets of 10 folds"
    within(what, 0.3, lambda: fstats.BayesianHierarchical(next(folds), rho=0.1, rope=0.01).probabilities, 3)
    try:
        baycomp = import_module("baycomp")
    except ImportError:
        line("Bayesian comparisons beside baycomp: not measured, it is missing", "")
        return
    x, y = RNG.normal(0.8, 0.03, (2, 14))
    same(fstats.BayesianCorrelatedT(x - y, rho=1 / 14, rope=0.01).probabilities[::-1], baycomp.two_on_single(x, y, 0.01))
    races: list[tuple[str, Work, Work, tuple[int, int]]] = [
        (
            "BayesianCorrelatedT, 14 folds | baycomp two_on_single",
            lambda: fstats.BayesianCorrelatedT(x - y, rho=1 / 14, rope=0.01).probabilities,
            lambda: baycomp.two_on_single(x, y, 0.01),
            (50, 50),
        ),
        (
            "BayesianSignTest, n = 14 | baycomp SignTest",
            lambda: fstats.BayesianSignTest(x, y, rope=0.01).probabilities,
            lambda: baycomp.SignTest.probs(x, y, 0.01),
            (20, 5),
        ),
        (
            "BayesianSignedRank, n = 14, 50,000 draws | baycomp",
            lambda: fstats.BayesianSignedRank(x, y, rope=0.01).probabilities,
            lambda: baycomp.SignedRankTest.probs(x, y, 0.01),
            (1, 1),
        ),
    ]
    for what, ours, rival, times in races:
        faster(what, *in_turn(ours, rival, 5, times), least=1)


def desk() -> None:
    """Everything that the desk shows of a table."""
    from tests.benchmarks.desk_tables import predictions, scores

    for what, limit, table in (("40 classifiers on 200 data sets", 1.0, scores()), ("100,000 records", 5.0, predictions())):
        within(f"desk: {what}", limit, lambda table=table: fstats.desk(table).view, 3)  # type: ignore[misc]


MEASURES = (
    *(paired_t_once, paired_t_batch, signed_rank_with_ties, signed_rank_of_50, signed_rank_batches, two_classifiers, any_metric),
    *(areas_under_curves, many_classifiers, resampling, benchmarked, bayesian, contingency_study, fold_study, correlations_study),
    *(grading, votes, frames, start, script_path, slider, desk, growth),
)


def main() -> None:
    """The lines of what is asked for."""
    every: dict[str, Callable[[], None]] = {measure.__name__: measure for measure in MEASURES}
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("measures", nargs="*", metavar="measure", help=f"{', '.join(every)}; if none is named, all")
    parser.add_argument("--picture", type=Path, help="a file for the picture of growth, such as growth.svg")
    asked = parser.parse_args()
    if unknown := [name for name in asked.measures if name not in every]:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(every)}")
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, {platform.system()} {platform.machine()}"
    )
    line("what | rival", "ours", "rival", "ratio", "target")
    every["growth"] = lambda: growth(asked.picture)
    for name in asked.measures or every:
        every[name]()


if __name__ == "__main__":
    main()
