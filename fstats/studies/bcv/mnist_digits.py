"""The digits: a convolutional network against itself with dropout, at the paper's scale and at one that a processor can manage.

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
from ...simulate.batch_classifiers import BatchClassifier
from ...simulate.training_sources import LabelledRecords, TableSource
from ..data_folder import data_folder
from ..study_files import format_rate, printed_figures
from .bcv_design import ALPHA, DIGITS
from .stored_rejections import Rejections, stored_results
from .table5 import ErrorBeside

DROPOUTS = ("0", "0.1", "0.2", "0.3", "0.4")  # the x axis of Figure 4's last plot
PRINTED_MNIST: dict[str, str] = printed_figures(__package__)["mnist"]
SCALES: dict[str, dict[str, Any]] = {
    # What the paper does not say: the optimizer.  Adam, with its usual step, is taken.
    "paper": {"filters": (32, 64), "kernel": 5, "hidden": 500, "epochs": 250, "batch": 128, "step": 1e-3},
    "small": {"filters": (8, 16), "kernel": 3, "hidden": 64, "epochs": 10, "batch": 100, "step": 1e-2},
}
PRINTED_REDUCTIONS: list[dict[str, str]] = printed_figures(__package__)["reduced"]  # what differs at the small scale


@dataclass(eq=False)
class ConvolutionalNetwork(BatchClassifier):
    """Convolution, pooling, convolution, pooling, dense layer, softmax; with dropout before the dense layer.

    Parameters
    ----------
    dropout : float
        Share of the dense layer's input that is dropped in training.
    stream : int
        Two networks with different streams start, shuffle and drop differently, whatever seed both are given.
    filters, kernel, hidden, epochs, batch, step
        Architecture and training.
    random_state : int, optional
        Seed; a comparison gives each split its own.

    Raises
    ------
    ImportError
        When fitted, without PyTorch: it says how to get it.
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
        """Train on images, shape (n, side, side), and their classes."""
        torch = _import_torch()
        self._classes, codes = np.unique(y, return_inverse=True)
        images, targets = _images(torch, X), torch.as_tensor(codes, device=_device(torch))
        seed = np.random.SeedSequence(self.random_state, spawn_key=(self.stream,)).generate_state(1)[0]
        with torch.random.fork_rng(), torch.enable_grad():
            torch.manual_seed(int(seed))
            self._network = self._built(torch, images.shape[-1], len(self._classes)).to(_device(torch))
            optimizer = torch.optim.Adam(self._network.parameters(), self.step)
            loss = torch.nn.CrossEntropyLoss()
            for _ in range(self.epochs):
                for some in torch.randperm(len(targets)).split(self.batch):
                    optimizer.zero_grad()
                    loss(self._network(images[some]), targets[some]).backward()
                    optimizer.step()
        self._network.eval()
        return self

    def ready(self) -> None:
        """Raise an error if PyTorch is not there: before anything is computed."""
        _import_torch()

    def _built(self, torch: Any, side: int, classes: int) -> Any:
        first, second = self.filters
        left = ((side - self.kernel + 1) // 2 - self.kernel + 1) // 2
        if left < 1:
            convolutions = f"two convolutions with a kernel of {self.kernel} and two poolings"
            raise ValueError(f"images of {side} x {side} are too small for {convolutions}")
        layer = torch.nn
        return layer.Sequential(
            *(layer.Conv2d(1, first, self.kernel), layer.ReLU(), layer.MaxPool2d(2)),
            *(layer.Conv2d(first, second, self.kernel), layer.ReLU(), layer.MaxPool2d(2)),
            *(layer.Flatten(), layer.Dropout(self.dropout), layer.Linear(second * left**2, self.hidden), layer.ReLU()),
            layer.Linear(self.hidden, classes),
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest output."""
        torch = _import_torch()
        with torch.no_grad():
            found = [self._network(some).argmax(1).cpu().numpy() for some in _images(torch, X).split(1000)]
        return self._classes[np.concatenate(found)]


def _import_torch() -> Any:
    with require_extra("digits", "a network"):
        import torch
    return torch


def _device(torch: Any) -> str:
    """Where networks are trained: on a GPU, if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def _images(torch: Any, x: Any) -> Any:
    images = np.asarray(x, np.float32)
    if images.ndim != 3 or images.shape[1] != images.shape[2]:
        raise ValueError(f"X must hold square images, shape (n, side, side); got {images.shape}")
    return torch.as_tensor(images, device=_device(torch))[:, None]


@cache
def _network(scale: str, dropout: float, stream: int) -> ConvolutionalNetwork:
    """One object for each setting, so that all points of a curve share the training of the network without dropout."""
    return ConvolutionalNetwork(dropout, stream, **SCALES[scale])


@dataclass(frozen=True)
class Digits(TableSource):
    """Handwritten digits: A is a convolutional network, B the same with dropout.

    Parameters
    ----------
    dropout : float
        From 0 to below 1; at 0 H0 is true.
    scale : {"small", "paper"}
        Networks and images; ``PRINTED_REDUCTIONS`` tells what differs.
    n : int, optional
        Records, drawn with replacement; by default 1,000 or 10,000.
    data_dir : path, optional
        The folder in which there is a folder ``mnist`` with the files of images and labels; by default that of FSTATS_DATA.

    Raises
    ------
    ValueError
        For settings outside their range; when drawn, for a folder without the files.

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
        check.choice("small", "paper")(self.scale, "scale")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be a share from 0 to below 1; got {self.dropout!r}")
        size = self.n or {"small": 1000, "paper": 10_000}[self.scale]
        object.__setattr__(self, "n", int(check.count(2)(size, "n")))

    def __repr__(self) -> str:
        return f"Digits(dropout={self.dropout!r}, scale={self.scale!r}, n={self.n!r})"

    @property
    def learners(self) -> tuple[ConvolutionalNetwork, ConvolutionalNetwork]:
        """Without and with dropout."""
        return _network(self.scale, 0.0, 0), _network(self.scale, self.dropout, 1)

    @property
    def records(self) -> LabelledRecords:
        """The images of the population, from 0 to 1, and their digits."""
        return _population(self.scale, data_folder(self.data_dir))


@cache
def _population(scale: str, folder: Path) -> LabelledRecords:
    name = {"small": "t10k", "paper": "train"}[scale]
    pixels, y = (_read_idx(folder / "mnist" / f"{name}-{kind}-ubyte.gz", axes) for kind, axes in (("images-idx3", 3), ("labels-idx1", 1)))
    x = pixels.astype(np.float32) / 255
    if scale == "small":
        x = x.reshape(len(x), 14, 2, 14, 2).mean((2, 4))
    return x, y.astype(np.int64)


def _read_idx(path: Path, axes: int) -> NDArray[np.uint8]:
    """A file of the IDX format: a magic number that tells type and axes, their lengths, then bytes."""
    try:
        data = gzip.decompress(path.read_bytes())
    except OSError as error:
        raise ValueError(f"the digits cannot be read from {path}: {error}") from None
    head = np.frombuffer(data[: 4 * (axes + 1)], ">i4")
    if head[0] != 0x0800 + axes or len(data) != 4 * (axes + 1) + np.prod(head[1:]):
        raise ValueError(f"{path} is no file of bytes with {axes} axes in the IDX format")
    return np.frombuffer(data, np.uint8, offset=4 * (axes + 1)).reshape(head[1:])


# -- what comes of it --------------------------------------------------------------------------------------------------------
def digits_row(runs: Sequence[Mapping[str, Any]] | None = None) -> Table:
    """Table 5's column of the digits, printed beside ours, each with its standard error; from the stored results unless
    others are handed in.

    Fisher's exact test says whether chance explains the difference: on so few data sets standard errors alone would mislead.
    """
    found = Rejections(stored_results("digits") if runs is None else runs)
    if not found.kept:
        raise ValueError("no results of the digits are kept: fstats reproduce bcv --part mnist_small --again --save DIR computes them")
    lines, least = [], ALPHA / len(PRINTED_MNIST)
    for test, figure in PRINTED_MNIST.items():
        rate = found.rate(found.kept[0]["source"], "0", test)
        assert rate is not None
        cell = ErrorBeside("MNIST", test, figure, rate, printed_sets=100)
        verdict = "within chance" if cell.p >= least else "differs"
        lines.append([test, f"{figure} ± {cell.printed_se:.3f}", format_rate(rate), f"{cell.p:.4f}", verdict])
    run = found.kept[0]
    reduced = run["source"] == DIGITS["mnist_small"]
    ours = f"{run['data_sets']} data sets{', reduced' * reduced}"
    title = f"Digits, no dropout in either network: type I errors, printed (100 data sets) beside ours ({ours})"
    level = f"Fisher's exact p below {least:.2g}, {ALPHA} shared among {len(PRINTED_MNIST)} tests, is more than chance explains."
    notes = [level] + [
        "Reduced.  {what}: {paper}; here {here}.".format(**one) for one in PRINTED_REDUCTIONS if reduced and one["here"] != "the same"
    ]
    return Table(("test", "printed", "ours", "Fisher's p", "verdict"), lines, title, notes=notes)
