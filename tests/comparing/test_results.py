"""Scores of k classifiers on N data sets: what is read, what is refused, what becomes of gaps, and the table of a paper."""

import gzip
import re
from functools import partial
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalker, LatexWalkerParseError
from shortcuts import assert_each_raises, assert_raises, parametrize

import fstats
from fstats import BayesianSignedRank, BayesianSignTest, EquivalenceSignedRank, EquivalenceT, Friedman, Nemenyi, PairedT, Pairwise, Results
from fstats.render.latex import escape_document_text

SCORES = np.random.default_rng(3).uniform(0.6, 0.95, (5, 3)).round(3)
SETS, NAMES = ["iris", "wine", "heart", "sonar", "liver"], ["svm_rbf", "C&RT", "50 %"]
FRAME = pd.DataFrame(SCORES, SETS, NAMES)
FOLDS = np.random.default_rng(4).uniform(0.6, 0.95, (5, 3, 4)).round(3)


def long_lines(scores=FOLDS):
    lines = ["dataset,model,fold,accuracy"]
    for i, j, f in np.ndindex(scores.shape):
        lines.append(f"{SETS[i]},{NAMES[j]},{f + 1},{scores[i, j, f]}")
    return lines


# -- in ----------------------------------------------------------------------------------------------------------------------
def test_names_of_files_and_frames(tmp_path):
    FRAME.to_csv(tmp_path / "wide.csv", index_label="data set")
    for results in (Results.from_csv(tmp_path / "wide.csv"), Results(FRAME), Results.from_frame(FRAME)):
        assert (results.data_sets, results.classifiers) == (tuple(SETS), tuple(NAMES))
        assert np.array_equal(results.scores, SCORES)
        assert np.isnan(results.sd).all()
    sets, names = [f"set {k}" for k in range(len(SETS))], [f"model {k}" for k in range(len(NAMES))]
    for given in ({"data_sets": sets}, {"classifiers": names}, {"data_sets": sets, "classifiers": names}):
        results = Results(pd.DataFrame(SCORES, columns=NAMES), **given)
        assert results.classifiers == tuple(given.get("classifiers", NAMES))
        assert results.data_sets == tuple(given.get("data_sets", (str(k + 1) for k in range(len(SETS)))))


def test_a_long_file_is_averaged_over_its_folds_as_average_folds_does(tmp_path):
    head, *body = long_lines()
    np.random.default_rng(0).shuffle(body)  # in any order
    (tmp_path / "long.csv").write_text("\n".join([head, *body]))
    results = Results.from_csv(tmp_path / "long.csv").select(data_sets=SETS, classifiers=NAMES)
    assert results.metrics == ("accuracy",)
    for j in range(3):
        assert results.scores[:, j] == pytest.approx(fstats.average_folds(FOLDS[:, j]), rel=1e-12)
        assert results.sd[:, j] == pytest.approx([np.std(FOLDS[i, j], ddof=1) for i in range(5)], rel=1e-12)
    assert Friedman(results).n == 5  # folds are no data sets
    assert Results(FOLDS, data_sets=SETS, classifiers=NAMES).scores == pytest.approx(results.scores, rel=1e-12)


def test_folds_in_the_index_or_in_repeated_rows_are_folds():
    index = pd.MultiIndex.from_product([SETS, [1, 2, 3, 4]], names=["data set", "fold"])
    frame = pd.DataFrame(FOLDS.transpose(0, 2, 1).reshape(20, 3), index, NAMES)
    repeated = frame.droplevel("fold")
    for found in (Results(frame), Results(repeated), Results(frame.reset_index())):
        assert (found.scores, found.data_sets) == (pytest.approx(FOLDS.mean(2), rel=1e-12), tuple(SETS))
        assert {len(names) for names in found.folds} == {4}


