"""Which test: complete, without contradiction, and the same in function, slider and diagram; and the sentence for a paper."""

import inspect
import re
import subprocess
import sys
from functools import cache
from html import escape
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser
from shortcuts import assert_raises, parametrize

import fstats
from fstats import explore
from fstats.core.hypothesis import HypothesisTest
from fstats.core.number_format import format_plain
from fstats.guide.decision_diagram import diagram_lines, draw_decision_diagram
from fstats.guide.decision_questions import QUESTIONS, SEED_QUESTION
from fstats.guide.recommendation import Recommendation, Undecided, decide
from fstats.guide.rules import PHRASES, RULES
from fstats.guide.seed_advice import ADVICE
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.render.html import escape_prose
from fstats.studies import bcv, post_hoc, small_samples, stress

NAMES = [question.name for question in QUESTIONS]
COMBINATIONS = [
    answers
    for answers in (dict(zip(NAMES, answers)) for answers in product(*(question.answers for question in QUESTIONS)))
    if (answers["aim"], answers["classifiers"]) != ("equivalence", "one")  # one classifier is compared with a stated value
]


# -- the table ---------------------------------------------------------------------------------------------------------------
def test_each_combination_of_answers_has_exactly_one_rule():
    assert len(COMBINATIONS) == prod(len(question.answers) for question in QUESTIONS) * 5 // 6 == 320
    for answers in COMBINATIONS:
        assert sum(rule.fits(answers) for rule in RULES) == 1, answers


def test_every_rule_is_reached():
    reached = {id(decide(answers).rule) for answers in COMBINATIONS}
    assert reached == {id(rule) for rule in RULES}


@pytest.mark.every_case
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.end} {' '.join(rule.when.values())}")
def test_a_rule_is_complete(rule):
    for name in filter(None, (rule.test, *rule.then, *rule.avoid)):
        assert isinstance(getattr(fstats, name), type), name
    assert rule.test not in rule.avoid
    assert rule.avoid
    for text in (rule.why, rule.needs, rule.assumes):
        assert text.endswith((".", ").", "]).", "interval."))
        assert "accept" not in text
    assert re.search(r"\(\d{4}\)|Wang and Li", rule.reference)
    assert re.fullmatch(r"\d\d[a-z]?_\w+", rule.notebook)
    for name, answer in rule.when.items():
        assert answer in next(question for question in QUESTIONS if question.name == name).answers


# -- the function ------------------------------------------------------------------------------------------------------------
def test_the_function_follows_the_table():
    for answers in COMBINATIONS:
        found = fstats.which_test(**answers)
        assert isinstance(found, Recommendation)
        rule = next(rule for rule in RULES if rule.fits(answers))
        assert found.test is (getattr(fstats, rule.test) if rule.test else None)
        texts = [*dict(found.lines).values(), ""]
        for text in (rule.why, rule.details, rule.needs, rule.assumes, rule.evidence, rule.after):
            assert text in texts
        assert (f"fstats.{rule.test}" if rule.test else "none fits") in found._repr_html_()


def test_what_is_printed_is_short():
    """At most ten lines of at most 90 characters, uncut, for every combination of answers, also of some of the questions."""
    questions = (*QUESTIONS, SEED_QUESTION)
    for values in product(*((None, *question.answers) for question in questions)):
        found = decide({question.name: value for question, value in zip(questions, values) if value is not None})
        rows = repr(found).split("\n")
        assert len(rows) <= 10
        assert max(map(len, rows)) <= 90
        if isinstance(found, Recommendation):
            printed = " ".join(" ".join(rows).split())
            for text in (found.why, found.report, found.references[0], *found.also_fits):
                assert text in printed


def test_the_rest_is_available_by_name():
    found = fstats.which_test(aim="difference", classifiers="two", data_sets="one", results="scores", size="large", seeds="one")
    more = repr(found).partition("More ")[2].split()
    names = ["seeds", "details", "needs", "assumes", "why_not", "evidence", "levels", "second", "references", "lines", "plot()"]
    assert more == [f".{name}" for name in names]
    main, rest = found._repr_html_().split("<details><summary>More</summary>")
    for text in (found.seeds, found.details, found.needs, found.assumes, *found.why_not, *found.second, *found.references[1:]):
        assert escape(text) in rest
        assert escape(text) not in main
    assert [text.split()[0] for text in found.evidence] == ["None", "Worst"]
    assert found.second[1].startswith("fstats.BlockedFiveByTwoT (ours): from the same ten tables")


def test_open_questions_are_asked_one_by_one():
    """Whoever answers them in turn needs no question that does not matter, and comes to the same test."""
    for answers in COMBINATIONS:
        told = {}
        while isinstance(found := decide(told), Undecided):
            assert found.question.name not in told
            assert len({rule.test for rule in found.rules}) > 1 or len(found.rules) > 1
            told[found.question.name] = answers[found.question.name]
        assert found.rule.fits(answers)
        assert set(told) == set(found.rule.when)


def test_one_classifier_is_compared_with_a_stated_value():
    """Whatever the aim: the interval also says whether the accuracy lies within a margin."""
    for aim in (None, "difference", "equivalence"):
        found = fstats.which_test(aim=aim, classifiers="one", data_sets="one", results="records")
        assert found.test is fstats.BinomialProportion
        assert "within a margin" in found.details
    assert fstats.which_test(classifiers="one").question.name == "data_sets"
    smallest = next(n for n in range(1, 20) if fstats.BinomialProportion(n, n).reject)
    assert f"fewer than {smallest} records cannot reject at 0.05" in found.assumes


def test_the_notebooks_say_how_many_questions_are_asked():
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    most = words[max(len(rule.when) for rule in RULES)]
    notebooks = Path(__file__).parents[2] / "notebooks"
    assert f"asks you at most {most} questions" in (notebooks / "00_start_here.ipynb").read_text(encoding="utf-8")
    lesson = (notebooks / "09_which_test.ipynb").read_text(encoding="utf-8")
    assert f"The tree has {words[len(QUESTIONS)]} questions and asks at most {most}" in lesson


