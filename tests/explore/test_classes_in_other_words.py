"""Predictions in other words than the true classes are compared as numbers, or asked about; they are never wrong in silence."""

from pathlib import Path

import numpy as np
import pytest
from shortcuts import parametrize
from test_desk import csv_text, run_script
from test_desk_questions import answered, labels

import fstats

RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 3, 80)
FIRST, SECOND = (np.where(RNG.random(80) < share, TRUTH, (TRUTH + 1) % 3) for share in (0.9, 0.75))
TWO = TRUTH < 2  # the records of the first two classes


def table(truth: str, first: str, second: str, head: str = "label") -> str:
    """A table of two or three classes, whose words are given for the truth and for each classifier."""
    used = np.ones(80, dtype=bool) if len(truth.split("|")) == 3 else TWO & (FIRST < 2) & (SECOND < 2)
    columns = {head: (truth, TRUTH), "cnn": (first, FIRST), "rf": (second, SECOND)}
    cells = {name: np.array(words.split("|"))[codes[used]] for name, (words, codes) in columns.items()}
    return csv_text({"id": range(int(used.sum())), **cells})


def expected(classes: int) -> float:
    """p-value of the same predictions as codes."""
    used = np.ones(80, dtype=bool) if classes == 3 else TWO & (FIRST < 2) & (SECOND < 2)
    return float(fstats.McNemarMidP.from_predictions(TRUTH[used], FIRST[used], SECOND[used]).pvalue)


@parametrize(
    "truth, first, second",
    ("0|1|2", "0.0|1.0|2.0", "0|1|2"),
    ("0.0|1.0", "0|1", "0|1"),
    ("0|1", "0|1", "0.0|1.0"),
)
def test_equal_numbers_are_the_same_class(truth: str, first: str, second: str, tmp_path: Path) -> None:
    desk = answered(table(truth, first, second))
    assert float(desk.test.pvalue) == pytest.approx(expected(len(truth.split("|"))))
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())


@parametrize(
    "truth, first, second, buttons",
    ("ham|spam", "0|1", "0|1", "0 = ham and 1 = spam/0 = spam and 1 = ham/answer is right"),
    ("no|yes", "0|1", "0|1", "0 = no and 1 = yes/0 = yes and 1 = no/answer is right"),
    ("False|True", "0|1", "0|1", "0 = False and 1 = True/0 = True and 1 = False/answer is right"),
    ("0|1", "no|yes", "no|yes", "no = 0 and yes = 1/no = 1 and yes = 0/answer is right"),
    ("0|1", "-1|1", "0|1", "-1 = 0/Leave out cnn"),
    ("0|1", "False|True", "0|1", "False = 0 and True = 1/False = 1 and True = 0/Leave out cnn"),
    ("cat|dog|fox", "0|1|2", "cat|dog|fox", "0 = cat, 1 = dog and 2 = fox/Leave out cnn"),
    ("negative|neutral|positive", "neg|neu|pos", "negative|neutral|positive", "neg = negative, neu = neutral and pos = positive/Leave out"),
    ("A|B|C", "(A)|b.|The answer is C", "A|B|C", "mean the same/different things"),
    ("A|B|C", "A|B)|C", "Answer: A|B|C", "mean the same/different things"),
    ("10|20|30", "10|**20**|30.", "10|20|The answer is 30", "mean the same/different things"),
)
def test_other_words_for_classes_are_asked_about(truth: str, first: str, second: str, buttons: str, tmp_path: Path) -> None:
    text = table(truth, first, second)
    found = labels(text)
    assert [words in label for words, label in zip(buttons.split("/"), found, strict=True)] == [True] * len(found), found
    desk = answered(text, found[0])
    assert desk.comparison.classifiers == ("cnn", "rf")
    assert float(desk.test.pvalue) == pytest.approx(expected(len(truth.split("|"))))
    assert run_script(desk.comparison, tmp_path) == " ".join(str(desk.report).split())
    for label in found[1:]:
        other = answered(text, label)
        assert "question" in other.view or float(other.test.pvalue) != float(desk.test.pvalue) or other.columns != desk.columns


def test_codes_that_are_shifted_are_not_wrong_in_silence() -> None:
    view = answered(table("1|2|3", "0|1|2", "0|1|2")).view
    assert "'cnn', 'rf' (0, 1, 2) must be words of the true class 'label' (1, 2, 3)" in view["question"]["text"]
    assert labels(table("1|2|3", "0|1|2", "1|2|3")) == ["Leave out cnn"]


def test_right_and_wrong_answers_beside_a_topic_stay_answers() -> None:
    answers = {name: (RNG.random(60) < 0.8).astype(int) for name in ("cnn", "rf")}
    desk = answered(csv_text({"id": range(60), "category": ["law", "math"] * 30, **answers}))
    assert [*map(list, desk.columns.values())] == [cells.tolist() for cells in answers.values()]


def test_numbers_of_classes_beside_their_names_are_no_classifier() -> None:
    text = table("cat|dog|fox", "cat|dog|fox", "cat|dog|fox").split("\n")
    codes = {"label_id": ["cat", "dog", "fox"]}
    lines = [text[0] + ",label_id", *(f"{line},{codes['label_id'].index(line.split(',')[1])}" for line in text[1:] if line)]
    assert answered("\n".join(lines) + "\n").comparison.classifiers == ("cnn", "rf")


def test_qid_names_the_record() -> None:
    lines = [f'{{"qid": "q{k // 2}", "model": "{"ab"[k % 2]}", "correct": {str(k % 3 > 0).lower()}}}' for k in range(60)]
    assert answered("\n".join(lines)).comparison.counted == "30 records"


@parametrize("group, counter, size, start", ("patient_id", "slice", 5, 0), ("dialog", "turn", 2, 0), ("dialog_id", "turn", 4, 1))
@parametrize("truth", "gold", "")
def test_a_counter_within_groups_is_no_classifier(group: str, counter: str, size: int, start: int, truth: str) -> None:
    gold = RNG.integers(0, 2, 60)
    columns = {group: [f"g{k // size}" for k in range(60)], counter: [start + k % size for k in range(60)]}
    columns |= {truth: gold} if truth else {}
    text = csv_text(columns | {name: np.where(RNG.random(60) < 0.8, gold if truth else 1, 1 - gold if truth else 0) for name in "AB"})
    assert labels(text)[0] == f"Lines with the same {group} belong to one record"
    for label, test in zip(labels(text), ("ClusteredDifference", "McNemarMidP"), strict=True):
        desk = answered(text, label)
        assert (desk.comparison.classifiers, type(desk.test).__name__) == (("A", "B"), test)
