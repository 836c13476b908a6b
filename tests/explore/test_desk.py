"""The desk: each table gives a view and never an exception; its numbers are those of the library's own calls, and of its script."""

from __future__ import annotations

import contextlib
import csv
import gc
import io
import json
import re
import runpy
import subprocess
import sys
import tomllib
import warnings
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest
from scipy.stats import binomtest
from shortcuts import assert_raises, parametrize

import fstats
from fstats.cli import main
from fstats.comparing.results.column_names import metric_to_compare
from fstats.comparing.results.reading_question import ANSWERING, ReadingQuestion
from fstats.core.number_format import format_plain
from fstats.explore.results_desk.comparison import Comparison
from fstats.explore.results_desk.desk import Desk
from fstats.explore.results_desk.question_buttons import POLICIES, WORDS
from fstats.explore.results_desk.table_facts import ROLES
from fstats.explore.results_desk.table_reading import example_names
from fstats.publish.desk_page import MAX_REQUEST, serve_desk

ROOT = Path(__file__).parents[2]
TABLES = tomllib.loads((ROOT / "tests/comparing/tables.toml").read_text(encoding="utf-8"))
NOISE = np.random.default_rng(5)
SCORES = np.round(NOISE.uniform(0.6, 0.8, (12, 1)) + np.array([0, 0.01, 0.06, 0.09]) + NOISE.normal(0, 0.02, (12, 4)), 3)
NAMES = ["tree", "knn", "svm", "forest"]


def csv_text(columns: dict[str, object]) -> str:
    """A table of these columns."""
    lines = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, line)) for line in lines)]) + "\n"


def wide(scores: np.ndarray = SCORES, names: list[str] = NAMES) -> str:
    """A row for each data set."""
    return csv_text({"data set": [f"set {chr(97 + i)}" for i in range(len(scores))], **dict(zip(names, scores.T.tolist()))})


def asked(desk: Desk, **request: object) -> dict[str, object]:
    """What the desk shows after a request of its front end, which travels as JSON."""
    desk.request = json.loads(json.dumps({"number": desk.view["number"] + 1, "width": 560, **request}))
    view: dict[str, object] = json.loads(json.dumps(desk.view))
    assert view["number"] == desk.request["number"]
    return view


# -- any table --------------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore:.*print.results.reading")
def test_each_table_gives_a_view_and_each_button_another(name: str) -> None:
    desk, table = Desk(), TABLES[name]
    view = asked(desk, key="k", name="table.csv", text=table["text"])
    shown = {part for part in ("error", "question", "conclusions") if view.get(part)}
    assert len(shown) == 1
    if "ask" in table and table.get("answer"):
        assert "question" in shown or "y_true" in table["text"] or "fill in gaps" in view["error"]
        reads = [answer["reading"] for answer in view["question"]["answers"]] if "question" in shown else []
        for reading in reads[:2]:
            changed = asked(desk, key="k", name="table.csv", settings={"reading": reading})
            assert any(changed.get(part) for part in ("error", "question", "conclusions"))
            assert changed != view
    if "conclusions" in shown and not view["settings"]:
        results = fstats.Results.from_csv(table["text"]) if desk.comparison.records is None else None
        assert results is None or desk.results.scores.tolist() == results[metric_to_compare(results.metrics)].scores.tolist()


@pytest.mark.filterwarnings("ignore:.*print.results.reading")
def test_tables_of_strangers_have_the_numbers_of_the_library(data_folder: Path) -> None:
    files = sorted((data_folder.parent / "strangers").glob("[0-9]*"))
    if not files:
        pytest.skip("the tables of strangers do not lie beside the data sets")
    compared = 0
    for file in files:
        view = asked(desk := Desk(), key="k", name=file.name, data=b64encode(file.read_bytes()).decode())
        if "question" in view:
            view = asked(desk, key="k", settings={"reading": view["question"]["answers"][-1]["reading"]})
        assert "conclusions" in view or "question" in view, file
        if "conclusions" in view:
            results = fstats.Results.from_csv(file, **desk.comparison.reading)
            friedman = fstats.Friedman(
                results[metric_to_compare(results.metrics)], method="exact" if desk.comparison.is_exact else "chi-squared"
            )
            assert asked(desk, key="k", settings={**view["settings"], "test": "Friedman"})["conclusions"]
            assert (float(desk.test.pvalue), desk.test.mean_ranks.tolist()) == (float(friedman.pvalue), friedman.mean_ranks.tolist())
            compared += 1
    assert compared >= 15


@parametrize(
    "content, words",
    (b"", "must have a line of headings"),
    (b"\x00\x01\x02" * 50, "binary data"),
    (b"%PDF-1.7", "a PDF"),
    (b"dataset,a,b\nx,1,2\n", "one score of each classifier on one data set"),
    (b"dataset,a\nx,1\ny,2\n", "at least two classifiers"),
    (b"dataset,a,b\nx,1\n", "2 cells below 3 headings"),
)
def test_a_broken_file_is_a_sentence(content: bytes, words: str) -> None:
    view = asked(desk := Desk(), key="k", name="../../scores.csv", data=b64encode(content).decode())
    assert words in view["error"]
    assert "conclusions" not in view
    assert asked(desk, key="l", example=example_names()[0])["error"] == ""


def test_what_a_link_may_hold_does_not_break_the_page() -> None:
    for settings in ({"alpha": 7}, {"alpha": "x"}, {"reading": {"wrong": 1}}, {"roles": {"no such": "fold"}}, {"answers": {"aim": "?"}}):
        desk = Desk()
        asked(desk, key="k", text=wide())
        assert asked(desk, key="k", settings=settings)["error"]
    assert asked(desk, key="k", settings={"unknown": 1, "test": "NoTest"})["conclusions"]
    assert asked(desk, key="other", settings={})["needs"]  # Python has no such table, so the front end sends it again