# -- each end, as a referee reads it ------------------------------------------------------------------------------------------
# What kind of data a test takes; the rows of its input are independent data sets, records, or splits.
OF_DATA_SETS = {
    *(fstats.PairedT, fstats.SignedRank, fstats.WelchT, fstats.RankSum, fstats.EquivalenceT, fstats.EquivalenceSignedRank),
    *(fstats.RepeatedAnova, fstats.ImanDavenport, fstats.Friedman, fstats.OneWayAnova),
}
OF_ONE = {"many": fstats.OneSampleT, "records": fstats.BinomialProportion, "runs": fstats.OneSampleT, "scores": None}
OF_ONE |= {"rankings": fstats.RankSum}
OF_SAME_RECORDS = {fstats.McNemarExact, fstats.McNemarMidP, fstats.CochranQ, fstats.PairedTable}
OF_OWN_RECORDS = {fstats.DifferenceOfProportions, fstats.RankSum}  # of right and wrong: Fisher's exact test
OF_RANKED = {"yes": {fstats.DeLong}, "no": {fstats.UnpairedDeLong}}
OF_SPLITS = {fstats.CalibratedFiveByTwoF, fstats.CorrectedRepeatedKFoldT}
OF_RUNS = {fstats.WelchT, fstats.RankSum}
MARGIN = 0.2


def right(n, k, seed=0):
    """Right (1) and wrong (0) of k classifiers on n records."""
    return (np.random.default_rng(seed).random((n, k)) < np.linspace(0.6, 0.8, k)).astype(int)


