"""What tests say can be read aloud: short, without a double negation, with names, a direction and a size.

The loop goes over every class (the table of cases.py), every alternative, every repetition of its data, degenerate ones included.
"""

import pickle
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from cases import CASES, R, every, make, when_asked
from matplotlib.mathtext import MathTextParser
from shortcuts import parametrize

import fstats
from fstats import CombinedFiveByTwoF, FiveByTwoT, Friedman, McNemarExact, Normality, OneSampleT, Outliers, PairedT, Scores, SignedRank
from fstats.comparing.model_names import distinct_model_names
from fstats.core.classifier_pair import MAX_NAME_LENGTH, TwoClassifiers
from fstats.core.hypothesis import HypothesisTest
from fstats.core.rejection_region import UPPER_TAIL
from fstats.procedures.bayes.rope_comparison import RopeComparison
from fstats.procedures.multiple.many_classifiers import Omnibus
from fstats.procedures.posthoc.posthoc_comparison import PostHocComparison

SEED = 16
FOREST, TREE = "random forest", "C4.5"
spoken = [(name, alternative) for name, alternative in every if hasattr(CASES[name][0], "conclusion")]
each = pytest.mark.parametrize(("name", "alternative"), spoken)
of_two = [pair for pair in every if issubclass(CASES[pair[0]][0], TwoClassifiers)]
tests_of_two = [(name, alternative) for name, alternative in of_two if alternative not in ("", "equivalence")]
NUMBER = r"-?\d[\d.e+-]*"
FROM, TO = rf"(at least|above) {NUMBER}", rf"(at most|below) {NUMBER}"
WITHIN = rf"with {NUMBER} % confidence (between {NUMBER} and {NUMBER}|{FROM} and {TO}|{FROM}|{TO})"
WHO = r"(?P<a>.+?) (is (better|worse)|wins on (more|fewer) data sets) than (?P<b>.+?)( in [a-zAUC ]+)?"
BY = rf"(, {NUMBER} against {NUMBER})?, ((lower|higher) )?by {NUMBER}( on average| on the first fold)?"
SIZE = rf"({BY}|, \d+ against \d+|, alone right on {NUMBER} records?( per fold)? against {NUMBER})"
BRACKET = rf"( \((odds (of {NUMBER}, )?|a difference )?{WITHIN}\))?"
SPREAD = rf", (with (weighted rank sums|mean aligned ranks) )?from {NUMBER} \([A-D, ]+\) to {NUMBER} \([A-D, ]+\)"
SHOWN = (
    rf"that {WHO}{SIZE}{BRACKET}",
    rf"that .+ and .+ differ by less than {NUMBER} in [a-zAUC ]+(, at an estimated difference of {NUMBER})?{BRACKET}",
    rf"that the (mean score|true accuracy) is (above|below) {NUMBER}, at {NUMBER}{BRACKET}",
    rf"a difference in [a-zAUC ]+ among the \d+ classifiers{SPREAD}",
)
NOT_SHOWN = (
    r"a difference in [a-zAUC ]+ between .+ and .+",
    r"that .+ is (better|worse) than .+ in [a-zAUC ]+",
    r"that .+ wins on (more|fewer) data sets than .+",
    rf"that .+ and .+ differ by less than {NUMBER} in [a-zAUC ]+",
    rf"that the (mean score|true accuracy) (differs from|is above|is below) {NUMBER}",
    r"a difference in [a-zAUC ]+ among the \d+ classifiers",
)
BY_HOW_MUCH = (
    "a rejection must say by how much A and B differ. Name the step with the difference by `estimated_by`, "
    "or write a property `effect_text` (a test of more classifiers: `finding`), in words that SHOWN of this file knows; got "
)
NOT_EVIDENCE = r"which is not evidence that (they are equal|they differ|it is exactly that value)"


# -- every class ----------------------------------------------------------------------------------------------------------
@each
def test_a_conclusion_can_be_read_aloud(name, alternative):
    for r in range(R):
        said = make(name, alternative).at(r).conclusion
        assert said[0].isupper() or said[0].isdigit() or said[0] == "-"
        assert said.endswith(".")
        assert len(said) <= 480
        assert not re.search(r"  |\bnan\b|\binf\b|\bNone\b|accept|\(\)| ,|\.\.$", said)
        for sentence in re.split(r"(?<=[a-z)])\. ", said):
            assert len(sentence) <= 300
            # "not" may stand once before the limits of what was found, and once in naming them
            assert not re.search(r"\bnot (\w+ )?(show )?that (\w+ )*(not|no)\b|\bnot all\b|\bno difference\b", sentence)
            assert len(re.findall(r"\bnot\b", sentence.partition("which is not evidence")[0])) <= 1 + ("source" in sentence)


