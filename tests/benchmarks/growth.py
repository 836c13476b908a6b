"""How time and memory grow with the number of data sets, classifiers or records, beside the rival's: the second half of the table."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from scipy import stats

import fstats
from fstats.distributions.exact_rank_distributions import _cached_table
from fstats.procedures.metric_comparison.metrics import brier
from tests.benchmarks.timing import line, peak_memory, unit

LONGEST = 2.0  # seconds; a curve ends at the first size that takes longer
SHORTEST = 1e-3  # seconds; times of shorter calls are mostly overhead, and do not count for the exponent


@dataclass
class Curve:
    """Times at growing sizes, and the reason why the curve ends."""

    sizes: list[int]
    times: list[float]
    end: str
    largest: int  # the largest size that does not take too long
    memory: float  # the most memory in use at this size, in bytes

    @property
    def exponent(self) -> float:
        """Slope of the logarithms of the last three times that are long enough; nan if there are fewer than two."""
        used = [(math.log(size), math.log(time)) for size, time in zip(self.sizes, self.times) if time > SHORTEST][-3:]
        if len(used) < 2:
            return math.nan
        sizes, times = np.transpose(used)
        return float(np.polyfit(sizes, times, 1)[0])


def curve(call: Callable[..., object], data: Callable[[int], tuple[Any, ...]], sizes: list[int]) -> Curve:
    """Time the first call of each size, before any table is remembered, until a call takes too long or refuses its input."""
    measured: dict[int, float] = {}
    end = "all sizes"
    call(*data(sizes[0]))  # this call pays for imports
    for size in sizes[1:]:
        arguments = data(size)
        start = process_time()  # a busy machine does not change this time
        try:
            call(*arguments)
        except (ValueError, MemoryError) as error:
            end = f"refused at {size:,}: {error}"[:60]
            break
        measured[size] = process_time() - start
        if measured[size] > LONGEST:
            end = f"over {LONGEST:g} s"
            break
    largest = max((size for size in measured if measured[size] <= LONGEST), default=sizes[0])
    _cached_table.cache_clear()
    arguments = data(largest)
    return Curve(list(measured), list(measured.values()), end, largest, peak_memory(lambda: call(*arguments)))


Data = Callable[[int], tuple[Any, ...]]
Case = tuple[str, list[int], Data, Callable[..., object], Callable[..., object] | None]


def optional(module: str, name: str) -> Any:
    """Return a function of a library that need not be installed, or None."""
    return getattr(import_module(module), name) if find_spec(module) else None


def cases() -> Iterator[Case]:
    """Yield what grows, the sizes, the data of a size, our call and the rival's (None if there is no rival)."""
    rng = np.random.default_rng(2026)

    def pair(n: int) -> tuple[Any, ...]:
        return tuple(rng.normal(size=(2, n)))

    def tied(n: int) -> tuple[Any, ...]:
        return tuple(rng.normal(size=(2, n)).round(2))

    def records(n: int) -> tuple[Any, ...]:
        return (rng.random(n) < 0.4).astype(int), *rng.random((2, n))

    def data_sets(n: int) -> tuple[Any, ...]:
        return (rng.normal(size=(n, 5)),)

    def classifiers(k: int) -> tuple[Any, ...]:
        return (rng.normal(size=(100, k)),)

    def folds(n: int) -> tuple[Any, ...]:
        return (rng.normal(0.01, 0.02, (n, 10)),)

    def bootstrap(y: Any, a: Any, b: Any) -> object:
        return stats.bootstrap((brier(y, b) - brier(y, a),), np.mean, n_resamples=9_999, batch=100).confidence_interval

    def permutation(y: Any, a: Any, b: Any) -> object:
        way: dict[str, Any] = {"permutation_type": "samples", "n_resamples": 9_999, "batch": 100}
        return stats.permutation_test((brier(y, b) - brier(y, a),), np.mean, **way).pvalue

    def bca(y: Any, a: Any, b: Any) -> object:
        return fstats.PairedBootstrap(y, a, b, metric="brier", interval="BCa").ci

    def p(test: Any, **settings: Any) -> Callable[..., object]:
        return lambda *data: test(*data, **settings).pvalue

    def friedman(scores: Any) -> object:
        return stats.friedmanchisquare(*scores.T)

    ten, many, whitney = [10**k for k in range(1, 8)], [3, 10, 30, 100, 300, 1000, 3000], stats.mannwhitneyu
    resampled = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
    posthocs, delong = optional("scikit_posthocs", "posthoc_nemenyi_friedman"), optional("MLstatkit", "Delong_test")
    exact = [10, 20, 50, 100, 200, 500, 1000, 1500, 2000, 3000]
    yield "PairedT, n | ttest_rel", ten, pair, p(fstats.PairedT), stats.ttest_rel
    yield "SignedRank, n | wilcoxon", ten[:6], pair, p(fstats.SignedRank), stats.wilcoxon
    yield "SignedRank, exact with ties, n", exact, tied, p(fstats.SignedRank, method="exact"), None
    yield "RankSum, n + n | mannwhitneyu", ten[:6], pair, p(fstats.RankSum), whitney
    yield "RankSum, normal curve, n + n | mannwhitneyu", ten[:6], pair, p(fstats.RankSum, method="normal"), whitney
    yield "Friedman, N data sets of 5 | friedmanchisquare", ten[:6], data_sets, p(fstats.Friedman), friedman
    yield "Friedman, k classifiers on 100 | friedmanchisquare", many, classifiers, p(fstats.Friedman), friedman
    yield "Nemenyi, k classifiers on 100 | scikit-posthocs", many[:6], classifiers, lambda s: fstats.Nemenyi(s).pvalues, posthocs
    yield "BergmannHommel, k classifiers on 100", [*range(4, 11)], classifiers, lambda s: fstats.BergmannHommel(s).adjusted, None
    yield "DeLong, records | MLstatkit", ten[1:6], records, p(fstats.DeLong), delong
    yield "PairedBootstrap, Brier, BCa, records | scipy bootstrap", resampled, records, bca, bootstrap
    yield (
        "PairedPermutation, Brier, records | permutation_test",
        resampled,
        records,
        p(fstats.PairedPermutation, metric="brier"),
        permutation,
    )
    hierarchy = [2, 3, 5, 10, 20, 50, 100]
    yield (
        "BayesianHierarchical, data sets of 10 folds",
        hierarchy,
        folds,
        lambda d: fstats.BayesianHierarchical(d, rho=0.1, rope=0.01).probabilities,
        None,
    )


