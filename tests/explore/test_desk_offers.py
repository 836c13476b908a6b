"""Tables of strangers: each offered button leads to a result, counts name the call that fits, and known words ask nothing."""

from __future__ import annotations

import numpy as np
import pytest
from test_desk import asked, csv_text
from test_desk_questions import answered, labels

import fstats
from fstats.comparing.results.cell_numbers import plain_number
from fstats.explore.results_desk.desk import Desk

RNG = np.random.default_rng(5)
QUESTIONS = [f"q{k}" for k in range(40)]
RIGHT = [(RNG.random(40) < share).astype(int) for share in (0.8, 0.5)]
MIDP = float(fstats.McNemarMidP.from_predictions([1] * 40, *RIGHT).pvalue)
SETS = [f"set {chr(97 + k)}" for k in range(10)]
SCORES = np.round(RNG.uniform(0.6, 0.8, (10, 1)) + np.array([0, 0.05, 0.02]) + RNG.normal(0, 0.02, (10, 3)), 3)
OLD, NEW = [65, 70, 66, 72, 69, 64, 71], [71, 75, 80, 68, 77, 74, 79, 72]


def words(answers: np.ndarray, right: str, wrong: str) -> list[str]:
    """The answers of a classifier as words."""
    return [right if answer else wrong for answer in answers]


def lines(title: str, heads: list[str], rows: object) -> str:
    """A table with tabs below a title."""
    body = ["\t".join([name, *map(str, row)]) for name, row in zip(SETS, rows, strict=True)]  # type: ignore[call-overload]
    return "\n".join([title] * bool(title) + ["\t".join(["data set", *heads]), *body]) + "\n"


# -- right and wrong answers ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("right", "wrong"), [("yes", "no"), ("True", "False"), ("ja", "nein")])
@pytest.mark.parametrize("other", ["category", "difficulty"])
def test_the_word_for_a_right_answer_is_an_answer_beside_other_columns(right: str, wrong: str, other: str) -> None:
    text = csv_text(
        {"question": QUESTIONS, other: ["a", "b", "c", "d"] * 10}
        | {"gpt": words(RIGHT[0], right, wrong), "llama": words(RIGHT[1], right, wrong)}
    )
    pressed = [f"Each {right} is a right answer"] * (other == "category")  # which may name the true classes
    assert float(answered(text, *pressed).test.pvalue) == pytest.approx(MIDP)


@pytest.mark.parametrize("heading", ["question", "prompt_id", "task", "id", "item", "Frage"])
@pytest.mark.parametrize("first", [0, 1])
def test_numbered_questions_of_a_long_table_are_no_predictions(heading: str, first: int) -> None:
    numbers = [*range(first, 40 + first)]
    text = csv_text({heading: numbers * 2, "model": np.repeat(["gpt", "llama"], 40), "correct": np.concatenate(RIGHT).tolist()})
    assert float(Desk(text).test.pvalue) == pytest.approx(MIDP)


@pytest.mark.parametrize("pair", [("1", "0"), ("yes", "no"), ("right", "wrong")])
@pytest.mark.parametrize("heads", ["{}_answer {}_correct", "answer {}|{} correct", "{}_response {}_solved"])
def test_answers_beside_columns_that_say_whether_they_are_right(pair: tuple[str, str], heads: str) -> None:
    columns = {"question": QUESTIONS}
    for name, answers in zip(("gpt", "llama"), RIGHT, strict=True):
        answer, correct = (part.format(name) for part in heads.split("|" if "|" in heads else " "))
        columns |= {answer: RNG.choice([*"ABCD"], 40).tolist(), correct: words(answers, *pair)}
    desk = Desk(csv_text(columns))
    assert float(desk.test.pvalue) == pytest.approx(MIDP)
    assert desk.comparison.classifiers == ("gpt", "llama")


COUNTS = {
    "right and wrong": "model,right,wrong\nRF,160,40\nSVM,70,30\n",
    "correct and errors": "classifier,correct,errors\nRF,160,40\nSVM,70,30\n",
    "correct and total": "model,correct,total\nRF,160,200\nSVM,70,100\n",
    "turned": "outcome,RF,SVM\nright,160,70\nwrong,40,30\n",
    "fractions": "model,score\nRF,160/200\nSVM,70/100\n",
    "long": "model,outcome,count\nRF,right,160\nRF,wrong,40\nSVM,right,70\nSVM,wrong,30\n",
}


