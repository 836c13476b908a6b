"""Tables as strangers keep them are read right or asked about, never wrongly in silence."""

from __future__ import annotations

import json
import re
import tomllib
from ast import literal_eval
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import Friedman, Results
from fstats.comparing.results.cell_numbers import parse_cell
from fstats.comparing.results.missing_scores import REMEDIES
from fstats.comparing.results.reading_question import ReadingQuestion

TABLES = tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))
SETS, NAMES = ["amber", "birch", "cedar", "dune"], ["forest", "svm", "knn"]
WIDE = pd.DataFrame(np.random.default_rng(2).uniform(0.6, 0.9, (4, 3)).round(3), pd.Index(SETS, name="dataset"), NAMES)
RUNS = pd.DataFrame(
    [(d, m, r, round(0.8 + 0.02 * i - 0.03 * j + 0.005 * r, 4)) for i, d in enumerate(SETS) for j, m in enumerate(NAMES) for r in range(3)],
    columns=["dataset", "method", "run", "accuracy"],
)


def table_in_file(folder, name):
    """A table, and a file of its text."""
    table = TABLES[name]
    file = folder / f"{name}{table.get('ending', '.csv')}"
    file.write_text(table["text"], encoding="utf-8")
    return table, file


@pytest.mark.every_case
@pytest.mark.filterwarnings("ignore:.*print.results.reading")
@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_right_or_asked_about(tmp_path, name):
    table, file = table_in_file(tmp_path, name)
    if "ask" in table:
        assert_raises(lambda: Results.from_csv(file), table["ask"])
    if "classifiers" not in table:
        return
    for results in (Results.from_csv(file, **table.get("answer", {})), Results.from_csv(table["text"], **table.get("answer", {}))):
        assert list(results.classifiers) == table["classifiers"]
        assert len(results.data_sets) == table["data_sets"]
        assert {max(map(len, results.folds))} == {table.get("folds", 1)}
        assert {max(map(len, results.seeds))} == {table.get("seeds", 1)}
        if results.metrics != ("score",) or name != "error_rates":  # the text has no name that says what is measured
            assert results.higher == table["higher"]
            first = results[results.metrics[0]]
            assert results.classifiers[int(first.mean_ranks.argmin())] == table["best"]
        assert re.search(table.get("note", ""), " ".join(results.reading.notes))
        assert set(results.reading.columns) == set(results.read_as)
        assert all(column.role and column.reason for column in results.reading.columns.values())


@pytest.mark.every_case
@parametrize(
    "name, answer",
    ("columns_0_to_9", {"numbered": "classifiers"}),
    ("rank_table", {"higher_is_better": True}),
    ("fuzz", {"classifier": ["fuzzer", "time"]}),
    ("unknown", {"data_set": "stuff", "classifier": "thing"}),
    ("trained_on_one_and_tested_on_the_other", {"turned": True}),
    ("lines_named_like_folds", {"fold": "name"}),
    ("oom", {"missing": ("worst", "worst")}),
)
def test_a_question_holds_the_arguments_that_answer_it(name, answer):
    with pytest.raises(ReadingQuestion) as asked:
        Results.from_csv(TABLES[name]["text"])
    assert answer in [arguments for arguments, _ in asked.value.answers]
    assert all(f"{next(reversed(arguments))}=" in str(asked.value) for arguments, _ in asked.value.answers)


def test_a_question_names_the_arguments_without_a_value():
    with pytest.raises(ReadingQuestion) as asked:
        Results.from_csv(TABLES["quantities_of_different_scales"]["text"])
    assert asked.value.arguments == ["classifier"]
    assert asked.value.answers == [({"scores": ["lines", "tokens"]}, "if each column is a classifier")]


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if "doubt" in table])
def test_what_was_guessed_is_warned_of_and_stands_in_every_output(tmp_path, name):
    table, file = table_in_file(tmp_path, name)
    with pytest.warns(UserWarning, match=table["doubt"]):
        results = Results.from_csv(file, **table.get("answer", {}))
    (first, *_) = results.reading.doubts
    for text in (repr(results), repr(results.reading)):
        assert first in " ".join(text.split())
    single = results[results.metrics[0]]
    if len(single.classifiers) > 2:
        assert first in str(fstats.report(Friedman(single)))


def test_a_plan_is_a_short_table_with_reasons():
    results = Results.from_csv(TABLES["loss_by_name"]["text"])
    assert repr(results.reading).splitlines()[2:] == [
        "  column    read as     because",
        "  method    classifier  its name",
        "  dataset   data set    its name",
        "  log_loss  scores      its name",
        "  log_loss  metric      lower is better: by its name",
    ]


# -- forms of files ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_encodings_and_separators(tmp_path, encoding, separator):
    frame = WIDE.rename(index={"amber": "Ämber"})
    (tmp_path / "table.csv").write_bytes(frame.to_csv(sep=separator, lineterminator="\r\n").encode(encoding))
    results = Results.from_csv(tmp_path / "table.csv")
    assert (results.data_sets, results.scores.tolist()) == (tuple(frame.index), WIDE.to_numpy().tolist())