@cache  # many combinations of answers lead to the same comparison
def compared(test):
    """A test on the splits of one data set."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return fstats.compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *load_iris(return_X_y=True), test=test)


def carried_out(answers, test):
    """The test on such data as these answers describe."""
    if test is fstats.BinomialProportion:
        return test.from_records(right(30, 1)[:, 0])
    if answers["classifiers"] == "one" and test is fstats.RankSum:
        return test([0.4, 0.7, 0.8, 0.9], [0.3, 0.2, 0.5])
    if test is fstats.OneSampleT:
        return test(np.random.default_rng(4).normal(0.8, 0.02, 9), 0.75)
    many, few = answers["classifiers"] == "many", answers["size"] == "small"
    margin = {"margin": MARGIN} if issubclass(test, (fstats.EquivalenceT, fstats.EquivalenceSignedRank)) else {}
    if answers["data_sets"] == "many":
        rng = np.random.default_rng(1)
        scores = rng.normal(0.8, 0.05, (7 if few else 12, 4 if many else 2))
        if answers["results"] == "records":
            scores = np.stack([right(200, scores.shape[1], seed).mean(0) for seed in range(len(scores))])
        if issubclass(test, (fstats.RepeatedAnova, fstats.ImanDavenport, fstats.Friedman)):
            return test(scores, **({"method": "exact"} if test is fstats.Friedman else {}))
        if test is fstats.OneWayAnova:  # of different sizes
            return test.from_groups(scores[:, 0], scores[1:, 1], scores[2:, 2])
        paired = answers["paired"] == "yes"
        return test(scores[:, 0], scores[:, 1] if paired else scores[2:, 1], **margin)
    if answers["results"] == "scores":
        return compared(test)
    if answers["results"] == "runs":
        x, y = np.random.default_rng(3).normal(0.8, 0.02, (2, 7 if few else 12))
        return test(x, y[1:], unit="run")
    if answers["results"] == "rankings":
        y, ranked = np.arange(40) % 2, np.random.default_rng(2).normal(size=(2, 40)) + np.arange(40) % 2
        return test(y, *ranked) if test is fstats.DeLong else test(y, ranked[0], y[:30], ranked[1, :30])
    answer = right(30 if few else 200, 4 if many else 2)
    if test is fstats.CochranQ:
        return test(answer)
    if test is fstats.PairedTable:
        return test(np.ones(len(answer)), answer[:, 0], answer[:, 1])
    if issubclass(test, fstats.McNemarExact):
        return test.from_predictions(np.ones(len(answer)), answer[:, 0], answer[:, 1])
    other = right(50 if few else 350, 1, seed=2)[:, 0]
    if test is fstats.RankSum:
        return test(answer[:, 0], other)
    return test(answer[:, 0].sum(), other.sum(), len(answer), len(other))


@pytest.mark.parametrize("answers", COMBINATIONS, ids=lambda answers: " ".join(answers.values()))
def test_each_end_can_be_carried_out_on_the_data_that_lead_there(answers):
    found = fstats.which_test(**answers)
    if answers["classifiers"] == "one":
        assert found.test is OF_ONE["many" if answers["data_sets"] == "many" else answers["results"]]
        if found.test:
            assert 0 <= carried_out(answers, found.test).pvalue <= 1
        return
    kinds = {"many": OF_DATA_SETS, "one": OF_SPLITS}[answers["data_sets"]]
    if (answers["data_sets"], answers["results"]) == ("one", "records"):
        kinds = OF_SAME_RECORDS if answers["paired"] == "yes" else OF_OWN_RECORDS
    if (answers["data_sets"], answers["results"]) == ("one", "rankings"):
        kinds = OF_RANKED[answers["paired"]]
    if (answers["data_sets"], answers["results"]) == ("one", "runs"):
        kinds = OF_RUNS
    if found.test is None:
        assert answers["aim"] == "equivalence"
        assert answers["size"] == "small"
        return
    assert found.test in kinds
    paired = answers["paired"] == "yes"
    apart = (fstats.WelchT, fstats.RankSum, fstats.OneWayAnova, fstats.DifferenceOfProportions, fstats.UnpairedDeLong)
    assert (found.test not in apart) == paired or kinds in (OF_SPLITS, OF_RUNS)
    test = carried_out(answers, found.test)
    if isinstance(test, HypothesisTest):
        assert 0 <= test.pvalue <= 1
        assert str(fstats.report(test))
    if answers["aim"] == "equivalence" and not hasattr(test, "margin"):
        ends = test.difference_ci if isinstance(test, fstats.PairedTable) else test.ci
        assert "alpha=0.10" in found.why
        assert ends.low < ends.high
    for follows in found.then:
        assert callable(follows)


@pytest.mark.parametrize("results", ["records", "rankings"])
def test_another_metric_on_the_same_records_is_sent_to_the_test_that_takes_it(results):
    """By the names that the rule gives it, on the data that led there."""
    needs = fstats.which_test(aim="difference", classifiers="two", data_sets="one", results=results, paired=True, size="small").rule.needs
    assert "PairedBootstrap" in needs
    y, (a, b) = np.arange(40) % 2, right(40, 2).T
    metrics = {"F1": "f1", "macro-F1": "f1_macro", "MCC": "mcc", "average precision": "average_precision", "Brier": "brier"}
    for named, metric in metrics.items():
        if named in needs:
            assert 0 < fstats.PairedBootstrap(y, a, b, metric=metric, draws=200).pvalue <= 1
    assert ("macro-F1" in needs) == (results == "records")
    assert ("log loss" in needs) == (results == "rankings")


@pytest.mark.parametrize("answers", COMBINATIONS, ids=lambda answers: " ".join(answers.values()))
def test_each_end_says_what_it_needs(answers):
    rule = decide(answers).rule
    paired = answers["paired"] == "yes"
    if answers["classifiers"] == "one":
        words = {"records": "independent test records", "scores": "neither trained nor chosen"}
        words |= {"rankings": "not trained on", "runs": "own seed"}
        assert ("independent data sets" if answers["data_sets"] == "many" else words[answers["results"]]) in rule.needs
        return
    if answers["data_sets"] == "many":
        assert "independent data sets" in rule.needs
        assert "average their scores first (fstats.average_folds)" in rule.needs
        assert ("same independent data sets" if paired else "of its own") in rule.needs
    elif answers["results"] == "records":
        assert rule.needs.startswith("Right or wrong answers of each classifier on")
        assert "trained on" in rule.needs
        assert ("the same independent test records" if paired else "its own independent test records") in rule.needs
    elif answers["results"] == "runs":
        assert "Each run has its own seed" in rule.needs
        assert "on one fixed split" in rule.needs
        assert "another split" in rule.assumes  # of which it says nothing
    elif answers["results"] == "rankings":
        assert "class of each" in rule.needs.lower() or rule.needs.startswith("Class and score")
        assert "trained on" in rule.needs
        assert ("the same independent test records" if paired else "of its own") in rule.needs
    else:
        assert "trained anew on the same splits" in rule.needs
        assert "Any metric is allowed" in rule.needs
    if answers["aim"] == "equivalence":
        assert "margin" in rule.why
        assert "margin" in rule.report
        assert "every pair must show equivalence" in rule.details
        assert {"EquivalenceT", "EquivalenceSignedRank"} & {rule.test, *rule.avoid}


@pytest.mark.complete
def test_code_in_the_rules_runs():
    """Whatever the rules write as code is carried out; only its data are filled in."""
    import scipy.stats
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(3)
    x, y, a, b = rng.normal(size=9), rng.normal(size=7), right(60, 2)[:, 0], right(60, 2)[:, 1]
    filled = {
        "DifferenceOfProportions(...": "DifferenceOfProportions(45, 160, 50, 200",
        "compare(...": "compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *iris, progress=False",
        "UnpairedDeLong(...": "UnpairedDeLong(a, b / 2, b, a / 3",
        "DeLong(...": "DeLong(a, b / 2, a / 3",
        "PairedTable(y,": "PairedTable(np.ones(60),",
        "Friedman(...": "Friedman(TABLE",
        "TukeyHSD(...": "TukeyHSD(TABLE",
        "Holm.from_pvalues([...])": "Holm.from_pvalues([0.01, 0.2])",
    }
    names = vars(fstats) | {name: getattr(fstats, name) for rule in RULES for name in filter(None, (rule.test, *rule.then))}
    names |= {"scores": TABLE, "Pairwise": fstats.Pairwise, "PairedT": fstats.PairedT, "SignTest": fstats.SignTest}
    names |= {"scipy": scipy, "np": np, "TABLE": TABLE, "x": x, "y": y, "a": a, "b": b, "n01": 3, "n10": 4, "n": 60, "right": 55}
    names |= {"GaussianNB": GaussianNB, "DecisionTreeClassifier": DecisionTreeClassifier, "compare": fstats.compare}
    names["iris"] = load_iris(return_X_y=True)
    written = set()
    for rule in RULES:
        for text in (rule.why, rule.details, rule.assumes, rule.after):
            written |= set(re.findall(r"[\w.]+\((?:[^()]|\([^()]*\))*\)(?:\.\w+)*(?:\(0\.95\))?(?:\.high)?", text))
    assert len(written) >= 9
    for code in written:
        for short, whole in filled.items():
            code = code.replace(short, whole)
        assert eval(code, names) is not None, code


@pytest.mark.parametrize("classifiers", ["two", "many"])
@pytest.mark.parametrize("paired", [True, False])
def test_five_records_never_show_equivalence(classifiers, paired):
    """No end leads there, and what is said to be possible is not satisfied by them at a margin of 0.2."""
    from scipy.stats import binomtest

    asked = {"aim": "equivalence", "classifiers": classifiers, "data_sets": "one", "results": "records", "paired": paired}
    assert fstats.which_test(**asked).question.name == "size"
    found = fstats.which_test(**asked, size="small")
    assert found.test is None
    if paired:
        assert binomtest(0, 5, alternative="less").proportion_ci(0.95).high > MARGIN
        enough = [
            n for n in (58, 59, 298, 299) if binomtest(0, n, alternative="less").proportion_ci(0.95).high < (0.05 if n < 100 else 0.01)
        ]
        assert enough == [59, 299]
    else:
        ends = binomtest(5, 5).proportion_ci(0.95)
        assert ends.high - ends.low > MARGIN
        assert fstats.DifferenceOfProportions(5, 5, 5, alpha=0.1).ci.high > MARGIN
        enough = [n for n in (71, 72, 367, 368) if 1 - binomtest(n, n).proportion_ci(0.95).low < (0.05 if n < 100 else 0.01)]
        assert enough == [72, 368]
    assert [int(n) for n in re.findall(r"needs (\d+)", found.rule.assumes)] == enough


def test_the_smallest_samples_that_can_decide():
    """Fewer than 6 pairs, 4 + 4 scores, 5 discordant records, 5 pairs within a margin: as the rules say."""

    def decides(test, n):
        far = np.arange(n) + 100.0
        data = {
            fstats.SignedRank: lambda: test(far, np.arange(n) * 0.5),
            fstats.RankSum: lambda: test(far, np.arange(n)),
            fstats.McNemarMidP: lambda: test(0, n),
            fstats.EquivalenceSignedRank: lambda: test(np.arange(n) * 1e-3, np.zeros(n), margin=1),
        }
        return bool(data[test]().reject)

    for test, least in ((fstats.SignedRank, 6), (fstats.RankSum, 4), (fstats.McNemarMidP, 5), (fstats.EquivalenceSignedRank, 5)):
        assert (decides(test, least - 1), decides(test, least)) == (False, True)
        assert any(f"fewer than {least} " in rule.assumes for rule in RULES if rule.test == test.__name__)


# -- the diagram and the slider ----------------------------------------------------------------------------------------------
@parametrize("name, test", ("RESAMPLED", "ResampledT"), ("K_FOLD", "KFoldT"), ("CORRECTED_RATES", "CorrectedRepeatedKFoldT"))
def test_rates_in_the_rules_are_those_of_the_stored_study(name, test):
    """Where a rule calls a test liberal or conservative, it says by how much, and the study says the same."""
    rates = [bcv.table5()[source, test].ours for source in ("EXP6", "Simple")]
    text = PHRASES[name]
    assert re.findall(r"([\d.]+) %", text) == [f"{100 * rate.rate:.1f}" for rate in rates]
    assert any(text in " ".join((rule.evidence, *rule.avoid.values())) for rule in RULES)
    if test in ("ResampledT", "KFoldT"):
        assert {rate.verdict() for rate in rates} == {"liberal"}
    if "conservative" in text:
        assert {rate.verdict() for rate in rates} == {"conservative"}


def test_what_the_rules_say_of_the_tests_on_ten_tables_is_stored():
    """The cautious one where training is stable and at its worst; the price of the other, in power."""
    bench, name = stress.stored(), "BlockedFiveByTwoMcNemar"
    rates = [bcv.table5()[source, name].ours for source in ("EXP6", "Simple")]
    assert {rate.verdict() for rate in rates} == {"conservative"}
    worst = bench.of(name)
    assert re.findall(r"([\d.]+) %", PHRASES["CONSERVATIVE_IF_STABLE"]) == [f"{100 * rate.rate:.1f}" for rate in (*rates, worst)]
    assert PHRASES["CONSERVATIVE_IF_STABLE"].endswith(f"({worst.cell})")
    rule = next(rule for rule in RULES if rule.test == "CalibratedFiveByTwoF")
    assert rule.avoid[name] == PHRASES["CONSERVATIVE_IF_STABLE"]
    assert bench.of(rule.test).rate < bench.of(name).rate / 2  # at its worst, too


def test_the_first_recommendation_is_published_and_the_default_of_compare():
    """What is composed here is named second, with its evidence; the reasons of the choice are the numbers of the stored studies."""
    kinds = {rule.test: getattr(fstats, rule.test).origin().kind for rule in RULES if rule.test}
    assert {name: kind for name, kind in kinds.items() if kind != "published"} == {"EquivalenceSignedRank": "variant"}
    bench, rule = stress.stored(), next(rule for rule in RULES if rule.test == "CalibratedFiveByTwoF")
    published = {test.__name__ for test in ALL_TESTS if test.origin().kind == "published"}
    assert all(bench.of(test).verdict() == "liberal" for test in published - {"ConservativeZ"})
    coin = bench.of("ConservativeZ", coin=True)
    assert (bench.of("ConservativeZ").verdict(), coin.verdict(), coin.repetitions) == ("cannot be told", "liberal", 1000)
    assert f"it rejects {coin.percentages} if a coin exchanges the two learners in every training" in rule.evidence
    chosen = bench.of(rule.test).interval
    for other in ("CorrectedRepeatedKFoldT", "CorrectedResampledT"):
        assert bench.of(other).interval[0] > chosen[1]
    for other in ("CombinedFiveByTwoF", "FiveByTwoT", "BlockedThreeByTwoT"):  # their intervals overlap with that of the choice
        assert bench.of(other).interval[0] < chosen[1]
        assert chosen[0] < bench.of(other).interval[1]
    powers = {where: {rate.test: rate.rate for rate in rates} for where, rates in bench.powers.items()}
    assert powers["Simple at 0.3"]["FiveByTwoT"] < powers["Simple at 0.3"][rule.test]
    assert powers["EXP6 at 0.5"]["FiveByTwoT"] > powers["EXP6 at 0.5"][rule.test]
    for where in ("EXP6 at 0.5", "EXP6 at 0.8"):
        assert powers[where]["BlockedThreeByTwoT"] < powers[where][rule.test]
    assert f"{100 * bcv.table5()['Epsilon', 'BlockedThreeByTwoT'].ours.rate:.1f} % on Epsilon" in rule.evidence
    stable = {rate.test: rate.rate for rate in small_samples.stored().of(50)}
    few = [stable[name] for name in (rule.test, "CorrectedRepeatedKFoldT")]
    assert f"CalibratedFiveByTwoF rejects {100 * few[0]:.1f} %." in rule.evidence
    found = {(worst.test, str(worst.cell)): worst.rate for worst in bench._confirmed}
    few_records = (
        "stump on mirrored features, n = 50",
        "1-NN on mirrored features, n = 50",
        "naive Bayes on mirrored features, nothing to learn, n = 100",
    )
    expected = [few[1], few[0], *(found[test, cell] for cell in few_records for test in ("CorrectedRepeatedKFoldT", rule.test))]
    assert re.findall(r"([\d.]+) %", PHRASES["CORRECTED_FEW_RECORDS"]) == [f"{100 * rate:.1f}" for rate in expected]
    ours = [
        bench.of("BlockedFiveByTwoT").rate,
        *(powers[where]["BlockedFiveByTwoT"] for where in ("EXP6 at 0.5", "EXP6 at 0.8", "Simple at 0.3")),
    ]
    assert re.findall(r"([\d.]+) %", rule.second["BlockedFiveByTwoT"]) == [f"{100 * rate:.1f}" for rate in ours]
    default = inspect.getdoc(fstats.compare).partition("Default:")[2].partition("rng : ")[0]
    assert re.findall(r"`fstats.(\w+)`", default) == ["which_test", rule.test, next(iter(rule.second))]


def test_levels_of_tests_on_few_discordant_records_are_those_of_an_enumeration():
    """The rates of the rule, the only decision of 1 to 24 discordant records in which Edwards' correction differs, and the level."""
    from scipy.stats import binom

    tests = {name: getattr(fstats, name) for name in ("McNemarMidP", "McNemarExact")}
    for name, values in re.findall(r"(McNemar\w+) ([\d.%, ]+ %)", PHRASES["MID_P_LEVELS"]):
        for value, (n, share) in zip(re.findall(r"[\d.]+", values), ((100, 0.1), (100, 0.2), (500, 0.2)), strict=True):
            level = 0.0
            for d in range(1, n + 1):
                k = np.arange(d + 1)
                level += binom.pmf(d, n, share) * (binom.pmf(k, d, 0.5) * tests[name](k, d - k).reject).sum()
            assert f"{100 * level:.1f}" == value, (name, n)
    tables = [(k, n - k) for n in range(1, 25) for k in range(n // 2 + 1)]
    differing = [table for table in tables if bool(fstats.McNemar(*table).reject) != bool(fstats.McNemarExact(*table).reject)]
    assert differing == [(4, 13)]
    assert "only for 4 against 13" in next(rule.avoid["McNemar"] for rule in RULES if "McNemar" in rule.avoid)
    assert not fstats.McNemarExact(0, 5).reject
    assert fstats.McNemarExact(0, 6).reject


@pytest.mark.complete
def test_the_approximation_where_the_exact_friedman_test_has_too_many_orders():
    """The F of Iman and Davenport rejects 5 to 6 % of true hypotheses, and the chi-squared approximation 2 to 4 %."""
    text = next(rule.second["ImanDavenport"] for rule in RULES if rule.test == "Friedman")
    assert "5 to 6 % of true hypotheses, and the chi-squared approximation 2 to 4 %" in text
    for k, n in ((6, 9), (7, 5), (8, 3), (8, 9), (10, 3), (10, 9)):
        scores = np.random.default_rng(k * n).random((n, k, 10_000))
        rates = fstats.ImanDavenport(scores).reject.mean(), fstats.Friedman(scores).reject.mean()
        assert 0.045 < rates[0] < 0.065, (k, n)
        assert 0.01 < rates[1] < 0.05, (k, n)
    with pytest.raises(ValueError, match=r"needs more than 40,000,000 rank sums after 3 rows. Use fstats\.ImanDavenport"):
        _ = fstats.Friedman(scores[..., 0], method="exact").pvalue


def test_the_notebook_of_a_rule_uses_the_recommended_test():
    notebooks = Path(__file__).parents[2] / "notebooks"
    for rule in RULES:
        assert re.search(rf"\b{rule.test}\b", (notebooks / f"{rule.notebook}.ipynb").read_text(encoding="utf-8")), dict(rule.when)


def test_the_worst_level_is_that_of_the_bench():
    """The guide lies below the studies, and keeps a copy of what they found, in words."""
    kept = (Path(fstats.__file__).parent / "guide" / "worst_levels.json").read_text(encoding="utf-8").strip()
    assert kept == stress.stored().guide_json, "write it again: python -m fstats.studies.stress > fstats/guide/worst_levels.json"
    for answers in COMBINATIONS:
        found = fstats.which_test(**answers)
        lines = dict(found.lines)
        if (levels := found.levels) is not None:
            assert {line[0]: line[2] for line in levels.lines} == {worst.test: worst.percentages for worst in stress.stored()}
        tried = found.rule.test in stress.worst_case_search.TESTS
        assert ("Worst level" in lines) == tried
        if tried:
            worst = stress.stored().of(found.test)
            assert lines["Worst level"].startswith(f"{worst.rate:.2f}")
            assert ("instead of 0.05" in lines["Worst level"]) == (worst.verdict() == "liberal")
            by_coin = stress.stored().of(found.test, coin=True)
            assert f"({worst.cell.description}; interval" in lines["Worst level"]
            assert (f"({by_coin.cell.description}; interval" in lines["Worst level"]) == (by_coin.rate > worst.rate)
            if found.bayesian:
                bayesian = stress.stored().of(found.bayesian).description
                assert f" {found.bayesian.__name__}: {bayesian}. " in lines["Worst level"]
            assert ("test of a difference" in lines["Worst level"]) == (answers["aim"] == "equivalence")


def test_a_recommendation_loads_no_study():
    asked = 'fstats.which_test(aim="difference", classifiers="two", data_sets="one", results="scores", size="small")'
    told = "print(*[name for name in sys.modules if name.startswith('fstats.studies') or name in ('sklearn', 'pandas', 'matplotlib')])"
    done = subprocess.run([sys.executable, "-c", f"import fstats, sys; repr({asked}); {told}"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_rates_of_post_hoc_tests_are_those_of_the_stored_study():
    study = post_hoc.stored()
    worst = [study.worst("TukeyHSD", 5), study.worst("TukeyHSD", 8)]
    assert {rate.effect.times for rate in worst} == {5}
    most = [max(study.of(test), key=lambda rate: rate.rate) for test in ("Holm on PairedT", "RepeatedAnova, Greenhouse-Geisser")]
    assert re.findall(r"([\d.]+) %", PHRASES["POST_HOC_RATES"]) == [f"{100 * rate.rate:.1f}" for rate in worst + most]
    assert [rate.verdict() for rate in worst] == ["liberal"] * 2
    nemenyi = [study.worst("Nemenyi", k) for k in (5, 8)]
    assert {rate.effect.times for rate in nemenyi} == {5}
    assert re.findall(r"([\d.]+) %", PHRASES["NEMENYI_RATES"]) == [f"{100 * rate.rate:.1f}" for rate in nemenyi]


def test_how_many_data_sets_signed_ranks_need_after_holm():
    needed = {"three": 3, "four": 4, "five": 5, "six": 6}
    told = re.findall(r"(\d+)(?: data sets)? for (three|four|five|six)", PHRASES["SIGNED_RANKS"])
    assert [word for _, word in told] == list(needed)
    for n, word in told:
        for size, some in ((int(n), True), (int(n) - 1, False)):
            scores = np.arange(size)[:, None] * np.arange(needed[word]) + np.arange(needed[word]) + 0.5  # each pair always in one order
            assert fstats.Holm.from_test(fstats.Pairwise(scores)).reject.any() == some, (word, size)


def test_the_diagram_has_an_end_for_each_rule():
    ends = [entry for entry in diagram_lines() if entry.test]
    assert sorted(entry.test for entry in ends) == sorted(rule.end for rule in RULES)
    for entry in ends:
        assert decide(entry.answers).rule.end == entry.test


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.end} {' '.join(rule.when.values())}")
def test_the_diagram_shows_one_way(rule):
    picture = draw_decision_diagram(rule.when)
    bold = [mark.words for mark in picture.marks if getattr(mark, "bold", False)]
    assert len(bold) == len(rule.when)
    assert bold[-1].endswith(f"→  {rule.end}")
    assert picture.text.endswith(f": {rule.end}.")
    longest = max(mark.x + 8.6 * len(mark.words) for mark in picture.marks if hasattr(mark, "words"))
    assert longest < 640


@pytest.mark.complete
def test_the_sliders_lead_where_the_table_says():
    explorer = explore.which_test()
    for answers in COMBINATIONS[::5]:  # ends without a test among them
        explorer.reset()
        explorer.move(**{name: list(question.answers).index(answers[name]) for name, question in zip(NAMES, QUESTIONS)})
        found = fstats.which_test(**answers)
        assert explorer.values == answers
        use = f"Use fstats.{found.rule.test}" if found.rule.test else "No test fits"
        assert explorer.view["conclusion"] == f"{use}. {found.rule.why}"
        assert explorer.view["pictures"] == [draw_decision_diagram(found.rule.when, whole=False, across=616).svg()]
        for _, text in found.lines:
            assert escape_prose(text) in explorer.view["work"]


@pytest.mark.complete
def test_a_question_that_does_not_matter_is_inactive():
    """Changing an inactive one leads nowhere else; each active one does, or its other answer asks on."""
    explorer = explore.which_test()
    for answers in COMBINATIONS[::7]:
        explorer.reset()
        explorer.move(**{name: list(question.answers).index(answers[name]) for name, question in zip(NAMES, QUESTIONS)})
        found = fstats.which_test(**answers).rule
        for control, question in zip(explorer.controls, QUESTIONS):
            others = set(question.answers) - {answers[control.name]}
            leads_elsewhere = any(fstats.which_test(**{**answers, control.name: other}).rule is not found for other in others)
            assert control.active == leads_elsewhere, control.label
        assert [control["active"] for control in explorer.view["controls"]] == [control.active for control in explorer.controls]


# -- the sentence ------------------------------------------------------------------------------------------------------------
A, B = [85, 70, 79, 78, 83, 90], [87, 68, 85, 75, 83, 85]
TABLE = np.random.default_rng(4).normal(0.8, 0.05, (8, 4)).round(3)
TESTS = [
    fstats.PairedT(A, B),
    fstats.PairedT(A, B, alternative="greater", alpha=0.1),
    fstats.SignedRank(A, B),
    fstats.EquivalenceT(A, B, margin=10),
    fstats.WelchT(A, B[:4]),
    fstats.RankSum(A, B),
    fstats.SignTest(A, B),
    fstats.McNemarExact(4, 15),
    fstats.McNemar(30, 60),
    fstats.DifferenceOfProportions(80, 70, 100),
    fstats.Friedman(TABLE),
    fstats.ImanDavenport(TABLE),
    fstats.RepeatedAnova(TABLE),
]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: type(test).__name__)
def test_the_sentence_tells_what_the_test_found(test):
    said = fstats.report(test)
    assert format_plain(test.statistic) in said.text
    assert ("p < 0.001" if test.pvalue < 0.001 else f"p = {test.pvalue:.3f}") in said.text
    assert format_plain(test.effect_size) in said.text
    decision = f"We {test.decision[0].lower()}{test.decision[1:]} at alpha = {format_plain(test.alpha)}"
    assert f"{decision}{test.verdict}. {test.remark}".rstrip() in said.text
    assert (" (one-sided)" in said.text) == (test.alternative == "greater")
    if hasattr(type(test), "ci"):
        assert f"confidence interval {test.ci.written(format_plain)}, effect size" in said.text
        level = 100 * (1 - test.alpha * (2 if test.alternative == "equivalence" else 1))
        assert f"{format_plain(level)} % confidence interval" in said.text
    parser = MathTextParser("agg")
    formulas = re.findall(r"\$(.+?)\$", said.latex)
    assert len(formulas) >= 3
    for formula in formulas:
        parser.parse(f"${formula}$")


def test_the_interval_stands_beside_its_own_estimate():
    def said(test):
        return fstats.report(test).text

    scores = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
    assert (
        "p = 0.727, n = 5 data sets, mean score 79 of A and 79.6 of B, standard deviation of the differences 3.578, mean difference -0.6, "
        "95 % confidence interval [-5.042, 3.842], effect size d_z = -0.1677 (negligible). " in said(fstats.PairedT(*scores))
    )
    assert "mean difference -0.6, 95 % confidence interval" in said(fstats.PairedT(*scores))
    assert ", odds ratio 3.75, 95 % confidence interval [" in said(fstats.McNemarExact(4, 15))
    assert ", odds ratio infinite, 95 % confidence interval [0.9164, inf), effect size g = 0.5 (large)." in said(fstats.McNemarExact(0, 5))
    assert ", n = 19 discordant records, " in said(fstats.McNemarExact(4, 15))
    assert ", difference in accuracy 0.1, 95 % confidence interval [" in said(fstats.DifferenceOfProportions(80, 70, 100))
    assert ", n_A = 100 records of A, n_B = 100 records of B, " in said(fstats.DifferenceOfProportions(80, 70, 100))
    assert ", n_x = 3 data sets of A, n_y = 4 data sets of B, " in said(fstats.RankSum([1, 2, 3], [4, 5, 6, 7]))
    assert ", no finite 95 % confidence interval, effect size r = -0.1 (small)." in said(fstats.SignedRank(*scores))
    assert ", mean score 2, 95 % confidence interval [" in said(fstats.OneSampleT([1, 2, 3], 1))
    assert "confidence interval" not in said(fstats.Friedman(TABLE))
    for test in TESTS:
        words = said(test)
        assert "inf]" not in words
        assert "[-inf" not in words
        assert "= inf" not in words


def test_what_was_counted_is_said():
    said = {
        fstats.SignTest(
            [1, 1, 1, 0], [0, 0, 0, 0]
        ): ": m = 0 (the smaller count), exact p = 0.250, n = 3 data sets that count as a win of A or as a win of B (of 4), ",
        fstats.SignTest(
            [1, 0], [0, 0], alternative="greater", labels=["forest", "tree"]
        ): ": m = 0 (for tree), exact p = 0.500 (one-sided), n = 1 ",
        fstats.McNemarExact(4, 15, alternative="less"): ": m = 15 (for A), exact p = 0.998 (one-sided), n = 19 discordant records, ",
        fstats.McNemarExact(0, 1): ", n = 1 discordant record, ",
        fstats.SignedRank([1, 0], [0, 0]): ", n = 1 data set on which the classifiers differ (of 2), ",
        fstats.DifferenceOfProportions(1, 8, 1, 9): ", n_A = 1 record of A, n_B = 9 records of B, ",
        fstats.WelchT([1, 2], [3, 4, 6], labels=["C&RT", "k_NN"]): ", n_x = 2 data sets of C&RT, n_y = 3 data sets of k_NN, ",
        fstats.FiveByTwoT([[1, 2]] * 5): ", difference on the first fold 1, ",
    }
    for test, part in said.items():
        assert part in fstats.report(test).text
    assert r", $n_x = 2$ data sets of C\&RT, $n_y = 3$ data sets of k\_NN, " in fstats.report(list(said)[-2]).latex


def test_infinite_statistics_are_told_in_words():
    above, below = fstats.report(fstats.PairedT([2, 3, 4], [1, 2, 3])), fstats.report(fstats.PairedT([1, 2, 3], [2, 3, 4]))
    assert "t(2) is infinite, p < 0.001, " in above.text
    assert "effect size d_z is infinite." in above.text
    assert "t(2) is negatively infinite, p < 0.001, " in below.text
    assert r"$t(2)$ is negatively infinite, $p < 0.001$" in below.latex


def test_a_statistic_that_is_p_itself_is_told_once():
    test = fstats.EquivalenceSignedRank(np.arange(20) / 100, np.arange(20)[::-1] / 1e4, margin=5)
    said = fstats.report(test)
    assert said.text.startswith("Equivalence test by ranks (variant of Caldwell (2022)): exact p < 0.001, ")
    assert "P = " not in said.text
    assert "P = " not in said.latex


def test_degrees_of_freedom_stand_behind_the_statistic():
    assert "t(5) = " in str(fstats.report(fstats.PairedT(A, B)))
    assert "χ²(3) = " in str(fstats.report(fstats.Friedman(TABLE)))
    assert "F(3, 21) = " in str(fstats.report(fstats.RepeatedAnova(TABLE)))


def test_post_hoc_tests_report_each_comparison():
    holm = fstats.Holm(TABLE, labels=["a", "b", "c", "d"])
    said = fstats.report(holm)
    for pair, p in zip(holm.pairs, holm.adjusted):
        assert f"{pair}: {'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}" in said.text
    assert "p adjusted for 6 comparisons" in said.text
    assert str(fstats.report(fstats.Nemenyi(TABLE))).startswith(
        "We compared k = 4 classifiers on N = 8 data sets in 6 comparisons with the Nemenyi test (Demsar, 2006): CD = "
    )
    assert ". D had the best mean rank (1.875), followed by " in str(fstats.report(fstats.Nemenyi(TABLE)))


def test_a_ladder_on_tests_of_each_pair_says_which_test():
    for using, name in (
        (fstats.SignedRank, "Wilcoxon signed-rank test (Wilcoxon, 1945), exact p,"),
        (fstats.PairedT, "paired t-test (Student, 1908)"),
    ):
        ladder = fstats.Holm.from_test(fstats.Pairwise(TABLE, using=using))
        said, beginning = (
            fstats.report(fstats.Friedman(TABLE), ladder),
            f"Post hoc, we made 6 comparisons with the {name} and Holm's procedure",
        )
        assert f"{beginning} (Holm, 1979): p adjusted for 6" in said.text
        assert f"{beginning} (Holm, 1979): $p$ adjusted for 6" in said.latex
    assert "6 comparisons with Holm's procedure" in fstats.report(fstats.Holm(TABLE)).text


def test_more_than_ten_comparisons_are_grouped_by_the_classifiers_that_are_better():
    scores = np.random.default_rng(4).normal(0, 1, (20, 6)) + np.array([0, 0, 0, 4, 4, 9])
    for test in (fstats.Nemenyi(scores), fstats.Holm.from_test(fstats.Pairwise(scores)), fstats.Holm(-scores, higher_is_better=False)):
        said = fstats.report(fstats.ImanDavenport(scores), test).text
        post_hoc = said[said.index("Post hoc, we made 15 comparisons") :]
        told = set()
        for group in re.findall(r"[:;] ([^:;]+ better than [^;]+\))", post_hoc):
            better, worse, sign, bound = re.fullmatch(r"(.+) (?:is|are) better than (.+) \(adjusted p ([≤<=]) ([\d.]+)\)", group).groups()
            pairs = {(a, b) for a in re.split(", | and ", better) for b in re.split(", | and ", worse)}
            largest = max(p for pair, p in zip(test.pairs, _adjusted(test)) if pairs & {tuple(pair), tuple(pair)[::-1]})
            assert largest <= float(bound) + (sign == "=") * 0.0005
            assert float(bound) <= largest + 0.001
            told |= pairs
        rejected = [tuple(pair) for pair, reject in zip(test.pairs, test.reject) if reject]
        means = dict(zip("ABCDEF", scores.mean(0)))
        assert told == {tuple(sorted(pair, key=means.get, reverse=True)) for pair in rejected}
        assert f"for {len(rejected)} of 15 comparisons" in post_hoc
        assert f"for the other {15 - len(rejected)}," in post_hoc
        assert len(post_hoc) < 700


def _adjusted(test):
    return test.adjusted if "adjusted" in type(test).steps else test.pvalues


def test_what_cannot_be_reported():
    assert_raises(lambda: fstats.report(0.03), "report needs a test, such as", TypeError)
    batch = fstats.PairedT(np.ones((4, 3)), np.zeros((4, 3)))
    assert isinstance(batch, HypothesisTest)
    with pytest.raises(ValueError, match=r"a batch of shape \(3,\) has no single sentence. Choose one repetition, such as test.at\(0\)"):
        fstats.report(batch)
    assert_raises(lambda: fstats.report(fstats.Nemenyi(np.stack([TABLE, TABLE], -1))), r"a batch of shape \(2,\) has no single sentence")


def test_probabilities_from_means_or_from_all_folds():
    """The second one serves several data sets only, and the lines name it where it does."""
    both = fstats.which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False)
    assert (both.bayesian, both.bayesian_of_folds) == (fstats.BayesianSignedRank, fstats.BayesianHierarchical)
    assert dict(both.lines)["Bayesian"].endswith("; for data sets with scores on folds, fstats.BayesianHierarchical (published)")
    one = fstats.which_test(aim="difference", classifiers="two", data_sets="one", results="scores", paired=True, size="small")
    assert (one.bayesian, one.bayesian_of_folds) == (fstats.BayesianCorrelatedT, None)
    assert "Hierarchical" not in repr(one)
    for answers in COMBINATIONS:
        found = fstats.which_test(**answers)
        assert (found.bayesian_of_folds is not None) == (found.bayesian is fstats.BayesianSignedRank)


# -- seeds of training -------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize(
    "answers",
    [pytest.param(answers, marks=[pytest.mark.slow] * bool(k % 5)) for k, answers in enumerate(COMBINATIONS)],
    ids=lambda answers: " ".join(answers.values()),
)
def test_seeds_change_what_the_test_is_handed_and_never_the_test(answers):
    untold = fstats.which_test(**answers)
    drawn = untold.plot().svg()
    assert untold.seeds == ""
    assert "Seeds" not in dict(untold.lines)
    for seeds in SEED_QUESTION.answers:
        found = fstats.which_test(**answers, seeds=seeds)
        assert found.rule is untold.rule
        assert found.lines == untold.lines + ([] if seeds == "none" or not found.seeds else [("Seeds", found.seeds)])
        assert found.plot().svg() == drawn
    if (answers["classifiers"], answers["data_sets"], answers["results"]) == ("one", "one", "scores"):
        assert not found.test
        assert not found.seeds
        return
    of_runs = answers["data_sets"] == "many" and answers["aim"] == "difference" and answers["paired"] == "yes"
    of_runs = of_runs and answers["classifiers"] != "one"
    assert ("fstats.ProbabilityOfImprovement" in found.seeds) == of_runs
    assert ("alpha divided by the number of pairs" in found.seeds) == (of_runs and answers["classifiers"] == "many")
    if answers["data_sets"] == "many":
        assert "over its seeds on each data set, with the same number of seeds for every model" in found.seeds
        assert "n is the number of data sets" in found.seeds
    elif answers["results"] == "scores":
        assert "over its seeds on each split" in found.seeds
        assert "n is that of the plan" in found.seeds
        assert ADVICE["parts_of_variance"] in found.seeds
    elif answers["results"] == "runs":
        assert "n is the number of runs" in found.seeds
    else:
        assert "no further record" in found.seeds
    assert ("Report the number of seeds" in found.seeds) == (answers["data_sets"] == "many" or answers["results"] == "scores")