# -- kinds of results ---------------------------------------------------------------------------------------------------------------
RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 2, 120)
ANSWERED = {name: np.where(RNG.random(120) < share, TRUTH, 1 - TRUTH) for name, share in (("a", 0.8), ("b", 0.7), ("c", 0.6))}
GRADED = {name: np.round(np.clip(TRUTH * 0.3 + RNG.random(120) * share, 0, 1), 4) for name, share in (("a", 0.6), ("b", 0.9))}
RIGHT = {name: (answers == TRUTH).astype(int) for name, answers in ANSWERED.items()}
RUNS = RNG.normal(0.8, 0.02, (2, 8)).round(4)
FOLDS = RNG.normal(0.8, 0.02, (3, 5)).round(4)
KINDS = {
    "two": (wide(SCORES[:, :2], NAMES[:2]), {}, lambda: fstats.SignedRank(*SCORES[:, :2].T)),
    "many": (wide(), {"alpha": 0.01}, lambda: fstats.ImanDavenport(SCORES, alpha=0.01)),
    "normal": (wide(), {"answers": {"normal": "yes"}}, lambda: fstats.RepeatedAnova(SCORES)),
    "losses": (wide(1 - SCORES), {"reading": {"metric": "loss"}}, lambda: fstats.ImanDavenport(1 - SCORES, higher_is_better=False)),
    "equivalent": (
        wide(SCORES[:, :2]),
        {"answers": {"aim": "equivalence"}, "margin": 0.1},
        lambda: fstats.EquivalenceSignedRank(*SCORES[:, :2].T, margin=0.1),
    ),
    "unpaired": (wide(), {"answers": {"paired": "no", "normal": "yes"}}, lambda: fstats.OneWayAnova(SCORES)),
    "unpaired two": (wide(SCORES[:, :2]), {"answers": {"paired": "no"}}, lambda: fstats.RankSum(*SCORES[:, :2].T)),
    "few classes": (
        csv_text({"y_true": TRUTH, **{k: ANSWERED[k] for k in "ab"}}),
        {},
        lambda: fstats.McNemarMidP.from_predictions(TRUTH, ANSWERED["a"], ANSWERED["b"]),
    ),
    "several": (csv_text({"record": range(120), "truth": TRUTH, **ANSWERED}), {}, lambda: fstats.CochranQ(np.transpose([*RIGHT.values()]))),
    "families": (
        csv_text({"question": [f"q{k}" for k in range(120)], "passage": [f"p{k // 4}" for k in range(120)], **{k: RIGHT[k] for k in "ab"}}),
        {},
        lambda: fstats.ClusteredDifference(RIGHT["a"], RIGHT["b"], np.arange(120) // 4),
    ),
    "rankings": (csv_text({"label": TRUTH, **GRADED}), {}, lambda: fstats.DeLong(TRUTH, *GRADED.values())),
    "folds": (
        csv_text({"fold": range(1, 6), "a": FOLDS[0], "b": FOLDS[1]}),
        {},
        lambda: fstats.CorrectedResampledT(FOLDS[0] - FOLDS[1], 1 / 4),
    ),
    "runs": (
        csv_text({"seed": range(1, 9), "a": RUNS[0], "b": RUNS[1]}),
        {"answers": {"normal": "yes"}, "reading": {"seed": "seed"}},
        lambda: fstats.WelchT(*RUNS),
    ),
    "pairs": (
        csv_text({"fold": range(1, 6), "a": FOLDS[0], "b": FOLDS[1], "c": FOLDS[2]}),
        {},
        lambda: fstats.Holm.from_pvalues(
            [fstats.CorrectedResampledT(FOLDS[i] - FOLDS[j], 1 / 4).pvalue for i, j in ((0, 1), (0, 2), (1, 2))]
        ),
    ),
}


def run_script(comparison: Comparison, folder: Path) -> str:
    """What the script of a comparison prints in an empty folder with the table."""
    for name in ("comparison.py", comparison.sheet.name):
        (folder / name).write_bytes(comparison.files[name])
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), warnings.catch_warnings(action="ignore"):
        runpy.run_path("comparison.py", run_name="__main__")
    return " ".join(printed.getvalue().split())


def test_a_script_runs_in_a_new_process(tmp_path: Path) -> None:
    comparison = fstats.desk(example_names()[0]).comparison
    printed = run_script(comparison, tmp_path)
    done = subprocess.run(
        [sys.executable, "comparison.py"], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert " ".join(done.stdout.split()) == printed


@pytest.mark.every_case
@pytest.mark.parametrize("kind", KINDS)
def test_the_test_is_that_of_the_library_and_of_the_script(kind: str, tmp_path: Path) -> None:
    text, settings, by_hand = KINDS[kind]
    desk, wanted = fstats.desk(text, **settings), by_hand()
    assert type(desk.test) is type(wanted)
    for step in ("pvalue", "statistic", "adjusted"):
        if step in type(wanted).steps:
            assert np.asarray(getattr(desk.test, step)).tolist() == pytest.approx(np.asarray(getattr(wanted, step)).tolist(), rel=1e-12)
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())
    assert len(desk.code.splitlines()) <= 13
    view = asked(desk, key="", settings=settings)
    assert len(view["pictures"]) >= 1
    assert all(word in view["steps"] for word in ("worked steps", "<math"))