@pytest.mark.parametrize("write", ["to_markdown", "to_latex", "to_string", "to_json", "to_csv"])
def test_what_pandas_writes(write):
    if write == "to_markdown":
        text = "\n".join(["| dataset | " + " | ".join(NAMES) + " |", "|:--|" + "--:|" * 3])
        text += "".join(f"\n| {name} | " + " | ".join(map(str, row)) + " |" for name, row in zip(SETS, WIDE.to_numpy()))
    elif write == "to_latex":
        rows = [" & ".join([name, *map(str, row)]) + r" \\" for name, row in zip(SETS, WIDE.to_numpy())]
        text = "\n".join(
            [r"\begin{tabular}{lrrr}", r"\toprule", " & ".join(["dataset", *NAMES]) + r" \\", r"\midrule", *rows, r"\bottomrule"]
        )
        text += "\n\\end{tabular}\n"
    elif write == "to_string":
        text = WIDE.rename_axis(index=None).to_string()
    else:
        text = WIDE.reset_index().to_json(orient="records") + "\n" if write == "to_json" else WIDE.to_csv()
    results = Results.from_csv(text)
    assert (results.data_sets, results.classifiers) == (tuple(SETS), tuple(NAMES))
    assert results.scores == pytest.approx(WIDE.to_numpy())


@pytest.mark.parametrize("values", [None, "acc"])
@pytest.mark.parametrize("write", ["to_latex", "to_string", "reset", "reset without index", "to_csv"])
def test_what_pandas_writes_of_a_pivot(write, values):
    long = WIDE.rename_axis(index="dataset", columns="method").stack().rename("acc").reset_index()
    pivot = long.pivot_table(index="dataset", columns="method", values=values, sort=False)
    if write.startswith("reset"):
        table = pivot if values else pivot["acc"]
        text = table.reset_index().to_string(index="without" not in write)
    else:
        text = getattr(pivot, write)()
    results = Results.from_csv(text)
    assert (results.data_sets, results.classifiers) == (tuple(SETS), tuple(NAMES))
    assert results.scores == pytest.approx(WIDE.to_numpy())


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("second", ["method", "fold"])
def test_empty_cells_below_a_name_are_read_as_the_name(separator, second):
    if second == "method":
        cells = [[d if j == 0 else "", m, f"0.{i + 4}{j}"] for i, d in enumerate(SETS) for j, m in enumerate(NAMES)]
        heads = ["dataset", "method", "accuracy"]
    else:
        cells = [[d if f == 1 else "", str(f), *(f"0.{i + 4}{j}{f}" for j in range(3))] for i, d in enumerate(SETS) for f in (1, 2)]
        heads = ["dataset", "fold", *NAMES]
    edge = "|" * (separator == "|")
    results = Results.from_csv("".join(f"{edge}{separator.join(line)}{edge}\n" for line in [heads, *cells]))
    assert (results.data_sets, results.classifiers) == (tuple(SETS), tuple(NAMES))
    assert results.scores[1] == pytest.approx([0.5, 0.51, 0.52], abs=0.002)
    assert separator == "|" or "Empty cells below a name were read as this name." in results.reading.notes


@pytest.mark.parametrize("head", ["Data set", "Data Set", "Conjunto datos"])
def test_two_words_above_the_names_of_data_sets_are_one_heading(head):
    text = f"{head} C4.5 NB\niris 0.91 0.92\nwine 0.81 0.83\nzoo 0.71 0.74\n"
    assert Results.from_csv(text).classifiers == ("C4.5", "NB")


@pytest.mark.parametrize("ends", [(";;", ";;"), ("", ";;"), ("", ";"), (";", ";")])
def test_lines_may_end_with_separators(ends):
    rows = ["data set;A;B", *(f"set {k};0.{k + 4}1 ± 0.02;0.{k + 3}5 ± 0.02" for k in range(4))]
    results = Results.from_csv("".join(f"{row}{ends[k > 0]}\n" for k, row in enumerate(rows)))
    assert (results.classifiers, results.scores[1].tolist()) == (("A", "B"), [0.51, 0.45])


@pytest.mark.parametrize("metrics", [["score"], ["accuracy", "f1"]])
@pytest.mark.parametrize("index", [True, False])
def test_a_file_of_a_search_holds_its_candidates_and_splits(metrics, index):
    from sklearn.datasets import make_classification
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    several = {} if metrics == ["score"] else {"scoring": metrics, "refit": False}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=4, **several)
    found = search.fit(*make_classification(60, random_state=1)).cv_results_
    results = Results.from_csv(pd.DataFrame(found).to_csv(index=index))
    assert (results.metrics, results.classifiers) == (tuple(metrics), ("max_depth=1", "max_depth=2", "max_depth=3"))
    for metric in metrics:
        expected = np.transpose([found[f"split{k}_test_{metric}"] for k in range(4)])
        assert results[metric].fold_scores[0] == pytest.approx(expected)
    assert "candidates of a search" in " ".join(results.reading.notes)


