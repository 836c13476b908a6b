"""Convolutional networks for handwritten digits (MNIST).

The 5x2 BCV paper has networks with and without dropout; small ones run on a CPU.

The networks are trained by PyTorch, an optional extra: ``pip install "fstats-classifiers[digits]"``.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...core.validation import check
from ...render.display_table import Table
from ...runtime.optional_dependencies import require_extra
from ...simulate.simulation_classifiers import SimulationClassifier
from ...simulate.training_sources import LabelledRecords, TableSource
from ..data_folder import data_folder
from ..study_files import format_rate, printed_figures
from .bcv_design import ALPHA, DIGITS
from .stored_rejections import Rejections, stored_results
from .table5 import ErrorBeside

PRINTED_MNIST: dict[str, str] = printed_figures(__package__)["mnist"]
SCALES: dict[str, dict[str, Any]] = {
    # the paper does not name its optimizer, so the networks are trained by Adam with its usual step size
    "paper": {"filters": (32, 64), "kernel": 5, "hidden": 500, "epochs": 250, "batch": 128, "step": 1e-3},
    "small": {"filters": (8, 16), "kernel": 3, "hidden": 64, "epochs": 10, "batch": 100, "step": 1e-2},
}
SCALES["test"] = SCALES["paper"]  # networks and images as in the paper, but the images are drawn from the 10,000 test images
SCALE_OF_SOURCE = dict(zip(DIGITS.values(), ("paper", "test", "small"), strict=True))
PRINTED_REDUCTIONS: list[dict[str, str]] = printed_figures(__package__)["reduced"]  # differences of "small" and "test" from the paper


@dataclass(eq=False)
class ConvolutionalNetwork(SimulationClassifier):
    """Convolutional network: two convolutions, each followed by pooling, then dropout, a dense layer and softmax.

    Parameters
    ----------
    dropout : float
        Share of the inputs of the dense layer that is set to 0 in training.
    stream : int
        Number that distinguishes networks with the same seed: different streams have different starts, shuffles and dropouts.
    filters, kernel, hidden, epochs, batch, step
        Numbers of filters and hidden units, size of the kernel, and settings of the training.
    random_state : int, optional
        Seed of the training; a comparison gives each split its own seed.

    Raises
    ------
    ImportError
        If the network is fitted without PyTorch; the message says how to install PyTorch.
    """

    dropout: float = 0.0
    stream: int = 0
    filters: tuple[int, int] = (32, 64)
    kernel: int = 5
    hidden: int = 500
    epochs: int = 250
    batch: int = 128
    step: float = 1e-3
    random_state: int | None = None

    def fit(self, X: Any, y: Any) -> Self:
        """Train on images of shape (n, side, side) and their classes."""
        torch = _import_torch()
        self._classes, codes = np.unique(y, return_inverse=True)
        images, targets = _images(torch, X), torch.as_tensor(codes, device=_device(torch))
        with torch.random.fork_rng(), torch.enable_grad():
            torch.manual_seed(self.torch_seed)
            self._network = self._build_network(torch, images.shape[-1], len(self._classes)).to(_device(torch))
            optimizer = torch.optim.Adam(self._network.parameters(), self.step)
            loss = torch.nn.CrossEntropyLoss()
            for _ in range(self.epochs):
                for batch in torch.randperm(len(targets)).split(self.batch):
                    optimizer.zero_grad()
                    loss(self._network(images[batch]), targets[batch]).backward()
                    optimizer.step()
        self._network.eval()
        return self

    @property
    def torch_seed(self) -> int:
        """Seed of PyTorch for the initial weights, the order of the batches, and the dropout."""
        return int(np.random.SeedSequence(self.random_state, spawn_key=(self.stream,)).generate_state(1)[0])

    def check_pytorch(self) -> None:
        """Raise ImportError if PyTorch is missing, before anything is computed."""
        _import_torch()

    def _build_network(self, torch: Any, side: int, classes: int) -> Any:
        first, second = self.filters
        side_after_pooling = ((side - self.kernel + 1) // 2 - self.kernel + 1) // 2
        if side_after_pooling < 1:
            got = f"images of {side} x {side} pixels. Use larger images or a smaller kernel."
            raise ValueError(f"images must be large enough for two convolutions with a kernel of {self.kernel} and two poolings; got {got}")
        layer = torch.nn
        return layer.Sequential(
            *(layer.Conv2d(1, first, self.kernel), layer.ReLU(), layer.MaxPool2d(2)),
            *(layer.Conv2d(first, second, self.kernel), layer.ReLU(), layer.MaxPool2d(2)),
            *(layer.Flatten(), layer.Dropout(self.dropout), layer.Linear(second * side_after_pooling**2, self.hidden), layer.ReLU()),
            layer.Linear(self.hidden, classes),
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest output for each image."""
        torch = _import_torch()
        with torch.no_grad():
            classes = [self._network(batch).argmax(1).cpu().numpy() for batch in _images(torch, X).split(1000)]
        return self._classes[np.concatenate(classes)]


def _import_torch() -> Any:
    with require_extra("digits", "a network"):
        import torch
    return torch