def test_what_is_said_of_runs_is_what_the_classes_measured():
    """The levels stand in their documentation, where simulations hold them."""
    asked = {"aim": "difference", "classifiers": "two", "seeds": "several"}
    over_tasks = fstats.which_test(**asked, data_sets="many", paired=True, normal=False).seeds
    on_a_split = fstats.which_test(**asked, data_sets="one", results="runs", normal=True).details
    for name in re.findall(r"fstats\.(\w+)", over_tasks + on_a_split):
        assert hasattr(fstats, name)
    told = {test: " ".join(test.__doc__.split()) for test in (fstats.ProbabilityOfImprovement, fstats.DifferenceOfInterquartileMeans)}
    assert "the rejection rate was 5 % of all trials with 2 runs of each, 3.5 % with 3" in told[fstats.ProbabilityOfImprovement]
    assert "3.5 % of all trials instead of 2.5 %" in over_tasks
    assert "88 to 90 % with 3" in told[fstats.DifferenceOfInterquartileMeans]
    assert "10 to 12 % instead of 5 %" in over_tasks
    assert "tolerance 0.2 0.10, 0.10 0.06, 0.07 0.04, 0.03" in " ".join(fstats.AlmostStochasticOrder.__doc__.split())
    assert "A better than an equal B in 10 % of the trials with 3 runs of each classifier, and in 4 % with 10" in on_a_split
    assert "one of the two in 20 %, and in 8 %" in on_a_split