def test_several_metrics_and_columns_that_are_named():
    frame = pd.DataFrame(
        {"problem": ["a", "a", "b", "b"], "approach": ["x", "y"] * 2, "auc": [0.9, 0.8, 0.7, 0.6], "loss": [0.1, 0.4, 0.3, 0.2]}
    )
    results = Results.from_frame(frame, classifier="approach", higher_is_better={"loss": False})
    assert (results.metrics, results["loss"].ranks.tolist()) == (("auc", "loss"), [[1, 2], [2, 1]])
    assert results["auc"].ranks.tolist() == [[1, 2], [1, 2]]
    assert_raises(lambda: Friedman(results), r"`results` must have one metric here; got auc, .*. Choose one, such as results\['auc'\]")
    assert Results.from_frame(frame, classifier="approach", scores="auc").metrics == ("auc",)
    frame["metric"] = "f1"
    assert Results.from_frame(frame, classifier="approach", scores="auc").metrics == ("f1",)


@pytest.mark.every_case
@pytest.mark.parametrize("test", [Friedman, fstats.RepeatedAnova, Nemenyi, fstats.Holm, Pairwise, fstats.TukeyHSD, fstats.Quade])
@pytest.mark.parametrize("scores", [FRAME, Results(FRAME)], ids=["frame", "results"])
def test_names_of_rows_and_columns_are_kept_and_shown(test, scores):
    found = test(scores)
    assert (found.labels.tolist(), found.data_sets.tolist()) == (NAMES, SETS)
    assert re.search(r"^ +sonar ", repr(found), re.MULTILINE)
    assert "sonar" in found._repr_html_()
    assert found.to_dict()["data_sets"] == SETS
    assert test(SCORES).data_sets is None
    assert "data_sets" not in test(SCORES).to_dict()
    assert_raises(lambda: test(SCORES, data_sets=["a", "b"]), "`data_sets` must be a list of 5 names, one for each data set; got a, b")


def test_numbers_in_an_index_are_no_names():
    assert Friedman(pd.DataFrame(SCORES, columns=NAMES)).data_sets is None
    assert Friedman(FRAME.set_axis([3, 1, 4, 15, 9])).data_sets is None


def test_out_and_in_again(tmp_path):
    results = Results({"a": FOLDS, "b": 1 - FOLDS}, data_sets=SETS, classifiers=NAMES)
    results.to_csv(tmp_path / "all.csv")
    again = Results.from_csv(tmp_path / "all.csv")
    assert again.metrics == ("a", "b")
    for metric in "ab":
        assert np.array_equal(again[metric].fold_scores, results[metric].fold_scores)
    assert np.array_equal(Results(results["a"].to_frame("long")).scores, results["a"].scores)
    assert results["a"].to_frame().loc["wine", "C&RT"] == pytest.approx(FOLDS[1, 1].mean())


# -- gaps --------------------------------------------------------------------------------------------------------------------
def test_missing_scores_are_refused_with_row_and_column(tmp_path):
    lines = FRAME.to_csv(index_label="data set").splitlines()
    lines[3] = "heart,0.8,,0.7"
    (tmp_path / "holes.csv").write_text("\n".join(lines))
    message = r"heart, C&RT: missing \(holes.csv, line 4, column 'C&RT'\): fill in gaps.* missing='drop data sets' or 'drop classifiers' or"
    assert_raises(lambda: Results.from_csv(tmp_path / "holes.csv"), message)
    kept = Results.from_csv(tmp_path / "holes.csv", missing="keep")
    message = r"`scores` must be complete; got missing scores \(heart, C&RT: .*\)\. Remove .* with results.without_gaps\('drop data sets'\)"
    assert_raises(lambda: Friedman(kept), message)
    assert "Missing: heart, C&RT: missing" in repr(kept)
    assert "–" in repr(kept)
    (tmp_path / "long.csv").write_text("\n".join(long_lines()[:-2]))
    with pytest.raises(ValueError, match="liver, 50 %, fold 3: there is no line for this score; liver, 50 %, fold 4"):
        Results.from_csv(tmp_path / "long.csv")


