"""The BCV study: stored results come out again, tables and verdicts follow from them, and a run goes on where it stopped."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import cli
from fstats.procedures.resampling.cross_validation_tests import TABLE_5
from fstats.runtime.parallel_tasks import worker_backend
from fstats.simulate import Rate
from fstats.simulate.bcv_paper_sources import LETTER_FILE
from fstats.studies import bcv
from fstats.studies.bcv import calibration
from fstats.studies.bcv.bcv_design import AS_WRITTEN, LAMBDAS, PRINTED, SEED, SOURCES, TESTS, TWO_READING_SOURCES, UNEQUAL_AT_N, unit_ranges
from fstats.studies.bcv.bcv_power_curves import BCV_MCNEMAR, PowerCurves, level_sign, paired_difference
from fstats.studies.bcv.rejection_decisions import decisions, decisions_of_unit
from fstats.studies.bcv.section_5_2_claims import _steepest, claims
from fstats.studies.bcv.stored_rejections import Rejections, collect_units, pack_bits, stored, stored_results, unpack_bits
from fstats.studies.bcv.table5 import ErrorBeside, Table5
from fstats.studies.claim_verdicts import sign_of_all


def made_up(rates, data_sets=1000, failed=()):
    """Rejections with known rates: {source: {point: {test: rate}}}; the first data sets are those that are rejected."""
    runs = []
    for source, points in rates.items():
        about = {
            point: {
                "value": 0.0,
                "failed": {str(r): "why" for r in failed},
                "rejected": {
                    test: base64.b64encode(np.packbits(np.arange(data_sets) < round(rate * data_sets)).tobytes()).decode()
                    for test, rate in tests.items()
                },
            }
            for point, tests in points.items()
        }
        runs.append({"about": {}, "source": source, "tests": "14", "data_sets": data_sets, "points": about})
    return Rejections(runs)


# -- what is kept comes out again --------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("from_file", [False, pytest.param(True, marks=pytest.mark.needs("data_folder"))])
def test_a_random_slice_of_the_stored_results_comes_out_again(from_file):
    """One data set of one stored run, drawn by chance: every test decides there as it is kept."""
    rng = np.random.default_rng()
    runs = [run for run in stored_results("rejections") if (run["source"] == "letter") == from_file]
    run = runs[int(rng.integers(len(runs)))]
    units = unit_ranges(run["source"], run["data_sets"])
    points = {point: about["value"] for point, about in run["points"].items()}
    unit = units[int(rng.integers(len(units)))] | {"tests": run["tests"], "points": points}
    r = int(rng.integers(unit["data_sets"]))
    found, failed = decisions(unit, np.random.SeedSequence(SEED), only=r)
    assert not failed
    first = sum(one["data_sets"] for one in units[: unit["chunk"]])
    for point, each in found.items():
        for test, bits in each.items():
            told = np.unpackbits(np.frombuffer(base64.b64decode(run["points"][point]["rejected"][test]), np.uint8), count=run["data_sets"])
            where = r if len(bits) > 1 else 0  # what is not trained is made unit by unit
            assert bits[where] == told[first + r], (run["source"], point, test, unit["chunk"], r)


def test_the_stored_results_say_how_they_came_about():
    every = [one for kind in ("rejections", "calibration", "errors", "partitions", "digits") for one in stored_results(kind)]
    for one in every:
        about = one["about"]
        assert about["command"].startswith("fstats reproduce bcv --part ")
        assert (about["seed"], set(about["versions"]) - {"torch"}) == (SEED, {"python", "fstats", "numpy", "scipy", "scikit-learn"})
        assert about.get("data", {}).get("sha256") == (LETTER_FILE[1] if one["source"] == "letter" else None)
    assert len(bcv.provenance().lines) == len(every)


def test_stored_settings_follow_from_the_stored_error_rates():
    for one in stored_results("calibration"):

        class Found:
            tree, nearest = one["tree"]["error"], np.array(one["nearest"]["errors"])

        again = calibration.settings_by_lambda(one["values"], Found)
        assert again == pytest.approx(one["settings"], rel=2e-3)  # error rates are kept with six digits
        assert (again["1"], list(again)) == (1.0, list(LAMBDAS))
    for one in stored_results("calibration"):
        if one["source"] == "EXP6":
            values = (one["values"][0], one["values"][-1])
            units = [unit | {"n": one["n"], "values": values} for unit in unit_ranges("EXP6", 3)]
            few = calibration.MeanErrorRates([calibration.error_sums_of_unit(unit, np.random.SeedSequence(1)) for unit in units], 3, 22_801)
            scale = np.sqrt(one["data_sets"] / 3)
            assert abs(few.tree - one["tree"]["error"]) < 4 * scale * one["tree"]["se"]
            for k, place in enumerate((0, -1)):
                assert abs(few.nearest[k] - one["nearest"]["errors"][place]) < 4 * scale * one["nearest"]["se"][place]


def test_errors_by_hand():
    # three trainings: 1, 2, 3 errors of the tree and 2, 2, 5 of the neighbour among 10 records, in two units
    tree, other = np.array([1, 2, 3]), np.array([2, 2, 5])
    results = [
        {"sum": [t.sum(), o.sum()], "squares": [(t**2).sum(), (o**2).sum()], "apart": [((t - o) ** 2).sum()]}
        for t, o in ((tree[:2], other[:2]), (tree[2:], other[2:]))
    ]
    found = calibration.MeanErrorRates(results, 3, 10)
    assert (found.tree, found.nearest[0]) == (pytest.approx(0.2), pytest.approx(0.3))
    assert found.se_tree == pytest.approx(tree.std(ddof=1) / 10 / np.sqrt(3))
    assert found.se_difference[0] == pytest.approx((tree - other).std(ddof=1) / 10 / np.sqrt(3))


# -- the work ----------------------------------------------------------------------------------------------------------------
def test_a_unit_is_its_data_sets_one_by_one():
    unit = {"source": "EXP6", "chunk": 3, "data_sets": 3, "tests": "readings", "points": {"0": 0.3, "1": 1.0}}
    seed = np.random.SeedSequence(SEED)
    whole, _ = decisions(unit, seed)
    for r in range(3):
        alone, _ = decisions(unit, seed, only=r)
        for point in unit["points"]:
            for test in TESTS["readings"]:
                assert alone[point][test].tolist() == whole[point][test][[r]].tolist()
    done = decisions_of_unit(unit, seed)
    expected = {test: bits.tolist() for test, bits in whole["1"].items()}
    assert {test: unpack_bits(text, 3).tolist() for test, text in done["rejected"]["1"].items()} == expected


def test_points_of_a_curve_share_their_data_sets():
    unit = {"source": "Simple", "chunk": 0, "data_sets": 2, "tests": "readings"}
    seed = np.random.SeedSequence(SEED)
    together, _ = decisions(unit | {"points": {"0": 0.0, "1": 1.0}}, seed)
    for point, value in (("0", 0.0), ("1", 1.0)):
        alone, _ = decisions(unit | {"points": {point: value}}, seed)
        expected = {test: bits.tolist() for test, bits in together[point].items()}
        assert {test: bits.tolist() for test, bits in alone[point].items()} == expected


def test_units_become_one_row_of_bits():
    bits = np.random.default_rng(0).random(11) < 0.5
    units = [{"data_sets": 4, "points": {"0": 1.0}, "tests": "14"}, {"data_sets": 4}, {"data_sets": 3}]
    results = [
        {"rejected": {"0": {"T": pack_bits(bits[a:b])}}, "failed": {"0": {"1": "why"}} if a == 4 else {}}
        for a, b in ((0, 4), (4, 8), (8, 11))
    ]
    one = {"source": "EXP6"} | collect_units(units, results)
    assert one["points"]["0"]["failed"] == {"5": "why"}
    assert Rejections([one]).rejected("EXP6", "0", "T").tolist() == np.delete(bits, 5).tolist()
    assert Rejections([one]).rate("EXP6", "0", "T") == Rate("T", "0", int(np.delete(bits, 5).sum()), 10)


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("fstats.studies.bcv.bcv_design.DATA_SETS_PER_UNIT", dict.fromkeys(SOURCES, 2))
    monkeypatch.delenv("FSTATS_DATA", raising=False)
    settings = {"sources": ("EXP6", "letter"), "data_sets": 3, "progress": False}
    bcv.make("readings", folder=tmp_path / "whole", **settings)
    bcv.make("readings", folder=tmp_path / "parts", store=tmp_path / "store", **settings)
    store = tmp_path / "store" / "rejections_readings_EXP6.jsonl"
    lines = store.read_text().splitlines(keepends=True)
    assert len(lines) == 3
    store.write_text("".join(lines[:2]))  # killed after the first unit
    bcv.make("readings", folder=tmp_path / "again", store=tmp_path / "store", **settings)
    whole, again = (json.loads((tmp_path / name / "rejections_readings_EXP6.json").read_text()) for name in ("whole", "again"))
    assert whole["points"] == again["points"]
    assert isinstance(whole["about"]["seconds"], int)
    assert again["about"]["seconds"] is None  # nobody knows how long the first part took
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("letter is left out: the source Letter needs the folder of letter.csv.gz")
    store.write_text(lines[0].replace('"part": "readings"', '"part": "table5"') + lines[1])
    with pytest.raises(ValueError, match="was written for other arguments: part is 'table5' in the file and 'readings' in this call"):
        bcv.make("readings", folder=tmp_path, store=tmp_path / "store", **settings)
    assert_raises(lambda: bcv.make("table6", folder=tmp_path), "`part` must be one of calibration, errors, table5")
    with pytest.raises(ValueError, match="each source must be one of Epsilon, EXP6, Simple, letter; got 'MNIST'"):
        bcv.make("table5", folder=tmp_path, sources=["MNIST"])


# -- Table 5 -----------------------------------------------------------------------------------------------------------------
def test_printed_figures_and_the_stored_table():
    assert (set(PRINTED), {len(row) for row in PRINTED.values()}) == ({test.__name__ for test in TABLE_5}, {4})
    table = bcv.table5()
    assert {source for source, _ in table.cells} >= {"Epsilon", "EXP6"}
    for source in table.data_sets:
        assert all((source, test) in table.cells for test in PRINTED)
    assert min(table.data_sets.values()) >= 1000  # as many as the paper has
    for cell in table:
        assert cell.ours.rate == bcv.stored().rejected(cell.source, "0", cell.test).mean()
        assert cell.printed in (None, *PRINTED.get(cell.test, ()))


def test_z_by_hand():
    cell = ErrorBeside("EXP6", "KFoldT", "0.076", Rate("KFoldT", "0", 50, 1000))
    se = [np.sqrt(p * (1 - p) / 1000) for p in (76.5 / 1001, 50.5 / 1001)]
    assert cell.z == pytest.approx((0.076 - 0.05) / np.hypot(*se))
    table = Table5(made_up({"Epsilon": {"0": {"KFoldT": 0.043, "ResampledT": 0.3, "ConservativeZ": 0.03}}}))
    assert [cell.test for cell in table.differing] == ["ResampledT"]
    assert table.bonferroni_threshold == 0.025  # two cells
    assert cell.p == pytest.approx(stats.fisher_exact([[76, 924], [50, 950]])[1], rel=1e-9)
    assert "0.043 / 0.043 ± 0.006 / +0.0" in repr(table)
    assert "– / 0.030 ± 0.005" in repr(table)  # of what is not printed
    assert "ResampledT on Epsilon: printed 0.478 ± 0.016, ours 0.300" in repr(table)
    assert "ResampledT on Epsilon" in table._repr_html_()
    assert_raises(lambda: table["Epsilon", "nothing"], "`key` must be a pair of a source", KeyError)


def test_both_readings():
    found = made_up({"Simple": {"0": {"NaiveKFoldMcNemar": 0.003, "NaiveKFoldMcNemar, empty folds dropped": 0.015}}})
    table = Table5(found)
    assert [(cell.reading, cell.ours.rate) for cell in table.readings] == [("NaiveKFoldMcNemar, empty folds dropped", 0.015)]
    assert "other readings: empty folds dropped: 0.015" in " ".join(repr(table).split())
    # With f3 as printed, the printed error rates are met by training sets of half of the records, and only by these.
    for line in bcv.exp6_readings().lines[:2]:
        half, full = (abs(float(cell.partition("z = ")[2].rstrip(")"))) for cell in line[2:])
        assert half < 2.5
        assert full > 20
    assert AS_WRITTEN in bcv.stored().points("EXP6")
    assert {cell.source for cell in bcv.table5().full_size_readings} == {"EXP6", "letter"}


@pytest.mark.complete
def test_on_letter_the_notes_give_both_readings_of_lambda_0():
    """No calibration makes H0 true for every test there, so what differs in one reading is shown in the other (which EXP6 has as well)."""
    table = bcv.table5()
    for cell in table.differing:
        note = next(note for note in table.notes if note.startswith(f"{cell.test} on {cell.source}:"))
        assert ("true error rates equal at n: " in note) == (cell.source in TWO_READING_SOURCES)


def test_levels_and_rates():
    table = bcv.table5()
    untrue = [claim.states for claim in bcv.claims() if "is true for every test" in claim.states and claim.verdict == "does not hold"]
    assert [state.split()[1] for state in untrue] == list(UNEQUAL_AT_N)
    on_most = {"KFoldT", "CorrectedResampledT", "CorrectedRepeatedKFoldT", "CrossValidatedZ", "NaiveKFoldMcNemar"}  # nine tenths
    at_n = {cell.test: cell.ours for cell in table.full_size_readings if cell.source == "letter"}
    for test in PRINTED:
        ours = None if test in ("ResampledT", "ProportionalZ", "HoldOutMcNemar") else table["letter", test].ours  # two thirds
        assert table.level("letter", test) == (at_n[test] if test in on_most else ours)
        assert table.level("EXP6", test) == table["EXP6", test].ours
    assert [level_sign(Rate("T", None, count, 1000)) for count in (30, 45, 55, 70)] == [1, 0, 0, -1]
    assert [level_sign(Rate("T", None, count, 8)) for count in (0, 1, 2, 3, 4)] == [0, 0, 0, -1, -1]  # 3 of 8: 0.006
    assert [sign_of_all(signs) for signs in ([1, 1], [1, 0], [0, -1], [])] == [1, 0, -1, 0]


# -- power and verdicts ------------------------------------------------------------------------------------------------------
CURVES = {
    "0": {BCV_MCNEMAR: 0.01, "KFoldT": 0.09, "HoldOutMcNemar": 0.03, "CombinedFiveByTwoF": 0.04},
    "0.5": {BCV_MCNEMAR: 0.5, "KFoldT": 0.9, "HoldOutMcNemar": 0.3, "CombinedFiveByTwoF": 0.52},
    "1": {BCV_MCNEMAR: 0.9, "KFoldT": 1.0, "HoldOutMcNemar": 0.6, "CombinedFiveByTwoF": 0.8},
}


def test_the_most_powerful_among_those_that_keep_their_level():
    power = PowerCurves("Simple", made_up({"Simple": CURVES}))
    assert power.reasonable == ["CombinedFiveByTwoF", "HoldOutMcNemar", BCV_MCNEMAR]
    rivals = list(power.rivals())
    expected = [("0.5", "CombinedFiveByTwoF", -0.02, -1), ("1", "CombinedFiveByTwoF", 0.1, 1)]
    assert [(one.point, one.best.test, round(one.lead, 3), one.verdict) for one in rivals] == expected
    # 20 of 1000 data sets are rejected by the other alone: one half is added as for a rate
    assert rivals[0].se == pytest.approx(np.sqrt((21 / 1001 - 0.02**2) / 1000))
    assert "KFoldT *" in repr(power)
    assert "KFoldT *" in power._repr_html_()
    picture = power.picture(["KFoldT", BCV_MCNEMAR])
    assert picture.text == (
        f"Share of 1000 data sets on which H0 is rejected, by lambda 0, 0.5, 1; level 0.05. "
        f"KFoldT: 0.09, 0.9, 1; {BCV_MCNEMAR}: 0.01, 0.5, 0.9."
    )
    assert picture.title == "Power on Simple"
    assert picture.svg().startswith("<svg")
    assert_raises(lambda: power["ResampledT"], r"`test` must have a power curve on Simple \(one of .*\); got 'ResampledT'", KeyError)


def test_verdicts_follow_from_the_numbers():
    low, high = dict.fromkeys(PRINTED, 0.02), dict.fromkeys(PRINTED, 0.2)
    kinds = {
        "low": made_up({source: {"0": low} for source in SOURCES}),
        "high": made_up({source: {"0": high} for source in SOURCES}),
        "curves": made_up({"Epsilon": {"0": low}, "Simple": {"0": low | CURVES["0"], "0.5": low | CURVES["0.5"], "1": low | CURVES["1"]}}),
    }
    verdicts = {name: {claim.states: claim.verdict for claim in claims(found)} for name, found in kinds.items()}
    for states in ("All type I errors of the 5x2 BCV McNemar test are lower than 0.05", "They are obviously smaller than 0.05"):
        assert (verdicts["low"][states], verdicts["high"][states]) == ("holds", "does not hold")
    states = "All type I errors of the repeated hold-out t-test are larger than 0.05"
    assert (verdicts["low"][states], verdicts["high"][states]) == ("does not hold", "holds")
    smallest = "Over the data sets the 5x2 BCV McNemar test almost achieves the smallest type I errors"
    assert verdicts["low"][smallest] == "none clearly smaller on 4 of 4"
    powerful = "On Simple the 5x2 BCV McNemar test is the most powerful of the tests with reasonable type I errors"
    assert verdicts["curves"][powerful] == "does not hold"
    assert powerful not in verdicts["low"]


def test_claims_and_figures():
    found = bcv.claims()
    assert len(found) > 15
    assert all(claim.verdict and claim.because for claim in found)
    (exp6,) = [claim for claim in found if claim.states.startswith("On EXP6 H0 is true")]
    assert exp6.verdict == "holds"  # whichever half or whole of the records trains
    assert "<table" in found._repr_html_()
    assert "166 of the 22801 places satisfy two rules" in bcv.figure2().text
    assert bcv.figure2(seed=1).text != bcv.figure2().text
    simple = bcv.figure3("Simple")
    assert "logistic regression 0.5000, 0." in simple.text
    assert "1000 training sets of 500" in simple.text
    assert simple.svg().startswith("<svg")
    assert_raises(lambda: bcv.figure3("MNIST"), r"`source` must be one of .*EXP6.*Simple.*; got 'MNIST'")
    assert_raises(lambda: bcv.power("Epsilon"), "`source` must be")


# -- the command -------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_reproduce_prints_the_tables(capsys):
    assert cli.main(["reproduce", "bcv"]) == 0
    printed = capsys.readouterr().out
    for part in (bcv.table5(), bcv.exp6_readings(), bcv.claims(), bcv.provenance()):
        assert repr(part) in printed


@parametrize(
    "part, titles",
    ("table5", ["printed / ours"]),
    ("readings", ["can be read in several ways"]),
    ("left_out", ["the paper leaves out"]),
    ("power", ["Power on EXP6", "Power on Simple", "Power on letter"]),
    ("calibration", ["what are the printed true error rates?"]),
    ("errors", ["True error rates on EXP6", "True error rates on Simple"]),
)
def test_each_part_prints_what_it_is(part, titles):
    printed = bcv.reproduced(part)
    every = ("printed / ours", "in several ways", "leaves out", "Power on", "what are the printed true", "True error rates on")
    assert all(title in printed for title in titles)
    assert sum(title in printed for title in every) == 1, "and nothing of the others"


def test_what_was_made_again_is_shown_from_its_folder(tmp_path):
    for part, source, data_sets in (("readings", "Simple", 2), ("power", "Simple", 2), ("errors", "Simple", 30)):
        bcv.make(part, sources=[source], data_sets=data_sets, folder=tmp_path, progress=False)
    found = stored(tmp_path)
    assert "Data sets: 2" in repr(PowerCurves("Simple", found))
    assert "*" not in repr(PowerCurves("Simple", found)).replace("* rejects", ""), "nothing is known of levels without lambda = 0"
    assert "30 training sets of 500" in repr(bcv.error_table("Simple", tmp_path))
    expected = ["CrossValidatedZ", "CrossValidatedZ", "NaiveKFoldMcNemar"]
    assert sorted(one.reading.partition(", ")[0] for one in Table5(found).all_readings) == expected
    assert {claim.where for claim in claims(found, tmp_path)} == {"5.2, Figure 3", "5.2, Figure 4"}


def test_rises_and_pairs_by_hand():
    steepest = _steepest(PowerCurves("Simple", made_up({"Simple": CURVES})))
    assert steepest.because == f"{BCV_MCNEMAR} +0.490 after lambda = 0; CombinedFiveByTwoF +0.480 after lambda = 0"
    assert steepest.verdict == "cannot be told"
    steeper = _steepest(PowerCurves("Simple", made_up({"Simple": CURVES | {"0.5": CURVES["0.5"] | {BCV_MCNEMAR: 0.8}}})))
    assert (steeper.because.partition(";")[0], steeper.verdict) == (f"{BCV_MCNEMAR} +0.790 after lambda = 0", "holds")
    first, second = np.array([1, 1, 1, 0] + 6 * [0]), np.array([0, 0, 1, 1] + 6 * [0])
    lead, se = paired_difference(first, second)
    assert (lead, se) == (pytest.approx(0.1), pytest.approx(np.sqrt((4 / 11 - 0.01) / 10)))


def test_reproduce_again_computes(capsys, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(bcv, "make", lambda part, **settings: asked.append((part, settings)))
    arguments = ["reproduce", "bcv", "--part", "table5", "--again", "--jobs", "2", "--store", "kept"]
    assert cli.main([*arguments, "--save", str(tmp_path), "--data", str(tmp_path)]) == 0
    assert asked == [("table5", {"jobs": 2, "store": Path("kept"), "folder": tmp_path, "data_dir": tmp_path})]
    assert cli.main(["reproduce", "bcv", "--again"]) == 2
    assert "needs --save" in capsys.readouterr().err
    assert cli.main(["reproduce", "bcv", "--part", "table7"]) == 1
    assert "`part` must be one of calibration, table5" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["reproduce", "contingency", "--part", "table5"])
    assert "unrecognized arguments: --part table5" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the cluster that ends
@pytest.mark.parametrize("backend", ["loky", pytest.param("dask", marks=pytest.mark.needs("distributed"))])
def test_workers_by_name_decide_as_the_stored_results_do(tmp_path, backend):
    """Every source that needs no file, the calibration included, on two workers."""
    with worker_backend(backend, 2):
        for part, source, data_sets in (("readings", "Epsilon", 200), ("table5", "EXP6", 50), ("table5", "Simple", 50)):
            bcv.make(part, sources=[source], data_sets=data_sets, jobs=2, folder=tmp_path, store=tmp_path, progress=False)
        bcv.make("calibration", sources=["EXP6"], data_sets=20, jobs=2, folder=tmp_path / "calibration", progress=False)
    found = bcv.stored()
    for run in stored(tmp_path).results:
        for point, about in run["points"].items():
            for test in about["rejected"]:
                there = found.rejected(run["source"], point, test)
                np.testing.assert_array_equal(stored(tmp_path).rejected(run["source"], point, test), there[: run["data_sets"]])
    assert {path.name for path in (tmp_path / "calibration").iterdir()} == {"calibration_EXP6_150.json", "calibration_EXP6_300.json"}