@pytest.mark.parametrize(
    ("name", "alternative"), [pair for pair in spoken if issubclass(CASES[pair[0]][0], (HypothesisTest, PostHocComparison, RopeComparison))]
)
def test_a_report_can_be_read_aloud(name, alternative):
    for r in range(R):
        report = fstats.report(make(name, alternative).at(r))
        assert report.text.endswith(".")
        assert not re.search(
            r"  |\bnan\b|None|\(\)| ,|\.\.| = -?inf|(?<![\d.])1 (data sets|records|splits|folds)\b|, one-sided\)", report.text
        )
        assert not re.search(
            r"(?<! is) (negatively )?infinite\b(?! rope)", report.text.partition(". ")[0].replace("odds ratio infinite", "")
        )
        assert (" (one-sided)" in report.text, report.latex.count("$") % 2) == (alternative in ("less", "greater"), 0)


@pytest.mark.parametrize(("name", "alternative"), [pair for pair in every if pair[1]])
def test_both_sentences_follow_from_one_claim(name, alternative):
    decisions = set()
    for r in range(R):
        test = make(name, alternative).at(r)
        head = rf"{test.decision} at alpha = 0\.1 \(p [=<>] {NUMBER}\)"
        if not test.reject:
            assert any(re.match(rf"{head}: the data do not show {claim}, {NOT_EVIDENCE}\.( |$)", test.conclusion) for claim in NOT_SHOWN)
        elif np.isinf(test.statistic):
            assert re.match(rf"{head}, but only formally, since the statistic is infinite\. \w", test.conclusion)
        else:
            assert any(re.match(rf"{head}: the data show {finding}\.( |$)", test.conclusion) for finding in SHOWN), (
                BY_HOW_MUCH + test.conclusion
            )
        assert not re.search(r"\b(not|no|never|equal)\b", test.claim)
        decisions.add(bool(test.reject))
    assert False in decisions or alternative == "equivalence"


def clearly_better(name):
    """The data of a case, so changed that A is far better, and by how much more than it would be by chance."""
    _, data, _ = CASES[name]
    one = {key: np.asarray(value)[..., 0].copy() if np.ndim(value) else value for key, value in data.items()}
    if "y_true" in one and one["a"].dtype.kind == "i":  # predicted classes
        one["a"], one["b"] = one["y_true"], np.where(np.arange(len(one["b"])) % 4, 1 - one["y_true"], one["y_true"])
    elif {"y_true", "y_true_a"} & one.keys():
        one["a"] = one.get("y_true", one.get("y_true_a")) + np.linspace(0, 1.2, len(one["a"]))
        one["b"] = np.cos(np.arange(len(one["b"]))) - one.get("y_true", one.get("y_true_b"))
    elif {"a", "b"} <= one.keys():
        one["a"] = one["b"] + np.linspace(0.08, 0.12, len(one["b"]))
    elif {"x", "y"} <= one.keys():
        one["x"] = one["x"] - one["x"].mean() + one["y"].mean() + 0.3
        one["x"][0] = np.unique(one["y"])[-2:].mean()  # or samples without any overlap would give a rank statistic without spread
    elif "d" in one and "folds" in one:
        one["d"] = np.where(np.arange(len(one["d"])) % 2, 1, one["d"])
    elif "d" in one:
        one["d"] = 0.1 + one["d"] / 20
        if "halves" in one:
            one["halves"] = 0.1 + one["halves"] / 20
        if "replicates" in one:
            one["replicates"] = 0.1 + one["replicates"] / 20
    elif "correct_a" in one:
        one |= {"correct_a": 19, "correct_b": 4}
    elif "tables" in one:
        one["tables"] = np.tile([[4, 1], [11, 24]], (5, 2, 1, 1))
    else:
        assert {"n01", "n10"} <= one.keys(), f"clearly_better needs a branch for the inputs {[*one]}: data on which A is far better"
        one |= {"n01": one["n01"] * 0 + 1, "n10": one["n10"] * 0 + 30}
    return one


def turned(data):
    """The same with A and B exchanged."""
    pairs = [("a", "b"), ("x", "y"), ("correct_a", "correct_b"), ("n01", "n10"), ("y_true_a", "y_true_b")]
    swapped = data | {one: data[other] for pair in pairs for one, other in (pair, pair[::-1]) if one in data}
    swapped |= {key: -data[key] for key in ("d", "halves", "replicates") if key in data}
    return swapped | ({"tables": np.swapaxes(data["tables"], 2, 3)} if "tables" in data else {})