def test_the_last_step_of_a_training_is_offered_and_steps_are_not_averaged():
    steps = pd.concat([RUNS[RUNS.run == 0].assign(epoch=k, accuracy=RUNS.accuracy[RUNS.run == 0] + k / 100) for k in range(1, 11)])
    with pytest.raises(ReadingQuestion, match="differ in 'epoch'") as asked:
        Results.from_csv(steps.drop(columns="run").to_csv(index=False))
    answers = [answer for answer, _ in asked.value.answers]
    assert {"where": {"epoch": "10"}} in answers
    assert not any("fold" in answer for answer in answers)


def test_columns_with_numbers_instead_of_names_are_asked_about():
    text = RUNS.pivot(index=["dataset", "method"], columns="run", values="accuracy").to_csv()
    assert_raises(lambda: Results.from_csv(text), "numbered='folds' if they are folds, or numbered='seeds'")
    results = Results.from_csv(text, numbered="seeds")
    for j, name in enumerate(results.classifiers):
        assert results.seed_scores[:, j].ravel().tolist() == RUNS.accuracy[RUNS.method == name].tolist()
    assert_raises(lambda: Results.from_csv("<table><tr><td>1</td></tr>\n</table>\n"), "HTML, which is not read. Copy the table")


def test_an_excel_file(tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "table.xlsx") as book:
        WIDE.to_excel(book, sheet_name="scores")
        WIDE.to_excel(book, sheet_name="old")
    results = Results.from_csv(tmp_path / "table.xlsx")
    assert results.scores.tolist() == WIDE.to_numpy().tolist()
    assert "Only the first sheet 'scores' of 2 was read." in results.notes


def test_two_lines_of_headings(tmp_path):
    both = pd.concat({"svm": WIDE[["forest", "svm"]], "rf": WIDE[["svm", "forest"]].set_axis(["forest", "svm"], axis=1)}, axis=1)
    both.columns = pd.MultiIndex.from_product([["svm", "rf"], ["accuracy", "log_loss"]])
    both.to_csv(tmp_path / "table.csv")
    results = Results.from_csv(tmp_path / "table.csv")
    assert (results.classifiers, results.metrics) == (("svm", "rf"), ("accuracy", "log_loss"))
    assert results["log_loss"].scores[:, 1].tolist() == WIDE["forest"].tolist()


def test_results_of_evaluation_harnesses():
    scores = {"arc": {"alias": "arc", "acc,none": 0.7, "acc_stderr,none": 0.01}, "boolq": {"acc,none": 0.8, "acc_stderr,none": 0.02}}
    lines = [json.dumps({"results": scores, "config": {"model": name}}) for name in ("gpt", "llama")]
    results = Results.from_csv("\n".join(lines) + "\n")
    assert (results.classifiers, results.data_sets, results.metrics) == (("gpt", "llama"), ("arc", "boolq"), ("acc,none",))


@pytest.mark.every_case
@parametrize(
    "content, message",
    (b"", "must have a line of headings with lines of scores below it; got no line"),
    (b"dataset,a,b\n", "lines of scores below it; got 1 line"),
    (bytes(range(256)) * 9, "holds binary data"),
    (b"PAR1xxxx", "a Parquet file: read it by pandas.read_parquet"),
    (b"%PDF-1.7 ...", "a PDF: copy the table as text"),
    (b"dataset,a,b\nx,1\n", "line 2 of .* has 2 cells below 3 headings"),
    (b'{"a": 1', "must hold JSON"),
    (b"[1, 2]", "must hold JSON records"),
    (b'{"columns": ["svm", "knn"], "index": ["iris", "wine", "car"], "data": [[1, 2], [2, 3], [3, 4]]}', "must hold JSON records"),
    (("dataset," + ",".join(f"c{k}x" for k in range(5000)) + "\nx" + ",1" * 5000 + "\n").encode(), "at most 3000 columns; got 5001"),
    (b"dataset,a,a\nx,1,2\n", "got 'a' more than once"),
    (b"dataset;a;b\nx;1,5;2\ny;1.234;2,5\n", "The point may separate thousands or decimals"),
)
def test_what_is_no_table_is_refused_with_its_cause(tmp_path, content, message):
    (tmp_path / "bad.csv").write_bytes(content)
    assert_raises(lambda: Results.from_csv(tmp_path / "bad.csv"), message)


def test_a_folder_and_a_missing_file(tmp_path):
    assert_raises(lambda: Results.from_csv(tmp_path), "is a folder. Name one file in it")
    assert_raises(lambda: Results.from_csv(tmp_path / "none.csv"), "there is no file", FileNotFoundError)


