"""RQ3, the digits, and the page with every table and figure of the paper: stored results, verdicts, and what they follow from."""

import base64
import gzip
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises

from fstats import BlockedFiveByTwoMcNemar, BlockRegularizedCV, cli, explore
from fstats.core.number_format import format_plain
from fstats.simulate import Letter
from fstats.simulate.bcv_paper_sources import letter_weights
from fstats.simulate.training_sources import error_rate
from fstats.studies import bcv, bcv_paper
from fstats.studies.bcv import mnist_digits, random_partitions
from fstats.studies.bcv.bcv_design import DATA_SETS_PER_UNIT, DIGITS, LAMBDAS, SEED, TESTS, unit_ranges
from fstats.studies.bcv.bcv_power_curves import BCV_MCNEMAR
from fstats.studies.bcv.mnist_digits import PRINTED_MNIST, SCALES, ConvolutionalNetwork, Digits, digits_row
from fstats.studies.bcv.section_5_3_claims import partition_claims
from fstats.studies.bcv.source_factory import make_source
from fstats.studies.bcv.stored_rejections import stored_results
from fstats.studies.bcv.table6 import PLANS, PRINTED_TABLE_6, PartitionSets, density, partition_sets
from fstats.studies.claim_verdicts import partial_verdict
from fstats.studies.correlations import cloud
from fstats.studies.correlations.correlation_datasets import SETS
from fstats.studies.correlations.correlation_sums import PAIRS
from fstats.studies.integer_encoding import decode_integers, encode_integers


# -- RQ3 ---------------------------------------------------------------------------------------------------------------------
def test_a_random_slice_of_the_stored_counts_comes_out_again(data_folder):
    """One data set, drawn by chance, at two points: n01 and n10 on all partitions."""
    rng, found = np.random.default_rng(), partition_sets()
    every = unit_ranges("letter", found.data_sets)
    unit = every[int(rng.integers(len(every)))]
    r = int(rng.integers(unit["data_sets"]))
    points = {point: found.points[point] for point in (str(rng.choice(LAMBDAS)), "large")}
    one = random_partitions.discordant_counts_of_unit(unit | {"points": points}, np.random.SeedSequence(SEED), data_dir=data_folder, only=r)
    for k, point in enumerate(points):
        place = unit["chunk"] * DATA_SETS_PER_UNIT["letter"] + r, list(found.points).index(point)
        assert one["blocked"][0][k] == decode_integers(found.found["blocked"])[place].tolist()
        assert one["random"][0][k] == decode_integers(found.found["random"])[place].tolist()


def test_the_blocked_test_decides_as_it_did_for_table_5():
    """Data sets and splits are the same there, and another run trained on them."""
    found, table = partition_sets(), bcv.stored()
    for point in table.points("letter"):
        if point in found.points:
            theirs = table.rejected("letter", point, BCV_MCNEMAR)
            both = min(len(theirs), found.data_sets)
            assert found.test("blocked", point).reject[:both].tolist() == theirs[:both].tolist()