@pytest.mark.parametrize(("name", "alternative"), tests_of_two)
def test_a_rejection_names_who_is_better_and_by_how_much(name, alternative):
    cls, _, settings = CASES[name]
    for data, word in ((clearly_better(name), "better"), (turned(clearly_better(name)), "worse")):
        test = cls(**data, **settings, alternative=alternative, labels=[FOREST, TREE])
        expected = alternative in ("two-sided", {"better": "greater", "worse": "less"}[word])
        finite = "A must be far better in clearly_better, with a finite statistic. Give the inputs of the test a branch there"
        assert bool(test.reject) == expected, finite
        if expected:
            assert np.isfinite(test.statistic), finite
            said = re.match(rf"the data show that {WHO}{SIZE}", test.verdict[2:])
            assert said, BY_HOW_MUCH + test.verdict
            assert (said["a"], said["b"]) == (FOREST, TREE)
            wins = {"better": "wins on more data sets", "worse": "wins on fewer data sets"}[word]
            assert f"{FOREST} {wins if cls is fstats.SignTest else f'is {word}'} than {TREE}" in test.conclusion
            assert bool(re.search(WITHIN, test.conclusion)) == ("ci" in cls.steps)


@pytest.mark.every_case
@pytest.mark.parametrize("word", ["better", "worse"])
@pytest.mark.parametrize("test", [PairedT, SignedRank, fstats.TwoSampleT, fstats.RankSum, OneSampleT])
def test_the_size_and_its_interval_are_those_of_the_steps(test, word, rng):
    a, b = rng.normal(1.0, 0.2, 12), rng.normal(0.0, 0.2, 12)
    test = test(*((a, b) if word == "better" else (b, a))) if test is not OneSampleT else test(a if word == "better" else b, mu=0.5)
    sign = 1 if word == "better" or isinstance(test, OneSampleT) else -1
    size = {"PairedT": "mean", "OneSampleT": "mean", "TwoSampleT": "difference"}.get(type(test).__name__, "estimate")
    low, high = sorted(sign * end for end in test.ci)
    number = [float(x) for x in re.findall(rf"(?:by|at|between|and|at least|above|at most|below) ({NUMBER})", test.conclusion)][-3:]
    assert number == pytest.approx([sign * getattr(test, size), low, high], rel=1e-3)
    assert low < sign * getattr(test, size) < high


def test_the_sentences_of_the_course():
    better = PairedT([85, 70, 79, 78, 83], [82, 66, 77, 75, 79])
    assert better.conclusion == (
        "Reject H0 at alpha = 0.05 (p = 0.001026): the data show that A is better than B in mean score, by 3.2 "
        "(with 95 % confidence between 2.161 and 4.239)."
    )
    assert PairedT(better.b, better.a, alternative="less").conclusion.endswith(
        "the data show that A is worse than B in mean score, by 3.2 (with 95 % confidence at least 2.402)."
    )
    assert PairedT(better.a, better.b[::-1]).conclusion.endswith(
        "the data do not show a difference in mean score between A and B, which is not evidence that they are equal."
    )
    assert "A is worse than B in accuracy, alone right on 1 record against 11 (odds of 0.09091, with 95 %" in McNemarExact(11, 1).conclusion
    assert "A is better than B in accuracy, alone right on 9 records against 0 (odds with 95 %" in McNemarExact(0, 9).conclusion
    assert "A wins on more data sets than B, 7 against 0." in fstats.SignTest([1] * 7, [0] * 7).conclusion
    assert OneSampleT([2, 3, 4], mu=0).conclusion.endswith(
        "the data show that the mean score is above 0, at 3 (with 95 % confidence between 0.5159 and 5.484)."
    )


def test_equivalence_says_how_large_the_difference_is():
    test = fstats.EquivalenceT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], margin=5, labels=[FOREST, TREE])
    assert test.conclusion.endswith(
        f"the data show that {FOREST} and {TREE} differ by less than 5 in mean score, at an estimated difference of -0.6 "
        "(with 90 % confidence between -4.011 and 2.811)."
    )
    said = fstats.EquivalenceSignedRank(range(8), np.arange(8) ** 1.1, margin=5).conclusion
    assert re.search(rf"\(a difference {WITHIN}\)", said)