def gappy():
    holes = FOLDS.copy()
    holes[1, 2] = np.nan
    holes[3, 0, 2] = np.nan
    return Results(holes, data_sets=SETS, classifiers=NAMES, missing="keep")


def test_policies():
    assert [(gap.data_set, gap.classifier, gap.fold) for gap in gappy().gaps] == [("wine", "50 %", ""), ("sonar", "svm_rbf", "3")]
    rows = gappy().without_gaps("drop data sets")
    assert (rows.data_sets, rows.scores) == (("iris", "heart", "liver"), pytest.approx(FOLDS[[0, 2, 4]].mean(2)))
    assert rows.notes[0].startswith("Left out: wine, sonar (wine, 50 %: missing")
    columns = Results(gappy().fold_scores[:, 1:], data_sets=SETS, classifiers=NAMES[1:], missing="keep")
    assert_raises(
        lambda: columns.without_gaps("drop classifiers"),
        "'drop classifiers' must leave at least 2 classifiers to compare; got 1 of 2",
    )
    worst = gappy().without_gaps("worst")
    assert worst.fold_scores[1, 2] == pytest.approx(FOLDS[1, :2].min(0))
    assert (worst.fold_scores[3, 0, 2], worst.ranks[1, 2]) == (FOLDS[3, 1:, 2].min(), worst.ranks[1].max())
    losses = Results(gappy().fold_scores, higher_is_better=False, missing="worst")
    assert losses.fold_scores[1, 2] == pytest.approx(FOLDS[1, :2].max(0))
    for done in (rows, worst):
        assert not done.gaps
        assert 0 < Friedman(done).pvalue <= 1
        assert done.notes[0] in " ".join(repr(done).split())  # in lines
        assert done.to_latex().startswith("% ")


@pytest.mark.every_case
@parametrize(
    "make, message, error",
    (
        lambda: Results(SCORES, missing="mean"),
        "`missing` must be one of 'refuse', 'keep', .*; got 'mean'",
    ),
    (
        lambda: gappy().without_gaps("keep"),
        "`policy` must be 'average', 'drop folds', 'drop data sets', 'drop classifiers' or 'worst'; got",
    ),
    (
        lambda: Results(FRAME.assign(notes=["x", 1, 2, 3, 4])),
        r"a finite number; got 'x' in scores, row 0 \(.*, column 'notes'",
    ),
    (lambda: Results([0.5, 0.6]), r"`scores` must have the shape \(data sets, classifiers\),"),
    (lambda: Results([[np.inf, 1], [1, 2]]), "`scores` must be finite"),
    (lambda: Results(FRAME.iloc[:0]), "`scores` must hold at least one score; got none"),
    (lambda: Results(SCORES, classifiers=["a", "a", "b"]), "classifiers must be 3 different names; got a, a, b"),
    (lambda: Results(SCORES, higher_is_better="yes"), "`higher_is_better` must be True or False", TypeError),
    (lambda: Results(FRAME).select(classifiers=["svm_rbg"]), "there is no 'svm_rbg' among these results; the nearest names are 'svm_rbf'"),
    (lambda: Results(FRAME).select(classifiers=[]), "classifiers must hold at least one name, and each name only once; got none"),
    (lambda: Results(FRAME).select(data_sets=["iris", "iris"]), "data_sets must hold at least one name, .*; got iris, iris"),
    (
        lambda: Results({"loss": SCORES, "acc": SCORES}, higher_is_better={"los": False}),
        "`higher_is_better` must name metrics of the results; got 'los'; the nearest names are 'loss', 'acc'$",
    ),
    (lambda: Results(FRAME, higher_is_bettr=True), r"Results\(\) has no 'higher_is_bettr': did you mean 'higher_is_better'", TypeError),
    (lambda: Results.from_frame(FRAME, score="x"), r"from_frame\(\) has no 'score': did you mean 'scores'", TypeError),
    (lambda: Results.from_csv("x.csv", score="x"), r"from_csv\(\) has no 'score': did you mean 'scores'", TypeError),
    (lambda: Results(FRAME).to_latex(digit=2), r"to_latex\(\) has no 'digit': did you mean 'digits'", TypeError),
    (lambda: Nemenyi(Results(FRAME)).plot(titel=None), r"plot\(\) has no 'titel': did you mean 'title'", TypeError),
    (lambda: Results(FRAME)["auc"], "there is no metric 'auc'", KeyError),
    (lambda: Results(FRAME).to_latex(digits=-1), "`digits` must be a whole number from 0 to 15"),
    (
        lambda: Results(pd.DataFrame({"model": ["a"], "acc": [1]})),
        "must have a column with the data set of each line; got the columns model, acc",
    ),
    (lambda: Results.from_frame(FRAME, fold="Fold"), "scores has no column 'Fold'"),
)
def test_what_is_refused(make, error, message):
    assert_raises(make, message, error)