def test_the_test_of_a_mean_table_is_that_of_ten():
    found = partition_sets()
    n01, n10 = found.counts["RCP = 2"][7, 3]
    tables = np.zeros((5, 2, 2, 2), int)
    tables[..., 1, 1] = 150
    for k, (count, cell) in enumerate(((n01, (0, 1)), (n10, (1, 0)))):
        for _ in range(count):
            j = int(tables[:, :, *cell].argmin())
            tables[j // 2, j % 2][cell] += 1
            tables[j // 2, j % 2, 1, 1] -= 1
        assert tables[:, :, *cell].sum() == count, k
    whole, kept_of_it = BlockedFiveByTwoMcNemar(tables), found.test("RCP = 2", "0.3").at(7)
    for name in ("statistic", "pvalue", "e", "reject"):
        assert getattr(whole, name) == pytest.approx(getattr(kept_of_it, name))


def test_variances_and_rates_with_repeated_partitions():
    five = np.random.default_rng(0).integers(0, 50, (3, 2, 5))
    for repeats in range(5):
        ten = [five[..., 0]] * (repeats + 1) + [five[..., k] for k in range(1, 5 - repeats)]
        assert (len(ten), random_partitions.counts_with_repeats(five, repeats).tolist()) == (5, np.sum(ten, 0).tolist())
    found = partition_sets()
    n01, n10 = decode_integers(found.found["blocked"])[:, 0].T
    e = (n01 + n10) / 1500
    assert found.variance("blocked", "0")[0] == pytest.approx(sum((x - sum(e) / len(e)) ** 2 for x in e) / (len(e) - 1))
    m = 20 / 11 * np.maximum(abs(n01 - n10) / 10 - 11 / 20, 0) ** 2 / ((n01 + n10) / 10)  # Equation 15
    assert found.rate("blocked", "0").rejections == (m >= 3.841459).sum()
    assert_raises(lambda: found.test("RCP = 5", "0"), r"`plan` must be one of blocked, .* got plan='RCP = 5' and point='0'", KeyError)


@pytest.mark.complete
def test_the_large_difference_is_that_of_the_paper(data_folder):
    """v = 4.64 against v = 30.09, by training on a few sets: the difference of the error rates, and ours against our tree."""
    found, ours = random_partitions.printed_error_differences(), random_partitions.calibrated_v()
    source = Letter(data_dir=data_folder)
    data = source.draw(np.random.default_rng(4), 12, 150)
    weights = [letter_weights(v) for v in (30.09, 4.64, ours["0"], ours["large"])]
    learners = [replace(source.learners[1], weights=each) for each in weights]
    errors = np.array([[error_rate(learner, source.records, one) for learner in learners] for one in data])
    for a, b in ((0, 1), (2, 3)):
        apart = errors[:, a] - errors[:, b]
        assert apart.mean() == pytest.approx(found["large"], abs=4 * apart.std(ddof=1) / np.sqrt(len(apart)) + 0.003)
    assert partition_sets().points == ours


def test_table_6_and_thickness_of_a_violin():
    found = partition_sets()
    assert set(PRINTED_TABLE_6) == set(PLANS)
    shown = repr(found)
    for plan in PLANS:
        rate = found.rate(plan, "0")
        assert f"{PRINTED_TABLE_6[plan][0]} / {rate.rate:.3f} ± {rate.se:.3f}" in shown
    assert f"RCP = 4: {', '.join(format_plain(found.rate('RCP = 4', point).rate, 2) for point in LAMBDAS)}" in found.picture().text
    above = 100 * found.rate("RCP = 4", "0").rate
    assert f"above in {above:.1f} %" in found.violins("0").text
    assert found.violins("large").svg().startswith("<svg")
    x, at = np.random.default_rng(0).normal(5, 1, 4000), np.linspace(2, 8, 61)
    assert np.abs(density(x, at) - np.exp(-((at - 5) ** 2) / 2)).max() < 0.1
    assert density(np.full(10, 2.0), np.array([2.0])).tolist() == [1.0]


def test_verdicts_on_partitions_follow_from_the_numbers():
    expected = ["holds", "holds in part", "holds in part", "cannot be told", "does not hold", "does not hold"]
    assert [partial_verdict(signs) for signs in ([1, 1], [1, 0], [1, -1], [0, 0], [0, -1], [-1])] == expected
    rng = np.random.default_rng(2)
    # made up: blocked partitions stray most of all, and repetitions make no difference
    blocked = rng.integers(100, 400, (400, 12, 2))
    random = np.full((400, 12, 2, 5), 50) + rng.integers(-5, 6, (400, 12, 2, 1))
    made_up = PartitionSets(
        {"points": partition_sets().points, "data_sets": 400, "blocked": encode_integers(blocked), "random": encode_integers(random)}
    )
    said = {claim.states: claim.verdict for claim in partition_claims(made_up)}
    assert said["The type I error is smallest with blocked partitions"] == "does not hold"
    assert said["Var(E) is smallest with blocked partitions, without a difference"] == "does not hold"
    assert said["It grows with RCP, with a large one"] == "cannot be told"
    assert {claim.where for claim in partition_claims()} == {"5.3, Table 6", "5.3, Figure 5", "5.3, Figure 6"}


# -- the digits --------------------------------------------------------------------------------------------------------------
def written(folder, name, magic, data):
    head = np.array([magic, *data.shape], ">i4").tobytes()
    (folder / "mnist").mkdir(exist_ok=True)
    (folder / "mnist" / name).write_bytes(gzip.compress(head + data.astype(np.uint8).tobytes()))


def test_images_are_read_and_made_small(tmp_path):
    pixels, labels = np.random.default_rng(0).integers(0, 256, (6, 28, 28)), np.array([3, 1, 4, 1, 5, 9])
    written(tmp_path, "t10k-images-idx3-ubyte.gz", 0x803, pixels)
    written(tmp_path, "t10k-labels-idx1-ubyte.gz", 0x801, labels)
    source = Digits(n=4, data_dir=tmp_path)
    x, y = source.records
    assert (x.shape, y.tolist()) == ((6, 14, 14), labels.tolist())
    assert x[2, 3, 5] == pytest.approx(pixels[2, 6:8, 10:12].mean() / 255)
    ((images, truth),) = source.draw(np.random.default_rng(1), 1)
    assert (images.shape, len(truth)) == ((4, 14, 14), 4)
    assert_raises(lambda: Digits(scale="paper", data_dir=tmp_path).records, r"the digits cannot be read from .*train-images-idx3-ubyte.gz")
    written(tmp_path, "train-images-idx3-ubyte.gz", 0x802, pixels)
    assert_raises(lambda: Digits(scale="paper", data_dir=tmp_path).records, "must hold bytes with 3 axes in the IDX format")


def test_settings_of_the_digits():
    assert (Digits().n, Digits(scale="paper").n, Digits(scale="test").n) == (1000, 10_000, 10_000)
    assert [make_source(name, 0.0).scale for name in DIGITS.values()] == ["paper", "test", "small"]
    assert repr(make_source("MNIST small", 0.1)) == "Digits(dropout=0.1, scale='small', n=1000)"
    a, b = Digits(0.2).learners
    assert a is Digits(0.0).learners[0]  # one training for all points of a curve
    assert (a.dropout, a.stream, b.dropout, b.stream) == (0.0, 0, 0.2, 1)
    assert Digits(scale="paper").learners[0].get_params() == {"dropout": 0.0, "stream": 0, **SCALES["paper"], "random_state": None}
    assert_raises(lambda: Digits(scale="large"), "`scale` must be 'small' or 'paper' or 'test'; got 'large'")
    assert_raises(lambda: Digits(1.0), r"`dropout` must be at least 0 and below 1; got 1.0")


def test_without_pytorch_it_is_said_how_to_get_it(tmp_path, capsys):
    written(tmp_path, "t10k-images-idx3-ubyte.gz", 0x803, np.zeros((2, 28, 28)))
    written(tmp_path, "t10k-labels-idx1-ubyte.gz", 0x801, np.arange(2))
    asked = ["reproduce", "bcv", "--part", "mnist_small", "--again", "--save", str(tmp_path / "made"), "--data", str(tmp_path)]
    assert cli.main(asked) == 1
    assert "a network needs torch, which is not installed" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
    with pytest.raises(
        ImportError, match=r'a network needs torch, which is not installed. Run `pip install "fstats-classifiers\[digits\]"'
    ):
        ConvolutionalNetwork().fit(np.zeros((4, 14, 14)), [0, 1, 0, 1])


def test_a_small_network_learns(torch):
    """Bars that lie or stand: a toy that a network of two filters tells apart; two streams are two networks."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=120)
    x = rng.uniform(0, 0.2, (120, 14, 14))
    for image, kind, place in zip(x, y, rng.integers(3, 11, 120)):
        image[(place, slice(None)) if kind else (slice(None), place)] = 1.0
    small = {"filters": (2, 4), "kernel": 3, "hidden": 8, "epochs": 12, "batch": 20, "step": 0.01}
    before = torch.random.get_rng_state().tolist()
    fitted = [
        ConvolutionalNetwork(dropout, stream, **small, random_state=1).fit(x[:90], y[:90])
        for dropout, stream in ((0, 0), (0, 0), (0, 1), (0.3, 0))
    ]
    said = [one.predict(x[90:]) for one in fitted]
    assert (said[0] == y[90:]).mean() > 0.9
    states = [next(iter(one._network.parameters())).detach().numpy() for one in fitted]
    assert np.array_equal(states[0], states[1])
    assert not np.array_equal(states[0], states[2])
    assert not np.array_equal(states[0], states[3])
    assert torch.random.get_rng_state().tolist() == before
    with pytest.raises(ValueError, match=r"`X` must hold square images, shape \(n, side, side\); got \(120, 196\)"):
        ConvolutionalNetwork(**small).fit(x.reshape(120, 196), y)
    with pytest.raises(
        ValueError, match="images must be large enough for two convolutions with a kernel of 7 and two poolings; got images of 14 x 14"
    ):
        ConvolutionalNetwork(**small | {"kernel": 7}).fit(x, y)


def made_up_row(rate, count=20, source="MNIST small"):
    bits = base64.b64encode(np.packbits(np.arange(count) < round(rate * count)).tobytes()).decode()
    points = {"0": {"value": 0.0, "failed": {}, "rejected": dict.fromkeys(TESTS["14"], bits)}}
    return [{"about": {}, "source": source, "tests": "14", "data_sets": count, "points": points}]


def test_the_row_of_the_digits():
    table = digits_row(made_up_row(0.1))
    assert [line[0] for line in table.lines] == list(PRINTED_MNIST)
    assert table.lines[0][1].startswith("0.250 ± 0.04")
    assert table.lines[0][2].startswith("0.100 ± 0.0")
    assert float(table.lines[0][3]) == pytest.approx(stats.fisher_exact([[25, 75], [2, 18]])[1], abs=5e-5)
    assert "reduced" in table.title
    assert any("records in a data set: 10,000; here 1,000" in str(note) for note in table.notes)
    (level,) = digits_row(made_up_row(0.1, source=DIGITS["mnist"])).notes  # that of the verdicts, and nothing is reduced
    assert str(level).startswith("Fisher's exact p below 0.0036 (0.05 divided among 14 tests)")
    _, population = digits_row(made_up_row(0.1, source=DIGITS["mnist_test"])).notes  # the paper's networks, from other images
    assert str(population) == "Reduced.  population: 60,000 training images of 28 x 28; here 10,000 test images of 28 x 28."
    # four of eight: beside 25 of 100 chance, not beside 6
    verdicts = {line[0]: line[4] == "differs" for line in digits_row(made_up_row(0.5, 8)).lines}
    assert not verdicts["ResampledT"]
    assert verdicts["HoldOutMcNemar"]
    assert_raises(lambda: digits_row([]), "no results of the digits are stored. Run")


def test_stored_digits_are_reduced_and_say_so():
    for one in stored_results("digits"):
        assert (one["source"], set(one["points"]["0"]["rejected"])) == ("MNIST small", set(TESTS["14"]))
        assert one["about"]["command"] == "fstats reproduce bcv --part mnist_small --again"


@pytest.mark.slow
@pytest.mark.needs("torch")
def test_a_stored_data_set_of_digits_comes_out_again(data_folder):
    from fstats.studies.bcv.rejection_decisions import decisions

    (run,) = stored_results("digits")
    r = int(np.random.default_rng().integers(run["data_sets"]))
    unit = unit_ranges("MNIST small", run["data_sets"])[r] | {"tests": "14", "points": {"0": 0.0}}
    found, failed = decisions(unit, np.random.SeedSequence(SEED), data_dir=data_folder)
    told = {test: bcv.Rejections([run]).rejected("MNIST small", "0", test)[r] for test in TESTS["14"]}
    assert not failed
    assert {test: bool(bits[0]) for test, bits in found["0"].items()} == {test: bool(bit) for test, bit in told.items()}


def test_the_smallest_scale_goes_through_the_harness(tmp_path, monkeypatch, capsys):
    """With a stand-in for the network, which needs no PyTorch: the part is computed, kept, and read again."""
    from sklearn.base import BaseEstimator

    class Stub(BaseEstimator):
        def __init__(self, stream=0):
            self.stream = stream

        def check_pytorch(self):
            pass

        def fit(self, x, y):  # noqa: ARG002
            self._classes = np.unique(y)
            return self

        def predict(self, x):
            return self._classes[(x[:, self.stream, 0] * 255).astype(int) % len(self._classes)]

    pixels, labels = np.random.default_rng(0).integers(0, 256, (80, 28, 28)), np.arange(80) % 2
    written(tmp_path, "t10k-images-idx3-ubyte.gz", 0x803, pixels)
    written(tmp_path, "t10k-labels-idx1-ubyte.gz", 0x801, labels)
    pair = Stub(0), Stub(1)
    monkeypatch.setattr(mnist_digits, "_network", lambda *settings: pair[settings[-1]])
    monkeypatch.setattr("fstats.studies.bcv.bcv_design.DIGITS_SETS", 2)
    bcv.make("mnist_small", folder=tmp_path / "made", store=tmp_path / "store", data_dir=tmp_path, progress=False)
    assert capsys.readouterr().out.startswith("mnist_small, MNIST small: 2 data sets, ")
    (run,) = stored_results("digits", tmp_path / "made")
    assert (run["data_sets"], len(digits_row([run]).lines)) == (2, 14)


# -- the page ----------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_every_table_and_figure_is_there():
    table = bcv_paper.tables_and_figures()
    named = [line[0] for line in table.lines]
    assert [f"Table {k}" for k in range(1, 7)] == [name for name in named if name.startswith("Table") and "," not in name]
    assert [f"Figure {k}" for k in range(1, 7)] == [name for name in named if name.startswith("Figure")]
    assert all(cell for line in table.lines for cell in line)


@pytest.mark.complete
def test_the_page_says_what_the_results_say():
    lines = {line[0]: line for line in bcv_paper.tables_and_figures().lines}
    assert lines["Table 3"][3] == "agrees"
    first = [frozenset(each) for each in bcv_paper.TABLE_3]
    plan = BlockRegularizedCV(random_state=1)
    blocks = plan.blocks(64)
    for printed, (train, _) in zip(first, list(plan.split(range(64)))[::2], strict=True):
        assert frozenset(blocks[train] + 1) == printed
    assert f"{len(cloud())} pairs on 26 data sets" in lines["Figure 1"][2]
    table = bcv.table5()
    printed = [cell for cell in table if cell.printed is not None]
    assert lines["Table 5"][3].startswith(f"{len(printed) - len(table.differing)} of {len(printed)} agree within chance")
    found = bcv.partition_sets()
    p = []
    for plan, (printed, *_) in PRINTED_TABLE_6.items():
        here, there = found.rate(plan, "0").rejections, round(1000 * float(printed))
        p.append(stats.fisher_exact([[there, 1000 - there], [here, found.data_sets - here]])[1])
    agreeing = sum(one >= 0.05 / 6 for one in p)
    assert lines["Table 6"][3].startswith(f"{agreeing} of 6 rates agree within chance (Fisher's exact test, 0.05 shared among them); ")
    assert lines["Table 5, MNIST"][3].endswith("not: HoldOutMcNemar")
    assert lines["Figure 3"][3] == "the printed rates are those of training sets of n/2 records"


@pytest.mark.complete
def test_every_claim_of_section_5_has_a_verdict():
    every = bcv_paper.claims()
    assert Counter(claim.where[:3] for claim in every).keys() == {"5.1", "5.2", "5.3"}
    assert all(claim.verdict and claim.because for claim in every)
    counted = bcv_paper.verdicts()
    assert sum(sum(line[1:]) for line in counted.lines) == len(every)
    assert "What section 5 observes" in every._repr_html_()


# -- the explorer ------------------------------------------------------------------------------------------------------------
MOVES = [{}, {"data": 0}, {"data": 25, "pair": 0}, {"pair": 7}, {"pair": 2}, {"data": 17, "pair": 14}]


@pytest.mark.parametrize("moves", MOVES, ids=str)
def test_every_number_of_the_explorer_is_that_of_the_cloud(moves):
    explorer = explore.correlations()
    explorer.move(**moves)
    at = {"data": SETS.index("letter"), "pair": PAIRS.index(("tree", "neighbours"))} | moves
    one = cloud()[SETS[at["data"]], *PAIRS[at["pair"]]]
    assert {control["name"]: control["value"] for control in explorer.view["controls"]} == at
    said = explorer.view["conclusion"]
    assert said.startswith(f"{one.a} and {one.b} on {one.data_set}: exactly one is wrong on {100 * one.share:.1f} % of the records.")
    assert f"rho1 = {one.rho1:.3f} ± {one.se1:.3f} and rho2 = {one.rho2:.3f} ± {one.se2:.3f}" in said
    worth, deciding = 10 / (1 + one.rho1 + 8 * one.rho2), cloud("differences")[SETS[at["data"]], *PAIRS[at["pair"]]]
    to_the_test = 10 / (1 + deciding.rho1 + 8 * deciding.rho2) / deciding.variance
    assert f"For them, ten tables are worth {format_plain(to_the_test, 3)} independent ones, " in said
    assert ("fewer than the 1.82 that the test assumes" in said) == (to_the_test < 20 / 11)
    shown = dict(re.findall(r'data-step="(\w+)">(?:<strong>)?([^<]*)<', explorer.view["work"]))
    variance = (1 + one.rho1 + 8 * one.rho2) / 1500 * one.share * (1 - one.share)
    expected = {"rho1": one.rho1, "rho2": one.rho2, "n": 300, "e": one.share, "variance": variance, "t": worth}
    assert {name: shown[name] for name in expected} == {name: format_plain(value) for name, value in expected.items()}
    assert explorer.view["pictures"] == [cloud().picture([one.data_set], one).svg()]


def test_an_explorer_of_what_is_not_there():
    message = r"`data` must be one of australian, balance, car, ..., yeast, the positions of its slider; got 'iris'"
    assert_raises(lambda: explore.correlations(data="iris"), message)
    assert_raises(lambda: explore.correlations(pair=("tree", "forest")), "`pair` must be one of")