def _device(torch: Any) -> str:
    """Return the device on which networks are trained: a GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def _images(torch: Any, x: Any) -> Any:
    images = np.asarray(x, np.float32)
    if images.ndim != 3 or images.shape[1] != images.shape[2]:
        raise ValueError(f"`X` must hold square images, shape (n, side, side); got {images.shape}")
    return torch.as_tensor(images, device=_device(torch))[:, None]


@cache
def _network(scale: str, dropout: float, stream: int) -> ConvolutionalNetwork:
    """Return one object for each setting, so that all points of a curve share the trained network without dropout."""
    return ConvolutionalNetwork(dropout, stream, **SCALES[scale])


@dataclass(frozen=True)
class Digits(TableSource):
    """Source of handwritten digits: A is a convolutional network, B is the same network with dropout.

    Parameters
    ----------
    dropout : float
        Dropout of B, from 0 to below 1; H0 is true at 0.
    scale : {"small", "paper", "test"}
        Scale of networks and images; ``PRINTED_REDUCTIONS`` lists the differences.  The population is the 10,000 test images, but the
        60,000 training images at the paper's scale.  test: the paper's networks with the 10,000 test images as the population.
    n : int, optional
        Number of records, drawn with replacement; by default 1,000 at the small scale, otherwise 10,000.
    data_dir : path, optional
        Folder whose subfolder ``mnist`` contains the files of images and labels; by default the folder in FSTATS_DATA.

    Raises
    ------
    ValueError
        For settings outside their range; also if the files are missing when data are drawn.

    References
    ----------
    LeCun, Bottou, Bengio and Haffner (1998), Gradient-based learning applied to document recognition, Proceedings of the IEEE 86, pages
    2278 to 2324.  Wang and Li, section 5.2, real-world data set 2.
    """

    dropout: float = 0.0
    scale: str = "small"
    n: int = 0
    data_dir: Any = None

    def __post_init__(self) -> None:
        check.choice("small", "paper", "test")(self.scale, "scale")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"`dropout` must be at least 0 and below 1; got {self.dropout!r}")
        size = self.n or {"small": 1000}.get(self.scale, 10_000)
        object.__setattr__(self, "n", int(check.count(2)(size, "n")))

    def __repr__(self) -> str:
        return f"Digits(dropout={self.dropout!r}, scale={self.scale!r}, n={self.n!r})"

    @property
    def learners(self) -> tuple[ConvolutionalNetwork, ConvolutionalNetwork]:
        """The networks without and with dropout."""
        return _network(self.scale, 0.0, 0), _network(self.scale, self.dropout, 1)

    @property
    def records(self) -> LabelledRecords:
        """The images of the population, with pixels from 0 to 1, and their digits."""
        return _population(self.scale, data_folder(self.data_dir))


@cache
def _population(scale: str, folder: Path) -> LabelledRecords:
    name = {"paper": "train"}.get(scale, "t10k")
    pixels, y = (_read_idx(folder / "mnist" / f"{name}-{kind}-ubyte.gz", axes) for kind, axes in (("images-idx3", 3), ("labels-idx1", 1)))
    x = pixels.astype(np.float32) / 255
    if scale == "small":
        x = x.reshape(len(x), 14, 2, 14, 2).mean((2, 4))
    return x, y.astype(np.int64)


def _read_idx(path: Path, axes: int) -> NDArray[np.uint8]:
    """Read a file in the IDX format: a magic number for type and axes, the lengths of the axes, then bytes."""
    try:
        data = gzip.decompress(path.read_bytes())
    except OSError as error:
        raise ValueError(f"the digits cannot be read from {path}: {error}") from None
    head = np.frombuffer(data[: 4 * (axes + 1)], ">i4")
    if head[0] != 0x0800 + axes or len(data) != 4 * (axes + 1) + np.prod(head[1:]):
        raise ValueError(f"the file {path} must hold bytes with {axes} axes in the IDX format. Download the file again.")
    return np.frombuffer(data, np.uint8, offset=4 * (axes + 1)).reshape(head[1:])


# -- the column of the digits in Table 5 -------------------------------------------------------------------------------------
def digits_row(runs: Sequence[Mapping[str, Any]] | None = None) -> Table:
    """Return the digits column of Table 5: printed and computed rates with standard errors, from stored or given results.

    Fisher's exact test decides whether chance explains a difference, because standard errors alone would mislead with few data sets.
    """
    rejections = Rejections(stored_results("digits") if runs is None else runs)
    if not rejections.results:
        raise ValueError("no results of the digits are stored. Run `fstats reproduce bcv --part mnist_small --again --save DIR`.")
    lines, least = [], ALPHA / len(PRINTED_MNIST)
    for test, figure in PRINTED_MNIST.items():
        rate = rejections.rate(rejections.results[0]["source"], "0", test)
        assert rate is not None
        cell = ErrorBeside("MNIST", test, figure, rate, printed_sets=100)
        verdict = "within chance" if cell.p >= least else "differs"
        lines.append([test, f"{figure} ± {cell.printed_se:.3f}", format_rate(rate), f"{cell.p:.4f}", verdict])
    run = rejections.results[0]
    column = {DIGITS["mnist_small"]: "here", DIGITS["mnist_test"]: "test"}.get(run["source"])
    reductions = [one | {"here": one[column]} for one in PRINTED_REDUCTIONS if column and one.get(column, "the same") != "the same"]
    ours = f"{run['data_sets']} data sets{', reduced' * bool(reductions)}"
    title = f"Digits, no dropout in either network: type I errors, printed (100 data sets) beside ours ({ours})"
    level = f"Fisher's exact p below {least:.2g} ({ALPHA} divided among {len(PRINTED_MNIST)} tests) is more than chance explains."
    notes = [level] + ["Reduced.  {what}: {paper}; here {here}.".format(**one) for one in reductions]
    return Table(("test", "printed", "ours", "Fisher's p", "verdict"), lines, title, notes=notes)