def test_wins_and_scores_that_stand_twice(tmp_path):
    (tmp_path / "twice.csv").write_text("\n".join([*long_lines(), "iris,svm_rbf,1,0.5"]))
    with pytest.raises(ValueError, match=r"one score of svm_rbf on iris, fold 1; got two, in twice.csv, line 2, .* line 62"):
        Results.from_csv(tmp_path / "twice.csv")
    (tmp_path / "uneven.csv").write_text("data,model,acc\na,x,1\na,x,2\na,y,3\n")
    assert_raises(lambda: Results.from_csv(tmp_path / "uneven.csv"), "or a column of folds; got 2 for a, x and 1 for another name")
    table = np.random.default_rng(7).integers(0, 4, (12, 4)).astype(float)
    results = Results(table)
    for j, name in enumerate(results.classifiers):
        plain = [
            (sum(a > b for a, b in zip(table[:, j], table[:, m])), sum(table[:, j] == table[:, m]), sum(table[:, j] < table[:, m]))
            for m in range(4)
        ]
        assert results.wins_draws_losses(name) == plain
    one = Results([[0.00001], [-0.00001]]).select(data_sets="2")
    assert repr(one).startswith("score of 1 classifier on 1 data set\n")
    assert "-0.000" not in repr(one) + one.to_latex()


# -- the table of a paper ----------------------------------------------------------------------------------------------------
def test_the_table_of_a_paper():
    results = Results(FOLDS, data_sets=SETS, classifiers=NAMES)
    latex = results.to_latex(against="C&RT")
    rows = [line.removesuffix(r" \\").split(" & ") for line in latex.splitlines() if line.endswith(r"\\")]
    assert rows[0] == ["Data set", r"svm\_rbf", r"C\&RT", r"50 \%"]
    for i, row in enumerate(rows[1:6]):
        assert row[0] == SETS[i]
        best = max(f"{FOLDS[i, j].mean():.3f}" for j in range(3))
        for j in range(3):
            mean, sd = f"{FOLDS[i, j].mean():.3f}", f"{FOLDS[i, j].std(ddof=1):.3f}"
            shown = rf"\mathbf{{{mean}}}" if mean == best else mean
            assert row[j + 1] == rf"${shown} \pm {sd}$"
    expected = [rf"\mathbf{{{r:.3f}}}" if r == results.mean_ranks.min() else f"{r:.3f}" for r in results.mean_ranks]
    assert [cell.strip("$") for cell in rows[7][1:]] == expected
    wins, draws, losses = results.wins_draws_losses("svm_rbf")[1]
    assert rows[8][:3] == [r"Win/draw/loss against C\&RT", f"{wins}/{draws}/{losses}", "--"]


