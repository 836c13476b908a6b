"""The paragraph for a paper is complete: plan, both scores, scatter, metric, setup, for every public procedure."""

import re

import numpy as np
import pytest
from cases import CASES, make
from shortcuts import assert_raises
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats.core.classifier_pair import TwoClassifiers


def single(name):
    try:
        test = make(name, "two-sided")
    except ValueError:
        test = make(name, "equivalence")
    return test.at(1)


@pytest.mark.parametrize("name", CASES)
def test_every_public_procedure_is_reported(name):
    test = single(name)
    said = fstats.report(test)
    assert type(test).__doc__.partition(":")[0].strip()[1:] in said.text
    assert said.text.endswith(".")
    assert len(said.text) > len(name) + 20
    assert not re.search(r"\bnan\b", said.text)  # names of authors may hold these letters
    assert said.latex
    assert said.markdown
    if isinstance(test, TwoClassifiers) and "a" in type(test).inputs and hasattr(type(test), "pvalue"):
        a = np.asarray(test.a)
        if a.ndim == 1 and a.dtype.kind == "f" and not {"y_true", "y_true_a"} & type(test).inputs.keys():
            assert re.search(r"(mean|median) score [-\d.e]+ of A and [-\d.e]+ of B", said.text)


def test_numbers_counts_and_accuracies_of_a_paragraph():
    assert_raises(lambda: fstats.report([1, 2]), r"report needs a test, such as fstats\.PairedT\(a, b\); got list", TypeError)
    # A number that stands twice in a paragraph is written the same way: the mean rank, and the end of the spread.
    test = fstats.Friedman(np.random.default_rng(3).normal([0, 0.5, 2], 1, (8, 3)))
    best, worst = test.mean_ranks.min(), test.mean_ranks.max()
    said = str(fstats.report(test))
    assert f"from {best:.4g}" in said
    assert (said.count(f"{best:.4g}"), said.count(f"{worst:.4g}")) == (2, 2)
    said = str(fstats.report(fstats.McNemarExact(4, 15, labels=["forest", "tree"])))
    assert "n10 = 15 (only forest right), n01 = 4 (only tree right)" in said
    y = np.arange(40) % 2
    a, b = np.where(np.arange(40) % 10 == 0, 1 - y, y), np.where(np.arange(40) % 4 == 0, 1 - y, y)
    said = str(fstats.report(fstats.McNemarExact.from_predictions(y, a, b)))
    assert "accuracy 0.9 of A and 0.75 of B" in said


WAYS = {  # a test whose statistic does not say how p was computed -> what the paragraph says
    "SignedRank drop exact": "exact p = ",
    "SignedRank drop normal": " by the normal approximation, ",
    "RankSum exact": "exact p = ",
    "RankSum normal": " by the normal approximation, ",
    "EquivalenceSignedRank": "exact p = ",
    "SignTest drop": "exact p = ",
    "BinomialProportion wilson": "exact p < ",
    "McNemarExact": "exact p = ",
    "McNemarMidP": "mid-p = ",
    "Friedman exact": "exact p = ",
    **dict.fromkeys(("PairedBootstrap", "PairedBootstrap BCa"), "bootstrap p = "),
    "PairedPermutation": "exact permutation p = ",
    "PairedPermutation by draws": ", permutation p = ",
}