@pytest.mark.every_case
@pytest.mark.parametrize("name", example_names())
def test_examples_compute_what_their_scripts_print(name: str, tmp_path: Path) -> None:
    desk = fstats.desk(name)
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())
    files = {file: asked(desk, key="", file=file)["file"]["data"] for file in desk.files}
    starts = {"figure.pdf": b"%PDF", "figure.png": b"\x89PNG", "figure.svg": b"<?xml", "numbers.csv": b"test,step,index,value\n"}
    assert {file: b64decode(files[file])[: len(start)] for file, start in starts.items()} == starts
    numbers = csv.reader(b64decode(files["numbers.csv"]).decode().splitlines())
    (pvalue,) = [float(value) for test, step, _, value in numbers if (test, step) == (type(desk.test).__name__, "pvalue")]
    assert pvalue == float(desk.test.pvalue)


def test_after_a_rejected_hypothesis() -> None:
    desk = fstats.desk(wide(), rope=0.02)
    assert bool(desk.test.reject)
    assert desk.follow_up.adjusted.tolist() == fstats.Holm.from_test(fstats.Pairwise(SCORES)).adjusted.tolist()
    assert desk.bayesian.estimates.tolist() == fstats.BradleyTerry(SCORES, rope=0.02).estimates.tolist()
    assert [picture.text.split()[0] for picture in desk.pictures] == ["Critical", "Null", "Expected"]
    desk.set(follow_up="Nemenyi", rope=None)
    assert (type(desk.follow_up), desk.bayesian) == (fstats.Nemenyi, None)
    many = wide(np.tile(SCORES, 6), [f"{name}{'x' * k}" for k in range(6) for name in NAMES])
    assert [fstats.desk(many, **given).comparison.follow_ups[0] for given in ({}, {"follow_up": "Holm"})] == ["Nemenyi", "Holm"]


def test_equivalent_pairs_are_called_equivalent_and_not_different(tmp_path: Path) -> None:
    near = SCORES[:, [0]] + np.array([0, 0.001, 0.2]) + NOISE.normal(0, 0.001, (12, 3))
    desk = fstats.desk(wide(near, NAMES[:3]), answers={"aim": "equivalence"}, margin=0.02)
    by_hand = {(NAMES[i], NAMES[j]): fstats.EquivalenceSignedRank(near[:, i], near[:, j], margin=0.02) for i, j in ((0, 1), (0, 2), (1, 2))}
    assert [bool(test.reject) for test in by_hand.values()] == [True, False, False]
    assert "1 of 3 tests of equivalence: tree and knn are equivalent within ±0.02." in desk.conclusion
    assert "is not evidence that they differ" in desk.conclusion
    assert "differ." not in desk.conclusion.split("Fail")[0]
    holm = fstats.Holm.from_pvalues(by_hand)
    assert (
        holm.adjusted.tolist()
        == desk.test.adjusted.tolist()
        == fstats.Holm.from_pvalues([t.pvalue for t in by_hand.values()]).adjusted.tolist()
    )
    assert "every pair at alpha = 1e-07: the data do not show equivalence within ±0.02" in holm.assuming(alpha=1e-7).conclusion
    unpaired = fstats.desk(wide(), answers={"aim": "equivalence", "paired": "no"}, margin=0.02)
    assert (
        "No test fits: Compute the interval" in unpaired.view["question"]["text"]
    )  # a rank-sum test of a difference would answer another question
    text = fstats.report(holm).text
    assert "equivalence test by ranks (variant of Caldwell (2022)) within ±0.02" in text
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())
    (picture,) = desk.pictures
    assert all(f"{first} - {second}: " in picture.text for first, second in by_hand)
    assert all(f"[{test.ci.low:.4g}, {test.ci.high:.4g}]" in picture.text for test in by_hand.values())
    assert "equivalent from -0.02 to 0.02" in picture.text
    assert (
        "the Wilcoxon rank-sum test (Wilcoxon, 1945), exact p, and Holm's procedure"
        in fstats.desk(wide(), answers={"paired": "no"}).report.text
    )


@pytest.mark.parametrize(
    ("count", "classifiers", "settings", "used", "says"),
    [
        (5, 4, {}, "Nemenyi", "for any pair of 4 classifiers on 5 data sets, whatever the scores, so the Nemenyi test compares the pairs."),
        (9, 4, {}, "Holm", ""),
        (6, 4, {"alpha": 0.2}, "Holm", ""),
        (5, 4, {"follow_up": "Holm"}, "Holm", "for any pair of 4 classifiers on 5 data sets, whatever the scores."),
        (5, 4, {"control": "knn"}, "BonferroniDunn", "whatever the scores, so the Bonferroni-Dunn test"),
        (3, 3, {"control": "knn"}, "BonferroniDunn", "so the Bonferroni-Dunn test compares the pairs."),
    ],
)
def test_a_post_hoc_test_that_can_never_reject_is_replaced_and_named(
    tmp_path: Path, count: int, classifiers: int, settings: dict[str, object], used: str, says: str
) -> None:
    """Holm's procedure needs m times 2**(1 - N), its smallest p, to reach alpha; the conclusion and the paragraph say what follows."""
    scores = np.round(0.5 + np.arange(classifiers) / 10 + NOISE.uniform(0, 0.05, (count, classifiers)), 3)
    desk = fstats.desk(wide(scores, NAMES[:classifiers]), **settings)
    assert type(desk.follow_up).__name__ == used
    m = classifiers - 1 if "control" in settings else classifiers * (classifiers - 1) // 2
    assert (m * 2 ** (1 - count) > settings.get("alpha", 0.05)) == bool(says)
    assert fstats.Holm.from_test(fstats.Pairwise(scores)).reject.any() == (used == "Holm" and not says and "alpha" not in settings)
    for shown in (" ".join(desk.view["conclusions"]), desk.report.text):
        assert says in shown
        assert ("whatever the scores" in shown) == bool(says)
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())


