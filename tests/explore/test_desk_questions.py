"""Questions of the desk about messy tables: each has buttons, each button leads on, and the script holds the answer."""

from __future__ import annotations

import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize
from test_desk import asked, csv_text, run_script

import fstats
from fstats.comparing.results.reading_question import ReadingQuestion
from fstats.comparing.results.record_table import RIGHT_WORDS
from fstats.explore.results_desk.desk import Desk

RNG = np.random.default_rng(11)
SCORES = np.round(RNG.uniform(0.6, 0.8, (12, 1)) + np.array([0, 0.05, 0.02]) + RNG.normal(0, 0.02, (12, 3)), 3)
SETS, NAMES = [f"set {chr(97 + k)}" for k in range(12)], ["tree", "svm", "knn"]
TRUTH = RNG.integers(0, 3, 60)
PREDICTED = [np.where(RNG.random(60) < share, TRUTH, (TRUTH + 1) % 3) for share in (0.9, 0.6)]


def wide(scores: np.ndarray, names: list[str] = NAMES) -> str:
    """A row for each data set."""
    return csv_text({"data set": SETS[: len(scores)], **dict(zip(names, scores.T.tolist(), strict=True))})


def answered(text: str, *labels: str) -> Desk:
    """The desk after the buttons with these labels were pressed, one after the other."""
    desk, settings = Desk(), {}
    view = asked(desk, key="k", name="table.csv", text=text)
    for label in labels:
        assert "conclusions" not in view
        (answer,) = [answer for answer in view["question"]["answers"] if answer["label"] == label]
        settings = {part: {**settings.get(part, {}), **answer[part]} for part in ("roles", "reading")}
        view = asked(desk, key="k", settings=settings)
    return desk


def labels(text: str) -> list[str]:
    """The labels of the buttons below the question about a table."""
    return [answer["label"] for answer in asked(Desk(), key="k", name="table.csv", text=text)["question"]["answers"]]


