"""Networks of the digits that are trained together: the predictions, stores and results are those of networks trained one by one."""

import gzip
import json
from argparse import Namespace
from functools import partial

import numpy as np
import pytest
from shortcuts import assert_raises

from fstats.studies import bcv
from fstats.studies.bcv import digits_on_gpu, mnist_digits
from fstats.studies.bcv.digits_on_gpu import DigitsTrainer, _convolve_groups, _convolve_products, main, operations, train_together
from fstats.studies.bcv.mnist_digits import SCALES, ConvolutionalNetwork, Digits
from fstats.studies.bcv.stored_rejections import stored_results

TINY = {"filters": (2, 4), "kernel": 3, "hidden": 8, "epochs": 4, "batch": 32, "step": 0.01}


def images_of_digits(n, side, rng):
    """Noise with a bright bar; the class is the place of the bar."""
    y = rng.integers(10, size=n)
    x = rng.integers(0, 120, (n, side, side))
    x[np.arange(n), :, y * side // 10] = 255
    return x, y


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of test images, with data sets of 80 images and tiny networks."""
    pair = [ConvolutionalNetwork(0.0, stream, **TINY | {"epochs": 1}) for stream in (0, 1)]
    monkeypatch.setattr(mnist_digits, "_network", lambda *settings: pair[settings[-1]])
    monkeypatch.setattr("fstats.studies.bcv.source_factory.Digits", partial(Digits, n=80))
    (tmp_path / "mnist").mkdir()
    for name, data in zip(("images-idx3", "labels-idx1"), images_of_digits(300, 28, np.random.default_rng(5))):
        head = np.array([0x800 + data.ndim, *data.shape], ">i4").tobytes()
        (tmp_path / "mnist" / f"t10k-{name}-ubyte.gz").write_bytes(gzip.compress(head + data.astype(np.uint8).tobytes()))
    return tmp_path


def lines_of(path):
    """The store without times: what the computation was, and the result of each unit."""
    first, *lines = map(json.loads, path.read_text().splitlines())
    return first["about"], [line for line in lines if "unit" in line]


def test_operations_of_the_paper():
    forward = 2 * (24 * 24 * 32 * 25 + 8 * 8 * 64 * 32 * 25 + 4 * 4 * 64 * 500 + 500 * 10)
    network = ConvolutionalNetwork(**SCALES["paper"])
    assert operations(network, 28, 0, 7) == 7 * forward
    assert operations(network, 28, 9, 0) == 250 * 9 * (3 * forward - 2 * 24 * 24 * 32 * 25)


@pytest.mark.parametrize("scale", ["paper", "small"])
def test_operations_are_those_that_pytorch_counts(torch, scale):
    from torch.utils.flop_counter import FlopCounterMode

    network, side = ConvolutionalNetwork(**SCALES[scale]), {"paper": 28, "small": 14}[scale]
    with FlopCounterMode(display=False) as counter:
        network._build_network(torch, side, 10)(torch.zeros(3, 1, side, side)).sum().backward()
    assert counter.get_total_flops() * network.epochs == operations(network, side, 3, 0)


@pytest.mark.parametrize("convolutions", [[_convolve_groups] * 2, [_convolve_products] * 2, []], ids=["groups", "products", "faster"])
def test_networks_trained_together_predict_what_each_predicts_alone(torch, convolutions):
    rng, networks = np.random.default_rng(3), [ConvolutionalNetwork(0.0, k % 2, **TINY, random_state=k // 2) for k in range(6)]
    x, y = images_of_digits(200, 14, rng)
    x = (x / 255).astype(np.float32)
    rows = np.array([rng.permutation(200) for _ in networks])
    train, test = rows[:, :150], rows[:, 150:]
    alone = np.array([one.fit(x[a], y[a]).predict(x[b]) for one, a, b in zip(networks, train, test)])
    losses = []
    settings = {"precision": "float32", "report": lambda _, loss: losses.append(loss), "convolutions": [*convolutions]}
    before = torch.random.get_rng_state().tolist()
    together = train_together(networks, torch.as_tensor(x)[:, None], torch.as_tensor(y), train, test, **settings)
    assert torch.random.get_rng_state().tolist() == before
    assert (together == alone).mean() >= 0.99  # rounding may decide between two nearly equal outputs
    assert len(np.unique(alone)) > 2
    assert len(losses) == TINY["epochs"]
    assert losses[-1] < losses[0]
    another_order = train_together(networks[::-1], torch.as_tensor(x)[:, None], torch.as_tensor(y), train, test, **settings)
    assert (another_order == alone).mean() < 0.9  # other initial weights and batches are noticed
    settings["precision"] = "bfloat16"
    rounded = train_together(networks, torch.as_tensor(x)[:, None], torch.as_tensor(y), train, test, **settings)
    assert (rounded == alone).mean() > 0.7
    dropout = [ConvolutionalNetwork(0.5, **TINY)]
    assert_raises(lambda: train_together(dropout, x, y, train, test, **settings), "networks that are trained together must have no dropout")


@pytest.mark.needs("torch")
def test_store_and_results_are_those_of_the_existing_study(folder, capsys):
    """Two data sets, trained together and ahead; then the existing study reads the store of the other program."""
    mine, theirs = folder / "mine", folder / "theirs"
    assert main([str(folder), "--small", "--data-sets", "2", "--store", str(mine)]) == 0
    out, progress = capsys.readouterr()
    assert out.startswith("Population: the 10,000 test images of MNIST, made smaller (14 x 14); the paper used the 60,000 training images")
    assert "2 data sets of 334 networks: " in out
    assert "BlockedFiveByTwoMcNemar" in out
    assert "data sets 1 to 2 of 2, 500 networks on 72 records: epoch 1, loss " in progress
    bcv.make("mnist_small", data_sets=2, folder=theirs, store=theirs, data_dir=folder, progress=False)
    name = "digits_MNIST_small.jsonl"
    assert lines_of(mine / name) == lines_of(theirs / name)
    (a,), (b,) = (stored_results("digits", each) for each in (mine, theirs))
    assert {key: a[key] for key in a if key != "about"} == {key: b[key] for key in b if key != "about"}
    text = (mine / name).read_text()
    bcv.make("mnist_small", data_sets=2, folder=folder / "again", store=mine, data_dir=folder, progress=False)
    assert (mine / name).read_text() == text  # all units are there already


@pytest.mark.needs("torch")
def test_predictions_of_every_split_are_those_of_the_existing_study(folder):
    trainer = DigitsTrainer("mnist_small", 2, Namespace(folder=folder, together=700, precision="float32", minutes=60))
    seed = np.random.SeedSequence(bcv.bcv_design.SEED, spawn_key=(5, 1, 1, 0))
    cache = trainer(None, None, seed, frozenset())
    alone = type(cache)(cache.X, cache.y, cache.seed, cache.classes)  # nothing is trained yet
    shares = [
        (cache.cache[id(network), plan, "splits"] == alone.correct_predictions(network, plan, "splits")).mean()
        for network in trainer.source.learners
        for plan in digits_on_gpu.PLANS
    ]
    assert len(shares) == 16
    assert min(shares) >= 0.99


@pytest.mark.needs("torch")
def test_an_interrupted_run_keeps_what_is_finished_and_continues(folder, capsys, monkeypatch):
    run = [str(folder), "--data-sets", "2", "--together", "100", "--precision", "bfloat16", "--store"]
    assert main([*run, str(folder / "whole")]) == 0
    assert (
        "the 10,000 test images of MNIST; the paper used the 60,000 training images, which are not in the folder" in capsys.readouterr().out
    )
    assert main([*run, str(folder / "short"), "--minutes", "0"]) == 3
    assert "The time is over: 0 of 2 data sets are finished; the same command continues." in capsys.readouterr().out
    assert not [*(folder / "short").glob("*.json")]
    train, titles = DigitsTrainer.train, []

    def interrupted(self, caches, title):
        titles.append(title)
        if len(titles) == 2:
            raise KeyboardInterrupt
        train(self, caches, title)

    monkeypatch.setattr(DigitsTrainer, "train", interrupted)
    assert main([*run, str(folder / "short")]) == 3
    assert "Interrupted: 1 of 2 data sets are finished" in capsys.readouterr().out
    (result,) = stored_results("digits", folder / "short")
    assert (result["source"], result["data_sets"]) == ("MNIST test images", 1)
    assert main([*run, str(folder / "short")]) == 0
    assert titles == ["data sets 1 to 1 of 2", "data sets 2 to 2 of 2", "data sets 2 to 2 of 2"]
    whole, short = (lines_of(folder / name / "digits_MNIST_test_images.jsonl") for name in ("whole", "short"))
    assert whole == short
    assert whole[0]["arguments"]["precision"] == "bfloat16"
    assert main([*run[:-3], "--precision", "float32", "--store", str(folder / "short")]) == 1
    assert "precision there only" in capsys.readouterr().err


def test_without_pytorch_it_is_said_how_to_get_it(tmp_path, capsys):
    assert main([str(tmp_path), "--store", str(tmp_path / "store")]) == 1
    assert 'a network needs torch, which is not installed. Run `pip install "fstats-classifiers[digits]"' in capsys.readouterr().err
    assert not (tmp_path / "store").exists()