def test_the_ranking_counts_wins_of_each_row_against_the_best() -> None:
    """The classifier of the row, and not the best one, has won, drawn and lost so often."""
    desk = fstats.desk(wide(np.array([[0.9, 0.8], [0.7, 0.7], [0.6, 0.5], [0.4, 0.5]]), ["fox", "owl"]))
    assert (desk.ranking.heads[-1], [*desk.ranking.lines][1][-1]) == ("wins / draws / losses against fox", "1/1/2")


def test_few_data_sets_have_the_exact_p_that_the_guide_recommends(tmp_path: Path) -> None:
    desk = fstats.desk(wide(np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.7, 0.65]]), NAMES[:3]))
    assert "The exact Friedman test counts all orders" in desk.view["advice"]["why"]
    assert float(desk.test.pvalue) == pytest.approx(1 / 36)  # one of 6**2 orders of the other two data sets
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())
    broad = fstats.desk(wide(np.random.default_rng(1).random((9, 8)), [f"c{k}" for k in range(8)]))  # the exact p would take long
    assert (type(broad.test), "less conservative than Friedman's chi-squared" in broad.reason) == (fstats.ImanDavenport, True)
    chosen = fstats.desk(wide(np.random.default_rng(1).random((9, 8)), [f"c{k}" for k in range(8)]), test="Friedman")
    assert (chosen.test.method, "chi-squared approximation" in chosen.reason) == ("chi-squared", True)
    assert fstats.desk(wide(), test="Friedman").test.method == "chi-squared"


def test_the_page_describes_the_used_test_and_not_the_recommended_one() -> None:
    desk = fstats.desk(wide(), test="RepeatedAnova")
    assert (desk.view["advice"]["test"], desk.view["advice"]["name"]) == ("Repeated-measures analysis of variance", "fstats.RepeatedAnova")
    assert "recommends the Iman-Davenport test" in desk.view["advice"]["why"]
    assert "Nothing about the shape" not in " ".join(desk.threats)
    assert "The repeated-measures analysis of variance assumes: Residuals are roughly normal" in " ".join(desk.threats)
    assert "assumes" not in " ".join(fstats.desk(wide()).threats)  # the Iman-Davenport test assumes nothing about the shape
    assert "Warning" not in desk.view["advice"]["why"]
    for unpaired in ("RankSum", "OneWayAnova"):
        desk.set(test=unpaired)
        assert "Warning: the Wilcoxon rank-sum test takes" in desk.view["advice"]["why"] or unpaired == "OneWayAnova"
        assert f"Warning: {unpaired} takes" in desk.comparison.design_warning
        assert desk.threats[0].startswith(f"Warning: {unpaired} takes")


@pytest.mark.parametrize("name", [*KINDS, *example_names()])
def test_words_of_the_page_are_names_of_the_field_and_not_of_classes(name: str) -> None:
    text, settings, _ = KINDS.get(name, (name, {}, None))
    view = fstats.desk(text, rope=0.02 if "data" in name else None, **settings).view
    shown = [view["advice"][part] for part in ("test", "why", "report")] + view["advice"]["not"] + view["threats"] + view["conclusions"]
    shown += [words for control in view["controls"] for _, words in control["options"]] + re.findall("<summary>(.*?):", view["steps"])
    authors = {"Friedman", "Holm", "Quade", "Nemenyi", "Shaffer", "McNemar", "DeLong"}
    classes = {name for name in dir(fstats) if hasattr(getattr(fstats, name), "worked")} - authors
    assert len(shown) > 10
    assert not [words for words in shown for name in re.findall(r"\b[A-Z]\w+\b(?!\()", words) if name in classes]
    assert all(getattr(fstats, option) for control in view["controls"] if control["name"] == "test" for option, _ in control["options"])


def test_the_unit_of_a_region_of_equivalence_is_in_its_label() -> None:
    for count, unit in ((2, "± acc"), (4, "largest distance of a share of wins from 0.5")):
        numbers = fstats.desk(wide(SCORES[:, :count], NAMES[:count]), reading={"metric": "acc"}).view["numbers"]
        (label,) = [number["label"] for number in numbers if number["name"] == "rope"]
        assert unit in label


def test_averages_and_lines_left_out_are_said_with_the_reading_and_in_the_paragraph() -> None:
    long = "data set,classifier,fold,seed,acc\n" + "\n".join(
        f"set {d},{c},{f},{s},{0.6 + 0.01 * d + 0.05 * j + 0.001 * (f * 7 + s) % 0.01:.4f}"
        for d in range(8)
        for j, c in enumerate(NAMES)
        for f in range(5)
        for s in range(3)
    )
    desk = fstats.desk(long + "\n")
    assert "Each score is the mean of 5 folds and 3 seeds." in desk.view["notes"]
    assert "Each score is the mean of 5 folds and 3 seeds." in desk.report.text
    assert "Each score" not in fstats.desk(wide()).report.text
    mean = fstats.desk(wide() + "Mean," + ",".join(f"{x:.4f}" for x in SCORES.mean(0)) + "\n")
    assert any("Left out as summaries" in note for note in mean.view["notes"])