# -- what is not known is not said ------------------------------------------------------------------------------------------
def test_from_summaries_only_what_they_tell_is_said():
    told = {
        PairedT.from_steps(statistic=-3.2, df=9): "the data show that A is worse than B in mean score.",
        PairedT.from_steps(n=9, mean=-3.0, sd=1.0, alternative="less"): "that A is worse than B in mean score, by 3 (with",
        SignedRank.from_steps(n=9, statistic=0.0, ranks=np.arange(1.0, 10)): "the data show a difference in typical score between A and B.",
        SignedRank.from_steps(
            ranks=np.arange(1.0, 10), w_plus=45.0, w_minus=0.0
        ): "A is better than B in typical score, with rank sums of 45 to 0.",
        fstats.SignTest.from_steps(n=9, statistic=0): "the data show a difference in data sets won between A and B.",
        McNemarExact.from_steps(n=9, statistic=0): "the data show a difference in accuracy between A and B.",
        fstats.McNemar.from_steps(statistic=9.0): "the data show a difference in accuracy between A and B.",
        fstats.DifferenceOfProportions.from_steps(statistic=3.0): "the data show that A is better than B in accuracy.",
        Friedman.from_steps(statistic=9.5, n=5, k=3): "the data show a difference in mean rank among the 3 classifiers.",
        Friedman.from_steps(statistic=20.0, df=3): "the data show a difference in mean rank among the classifiers.",
        OneSampleT.from_steps(statistic=5.0, df=9): "the data show that the mean score is above 0.",
    }
    for test, end in told.items():
        assert test.reject
        assert end in test.conclusion


def test_leads_that_cancel_favour_nobody():
    test = SignedRank([1, 1, 1, 1, 1, 1] + [0] * 20, [0] * 26)
    assert (test.estimate, test.reject) == (0, True)
    assert "A is better than B in typical score, with rank sums of 21 to 0." in test.conclusion
    test = CombinedFiveByTwoF(np.array([[1, 1.01], [-1, -1.01], [1, 1.01], [-1, -1.01], [0.001, -0.001]]))
    assert test.reject
    assert test.conclusion.endswith("the data show a difference in mean score between A and B.")


# -- without spread there is no measure of luck -------------------------------------------------------------------------------
@pytest.mark.every_case
@parametrize(
    "test",
    PairedT([0.93, 0.83, 0.73], [0.9, 0.8, 0.7]),
    PairedT([0.93, 0.83, 0.73], [0.9, 0.8, 0.7], alternative="greater"),
    fstats.EquivalenceT([0.93, 0.83, 0.73], [0.9, 0.8, 0.7], margin=0.05),
    OneSampleT([0.8] * 3, mu=0.7),
    fstats.TwoSampleT([0.8] * 3, [0.7] * 3),
    fstats.WelchT([0.8] * 3, [0.7] * 3),
    fstats.OneWayAnova([[0.1, 0.7, 0.7]] * 3),
    fstats.RepeatedAnova([[0.9, 0.8, 0.7], [0.4, 0.3, 0.2], [0.7, 0.6, 0.5]]),
    FiveByTwoT(np.full((5, 2), 0.03)),
    CombinedFiveByTwoF(np.full((5, 2), 0.03)),
    fstats.BlockedThreeByTwoT(np.full((3, 2), 0.03)),
    fstats.KFoldT([0.03] * 10),
    fstats.CorrectedResampledT([0.03] * 15, test_train_ratio=1 / 9),
    fstats.ConservativeZ([0.03] * 15, [[0.03, 0.03]] * 10),
    fstats.CrossValidatedZ([1] * 20, np.arange(20) % 5),
    ids=lambda test: f"{type(test).__name__} {test.alternative}",
)
def test_what_has_no_measure_of_luck_is_not_shown(test):
    assert np.isinf(test.statistic)
    assert (test.pvalue, test.reject) == (0, True)
    for said in (test.conclusion, fstats.report(test).text):
        assert "the data show" not in said
        assert "but only formally, since the statistic is infinite." in said
        assert "look for a mistake in the data" in said or "the exact probability of that is" in said


# -- one tail is no choice ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "alternative"), [pair for pair in every if pair[1]])
def test_the_alternative_is_told_where_there_is_one_to_choose(name, alternative):
    cls = CASES[name][0]
    test = make(name, alternative).at(0)
    shown, text, html = test.to_dict(), repr(test), test._repr_html_()
    chosen = len(cls.tails) > 1
    assert chosen or cls.tails is UPPER_TAIL or alternative == "equivalence"
    assert ("alternative" in shown) == chosen == ("alternative = " in text) == ('alternative="' in html)
    assert (shown.get("claim") == test.claim) == (not chosen)
    assert "H_1" in html  # the hypotheses are stated either way
    assert test.hypotheses.split(r"\text")[0].replace("<", "&lt;").replace(">", "&gt;") in html