@pytest.mark.parametrize("name", CASES)
def test_the_paragraph_says_how_p_was_computed(name):
    """By its name, or by a statistic of a known distribution: t(8), F(3, 15), chi-squared with its degrees of freedom, z."""
    test = single(name)
    if not isinstance(test, fstats.core.hypothesis.HypothesisTest):
        return
    said = fstats.report(test).text
    assert name in WAYS or re.search(r"[:,] (z = |\S+\([\d., ]+\) )|exact p|approximation", said)
    assert WAYS.get(name, "") in said


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ({"missing": "drop data sets"}, "Of 14 data sets, 2 were left out because scores are missing: s1, s3."),
        ({"missing": "drop classifiers"}, "Of 3 classifiers, 1 was left out because scores are missing: b."),
        ({"missing": "worst"}, "The worst score of any classifier there stands for 2 missing scores (s1, s3)."),
        ({"missing": "drop data sets", "repeated": "drop data sets"}, "Of 14 data sets, 1 was left out because lines stand twice: s5."),
        ({"missing": "drop data sets", "repeated": "first"}, "The first of repeated lines was used for s5."),
        ({"missing": "drop data sets", "repeated": "folds"}, "Repeated lines were counted as folds: s5."),
        ({"missing": "drop data sets", "many": True}, "Of 44 data sets, 15 were left out because scores are missing."),
    ],
    ids=str,
)
def test_the_paragraph_names_what_was_left_out_or_filled_in(policy, sentence):
    many = policy.get("many", False)
    gaps = range(15) if many else (1, 3)
    rows = [f"s{k},0.{710 + k},{'' if k in gaps else f'0.{640 + 2 * k}'},0.{690 + k}" for k in range(44 if many else 14)]
    text = "\n".join(["data set,a,b,c", *rows, *["s5,0.7,0.6,0.69"] * ("repeated" in policy), ""])
    results = fstats.Results.from_csv(text, **{name: value for name, value in policy.items() if name != "many"})
    test = fstats.SignedRank(results) if len(results.classifiers) == 2 else fstats.ImanDavenport(results)
    for said in (fstats.report(test), fstats.report(test, setup=True)):
        assert sentence in said.text
        assert sentence in said.latex
    assert fstats.report(test, remark="One more sentence.").text.endswith("One more sentence.")
    assert "left out" not in fstats.report(fstats.ImanDavenport(np.random.default_rng(1).random((9, 3)))).text


@pytest.fixture(scope="module")
def compared():
    return fstats.compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *load_iris(return_X_y=True), rng=7)


def test_what_was_compared_is_told(compared):
    said = str(fstats.report(compared, setup=True))
    assert "on 5 x 2-fold cross-validation (block-regularized)" in said
    a, b = (np.ravel(one) for one in (compared.scores.score_a, compared.scores.score_b))
    assert (
        f"mean accuracy {a.mean():.4g} of GaussianNB (standard deviation {a.std(ddof=1):.4g} over 10 splits) and "
        f"{b.mean():.4g} of DecisionTreeClassifier (standard deviation {b.std(ddof=1):.4g} over 10 splits)"
    ) in said
    for part in ("metric accuracy", "seed 7", "DecisionTreeClassifier(max_depth=1)", f"fstats {fstats.__version__}", "numpy "):
        assert part in said[said.index("Setup: ") :]
    assert "Setup" not in str(fstats.report(compared))


def test_results_and_stores_remember_their_setup(tmp_path):
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    for store in (None, tmp_path / "kept.jsonl"):
        results = fstats.benchmark(models, ["iris", "wine"], cv=3, rng=5, data_dir="", scoring=["accuracy", "f1_macro"], store=store)
        for again in range(2 if store else 1):
            if again:
                results = fstats.benchmark(
                    models, ["iris", "wine"], cv=3, rng=5, data_dir="", scoring=["accuracy", "f1_macro"], store=store
                )
            for test in (fstats.PairedT, fstats.Friedman):
                said = str(fstats.report(test(results["f1_macro"]), setup=True))
                setup = said[said.index("Setup: ") :]
                for part in (
                    *("metric f1_macro", "data sets iris, wine", "each score the mean of 3 folds", "plan 3 folds", "seed 5"),
                    *("bayes = GaussianNB(), stump = DecisionTreeClassifier(max_depth=1)", "scikit-learn ", "numpy "),
                ):
                    assert part in setup
    assert str(fstats.report(fstats.PairedT([1, 2, 4], [2, 3, 3]), setup=True)).count("Setup: ") == 1


def test_of_losses_the_difference_says_which_way_round():
    said = str(fstats.report(fstats.PairedT([1, 2, 3.5], [2, 2.5, 4], labels=["good", "bad"], metric="RMSE")))
    assert "mean RMSE 2.167 of good and 2.833 of bad" in said
    assert "mean difference (bad minus good) 0.6667" in said