def test_facts_and_advice_are_those_of_the_table() -> None:
    few, several = fstats.desk(KINDS["folds"][0]).view, fstats.desk(wide()).view
    assert not [fact for fact in few["facts"] if "How many data are there?" in fact]
    assert few["advice"]["report"].startswith("The plan, the mean difference with its interval, t, df, p,")  # without 10 x 10-fold, df = 99
    assert "How many data are there? large: 12 data sets (10 or more are large)" in several["facts"]
    assert [fact for fact in several["facts"] if "How many classifiers? 4" in fact]
    assert "Read: 4 classifiers (tree, knn, svm, forest) on 12 data sets." in several["notes"]
    records = fstats.desk(KINDS["few classes"][0])
    (size,) = [fact for fact in records.view["facts"] if "How many data are there?" in fact]
    different = int((RIGHT["a"] != RIGHT["b"]).sum())
    assert f": {different} discordant records (25 or more are large)" in size
    for name, (text, settings, _) in KINDS.items():  # no advice for a handful of data sets, or for data that are not paired
        for test in fstats.desk(text, **settings).candidates:
            desk = fstats.desk(text, **{**settings, "test": test})
            shown = " ".join([desk.view["advice"]["why"], *desk.view["advice"]["not"], *desk.threats, *desk.view["facts"]])
            assert not re.search(r"handful|few records|fewer than 6|different data sets|data sets of its own\.", shown), (name, test)
            assert "mid-p" not in desk.view["advice"]["report"] or test in ("McNemarMidP", "CochranQ")  # whose pairs are tested by mid-p


def test_all_classifiers_are_compared_with_a_control(tmp_path: Path) -> None:
    desk = fstats.desk(wide(), control="tree")
    holm = fstats.Holm.from_test(fstats.Pairwise(desk.results, control="tree"))
    assert desk.follow_up.adjusted.tolist() == holm.adjusted.tolist()
    assert (len(desk.follow_up.pairs), run_script(desk.comparison, tmp_path)) == (3, " ".join(desk.report.text.split()))
    (menu,) = [menu for menu in desk.view["controls"] if menu["name"] == "control"]
    assert menu["options"][:2] == [["", "all pairs"], ["tree", "all others with tree"]] or menu["options"][0] == ("", "all pairs")
    desk.set(follow_up="BonferroniDunn")
    assert desk.follow_up.pvalues.tolist() == fstats.BonferroniDunn(desk.results, control="tree").pvalues.tolist()
    assert not any("must be chosen before" in threat for threat in desk.threats)
    desk.set(control="forest")
    assert any("The control forest has the best mean rank" in threat for threat in desk.threats)
    assert "Nemenyi if only the order of the scores has a meaning" in fstats.desk(wide()).view["advice"]["after"]
    for settings in ({"test": "OneWayAnova"}, {"test": "RepeatedAnova"}, {"control": "no such"}):
        other = fstats.desk(wide(), **{"control": "tree", **settings})
        assert len(other.follow_up.pairs) == (3 if settings == {"test": "RepeatedAnova"} else 6)


def test_two_classifiers_on_records_have_their_table_and_their_works() -> None:
    desk = fstats.desk(KINDS["few classes"][0])
    latex = desk.files["table.tex"].decode()
    both, only_a = int((RIGHT["a"] & RIGHT["b"]).sum()), int((RIGHT["a"] & (1 - RIGHT["b"])).sum())
    assert f"a right & {both} & {only_a} & {both + only_a} \\\\" in latex
    assert "a right" in desk.view["ranking"]
    first, second = (sum(RIGHT[name]) / 120 for name in "ab")
    ends = fstats.PairedTable(TRUTH, ANSWERED["a"], ANSWERED["b"]).difference_ci.written(format_plain)
    difference = f"difference in accuracy {first - second:.4g}, 95 % confidence interval {ends}"
    assert desk.comparison.conclusions[1] == f"Accuracy {first:.4g} of a and {second:.4g} of b, {difference}."
    assert "table.tex" not in fstats.desk(KINDS["several"][0]).files
    assert desk.view["references"] == list(desk.report.references)
    assert desk.files["references.txt"].decode() == f"{desk.report.references[0]}\n"
    assert desk.report.references[0].startswith("Fagerland, Lydersen and Laake (2013), ")


def test_pictures_of_files_have_names_of_the_field_and_diagrams_have_room_on_a_phone() -> None:
    desk = fstats.desk(wide())
    assert desk.comparison.pictures[0].title == "Mean ranks (Holm of the Wilcoxon signed-rank test, alpha = 0.05)"
    for width, of_diagram, better in ((342, 342, "↑ better"), (440, 520, "better →")):
        diagram, null = asked(desk, key="", width=width)["pictures"]
        assert (float(re.search(r'width="(\d+)"', diagram)[1]), float(re.search(r'width="(\d+)"', null)[1])) == (of_diagram, width)
        assert better in diagram


@parametrize("role, words", ("true class", "no row for each test record"), ("family", "no row for"), ("seed", "seeds are numbered"))
def test_a_role_that_does_not_fit_gives_a_sentence(role: str, words: str) -> None:
    view = fstats.desk(wide(), roles={"svm": role}).view
    assert f"The role {role!r} does not fit the column 'svm'" in view["error"]
    assert words in view["error"]
    assert "conclusions" not in view
    assert "The column 'svm' is a spread: it is not compared." in fstats.desk(wide(), roles={"svm": "spread"}).view["notes"]


def test_more_than_ten_classifiers_are_summed_up_by_the_best_group() -> None:
    scores = np.random.default_rng(2).normal(0.5, 0.05, (30, 12)) + np.r_[np.zeros(9), 0.3, 0.3, 0.34]
    desk = fstats.desk(wide(scores, [f"c{k}" for k in range(12)]), follow_up="Nemenyi")
    near = [str(pair) for pair, reject in zip(desk.follow_up.pairs, desk.follow_up.reject, strict=True) if "c11" in pair and not reject]
    assert [pair.split(" – ")[0] for pair in near] == ["c9", "c10"]
    assert "In these data c11 is the best: a difference from c11 is not shown for c9, c10." in desk.conclusion
    assert "is better than" not in desk.report.text
    ten = fstats.desk(wide(scores[:, 2:], [f"c{k}" for k in range(10)]), follow_up="Nemenyi")
    assert " better than " in ten.report.text


