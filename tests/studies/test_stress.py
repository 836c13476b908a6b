"""The bench that tries to break every test: stored numbers come out again, intervals by SciPy, and sentences that say no more."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises

import fstats
from fstats import cli
from fstats.core.number_format import format_plain
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.simulate.rejection_rates import Rate
from fstats.studies import bcv, stress
from fstats.studies.stress import search_conditions, worst_case_search
from fstats.studies.stress.search_conditions import CELLS, ORDINARY, RECORDS, SearchCondition
from fstats.studies.stress.worst_case_search import (
    GROUPS,
    SETTINGS,
    TESTS,
    WORST_CELL_COUNT,
    BayesianDecision,
    OutperformingDecision,
    rejections_of_unit,
    worst_cells,
)

RULES = SearchCondition("coin", "rules", "rules right .80 and .70", 100)
BAYES = SearchCondition("leaning", "naive Bayes with priors .7 and .3", "two classes", 100)


def test_every_kind_is_there_and_cells_say_where_they_are():
    assert set(TESTS) == {test.__name__ for test in ALL_TESTS} | {"BayesianCorrelatedT", "ProbabilityOfOutperforming"}
    assert sorted(test for group in GROUPS.values() for test in group.tests) == sorted(SETTINGS)
    assert set(SETTINGS) - set(TESTS) == {f"BlockedFiveByTwoT, rho = {rho}" for rho in (0, 0.25, 0.5)}
    assert ({cell.kind for cell in CELLS}, len(set(CELLS))) == (set(search_conditions.PAIR_KINDS), len(CELLS))
    assert min(cell.n for cell in CELLS) == 50
    assert max(cell.n for cell in CELLS) == 10_000
    assert len({cell.learner for cell in CELLS if cell.kind in ORDINARY}) > 13
    for cell in CELLS:
        if cell.population not in RECORDS and cell.n <= 1500:
            ((x, y),) = cell.source.draw(np.random.default_rng(0), 1)
            assert len(x) == len(y) == cell.n
            assert repr(cell.source).startswith("Symmetric(")
    assert str(SearchCondition("mirrored", "Perceptron", "two classes", 1500)) == "Perceptron on mirrored features, n = 1,500"
    assert str(SearchCondition("seeds", "SGD", "magic", 2000)) == "SGD with two seeds, magic, n = 2,000"


# -- what is stored ----------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("by_steps", [False, True], ids=["others", "logistic regression"])
def test_a_random_unit_comes_out_again(by_steps):
    """One whose learners are trained in a step, and one with logistic regression, which takes a minute."""
    study = stress.stored()
    cheap = [
        k
        for k, unit in enumerate(study.units)
        if unit["group"] == "short"
        and unit["cell"][2] not in RECORDS
        and unit["cell"][3] <= 300
        and unit["cell"][1] not in search_conditions.SLOW
        if unit["stage"] != "confirm" and ("logistic" in unit["cell"][1]) == by_steps
    ]
    k = int(np.random.default_rng().choice(cheap))
    assert rejections_of_unit(study.units[k], np.random.SeedSequence(0)) == study.results[k], study.units[k]


@pytest.mark.complete
def test_stages_share_no_data():
    found = [
        rejections_of_unit(worst_case_search.make_unit(stage, "short", BAYES, 0, 4), np.random.SeedSequence(0))
        for stage in worst_case_search.STAGES
    ]
    assert found[0] != found[1] != found[2]


def test_the_study_is_complete(tmp_path):
    study = stress.stored()
    scanned = {(unit["group"], *unit["cell"]) for unit in study.units if unit["stage"] == "scan"}
    assert scanned == {(name, *cell) for name, group in GROUPS.items() for cell in group.cells}
    for test in TESTS:
        for coin in (False, True):
            one = study.of(test, coin=coin)
            assert (one.cell.kind == "coin") == coin
            assert one.repetitions >= 100
    study.save(tmp_path / "stress.json")
    assert (tmp_path / "stress.json").stat().st_size < 650_000
    assert_raises(lambda: study.of(fstats.PairedT), r"`test` must be a test with a stored level; got .PairedT.", KeyError)


def test_intervals_and_pictures():
    study = stress.stored()
    pairs = sum(len(group.tests) * len(group.cells) for group in GROUPS.values())
    assert study.comparison_count == pairs
    for one in study:
        exact = stats.binomtest(one.rejections, one.repetitions).proportion_ci(1 - 0.05 / pairs, "exact")
        assert one.interval == pytest.approx((exact.low, exact.high))
    study = stress.stored()
    text = study.picture(chosen="BlockedFiveByTwoMcNemar").text
    for one in study:
        assert f"{one.test}: {one.rate:.3f} ({one.interval[0]:.3f} to {one.interval[1]:.3f}), {one.verdict()}" in text
        assert f"{one}" in repr(study)


def test_figures_are_of_data_that_did_not_choose_the_cell():
    study = stress.stored()
    for one in study:
        parts = [
            (unit, result)
            for unit, result in zip(study.units, study.results)
            if unit["stage"] == "confirm" and unit["cell"] == list(one.cell) and one.test in GROUPS[unit["group"]].tests
        ]
        place = GROUPS[parts[0][0]["group"]].tests.index(one.test)
        assert one.rejections == sum(result["rejected"][place] for _, result in parts)
        assert one.repetitions == sum(unit["data_sets"] - result["failed"] for unit, result in parts)


def test_power_is_that_of_the_other_study():
    for source, point in (("EXP6", "0.5"), ("EXP6", "0.8"), ("Simple", "0.3")):
        curves = bcv.power(source)
        for rate in stress.stored().powers[f"{source} at {point}"]:
            if rate.test in curves.tests:
                other = next(one for place, one in zip(curves.points, curves[rate.test]) if place == point)
                assert abs(rate.rate - other.rate) < 4.5 * np.hypot(rate.se, other.se), (source, rate.test)


def test_what_power_costs():
    """Full points are those that no other test beats in both; the numbers are the stored ones."""
    study = stress.stored()
    for source, rates in study.powers.items():
        picture = study.frontier(source)
        assert len(rates) == 20
        best = {
            rate.test for rate in rates if not any(study.of(o.test).rate < study.of(rate.test).rate and o.rate > rate.rate for o in rates)
        }
        for rate in rates:
            said = f"{rate.test}: level {format_plain(study.of(rate.test).rate)}, power {format_plain(rate.rate)}"
            assert said in picture.text
            assert (bool(re.search(rf"{re.escape(said)}, [^;]+ has a lower level and more power", picture.text))) == (rate.test not in best)
        assert ("BlockedFiveByTwoT" in best) == (source != "EXP6 at 0.5")  # of so small differences it finds too few
    two = study.frontier(tests=[fstats.FiveByTwoT, fstats.ResampledT])
    assert re.findall(r"(\w+): level", two.text) == ["ResampledT", "FiveByTwoT"]
    assert re.findall(r"(\w+): 0", study.picture([fstats.FiveByTwoT, fstats.ResampledT]).text) == ["ResampledT", "FiveByTwoT"]
    with pytest.raises(KeyError, match=r"`where` must be one of EXP6 at 0\.5, Simple at 0\.3, EXP6 at 0\.8; got .letter."):
        study.frontier("letter")


def test_what_the_t_test_on_ten_tables_is_recommended_for():
    """Where the other test on these tables is at its worst it keeps its level; it breaks it where single records steer training."""
    study, name = stress.stored(), "BlockedFiveByTwoT"
    rival = study.of("BlockedFiveByTwoMcNemar")
    there = [one for one in study.scanned(name) if one.effect == rival.cell]
    assert rival.rate > 0.4
    assert sum(one.rejections for one in there) / sum(one.repetitions for one in there) < 0.06
    assert study.of(name).repetitions >= 4000
    assert study.of(name).rate < 0.15
    power = {rate.test: rate.rate for rate in study.powers["Simple at 0.3"]}
    assert power[name] > power["FiveByTwoT"] + 0.2
    assert power[name] > power["BlockedFiveByTwoMcNemar"] - 0.02


def test_the_lesson_says_what_the_bench_found():
    cells_ = json.loads((Path(__file__).parents[2] / "notebooks" / "12_type_one_error_and_power.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    text = "\n".join("".join(cell["source"]) for cell in cells_)
    told = re.findall(r"`(\w+)` \(stress test: (0\.\d\d), ([^()]*)\)", text)
    study = stress.stored()
    assert len(told) == 11
    for test, rate, where in told:
        assert (rate, where) == (f"{study.of(test).rate:.2f}", str(study.of(test).cell)), test
    verdicts = [one.verdict() for one in study]
    assert f"{verdicts.count('liberal')} of the {len(verdicts)} tests are liberal" in text
    safe = [f"`{one.test}`" for one in study if one.verdict() != "liberal"]
    assert f"it did not show that two of them are liberal: {', '.join(safe)}." in text
    few = {one.test for one in study if one.repetitions == 100}
    assert few == {"PseudoBootstrapT", *(one.strip("`") for one in safe)}
    table = [bcv.table5().level(source, "PseudoBootstrapT") for source in ("Epsilon", "Simple")]
    assert {one.verdict() for one in table} == {"liberal"}
    assert "is also liberal on Epsilon ({:.2f}) and on Simple ({:.2f})".format(*(one.rate for one in table)) in text
    for test, share in re.findall(r"`(\w+)` rejects (?:a true \$H_0\$ )?in (\d+)\u00a0%", text):
        assert share == f"{100 * study.of(test).rate:.0f}", test


# -- how it is made ----------------------------------------------------------------------------------------------------------
def test_the_worst_cells_are_those_where_most_is_rejected():
    rates = [Rate("KFoldT", cell, k, 100) for k, cell in enumerate(CELLS)]
    found = worst_cells(rates, ["KFoldT"], WORST_CELL_COUNT)
    assert set([cell for cell in CELLS if cell.kind in ORDINARY][-WORST_CELL_COUNT:]) <= set(found)
    assert len(found) == 2 * WORST_CELL_COUNT
    assert all(cell in CELLS[-10:] for cell in found if cell.kind == "coin")


def test_ties_above_the_level_are_kept():
    counts = [30, 20, 10, 10, 10, 9]
    rates = [Rate("KFoldT", cell, count, 100) for cell, count in zip(CELLS, counts, strict=False)]
    assert worst_cells(rates, ["KFoldT"], 3) == list(CELLS[:5])
    low = [rate._replace(rejections=rate.rejections // 10) for rate in rates]  # 3, 2, 1, 1, 1 and 0 of 100: below the level
    assert worst_cells(low, ["KFoldT"], 3) == list(CELLS[:3])


def test_the_note_on_the_table_of_levels_counts_the_conditions():
    (note,) = fstats.which_test(classifiers=2, data_sets=1, results="scores", aim="difference", size="large").levels.notes
    counts = {name: len(group.cells) for name, group in GROUPS.items()}
    assert (counts["long"], counts["paired"]) == (147, 147)
    assert f"tried in {counts['long']} of the {len(CELLS)} conditions, or in {counts['further']}, with fewer records" in note


@pytest.mark.complete
def test_decisions_are_those_of_other_classes():
    data = BAYES.source.draw(np.random.default_rng(1), 2)
    scores = BAYES.source.scores(data, BayesianDecision.plan, {"test_train_ratio"}, np.random.SeedSequence(2))
    decided = BayesianDecision.from_scores(scores, alpha=0.05).reject
    assert (decided == fstats.CorrectedRepeatedKFoldT.from_scores(scores, alpha=0.1).reject).all()
    data = BAYES.source.draw(np.random.default_rng(1), 12)
    scores = BAYES.source.scores(data, OutperformingDecision.plan, set(OutperformingDecision.required_results), np.random.SeedSequence(2))
    decided = OutperformingDecision.from_scores(scores, alpha=0.05).reject
    one_by_one = [fstats.ProbabilityOfOutperforming(a, b) for a, b in zip(scores.score_a.T, scores.score_b.T, strict=True)]
    assert decided.tolist() == [test.ci.low > 0.5 or test.ci.high < 0.5 for test in one_by_one]
    assert 0 < decided.sum() < 12


@pytest.fixture
def small(monkeypatch):
    """Two cells, and few data sets of each."""
    monkeypatch.setattr(worst_case_search, "CELLS", (RULES, SearchCondition("mirrored", "naive Bayes", "two classes", 50)))
    group = worst_case_search.TestGroup(("HoldOutMcNemar", "ProportionalZ"), scan=4, at_once=2, power=4)
    monkeypatch.setattr(worst_case_search, "GROUPS", {"short": group})


@pytest.mark.usefixtures("small")
def test_again_computes_keeps_and_goes_on(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(stress, "study", partial(stress.study, data_sets=4, progress=False))
    monkeypatch.setattr(stress.Stress, "__repr__", lambda self: f"{len(self.units)} units")  # its table has a line for every test
    file, kept = tmp_path / "stress.json", tmp_path / "kept"
    command = ["reproduce", "stress", "--again", "--save", str(file), "--store", str(kept)]
    assert cli.main(command) == 0
    assert "units" in capsys.readouterr().out
    first = json.loads(file.read_text())["units"]
    lines = (tmp_path / "kept.confirm").read_text().splitlines()
    (tmp_path / "kept.confirm").write_text("\n".join(lines[:2]) + "\n")  # as if it had been killed
    assert (cli.main(command), json.loads(file.read_text())["units"]) == (0, first)
    assert len((tmp_path / "kept.confirm").read_text().splitlines()) >= len(lines)


@pytest.mark.usefixtures("small")
def test_the_worst_conditions_of_one_group_are_tried_by_the_other(monkeypatch):
    """With a quarter of the data sets."""
    cells = [SearchCondition("mirrored", name, "two classes", 50) for name in ("naive Bayes", "LDA", "1-NN", "stump", "ridge")]
    monkeypatch.setattr(worst_case_search, "CELLS", (RULES, *cells))
    groups = {name: worst_case_search.TestGroup((test,), 4, at_once=8) for name, test in (("short", "HoldOutMcNemar"), ("long", "KFoldT"))}
    monkeypatch.setattr(worst_case_search, "GROUPS", groups)
    units, results = worst_case_search.run_all_stages(data_sets=8, progress=False)
    rates = worst_case_search.rates_by_cell(*zip(*[pair for pair in zip(units, results) if pair[0]["stage"] in ("scan", "closer")]))
    own = {name: set(worst_cells(rates, group.tests, 1)) for name, group in groups.items()}
    assert own["short"] != own["long"]
    for name in groups:
        sizes = {SearchCondition(*unit["cell"]): unit["data_sets"] for unit in units if (unit["stage"], unit["group"]) == ("confirm", name)}
        assert sizes == {cell: 8 if cell in own[name] else 2 for cell in own["short"] | own["long"]}


def test_reproduce_prints_what_is_stored(capsys):
    assert cli.main(["reproduce", "stress"]) == 0
    printed = capsys.readouterr().out
    assert repr(stress.stored()) in printed
    assert stress.stored().provenance in printed


def test_no_test_is_both_the_safest_and_the_strongest():
    """Lesson 15 says so, and what a larger rho does, and where the t-test on ten tables pays for its caution."""
    study = stress.stored()
    for rates in study.powers.values():
        level = {rate.test: study.of(rate.test).rate for rate in rates}
        power = {rate.test: rate.rate for rate in rates}
        assert not {test for test in level if level[test] == min(level.values())} & {
            test for test in power if power[test] == max(power.values())
        }
        by_rho = ["BlockedFiveByTwoT, rho = 0", "BlockedFiveByTwoT", "BlockedFiveByTwoT, rho = 0.25", "BlockedFiveByTwoT, rho = 0.5"]
        for of in (level, power):
            assert sorted((of[test] for test in by_rho), reverse=True) == [of[test] for test in by_rho]
    small = {rate.test: rate for rate in study.powers["EXP6 at 0.8"]}
    one, other = small["BlockedFiveByTwoT"], small["BlockedFiveByTwoMcNemar"]
    assert other.rate - one.rate > 3 * np.hypot(one.se, other.se)
