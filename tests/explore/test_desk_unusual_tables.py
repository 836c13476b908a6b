"""Unusual tables: what they hold is read and shown, or asked about, and each button leads to a right reading."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_desk import asked, csv_text, run_script
from test_desk_questions import answered, labels

import fstats
from fstats.explore.results_desk.desk import Desk

RNG = np.random.default_rng(5)
SETS = [f"set {letter}" for letter in "abcdefgh"]
SHARES = np.round(RNG.uniform(0.6, 0.7, (8, 1)) + np.array([0, 0.04, 0.1]) + RNG.normal(0, 0.01, (8, 3)), 3)
ERRORS = np.round(100 * (1 - SHARES), 1)
SIZES = RNG.integers(200, 900, 8)
WHOLE = np.column_stack([SIZES, SIZES // 9, SIZES // 99]).astype(object)
RIGHT = np.round(SHARES[:, :2] * SIZES[:, None]).astype(int)


def table(heads: str, scores: np.ndarray, first: list[object] | None = None) -> str:
    """A table of scores below headings that are separated by commas; the first column holds the names of data sets, or other cells."""
    return csv_text(dict(zip(heads.split(","), [SETS[: len(scores)] if first is None else first, *scores.T.tolist()], strict=True)))


def long(heads: str, *columns: object, models: str = "a,b") -> str:
    """A table with a line for each data set and model, with further columns."""
    names = models.split(",")
    return csv_text(dict(zip(heads.split(","), [np.repeat(SETS, len(names)), names * len(SETS), *map(np.ravel, columns)], strict=True)))


def latex(rows: list[str]) -> str:
    """A table in LaTeX with two metrics, each above two methods, whose directions are arrows."""
    above = r"& \multicolumn{2}{c}{Accuracy $\uparrow$} & \multicolumn{2}{c}{Quux $\downarrow$} \\"
    return "\n".join([r"\begin{tabular}{lcccc}", above, r"Dataset & Base & Ours & Base & Ours \\", *rows, r"\end{tabular}"]) + "\n"


PAIRED = np.hstack([SHARES[:, :2], np.round(1 - SHARES[:, :2], 3)])
WITH_ARROWS = latex([rf"{name} & {' & '.join(map(str, line))} \\" for name, line in zip(SETS, PAIRED.tolist())])
BLOCK = table("Dataset,A,B,C", SHARES).strip()
LINES = BLOCK.split("\n")
SECTIONS = [["Dataset", "Model", "Accuracy"]]
for name, scores in zip(SETS, SHARES[:, :2].tolist()):
    SECTIONS += [[name, "", ""], *(["", model, str(score)] for model, score in zip("AB", scores))]
HALVES = "\n".join(f"{left},,{right}" for left, right in zip(LINES[:5], [LINES[0], *LINES[5:]])) + "\n"
TRUE = np.round(RNG.uniform(10, 90, 40), 2)
PREDICTED = np.round(TRUE[:, None] + RNG.normal(0, [3, 6], (40, 2)), 2)
SEEDED = csv_text(
    {"Method": np.repeat(["one", "two", "six"], 3), "Seed": [0, 1, 2] * 3}
    | {name: np.round(RNG.uniform(0.7, 0.8, 9), 3) for name in ("CIFAR10", "SVHN", "STL10", "Tiny", "DTD")}
)
CONFIGURED = csv_text(
    {"model": ["Llama", "Llama", "Qwen", "Qwen"], "size": ["8B", "8B", "7B", "7B"], "prompt": ["plain", "CoT"] * 2}
    | {name: np.round(RNG.uniform(40, 80, 4), 1) for name in ("GSM8K", "MATH", "MMLU", "BBH", "ARC", "HumanEval")}
)
COUNTS = RNG.integers(10, 90, (4, 16))
HASHES = [f"{k:02d}{'abcdef'[k % 6]}{RNG.integers(16**5):05x}" for k in range(16)]
WEKA = "Key_Dataset,Key_Scheme,Key_Run,Key_Fold,Percent_correct"

# name: table; classifiers, what is counted, direction and metric; words of a note; labels of the buttons that are pressed
READ = {
    "losses of the field": (table("OOD set,MSP FPR95,Energy FPR95", ERRORS[:, :2]), "MSP | Energy on 8 data sets: lower FPR95"),
    "a loss in capitals": (table("dataset,FAR A,FAR B", ERRORS[:, :2]), "A | B on 8 data sets: lower FAR"),
    "a time in German": (table("Dataset,Laufzeit RF [s],Laufzeit SVM [s]", ERRORS[:, :2]), "RF | SVM on 8 data sets: lower Laufzeit [s]"),
    "an unknown word": (table("set,A quux,B quux", SHARES[:, :2]), "A | B on 8 data sets: lower quux", "contain", "Lower is better"),
    "counts of right answers": (
        table("dataset,n_test,A correct,B correct", np.column_stack([SIZES, RIGHT])),
        "A | B on 8 data sets: higher correct / n_test",
        "divided",
    ),
    "counts of mistakes": (
        long("dataset,model,n_wrong,n_total", SIZES[:, None] - RIGHT, np.repeat(SIZES, 2)),
        "a | b on 8 data sets: lower n_wrong / n_total",
        "divided",
    ),
    "counts of a confusion matrix": (
        long("dataset,clf,TP,FP,FN,TN", *COUNTS),
        "a | b on 8 data sets: higher accuracy",
        "computed from the counts",
    ),
    **{
        f"sizes of data sets: {heads}": (
            table(f"{heads},A,B", np.column_stack([SIZES, SIZES // 20, [2, 3, 2, 5, 7, 2, 3, 4], SHARES[:, :2]])),
            "A | B on 8 data sets: higher score",
            "that of a number or a count",
        )
        for heads in ("Name,# instances,# attributes,# classes", "abbr,samples,features,classes", "Kürzel,Instanzen,Attribute,Klassen")
    },
    "coverage beside accuracy": (
        long("dataset,method,coverage,accuracy", 1 - SHARES[:, :2], SHARES[:, :2]),
        "a | b on 8 data sets: higher accuracy",
        "also holds coverage",
    ),
    "classes": (table("label,A F1,B F1", SHARES[:, :2]), "A | B on 8 data sets: higher F1", "", "The column label names the data sets"),
    "noise levels": (
        table("noise,A,B,C", SHARES, [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]),
        "A | B | C on 8 data sets: higher score",
        "not independent",
        "The column noise names the data sets: each setting counts as a data set",
    ),
    **{
        f"settings of a method in lines, {heads}": (
            table(heads, SHARES[:5], [1, 3, 5, 7, 11]),
            "k = 1 | k = 3 | k = 5 | k = 7 | k = 11 on 3 data sets: higher score",
            "",
            "Turn the table: each line is a classifier",
        )
        for heads in ("k,iris,wine,glass", "k,one,two,six")
    },
    **{
        f"dates, {form}": (
            table("month,old,new", SHARES[:, :2], [form.format(k) for k in range(1, 9)]),
            "old | new on 8 data sets: higher score",
            "at different times are not independent",
        )
        for form in ("2023-{:02d}", "{}.3.2023", "Sep 200{}", "20{:02d}-Q1")
    },
    "variants of data sets": (
        table("dataset,A,B,C", SHARES, [f"{one}_{size}pct" for one in ("adult", "bank") for size in (10, 20, 50, 100)]),
        "A | B | C on 8 data sets: higher score",
        "not independent",
    ),
    "a column for each trial": (
        csv_text({"Model": ["CNN", "LSTM", "BERT"]} | {f"Trial {k + 1}": SHARES[k] for k in range(5)}),
        "CNN | LSTM | BERT on 5 runs with different seeds on one data set: higher score",
        "",
        "The numbers in the names count seeds",
    ),
    "three columns of other numbers, one after the other": (
        table("set,quax,zork,blip,A,B,C", np.hstack([WHOLE + 150, SHARES])),
        "A | B | C on 8 data sets: higher score",
        "",
        "Leave out quax",
        "Leave out zork",
        "Leave out blip",
    ),
    "sizes of the parts of the data, and a name that ends with time": (
        table("TSC data set,Length,Train,Test,DTW,BOSS,QuuxTime", np.hstack([WHOLE + 150, SHARES])),
        "DTW | BOSS | QuuxTime on 8 data sets: higher score",
        "Left out, because scores= names other columns: 'Length', 'Train', 'Test'",
        "Compare DTW, BOSS and QuuxTime as classifiers",
    ),
    "names of classifiers that end with Time": (
        table("data set,train_time,ROCKET,InceptionTime,H-InceptionTime", np.column_stack([SIZES / 7, SHARES])),
        "ROCKET | InceptionTime | H-InceptionTime on 8 data sets: higher score",
        "The column 'train_time' was ignored",
    ),
    "sizes in German": (
        table("Name,Beispiele,Merkmale,Klassen,NB,SVM", np.hstack([WHOLE, ERRORS[:, :2]])),
        "NB | SVM on 8 data sets: higher score",
        "is that of a number or a count",
        "Higher is better",
    ),
    **{
        f"a footnote with commas, {sign!r}": (
            f"{BLOCK.replace(',', sign)}\nNote: ten runs, seeds 1, 2, 3\n* p < 0.05, ** lower is better\n",
            "A | B | C on 8 data sets: lower score",
            "is a remark and did not count",
        )
        for sign in (",", ";", "  ")
    },
    "cases": (table("case_id,A,B", SHARES[:, :2]), "A | B on 8 cases: higher score"),
    "pupils": (table("Schüler,A F1,B F1", SHARES[:, :2]), "A | B on 8 pupils: higher F1"),
    "blocks below each other": (
        f"Accuracy,,,\n{BLOCK}\n,,,\nF1,,,\n{BLOCK}\n",
        "A | B | C on 8 data sets: higher Accuracy",
        "below each other",
    ),
    **{
        f"data sets above their lines, {sign}": (
            "\n".join([f"{start}{sign.join(cells)}{end}" for cells in SECTIONS]).replace("\n", rule, 1) + "\n",
            "A | B on 8 data sets: higher Accuracy",
        )
        for start, sign, end, rule in (("", ",", "", "\n"), ("| ", " | ", " |", "\n|---|---|---|\n"))
    },
    "halves side by side": (HALVES, "A | B | C on 8 data sets: higher score", "side by side"),
    "arrows below each other": (WITH_ARROWS, "Base | Ours on 8 data sets: higher Accuracy", "Quux ↓ (lower is better)"),
    "arrows in the headings": (
        table("Dataset,Acc ↑ A,Acc ↑ B,NLL ↓ A,NLL ↓ B", PAIRED),
        "A | B on 8 data sets: higher Acc",
        "NLL (lower is better)",
    ),
    "two metrics with arrows, one of them with a power": (
        table("Dataset,MAE ↓ LR,MAE ↓ GBM,R² ↑ LR,R² ↑ GBM", np.hstack([ERRORS[:, :2], SHARES[:, :2]])),
        "LR | GBM on 8 data sets: lower MAE",
        "also holds R² (higher is better)",
    ),
    **{
        f"numbers in names, {name}{sign}{label}": (
            table("dataset,A,B", SHARES[:, :2], [f"{one}{sign}{k}" for one in ("iris", "wine") for k in range(4)]),
            f"A | B on {count} data sets: higher score",
            words,
            *[label] * bool(label),
        )
        for name, sign, count, words, label in (
            ("folds", "_fold", 2, "iris_fold0 is fold 0 of iris", ""),
            ("seeds", " seed ", 2, "mean of 4 seeds", ""),
            ("", "-", 2, "iris-0 is fold 0 of iris", "The numbers in the names count folds"),
            ("", "-", 2, "mean of 4 seeds", "The numbers in the names count seeds"),
            ("", "-", 8, "each was read as a data set of its own", "The column dataset names the data sets"),
        )
    },
    "an arrow behind an unknown word": (table("set,A quux ↓,B quux ↓", SHARES[:, :2]), "A | B on 8 data sets: lower quux ↓", "contain"),
    "blocks of seeds": (
        f"Seed 1,,,\n{BLOCK}\n,,,\nSeed 2,,,\n{BLOCK}\n",
        "A | B | C on 8 data sets: higher score",
        "mean of 2 seeds",
    ),
    "numbers beside the truth": (
        csv_text({"y_true": TRUE, "a": PREDICTED[:, 0], "b": PREDICTED[:, 1]}),
        "a | b on 40 records: lower squared error",
        "squared errors of the predictions",
        "Compare by squared error",
    ),
    "runs of classifiers with benchmarks in columns": (SEEDED, "one | two | six on 5 data sets: higher score", "mean of 3 seeds"),
    "settings of classifiers with benchmarks in columns": (
        CONFIGURED,
        "Llama, plain | Llama, CoT | Qwen, plain | Qwen, CoT on 6 data sets: higher score",
        "were read as data sets",
        "Each combination of model and prompt is a classifier",
    ),
    "one setting of classifiers with benchmarks in columns": (
        CONFIGURED,
        "Llama | Qwen on 6 data sets: higher score",
        "Only the 2 of 4 lines with prompt = CoT",
        "The column model names the classifiers; Use only the lines with prompt = CoT",
    ),
    "predictions of numbers": (
        csv_text({"id": range(40), "y_true": TRUE, "pred_a": PREDICTED[:, 0], "pred_b": PREDICTED[:, 1]}),
        "a | b on 40 records: lower absolute error",
        "absolute errors of the predictions",
        "Compare by absolute error",
    ),
    "a dictionary in Python": (
        "{'a': [0.81, 0.79, 0.84, 0.8, 0.77], 'b': [0.83, 0.82, 0.85, 0.84, 0.79]}",
        "a | b on 5 data sets: higher score",
        "",
        "Each line is a data set",
    ),
    "keys of Weka": (
        csv_text(
            dict(
                zip(WEKA.split(","), [np.repeat(SETS, 4), ["J48", "J48", "SMO", "SMO"] * 8, [1] * 32, [1, 2] * 16, np.linspace(60, 90, 32)])
            )
        ),
        "J48 | SMO on 8 data sets: higher Percent_correct",
        "mean of 2 folds",
    ),
    "identifiers of runs": (
        long("params.dataset,params.model,run_id,metrics.val_loss,metrics.val_accuracy", HASHES, 1 - SHARES[:, :2], SHARES[:, :2]),
        "a | b on 8 data sets: higher val_accuracy",
        "also holds val_loss",
    ),
    "intervals with their level": (
        csv_text(
            {"Cohort": SETS} | {name: [f"{x} (95% CI {x - 0.04:.2f}-{x + 0.04:.2f})" for x in SHARES[:, k]] for k, name in enumerate("AB")}
        ),
        "A | B on 8 cohorts: higher score",
        "interval around the first",
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", READ)
def test_a_table_is_read_and_the_reading_is_shown(name: str, tmp_path: Path) -> None:
    text, expected, *rest = READ[name]
    words, pressed = "".join(rest[:1]), rest[1:]
    desk = answered(text, *pressed)
    results, counted = desk.results, desk.comparison.counted
    direction = "higher" if results.higher_is_better else "lower"
    assert f"{' | '.join(results.classifiers)} on {counted}: {direction} {results.metric}" == expected
    assert words in " ".join(desk.view["notes"])
    assert desk.view["conclusions"]
    if pressed or words:
        assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


def test_counts_and_predictions_are_computed_line_by_line() -> None:
    desk = answered(READ["counts of right answers"][0])
    np.testing.assert_allclose(desk.columns["A"], RIGHT[:, 0] / SIZES)
    desk = answered(READ["counts of a confusion matrix"][0])
    tp, fp, fn, tn = COUNTS
    np.testing.assert_allclose(desk.columns["b"], ((tp + tn) / (tp + fp + fn + tn))[1::2])
    np.testing.assert_allclose(desk.comparison._all_results["F1"].scores[:, 0], (2 * tp / (2 * tp + fp + fn))[::2])
    desk = answered(READ["predictions of numbers"][0], "Compare by squared error")
    np.testing.assert_allclose(desk.columns["b"], (PREDICTED[:, 1] - TRUE) ** 2, atol=1e-9)
    desk = answered(SEEDED)
    assert [*desk.results.data_sets] == ["CIFAR10", "SVHN", "STL10", "Tiny", "DTD"]
    lines = [line.split(",") for line in SEEDED.split("\n")[1:4]]
    np.testing.assert_allclose(desk.columns["one"][1], np.mean([float(line[3]) for line in lines]))


# name: table, words of the question or of the refusal, labels of all buttons
ASKED = {
    "an unknown word": (table("set,A quux,B quux", SHARES[:, :2]), "for 'quux'", ["Lower is better", "Higher is better"]),
    "emotions": (table("emotion,A F1,B F1", SHARES[:, :2]), "classes of one data set", ["The column emotion names the data sets"]),
    "bootstrap replicates": (
        table("bootstrap,A,B", SHARES[:, :2], [*range(8)]),
        "which are not independent",
        [],
    ),
    "resamples": (
        csv_text({"resample": np.repeat(range(40), 2), "model": ["a", "b"] * 40, "auc": np.round(RNG.uniform(0.7, 0.8, 80), 3)}),
        "which are not independent",
        ["The lines are folds of one data set, numbered by resample"],
    ),
    "votes": (
        csv_text(
            {"question_id": range(6), "model_a": ["x", "y", "z"] * 2, "model_b": ["y", "z", "x"] * 2, "winner": ["model_a", "tie"] * 3}
        ),
        "For votes between two classifiers, use the sign test",
        [],
    ),
    **{
        f"a column for each {word}": (
            csv_text({head: ["CNN", "LSTM", "BERT"]} | {f"{word} {k + 1}": SHARES[k] for k in range(5)}),
            f"columns {word} 1, {word} 2, {word} 3, ... hold",
            ["The numbers in the names count seeds", "The numbers in the names count repetitions with other splits"],
        )
        for word, head in zip(("Run", "Trial", "Iteration", "Experiment", "Try", "Lauf"), ("Model", "", "Name") * 2)
    },
    "a leaderboard": (
        csv_text({"Rank": [1, 2, 3], "Team": [*"abc"], "Members": [2, 1, 4], "Public LB": [0.9, 0.8, 0.7], "Private LB": [0.8, 0.7, 0.6]}),
        "Public LB, Private LB seem to hold scores on parts of the data",
        [],
    ),
    "one score of each model": (
        csv_text({"Model": ["SVM", "RF", "kNN"], "Accuracy": [0.9, 0.8, 0.7]}),
        "Accuracy is a measure, not a data set",
        [],
    ),
    "settings of a method in lines": (
        table("k,iris,wine,glass", SHARES[:5], [1, 3, 5, 7, 11]),
        "grows from line to line",
        ["Turn the table: each line is a classifier"],
    ),
    "winners": (
        csv_text({"prompt": range(9), "winner": ["model_a", "model_b", "tie", "model_a", *["model_b"] * 5]}),
        "6 votes for model_b, 2 for model_a, ties: 1. For votes between two classifiers, the sign test compares",
        [],
    ),
    "a report of one classifier": (
        table("class name,precision,recall,f1-score", SHARES),
        "no column names the classifiers",
        [],
    ),
    "a training curve of one classifier": (
        table("epoch,train_loss,train_acc,val_acc", SHARES, [*range(1, 9)]),
        "steps of one training",
        [],
    ),
    "two sizes": (
        table("dataset,n_rows,n_items,A correct,B correct", np.column_stack([SIZES, SIZES + 9, RIGHT])),
        "must be divided by a number of records",
        ["Leave out n_rows", "Leave out n_items"],
    ),
    "predictions of numbers": (
        READ["predictions of numbers"][0],
        "holds the true numbers",
        ["Compare by absolute error", "Compare by squared error"],
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", ASKED)
def test_an_ambiguous_table_is_asked_about_and_names_no_winner(name: str) -> None:
    text, words, buttons = ASKED[name]
    view = asked(Desk(), key="k", name="table.csv", text=text)
    assert "conclusions" not in view
    question = view.get("question", {"text": view["error"], "answers": []})
    assert words in question["text"]
    assert [answer["label"] for answer in question["answers"]] == buttons


@pytest.mark.parametrize("heads", ["A forest,B forest", "Llama instruct,Qwen instruct", "x 1,y 1"])
def test_words_that_name_kinds_of_classifiers_are_no_metrics(heads: str) -> None:
    desk = answered(table(f"set,{heads}", SHARES[:, :2]))
    assert desk.comparison.classifiers == tuple(heads.split(","))
    assert desk.results.metric == "score"


def test_an_answer_joins_the_answers_before_it() -> None:
    comparison = fstats.desk(f"{BLOCK}\n", reading={"ignore": "A", "where": {"x": 1}, "metric": "acc"}).comparison
    joined = comparison.joined_reading({"ignore": ["A", "B"], "where": {"y": 2}, "metric": "f1"})
    assert joined == {"ignore": ["A", "B"], "where": {"x": 1, "y": 2}, "metric": "f1"}


def test_json_on_one_line_is_no_path() -> None:
    records = [{"set": name, "A": a, "B": b} for name, (a, b, _) in zip(SETS, SHARES.tolist())]
    desk = fstats.desk(json.dumps(records))
    assert desk.classifiers == ("A", "B")
    assert desk.view["name"] == "table.csv"


def test_a_column_that_counts_from_1_is_no_setting() -> None:
    assert "Each line is a fold of one data set" in labels(table("k,A,B,C", SHARES, [*range(1, 9)]))