def test_a_wrong_setting_or_file_does_not_take_the_result_away() -> None:
    desk = Desk()
    first = asked(desk, key="k", text=wide())
    wrong = asked(desk, key="k", settings={"alpha": 5})
    assert (wrong["conclusions"], wrong["error"] != "") == (first["conclusions"], True)
    assert "former settings" in wrong["stale"]
    assert (first["files"] != [], wrong["files"]) == (True, [])  # no file of the former settings is offered as if it were of the new ones
    assert "alpha must be between" in asked(desk, key="k", settings={"alpha": 5}, file="comparison.py")["error"]
    refused = asked(desk, key="l", name="x.pdf", data=b64encode(b"%PDF-1.7").decode())
    assert (refused["refused"], refused["key"], "a PDF" in refused["error"]) == (True, "k", True)
    assert asked(desk, key="k", settings={})["conclusions"] == first["conclusions"]
    other = asked(desk, key="m", text=wide(SCORES[:, :2]), settings={"alpha": 5})
    assert "conclusions" not in other  # the former result belongs to another table


@parametrize("typed, number", ("0,1", 0.1), (" 0.1", 0.1), ("1e-2", 0.01), (",05", 0.05))
def test_a_number_is_typed_with_a_point_or_a_comma(typed: str, number: float) -> None:
    for name, others in (("alpha", {}), ("margin", {"answers": {"aim": "equivalence"}}), ("rope", {})):
        view = asked(desk := Desk(), key="k", text=wide(SCORES[:, :2]), settings={name: typed, **others})
        assert (desk.settings[name], view["settings"].get(name, 0.05), bool(view["conclusions"])) == (number, number, True)
        refused = asked(desk, key="k", settings={name: "a tenth", **others})
        assert refused["error"].startswith(f"{name} must be a number, such as 0.05 or 0,05; got 'a tenth'.")
        assert (refused["refused"], desk.settings[name]) == (True, number)
    assert_raises(lambda: fstats.desk(wide(), alpha="5 %"), "alpha must be a number, such as 0.05 or 0,05; got '5 %'")


def test_the_first_rows_of_a_large_table_come_before_the_comparison() -> None:
    desk = Desk()
    first = asked(desk, key="k", text=wide(), only_table=True)
    assert (first["only_table"], first["size"], first["rows"][0][0]) == (True, "12 rows, 5 columns", "set a")
    assert "conclusions" not in first
    assert "test" not in vars(desk.comparison)  # nothing was computed
    assert asked(desk, key="k")["conclusions"]
    asked(desk, key="l", text="a,b\nx", only_table=True)
    assert gc.isenabled()  # the reader pauses the garbage collector


def test_buttons_for_missing_scores_lead_to_a_result() -> None:
    holes = wide().replace(f"{SCORES[0, 0]},", ",", 1).replace(f"{SCORES[4, 1]},", ",", 1)
    desk = fstats.desk(holes)
    labels = [answer["label"] for answer in desk.view["question"]["answers"]]
    assert labels[0] == "Leave out the data sets with missing scores"
    assert "missing=" not in desk.view["question"]["text"]
    for answer in desk.view["question"]["answers"]:
        assert fstats.desk(holes, reading=answer["reading"]).view["conclusions"]
    stated = fstats.desk(wide(), reading={"higher_is_better": False})
    assert stated.view["direction"] == "Read as: lower score is better, as you stated."


def test_the_latex_table_has_the_decimal_places_of_the_scores() -> None:
    for scores, cell in ((np.round(100 * SCORES, 1), f"{100 * SCORES[0, 0]:.1f}$"), (SCORES + 0.0004, f"{SCORES[0, 0] + 0.0004:.4f}$")):
        assert f"${cell}" in fstats.desk(wide(scores.round(4))).files["table.tex"].decode()


def test_after_cochrans_q_the_desk_names_the_test_of_all_pairs() -> None:
    desk = fstats.desk(KINDS["several"][0])
    assert bool(desk.test.reject)
    assert any("choose McNemarMidP, which" in threat for threat in desk.threats)
    desk.set(test="McNemarMidP")
    assert len(desk.test.pairs) == 3
    desk.set(test="McNemarExact")
    assert len(desk.test.pairs) == 3
    assert "the exact McNemar test (McNemar, 1947) and Holm's procedure" in desk.report.text


# -- roles, questions, threats -------------------------------------------------------------------------------------------------------
def test_roles_of_columns_change_the_reading() -> None:
    text = csv_text({"task": list("abcdefgh"), "x": SCORES[:8, 0], "y": SCORES[:8, 1], "z": SCORES[:8, 2]})
    assert fstats.desk(text).results.classifiers == ("x", "y", "z")
    desk = fstats.desk(text, roles={"z": "ignore"})
    assert (desk.results.classifiers, desk.comparison.reading) == (("x", "y"), {"ignore": ["z"]})
    assert [column["stated"] for column in desk.view["columns"]] == ["", "", "", "ignore"]
    sized = csv_text({"data set": list("abcdefgh"), "seconds": range(20, 28), "x": SCORES[:8, 0], "y": SCORES[:8, 1]})
    assert fstats.desk(sized).results.classifiers == ("x", "y")
    assert fstats.desk(sized, roles={"seconds": "score"}, reading={"higher_is_better": True}).results.classifiers == ("seconds", "x", "y")
    one = csv_text({"task": [f"t{k}" for k in range(120)], **{k: RIGHT[k] for k in "ab"}})
    assert fstats.desk(one).comparison.kind == "records"
    assert fstats.desk(one, roles={"task": "data set"}).comparison.kind == "data sets"
    assert desk.settings["roles"] == {"z": "ignore"}
    long = csv_text({"who": ["p", "q"] * 6, "where": [c for c in "abcdef" for _ in "pq"], "n": range(12), "acc": SCORES[:, 0]})
    roles = {"who": "classifier", "where": "data set", "acc": "score", "n": "ignore"}
    assert fstats.desk(long, roles=roles).results.scores.tolist() == SCORES[:, 0].reshape(6, 2).tolist()
    assert all(role in ROLES for role in roles.values())
    predictions = csv_text({"gold standard": TRUTH, "first": ANSWERED["a"], "second": ANSWERED["b"]})
    desk = fstats.desk(predictions, roles={"gold standard": "true class", "first": "prediction", "second": "prediction"})
    assert float(desk.test.pvalue) == float(fstats.McNemarMidP.from_predictions(TRUTH, ANSWERED["a"], ANSWERED["b"]).pvalue)