def test_options_of_the_table():
    results = Results(FOLDS, data_sets=SETS, classifiers=NAMES)
    plain = results.to_latex(sd=False, best=False, ranks=False, percent=True)
    assert r"\pm" not in plain
    assert r"\mathbf" not in plain
    assert f"${100 * FOLDS[0, 0].mean():.1f}$" in plain
    turned = results.to_latex(transpose=True, caption="Accuracy.", label="tab:a")
    assert r"\caption{Accuracy.}" in turned
    assert r"\label{tab:a}" in turned
    assert [line.split(" & ")[0] for line in turned.splitlines() if line.endswith(r"\\")] == ["Classifier", r"svm\_rbf", r"C\&RT", r"50 \%"]
    alike = Results([[0.90001, 0.90002], [0.5, 0.4]]).to_latex()
    assert alike.count(r"\mathbf{0.900}") == 2  # what is printed alike is treated alike
    assert r"\mathbf{0.400}" in Results([[0.5, 0.4], [0.6, 0.5]], higher_is_better=False).to_latex()


HOSTILE = ["svm_rbf", "C&RT", "50 %", "~home", "a^b", r"back\slash", "{x}", "#1", "$5 or $6", "<b>", "a|b", '"q"', "`tick`", "--flag"]
HOSTILE += ["[x]", "*", "naïve", "χ² ≤ 3", "two\nlines"]


def checked(latex):
    """The LaTeX as text, by a parser that is strict about braces, formulas and environments."""
    nodes, _, _ = LatexWalker(latex, tolerant_parsing=False).get_latex_nodes()
    assert nodes
    bare = re.sub(r"\\[#$%&_{}]|(?m:^% .*$)", "", latex)
    assert bare.count("$") % 2 == 0
    for outside in bare.split("$")[::2]:
        assert not re.search(r"[#_^~<>|\"`]", outside), outside
    return LatexNodes2Text(math_mode="text").latex_to_text(latex)


def test_hostile_names_make_a_table_that_a_parser_takes():
    scores = np.random.default_rng(0).random((len(HOSTILE), len(HOSTILE)))
    latex = Results(scores, data_sets=HOSTILE, classifiers=HOSTILE).to_latex(caption="All of them", label="tab:x")
    text = checked(latex)
    lines = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 1 + len(HOSTILE) + 3
    for line in lines:
        assert not line.startswith(("[", "*"))  # which would belong to the line break before
        assert len(re.findall(r"(?<!\\)&", line)) == len(HOSTILE)
    for seen in ("svm_rbf", "C&RT", "50 %", "{x}", "#1", "$5 or $6", "naïve", "χ² ≤ 3", "two lines"):
        assert seen in text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_the_paragraph(name):
    table = np.column_stack([SCORES[:, 0], SCORES[:, 1:] + 0.3])
    labels = [name, "B", "C"]
    said = fstats.report(Friedman(table, labels=labels), Nemenyi(table, labels=labels))
    checked(said.latex)
    assert " ".join(name.split()) in " ".join(said.text.split())
    assert escape_document_text(name) in said.latex


def test_the_check_of_latex_sees_what_is_wrong():
    for wrong in (r"svm_rbf", "a $x", r"\begin{tabular}{l} x", "{x", "a ~ b"):
        with pytest.raises((AssertionError, LatexWalkerParseError)):
            checked(wrong)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_of_windows_is_read_and_said_so(tmp_path, compressed):
    path = tmp_path / ("old.csv.gz" if compressed else "old.csv")
    content = "data set,a,b\niris,0.5,0.4\nMünster,0.5,0.3\n".encode("latin-1")
    path.write_bytes(gzip.compress(content) if compressed else content)
    results = Results.from_csv(path)
    assert results.data_sets == ("iris", "Münster")
    assert "was read as Windows-1252 text" in " ".join(repr(results).split())


# -- what files are like -----------------------------------------------------------------------------------------------------
@pytest.fixture
def read(tmp_path):
    def reads(text, **how):
        path = tmp_path / "scores.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return Results.from_csv(path, **how)

    return reads


@pytest.mark.parametrize("cell", ["0.5 ± 0.1", "0.5±0.1", "0.5 +/- 0.1", "0.5+-0.1", r"$0.5 \pm 0.1$", "0.5 % ± 0.1 %"])
def test_a_mean_with_the_sign_of_a_spread_is_read(read, cell):
    frame = pd.DataFrame({"A": [cell, "2"], "B": [1, 2]}, index=["iris", "wine"])
    for results in (read(f"data set,A,B\niris,{cell},1\nwine,2,2\n"), Results.from_frame(frame)):
        assert results.scores.tolist() == [[0.5, 1], [2, 2]]
        assert any("hold two numbers: the first was read as the score" in note for note in results.notes)