@pytest.mark.every_case
@parametrize(
    "text, number",
    (r"\textbf{79.2}", 79.2),
    (r"\underline{\textbf{0.9}}", 0.9),
    (r"{\bf 0.9}", 0.9),
    ("**0.9**", 0.9),
    ("0.9†", 0.9),
    (r"$\mathbf{0.9}^{\dagger}$", 0.9),
    ("<b>0.9</b>", 0.9),
    *((f"85.3{remark}", 85.3) for remark in (" (*)", "(**)", " [*]", " (†)", r" ($\dagger$)", r" $^{(*)}$", " ()", r"\,(•)", "{(*)}")),
    ("85.3 v", 85.3),
    ("93.3 %", 93.3),
    ("1,234.5", 1234.5),
    ("1.234,5", 1234.5),
    ("12 345", 12345),
    ("−0.5", -0.5),
    ("95,3", 95.3),
    (r"\textbf{79.2} $\pm$ 0.4", 79.2),
    *((f"1{blank}600,4", 1600.4) for blank in " '’\u00a0\u2007\u2009\u202f"),
    *(
        (rf"85.3{rank}", 85.3)
        for rank in ("$_{(1)}$", "$^{(2)}$", "$^1$", "$_1$", r"\textsubscript{1.5}", r"\textsuperscript{(2)}", "¹²", "₁")
    ),
    (r"\num{85.3}", 85.3),
    (r"85.3\tiny{±1.2}", 85.3),
    (r"85.3 {\scriptsize $\pm$ 1.2}", 85.3),
    ("85.3 ± 1.2 (5)", 85.3),
    ("1_000", None),
    ("1.2.3", None),
    ("J48", None),
)
def test_numbers_in_cells(text, number):
    assert parse_cell(text).number == number
    assert parse_cell(f"  {text} ").number == number
    assert number != 1600.4 or parse_cell(text, ",").number == number