# -- names ----------------------------------------------------------------------------------------------------------------------
def test_the_names_of_two_series_stand_where_else_a_and_b_stand():
    table = pd.DataFrame({FOREST: [0.9, 0.8, 0.75, 0.83], TREE: [0.82, 0.71, 0.7, 0.73]})
    test = PairedT(table[FOREST], table[TREE])
    assert f"{FOREST} is better than {TREE} in mean score" in test.conclusion
    assert test.labels.tolist() == [FOREST, TREE]
    text = repr(test)
    assert f"a ({FOREST})" in text
    assert f"labels = {FOREST}, {TREE}" in text
    assert [row.sentence for row in test.worked()][3:6] == [
        f"Scores of classifier {FOREST}.",
        f"Scores of classifier {TREE}, paired with {FOREST}'s.",
        f"Difference on each data set; positive if {FOREST} is better.",
    ]
    assert test.to_dict()["labels"] == [FOREST, TREE]
    picture = fstats.plot.scores(test)
    assert (picture.title, [mark.label for mark in picture.legend]) == (f"{FOREST} is ahead on 4 of 4, {TREE} on 0", [FOREST, TREE])
    assert f"Mean of {FOREST} 0.82, of {TREE} 0.74." in picture.text
    assert f"{FOREST} is better than {TREE}" in fstats.report(test).text
    right = [pd.Series(list("xxyxyxxx"), name=name) for name in ("truth", FOREST, TREE)]
    from_predictions = McNemarExact.from_predictions(*right)
    assert f"between {FOREST} and {TREE}" in from_predictions.conclusion
    assert f"{FOREST} wrong" in repr(from_predictions)
    assert f"{TREE} right" in fstats.PairedTable(*right)._repr_html_()
    assert fstats.RankSum(table[FOREST], table[TREE]).sides == (FOREST, TREE)
    assert "random forest and C4.5 were tested on different records" in fstats.DifferenceOfProportions.from_predictions(*right).conclusion


@pytest.mark.parametrize("names", [(None, None), ("x", None), ("same", "same"), (0, 1), ("", " "), (("a", "b"), ("a", "c"))])
def test_without_two_different_names_they_are_a_and_b(names):
    a, b = (pd.Series(values, name=name) for values, name in zip(([3, 4, 6], [1, 2, 2]), names))
    assert PairedT(a, b).conclusion == PairedT([3, 4, 6], [1, 2, 2]).conclusion
    assert repr(PairedT(a, b)) == repr(PairedT([3, 4, 6], [1, 2, 2]))
    assert "labels" not in PairedT(a, b).to_dict()


@pytest.mark.parametrize(("name", "alternative"), [each for each in when_asked if each.values in of_two])
def test_names_go_wherever_the_test_goes(name, alternative):
    cls, data, settings = CASES[name]
    if issubclass(cls, HypothesisTest):
        settings = settings | {"alternative": alternative}
    batch = cls(**data, **settings, labels=[FOREST, TREE])
    plain = cls(**data, **settings)
    one = batch.at(0)
    for test in (batch, one, pickle.loads(pickle.dumps(one)), one.assuming(alpha=0.2), cls.from_steps(alpha=0.2, labels=[FOREST, TREE])):
        assert test.sides == (FOREST, TREE)
    for shown, same in zip(
        [row for row in batch.worked() if row.name != "labels"], plain.worked(), strict=True
    ):  # but for words nothing changes
        assert (shown.name, shown.formula) == (same.name, same.formula)
        assert not re.search(r"\b[AB]\b", shown.sentence)
    for text in (repr(one), unescape(one._repr_html_())):
        assert not re.search(r"(?<![_^])\b[AB]\b( is| gets| wrong| right| and B|'s)", text)
    if hasattr(one, "conclusion"):
        assert one.conclusion == re.sub(r"\bA\b", FOREST, re.sub(r"\bB\b", TREE, plain.at(0).conclusion))
        assert FOREST in one.conclusion
    MathTextParser("agg").parse(f"${one.to_latex().splitlines()[1].replace('&', '').rstrip(chr(92))}$")


