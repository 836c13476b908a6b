"""Cells and columns of another kind than the scores around them: percents, settings, spreads in brackets, stars of significance."""

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import Results

RNG = np.random.default_rng(3)
SCORES = np.round(RNG.uniform(0.65, 0.75, (12, 1)) + np.array([0, 0.03, 0.06]) + RNG.normal(0, 0.01, (12, 3)), 3)
SETS, NAMES = [f"set {chr(97 + row)}" for row in range(12)], ["A", "B", "C"]


def wide(cell):
    """A table of the texts of cells."""
    return "\n".join(["dataset,A,B,C", *(",".join([SETS[i], *(cell(i, j) for j in range(3))]) for i in range(12))])


@parametrize(
    "percent", [(i, j) for i in range(12) for j in range(3) if (i + j) % 3], [(i, 0) for i in range(12)], [(4, j) for j in range(3)]
)
def test_a_percent_sign_beside_proportions_states_the_unit(percent):
    results = Results.from_csv(wide(lambda i, j: f"{100 * SCORES[i, j]:.1f}%" if (i, j) in percent else f"{SCORES[i, j]}"))
    assert results.scores == pytest.approx(SCORES)
    assert any("became proportions, as the other scores are" in note for note in results.reading.notes)


@parametrize("sign", "%", "")
def test_percents_beside_percents_stay(sign):
    results = Results.from_csv(wide(lambda i, j: f"{100 * SCORES[i, j]:.1f}{'%' if j else sign}"))
    assert results.scores == pytest.approx(100 * SCORES)


@parametrize("heading, values", ("noise", (0, 0.1, 0.2)), ("label fraction", (0.05, 0.5)), ("epsilon", (0.1, 1, 8)), ("dropout", (0, 0.25)))
@pytest.mark.filterwarnings("ignore:.*differ only by a number")
@pytest.mark.parametrize("stated", [{}, {"repeated": "average"}])
def test_a_column_of_settings_is_no_classifier(heading, values, stated):
    lines = [f"{SETS[i]},{value},{','.join(f'{x - value / 50:.3f}' for x in SCORES[i])}" for i in range(8) for value in values]
    text = "\n".join([f"dataset,{heading},A,B,C", *lines])
    assert_raises(lambda: Results.from_csv(text, **stated), f"each data set has several lines, which differ in '{heading}'")
    answers = ({"where": {heading: str(values[0])}}, {"data_set": ["dataset", heading]}, {"fold": heading})
    for answer in (*answers, {"ignore": heading, "repeated": "average"}):
        assert Results.from_csv(text, **answer).classifiers == ("A", "B", "C")


@parametrize("form, spread", ("{}(12)", "0.012"), ("{}(4)", "0.004"), ("{} (12)", None), ("{}(0.013)", "0.013"), ("{} ± 0.02", "0.02"))
def test_digits_in_brackets_are_the_last_digits_of_a_score(form, spread):
    desk = fstats.desk(wide(lambda i, j: form.format(f"{SCORES[i, j]:.3f}")), reading={"cells": "mean"})
    (line,) = [line for line in desk.files["table.tex"].decode().splitlines() if line.startswith("set a")]
    assert line.count(r"\pm") == (3 if spread else 0)
    assert spread is None or rf"\pm {float(spread):.3f}" in line


def test_stars_of_significance_and_a_geometric_mean_are_left_out():
    lines = [f"{SETS[i]},{','.join(map(str, SCORES[i]))},{'*' * (i % 3)}" for i in range(12)]
    desk = fstats.desk("\n".join(["dataset,A,B,C,sig.", *lines, "Geo. mean,0.7,0.71,0.75,"]))
    assert (desk.results.classifiers, len(desk.results.data_sets)) == (("A", "B", "C"), 12)
    assert "left out" not in str(desk.report)


@parametrize("metrics", ["acc"], ["acc", "f1", "auc"])
def test_a_failed_run_counts_once_however_many_metrics_it_lacks(metrics):
    runs = [(i, j, seed) for i in range(12) for j in range(3) for seed in range(3) if (i, j, seed) not in ((2, 1, 1), (2, 0, 2))]
    lines = [",".join([SETS[i], NAMES[j], str(seed), *[f"{SCORES[i, j] + seed / 1000:.3f}"] * len(metrics)]) for i, j, seed in runs]
    text = "\n".join([",".join(["dataset", "model", "seed", *metrics]), *lines])
    desk = fstats.desk(text, reading={"missing": "average"})
    assert "without 2 missing scores (set c)" in str(desk.report)


def test_repeated_lines_of_one_unnamed_data_set_are_the_lines_of_each_classifier():
    lines = [f"{name},{seed},{SCORES[seed, j]}" for seed in range(3) for j, name in enumerate(NAMES) for _ in range(2)]
    results = Results.from_csv("\n".join(["model,fold,accuracy", *lines]), repeated="average")
    assert results.reading.changes == ("The average of repeated lines was used.",)