@pytest.mark.parametrize("kind", COUNTS)
def test_numbers_of_right_answers_name_the_test_of_two_proportions(kind: str) -> None:
    assert "test of two proportions" in asked(Desk(), key="k", name="table.csv", text=COUNTS[kind])["error"]
    with pytest.raises(ValueError, match="numbers of right answers") as error:
        fstats.Results.from_csv(COUNTS[kind])
    call = str(error.value).partition("Write ")[2].removesuffix(" for different records")
    assert eval(call).pvalue == fstats.DifferenceOfProportions(160, 70, 200, 100).pvalue


def test_a_confusion_matrix_is_no_comparison() -> None:
    for text in ("true,pred cat,pred dog\ncat,50,3\ndog,7,40\n", "Predicted,yes,no\nActual yes,50,10\nActual no,5,100\n"):
        assert "confusion matrix" in asked(Desk(), key="k", name="table.csv", text=text)["error"]
    assert not Desk("data set,right,wrong\niris,0.9,0.8\nwine,0.8,0.7\nglass,0.7,0.6\n").comparison.records


# -- runs -----------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("heading", ["Name", "ID"])
def test_names_of_runs_can_be_left_out(heading: str) -> None:
    table = {
        heading: [f"r{k}" for k in range(10)],
        "model": ["a"] * 5 + ["b"] * 5,
        "seed": [*range(5)] * 2,
        "val_acc": SCORES[:, 0].tolist(),
    }
    text, seeds = csv_text(table), "The lines are runs with different seeds, numbered by seed"
    assert (
        answered(text, f"Leave out {heading}: it names the runs", seeds).comparison.counted == "5 runs with different seeds on one data set"
    )


@pytest.mark.parametrize("heading", ["group", "condition", "Arm"])
@pytest.mark.parametrize("pair", [("old", "new"), ("RF", "SVM")])
@pytest.mark.parametrize("score", ["score", "val_acc", "points"])
def test_two_groups_in_a_long_table_are_compared_as_independent_runs(heading: str, pair: tuple[str, str], score: str) -> None:
    text = csv_text({heading: [pair[0]] * len(OLD) + [pair[1]] * len(NEW), score: OLD + NEW})
    presses = [f"The column {heading} names the classifiers"] * (f"The column {heading} names the classifiers" in labels(text))
    desk = answered(text, *presses, "Nothing pairs the scores: they are independent runs")
    desk = (
        desk
        if desk.comparison.question is None
        else Desk(text, reading={"classifier": heading, "seed": "line", "missing": "keep", "higher_is_better": True})
    )
    assert float(desk.test.pvalue) == pytest.approx(float(fstats.RankSum(OLD, NEW).pvalue))


def test_runs_of_two_classifiers_may_be_of_different_number() -> None:
    text = csv_text({"model": ["old"] * 7 + ["new"] * 8, "seed": [*range(7), *range(8)], "val_acc": [x / 100 for x in OLD + NEW]})
    desk = answered(text, "Nothing pairs the scores: they are independent runs")
    assert float(desk.test.pvalue) == pytest.approx(float(fstats.RankSum(OLD, NEW).pvalue))


# -- lines and cells --------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "tail", ["Best\t6\t4", "Winner\tRF\t", "t-test\t\t0.001", "Paired t-test\t\t0.001", "Improvement\t\t-2.1%", "Wilcoxon p\t\t.01"]
)
@pytest.mark.parametrize("title", ["", "Accuracy (bold: best)"])
def test_last_lines_that_summarize_are_no_data_sets(tail: str, title: str) -> None:
    text = lines(title, ["RF", "SVM"], SCORES[:, :2])
    assert float(Desk(f"{text}{tail}\n").test.pvalue) == float(Desk(text).test.pvalue)


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("12.3×10^-3", 0.0123),
        ("12.3 x 10^{-3}", 0.0123),
        (r"$1.2\times10^{3}$", 1200),
        ("2·10⁻³", 0.002),
        ("1,20,406", 120406),
        ("12,34,567.5", 1234567.5),
    ],
)
def test_numbers_in_scientific_and_indian_notation(cell: str, number: float) -> None:
    assert plain_number(cell) in (number, None)
    text = lines("", ["a rmse", "b rmse"], [[f'"{cell}"' if "," in cell else cell, 1.1 * number + k / 7] for k in range(10)])
    assert fstats.Results.from_csv(text).scores[0, 0] == pytest.approx(number)


@pytest.mark.parametrize("heads", [["Precision-tuned", "Recall-tuned"], ["F1-optimized", "AUC-optimized"]])
def test_metrics_in_the_names_of_classifiers_can_be_compared(heads: list[str]) -> None:
    desk = answered(lines("", heads, SCORES[:, :2]), f"Compare {heads[0]} and {heads[1]} as classifiers")
    assert float(desk.test.pvalue) == float(Desk(lines("", ["a", "b"], SCORES[:, :2])).test.pvalue)