def growth(picture: Path | None = None) -> None:
    """Print the curves: how far each goes, its exponent, its time and memory at the largest size; draw them if a file is named."""
    print(
        "how cost grows (time ~ size ** exponent, from the last three times above 1 ms): the largest size within 2 s, its time and memory"
    )
    curves: list[tuple[str, Curve, Curve | None]] = []
    for what, sizes, data, ours, rival in cases():
        mine, theirs = curve(ours, data, sizes), None if rival is None else curve(rival, data, sizes)
        curves.append((what, mine, theirs))
        for name, one in ((what, mine), ("    the rival", theirs)):
            if one is not None:
                time = unit(dict(zip(one.sizes, one.times)).get(one.largest, math.nan))
                line(f"{name}, {one.largest:,}", f"{time}, {one.memory / 1e6:.3g} MB", ratio=f"^{one.exponent:.2f}", target=one.end)
    if picture:
        _draw(curves, picture)


def _draw(curves: list[tuple[str, Curve, Curve | None]], picture: Path) -> None:
    """Draw time against size on logarithmic axes: our curves solid, the rivals' dashed."""
    from matplotlib.figure import Figure

    columns, rows = 4, math.ceil(len(curves) / 4)
    figure = Figure(figsize=(4 * columns, 3 * rows), layout="constrained")
    for number, (what, mine, theirs) in enumerate(curves, 1):
        axes = figure.add_subplot(rows, columns, number)
        for one, style, name in ((mine, "o-", "fstats"), (theirs, "s--", what.partition(" | ")[2])):
            if one is not None:
                axes.loglog(one.sizes, one.times, style, label=f"{name}, exponent {one.exponent:.2f}")
        axes.set_title(what.partition(" | ")[0], fontsize=9)
        axes.set_ylabel("seconds of CPU time")
        axes.legend(fontsize=7)
    figure.savefig(picture)
