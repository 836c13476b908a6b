"""A wide scan looks for the worst cells of each test, a closer look narrows them down, and what looks worst is repeated afresh."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ...procedures.bayes.bayesian_correlated_t import BayesianCorrelatedT
from ...procedures.resampling.algorithm_comparison import TwoAlgorithms
from ...procedures.resampling.block_regularized.blocked_five_by_two_t import BlockedFiveByTwoT
from ...procedures.resampling.cross_validation_tests import ALL_TESTS
from ...procedures.resampling.split_plans.split_plan import REPEATED_HOLD_OUT_THIRD, TEN_TIMES_TEN_FOLD
from ...procedures.resampling.split_scores.split_scores import Scores
from ...procedures.training_variance.probability_of_outperforming import ProbabilityOfOutperforming
from ...simulate.rejection_counts import count_unit_rejections
from ...simulate.work_units import run
from ..study_files import unit_sizes
from .search_conditions import CELLS, ORDINARY, POWER, SLOW, SearchCondition, is_cheap

ALPHA = 0.05
STAGES = ("scan", "closer", "confirm", "power")
WORST_CELL_COUNT = 4  # cells of each test that are looked at again
SECOND_LOOK_FACTOR = 3  # as often as in the scan
DATA_SETS = 4000  # of what looks worst then
POWER_DATA_SETS = {"short": 2000, "blocked": 2000, "paired": 300, "long": 300}  # data sets on which H0 is false


class BatchDecision(NamedTuple):
    """What a Bayesian test comes to on a batch."""

    reject: Any


class BayesianDecision:
    """The Bayesian correlated t-test without a region of practical equivalence: it decides for whoever is better with probability .95."""

    plan = TEN_TIMES_TEN_FOLD
    required_results = ("test_train_ratio",)

    @staticmethod
    def from_scores(scores: Scores, *, alpha: float) -> BatchDecision:
        """Whether either classifier is the better one with probability 1 - alpha."""
        test = BayesianCorrelatedT.from_scores(scores, rope=0, alpha=alpha)
        return BatchDecision(np.maximum(test.p_better, test.p_worse) >= 1 - alpha)


class OutperformingDecision:
    """The probability of outperforming, asked both ways: whoever is ahead in so many of 15 random splits outperforms the other."""

    plan = REPEATED_HOLD_OUT_THIRD
    required_results = ()

    @staticmethod
    def from_scores(scores: Scores, *, alpha: float) -> BatchDecision:
        """Whether either outperforms the other; each question has the level alpha / 2."""
        ways = ((scores.score_a, scores.score_b), (scores.score_b, scores.score_a))
        first, second = (ProbabilityOfOutperforming(*way, alpha=alpha).reject for way in ways)
        return BatchDecision(first | second)


TESTS: Mapping[str, Any] = {
    **{test.__name__: test for test in ALL_TESTS},
    "BayesianCorrelatedT": BayesianDecision,
    "ProbabilityOfOutperforming": OutperformingDecision,
}
RHOS = {f"{BlockedFiveByTwoT.__name__}, rho = {rho}": rho for rho in (0, 1 / 4, 1 / 2)}  # beside its own, 1/8
SETTINGS: Mapping[str, tuple[Any, dict[str, Any]]] = {
    **{name: (test, {}) for name, test in TESTS.items()},
    **{name: (BlockedFiveByTwoT, {"rho": rho}) for name, rho in RHOS.items()},
}


OWN_GROUP = {BlockedFiveByTwoT: "blocked", OutperformingDecision: "paired"}


@dataclass(frozen=True)
class TestGroup:
    """Tests whose plans cost about as much, how many data sets the scan gives them, and where it tries them."""

    tests: tuple[str, ...]
    scan: int
    at_once: int  # data sets in a unit of the last stage
    most: int | None = None  # records at most, and learners that are cheap to train; None for all cells

    @property
    def cells(self) -> tuple[SearchCondition, ...]:
        """Where the scan tries them."""
        return CELLS if self.most is None else tuple(cell for cell in CELLS if is_cheap(cell, self.most))


def _group(kind: str, **settings: Any) -> TestGroup:
    return TestGroup(tuple(name for name, (test, _) in SETTINGS.items() if _cost_class(test) == kind), **settings)


def _cost_class(test: Any) -> str:
    """By what a plan costs: ten splits at most, more, or further splits beyond those of the plan."""
    if test in OWN_GROUP:
        return OWN_GROUP[test]
    further = isinstance(test, type) and issubclass(test, TwoAlgorithms) and test.further_splits()
    return "further" if further else "long" if test.plan.splits > 10 else "short"


GROUPS = {
    "short": _group("short", scan=30, at_once=100),
    "blocked": _group("blocked", scan=60, at_once=100),
    "paired": _group("paired", scan=16, at_once=50, most=1500),
    "long": _group("long", scan=16, at_once=50, most=1500),
    "further": _group("further", scan=10, at_once=20, most=100),
}


def make_unit(stage: str, group: str, cell: SearchCondition, part: int, data_sets: int) -> dict[str, Any]:
    """So many data sets of a cell, judged by the tests of a group."""
    return {"stage": stage, "group": group, "cell": list(cell), "part": part, "data_sets": data_sets}


def rejections_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, Any]:
    """How often each test of the group rejects; the unit names its own seed, and no two stages share one."""
    cell, group = SearchCondition(*unit["cell"]), GROUPS[unit["group"]]
    seed = np.random.SeedSequence([STAGES.index(unit["stage"]), crc32(cell.key.encode()), unit["part"]])
    with _without_warnings():
        found = count_unit_rejections(
            {"source": 0, "repetitions": unit["data_sets"]},
            seed,
            tests={name: SETTINGS[name] for name in group.tests},
            sources=[cell.source],
            alpha=ALPHA,
        )
    return {"rejected": list(found["rejections"].values()), "failed": len(found["failed"])}


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Without what learners say of training that has not converged, and without checks of records that this bench made itself."""
    import sklearn

    with warnings.catch_warnings(), sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        warnings.simplefilter("ignore")
        yield


