"""Train many convolutional networks together on a GPU.

Run ``python -m fstats.studies.bcv.digits_on_gpu FOLDER --store DIR`` for the digits study.

The study is the one that ``fstats reproduce bcv --part mnist --again`` computes one network after the other.  Data sets, splits, initial
weights, order of the batches and optimizer are the same, so in float32 the predictions are equal up to rounding.  The files have the same
format; in float32, both programs can continue each other's store.  Bfloat16 rounds more, so its store is a different one.

FOLDER/mnist holds the images.  The paper draws its data sets from the 60,000 training images of MNIST (train-images-idx3-ubyte.gz).
If the folder has only the 10,000 test images (t10k-images-idx3-ubyte.gz), these are the population, and the results are stored as the
part mnist_test.  The program prints the population.  ``--small`` is the part mnist_small, whose networks a CPU can train.

At the paper's scale the study has 1.7e18 operations (100 data sets, each with 334 networks, trained for 250 epochs).  An H100 computes at
most 989e12 operations per second in bfloat16, so one run of 12 minutes is not enough for all data sets: ``--minutes`` ends a run in time
and saves the results of the finished data sets; the same command continues.  A data set that is not finished is computed again.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...comparing.model_evaluation import check_model
from ...comparing.splits import Split
from ...simulate.training_cache import TrainingCache, child_seed
from ..data_folder import data_folder
from .bcv_computation import SourcePart, compute_digits
from .bcv_design import DIGITS, DIGITS_REQUEST, DIGITS_SETS, TESTS, unit_ranges, unit_seed
from .mnist_digits import ConvolutionalNetwork, Digits, _device, _images, _import_torch, digits_row
from .rejection_decisions import decisions_of_unit
from .source_factory import make_source
from .stored_rejections import collect_units, stored_results

PLANS = dict.fromkeys(test.plan for test, _ in TESTS[DIGITS_REQUEST["tests"]].values())
PEAK = {"float32": 67e12, "bfloat16": 989e12}  # maximum operations per second of an H100 (SXM), from its data sheet
POPULATIONS = {
    "paper": "the 60,000 training images of MNIST, as in the paper",
    "test": "the 10,000 test images of MNIST; the paper used the 60,000 training images, which are not in the folder",
    "small": "the 10,000 test images of MNIST, made smaller (14 x 14); the paper used the 60,000 training images of 28 x 28",
}


# -- number of operations ----------------------------------------------------------------------------------------------------
def operations(network: ConvolutionalNetwork, side: int, n_train: int, n_test: int, classes: int = 10) -> int:
    """Return the number of multiplications and additions of one network, in training and in the prediction of its test set.

    The backward pass takes twice the operations of the forward pass, but in the first convolution only as many,
    because no gradient of the images is needed.
    """
    (first, second), area = network.filters, network.kernel**2
    inner = (outer := side - network.kernel + 1) // 2 - network.kernel + 1
    start = 2 * outer**2 * area * first
    forward = start + 2 * (inner**2 * area * first * second + (inner // 2) ** 2 * second * network.hidden + network.hidden * classes)
    return network.epochs * n_train * (3 * forward - start) + n_test * forward


# -- training of stacked networks --------------------------------------------------------------------------------------------
def _convolve_groups(x: Any, weight: Any, bias: Any) -> Any:
    """Convolve the images (batch, network, channel, side, side) of each network with its own filters, as one grouped convolution."""
    y = _import_torch().conv2d(x.flatten(1, 2), weight.flatten(0, 1), bias.flatten(), groups=len(weight))
    return y.unflatten(1, weight.shape[:2])


def _convolve_products(x: Any, weight: Any, bias: Any) -> Any:
    """Return the same result as `_convolve_groups`, from a batched matrix product of filters and patches."""
    patches = x.unfold(3, weight.shape[-1], 1).unfold(4, weight.shape[-1], 1).permute(1, 2, 5, 6, 0, 3, 4)
    y = _import_torch().baddbmm(bias[..., None], weight.flatten(2), patches.flatten(1, 3).flatten(2))
    return y.unflatten(2, patches.shape[4:]).permute(2, 0, 1, 3, 4)


def _faster_convolution(x: Any, weight: Any, bias: Any) -> Callable[..., Any]:
    """Return the faster of the two ways to convolve, forward and backward, on this device and for these shapes."""
    torch, seconds = _import_torch(), {}
    for convolve in 2 * (_convolve_groups, _convolve_products):  # each function runs twice, because its first call also loads libraries
        start = perf_counter()
        torch.autograd.grad(convolve(x, weight, bias).float().sum(), weight)[0].sum().item()
        seconds[convolve] = perf_counter() - start
    return min(seconds, key=seconds.__getitem__)


def _outputs(weights: Sequence[Any], x: Any, convolutions: list[Callable[..., Any]]) -> Any:
    """Return the outputs (network, batch, class) of the stacked networks; the first call chooses the functions for convolution."""
    torch = _import_torch()
    for layer, (weight, bias) in enumerate((weights[:2], weights[2:4])):
        if len(convolutions) == layer:
            convolutions.append(_faster_convolution(x.detach(), weight, bias))
        y = convolutions[layer](x, weight, bias)
        # pooling before relu gives the same result as pooling after relu, and relu then has fewer numbers to process
        x = torch.max_pool2d(y.flatten(1, 2), 2).relu().unflatten(1, y.shape[1:3])
    hidden = torch.baddbmm(weights[5][:, None], x.flatten(2).transpose(0, 1), weights[4].mT).relu()
    return torch.baddbmm(weights[7][:, None], hidden, weights[6].mT)


def train_together(
    networks: Sequence[ConvolutionalNetwork],
    images: Any,
    codes: Any,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    *,
    precision: str,
    report: Callable[[int, float], None],
    convolutions: list[Callable[..., Any]],
) -> NDArray[np.int64]:
    """Train networks of the same shape, each on its own row of `train`, and return the predicted code of each image in `test`."""
    torch, device, first = _import_torch(), _device(_import_torch()), networks[0]
    if any(network.dropout for network in networks):
        raise ValueError("networks that are trained together must have no dropout. Use `ConvolutionalNetwork.fit`.")
    starts, orders = [], []
    for network in networks:
        with torch.random.fork_rng():
            torch.manual_seed(network.torch_seed)
            starts.append([*network._build_network(torch, images.shape[-1], int(codes.max()) + 1).parameters()])
            orders.append(torch.Generator().set_state(torch.get_rng_state()))
    weights = [torch.stack(layer).detach().to(device).requires_grad_() for layer in zip(*starts, strict=True)]
    optimizer = torch.optim.Adam(weights, first.step)
    images = images.to(getattr(torch, precision))
    train_rows, test_rows = (torch.as_tensor(rows, device=device) for rows in (train, test))
    with torch.autocast(device, torch.bfloat16, enabled=precision == "bfloat16", cache_enabled=False):
        for epoch in range(first.epochs):
            order = torch.stack([torch.randperm(train.shape[1], generator=generator) for generator in orders]).to(device)
            for batch in train_rows.gather(1, order).split(first.batch, 1):
                optimizer.zero_grad()
                outputs = _outputs(weights, images[batch.T], convolutions).float().flatten(0, 1)
                loss = torch.nn.functional.cross_entropy(outputs, codes[batch].flatten(), reduction="sum") / batch.shape[1]
                loss.backward()
                optimizer.step()
            report(epoch + 1, float(loss.detach()) / len(networks))
        with torch.no_grad():
            parts = [_outputs(weights, images[batch.T], convolutions).argmax(2) for batch in test_rows.split(first.batch, 1)]
    found: NDArray[np.int64] = torch.cat(parts, 1).cpu().numpy()
    return found


# -- data sets ---------------------------------------------------------------------------------------------------------------
class DigitsTrainer:
    """Make caches in which all networks of a data set are trained; several data sets are trained ahead, together."""

    def __init__(self, part: str, data_sets: int, options: Namespace) -> None:
        self.name, self.data_sets, self.options, self.caches = DIGITS[part], data_sets, options, dict[Any, TrainingCache]()
        self.source: Digits = make_source(self.name, 0.0, options.folder)
        n, tested = self.source.n, [len(places) for plan in PLANS for _, places in plan.test_positions(self.source.n)]
        side, learners = self.source.records[0].shape[-1], self.source.learners
        self.operations = [operations(network, side, n - k, k) for network in learners for k in tested]  # for each network
        self.start, self.done, self.convolutions = perf_counter(), 0.0, list[Callable[..., Any]]()

    def __call__(self, X: Any, y: Any, seed: np.random.SeedSequence, classes: frozenset[Any]) -> TrainingCache:  # noqa: ARG002
        """Return the cache of the data set with this seed."""
        if seed.spawn_key not in self.caches:
            self.caches = {}
            chunk = seed.spawn_key[1]
            for k in range(chunk, min(chunk + max(self.options.together // len(self.operations), 1), self.data_sets)):
                unit = unit_seed({"source": self.name, "chunk": k}, seed)
                ((x, labels),) = self.source.draw(np.random.default_rng(child_seed(unit, 0)), 1)
                cache = TrainingCache(x, labels, child_seed(unit, 1, 0), self.source.classes)
                self.caches[cache.seed.spawn_key] = cache
            self.train([*self.caches.values()], f"data sets {chunk + 1} to {k + 1} of {self.data_sets}")
        return self.caches.pop(seed.spawn_key)

    def train(self, caches: Sequence[TrainingCache], title: str) -> None:
        """Train all networks of some data sets; networks with equally many records and the same classes are trained together."""
        # training size, test size and classes -> number of the data set, cache key, network, split
        groups: dict[Any, list[tuple[int, Any, ConvolutionalNetwork, Split]]] = defaultdict(list)
        for number, cache in enumerate(caches):
            for network in self.source.learners:
                model = check_model(network, type(network).__name__)
                for plan in PLANS:
                    for split in cache.splits(plan, "splits"):
                        kinds = len(split.train), len(split.test), tuple(np.unique(cache.y[split.train]).tolist())
                        task = (id(network), plan, "splits"), model.seeded_copy(cache.rng(plan), split), split
                        groups[kinds].append((number, *task))
        X, labels = (np.concatenate([getattr(cache, name) for cache in caches]) for name in ("X", "y"))
        images = _images(_import_torch(), X)
        correct: dict[Any, dict[tuple[int, ...], NDArray[np.bool]]] = defaultdict(dict)
        for (n_train, n_test, classes), tasks in groups.items():
            codes = _import_torch().as_tensor(np.searchsorted(classes, labels).clip(max=len(classes) - 1), device=images.device)
            for at in range(0, len(tasks), self.options.together):
                numbers, keys, networks, splits = zip(*tasks[at : at + self.options.together], strict=True)
                first = np.array(numbers)[:, None] * self.source.n  # row of the first record of each network's data set
                train, test = first + [split.train for split in splits], first + [split.test for split in splits]
                work = len(networks) * operations(networks[0], X.shape[-1], n_train, n_test)
                report = partial(self.report, f"{title}, {len(networks)} networks on {n_train} records", work / networks[0].epochs)
                settings: Any = {"precision": self.options.precision, "report": report, "convolutions": self.convolutions}
                predicted = np.array(classes)[train_together(networks, images, codes, train, test, **settings)]
                for number, key, split, right in zip(numbers, keys, splits, predicted == labels[test], strict=True):
                    correct[number, key][split.key] = right
                self.done += work
        for (number, key), by_split in correct.items():
            caches[number].cache[key] = np.concatenate([by_split[split.key] for split in caches[number].splits(*key[1:])])

    def report(self, title: str, work: float, epoch: int, loss: float) -> None:
        """Print the progress on one line; raise TimeoutError if the time is over."""
        minutes = (perf_counter() - self.start) / 60
        speed = f"{minutes:.1f} minutes, {(self.done + epoch * work) / (60e12 * minutes):.3g} teraflops"
        print(f"\r{title}: epoch {epoch}, loss {loss:.4f}; {speed}", end="\033[K", file=sys.stderr, flush=True)
        if minutes > self.options.minutes:
            raise TimeoutError

    def estimate(self) -> str:
        """Return the number of operations of the study and the time on an H100, in words."""
        each, peak, minutes = sum(self.operations), PEAK[self.options.precision], self.options.minutes
        total, finished = each * self.data_sets, min(int(minutes * 60 * 0.2 * peak / each), self.data_sets)
        words = f"{self.data_sets} data sets of {len(self.operations)} networks: {total:.2g} operations, which take an H100 at least "
        words += f"{total / peak / 60:.3g} minutes ({peak / 1e12:g} teraflops in {self.options.precision}); at a fifth of this speed, "
        return words + f"{minutes:g} minutes are enough for {finished} data sets"


# -- command -----------------------------------------------------------------------------------------------------------------
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 if all data sets are finished, 1 after an error, 3 if data sets remain."""
    parser = ArgumentParser(prog="python -m fstats.studies.bcv.digits_on_gpu", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", help="folder with the subfolder mnist (default: the folder in FSTATS_DATA)")
    parser.add_argument("--store", required=True, help="folder for finished data sets and results; the same command continues a run")
    parser.add_argument("--small", action="store_true", help="the small networks and images of the part mnist_small")
    parser.add_argument("--data-sets", type=int, default=DIGITS_SETS, help="number of data sets, at most and by default 100")
    parser.add_argument("--minutes", type=float, default=11.5, help="the run ends after this time (default: 11.5)")
    parser.add_argument("--precision", choices=[*PEAK], help="default: bfloat16 on a GPU, float32 on a CPU")
    parser.add_argument("--together", type=int, help="number of networks that are trained at once (default: 256; 1024 if small)")
    options = parser.parse_args(arguments)
    try:
        return _compute(options)
    except (ImportError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1


def _compute(options: Namespace) -> int:
    torch, options.folder = _import_torch(), data_folder(options.folder)
    torch.backends.cudnn.benchmark = True
    options.precision = options.precision or ("bfloat16" if torch.cuda.is_available() else "float32")
    options.together = options.together or (1024 if options.small else 256)
    has_training_images = (options.folder / "mnist" / "train-images-idx3-ubyte.gz").exists()
    scale, part = ("small", "mnist_small") if options.small else ("paper", "mnist") if has_training_images else ("test", "mnist_test")
    data_sets = min(max(options.data_sets, 1), DIGITS_SETS)
    trainer = DigitsTrainer(part, data_sets, options)
    print(f"Population: {POPULATIONS[scale]}.\n{trainer.estimate()}.", flush=True)
    command = "python -m fstats.studies.bcv.digits_on_gpu" + " --small" * options.small + f" --precision {options.precision}"
    places = options.store, options.store, options.folder
    task = SourcePart(part, trainer.name, data_sets, *places, {"progress": False}, command=command)
    rounded = {} if options.precision == "float32" else {"precision": options.precision}
    try:
        compute_digits(task, partial(decisions_of_unit, make_cache=trainer), **rounded)
    except (KeyboardInterrupt, TimeoutError) as stop:
        lines = map(json.loads, task.store_path(f"digits_{task.source}").read_text(encoding="utf-8").splitlines())
        results = {line["unit"]: line["result"] for line in lines if "unit" in line}
        why = "The time is over" if isinstance(stop, TimeoutError) else "Interrupted"
        print(f"\n{why}: {len(results)} of {data_sets} data sets are finished; the same command continues.", flush=True)
        if results:
            units = [unit | DIGITS_REQUEST for unit in unit_ranges(task.source, data_sets) if unit["chunk"] in results]
            rejections = collect_units(units, [results[unit["chunk"]] for unit in units])
            task.save(f"digits_{task.source}", f": {len(results)} data sets,", rejections)
        return 3
    print(digits_row([run for run in stored_results("digits", options.store) if run["source"] == task.source]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