# -- needless questions -----------------------------------------------------------------------------------------------------------------
RANKS = (-SCORES).argsort(1).argsort(1) + 1


@pytest.mark.parametrize(
    ("title", "heads"),
    [("Ranks of the classifiers (1 = best)", ["A", "B", "C"]), ("Ranking", ["A", "B", "C"]), ("", ["A rank", "B rank", "C rank"])],
)
def test_ranks_that_a_heading_or_a_caption_names_ask_nothing(title: str, heads: list[str]) -> None:
    desk = Desk(lines(title, heads, RANKS))
    assert (desk.results.metric, desk.results.higher_is_better) == ("rank", False)
    assert int(np.argmin(desk.results.mean_ranks)) == 1
    assert labels(lines(f"{title} (3 = best)".replace("(1 = best) ", ""), ["A", "B", "C"], RANKS))  # the other direction is asked for


@pytest.mark.parametrize(
    ("title", "cell", "told"),
    [
        ("", "{:.3f} ({:d})", "rank"),
        ("Accuracy, rank in brackets", "{:.3f} ({:d})", "rank"),
        ("", "{:.3f} [{:d}]", "rank"),
        ("", "{0:.3f} [{2:.3f}, {3:.3f}]", "interval"),
        ("", "{0:.3f} ({2:.3f}-{3:.3f})", "interval"),
        ("Accuracy (standard deviation in brackets)", "{0:.3f} ({4:.3f})", "spread"),
        ("Accuracy (SD)", "{0:.3f} ({4:.3f})", "spread"),
    ],
)
@pytest.mark.parametrize("count", [2, 3])
def test_what_stands_in_brackets_is_told_by_its_numbers_or_by_the_caption(title: str, cell: str, told: str, count: int) -> None:
    ranks = (-SCORES[:, :count]).argsort(1).argsort(1) + 1
    rows = [
        [cell.format(x, r, x - 0.02, x + 0.02, 0.011) for x, r in zip(*line, strict=True)]
        for line in zip(SCORES[:, :count], ranks, strict=True)
    ]
    text = lines(title, ["A", "B", "C"][:count], rows)
    if told == "rank" and count == 2 and not title:
        assert labels(text) == ["Read the number before the brackets"]  # two ranks may be counts
        return
    assert any(told in note for note in Desk(text).view["notes"])
    assert Desk(text).results.scores.tolist() == SCORES[:, :count].tolist()


@pytest.mark.parametrize("heading", ["key", "answer", "correct_answer", "Correct answer", "solution", "Lösung", "answer key"])
def test_answer_keys_are_true_classes(heading: str) -> None:
    key, letters = RNG.integers(0, 4, 40), np.array([*"ABCD"])
    answers = [letters[np.where(right, key, (key + k) % 4)] for k, right in enumerate(RIGHT, 1)]
    text = csv_text({"question": QUESTIONS, heading: letters[key], "gpt": answers[0], "llama": answers[1]})
    assert float(Desk(text).test.pvalue) == pytest.approx(MIDP)


@pytest.mark.parametrize("loss", ["quantile loss", "focal loss", "pinball loss"])
def test_one_loss_in_all_headings_is_the_metric(loss: str) -> None:
    results = Desk(lines("", [f"ours {loss}", f"base {loss}"], SCORES[:, :2])).results
    assert (results.metric, results.higher_is_better) == (loss if loss == "pinball loss" else "loss", False)
    assert labels(lines("", ["focal loss", "hinge loss"], SCORES[:, :2]))  # different losses may name the classifiers


def test_lines_that_are_runs_may_have_seeds() -> None:
    text = csv_text({"name": [f"run {k}" for k in range(10)], "rf": SCORES[:, 0].tolist(), "svm": SCORES[:, 1].tolist()})
    desk = answered(text, "The lines are runs with different seeds, numbered by name")
    assert float(desk.test.pvalue) == pytest.approx(float(fstats.RankSum(SCORES[:, 0], SCORES[:, 1]).pvalue))


@pytest.mark.parametrize("heading", ["user", "subject_id", "speaker"])
def test_a_user_beside_the_data_set_is_not_what_the_lines_are(heading: str) -> None:
    rows = [(d, m, f) for d in SETS for f in range(3) for m in "ab" if (d, m, f) != ("set c", "a", 1)]
    scores = RNG.uniform(0.6, 0.8, len(rows)).round(3).tolist()
    table = {"data set": [d for d, _, _ in rows], "model": [m for _, m, _ in rows], "fold": [f for *_, f in rows], "acc": scores}
    assert "Leave out the data sets with missing scores" in labels(csv_text({heading: ["kim"] * len(rows), **table}))