def test_symbols_with_numbers_are_formulas_in_latex():
    """Only formulas hold symbols, and no space is lost: "$m = 1$ (the smaller count)"."""
    y = [1] * 40
    latex = fstats.report(fstats.McNemarMidP.from_predictions(y, [1] * 30 + [0] * 10, [0] * 8 + [1] * 24 + [0] * 8)).latex
    assert "$m = 2$ (the smaller count), mid-$p" in latex
    assert "$n_{10} = 8$ (only A right), $n_{01} = 2$ (only B right)" in latex
    table = np.random.default_rng(1).normal([0, 0, 0, 0.5, 3, 3.2], 1, (15, 6))
    friedman = fstats.ImanDavenport(table, labels=["a", "b", "c", "d", "$k = 5$-NN", "f"])
    both = fstats.report(friedman, fstats.Holm.from_test(fstats.Pairwise(table))).latex
    assert "We compared $k = 6$ classifiers on $N = 15$ data sets" in both
    assert re.search(r"\(adjusted \$p (<|=|\\leq) 0\.\d+\$\)", both)
    for text in (latex, both):
        assert not re.search(r"\b(p|k|N|n\d\d|alpha) (=|<|\$)", re.sub(r"\$[^$]*\$", "", text))


def test_the_difference_in_accuracy_stands_in_the_paragraph_of_a_table_of_records():
    source = fstats.PairedTable([1] * 40, [1] * 30 + [0] * 10, [0] * 8 + [1] * 24 + [0] * 8, alpha=0.1)
    report = fstats.report(fstats.McNemarExact.from_predictions([1] * 40, [1] * 30 + [0] * 10, [0] * 8 + [1] * 24 + [0] * 8, alpha=0.1))
    low, high = source.difference_ci
    assert f"difference in accuracy {source.difference:.4g}, 90 % confidence interval [{low:.4g}, {high:.4g}], odds ratio" in report.text
    assert "difference in accuracy -" not in fstats.report(fstats.McNemarExact(2, 8)).text  # without the other records


def test_mean_ranks_have_equal_decimals():
    text = fstats.report(fstats.Friedman(np.array([[3, 1, 2], [3, 1, 2], [3, 2, 1], [3, 1, 2]], float), alpha=0.1)).text
    assert "A had the best mean rank (1.00), followed by C (2.25) and B (2.75)." in text
    assert "from 1.00 (A) to 2.75 (B)." in text  # a number that stands twice is written the same way


def test_works_that_a_paragraph_cites_stand_beside_it():
    table = np.random.default_rng(1).normal([0, 0, 1, 3], 1, (15, 4))
    report = fstats.report(fstats.ImanDavenport(table), fstats.Holm.from_test(fstats.Pairwise(table)))
    assert [work.split(",")[0] for work in report.references] == ["Iman and Davenport (1980)", "Wilcoxon (1945)", "Holm (1979)"]
    cited = re.findall(r"\(([^()]+), (\d{4})\)", report.text)
    assert {f"{authors} ({year})" for authors, year in cited} == {work.split(",")[0] for work in report.references}
    assert fstats.report(make("BlockedFiveByTwoT", "two-sided").at(1)).references == ()  # composed in fstats from published parts


@pytest.mark.filterwarnings("ignore:.*print.results.reading")
def test_how_the_table_was_read_stands_beside_the_paragraph():
    lines = "".join(f"set {k},{80 + k},{79 + k % 3}\n" for k in range(9))
    results = fstats.Results.from_csv(f"data,a,b\n{lines}Mean,84,80\n")
    report = fstats.report(fstats.SignedRank(results))
    assert "How the table was read" not in report.text + report.latex
    assert report.notes == ("How the table was read: Left out as summaries of the other lines: 'Mean'.",)
    assert repr(report) == f"{report.text}\n\n{report.notes[0]}"
    assert report.notes[0].split(":")[0] in report.markdown
    assert fstats.report(fstats.SignedRank(results), setup=True).notes == ()