WRITTEN = {
    "45.2 ms": ("{:.1f} ms", "The unit ms was taken off the cells of 'A', 'B', 'C'."),
    "3 s": ("{:.0f} s", "The unit s was taken off"),
    "2×": ("{:.0f}×", "The unit × was taken off"),
    "12 GB": ("{:.0f} GB", "The unit GB was taken off"),
    "spread": ("{:.1f} ± 0.3 ms", "The unit ms was taken off"),
    "letters": ("{:.1f}{letters}", "Letters behind numbers were taken off"),
    "underscores": ("{:_.0f}", "Separators of thousands were taken out"),
    "quotients": ("{:.0f}/100", "Quotients of counts were read as proportions in 'A', 'B', 'C'."),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_what_stands_behind_all_numbers_of_a_column_is_taken_off(form):
    pattern, note = WRITTEN[form]
    numbers = np.round(np.random.default_rng(3).uniform(20, 90, (8, 3)), 1 if ".1f" in pattern else 0) * (100 if "_" in pattern else 1)
    cells = [[pattern.format(x, letters="ab" if x > 50 else "c") for x in line] for line in numbers]
    text = "data set\tA\tB\tC\n" + "".join(f"set {k}\t" + "\t".join(line) + "\n" for k, line in zip("abcdefgh", cells))
    results = Results.from_csv(text, higher_is_better=False)
    assert results.scores.tolist() == (numbers / (100 if "/" in pattern else 1)).tolist()
    assert any(note in one for one in results.reading.notes)


@pytest.mark.parametrize(
    "caption", ["Accuracy of two methods, best in bold", "Accuracy; best in bold", "Results: A, B; mean", "Accuracy | both", "1, 2; 3"]
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_a_caption_may_hold_signs_that_separate_cells(caption, separator, blank):
    rows = [["data set", "A", "B"], *([f"set {k}", f"0.{k + 4}1", f"0.{k + 3}5"] for k in range(4))]
    results = Results.from_csv(caption + blank + "".join(f"{separator.join(row)}\n" for row in rows))
    assert (results.classifiers, results.scores[1].tolist()) == (("A", "B"), [0.51, 0.45])
    assert results.metric == ("Accuracy" if "Accuracy" in caption else "score").lower()


def test_headings_with_commas_stand_above_semicolons():
    text = "data set;RF (acc, %);SVM (acc, %)\niris;90,5;91,5\nwine;80,5;81,5\nzoo;70,5;75,5\n"
    assert Results.from_csv(text).scores.tolist() == [[90.5, 91.5], [80.5, 81.5], [70.5, 75.5]]


@pytest.mark.parametrize("unit", ["two columns", "one column", "one without"])
def test_scores_in_different_units_are_not_compared(unit):
    table = pd.DataFrame({"dataset": [*"abcd"], "A": ["1.5 s", "2.5 s", "3.5 s", "4.5 s"], "B": ["1.7 ms", "2.4 ms", "3.6 ms", "4.2 ms"]})
    if unit == "two columns":
        assert_raises(lambda: Results.from_csv(table.to_csv(index=False)), "same unit; got s in 'A' and ms in 'B'. Convert")
    elif unit == "one column":
        mixed = table.assign(A=["1.5 s", "250 ms"] * 2, B=["2.5 s", "350 ms"] * 2)
        assert_raises(
            lambda: Results.from_csv(mixed.to_csv(index=False)), "begin with a number but hold further text|Write all numbers in one unit"
        )
    else:
        some_without = table.assign(B=["1.7", "2.4", "3.6", "4.2"])
        assert_raises(lambda: Results.from_csv(some_without.to_csv(index=False)), "got s in 'A' and no unit in 'B'")


UNITS = ("accuracy (%)", "WER (%)", "latency (ms)", "runtime (s)", "F1 (macro)", "PSNR (dB)", "acc. [%]", "log-loss (nats)", "RMSE (mm)")


@pytest.mark.parametrize("form", ["{} {}", "{1} {0}", "{}_{}", "{}: {}"])
@pytest.mark.parametrize("metric", UNITS)
def test_the_unit_of_a_metric_is_no_part_of_a_name(metric, form):
    """A latency in ms is a cost: the classifier with the largest numbers does not win."""
    models = ("RF", "SVM (RBF)", "k-NN")
    heads = [form.format(model, metric) for model in models]
    results = Results.from_csv(
        pd.DataFrame(dict(zip(heads, [[9, 8, 7, 6.5], [7, 6, 5, 5.5], [5, 4, 3, 4.5]], strict=True)), index=[*"abcd"]).to_csv()
    )
    assert results.classifiers == models
    assert results.metric == metric
    assert results.higher_is_better is (metric.split()[0] in ("accuracy", "F1", "PSNR", "acc."))


# -- arguments --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("read", [Results, Results.from_frame, lambda frame, **how: Results.from_csv(frame.to_csv(index=False), **how)])
def test_every_door_takes_the_arguments(read):
    both = pd.concat([RUNS.assign(part="test"), RUNS.assign(part="train", accuracy=0.99)])
    assert_raises(lambda: read(both), r"must not be averaged. Write where=\{'part': 'test'\}")
    results = read(both, where={"part": "test"})
    assert (results.scores.tolist(), results.read_as["part"]) == (read(RUNS).scores.tolist(), "only test")
    assert_raises(lambda: read(both, where={"part": "tset"}), "no line has tset in the column 'part'; the nearest names are 'test'")
    assert read(RUNS.assign(junk=list("ab") * 18), ignore="junk").scores.tolist() == results.scores.tolist()
    two = RUNS.assign(loss=1 - RUNS.accuracy)
    assert read(two, metric="loss").higher == {"loss": False}
    assert_raises(lambda: read(two, metric="los"), "has no metric 'los'; the nearest names are 'loss'")
    assert_raises(lambda: read(RUNS, wher={}), "has no 'wher': did you mean 'where'", TypeError)


def test_a_test_takes_the_file_and_the_arguments(tmp_path):
    file = tmp_path / "scores.csv"
    pd.concat([RUNS.assign(part="test"), RUNS.assign(part="train", accuracy=0.99)]).to_csv(file, index=False)
    found = fstats.apply_test(Friedman, file, where={"part": "test"}, alpha=0.1)
    assert (found.pvalue, found.alpha) == (Friedman(Results(RUNS)).pvalue, 0.1)
    assert_raises(lambda: fstats.apply_test(Friedman, file), "which must not be averaged. Write where=")


@pytest.mark.parametrize("door", [lambda frame, _: frame, lambda frame, file: frame.to_csv(file, index=False) or file])
def test_a_multiverse_takes_a_table(tmp_path, door):
    two = pd.concat([RUNS.assign(part="test"), RUNS.assign(part="train")]).query("method != 'knn'").rename(columns={"accuracy": "loss"})
    found = fstats.multiverse(door(two, tmp_path / "two.csv"), where={"part": "test"}, alpha=0.1, progress=False)
    results = Results(two, where={"part": "test"})
    by_hand = fstats.multiverse(*results.scores.T, labels=["forest", "svm"], metric="loss", alpha=0.1, progress=False)
    assert repr(found) == repr(by_hand) == repr(fstats.multiverse(results, alpha=0.1, progress=False))
    assert_raises(lambda: fstats.multiverse(RUNS, progress=False), "compares two classifiers; got a table")
    assert_raises(lambda: fstats.multiverse([1, 2, 3]), "needs two lists of scores, or one table", TypeError)


def test_seeds_and_runs_of_each_classifier_are_numbered():
    own = RUNS.assign(run=RUNS.run + 100 * RUNS.method.map(NAMES.index))
    for name in ("run", "seed"):
        results = Results(own.rename(columns={"run": name}))
        assert results.scores.tolist() == Results(RUNS).scores.tolist()
        assert any("different for each classifier; they were numbered" in note for note in results.notes)


@pytest.mark.parametrize("name", ["spread_columns", "means_with_spreads", "std_dot1", "acc_accstd"])
def test_stated_spreads_stand_in_the_table(name):
    table = TABLES[name]
    results = Results.from_csv(table["text"], **table.get("answer", {}))
    results = results[results.metrics[0]] if name != "acc_accstd" else Results.from_csv(table["text"], metric="acc")
    written = next(line for line in table["text"].splitlines() if results.data_sets[0] in line)
    assert f"{results.sd[0, 0]:g}".removeprefix("0") in written
    assert np.isfinite(results.sd).all()
    assert "mean ± spread, as the table states it" in " ".join(repr(results).split())
    assert rf"\pm {results.sd[0, 0]:.3f}" in results.to_latex()


# -- gaps -------------------------------------------------------------------------------------------------------------------
def test_the_folds_that_ran_are_averaged_if_that_is_stated():
    gap = RUNS.drop(index=4)
    assert_raises(lambda: Results(gap), "missing='average' or 'drop folds' or")
    results = Results(gap, missing="average")
    assert np.isnan(results.fold_scores).sum() == np.isnan(results.fold_seed_scores).sum() == 1  # no score was invented
    assert not np.isnan([results.scores, results.sd]).any()
    assert results.scores[0, 1] == pytest.approx(RUNS.accuracy[[3, 5]].mean())
    assert "Averaged over the folds and seeds that have scores: amber, svm, fold 1" in results.notes[-1]
    with pytest.raises(ValueError, match="missing='average' needs a score of each classifier on each data set"):
        Results(RUNS.drop(index=[3, 4, 5]), missing="average")


FOLDS_OF_ONE = pd.DataFrame({"fold": range(1, 11), "vit": np.linspace(0.7, 0.8, 10), "cnn": np.linspace(0.8, 0.7, 10) ** 2})
RUNS_OF_ONE = pd.DataFrame({"repetition": np.repeat([1, 2], 3), "fold": [1, 2, 3] * 2, "vit": np.arange(6), "cnn": np.arange(6) ** 2})


def with_gap(table, *cells):
    """The table as text, with empty cells (row, column)."""
    texts = table.astype(object)
    for row, column in cells:
        texts.iloc[row, column] = ""
    return texts.to_csv(index=False)


GAPPY = {
    "data sets": with_gap(FOLDS_OF_ONE.rename(columns={"fold": "data set"}).assign(knn=0.5), (3, 1)),
    "two classifiers": with_gap(FOLDS_OF_ONE.rename(columns={"fold": "data set"}), (3, 1)),
    "a gap on every data set": with_gap(
        FOLDS_OF_ONE.rename(columns={"fold": "data set"}).assign(knn=0.5), *((row, 1) for row in range(10))
    ),
    "folds": with_gap(FOLDS_OF_ONE, (3, 1)),
    "last fold": with_gap(FOLDS_OF_ONE, (9, 1)),
    "all folds": with_gap(FOLDS_OF_ONE.assign(knn=0.5), *((row, 1) for row in range(10))),
    "repetitions": with_gap(RUNS_OF_ONE, (4, 2)),
    "seeds": with_gap(FOLDS_OF_ONE.rename(columns={"fold": "seed"}), (3, 1)),
    "folds of data sets": RUNS.drop(index=4).to_csv(index=False),
    "no folds of one": RUNS.drop(index=[3, 4, 5]).to_csv(index=False),
}


@parametrize("name", *GAPPY)
def test_each_remedy_for_gaps_that_an_error_offers_works(name):
    with pytest.raises(ReadingQuestion) as error:
        Results.from_csv(GAPPY[name])
    offered = [answer["missing"] for answer, _ in error.value.answers]
    if name == "seeds":  # runs that nothing pairs have no gaps
        assert offered.pop(0) == "keep"
    assert "keep" not in offered
    for policy in offered:
        filled = Results.from_csv(GAPPY[name], missing=policy)
        assert (filled.gaps, np.isnan(np.asarray(filled)).any()) == ((), False)
        assert min(len(filled.classifiers), max(len(filled), len(filled.folds[0]), len(filled.seeds[0]))) > 1
    for policy in {*REMEDIES} - {*offered}:
        with pytest.raises(ValueError, match=r"needs|must|would replace") as refused:
            Results.from_csv(GAPPY[name], missing=policy)
        others = [answer["missing"] for answer, _ in getattr(refused.value, "answers", ())]
        assert {*others} - {policy, ("worst", "worst"), *["keep"] * (name == "seeds")} <= {*offered}
    kept = Results.from_csv(GAPPY[name], missing="keep")
    with pytest.raises(ValueError, match="must be complete") as error:
        np.asarray(kept)
    assert list(map(literal_eval, re.findall(r"without_gaps\((.*?\)?)\)", str(error.value)))) == offered


def test_folds_of_one_data_set_are_left_out_and_never_made_up():
    for name, row in (("folds", 3), ("last fold", 9)):
        assert_raises(lambda name=name: Results.from_csv(GAPPY[name], missing="average"), "it would invent the score of a fold or seed")
        results = Results.from_csv(GAPPY[name], missing="drop folds")
        kept = FOLDS_OF_ONE.drop(index=row)
        assert results.folds == (tuple(map(str, kept.fold)),)
        assert pytest.approx(kept[["vit", "cnn"]].to_numpy()) == results.fold_scores[0].T
        assert results.test_train_ratio == 1 / 9  # of the ten folds
    seeds = Results.from_csv(GAPPY["seeds"], missing="drop folds")
    assert pytest.approx(FOLDS_OF_ONE.drop(index=3)[["vit", "cnn"]].to_numpy()) == seeds.seed_scores[0].T
    assert_raises(lambda: Results.from_csv(GAPPY["repetitions"]), r"data set 1, vit, repetition 2, fold 2: missing")
    repeated = Results.from_csv(GAPPY["repetitions"], missing="drop folds")
    assert repeated.fold_scores[0].T.tolist() == RUNS_OF_ONE.drop(index=4)[["vit", "cnn"]].to_numpy().tolist()
    uneven = Results(RUNS.drop(index=4), missing="drop folds")
    assert uneven.scores[0, 1] == pytest.approx(RUNS.accuracy[[3, 5]].mean())
    first = RUNS[(RUNS.dataset == "amber") & (RUNS.method == RUNS.method[0])].accuracy.to_numpy()
    assert uneven.scores[0, 0] == pytest.approx(first[[0, 2]].mean())  # the same folds of all classifiers


def test_many_scores_are_invented_only_if_that_is_said_twice():
    half = RUNS[(RUNS.method != "svm") | (RUNS.dataset == "amber")]
    assert_raises(lambda: Results(half, missing="worst"), "would replace 9 of 36 scores, more than a tenth")
    assert Results(half, missing=("worst", "worst")).mean_ranks[1] == pytest.approx(2.375)
    assert Results(RUNS.drop(index=4), missing="worst").gaps == ()


# -- calls that are not quite right --------------------------------------------------------------------------------------------
@pytest.mark.every_case
@parametrize(
    "call, message, error",
    (lambda: Results(), r"Results\(\) must be given a table of scores; got nothing. Write Results\(table\), or", TypeError),
    (lambda: Results("scores.csv"), r"got 'scores.csv'. Write .* Results.from_csv\('scores.csv'\)", TypeError),
    (lambda: Results(WIDE)[0], r"results\[...\] needs the name of a metric, such as results\['score'\]; got 0", TypeError),
    (lambda: Results(WIDE).select("svm"), r"got only 'svm'. Write `select\(classifiers=\[...\]\)", TypeError),
    (lambda: Results(WIDE).mean, "Results has no 'mean'.*mean_ranks", AttributeError),
    (lambda: Results.from_csv(""), "the path must name a file with a table"),
    (lambda: Friedman("scores.csv"), r"To read a file, write fstats.apply_test\(TEST, 'scores.csv'\)", TypeError),
    (lambda: Friedman(list(np.ones((3, 9)))), r"Write Friedman\(\*scores\) if each array is a classifier, or"),
    (lambda: fstats.PairedT([1, 2], [2, 4], maximize=True), "did you mean 'higher_is_better'", TypeError),
    (lambda: fstats.binomtest, "did you mean 'BinomialProportion'", AttributeError),
)
def test_a_call_that_is_not_quite_right_is_told_the_right_one(call, error, message):
    assert_raises(lambda: call(), message, error)


def test_scores_names_columns_at_every_door():
    frame = WIDE.reset_index().assign(other=0.5)
    assert Results(frame, scores=["forest", "svm"]).classifiers == ("forest", "svm")
    assert Results(scores=WIDE).scores.tolist() == Results(WIDE).scores.tolist()


# -- DataFrames made by pivot, unstack and groupby ------------------------------------------------------------------------------
@pytest.mark.parametrize("labels", [["val_acc", "test_acc"], ["test_acc", "test_f1"], ["mean", "std"], ["acc", "f1"]])
@pytest.mark.parametrize("inner", [True, False])
def test_a_level_of_metrics_in_the_headings(labels, inner):
    both = pd.concat({labels[0]: WIDE, labels[1]: WIDE / 2}, axis=1)
    results = Results(both if inner else both.swaplevel(axis=1))
    assert (results.classifiers, results.data_sets) == (tuple(NAMES), tuple(SETS))
    assert results.metrics == (("mean",) if "std" in labels else tuple(labels))
    assert results[labels[0]].scores.tolist() == WIDE.to_numpy().tolist()
    if "std" not in labels:
        assert Results(both, metric=labels[1]).scores.tolist() == (WIDE / 2).to_numpy().tolist()


@pytest.mark.parametrize("values", ["accuracy", ["accuracy"]])
def test_named_levels_of_the_headings(values):
    runs = RUNS.rename(columns={"run": "seed"})
    results = Results(runs.pivot_table(index="dataset", columns=["method", "seed"], values=values))
    assert (results.classifiers, results.seeds[0]) == (tuple(sorted(NAMES)), ("0", "1", "2"))
    assert results.scores.tolist() == Results(runs).scores[:, np.argsort(NAMES)].tolist()


def test_repeated_headings_of_two_levels_are_refused():
    both = pd.concat({"acc": WIDE, "f1": WIDE / 2}, axis=1)
    assert_raises(lambda: Results(pd.concat([both, both], axis=1)), "got 'acc forest' more than once")


def test_metrics_with_underscores_above_classifiers_in_a_file(tmp_path):
    pd.concat({"test_acc": WIDE, "test_f1": WIDE / 2}, axis=1).to_csv(tmp_path / "table.csv")
    results = Results.from_csv(tmp_path / "table.csv")
    assert (results.classifiers, results.metrics) == (tuple(NAMES), ("test_acc", "test_f1"))


@pytest.mark.parametrize("names", [("model", "dataset"), (None, "dataset"), ("model", None)])
def test_an_index_of_classifiers_is_read(names):
    turned = WIDE.T.rename_axis(index=names[0], columns=names[1])
    for results in (Results(turned), Results(turned, turned=True)):
        assert (results.classifiers, results.data_sets) == (tuple(NAMES), tuple(SETS))
    assert Results(turned).reading.notes == (
        "Each line was read as a classifier, and each column as a data set, by the headings and the first column.",
    )
    assert Results(WIDE.rename_axis(index=None, columns="model")).classifiers == tuple(NAMES)


@pytest.mark.parametrize("read", [Results, Results.from_frame])
def test_a_series_with_two_levels(read):
    series = RUNS.groupby(["dataset", "method"]).accuracy.mean()
    results = read(series)
    assert (results.metric, results.classifiers) == ("accuracy", tuple(sorted(NAMES)))
    assert results.scores.tolist() == series.unstack().to_numpy().tolist()
    assert read(series.rename(None)).metric == "score"


@parametrize(
    "heads, reason",
    ("ppl,ARC,PIQA", "lower is better in 'ppl', but higher seems to be better in 'ARC', 'PIQA'"),
    ("Wiki ↓,ARC ↑,PIQA ↑", "lower is better in 'Wiki ↓'"),
    ("FID A,FID B,C1", "lower is better in 'FID A', 'FID B'"),
)
def test_a_turned_table_with_both_directions_is_asked_about(heads, reason):
    text = f"Model,{heads}\nx,5.1,60.1,70.2\ny,6.1,61.1,71.2\nz,7.1,62.1,71.4\n"
    assert_raises(lambda: Results.from_csv(text, turned=True), reason)
    results = (
        Results.from_csv(text, turned=True, ignore=heads.split(",")[0])
        if "FID" not in heads
        else Results.from_csv(text, turned=True, higher_is_better=True)
    )
    assert results.higher_is_better
    assert len(results.data_sets) > 1
    assert_raises(lambda: Results.from_csv(text, turned=True, ignore=heads.split(",")), "must have columns of numbers")


def test_a_series_with_data_sets_and_classifiers_is_read():
    series = RUNS.groupby(["dataset", "method"])["accuracy"].mean()
    for results in (Results(series), Results.from_frame(series)):
        assert results.metrics == ("accuracy",)
        assert {*results.classifiers} == {*NAMES}
        assert results.fold_scores[0, list(results.classifiers).index("svm"), 0] == series["amber", "svm"]


def test_an_assumed_direction_stands_in_print_and_report():
    named = {"quality": WIDE, "accuracy": WIDE}
    results = Results(named)
    sentence = "Higher quality is assumed to be better: write higher_is_better=False if lower is better."
    assert sentence in " ".join(repr(results).split())
    assert sentence in str(fstats.report(Friedman(results["quality"])))
    assert "assumed" not in str(fstats.report(Friedman(results["accuracy"])))
    for known in (Results(named, higher_is_better={"quality": True, "accuracy": True}), Results(WIDE), Results(RUNS)):
        assert "assumed" not in repr(known)


@parametrize(
    "policy, sentence",
    ("drop data sets", "Left out: amber (amber, svm, fold 1:"),
    ("drop classifiers", "Left out: svm (amber, svm, fold 1:"),
    ("average", "Averaged over the folds and seeds that have scores: amber, svm, fold 1:"),
    ("drop folds", "Left out on all classifiers, with their folds or seeds: amber, svm, fold 1:"),
    ("worst", "Counted as the worst score there: amber, svm, fold 1:"),
)
def test_what_was_done_about_gaps_stands_in_the_report(policy, sentence):
    kept = pd.concat([RUNS, RUNS[RUNS.method == "knn"].assign(method="bayes")]).reset_index(drop=True).drop(index=4)
    for results in (Results(kept, missing=policy), Results(kept, missing="keep").without_gaps(policy)):
        assert sentence in str(fstats.report(Friedman(results)))
        assert sentence in " ".join(repr(results).split())
        assert sentence in " ".join(repr(results.reading).split())