@pytest.mark.parametrize("names", [["A better", "B side"], ["B", "A"], ["Model A", "Model B"]])
def test_a_name_that_holds_the_letter_of_the_other_is_not_taken_for_it(names):
    of_labels = McNemarExact.from_predictions(list("xxyyx"), list("xxyyx"), list("yyxxx"), labels=names)
    for test in (PairedT([3, 4, 6], [1, 2, 2], labels=names), of_labels):
        rows = {row.name: row for row in test.worked()}
        assert f"between {names[0]} and {names[1]}" in test.conclusion
        first = rows["a"].sentence if "a" in rows else rows["pred_a"].sentence
        assert first in (f"Scores of classifier {names[0]}.", f"Prediction of classifier {names[0]}.")


@pytest.mark.parametrize("odd", ["50 % & more_{x}", r"back\slash^2~", "<b>bold</b>", "$5 or $6", "two\nlines"])
def test_odd_names_are_escaped(odd):
    test = PairedT([3, 4, 6], [1, 2, 3], labels=[odd, "B"])
    seen = " ".join(odd.split())
    assert seen in test.conclusion
    html = test._repr_html_()
    assert seen in unescape(re.sub(r"</?span[^>]*>", "", html))
    assert "<b>" not in html
    assert not re.search(r"\$5 or \$", re.sub(r'title="[^"]*"', "", html))
    for tex in (test.to_latex().splitlines()[-2], fstats.report(test).latex):
        words = re.sub(r"\\[#$%&_{}]|\$[^$]*\$", "", tex.replace(r"&\text{", ""))
        assert not re.search(r"[#%&_^~$]", words)


def test_long_names_are_cut_and_stay_different():
    long = ["Pipeline(" + "x" * 100 + f", C={c})" for c in (1, 10)]
    test = PairedT([3, 4, 6], [1, 2, 3], labels=long)
    assert test.labels.tolist() == long
    for side, name in zip(test.sides, long):
        assert len(side) == MAX_NAME_LENGTH
        assert side.startswith(name[:20])
        assert side.endswith(name[-10:])
    middle = ["x" * 50 + c + "x" * 50 for c in "ab"]  # cut, they would be the same
    first, second = PairedT([3, 4, 6], [1, 2, 3], labels=middle).sides
    assert (first.replace("a", "b"), first.count("a")) == (second, 1)


