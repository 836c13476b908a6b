"""Ranks, summaries, line numbers and lines without names in tables of scores are left out or asked about, never compared in silence."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises

import fstats
from fstats import Results
from fstats.comparing.results.reading_question import ReadingQuestion

NAMES = ["NaiveBayes", "C4.5", "1-NN", "SVM", "Ours"]
SETS = ["adult", "balance", "breast", "credit", "glass", "heart", "sonar", "wine"]
SCORES = np.random.default_rng(5).uniform(60, 95, (8, 5)).round(1)
LARGER, EQUAL = ((SCORES[:, None] > SCORES[:, :, None]).sum(2), (SCORES[:, None] == SCORES[:, :, None]).sum(2))
RANKS, LOWEST = LARGER + (EQUAL + 1) / 2, LARGER + 1.0  # ties get their mean rank, or their lowest rank as in spreadsheets
pytestmark = pytest.mark.filterwarnings("ignore:.*print.results.reading")


def text_of(*, heads=(), cells=(), foot=(), first=("Dataset", *SETS), separator="\t"):
    """Return a table of SCORES as text, with further columns and further lines at the foot."""
    lines = [[first[0], *NAMES, *heads]]
    lines += [[name, *map(str, row), *more] for name, row, more in zip(first[1:], SCORES, zip(*cells) if cells else [()] * 8)]
    return "\n".join(separator.join(line) for line in [*lines, *foot]) + "\n"


def assert_scores(results):
    assert (list(results.classifiers), results.data_sets) == (NAMES, tuple(SETS))
    assert results.scores.tolist() == SCORES.tolist()


# -- line numbers ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("percent", ["", " %"])
@pytest.mark.parametrize("separator", ["\t", ";", ","])
@pytest.mark.parametrize("number", ["#", "# Nr", "#id", "##"])
def test_a_first_heading_that_begins_like_a_comment(number, separator, percent):
    lines = [[number, "Dataset", *NAMES]] + [
        [str(k + 1), name, *(f"{x}{percent}" for x in row)] for k, (name, row) in enumerate(zip(SETS, SCORES))
    ]
    table = "\n".join(separator.join(line) for line in lines) + "\n"
    assert_scores(Results.from_csv(table))
    assert_scores(Results.from_csv(f"# ten-fold cross-validation, one seed\n{table}"))


@pytest.mark.parametrize("comment", ["# one, two, three, four, five, six", "# Table; 2", "#", "% a, b"])
def test_a_comment_above_the_headings_is_a_comment(comment):
    results = Results.from_csv(f"{comment}\n{text_of(separator=',')}")
    assert_scores(results)
    assert "A line of comment above the headings holds no scores." in results.notes


# -- columns of ranks --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("heading", ["Rank (Ours)", "Rank of Ours", "Ours rank", "Our rank", "Rang (Ours)", "Rang Ours", "Pos.", "Platz"])
@pytest.mark.parametrize("form", ["{:.1f}", "{:g}", "{:.2f}"])
def test_a_column_of_ranks_is_left_out_with_a_note(heading, form):
    for ranks in (RANKS[:, 4], 6 - RANKS[:, 4], LOWEST[:, 4], RANKS[:, 0], LOWEST[:, 3]):
        results = Results.from_csv(text_of(heads=[heading], cells=[[form.format(rank) for rank in ranks]]))
        assert_scores(results)
        assert any(f"The column {heading!r} was ignored" in doubt for doubt in results.reading.doubts)


@pytest.mark.parametrize("heading", ["Rank (Ours)", "avg. rank svm", "Rang SVM", "mittl. Rang SVM", "Durchschnittsrang SVM", "svm_rank"])
@pytest.mark.parametrize("cells", [[1.4, 2.3, 4.2, 1.0, 3.3, 2.2, 1.7, 3.9], [2, 12, 7, 1, 3, 9, 2, 5], [1.5, 2, 9, 1, 4, 2.5, 8, 3]])
def test_a_column_that_may_hold_ranks_is_asked_about(heading, cells):
    text = text_of(heads=[heading], cells=[map(str, cells)])
    assert_raises(lambda: Results.from_csv(text), "ranks, not scores|no classifier", ReadingQuestion)
    assert_scores(Results.from_csv(text, ignore=heading))
    assert Results.from_csv(text, scores=[*NAMES, heading]).classifiers[-1] == heading


@pytest.mark.parametrize("heading", ["Rank-SVM", "LambdaRank", "RankBoost", "low-rank SVM"])
def test_a_classifier_with_rank_in_its_name_is_compared(heading):
    cells = SCORES[:, 0] + 0.1 * np.arange(8)
    results = Results.from_csv(text_of(heads=[heading], cells=[map("{:.1f}".format, cells)]))
    assert results.classifiers == (*NAMES, heading)


@pytest.mark.parametrize("heading", ["Rank", "Rang", "rank", "Rk", "Rank {}", "{} rank", "Rang ({})"])
def test_ranks_after_each_classifier_are_left_out(heading):
    lines = [["Dataset", *(head for name in NAMES for head in (name, heading.format(name)))]]
    lines += [[name, *(f"{x:g}" for pair in zip(*rows) for x in pair)] for name, *rows in zip(SETS, SCORES, RANKS)]
    text = "\n".join(map(";".join, lines)) + "\n"
    assert_scores(Results.from_csv(text))
    if "{" not in heading:
        assert_scores(Results.from_csv(text, ignore=heading))


def test_repeated_headings_can_be_ignored():
    lines = [["Dataset", *(head for name in NAMES for head in (name, "folds run"))]]
    lines += [[name, *(f"{x:g}" for score in row for x in (score, 10))] for name, row in zip(SETS, SCORES)]
    text = "\n".join(map(";".join, lines)) + "\n"
    with pytest.raises(ReadingQuestion, match="got 'folds run' more than once") as asked:
        Results.from_csv(text)
    ((answer, _),) = asked.value.answers
    assert_scores(Results.from_csv(text, **answer))


@pytest.mark.parametrize(("heading", "cells"), [("note", "xyzuvwst"), ("n", range(110, 190, 10)), ("", RANKS[:, 2]), ("R", RANKS[:, 4])])
def test_repeated_headings_of_columns_that_are_left_out_are_no_error(heading, cells):
    results = Results.from_csv(text_of(heads=[heading] * 2, cells=[[str(cell) for cell in cells]] * 2))
    assert_scores(results)
    assert "were ignored" in " ".join(results.reading.doubts)


@pytest.mark.parametrize("heading", ["Rank", "Rang", "std"])
def test_a_first_line_of_whole_scores_is_no_second_line_of_headings(heading):
    scores = SCORES.round().astype(int)
    lines = [["Dataset", *(head for name in NAMES for head in (name, heading))]]
    lines += [[name, *(f"{x:g}" for pair in zip(row, ranks) for x in pair)] for name, row, ranks in zip(SETS, scores, RANKS)]
    results = Results.from_csv("\n".join(map(",".join, lines)) + "\n")
    assert results.data_sets == tuple(SETS)
    assert results.scores.tolist() == scores.tolist()


@pytest.mark.parametrize("heading", ["acc", "SVM", "note"])
def test_repeated_headings_of_columns_that_would_be_compared_are_an_error(heading):
    cells = [["a", *"bcdefgh"] if heading == "note" else map(str, SCORES[:, 0]), map(str, SCORES[:, 1])]
    assert_raises(lambda: Results.from_csv(text_of(heads=[heading] * 2, cells=cells)), f"got '{heading}' more than once", ReadingQuestion)


# -- lines at the foot -------------------------------------------------------------------------------------------------------
def foot_line(name, values, form="{:.2f}"):
    return [name, *map(form.format, values)]


RANK_NAMES = ["Mittlerer Rang", "mittl. Rang", "Durchschnittsrang", "Rang moyen", "Ø Rang", "Rango medio", "Gj.snittsrang", "平均排名", "Σ"]
MEAN_NAMES = ["Ø", "Moyenne", "Promedio", "Media", "Durchschnitt", "Gjennomsnitt", "Średnia", "平均", "all", "∅", ""]


@pytest.mark.parametrize("name", RANK_NAMES)
@pytest.mark.parametrize("digits", [1, 2, 3])
def test_a_last_line_of_mean_ranks_is_left_out(name, digits):
    for ranks in (RANKS, 6 - RANKS, LOWEST):
        results = Results.from_csv(text_of(foot=[foot_line(name, ranks.mean(0), f"{{:.{digits}f}}")]))
        assert_scores(results)
        assert repr(name) in " ".join(results.reading.doubts)


@pytest.mark.parametrize("name", MEAN_NAMES)
@pytest.mark.parametrize("values", [SCORES.mean(0), np.median(SCORES, 0), SCORES.sum(0), SCORES.std(0), SCORES.std(0, ddof=1)])
def test_a_last_line_that_is_computed_is_left_out_whatever_its_name(name, values):
    assert_scores(Results.from_csv(text_of(foot=[foot_line(name, values)])))


@pytest.mark.parametrize("names", [*zip(MEAN_NAMES, RANK_NAMES, strict=False)])
def test_several_last_lines_that_are_computed_are_left_out(names):
    lines = [foot_line(names[0], SCORES.mean(0), "{:.1f}"), foot_line("Abw.", SCORES.std(0)), foot_line(names[1], RANKS.mean(0))]
    places = foot_line("Platz", RANKS.mean(0).argsort().argsort() + 1, "{:.0f}")
    for foot in (lines, lines[::-1], [lines[0], lines[2], places], [*lines, foot_line("Siege", (RANKS == 1).sum(0), "{:.0f}")]):
        results = Results.from_csv(text_of(foot=foot))
        assert_scores(results)
        assert all(repr(line[0]) in " ".join(results.reading.doubts) for line in foot)


@pytest.mark.parametrize("name", ["p-value vs Ours", "p value", "p-Wert", "valeur p"])
def test_a_last_line_of_p_values_is_left_out(name):
    assert_scores(Results.from_csv(text_of(foot=[[name, "0.0001", "0.002", "0.004", "0.169", "-"]])))


@pytest.mark.parametrize("name", ["Ø", "Snitt", "Moyenne", "", "9"])
def test_a_last_line_of_means_is_no_fold(name):
    text = text_of(first=("fold", *map(str, range(1, 9))), foot=[foot_line(name, SCORES.mean(0), "{:.1f}")])
    assert len(Results.from_csv(text).folds[0]) == 8


def test_mean_ranks_from_scores_before_they_were_rounded_are_left_out():
    ranks = RANKS.mean(0) + np.array([0.5, -0.5, 0.25, -0.25, 0])
    assert_scores(Results.from_csv(text_of(foot=[foot_line("Rang moyen", ranks)])))
    assert_scores(Results.from_csv(text_of(foot=[foot_line("Ordnung", ranks)])))


@pytest.mark.parametrize("line", [SCORES.mean(0) + 0.4 * np.arange(5), SCORES.min(0) - 1, [99.9] * 5, np.full(5, 2.0)])
def test_a_last_data_set_is_compared(line):
    assert Results.from_csv(text_of(foot=[foot_line("zoo", line, "{:.1f}")])).data_sets == (*SETS, "zoo")


# -- lines without names of data sets ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", ["", "Unnamed: 0", "index", "id", "ID", "#", "Nr.", "No", None])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("columns", [2, 5])
def test_lines_without_names_of_data_sets_are_asked_about(first, start, columns):
    lines = [[*([first] * (first is not None)), *NAMES[:columns]]]
    lines += [[*([str(k)] * (first is not None)), *map(str, row[:columns])] for k, row in enumerate(SCORES, start)]
    text = "\n".join(map(",".join, lines)) + "\n"
    with pytest.raises(ReadingQuestion, match="nothing says what the 8 lines are") as asked:
        Results.from_csv(text)
    (sets, for_sets), (folds, for_folds), (runs, _) = asked.value.answers
    assert Results.from_csv(text, **runs).seed_scores.ravel().tolist() == SCORES[:, :columns].T.ravel().tolist()
    assert (for_sets, for_folds) == ("if each line is a data set", "if each line is a fold of one data set")
    results = Results.from_csv(text, **sets)
    assert (len(results.data_sets), list(results.classifiers)) == (8, NAMES[:columns])
    assert results.scores.tolist() == SCORES[:, :columns].tolist()
    results = Results.from_csv(text, **folds)
    assert (len(results.data_sets), len(results.folds[0]), list(results.classifiers)) == (1, 8, NAMES[:columns])
    assert results.fold_scores.ravel().tolist() == SCORES[:, :columns].T.ravel().tolist()


@pytest.mark.parametrize("first", ["i", "k", "nn", "case"])
@pytest.mark.parametrize("scores", [SCORES, SCORES.round()])
def test_a_first_column_that_numbers_lines_is_no_classifier(first, scores):
    text = "\n".join([f"{first},A,B", *(f"{k},{a:g},{b:g}" for k, (a, b) in enumerate(scores[:, :2], 1))]) + "\n"
    assert_raises(lambda: Results.from_csv(text), "nothing says what the 8 lines are", ReadingQuestion)
    assert Results.from_csv(text, fold="line").classifiers == ("A", "B")


@pytest.mark.parametrize("first", ["dataset", "Datensatz", "task_id", "did"])
def test_numbers_of_data_sets_are_names_if_their_heading_says_so(first):
    numbers = list(map(str, range(1, 9)))
    assert Results.from_csv(text_of(first=(first, *numbers))).data_sets == tuple(numbers)


def test_scores_in_code_need_no_names_of_data_sets():
    for table in (pd.DataFrame(SCORES, columns=NAMES), SCORES):
        assert Results(table).scores.tolist() == SCORES.tolist()


def test_a_test_that_is_named_reads_lines_as_data_sets_with_a_warning():
    text = text_of(first=("", *map(str, range(8))))
    with pytest.warns(UserWarning, match="No column names the data sets"):
        test = fstats.apply_test(fstats.Friedman, text)
    assert test.pvalue == fstats.Friedman(Results(SCORES)).pvalue
    assert "No column names the data sets" in str(fstats.report(test))


def test_the_desk_asks_what_lines_without_names_are():
    text = "\n".join([",RF,XGB", *(f"{k},{a},{b}" for k, (a, b) in enumerate(SCORES[:, :2]))]) + "\n"
    asked = fstats.desk(text)
    answers = asked.view["question"]["answers"]
    assert [answer["label"] for answer in answers] == [
        *("Each line is a data set", "Each line is a fold of one data set", "Nothing pairs the scores: they are independent runs")
    ]
    assert [answer["reading"] for answer in answers] == [{"data_set": "line"}, {"fold": "line"}, {"seed": "line"}]
    assert fstats.desk(text, reading={"fold": "line"}).kind == "folds"
    sets = fstats.desk(text, reading={"data_set": "line"})
    assert (sets.kind, [threat for threat in sets.threats if "folds" in threat]) == ("data sets", [])


DRAWN = np.random.default_rng(1).normal([80, 82, 85, 79], 5, (8, 4)).round(2)


def with_column(heading, numbers):
    """A table of four classifiers on eight data sets, with one more column."""
    lines = [f"data set,A,B,C,D,{heading}"]
    return "\n".join(lines + [",".join([f"d{i}", *map(str, row), f"{x:.2f}"]) for i, (row, x) in enumerate(zip(DRAWN, numbers))])


@pytest.mark.parametrize("heading", ["Desv. típica", "St. dev.", "Standard deviation", "Écart-type", "X"])
@pytest.mark.parametrize("summary", [lambda x: x.std(1, ddof=1), lambda x: x.std(1), lambda x: x.var(1, ddof=1), lambda x: np.median(x, 1)])
def test_spreads_and_medians_of_the_others_are_no_classifier(heading, summary):
    assert Results.from_csv(io.StringIO(with_column(heading, summary(DRAWN)))).classifiers == ("A", "B", "C", "D")


def test_numbers_far_below_all_others_are_asked_about():
    table = with_column("DE", np.linspace(0.9, 6, 8))
    with pytest.raises(ReadingQuestion, match=r"far below all numbers of the other columns.* Write ignore='DE' to leave the column out"):
        Results.from_csv(io.StringIO(table))
    assert Results.from_csv(io.StringIO(table), scores=["A", "B", "C", "D", "DE"]).scores.shape == (8, 5)


@pytest.mark.parametrize("sign", [1, -1])
def test_ranks_in_brackets_are_no_spreads(sign):
    ranks = (sign * DRAWN).argsort(1).argsort(1) + 1
    lines = [",".join([f"d{i}", *(f"{x} ({r})" for x, r in zip(*row))]) for i, row in enumerate(zip(DRAWN, ranks))]
    results = Results.from_csv(io.StringIO("\n".join(["data set,A,B,C,D", *lines])))
    assert np.array_equal(results.scores, DRAWN)
    assert r"\pm" not in results.to_latex()
    assert "the second is the rank of the first" in " ".join(results.reading.notes)