@parametrize(
    "text, message",
    (
        "data set,A,B\niris,1,2\nwine,2,3\niris,1,2\n",
        "must have one line for iris; got lines 2 and 4. Keep one line, number",
    ),
    ("data set,A,B\niris,1,2\nwine,2,3\n\niris,1,2\nwine,2,3\n", "one line for iris; got lines 2 and 5"),
    ("data set,A,B\n" + "iris,1,2\n" * 6, r"one line for iris; got lines 2, 3, 4, 5 and \.\.\."),
    ("data set,A,B\niris,0.5 (0.1),2\n", "'0.5 .0.1.' holds two numbers .* Nothing says what stands in brackets.* Write cells='mean' to"),
    ("sep=;\ndata set;A;B\n\niris;x;2\n", "must be a finite number; got 'x' in scores.csv, line 4, column 'A'"),
)
def test_what_is_wrong_is_told_with_its_line_and_what_to_do(read, text, message):
    assert_raises(lambda: read(text), message)


def test_repeated_rows_and_messy_tables(read):
    frame = pd.DataFrame({"A": [1.0, 2, 3], "B": [2.0, 3, 4]}, index=["iris", "wine", "iris"])
    assert_raises(
        lambda: Results.from_frame(frame),
        r"one line for iris; got rows 0 and 2 \(counting from 0\)",
    )
    assert Results.from_frame(frame.assign(part=[1, 1, 2]), fold="part").folds == (("1", "2"), ("1",))
    text = "\ufeffsep=;\r\nDatensatz;Entscheidungsbaum;k nächste Nachbarn\r\nIris;95,3;94,1\r\nWein (rot);90,25;\r\n;;\r\nHerz;78,1;80\r\n"
    assert_raises(lambda: read(text), r"Wein \(rot\), k nächste Nachbarn: missing \(scores.csv, line 4, column 'k nächste Nachbarn'\)")
    found = read(text, missing="drop data sets")
    assert (found.data_sets, found.classifiers) == (("Iris", "Herz"), ("Entscheidungsbaum", "k nächste Nachbarn"))
    assert found.scores.tolist() == [[95.3, 94.1], [78.1, 80.0]]


@pytest.mark.parametrize("heads", ["fold 1,fold 2", "Fold_1,Fold_2", "split1_test_score,split2_test_score", "fold1,fold2"])
def test_folds_as_columns_are_folds(read, heads):
    found = read(f"data set,classifier,{heads}\niris,A,1,2\niris,B,3,5\nwine,A,1,1\nwine,B,2,2\n")
    assert (found.folds, found.scores.tolist()) == ((("1", "2"),) * 2, [[1.5, 4], [1, 2]])


# -- two of them -------------------------------------------------------------------------------------------------------------
OF_A_TABLE = [PairedT, fstats.SignedRank, fstats.SignTest, *(partial(test, margin=1) for test in (EquivalenceT, EquivalenceSignedRank))]
OF_A_TABLE += [partial(test, rope=0.1) for test in (BayesianSignTest, BayesianSignedRank)]


@pytest.mark.parametrize("test", OF_A_TABLE, ids=lambda test: getattr(test, "func", test).__name__)
def test_results_of_two_classifiers_are_compared_without_pandas(test):
    two = Results([[3.0, 1], [2, 2], [5, 4], [4, 1]], classifiers=["forest", "tree"])
    found, by_hand = test(two), test(two.scores[:, 0], two.scores[:, 1], labels=["forest", "tree"])
    assert repr(found) == repr(by_hand) == repr(test(two.to_frame()))
    assert test(two, labels=["p", "q"]).labels.tolist() == ["p", "q"]
    words = r"compares two classifiers; got a table with the columns .*. Choose two columns, as in"
    assert_each_raises(test, (two.select(classifiers="tree"), Results(np.eye(3)), Results(np.eye(3)).to_frame()), words)
    errors = Results(-two.scores, classifiers=["forest", "tree"], higher_is_better=False)
    assert errors.higher_is_better is False
    assert test(errors).d.tolist() == found.d.tolist() if "d" in found.steps else test(errors).pvalue == found.pvalue