class CellCounts(NamedTuple):
    """How often a test rejected in a cell."""

    test: str
    cell: SearchCondition
    rejections: int
    data_sets: int

    @property
    def rate(self) -> float:
        """Share of the data sets."""
        return self.rejections / self.data_sets if self.data_sets else 0.0


def counts_by_cell(units: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> list[CellCounts]:
    """The counts of each test in each cell, over all units given."""
    found: dict[tuple[str, SearchCondition], list[int]] = {}
    for one, result in zip(units, results, strict=True):
        for test, rejected in zip(GROUPS[one["group"]].tests, result["rejected"], strict=True):
            of = found.setdefault((test, SearchCondition(*one["cell"])), [0, 0])
            of[0] += rejected
            of[1] += one["data_sets"] - result["failed"]
    return [CellCounts(test, cell, *numbers) for (test, cell), numbers in found.items()]


def worst_cells(counts: Iterable[CellCounts], tests: Sequence[str], most: int) -> list[SearchCondition]:
    """The cells in which any of the tests rejects most often, so many for each: apart for ordinary training and for roles by a coin."""
    found: dict[SearchCondition, None] = {}
    for test in tests:
        for ordinary in (True, False):
            of = [one for one in counts if one.test == test and (one.cell.kind in ORDINARY) == ordinary]
            found |= dict.fromkeys(one.cell for one in sorted(of, key=lambda one: -one.rate)[:most])
    return list(found)


def scan_units() -> list[dict[str, Any]]:
    """Each group in each of its cells; what takes long goes first."""
    return [
        make_unit("scan", name, cell, 0, group.scan)
        for name, group in GROUPS.items()
        for cell in sorted(group.cells, key=lambda cell: (cell.learner not in SLOW, -cell.n))
    ]


def closer_units(scanned: Sequence[CellCounts]) -> list[dict[str, Any]]:
    """The worst of the scan again, more often."""
    return [
        make_unit("closer", name, cell, part, group.scan)
        for name, group in GROUPS.items()
        for cell in worst_cells(scanned, group.tests, WORST_CELL_COUNT)
        for part in range(SECOND_LOOK_FACTOR)
    ]


def confirm_units(looked: Sequence[CellCounts], data_sets: int = DATA_SETS) -> list[dict[str, Any]]:
    """What looks worst by both, on fresh data sets."""
    return [
        make_unit("confirm", name, cell, part, size)
        for name, group in GROUPS.items()
        for cell in worst_cells(looked, group.tests, 1)
        for part, size in enumerate(unit_sizes(data_sets, group.at_once))
    ]


def power_units() -> list[dict[str, Any]]:
    """Where H0 is false: how often do tests find out there?  Those that need further splits are left out."""
    return [
        make_unit("power", name, cell, part, size)
        for name, group in GROUPS.items()
        if name != "further"
        for cell in POWER
        for part, size in enumerate(unit_sizes(POWER_DATA_SETS[name], group.at_once))
    ]


def run_all_stages(*, data_sets: int = DATA_SETS, jobs: int = 1, store: Any = None, progress: bool = True) -> tuple[list[Any], list[Any]]:
    """All stages, one after the other: the units and what came of each."""

    def done(stage: str, units: list[dict[str, Any]]) -> list[dict[str, Any]]:
        arguments = {"stage": stage, "alpha": ALPHA, "sources": sorted({repr(SearchCondition(*one["cell"]).source) for one in units})}
        path = None if store is None else Path(f"{store}.{stage}")  # a file for each stage
        return run(rejections_of_unit, units, arguments=arguments, jobs=jobs, store=path, progress=progress)

    scanning = scan_units()
    scanned = done("scan", scanning)
    looking = closer_units(counts_by_cell(scanning, scanned))
    looked = done("closer", looking)
    both = [one for one in counts_by_cell(scanning + looking, scanned + looked) if (one.test, one.cell) in _repeated_cells(looking)]
    confirming = confirm_units(both, data_sets)
    finding = power_units()
    confirmed, found = done("confirm", confirming), done("power", finding)
    return scanning + looking + confirming + finding, scanned + looked + confirmed + found


def _repeated_cells(looking: Sequence[Mapping[str, Any]]) -> set[tuple[str, SearchCondition]]:
    """Which test was looked at again in which cell."""
    return {(test, SearchCondition(*one["cell"])) for one in looking for test in GROUPS[one["group"]].tests}