def test_repeated_headings_beside_predictions() -> None:
    notes = csv_text({"id": range(120), "y_true": TRUTH, **{name: ANSWERED[name] for name in "ab"}})
    lines = [f"{line},note,note" if k == 0 else f"{line},n{k},m{k}" for k, line in enumerate(notes.splitlines())]
    assert fstats.desk("\n".join(lines) + "\n").test.pvalue == fstats.desk(notes).test.pvalue
    answers = [f"{line},b" if k == 0 else f"{line},{line[-1]}" for k, line in enumerate(notes.splitlines())]
    assert fstats.desk("\n".join(answers) + "\n").comparison.records is None  # which of the equal headings is the classifier?


def test_questions_are_raised_by_calls_and_stand_on_buttons() -> None:
    desk = fstats.desk(TABLES["model_config"]["text"])
    with pytest.raises(ReadingQuestion, match="which differ in"):
        _ = desk.test
    question = desk.view["question"]
    assert "Write" not in question["text"]
    labels = [answer["label"] for answer in question["answers"]]
    assert labels[:2] == ["Use only the lines with config = small", "Use only the lines with config = big"]
    assert labels[2:4] == ["Each combination of model and config is a classifier", "Each combination of dataset and config is a data set"]
    desk.set(reading=question["answers"][1]["reading"])
    assert desk.results.scores.tolist() == fstats.Results.from_csv(TABLES["model_config"]["text"], where={"config": "big"}).scores.tolist()
    assert {*WORDS, *POLICIES, "higher_is_better", "roles"} - {"answers"} == {*ANSWERING.pattern.split("(", 2)[1].split(")")[0].split("|")}


@pytest.mark.filterwarnings("ignore:.*print.results.reading")
@pytest.mark.parametrize("name", TABLES)
def test_questions_and_errors_hold_no_python(name: str) -> None:
    view = asked(Desk(), key="k", text=TABLES[name]["text"])
    question = view.get("question", {"text": "", "answers": [], "choice": "none"})
    assert question["answers"] or question["choice"]  # otherwise the page would ask and have no button
    for text in (view["error"], question["text"], *(answer["label"] for answer in question["answers"])):
        assert not re.search(r"\b(?!dataset)\w+=\S|=,|\w\(\)|\bimport |fstats|Results|numbered by without|pandas", text)


def test_threats_to_a_conclusion() -> None:
    few = fstats.desk(wide(SCORES[:4, :2]))
    for shown in (few.view["conclusions"][-1], few.report.text):
        assert "no outcome could have rejected" in shown
    assert any("4 data sets are few" in threat for threat in few.threats)
    ties = np.round(SCORES, 1)
    assert any(threat.startswith("Equal scores: on ") for threat in fstats.desk(wide(ties)).threats)
    numbered = csv_text({"data set": [f"run {k}" for k in range(12)], "a": SCORES[:, 0], "b": SCORES[:, 2]})
    assert any("look like numbers of folds" in threat for threat in fstats.desk(numbered, reading={"data_set": "data set"}).threats)
    d = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, -0.005])
    decided = fstats.desk(wide(np.transpose([0.5 + d, 0 * d + 0.5]), ["a", "b"]))
    assert bool(decided.test.reject)
    without = [name for k, name in enumerate(decided.results.data_sets) if not fstats.SignedRank(np.delete(d, k), 0 * d[1:]).reject]
    (sentence,) = [threat for threat in decided.threats if threat.startswith("One data set decides")]
    assert all(name in sentence for name in without[:3])
    assert not any("One data set decides" in threat for threat in fstats.desk(wide(SCORES[:, [0, 3]])).threats)


def test_a_multiverse_stands_behind_a_button() -> None:
    desk = Desk()
    view = asked(desk, key="k", text=wide(SCORES[:, :2]))
    assert view["can_multiverse"]
    assert "multiverse" not in view
    assert "PairedT" in asked(desk, key="k", multiverse=True)["multiverse"]
    assert not asked(desk, key="l", text=wide())["can_multiverse"]
    assert_raises(lambda: desk.comparison.multiverse(), "needs scores of two classifiers on several data sets")


def test_only_tests_that_answer_the_question_are_offered() -> None:
    assert "EquivalenceT" not in fstats.desk(wide(SCORES[:, :2])).candidates
    equivalence = {"answers": {"aim": "equivalence"}, "margin": 0.1}
    assert fstats.desk(wide(SCORES[:, :2]), **equivalence).candidates[:2] == ["EquivalenceSignedRank", "EquivalenceT"]
    assert "CorrectedRepeatedKFoldT" in fstats.desk(KINDS["folds"][0]).reason
    assert "families" in fstats.desk(KINDS["families"][0]).reason
    assert any("5-fold cross-validation" in threat for threat in fstats.desk(KINDS["folds"][0]).threats)