# -- a report ----------------------------------------------------------------------------------------------------------------
class Read(HTMLParser):
    """The cells of a table, line by line, those that are bold, and the paragraphs around it."""

    def __init__(self, text):
        super().__init__()
        self.lines, self.bold, self.paragraphs, self.open = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.open.append(tag)
        if tag in ("tr", "p"):
            (self.lines if tag == "tr" else self.paragraphs).append([] if tag == "tr" else "")
        if tag in ("td", "th"):
            self.lines[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open:
            self.lines[-1][-1] += data
            self.bold += [data] * ("strong" in self.open)
        elif "p" in self.open:
            self.paragraphs[-1] += data


def test_the_table_of_a_report_is_that_of_a_paper():
    results = Results(FOLDS, data_sets=SETS, classifiers=NAMES, metric="accuracy")
    report = Read(results.to_html())
    assert results.to_html() == results._repr_html_()
    assert report.lines[0] == ["data set", *NAMES]
    for line, name, means, sds in zip(report.lines[1:], SETS, results.scores, results.sd, strict=False):
        assert line == [name, *(f"{mean:.3f} ± {sd:.3f}" for mean, sd in zip(means, sds, strict=True))]
    assert [line[0] for line in report.lines[6:]] == ["mean", "mean rank", report.lines[-1][0]]
    short = Read(results.to_html(digits=2, sd=False, best=False, ranks=False, percent=True, caption="Scores <of> mine"))
    assert short.lines[1][1:] == [f"{100 * mean:.2f}" for mean in results.scores[0]]
    assert (len(short.lines), short.bold, short.paragraphs) == (6, [], ["Scores <of> mine"])
    assert "accuracy in percent of 3 classifiers on 5 data sets" in results.to_html(percent=True, sd=False)
    assert f"against {NAMES[0]}" in Read(results.to_html(against=NAMES[0])).lines[-1][0]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_a_report(name):
    report = Read(Results(SCORES, data_sets=[name, *SETS[1:]], classifiers=[f"1 {name}", *NAMES[1:]]).to_html())
    assert (report.lines[0][1], report.lines[1][0]) == (f"1 {name}", name)


def test_what_a_report_is_not_made_of():
    assert_raises(lambda: Results(SCORES).to_html(digits=16), "`digits` must be a whole number from 0 to 15; got 16")
    assert_raises(lambda: Results({"a": SCORES, "b": SCORES}).to_html(), r"one metric here; got a, b. Choose one, such as results\['a'\]")
    gone = Results([[0.1, 0.2], [0.3, np.nan], [0.5, 0.6]], missing="drop data sets")
    assert "Left out: 2" in " ".join(Read(gone.to_html()).paragraphs)


def test_the_table_as_markdown():
    """Every number of the table, the best in bold, signs of Markdown escaped; read by a Markdown library it is the HTML table."""
    table = Results([[0.9, 0.8], [0.7, 0.6], [0.5, 0.6]], metric="RMSE", higher_is_better=False, classifiers=["a|b", "c_d"])
    said = table.to_markdown(digits=2)
    assert said.splitlines()[:5] == [
        "RMSE of 2 classifiers on 3 data sets, lower is better",
        "",
        r"| data set | a\|b | c\_d |",
        "| :--- | ---: | ---: |",
        "| 1 | 0.90 | **0.80** |",
    ]
    assert "Bold: the best of its line." in said
    assert "Data set (RMSE, lower is better)" in table.to_latex()
    assert "Classifier (RMSE, lower is better)" in table.to_latex(transpose=True)