def test_seeds_may_be_told_before_anything_else():
    """They are no question on the way: what is asked next does not depend on them."""
    for told in ({}, {"aim": "difference"}, {"data_sets": "one", "classifiers": "two"}):
        assert repr(fstats.which_test(**told, seeds="several")) == repr(fstats.which_test(**told))
    with pytest.raises(ValueError, match=r"seeds must be 'none' or 'one' or 'several' \(Does training depend on a seed\?\); got -5"):
        fstats.which_test(seeds=-5)


def test_averages_over_seeds_of_a_plan_of_tables_can_be_tested_as_the_advice_says():
    test = fstats.CalibratedFiveByTwoF
    assert test.plan == fstats.BlockedFiveByTwoMcNemar.plan
    a, b = np.random.default_rng(9).normal(0.8, 0.02, (2, *test.plan.shape, 3))
    scores = fstats.Scores.from_arrays(test.plan, a, b, seeds=[1, 2, 3])
    assert test.from_scores(scores).pvalue == test(a.mean(2) - b.mean(2)).pvalue


def test_seeds_taken_for_data_sets_reject_too_often_and_their_averages_do_not():
    """H0 is true: over all data sets the mean difference is 0, but the luck of each is shared by its seeds."""
    rng, trials = np.random.default_rng(60), 4000
    luck = rng.normal(0, 0.02, (8, 1, trials))  # of a data set (or of its split)
    seeds = luck + rng.normal(0, 0.01, (8, 5, trials))
    sets, within = np.zeros((8, trials)), 4 * np.sqrt(0.05 * 0.95 / trials)
    on_one_data_set = fstats.PairedT(seeds[0], np.zeros((5, trials))).reject.mean()
    as_forty_data_sets = fstats.PairedT(seeds.reshape(40, trials), np.zeros((40, trials))).reject.mean()
    averaged = fstats.PairedT(seeds.mean(1), sets).reject.mean()
    one_seed = fstats.PairedT(seeds[:, 0], sets).reject.mean()  # keeps its level, too, and finds less: see below
    assert on_one_data_set > 0.4
    assert as_forty_data_sets > 0.25
    assert averaged == pytest.approx(0.05, abs=within)
    assert one_seed == pytest.approx(0.05, abs=within)
    better = 0.015
    assert fstats.PairedT(seeds.mean(1) + better, sets).reject.mean() > fstats.PairedT(seeds[:, 0] + better, sets).reject.mean() + within