@pytest.mark.every_case
@pytest.mark.parametrize("kind", ["few classes", "several", "rankings", "folds", "pairs", "runs", "unpaired", "unpaired two"])
def test_equivalence_without_a_test_has_a_button_that_compares_an_interval_with_the_margin(kind: str, tmp_path: Path) -> None:
    text, settings, _ = KINDS[kind]
    settings = {**settings, "answers": {**settings.get("answers", {}), "aim": "equivalence"}}
    view = asked(desk := Desk(), key="k", text=text, settings=settings)
    assert view["error"].startswith("No test fits: Type the margin: the largest difference that does not matter.")
    assert "margin" in [number["name"] for number in view["numbers"]]
    for margin, verb in ((0.9, "is shown"), (1e-9, "is not shown")):
        view = asked(desk, key="k", settings={**settings, "margin": margin})
        (answer,) = view["question"]["answers"]
        assert answer["label"] == "Compare the confidence interval of the difference with the margin"
        answers = {**settings["answers"], **answer["answers"]}
        view = asked(desk, key="k", settings={**settings, "margin": margin, "answers": answers})
        pairs = len(desk.classifiers) * (len(desk.classifiers) - 1) // 2
        assert (view["error"], desk.conclusion.count(verb), desk.conclusion.count("90 % confidence interval")) == ("", 1, pairs)
        assert desk.comparison.equivalence in desk.report.text
    assert run_script(desk.comparison, tmp_path) == " ".join(desk.report.text.split())
    if kind == "few classes":
        ends = fstats.PairedTable(TRUTH, ANSWERED["a"], ANSWERED["b"], alpha=0.1).difference_ci
        assert ends.written(format_plain) in desk.comparison.equivalence
        few = csv_text({"y_true": TRUTH[:59], "a": TRUTH[:59], "b": [*TRUTH[:58], 1 - TRUTH[58]]})  # one discordant record: an exact limit
        few_desk = fstats.desk(few, margin=0.1)
        limit = binomtest(1, 59, alternative="less").proportion_ci(0.95).high
        assert f"[{-limit:.4g}, {limit:.4g}]" in few_desk.comparison.equivalence


def test_a_margin_is_asked_for() -> None:
    desk = fstats.desk(wide(SCORES[:, :2]), answers={"aim": "equivalence"})
    assert "needs a margin" in desk.view["error"]
    assert "margin" in [number["name"] for number in desk.view["numbers"]]
    desk.set(margin=0.2)
    assert (desk.view["error"], type(desk.test)) == ("", fstats.EquivalenceSignedRank)


# -- calls ------------------------------------------------------------------------------------------------------------------------
def test_sources_of_a_desk(tmp_path: Path) -> None:
    import fstats.explore

    (tmp_path / "scores.csv").write_text(wide())
    results = fstats.Results(SCORES, classifiers=NAMES, metric="loss", higher_is_better=False)
    for source in (tmp_path / "scores.csv", str(tmp_path / "scores.csv"), wide(), results.to_frame(), results):
        desk = fstats.explore.desk(source)
        assert desk.results.scores.tolist() == SCORES.tolist()
        assert isinstance(desk, Desk)
        assert isinstance(fstats.desk(), Desk)
    assert not desk.results.higher_is_better
    assert_raises(lambda: fstats.desk().test, "the desk has no table")
    assert_raises(lambda: fstats.desk(wide(), alhpa=0.1), "did you mean 'alpha'", TypeError)
    assert_raises(lambda: desk.nothing, "no attribute 'nothing'", AttributeError)
    assert_raises(lambda: desk.files["none.tex"], "`file` must be one of table.tex, paragraph.tex", KeyError)
    data, _ = desk._repr_mimebundle_()
    assert data["text/plain"] == f"{desk.conclusion} Read as: lower loss is better, as its name says."


def test_the_command_refuses_what_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.csv").write_text("a,b\nx\n")
    for name, words in (("none.csv", "there is no file"), ("broken.csv", "below 2 headings")):
        assert main(["desk", str(tmp_path / name), "--no-browser"]) == 1
        assert words in capsys.readouterr().err


def test_a_long_request_does_not_block_another_table(monkeypatch: pytest.MonkeyPatch) -> None:
    started, end, update = Event(), Event(), Desk._update_view

    def slow(desk: Desk, request: dict[str, object], error: str = "") -> None:
        if request.get("key") == "slow":
            started.set()
            end.wait(20)
        update(desk, request, error)

    monkeypatch.setattr(Desk, "_update_view", slow)
    with serve_desk(fstats.desk(wide())) as address, ThreadPoolExecutor(1) as pool:
        send = [json.dumps({"number": 1, "key": key, "example": example_names()[0]}).encode() for key in ("slow", "quick")]
        waits = pool.submit(lambda: urlopen(address, send[0]).read())
        assert started.wait(20)
        with urlopen(address, send[1], timeout=15) as reply:
            assert json.loads(reply.read())["conclusions"]
        assert not waits.done()
        end.set()
        assert json.loads(waits.result())["conclusions"]


# -- the command --------------------------------------------------------------------------------------------------------------------
def test_only_who_knows_the_address_is_answered() -> None:
    with serve_desk(fstats.desk(wide())) as address:
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address) as page:
            assert "fstatsDesk" in page.read().decode()
        request = json.dumps({"number": 1, "key": "k", "example": example_names()[0]}).encode()
        with urlopen(address, request) as reply:
            assert json.loads(reply.read())["conclusions"]
        host = address.rpartition("/")[0].rpartition("/")[0]
        for wrong, data in ((f"{host}/", None), (f"{host}/guess/", request), (address, b"")):
            with pytest.raises(HTTPError, match="404"):
                urlopen(wrong, data)
    assert MAX_REQUEST < 1e9