# -- errors or scores -----------------------------------------------------------------------------------------------------------------
SUSPICIOUS = {
    "errors of many": wide(np.round(1 - SCORES, 3)),
    "errors of few": wide(np.round(1 - SCORES, 3)[:5, :2], NAMES[:2]),
    "errors of few, most above a third": wide(np.round(1 - SCORES - np.median(1 - SCORES[:5]) + 0.4, 3)[:5]),
    "errors of many, some above a half": wide(np.round(1.15 - SCORES, 3)),
    "above 1": wide(np.round(8 * SCORES, 3)),
    "above 100": wide(np.round(400 * SCORES, 1)),
    "below 0": wide(np.round(SCORES - 0.7, 3)),
    "a value without a metric": csv_text(
        {"data set": np.repeat(SETS, 3), "model": NAMES * 12, "value": np.round(1 - SCORES, 3).ravel().tolist()}
    ),
    "an unknown metric": csv_text(
        {"data set": np.repeat(SETS, 3), "model": NAMES * 12, "quality": np.round(1 - SCORES, 3).ravel().tolist()}
    ),
    "folds": csv_text({"fold": range(1, 11), "a": np.round(1 - SCORES[:10, 0], 3), "b": np.round(1 - SCORES[:10, 1], 3)}),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", SUSPICIOUS)
def test_no_winner_is_named_before_the_direction_is_answered(name: str, tmp_path: Path) -> None:
    text = SUSPICIOUS[name]
    view = asked(desk := Desk(), key="k", name="table.csv", text=text)
    assert not {"conclusions", "advice", "facts"} & {*view}  # nothing that depends on the answer
    assert view["question"]["text"].startswith("Nothing says whether higher or lower is better")
    assert labels(text) == ["Lower is better", "Higher is better"]
    assert all(column["role"] for column in view["columns"])
    with pytest.raises(ReadingQuestion, match="higher_is_better=False if lower is better"):
        _ = desk.test
    best = {}
    for label, higher in (("Lower is better", False), ("Higher is better", True)):
        desk = answered(text, label)
        assert desk.results.higher_is_better is higher
        assert f"higher_is_better={higher}" in desk.code
        best[higher] = max(desk.columns, key=lambda one: np.mean(desk.columns[one]) * (1 if higher else -1))
        assert next(iter(desk.ranking.lines))[0] == best[higher]
    assert best[True] != best[False]
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


def test_the_direction_stands_beside_each_conclusion() -> None:
    long = csv_text({"data set": np.repeat(SETS, 3), "model": NAMES * 12, "score": SCORES.ravel(), "rmse": 1 - SCORES.ravel()})
    for desk, words in (
        (fstats.desk(wide(SCORES)), "Read as: higher score is better, assumed, because its name does not say: if lower is better, "),
        (fstats.desk(long, metric="score"), "if lower is better, choose it in the menu 'Scores'."),
        (fstats.desk(long, metric="rmse"), "Read as: lower rmse is better, as its name says."),
        (fstats.desk(long, metric="score", reading={"higher_is_better": {"score": False}}), "lower score is better, as you stated."),
    ):
        assert words in desk.view["direction"]
        assert "reading=" not in desk.view["direction"]  # buttons and menus answer on a page
        assert desk.view["direction"] in desk._repr_mimebundle_()[0]["text/plain"]
        # a reader of the paragraph, of its file and of the output of the script must know which direction nobody has stated
        is_assumed, sentence = "assumed" in desk.view["direction"], "Higher score was assumed to be better."
        assert (sentence in str(desk.report)) is (sentence in desk.code) is is_assumed
    assumed = fstats.desk(wide(SCORES))
    (menu,) = [menu for menu in assumed.view["controls"] if (menu["name"], menu["label"]) == ("higher_is_better", "Scores")]
    answer = {words: answer for answer, words in menu["options"]}["lower is better"]
    assert fstats.desk(wide(SCORES), reading={"higher_is_better": answer}).results.higher_is_better is False
    assert fstats.desk(long_answers()).view["direction"] == ""  # a right answer is better


def test_a_direction_that_is_known_is_not_asked_for() -> None:
    errors = np.round(1 - SCORES, 3)
    for text in (
        wide(SCORES),
        wide(100 * SCORES),
        wide(errors, ["tree_err", "svm_err", "knn_err"]),
        wide(errors, ["rmse A", "rmse B", "rmse C"]),
    ):
        assert "question" not in asked(Desk(), key="k", text=text)
    for word in ("err", "RMSE", "log loss", "Fehlerrate", "taux d'erreur", "pérdida", "error medio", "perda"):
        long = csv_text({"data set": np.repeat(SETS, 3), "model": NAMES * 12, word: errors.ravel().tolist()})
        desk = answered(long)
        assert desk.results.higher_is_better is False
        assert int(np.argmin(desk.results.mean_ranks)) == 1  # the classifier with the smallest errors


def test_one_of_several_metrics_is_answered_without_the_others() -> None:
    columns = {"score": np.round(1 - SCORES, 3).ravel().tolist(), "accuracy": SCORES.ravel().tolist()}
    text = csv_text({"data set": np.repeat(SETS, 3), "model": NAMES * 12, **columns})
    desk = answered(text, "Lower score is better")
    assert desk.comparison._all_results.higher == {"score": False, "accuracy": True}
    assert desk.view["direction"] == "Read as: lower score is better, as you stated."
    (menu,) = [menu for menu in fstats.desk(text).view["controls"] if menu["name"] == "metric"]  # the question has another way out
    assert [name for name, _ in menu["options"]] == ["score", "accuracy"]
    assert fstats.desk(text, metric="accuracy").view["conclusions"]


@parametrize(
    "heads, shown",
    (("A acc", "B acc"), ("A", "B")),
    (("svm (accuracy)", "tree (accuracy)"), ("svm", "tree")),
    (("f1_svm", "f1_knn"), ("svm", "knn")),
    (("rf - accuracy", "dt - accuracy"), ("rf", "dt")),
    (("acc 1", "acc 2x"), ("acc 1", "acc 2x")),  # "1" would be no name
    (("a acc", "b f1"), ("a acc", "b f1")),
)
def test_a_word_that_all_classifiers_share_is_not_a_part_of_their_names(heads: tuple[str, ...], shown: tuple[str, ...]) -> None:
    text = csv_text({"data set": SETS, **dict(zip(heads, SCORES.T.tolist(), strict=False))})
    results = fstats.Results.from_csv(text, scores=[*heads]) if shown == heads else fstats.Results.from_csv(text)
    assert results.classifiers == shown
    if shown != heads:
        desk = fstats.desk(text)
        assert desk.classifiers == shown
        assert f"{shown[0]} is worse than {shown[1]} in typical {results.metric}" in desk.conclusion
        assert [column["role"] for column in desk.view["columns"][1:]] == [f"{results.metric} of {name}" for name in shown]


def test_calls_of_the_library_warn_and_go_on() -> None:
    with pytest.warns(UserWarning, match="Higher score is assumed to be better.*higher_is_better=False"):
        results = fstats.Results.from_csv(SUSPICIOUS["errors of many"])
    assert fstats.Friedman(results).higher_is_better
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        few = fstats.Results.from_csv(SUSPICIOUS["errors of few"])  # so few may be low by chance
        named = fstats.Results.from_csv(wide(SCORES, ["tree_err", "svm_err", "knn_err"]))
    assert "higher_is_better=False" in str(few.direction_question)
    assert (named.direction_question, fstats.Friedman(named).higher_is_better) == (None, False)
    assert results.direction_question.answers == [({"higher_is_better": False}, "if lower is better"), ({"higher_is_better": True}, "")]


# -- classifiers with names of statistics ---------------------------------------------------------------------------------------------
@parametrize("name", "delta", "mean", "rank", "Diff", "std", "best", "Average", "Media", "p_value")
def test_a_classifier_with_the_name_of_a_statistic_is_asked_about(name: str, tmp_path: Path) -> None:
    text = wide(SCORES, [*NAMES[:2], name])
    assert labels(text) == [f"Leave out {name}", f"Compare tree, svm and {name} as classifiers"]
    with pytest.raises(ReadingQuestion, match=f"Write ignore='{name}' to leave it out, or scores="):
        fstats.Results.from_csv(text)
    assert answered(text, labels(text)[0]).classifiers == ("tree", "svm")
    desk = answered(text, labels(text)[1])
    assert (desk.classifiers, desk.results.scores.tolist()) == (("tree", "svm", name), SCORES.tolist())
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("name", "delta", "mean", "best", "std", "Total")
def test_what_is_computed_from_the_classifiers_is_none(name: str) -> None:
    errors = 1 - SCORES
    for scores, names, best in ((SCORES, NAMES, SCORES.max(1)), (errors, ["tree_err", "svm_err", "knn_err"], errors.min(1))):
        kinds = {"delta": scores[:, 1] - scores[:, 0], "mean": scores.mean(1), "best": best, "std": scores.std(1, ddof=1)}
        desk = fstats.desk(wide(np.c_[scores, np.round((kinds | {"Total": scores.sum(1)})[name], 3)], [*names, name]))
        assert len(desk.classifiers) == 3
        assert f"The column {name!r} was ignored: its name" in " ".join(desk.results.reading.doubts)
    pvalues = fstats.desk(wide(np.c_[SCORES, RNG.random(12).round(3) / 10], [*NAMES, "p_value"]))
    assert len(pvalues.classifiers) == 3  # far from the scores


@parametrize("name", "mean", "rank", "Std", "Max")
def test_a_line_with_the_name_of_a_statistic_may_be_a_classifier(name: str) -> None:
    rows = [(task, model, SCORES[i, j]) for i, task in enumerate(SETS) for j, model in enumerate(["tree", "svm", name])]
    desk = fstats.desk(csv_text(dict(zip(("task", "model", "accuracy"), zip(*rows, strict=True), strict=True))))
    assert desk.results.scores.tolist() == SCORES.tolist()
    assert f"The name {name!r} is that of a summary, but its numbers are not computed" in " ".join(desk.threats)
    computed = [(task, model, value) for task, model, value in rows if model != name]
    computed += [(task, "mean", round((SCORES[i, 0] + SCORES[i, 1]) / 2, 3)) for i, task in enumerate(SETS)]
    desk = fstats.desk(csv_text(dict(zip(("task", "model", "accuracy"), zip(*computed, strict=True), strict=True))))
    assert desk.classifiers == ("tree", "svm")
    assert "Left out as no classifiers: 'mean'" in " ".join(desk.threats)


# -- the true class -------------------------------------------------------------------------------------------------------------------
HEADINGS = {
    "Spanish": ("registro", "etiqueta", "predicción svm", "predicción knn"),
    "Spanish, real": ("fila", "clase real", "svm", "knn"),
    "German": ("Nr", "Wahrheit", "Vorhersage SVM", "Vorhersage kNN"),
    "German, class": ("Zeile", "tatsächliche Klasse", "Prognose 1", "Prognose 2"),
    "German, without umlauts": ("Zeile", "tatsaechliche Klasse", "Modell A", "Modell B"),
    "French": ("ligne", "vérité terrain", "prédiction svm", "prédiction knn"),
    "French, class": ("identifiant", "classe réelle", "svm", "knn"),
    "French, label": ("id", "étiquette", "svm", "knn"),
    "Italian": ("riga", "etichetta", "predizione svm", "predizione knn"),
    "Italian, class": ("id", "classe vera", "previsto svm", "previsto knn"),
    "Portuguese": ("linha", "rótulo", "previsão svm", "previsão knn"),
    "Portuguese, class": ("id", "classe verdadeira", "svm", "knn"),
    "class alone": ("id", "Clase", "svm", "knn"),
    "accents left out": ("id", "verite", "prediction svm", "prediction knn"),
}


@pytest.mark.every_case
@pytest.mark.parametrize("language", HEADINGS)
def test_the_true_class_has_its_name_in_many_languages(language: str, tmp_path: Path) -> None:
    number, truth, first, second = HEADINGS[language]
    words = np.array(["rojo", "grün", "été"])
    table = {number: range(60), truth: words[TRUTH], first: words[PREDICTED[0]], second: words[PREDICTED[1]]}
    for extra in ({}, {"edad": RNG.integers(20, 70, 60), "fold": np.arange(60) % 3}):
        text = csv_text({**table, **extra})
        desk = answered(text)
        assert desk.comparison.records.truth == truth
        assert desk.classifiers == (tuple(one.split()[-1] for one in (first, second)) if "svm" in first.lower() else (first, second))
        assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    (tmp_path / "excel.csv").write_bytes(text.replace(",", ";").encode("cp1252"))  # as Excel writes it
    old = fstats.desk(tmp_path / "excel.csv")
    assert run_script(old.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("classes", "rot grün blau", "1 2 3")
@parametrize("number", "id", "Kennzeichen", "")
def test_the_desk_asks_which_column_holds_the_true_class(classes: str, number: str, tmp_path: Path) -> None:
    words = np.array(classes.split())
    table = {"Spalte X": words[TRUTH], "svm": words[PREDICTED[0]], "knn": words[PREDICTED[1]]}
    text = csv_text({**({number: [f"r{k}" for k in range(60)]} if number else {}), **table})
    offered = labels(text)
    assert offered[:3] == [f"The column {head} holds the true class" for head in table]
    desk = answered(text, offered[0])
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    assert "table['Spalte X']" in desk.code
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    question = fstats.desk(text).question
    assert ({"roles": {"Spalte X": "true class"}}, "") in question[1]


def test_zeros_and_ones_of_several_columns_are_answers_or_classes() -> None:
    truth, right = TRUTH > 0, [predicted == TRUTH for predicted in PREDICTED]
    text = csv_text({"id": range(60), "etykieta": truth * 1, "svm": (truth == right[0]) * 1, "knn": (truth == right[1]) * 1})
    desk = answered(text, "The column etykieta holds the true class")
    assert [int(sum(column)) for column in desk.columns.values()] == [int(sum(column)) for column in right]
    desk = answered(text, "The cells of etykieta, svm and knn say whether each answer is right")
    assert desk.classifiers == ("etykieta", "svm", "knn")
    sure = csv_text({"id": range(60), **{name: np.where(right[k % 2], "right", "wrong") for k, name in enumerate("abc")}})
    assert answered(sure).classifiers == ("a", "b", "c")


# -- sentences -------------------------------------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:.*print.results.reading")
def test_a_last_line_of_means_does_not_hide_the_spreads() -> None:
    cells = {name: [f"{x} ± 0.01" for x in SCORES[:, k]] + [f"{SCORES[:, k].mean():.3f} ± 1.0"] for k, name in enumerate(NAMES)}
    results = fstats.Results.from_csv(csv_text({"data set": [*SETS, "Avg ± 1.0"], **cells}), higher_is_better=True)
    assert results.sd == pytest.approx(np.full((12, 3), 0.01))
    assert results.reading.notes == (
        "36 cells hold two numbers: the first was read as the score, and the second stands beside it as its spread.",
    )
    assert results.reading.doubts == ("Left out as summaries of the other lines: 'Avg ± 1.0'.",)
    spreads = fstats.Results.from_csv(wide(SCORES) + f"± 1.0,{','.join(map(str, SCORES.std(0).round(3)))}\n", higher_is_better=True)
    assert "it holds the means, medians, sums, spreads, wins or mean ranks of the lines above" in spreads.reading.doubts[0]


def test_sentences_name_the_table_once_and_say_what_is_compared() -> None:
    turned = "model," + ",".join(SETS) + "\n" + "".join(f"{n},{','.join(map(str, x))}\n" for n, x in zip(NAMES, SCORES.T, strict=True))
    view = asked(Desk(), key="k", text=turned)
    assert "Each line was read as a classifier, and each column as a data set, by the headings and the first column." in view["notes"]
    assert [column["role"] for column in view["columns"]] == ["classifier", *["data set"] * 12]
    rows = {"data set": np.repeat(SETS, 3), "model": NAMES * 12, "accuracy": SCORES.ravel(), "train_time": 10 * SCORES.ravel()}
    note = "Compared by accuracy. The table also holds train_time (lower is better): choose it in the menu 'Metric'."
    assert note in fstats.desk(csv_text(rows)).view["notes"]
    with pytest.raises(ValueError, match="`results` needs a table of scores; got test records"):
        _ = fstats.desk(long_answers()).results
    assert list(map(list, fstats.desk(long_answers()).columns.values())) == list(map(list, ANSWERS[:2]))


# -- shares beside percent ------------------------------------------------------------------------------------------------------------
MIXED = {  # places whose scores are shares, beside percent
    "a data set": np.arange(12)[:, None] == 3,
    "all but one": np.arange(12)[:, None] != 3,
    "a classifier": np.arange(3) == 1,
    "a score": np.arange(36).reshape(12, 3) == 7,
    "some": np.arange(36).reshape(12, 3) % 5 == 1,
}


def long(scores: np.ndarray, metric: str) -> str:
    """A row for each score."""
    return csv_text({"data set": np.repeat(SETS, 3), "model": NAMES * 12, metric: scores.ravel().tolist()})


@pytest.mark.every_case
@pytest.mark.parametrize("name", MIXED)
@parametrize("form", "wide", "accuracy", "score", "error")
def test_shares_beside_percent_are_asked_about(name: str, form: str, tmp_path: Path) -> None:
    scores = SCORES if form != "error" else 1 - SCORES
    mixed = np.where(MIXED[name], scores.round(3), (100 * scores).round(1))
    text = wide(mixed) if form == "wide" else long(mixed, form)
    direction = {"higher_is_better": True}
    percent = fstats.desk(text, reading={"units": "percent", **direction})
    assert ("All scores are in one unit" in labels(text)) == (name != "a classifier")  # for which the tests refuse it
    for answer in asked(Desk(), key="k", text=text)["question"]["answers"]:
        assert fstats.desk(text, reading=answer["reading"] | direction).view["conclusions"]
    assert percent.results.scores == pytest.approx(100 * scores.round(3))
    if name != "a classifier":
        assert fstats.desk(text, reading={"units": "same", **direction}).results.scores.tolist() == mixed.tolist()
    assert "were shares of 1, and were read as percent" in percent.report.text
    assert run_script(percent.comparison, tmp_path) == " ".join(str(percent.report).split())
    if not (form == "wide" and name == "a classifier"):  # which the library refuses
        with pytest.warns(UserWarning, match="as if some scores were shares and others percent. Write units='percent'"):
            assert fstats.Results.from_csv(text, **direction).scores.tolist() == mixed.tolist()


def test_scores_in_one_unit_are_not_taken_for_two() -> None:
    apart = np.where(MIXED["a data set"], SCORES, 100 * SCORES).round(3)
    for metric in ("RMSE", "log loss", "train time", "mean error"):
        assert fstats.Results.from_csv(long(apart, metric), higher_is_better=False).unit_question is None
    for scores in (SCORES, 100 * SCORES, 10 * SCORES, SCORES * np.array([1, 0.01, 100]), np.linspace(0.5, 99, 36).reshape(12, 3)):
        assert fstats.Results.from_csv(long(scores, "accuracy"), units=None).unit_question is None
    assert_raises(lambda: fstats.Results.from_csv(long(apart, "accuracy"), units="shares"), "units must be 'percent' or 'same'")
    spread = csv_text(
        {"data set": SETS, **{n: [f"{x} ± 0.1" if x > 1 else f"{x} ± 0.001" for x in apart[:, k]] for k, n in enumerate(NAMES)}}
    )
    assert fstats.Results.from_csv(spread, units="percent").sd == pytest.approx(np.full((12, 3), 0.1))


# -- the word for what a line is ---------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@parametrize(
    "head, word", ("query", "queries"), ("prompt", "prompts"), ("question_id", "questions"), ("Users", "users"), ("subject", "subjects")
)
@parametrize("count", 2, 3)
@parametrize("aim", "difference", "equivalence")
def test_the_heading_of_the_table_says_what_its_lines_are(head: str, word: str, count: int, aim: str, tmp_path: Path) -> None:
    text = csv_text({head: [f"x{name[-1]}" for name in SETS], **dict(zip(NAMES[:count], SCORES.T.tolist()))})
    settings = {"answers": {"aim": aim}, "margin": 0.5 if aim == "equivalence" else None}
    desk = fstats.desk(text, rope=0.1, **settings)
    view = {name: part for name, part in desk.view.items() if name not in ("roles", "columns", "examples", "code")}
    assert "data set" not in str(view).replace("'data_set", "").lower()
    assert desk.comparison.counted == f"12 {word}"
    assert (word in desk.report.text, "data set" in desk.report.text) == (True, False)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    results = fstats.Results.from_csv(text).select(classifiers=NAMES[:2])
    assert word in fstats.SignedRank(results).worked().__repr__() + str(fstats.SignedRank(results))
    assert "data set" not in str(fstats.report(fstats.PairedT(results)))
    assert fstats.PairedT(results, unit="page").unit == "page"
    gap = asked(Desk(), key="k", text=text.replace(f"{SCORES[0, 0]},", ",", 1))
    assert f"Leave out the {word} with missing scores" in [answer["label"] for answer in gap["question"]["answers"]]


# -- long tables of answers ------------------------------------------------------------------------------------------------------------
ANSWERS = [(predicted == TRUTH) * 1 for predicted in (*PREDICTED, np.roll(TRUTH, 1))]


def long_answers(words: str = "0 1", head: str = "correct", record: str = "item", models: int = 2, runs: str = "", **others: object) -> str:
    """A line for each answer of a model to a record; `words` are those for wrong and for right answers."""
    answers = [column for column in ANSWERS[:models] for _ in range(3 if runs else 1)]
    table = {record: np.tile([f"q{k}" for k in range(60)], len(answers)), "model": np.repeat([*"abc"[:models]], 180 if runs else 60)}
    table |= {runs: np.tile(np.repeat([1, 2, 3], 60), models)} if runs else {}
    return csv_text({**table, **others, head: np.array(words.split())[np.concatenate(answers)]})


@parametrize("words", "0 1", "0.0 1.0", "False True", "wrong right", "no yes")
@parametrize("head, record", ("correct", "item"), ("is_correct", "question"), ("passed", "id"), ("right", "task"), ("solved", "prompt"))
def test_a_long_table_of_answers_holds_records(words: str, head: str, record: str, tmp_path: Path) -> None:
    desk = answered(long_answers(words, head, record))
    assert (desk.comparison.kind, desk.comparison.counted) == ("records", "60 records")
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    assert [column["role"] for column in desk.view["columns"]] == ["ignore", "classifier", "prediction"]
    assert isinstance(answered(long_answers(words, head, record, models=3)).test, fstats.CochranQ)
    assert record != "item" or run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("head", "error", "loss", "is_error")
def test_ones_below_the_name_of_an_error_are_wrong_answers(head: str) -> None:
    wrong = answered(long_answers("1 0", head))
    assert [*map(list, wrong.columns.values())] == [*map(list, ANSWERS[:2])]


@parametrize("runs, record", ("run", "item"), ("seed", "question"), ("seed", "task"))
def test_runs_of_answers_in_a_long_table_belong_to_one_record(runs: str, record: str, tmp_path: Path) -> None:
    text = long_answers(record=record, runs=runs)
    assert labels(text)[0] == f"Lines with the same {record} belong to one record"
    desk = answered(text, labels(text)[0])
    assert int(desk.test.cluster_count) == 60
    assert float(desk.test.pvalue) == pytest.approx(float(fstats.PairedT(*ANSWERS[:2]).pvalue), rel=1e-6)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


def test_answers_of_families_in_a_long_table() -> None:
    families = np.tile(np.arange(60) // 4, 2)
    for others, words in (({"y_true": np.tile(TRUTH, 2)}, ""), ({}, "0 1")):
        columns = {"id": [*range(60)] * 2, "passage": families, **others, "model": np.repeat([*"ab"], 60)}
        answers = np.concatenate(ANSWERS[:2] if words else PREDICTED)
        desk = answered(csv_text({**columns, "correct" if words else "prediction": answers}))
        assert int(desk.test.cluster_count) == 15


def test_a_column_of_zeros_and_ones_is_not_always_an_answer() -> None:
    rows = [(name, model, SCORES[i, j], (i + j) % 2) for i, name in enumerate(SETS) for j, model in enumerate(NAMES)]
    converged = csv_text(dict(zip(("data set", "model", "accuracy", "converged"), zip(*rows, strict=True), strict=True)))
    assert answered(converged).results.scores.tolist() == SCORES.tolist()
    sets = answered(long_answers().replace("item", "data set").replace("q1", "q").replace("q2", "q"))  # several lines for q3, q4, ...
    assert sets.comparison.records is None
    (label,) = labels(long_answers("no yes", "reply"))
    assert label == "The cells of reply say whether each answer is right"
    assert answered(long_answers("no yes", "reply"), label).comparison.kind == "records"
    nameless = csv_text({"model": np.repeat([*"ab"], 60), "correct": np.concatenate(ANSWERS[:2])})
    assert "no column names the record: a comparison needs the answers" in asked(Desk(), key="k", text=nameless)["error"]


def test_scores_are_not_taken_for_classes() -> None:
    whole = csv_text({"data set": SETS, **{name: RNG.integers(3, 6, 12) for name in NAMES}})
    assert fstats.desk(whole, reading={"higher_is_better": True}).view["conclusions"]
    many = csv_text({"id": [f"r{k}" for k in range(30)], **{name: RNG.integers(3, 6, 30) for name in NAMES}})
    desk = answered(many, labels(many)[-1])
    assert desk.comparison.reading == {"data_set": "id"}
    assert isinstance(desk.comparison.problem, ReadingQuestion)  # are higher numbers better?


@parametrize("head", "category", "label", "class", "target", "Klasse")
@parametrize("form", "long", "wide")
def test_a_column_beside_scores_is_no_true_class(head: str, form: str) -> None:
    kinds = np.array(["text", "image"])[np.arange(12) % 2]
    if form == "long":
        cells = {"data set": np.repeat(SETS, 3), head: np.repeat(kinds, 3), "method": NAMES * 12, "accuracy": SCORES.ravel().tolist()}
        desk = answered(csv_text(cells))
    else:
        text = csv_text({"data set": SETS, head: kinds, **dict(zip(NAMES, SCORES.T.tolist(), strict=True))})
        offered = [answer["label"] for answer in asked(Desk(), key="k", text=text).get("question", {}).get("answers", ())]
        desk = answered(text, *offered)
        assert all(label.startswith("Leave out") for label in offered)
    assert desk.results.scores.tolist() == SCORES.tolist()


@parametrize("index", "fold", "")
def test_lines_of_cross_validate_are_folds(index: str) -> None:
    times = np.round(RNG.uniform(0.1, 0.5, 20), 3)
    cells = {
        index: [*range(10)] * 2,
        "model": np.repeat(["tree", "forest"], 10),
        "fit_time": times,
        "test_score": SCORES[:10, :2].T.ravel(),
    }
    press = [] if index else ["The lines are folds of one data set, numbered by the first column"]
    desk = answered(csv_text(cells), *press)
    assert desk.comparison.kind == "folds"
    assert fstats.desk(csv_text(cells), metric="test_score", reading={} if index else {"fold": ""}).columns["tree"].tolist() == [
        *SCORES[:10, 0]
    ]


@parametrize("heads", "real synthetic mixed", "target source both", "y x z")
def test_scores_below_a_name_of_the_truth_are_no_classes(heads: str) -> None:
    tied = np.random.default_rng(0).choice([0.6, 0.7, 0.8, 0.9], (12, 3))  # the columns hold the same numbers several times
    assert fstats.desk(wide(tied, heads.split())).comparison.records is None
    assert fstats.Results.from_csv(wide(tied, heads.split())).classifiers == tuple(heads.split())


def test_two_columns_with_names_of_the_truth_are_asked_about() -> None:
    words = np.array(["a", "b", "c"])
    text = csv_text({"id": range(60), "label": words[TRUTH], "actual": words[PREDICTED[1]], "svm": words[PREDICTED[0]]})
    assert labels(text) == ["The column label holds the true class", "The column actual holds the true class"]
    assert answered(text, "The column label holds the true class").comparison.records.truth == "label"


@parametrize(
    "heads", ("id", "model", "prediction", "label"), ("Nr", "Verfahren", "Vorhersage", "Klasse"), ("ligne", "modèle", "prédit", "vérité")
)
def test_predictions_below_each_other_are_compared_record_by_record(heads: tuple[str, ...], tmp_path: Path) -> None:
    words = np.array(["x", "y", "z"])
    columns = [np.tile(np.arange(60), 2), np.repeat(["svm", "knn"], 60), words[np.concatenate(PREDICTED)], words[np.tile(TRUTH, 2)]]
    text = csv_text(dict(zip(heads, columns, strict=True)))
    desk = answered(text)
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    without = csv_text(dict(zip(heads[1:], columns[1:], strict=True)))
    assert "no column names the record" in fstats.desk(without).view["question"]["text"]


def test_a_column_that_scores_does_not_name_is_noted() -> None:
    names = ["Mean", "Median", "Stacking"]
    text = wide(SCORES, names)
    note = "Left out, because scores= names other columns: 'Median'."
    assert note in fstats.desk(text, reading={"scores": ["Mean", "Stacking"]}).view["notes"]
    assert not any("Left out" in note for note in fstats.desk(text, reading={"scores": names}).view["notes"])


@parametrize("form", "wide", "long", "whole column")
@parametrize("sign", ";", "\t")
@parametrize("mark, name", (".", "points"), (",", "commas"))
def test_points_and_commas_are_thousands_or_decimals(mark: str, name: str, sign: str, form: str) -> None:
    pointed = [cell.replace(".", mark) for cell in POINTED]
    pairs = [*pairwise(pointed)] if form == "wide" else [(one, "739") for one in pointed if one != "739"]
    lines = [("query", "a", "b"), *((f"q{k}", *pair) for k, pair in enumerate(pairs))]
    if form == "long":
        lines = [("query", "model", "value"), *((f"q{k}", model, x) for k, pair in enumerate(pairs) for model, x in zip("ab", pair))]
    text = "".join(sign.join(line) + "\n" for line in lines)
    for meaning, number in ((f"2{mark}005 means 2005", 2005), ("between 2 and 3", 2.005)):
        assert sum(label.startswith(name.title()) and meaning in label for label in labels(text)) == 1
        stated = {"scores": ["a", "b"]} if form == "whole column" else {}
        reading = {name: "decimals" if number < 3 else "thousands", "higher_is_better": False}
        results = fstats.desk(text, reading=reading | stated).results
        assert float(results.scores[0, 0]) == number
        assert float(results.scores[-1, 1]) == (739 if form != "wide" else 1774 if number > 3 else 1.774)
    assert_raises(lambda: fstats.Results.from_csv(text, **{name: "yes"}), f"{name} must be 'thousands' or 'decimals'")
    for other in (text.replace("739", f"0{mark}739"), text.replace("739", "39")) if form == "wide" else ():
        assert name not in str(fstats.Results.from_csv(other, higher_is_better=False).reading)


POINTED = ["2.005", "1.130", "739", "1.604", "1.866", "1.774"]


# -- repeated records -----------------------------------------------------------------------------------------------------------------
WORDS = np.array(["gut", "mittel", "schlecht"])
RUNS, RECORDS = np.repeat(np.arange(4), 60), np.tile(np.arange(60), 4)
COPIED = {"Klasse": WORDS[np.tile(TRUTH, 4)], **{name: WORDS[np.tile(one, 4)] for name, one in zip("AB", PREDICTED, strict=True)}}
RIGHT = {name: np.tile(one == TRUTH, 4) for name, one in zip("AB", PREDICTED, strict=True)}
REPEATED_RECORDS = {
    "seeds": ({"seed": RUNS, "Nr": RECORDS, **COPIED}, "Nr", "Nr and seed"),
    "folds": ({"fold": RUNS, "record_id": RECORDS, **COPIED}, "record_id", "record_id and fold"),
    "no runs": ({"question": RECORDS, **COPIED}, "question", "question"),
    "an unknown name": ({"Bildtext": [f"Bild {k}" for k in RECORDS], **COPIED}, "Bildtext", "Bildtext"),
    "right and wrong": (
        {"question": RECORDS, "run": RUNS, **{name: np.where(one, "right", "wrong") for name, one in RIGHT.items()}},
        *("question", "question and run"),
    ),
    "True and False": ({"Frage": RECORDS, "run": RUNS, **RIGHT}, "Frage", "Frage and run"),
    "answers without runs": ({"id": RECORDS, **{name: np.where(one, "richtig", "falsch") for name, one in RIGHT.items()}}, "id", "id"),
}


@pytest.mark.parametrize("name", REPEATED_RECORDS)
def test_lines_of_the_same_record_count_once(name: str, tmp_path: Path) -> None:
    """Four copies of 60 records have the p-value of the 60 means, and not that of 240 records."""
    table, record, both = REPEATED_RECORDS[name]
    text = csv_text(table)
    assert labels(text) == [f"Lines with the same {record} belong to one record", f"Leave out {both}: all lines are different records"]
    with pytest.raises(ReadingQuestion, match=f"only 60 different cells in the column '{record}'"):
        _ = fstats.desk(text).test
    once, each = (answered(text, label) for label in labels(text))
    right = [(predicted == TRUTH) * 1 for predicted in PREDICTED]
    copies = fstats.McNemarMidP.from_predictions(*(np.tile(one, 4) for one in (TRUTH, *PREDICTED)))
    assert float(each.test.pvalue) == float(copies.pvalue)
    assert int(once.test.cluster_count) == 60
    assert float(once.test.pvalue) == pytest.approx(float(fstats.PairedT(*right).pvalue), rel=1e-6)  # of the means of the records
    for desk in (once, each):
        assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


def test_runs_of_records_without_names_are_asked_about() -> None:
    for text in (csv_text({"seed": RUNS, **COPIED}), csv_text({"fold": RUNS, **COPIED})):
        assert "no column names the record" in asked(Desk(), key="k", name="table.csv", text=text)["question"]["text"]
        (label,) = labels(text)
        assert len(answered(text, label).columns["A"]) == 240
    folds = {"fold": RUNS[::4], "Klasse": WORDS[TRUTH], "A": WORDS[PREDICTED[0]], "B": WORDS[PREDICTED[1]]}
    assert answered(csv_text(folds)).comparison.counted == "60 records"  # the folds of one cross-validation
    named = {"id": range(60), "seed": np.arange(60) % 3, **folds}
    assert answered(csv_text(named)).comparison.counted == "60 records"


@parametrize("where", "A", "Klasse", "A, B")
@parametrize("form", "wide", "long")
def test_classes_that_differ_only_in_their_spelling(where: str, form: str, tmp_path: Path) -> None:
    columns = {"Klasse": WORDS[TRUTH], "A": WORDS[PREDICTED[0]], "B": WORDS[PREDICTED[1]]}
    for head in where.split(", "):
        columns[head] = np.where(np.arange(60) % 2, np.char.capitalize(columns[head]), columns[head])
    table = {"id": range(60), **columns}
    if form == "long":
        twice = {head: np.tile(columns["Klasse"] if head == "Klasse" else np.arange(60), 2) for head in ("id", "Klasse")}
        table = {**twice, "model": np.repeat(["A", "B"], 60), "prediction": np.concatenate([columns["A"], columns["B"]])}
    text = csv_text(table)
    assert labels(text) == ["These names mean the same", "These names mean different things"]
    same, different = (answered(text, label) for label in labels(text))
    assert float(same.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    apart = fstats.McNemarMidP.from_predictions(*columns.values())
    assert float(different.test.pvalue) == float(apart.pvalue)
    for desk in (same, different):
        assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    alone = csv_text({"id": range(60), **columns} | {"city": ["Rom", "rom"] * 30})
    assert "'Rom'" not in fstats.desk(alone).view["question"]["text"]  # the column is not compared


# -- missing cells and repeated lines -------------------------------------------------------------------------------------------------
def with_cell(mark: str) -> str:
    """Scores with a mark in the place of one score."""
    return wide(SCORES).replace(f"{SCORES[3, 1]}", mark, 1)


@pytest.mark.every_case
@parametrize("mark", "n/d", "s/d", "k. A.", "k.A.", "—", "–", "?", "*", "/", "#N/A", "N.D.", "n.v.")
def test_marks_of_missing_scores_are_known(mark: str, tmp_path: Path) -> None:
    text = with_cell(mark)
    assert repr(mark) in asked(Desk(), key="k", name="table.csv", text=text)["question"]["text"]
    for label, argument in (
        ("Leave out the data sets", "drop data sets"),
        ("Leave out the classifiers", "drop classifiers"),
        ("Replace", "worst"),
    ):
        (whole,) = [one for one in labels(text) if one.startswith(label)]
        desk = answered(text, whole)
        assert f"missing={argument!r}" in desk.code
        assert mark != "k. A." or run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    assert fstats.Results.from_csv(text, missing="drop data sets").data_sets == tuple(SETS[:3] + SETS[4:])


@parametrize("mark", "nicht vorhanden", "fehlt", "X", "no aplica")
def test_other_texts_are_asked_about(mark: str, tmp_path: Path) -> None:
    text = with_cell(mark)
    offered = labels(text)
    assert offered == [f"Scores are missing where the table says {mark!r}", "Leave out svm"]
    desk = answered(text, offered[0], "Leave out the data sets with missing scores")
    assert f"na_values={mark!r}, missing='drop data sets'" in desk.code
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    assert answered(text, offered[1]).results.classifiers == ("tree", "knn")
    gap = fstats.Results.from_csv(text, na_values=mark, missing="keep")
    assert np.isnan(gap.scores).tolist() == [[False, (i, 1) == (3, 1), False] for i in range(12)] or np.isnan(gap.scores).sum() == 1


@pytest.mark.every_case
@parametrize("form", "wide", "long")
@parametrize(
    "policy, label",
    ("average", "Average the repeated lines"),
    ("first", "Keep the first of the repeated lines"),
    ("folds", "The repeated lines are folds of their data set"),
    ("drop data sets", "Leave out the data sets with repeated lines"),
)
def test_a_data_set_that_stands_twice(form: str, policy: str, label: str, tmp_path: Path) -> None:
    again = SCORES[2] + [0.05, -0.03, 0.01]
    if form == "wide":
        text = wide(SCORES) + f"{SETS[2]}," + ",".join(f"{x:.3f}" for x in again) + "\n"
    else:
        rows = [(name, model, SCORES[i, j]) for i, name in enumerate(SETS) for j, model in enumerate(NAMES)]
        rows += [(SETS[2], model, round(again[j], 3)) for j, model in enumerate(NAMES)]
        text = csv_text(dict(zip(("dataset", "model", "accuracy"), zip(*rows, strict=True), strict=True)))
    desk = answered(text, label)
    wanted = {"first": SCORES, "drop data sets": np.delete(SCORES, 2, axis=0)}.get(
        policy, np.vstack([SCORES[:2], (SCORES[2] + again) / 2, SCORES[3:]])
    )
    assert desk.results.scores == pytest.approx(wanted)
    assert f"repeated={policy!r}" in desk.code
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    assert SETS[2] in " ".join(desk.results.reading.remarks)
    assert fstats.Results.from_csv(text, repeated=policy).scores == pytest.approx(wanted)
    with pytest.raises(ValueError, match="`repeated` must be one of 'average'"):
        fstats.Results.from_csv(text, repeated="no")


def test_scores_with_marks_and_without_a_direction_take_two_answers() -> None:
    times = np.round(500 * SCORES)
    text = wide(times).replace(f"{times[3, 1]}", "*", 1)
    assert labels(text) == [
        "Leave out the data sets with missing scores",
        "Leave out the classifiers with missing scores",
        "Replace missing scores by the worst score on the data set",
    ]
    assert not answered(text, labels(text)[0], "Lower is better").results.higher_is_better


def test_repeated_lines_of_one_classifier_and_of_one_fold() -> None:
    rows = [(name, model, SCORES[i, j]) for i, name in enumerate(SETS) for j, model in enumerate(NAMES)]
    text = csv_text(dict(zip(("dataset", "model", "accuracy"), zip(*rows, (SETS[0], "svm", 0.5), strict=True), strict=True)))
    assert answered(text, "Average the repeated lines").results.scores[0, 1] == pytest.approx((SCORES[0, 1] + 0.5) / 2)
    folded = csv_text({"fold": [1, 2, 3, 4, 5, 5], **{name: SCORES[:6, j] for j, name in enumerate(NAMES)}})
    assert answered(folded, "Keep the first of the repeated lines").results.fold_scores[0].T.tolist() == SCORES[:5].tolist()
    crossed = csv_text({"dataset": [*"ab"] * 3, "fold": [1, 1, 2, 2, 2, 1], **{name: SCORES[:6, j] for j, name in enumerate(NAMES)}})
    assert answered(crossed, "Average the repeated lines").results.folds == (("1", "2"), ("1", "2"))


@parametrize("one, other", ("set a", "Set A"), ("svm", "SVM"), ("set y", "set  Y"), ("k-NN", "kNN"))
@parametrize("form", "wide", "long")
def test_names_that_differ_only_in_their_spelling(form: str, one: str, other: str, tmp_path: Path) -> None:
    sets, names = (list(listed) for listed in (SETS, NAMES))
    changed = sets if one.startswith("set") else names
    changed[:2] = [one, other]
    names[2:] = ["mlp", "naive bayes"]
    scores = np.c_[SCORES, SCORES[:, :1] - 0.01]
    text = csv_text({"data set": sets, **dict(zip(names, scores.T.tolist(), strict=True))})
    if form == "long":
        cells = [(task, name, score) for task, row in zip(sets, scores.tolist()) for name, score in zip(names, row)]
        text = csv_text(dict(zip(("task", "model", "accuracy"), zip(*cells, strict=True), strict=True)))
    assert repr(one) in (question := asked(Desk(), key="k", text=text)["question"]["text"])
    assert repr(other) in question
    apart = answered(text, "These names mean different things")
    assert (len(apart.results), len(apart.classifiers)) == (12, 4)
    assert run_script(apart.comparison, tmp_path) == " ".join(str(apart.report).split())
    with pytest.raises(ReadingQuestion, match="Write spellings='same' if they are the same"):
        fstats.Results.from_csv(text)
    desk = answered(text, "These names mean the same", "Average the repeated lines")
    assert (len(desk.results), len(desk.classifiers)) == ((11, 4) if changed is sets else (12, 3))
    merged = scores[:2].mean(axis=0) if changed is sets else [scores[0, :2].mean(), *scores[0, 2:]]
    assert desk.results.scores[0] == pytest.approx(merged)
    assert "spellings='same', repeated='average'" in desk.code
    assert_raises(lambda: fstats.Results.from_csv(text, spellings="yes"), "spellings must be 'same' or 'different'")


@parametrize("name", "seed", "Semilla", "run", "Lauf")
@parametrize("form", "wide", "long", "folds")
def test_what_seeds_and_runs_number_is_asked_where_the_tests_differ(name: str, form: str, tmp_path: Path) -> None:
    """Seeds of training are no splits; seeds that cut the splits number the repetitions of a cross-validation."""
    scores = np.round(0.8 + RNG.normal(0, 0.02, (100 if form == "folds" else 10, 2)) + [0, 0.01], 4)
    numbers = {name: np.repeat(range(10), len(scores) // 10), **({"fold": np.tile(range(10), 10)} if form == "folds" else {})}
    text = csv_text({**numbers, "a": scores[:, 0], "b": scores[:, 1]})
    if form == "long":
        text = csv_text({name: [*range(10)] * 2, "model": np.repeat(["a", "b"], 10), "accuracy": scores.T.ravel()})
    wanted = [
        f"The lines are runs with different seeds, numbered by {name}",
        f"The lines are repetitions with other splits, numbered by {name}",
    ]
    assert labels(text) == wanted
    # repetitions without folds are no cross-validation
    fifth = ["The ratio of test to training records is 1/4: each split tests 1/5 of the records"] * (form != "folds")
    runs, splits = answered(text, wanted[0]), answered(text, wanted[1], *fifth)
    assert splits.results.test_train_ratio == (1 / 9 if form == "folds" else 1 / 4)
    assert type(runs.test) is (fstats.CorrectedResampledT if form == "folds" else fstats.RankSum)
    assert type(splits.test) is (fstats.CorrectedRepeatedKFoldT if form == "folds" else fstats.CorrectedResampledT)
    assert splits.results.fold_scores[0].T.tolist() == scores.tolist()
    for desk, argument in ((runs, "seed"), (splits, "repetition")):
        assert f"{argument}={name!r}" in desk.code
        assert name != "Lauf" or run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
        by_menu = fstats.desk(text, roles={name: argument}, reading={"test_train_ratio": 0.25} if fifth and desk is splits else {})
        assert (by_menu.test.pvalue, by_menu.view["roles"].count(argument)) == (desk.test.pvalue, 1)
    several = csv_text(
        {"data set": np.repeat([*"uvwxyz"], 10), name: [*range(10)] * 6, **dict(zip("ab", RNG.uniform(0.5, 1, (2, 60)).round(3)))}
    )
    assert "question" not in asked(Desk(), key="k", text=several)  # each score is the mean in any case
    both = fstats.Results.from_csv(text, fold=[name, "fold"] if form == "folds" else name)
    assert both.reading.columns[name].role == ("repetition" if form == "folds" else "fold")


# -- sizes of the splits of one data set ------------------------------------------------------------------------------------------------
def cross_validation(repetitions: int, folds: int, absent: set[tuple[int, int]], running: bool = False, head: str = "repeat") -> str:
    """Three classifiers on repeated folds, of which some are absent; the numbers of folds start again in each repetition, or run on."""
    rng, lines = np.random.default_rng(3), []
    for r, k in ((r, k) for r in range(repetitions) for k in range(folds)):
        split = rng.normal(0, 0.03)
        scores = [round(0.8 + split + 0.01 * j + rng.normal(0, 0.02), 4) for j in range(3)]
        lines += [(r, k + r * folds * running, *scores)] * ((r, k) not in absent)
    return csv_text(dict(zip((head, "fold", *NAMES), zip(*lines, strict=True), strict=True)))


@parametrize(
    "plan, note",
    ((10, 10, {(9, 9)}), "left out: repetition 9, fold 9."),
    ((10, 5, {(9, 2), (9, 3), (0, 4)}), "left out: repetition 0, fold 4; repetition 9, fold 2; repetition 9, fold 3."),
    ((4, 10, {(3, 9)}, True), "left out: 1 of 10 folds of repetition 3."),
    ((5, 2, set()), ""),
    ((10, 10, set()), ""),
)
def test_the_ratio_of_sizes_is_that_of_the_folds_of_each_repetition(plan: tuple, note: str, tmp_path: Path) -> None:
    desk = fstats.desk(text := cross_validation(*plan), test="CorrectedResampledT")
    differences = {pair: desk.columns[pair[0]] - desk.columns[pair[1]] for pair in desk.pair_tests}
    for pair, test in desk.pair_tests.items():
        assert test.pvalue == fstats.CorrectedResampledT(differences[pair], 1 / (plan[1] - 1)).pvalue
        assert test.n == plan[0] * plan[1] - len(plan[2])
    assert f"ratio of test to training size {1 / (plan[1] - 1):.4g}" in desk.report.text
    for words in (desk.report.text, " ".join(desk.view["notes"]), " ".join(fstats.Results.from_csv(text).notes)):
        assert ("Folds without a score" in words, note in words) == (bool(note), True)
    if note:
        assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


def test_absent_folds_are_named_beside_missing_scores_and_on_several_data_sets() -> None:
    lines = cross_validation(4, 5, {(3, 4)}).splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    for policy in ("drop folds", "worst"):
        results = fstats.Results.from_csv("\n".join(lines), missing=policy)
        assert "repetition 3, fold 4." in " ".join(results.notes)
        assert "repetition 0, fold 0" in " ".join(results.notes)
    scores = dict(zip("ab", RNG.uniform(0.7, 0.9, (2, 9)).round(3)))
    several = csv_text({"data set": [*"uuuuvvvvv"], "fold": [0, 1, 3, 4, 0, 1, 2, 3, 4], **scores})
    results = fstats.Results.from_csv(several)
    assert results.reading.remarks == ("Folds without a score of any classifier were left out: u, fold 2.",)
    assert (results.folds[0], results.split_size_question) == (("0", "1", "3", "4"), None)


@parametrize("count, asked_for", (5, False), (10, False), (20, False), (11, True), (25, True), (50, True))
def test_an_unusual_number_of_folds_is_asked_about(count: int, asked_for: bool, tmp_path: Path) -> None:
    scores = np.round(0.8 + RNG.normal(0, 0.02, (2, count)) + [[0], [0.01]], 4)
    text = csv_text({"fold": range(count), "a": scores[0], "b": scores[1]})
    if not asked_for:
        assert fstats.desk(text).test.test_train_ratio == 1 / (count - 1)
        return
    sizes = [(count, f"it is one {count}-fold cross-validation"), *((k, f"each split tests 1/{k} of the records") for k in (10, 5, 3, 2))]
    wanted = [f"The ratio of test to training records is 1/{k - 1}: {why}" for k, why in sizes]
    assert labels(text) == wanted
    for label, (k, _) in zip(wanted, sizes, strict=True):
        assert answered(text, label).test.test_train_ratio == 1 / (k - 1)
    desk = answered(text, wanted[2])
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    assert "test_train_ratio='1/4'" in desk.code
    assert fstats.desk(text, reading={"test_train_ratio": 3 / 7}).test.test_train_ratio == 3 / 7
    assert_raises(lambda: fstats.Results.from_csv(text, test_train_ratio="0"), "must be a number above 0, or a fraction such as '1/9'")


def test_the_paragraph_names_the_seeds_of_each_mean(tmp_path: Path) -> None:
    desk = fstats.desk(cross_validation(10, 5, set(), head="seed"), reading={"seed": "seed"})
    assert "J = 5 splits" in desk.report.text
    assert "Each score is the mean of 10 seeds." in desk.report.text
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("role", "seed", "fold", "repetition", "data set")
def test_roles_of_scores_do_not_fit_predictions(role: str) -> None:
    number, answers = np.repeat(range(3), 20), [np.where(column == TRUTH, "right", "wrong") for column in PREDICTED]
    classes = csv_text({"run": number, "Klasse": TRUTH, "Modell A": PREDICTED[0], "Modell B": PREDICTED[1]})
    words = csv_text({"question": np.tile(range(20), 3), "run": number, "gpt": answers[0], "llama": answers[1]})
    for text, stated, name in ((classes, {}, "Modell A"), (words, {"gpt": "prediction", "llama": "prediction"}, "gpt")):
        view = fstats.desk(text, roles={**stated, "run": role}).view
        assert f"The role {role!r} does not fit the column 'run'" in view["error"]
        assert repr(name) in view["error"]


def test_settings_that_are_not_used_are_named() -> None:
    text = wide(SCORES)
    for setting, value, words in (
        (
            "test",
            "PairedT",
            "Not used: test PairedT, because it does not fit 3 classifiers on 12 data sets; here it may be ImanDavenport or",
        ),
        ("follow_up", "TukeyHSD", "Not used: follow up TukeyHSD"),
        ("control", "forest", "Not used: control forest"),
        ("alternative", "greater", "Not used: alternative greater"),
    ):
        desk = fstats.desk(text, **{setting: value})
        assert words in str(desk.report)
        assert words not in desk.report.text
        assert "Not used: " in desk.threats[0]
    used = fstats.desk(text, test="Friedman", follow_up="Nemenyi")
    assert "Not used" not in f"{used.report} {used.threats}"


@parametrize("mark", "", "?", "n/d", "—")
def test_missing_predictions(mark: str, tmp_path: Path) -> None:
    words = np.array(["a", "b", "c"], dtype=object)
    first = words[PREDICTED[0]].copy()
    first[[4, 9]] = mark
    text = csv_text({"id": range(60), "Klasse": words[TRUTH], "svm": first, "knn": words[PREDICTED[1]], "Notiz": [""] * 59 + ["gut"]})
    assert "2 of 60 records have a missing cell" in asked(Desk(), key="k", name="table.csv", text=text)["question"]["text"]
    kept = np.delete(np.arange(60), [4, 9])
    left_out = answered(text, "Leave out the records with a missing cell")
    whole = fstats.McNemarMidP.from_predictions(TRUTH[kept], *(predicted[kept] for predicted in PREDICTED))
    assert float(left_out.test.pvalue) == float(whole.pvalue)
    wrong = answered(text, "Count missing predictions as wrong answers")
    worse = fstats.McNemarMidP.from_predictions(words[TRUTH], first, words[PREDICTED[1]])
    assert float(wrong.test.pvalue) == float(worse.pvalue)
    desks = [left_out, wrong]
    if mark:
        desks.append(answered(text, "It is a class like the others"))
        assert float(desks[-1].test.pvalue) == float(worse.pvalue)
    assert "Of 60 records, 2 were left out because a class is missing." in left_out.report.text
    assert "Of 60 records, 2 with a missing prediction counted as wrong." in wrong.report.text
    for desk in desks:
        assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@pytest.mark.every_case
@pytest.mark.parametrize(("right", "wrong"), [(word, sorted(others)[0]) for word, others in RIGHT_WORDS.items()])
def test_right_and_wrong_answers_have_words_in_many_languages(right: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    cells = [(right, wrong), (right, right), (wrong, right), (right, wrong), (wrong, wrong)]
    file.write_text("pregunta;Llama;Qwen\n" + "".join(f"{k};{a};{b}\n" for k, (a, b) in enumerate(cells)), encoding="utf-8")
    test = fstats.desk(file).test
    assert (int(test.n10), int(test.n01)) == (2, 1)


@parametrize("words", "P F", "I C", "gut schlecht")
def test_the_desk_asks_which_word_means_a_right_answer(words: str, tmp_path: Path) -> None:
    right, wrong = words.split()
    answers = [predicted == TRUTH for predicted in PREDICTED]
    text = csv_text({"question": range(60), **{name: np.where(one, right, wrong) for name, one in zip(("GPT", "Claude"), answers)}})
    desk = answered(text, f"Each {right} is a right answer")
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    asked_again = fstats.desk(text, roles={"GPT": "prediction", "Claude": "prediction"}).question
    assert [answer for answer, _ in asked_again[1]] == [{"right": word} for word in sorted((right, wrong))]


@parametrize(
    "text",
    ",B right,B wrong\nA right,120,25\nA wrong,11,44\n",
    ";B=0;B=1;Summe\nA=1;25;120;145\nA=0;44;11;55\nSumme;69;131;200\n",
    "| A \\ B | correct | incorrect |\n|---|---|---|\n| correct | 120 | 25 |\n| incorrect | 11 | 44 |\n",
)
def test_a_table_of_counts_is_the_table_of_mcnemars_test(text: str, tmp_path: Path) -> None:
    desk = fstats.desk(text)
    assert desk.classifiers == ("A", "B")
    assert (int(desk.test.n01), int(desk.test.n10)) == (11, 25)
    assert float(fstats.desk(text, test="McNemarExact").test.pvalue) == float(fstats.McNemarExact(11, 25).pvalue)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    with pytest.raises(ValueError, match=r"got counts of records.*fstats.McNemarExact\(11, 25\)"):
        fstats.Results.from_csv(text)


def test_whole_scores_on_two_data_sets_are_no_counts() -> None:
    assert len(fstats.Results.from_csv("data set,A right,B wrong\niris,12,25\nwine,11,44\n", higher_is_better=True)) == 2


@parametrize("form", "wide", "long", "runs")
@parametrize("sizes", (14, 12), (9, 9), (14, 12, 8))
def test_samples_that_nothing_pairs_are_compared_by_tests_for_independent_samples(
    form: str, sizes: tuple[int, ...], tmp_path: Path
) -> None:
    groups = {name: np.round(RNG.normal(70, 8, size)) for name, size in zip("ABC", sizes)}
    if form != "wide":
        runs = {"run": np.concatenate([np.arange(size) + 1 for size in sizes])} if form == "runs" else {}
        text = csv_text({"model": np.repeat([*groups], sizes), **runs, "accuracy": np.concatenate([*groups.values()])})
    else:
        text = csv_text({name: [*group, *[""] * (max(sizes) - len(group))] for name, group in groups.items()})
    equal = form == "runs" and len({*sizes}) == 1
    desk = answered(
        text, "The lines are runs with different seeds, numbered by run" if equal else "Nothing pairs the scores: they are independent runs"
    )
    assert {name: [*column] for name, column in desk.columns.items()} == {name: [*group] for name, group in groups.items()}
    assert "WelchT" in desk.comparison.candidates
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    if len(sizes) == 2:
        reading = desk.comparison.settings["reading"]
        welch = fstats.desk(text, reading=reading, test="WelchT").test
        assert float(welch.pvalue) == float(fstats.WelchT(*groups.values()).pvalue)


@parametrize("named", True, False)
@parametrize("count", 2, 10)
def test_folds_of_several_repetitions_are_told_apart(named: bool, count: int, tmp_path: Path) -> None:
    """The tests of five times two folds are offered; a numbering that starts anew is asked about."""
    repetitions = 5 if count == 2 else 3
    scores = np.round(RNG.normal(0.8, 0.02, (repetitions * count, 2)), 3)
    cells = {"fold": [*range(1, count + 1)] * repetitions, "A": scores[:, 0], "B": scores[:, 1]}
    text = csv_text({"repetition": np.repeat(range(repetitions), count), **cells} if named else cells)
    desk = answered(text) if named else answered(text, "The folds are repeated with other splits")
    assert desk.comparison.counted.startswith(f"{repetitions * count} splits")
    assert desk.results.test_train_ratio == 1 / (count - 1)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    tests = ["FiveByTwoT", "CombinedFiveByTwoF"] * (count == 2)
    assert desk.comparison.candidates == [*tests, "CorrectedResampledT"]
    for name in tests:
        found = fstats.desk(text, test=name, reading=desk.comparison.settings["reading"])
        direct = getattr(fstats, name)((scores[:, 0] - scores[:, 1]).reshape(5, 2))
        assert float(found.test.pvalue) == pytest.approx(float(direct.pvalue))
        assert run_script(found.comparison, tmp_path) == " ".join(str(found.report).split())


def test_columns_of_turned_and_tracked_tables_have_roles() -> None:
    turned = csv_text({"model": NAMES, **dict(zip(SETS, SCORES.tolist(), strict=True))})
    assert [column["role"] for column in fstats.desk(turned, reading={"turned": True}).view["columns"]] == [
        "classifier",
        *["data set"] * 12,
    ]
    heads = ("params.dataset", "params.model", "metrics.accuracy")
    tracked = csv_text(dict(zip(heads, (np.repeat(SETS, 3), NAMES * 12, SCORES.ravel().tolist()), strict=True)))
    assert [column["role"] for column in fstats.desk(tracked).view["columns"]] == ["data set", "classifier", "scores"]


def test_sentences_about_one_data_set_name_no_number_for_it() -> None:
    text = csv_text({"fold": [*range(1, 11)] * 2, "A": RNG.uniform(0.7, 0.8, 20).round(3), "B": RNG.uniform(0.7, 0.8, 20).round(3)})
    desk = answered(text, "Average the repeated lines")
    assert "The average of repeated lines was used." in desk.report.text
    halves = fstats.desk(csv_text({"repetition": np.repeat(range(3), 2), "fold": [1, 2] * 3, "A": SCORES[:6, 0], "B": SCORES[:6, 1]}))
    assert "with as many training records as test records, as in 2-fold" in " ".join(halves.threats)


@parametrize("right, wrong", ("True", "False"), (1, 0))
def test_headings_say_that_the_cells_are_right_or_wrong_answers(right: object, wrong: object) -> None:
    answers = {f"correct_{name}": np.where(RNG.random(60) < 0.7, right, wrong) for name in NAMES}
    assert fstats.desk(csv_text({"question": range(60), **answers})).test.reject in (True, False)


@pytest.mark.every_case
@pytest.mark.parametrize("word", ["repeat", "Repetición", "Wiederholung", "répétition", "ripetizione", "repetição"])
def test_repetitions_have_names_in_many_languages(word: str) -> None:
    """Folds of repetitions are not taken for the folds of one cross-validation."""
    rows = "".join(f"{i};{j};0.{50 + 7 * i + j};0.{50 + 6 * i + 2 * j}\n" for i in range(5) for j in range(5))
    assert fstats.Results.from_csv(f"{word};fold;ours;base\n{rows}").reading.columns[word].role == "repetition"


BESIDE_ANSWERS = {
    **{name: ["law", "art", "bio"] for name in ("category", "class", "language", "source", "notes", "annotator", "benchmark", "city")},
    "difficulty": ["easy", "hard"],
    "date": ["2024-01-01", "2024-01-02"],
    "split": ["test"],
    "length": [12, 40, 33],
    "year": [2020, 2021],
}
ZEROS_AND_ONES = {name: (np.array(predicted) == np.array(TRUTH)).astype(int) for name, predicted in zip(("gpt", "llama"), PREDICTED)}


@pytest.mark.parametrize("name", BESIDE_ANSWERS)
def test_columns_beside_answers_in_zeros_and_ones_do_not_count(name: str, tmp_path: Path) -> None:
    cells = [BESIDE_ANSWERS[name][k % len(BESIDE_ANSWERS[name])] for k in range(60)]
    text = csv_text({"question": [f"q{k}" for k in range(60)], name: cells, **ZEROS_AND_ONES})
    for roles in ({}, dict.fromkeys(ZEROS_AND_ONES, "prediction"), {name: "ignore"}):
        desk = fstats.desk(text, roles=roles)
        assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("name", "level", "tokens", "category")
def test_whole_numbers_beside_answers_are_asked_about(name: str) -> None:
    cells = {"question": [f"q{k}" for k in range(60)], name: [k % 5 for k in range(60)], **ZEROS_AND_ONES}
    text = csv_text(cells)
    answers = [answer["roles"] for answer in fstats.desk(text).view["question"]["answers"]]
    assert answers[0 if name != "category" else 1].items() >= dict.fromkeys(ZEROS_AND_ONES, "prediction").items()
    desk = fstats.desk(text, roles=answers[0 if name != "category" else 1])
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, *PREDICTED).pvalue)


def test_settings_in_zeros_and_ones_are_no_answers() -> None:
    text = csv_text({"data set": SETS, **{name: SCORES[:, k] for k, name in enumerate(NAMES)}, "binary": [0, 1] * 6, "tuned": [1, 0] * 6})
    assert fstats.desk(text).comparison.records is None
    whole = csv_text(
        {"data set": SETS, "a": range(70, 82), "b": [*range(60, 66), *range(80, 86)], "binary": [0, 1] * 6, "tuned": [1, 0] * 6}
    )
    answers = fstats.desk(whole).view["question"]["answers"]
    assert fstats.desk(whole, roles=answers[1]["roles"], reading={"higher_is_better": True}).classifiers == ("a", "b")


def test_questions_in_columns_are_no_true_classes() -> None:
    text = csv_text({"model": [*ZEROS_AND_ONES], **{f"q{k}": [int(column[k]) for column in ZEROS_AND_ONES.values()] for k in range(60)}})
    assert "Write a line for each question" in fstats.desk(text).view["error"]


@parametrize("name", "run_name", "run_id", "run", "replicate", "trial", "execution", "rerun")
@parametrize("shared", True, False)
def test_runs_are_paired_only_after_the_user_says_so(name: str, shared: bool) -> None:
    """Names that differ between the classifiers pair nothing."""
    cells = {name: [f"{'' if shared else model}n-{k}" for model in "ab" for k in range(5)], "model": np.repeat([*"ab"], 5)}
    text = csv_text(cells | {"accuracy": SCORES[:10, 0]})
    assert [answer["reading"] for answer in fstats.desk(text).view["question"]["answers"]] == [{"seed": name}, {"repetition": name}]
    alone = fstats.desk(text, reading={"seed": name}, test="RankSum").test
    assert float(alone.pvalue) == float(fstats.RankSum(SCORES[:5, 0], SCORES[5:10, 0]).pvalue)
    paired = fstats.desk(text, reading={"repetition": name, "test_train_ratio": "1/4"}).test
    expected = fstats.CorrectedResampledT(SCORES[:5, 0] - SCORES[5:10, 0], test_train_ratio=1 / 4)
    assert float(paired.pvalue) == pytest.approx(float(expected.pvalue))


@parametrize("start", "", "f", "fold", "run")
def test_numbered_columns_of_a_turned_table_are_asked_about(start: str) -> None:
    text = csv_text({"model": [*"ab"], **{f"{start}{k + 1}": SCORES[k, :2] for k in range(10)}})
    answers = fstats.desk(text, reading={"turned": True}).view["question"]["answers"]
    seeds = [{"seed": "data set"}] * (start == "run")
    assert [answer["reading"] for answer in answers] == [{"fold": "data set"}, *seeds, {"data_set": "data set"}]
    assert fstats.desk(text, reading={"turned": True, "data_set": "data set"}).comparison.counted == "10 data sets"


@parametrize("percentiles", None, [0.1, 0.9], [0.025, 0.975])
def test_statistics_of_scores_are_no_scores(percentiles: list[float] | None) -> None:
    described = pd.DataFrame(SCORES, columns=NAMES).describe(percentiles=percentiles)
    assert "got only statistics of scores (count, mean, std, min," in fstats.desk(described.to_csv()).view["error"].replace("Got", "got")
    shares = csv_text({"share": ["10%", "25%", "50%"], **{name: SCORES[:3, k] for k, name in enumerate(NAMES)}})
    assert fstats.desk(shares, reading={"higher_is_better": True, "data_set": "share"}).comparison.counted == "3 data sets"


def caption(text: str, heads: tuple[str, ...] = ("x", "y", "z")) -> Desk:
    """A comparison of scores that are mostly above a half, below a caption."""
    return fstats.desk(f"{text}\n" + wide(SCORES, heads))


@pytest.mark.parametrize(
    "text",
    [
        *("Training time in seconds", "Run time [s]", "Memory (GB)", "KL divergence of five models", "False alarm rate", "Latency"),
        *("Wrong predictions (%)", "Loss of accuracy"),
    ],
)
def test_a_caption_or_a_file_that_names_a_cost_is_asked_about(text: str, tmp_path: Path) -> None:
    file = tmp_path / f"{text.lower().replace(' ', '_')}.csv"
    file.write_text(wide(SCORES, ["x", "y", "z"]), encoding="utf-8")
    for desk in (caption(text), fstats.desk(file)):
        answers = [answer["label"] for answer in desk.view["question"]["answers"]]
        assert answers == ["Lower is better", "Higher is better"]
    with pytest.warns(UserWarning, match="speaks of costs or errors"):
        assert fstats.Results.from_csv(file).higher_is_better


@pytest.mark.parametrize(
    "text", ["Je kleiner, desto besser", "menor es mejor", "Plus petit est meilleur", "Best (lowest) values in bold", "↓"]
)
def test_a_caption_states_the_direction(text: str) -> None:
    desk = caption(text) if text != "↓" else fstats.desk(wide(SCORES, ["x ↓", "y ↓", "z ↓"]))
    assert desk.results.higher_is_better is False
    assert desk.direction.endswith("as the table says.")
    assert "assumed" not in str(desk.report)


@parametrize(
    "text", "Robustness to error", "No loss of information", "Time series classification", "Real-time systems", "Best (highest) in bold"
)
def test_captions_that_name_no_loss(text: str) -> None:
    assert caption(text).results.higher_is_better is True


@parametrize("name", "no-loss", "terror", "errors_and_accuracies", "time_series", "no_error")
def test_names_of_files_that_name_no_loss(name: str, tmp_path: Path) -> None:
    (file := tmp_path / f"{name}.csv").write_text(wide(SCORES, ["x", "y", "z"]), encoding="utf-8")
    assert fstats.desk(file).results.higher_is_better is True


@parametrize(
    "name", "TER", "minDCF", "LPIPS", "bpc", "pinball", "Davies-Bouldin", "risk", "Fehlklassifikationsrate", "fout", "błąd", "hata"
)
def test_losses_have_names_in_many_languages(name: str) -> None:
    long = csv_text({"data set": np.repeat(SETS, 3), "model": NAMES * 12, name: SCORES.ravel()})
    assert fstats.Results.from_csv(long).higher_is_better is False


@parametrize("form", "**{}**", "{}*", "\\textbf{{{}}}")
@parametrize("lowest", True, False)
def test_marks_of_the_lowest_scores_are_asked_about(form: str, lowest: bool) -> None:
    """Marks that say what is best must not contradict the assumed direction in silence."""
    scores = SCORES + np.arange(3) / 1000
    ranks = (scores if lowest else -scores).argsort(1).argsort(1) + 1
    cells = [[form.format(f"{x:.4f}") if r == 1 else f"{x:.4f}" for x, r in zip(*line)] for line in zip(scores, ranks)]
    view = fstats.desk(csv_text({"data set": SETS, **{name: [line[k] for line in cells] for k, name in enumerate("xyz")}})).view
    assert ("question" in view) is lowest
    if lowest:
        assert [answer["label"] for answer in view["question"]["answers"]] == ["Lower is better", "Higher is better"]


@parametrize("lowest", True, False)
def test_ranks_in_brackets_say_the_direction(lowest: bool) -> None:
    scores = SCORES + np.arange(3) / 1000
    ranks = (scores if lowest else -scores).argsort(1).argsort(1) + 1
    cells = {name: [f"{100 * x:.2f} ({r})" for x, r in zip(scores[:, k], ranks[:, k])] for k, name in enumerate("xyz")}
    desk = fstats.desk(csv_text({"data set": SETS, **cells}))
    assert desk.results.higher_is_better is not lowest
    assert desk.comparison.direction == f"Read as: {'lower' if lowest else 'higher'} score is better, as the table says."


def test_a_seed_that_is_the_same_on_all_lines_is_not_asked_about() -> None:
    folds = {"fold": range(1, 11), "seed": [42] * 10, "a": SCORES[:10, 0], "b": SCORES[:10, 1]}
    assert fstats.desk(csv_text(folds)).comparison.problem is None


def test_five_by_two_sorted_by_fold_has_its_test() -> None:
    outer, fold = [*range(1, 6)] * 2, [1] * 5 + [2] * 5
    scores = {"a": SCORES[:10, 0], "b": SCORES[:10, 1]}
    for head in ("repetition", "experiment"):
        desk = fstats.desk(csv_text({head: outer, "fold": fold, **scores}))
        assert type(desk.test).__name__ == "FiveByTwoT"
        assert desk.results.folds[0][:3] == ("1, 1", "1, 2", "2, 1")
        assert desk.results.fold_scores[0, 0, :2].tolist() == [SCORES[0, 0], SCORES[5, 0]]


def test_coverage_is_not_compared_if_there_is_an_accuracy() -> None:
    rows = {"data set": np.repeat(SETS, 3), "model": NAMES * 12, "coverage": 0.9 + SCORES.ravel() / 10, "accuracy": SCORES.ravel()}
    assert fstats.desk(csv_text(rows)).results.metric == "accuracy"


def test_folds_with_errors_name_the_metric(tmp_path: Path) -> None:
    folds = {"fold": range(1, 11), "tree error": np.round(1 - SCORES[:10, 0], 3), "bayes error": np.round(1 - SCORES[:10, 1], 3)}
    desk = fstats.desk(csv_text(folds))
    for text in (str(desk.report), desk.code, desk.comparison.conclusion):
        assert "The metric is error (lower is better)." in text
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize("metric", "miss rate", "loss rate", "bits per byte", "error of fit")
def test_a_metric_of_several_words_ends_all_headings(metric: str) -> None:
    desk = fstats.desk(wide(SCORES, [f"{name} {metric}" for name in "xyz"]))
    assert (desk.results.metric, desk.results.higher_is_better, desk.classifiers) == (metric, False, ("x", "y", "z"))


def test_a_role_of_two_columns_with_one_heading_is_asked_about() -> None:
    text = "id,class,svm,svm\n" + "".join(f"{k},{k % 2},{k % 3 % 2},{k % 2}\n" for k in range(12))
    for role in ("true class", "prediction", "family"):
        view = asked(Desk(), key="k", name="table.csv", text=text, settings={"roles": {"svm": role}})
        assert "has several columns 'svm'. Give each column its own heading" in view["error"], role