@pytest.mark.parametrize("place", range(0, 130, 7))
@pytest.mark.parametrize("behind", [0, 5, 30, 60, 121])
def test_of_names_that_differ_somewhere_that_is_kept(place, behind):
    first, second = (("abcdefg" * 20)[:place] + odd + "hij-kl-" * (behind // 7) for odd in "XY")
    for names in ((first, second), (first, first + "-more"), (first + "2", second + "34")):
        sides = PairedT([3, 4, 6], [1, 2, 3], labels=names).sides
        assert sides[0] != sides[1]
        assert max(map(len, sides)) <= MAX_NAME_LENGTH
        for side, name in zip(sides, names):
            assert side == name or (len(name) > MAX_NAME_LENGTH and all(part in name for part in side.split("…")))


def test_names_that_were_given_are_never_thrown_away():
    forests = [f"RandomForestClassifier(max_depth={depth}, n_estimators=100)" for depth in (5, 7)]
    said = PairedT([3, 4, 6], [1, 2, 3], labels=forests).conclusion
    assert "max_depth=5" in said
    assert "max_depth=7" in said
    endless = ["x" * 50, "x" * 51]
    assert PairedT([3, 4, 6], [1, 2, 3], labels=endless).sides == tuple(endless)


def test_models_bring_their_names():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    assert distinct_model_names(GaussianNB(), DecisionTreeClassifier()) == ("GaussianNB", "DecisionTreeClassifier")
    assert distinct_model_names(SVC(C=1), SVC(C=10)) == ("SVC(C=1)", "SVC(C=10)")
    assert distinct_model_names(SVC(), SVC()) is None
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import BaggingClassifier, VotingClassifier
    from sklearn.model_selection import GridSearchCV
    from sklearn.multiclass import OneVsRestClassifier

    expected = ("BaggingClassifier(estimator=GaussianNB)", "BaggingClassifier(estimator=LinearDiscriminantAnalysis)")
    assert distinct_model_names(BaggingClassifier(GaussianNB()), BaggingClassifier(LinearDiscriminantAnalysis())) == expected
    expected = ("OneVsRestClassifier(estimator__C=1)", "OneVsRestClassifier(estimator__C=10)")
    assert distinct_model_names(OneVsRestClassifier(SVC(C=1)), OneVsRestClassifier(SVC(C=10))) == expected
    expected = ("BaggingClassifier(estimator=None)", "BaggingClassifier(estimator=GaussianNB)")
    assert distinct_model_names(BaggingClassifier(), BaggingClassifier(GaussianNB())) == expected
    votes = [VotingClassifier([("nb", GaussianNB()), ("m", model)]) for model in (SVC(), LinearDiscriminantAnalysis())]
    assert distinct_model_names(*votes) == ("VotingClassifier(m=SVC)", "VotingClassifier(m=LinearDiscriminantAnalysis)")
    fewer = VotingClassifier([("nb", GaussianNB())])
    expected = ("VotingClassifier(estimators=[GaussianNB, SVC])", "VotingClassifier(estimators=[GaussianNB])")
    assert distinct_model_names(votes[0], fewer) == expected
    searches = [GridSearchCV(SVC(), {"C": values}) for values in ([1, 2], [5])]
    assert distinct_model_names(*searches) == ("GridSearchCV(param_grid={'C': [1, 2]})", "GridSearchCV(param_grid={'C': [5]})")
    expected = ("GridSearchCV(estimator=SVC)", "GridSearchCV(estimator=LinearDiscriminantAnalysis)")
    assert distinct_model_names(GridSearchCV(SVC(), {}), GridSearchCV(LinearDiscriminantAnalysis(), {})) == expected
    assert distinct_model_names(BaggingClassifier(make_pipeline(StandardScaler(), SVC())), BaggingClassifier(make_pipeline(SVC()))) == (
        "BaggingClassifier(estimator=StandardScaler + SVC)",
        "BaggingClassifier(estimator=SVC)",
    )
    expected = ("StandardScaler + SVC(svc__C=2)", "StandardScaler + SVC(svc__C=1.0)")
    assert distinct_model_names(make_pipeline(StandardScaler(), SVC(C=2)), make_pipeline(StandardScaler(), SVC())) == expected
    data = load_iris(return_X_y=True)
    stump = DecisionTreeClassifier(max_depth=1)
    test = fstats.compare(GaussianNB(), stump, *data, rng=1)
    assert "GaussianNB is better than DecisionTreeClassifier in mean score" in test.conclusion
    assert "labels = GaussianNB, DecisionTreeClassifier" in repr(test)
    assert "score_a  score_b" in repr(test)  # the longer name would make the table too wide for a page
    short = fstats.compare(GaussianNB(), stump, *data, rng=1, test=fstats.HoldOutMcNemar).assuming(labels=["bayes", "stump"])
    assert "only stump is right" in repr(short)
    assert f"of GaussianNB and {np.mean(test.scores.score_b):.4g} of DecisionTreeClassifier" in str(test.scores)
    assert fstats.compare(GaussianNB(), stump, *data, FiveByTwoT, labels=["bayes", "stump"]).sides == ("bayes", "stump")
    assert fstats.compare(stump, stump, *data, FiveByTwoT).sides == ("A", "B")
    (verdict,) = fstats.compare_all(GaussianNB(), stump, *data, tests=[CombinedFiveByTwoF])
    assert verdict.test.sides == ("GaussianNB", "DecisionTreeClassifier")


def test_names_are_kept(tmp_path):
    d = np.linspace(0.02, 0.05, 10).reshape(5, 2)
    named = Scores.from_arrays(FiveByTwoT.plan, 0.8 + d, 0.8 + 0 * d, labels=["a; b, c=d %", "Bäume"])
    named.save(tmp_path / "named.csv")
    again = Scores.load(tmp_path / "named.csv")
    assert again.labels == named.labels == ("a; b, c=d %", "Bäume")
    assert "a; b, c=d % is better than Bäume" in CombinedFiveByTwoF.from_scores(again).conclusion
    Scores.from_arrays(FiveByTwoT.plan, 0.8 + d, 0.8 + 0 * d).save(tmp_path / "plain.csv")
    assert Scores.load(tmp_path / "plain.csv").labels is None
    table = pd.DataFrame({FOREST: [9, 8, 7, 8.5], "bayes": [5, 4, 5, 4.1], TREE: [4, 3, 4, 3]})
    assert f"{FOREST} is better than {TREE}" in fstats.Pairwise(table, using=PairedT).test_of(FOREST, TREE).conclusion


def test_explorers_speak_of_the_names():
    table = pd.DataFrame({FOREST: [90, 81, 75, 83], TREE: [82, 90, 71, 85]})
    for explorer in (fstats.explore.paired_t(table[FOREST], table[TREE]), fstats.explore.signed_rank(table[FOREST], table[TREE])):
        assert (explorer.test.sides, explorer.controls[1].label) == ((FOREST, TREE), f"Score of {FOREST}")
        assert f"between {FOREST} and {TREE}" in explorer.view["conclusion"]


# -- k classifiers, pairs of them, assumptions ----------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize(("name", "alternative"), [pair for pair in every if issubclass(CASES[pair[0]][0], Omnibus)])
def test_the_best_of_k_stands_first(name, alternative):
    test = make(name, alternative).at(R - 1)
    values, order = np.asarray(getattr(test, test.estimated_by)), 1 if test.highest_is_best else -1
    said = re.search(rf"from {NUMBER} \(([A-D, ]+)\) to {NUMBER} \(([A-D, ]+)\)", test.finding)
    for names, extreme in zip(said.groups(), (max(order * values), min(order * values))):
        assert names == ", ".join(label for label, value in zip(test.labels, order * values) if value == extreme)
    best = said[1].split(", ")
    if hasattr(test, "scores"):
        better = test.scores if getattr(test, "higher_is_better", True) else -test.scores
        if name.startswith(("One", "Repeated")):
            assert test.labels[np.argmax(better.mean(0))] in best


def test_of_k_classifiers_two_are_named():
    test = Friedman(pd.DataFrame({FOREST: [3, 4, 5], TREE: [1, 2, 3]}))
    assert f"a difference in mean rank between {FOREST} and {TREE}, " in test.conclusion
    scores = np.array([[9, 5, 1], [8, 4, 1], [7, 5, 2], [9, 6, 3], [8, 5, 2], [7, 4, 1.5]])
    assert "for 1 of 3 comparisons of mean ranks: A is better than C by 2." in fstats.Nemenyi(scores).conclusion
    assert "A is better than B by 3.167; A is better than C by 6.25; B is better than C by 3.083." in fstats.TukeyHSD(scores).conclusion
    control = fstats.Holm(np.ones((4, 3)) + np.eye(4, 3), control="B")
    assert "the data do not show a difference between B and any other classifier, which" in control.conclusion
    assert "between any two classifiers, which" in fstats.Holm(np.ones((4, 3)) + np.eye(4, 3)).conclusion
    assert "the 1 " not in fstats.Pairwise(scores[:, :2]).conclusion


def test_assumptions_are_spoken_of_in_the_same_way(rng):
    assert re.fullmatch(
        rf"These 30 values do not show a departure from normality \(W = {NUMBER}, p = {NUMBER}, alpha = 0.05\), "
        r"which is not evidence that they are normal; look at the picture too\.",
        Normality(np.arange(30)).conclusion,
    )
    assert "values show a departure from normality" in Normality(rng.exponential(size=99)).conclusion
    for check in (Normality, fstats.Symmetry):
        assert check([0.5] * 4).conclusion.startswith("All 4 values are equal: there is no ")
    assert Outliers([1, 2, 3, 2, 50]).conclusion == "50 lies beyond the fences."
    assert Outliers([1, 2, 3, 2, 2, 3, 2, -50, 50]).conclusion == "-50 and 50 lie beyond the fences."
    many = Outliers(np.r_[rng.normal(size=200), np.arange(50, 70)]).conclusion
    assert re.fullmatch(rf"({NUMBER}, )+{NUMBER} and \d+ others lie beyond the fences\.", many)
    assert len(many) < 80


def test_of_two_classifiers_an_analysis_says_who_is_better():
    scores = np.array([[0.70, 0.80], [0.60, 0.72], [0.80, 0.93], [0.75, 0.84], [0.5, 0.6], [0.66, 0.79]])
    names = ["tree", "forest"]
    assert "that forest is better than tree in mean score, 0.78 against 0.6683" in fstats.RepeatedAnova(scores, names).conclusion
    assert "that forest is better than tree in mean rank, 1 against 2" in fstats.Friedman(scores, names).conclusion
    words = "that forest is better than tree in typical rank, with weighted rank sums -10.5 against 10.5"
    assert words in fstats.Quade(scores, names).conclusion


def test_a_mean_difference_that_is_noise_has_no_direction():
    d = np.array([[0.01, 0.01], [-0.01, -0.01], [0.01, 0.011], [-0.01, -0.01], [0, -0.001]])
    assert d.mean() != 0
    for test in (CombinedFiveByTwoF(d), fstats.CalibratedFiveByTwoF(d)):
        assert test.reject
        assert test.effect_size == 0
        assert "better" not in test.conclusion
        assert "worse" not in test.conclusion
