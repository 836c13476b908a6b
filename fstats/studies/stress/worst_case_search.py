"""Search for the highest type I error rate of each test.

The three stages are a scan, a closer look, and a confirmation on new data.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from ...simulate.rejection_rates import Rate
from ...simulate.work_units import run
from ..study_files import unit_sizes
from .search_conditions import CELLS, ORDINARY, POWER, SLOW, SearchCondition, is_cheap

ALPHA = 0.05
STAGES = ("scan", "closer", "confirm", "power")
WORST_CELL_COUNT = 4  # number of conditions, and of conditions with a coin, of each test that the second stage examines again
SECOND_LOOK_FACTOR = 3  # number of data sets in the second stage, divided by the number in the first stage
DATA_SETS = 4000  # number of data sets in the stage "confirm", for the conditions that were the worst of a test of the group
OTHERS_FACTOR = 4  # the worst conditions of other groups have this many times fewer data sets in the stage "confirm"


class BatchDecision(NamedTuple):
    """Decision of a Bayesian test on a batch."""

    reject: Any


class BayesianDecision:
    """Bayesian correlated t-test without a region of practical equivalence; chooses a classifier that is better with probability .95."""

    plan = TEN_TIMES_TEN_FOLD
    required_results = ("test_train_ratio",)

    @staticmethod
    def from_scores(scores: Scores, *, alpha: float) -> BatchDecision:
        """Return whether either classifier is better with probability 1 - alpha."""
        test = BayesianCorrelatedT.from_scores(scores, rope=0, alpha=alpha)
        return BatchDecision(np.maximum(test.p_better, test.p_worse) >= 1 - alpha)


class OutperformingDecision:
    """Probability of outperforming in both directions: a classifier that is ahead in enough of 15 random splits outperforms its rival."""

    plan = REPEATED_HOLD_OUT_THIRD
    required_results = ()

    @staticmethod
    def from_scores(scores: Scores, *, alpha: float) -> BatchDecision:
        """Return whether either classifier outperforms the other; each direction has the level alpha / 2."""
        ways = ((scores.score_a, scores.score_b), (scores.score_b, scores.score_a))
        first, second = (ProbabilityOfOutperforming(*way, alpha=alpha).reject for way in ways)
        return BatchDecision(first | second)


TESTS: Mapping[str, Any] = {
    **{test.__name__: test for test in ALL_TESTS},
    "BayesianCorrelatedT": BayesianDecision,
    "ProbabilityOfOutperforming": OutperformingDecision,
}
RHOS = {f"{BlockedFiveByTwoT.__name__}, rho = {rho}": rho for rho in (0, 1 / 4, 1 / 2)}  # other values of rho than the default 1/8
SETTINGS: Mapping[str, tuple[Any, dict[str, Any]]] = {
    **{name: (test, {}) for name, test in TESTS.items()},
    **{name: (BlockedFiveByTwoT, {"rho": rho}) for name, rho in RHOS.items()},
}


LEVELS = {"BayesianCorrelatedT": 2 * ALPHA}  # a probability of 1 - ALPHA in either direction has this level; other tests have ALPHA
OWN_GROUP = {BlockedFiveByTwoT: "blocked", OutperformingDecision: "paired"}


@dataclass(frozen=True)
class TestGroup:
    """Tests whose plans have a similar cost, with the number of data sets in the scan and the conditions of the scan."""

    tests: tuple[str, ...]
    scan: int
    at_once: int  # number of data sets in a unit of the confirmation
    power: int = 0  # number of data sets with a false H0
    most: int | None = None  # maximum number of records; if it is given, the conditions also include fast learners

    @property
    def cells(self) -> tuple[SearchCondition, ...]:
        """Conditions in which the scan tries the tests of the group."""
        return CELLS if self.most is None else tuple(cell for cell in CELLS if is_cheap(cell, self.most))


def _group(kind: str, **settings: Any) -> TestGroup:
    return TestGroup(tuple(name for name, (test, _) in SETTINGS.items() if _cost_class(test) == kind), **settings)


def _cost_class(test: Any) -> str:
    """Return the cost class of a test: at most ten splits, more splits, or further splits in addition to the splits of the plan."""
    if test in OWN_GROUP:
        return OWN_GROUP[test]
    further = isinstance(test, type) and issubclass(test, TwoAlgorithms) and test.further_splits()
    return "further" if further else "long" if test.plan.splits > 10 else "short"


GROUPS = {
    "short": _group("short", scan=30, at_once=100, power=2000),
    "blocked": _group("blocked", scan=60, at_once=100, power=2000),
    "paired": _group("paired", scan=16, at_once=50, most=1500, power=300),
    "long": _group("long", scan=16, at_once=50, most=1500, power=300),
    "further": _group("further", scan=10, at_once=20, most=100),
}


def make_unit(stage: str, group: str, cell: SearchCondition, part: int, data_sets: int) -> dict[str, Any]:
    """Return a unit of work: some data sets of a condition, and the group of tests for these data sets."""
    return {"stage": stage, "group": group, "cell": list(cell), "part": part, "data_sets": data_sets}


def rejections_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, Any]:
    """Count how often each test of the group rejects; the unit determines the seed, and different stages have different seeds."""
    from sklearn import config_context

    cell, group = SearchCondition(*unit["cell"]), GROUPS[unit["group"]]
    seed = np.random.SeedSequence([STAGES.index(unit["stage"]), crc32(cell.key.encode()), unit["part"]])
    # no warnings, such as those about missing convergence, and no checks of records that this study has drawn
    with warnings.catch_warnings(action="ignore"), config_context(assume_finite=True, skip_parameter_validation=True):
        request, tests = {"source": 0, "repetitions": unit["data_sets"]}, {name: SETTINGS[name] for name in group.tests}
        found = count_unit_rejections(request, seed, tests=tests, sources=[cell.source], alpha=ALPHA)
    return {"rejected": list(found["rejections"].values()), "failed": len(found["failed"])}


def rates_by_cell(units: Iterable[Mapping[str, Any]], results: Iterable[Mapping[str, Any]]) -> list[Rate]:
    """Return the rate of rejections of each test in each condition, which is the effect of the rate, over all given units."""
    counts: dict[tuple[str, SearchCondition], list[int]] = {}
    for unit, result in zip(units, results, strict=True):
        for test, rejected in zip(GROUPS[unit["group"]].tests, result["rejected"], strict=True):
            numbers = counts.setdefault((test, SearchCondition(*unit["cell"])), [0, 0])
            numbers[0] += rejected
            numbers[1] += unit["data_sets"] - result["failed"]
    return [Rate(test, cell, *numbers) for (test, cell), numbers in counts.items()]


def worst_cells(rates: Iterable[Rate], tests: Sequence[str], most: int) -> list[SearchCondition]:
    """Return, for each test, the `most` conditions in which it rejects most often, separately for ordinary training and for coins.

    Conditions that share the last place are all returned, if their rate is above the level.
    """
    cells: dict[SearchCondition, None] = {}
    for test in tests:
        for ordinary in (True, False):
            candidates = [rate for rate in rates if rate.test == test and (rate.effect.kind in ORDINARY) == ordinary and rate.repetitions]
            worst_first = sorted(candidates, key=lambda rate: -rate.rate)
            ties = [rate for rate in worst_first[most:] if rate.rate == worst_first[most - 1].rate > ALPHA]
            cells |= dict.fromkeys(rate.effect for rate in worst_first[:most] + ties)
    return list(cells)


def run_all_stages(*, data_sets: int = DATA_SETS, jobs: int = 1, store: Any = None, progress: bool = True) -> tuple[list[Any], list[Any]]:
    """Run all stages one after the other; return the units and their results."""
    units: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []

    def run_stage(
        stage: str, cells: Callable[[TestGroup], Iterable[SearchCondition]], sizes: Callable[[TestGroup, SearchCondition], Iterable[int]]
    ) -> list[Rate]:
        """Run the conditions of each group of tests, in parts with these numbers of data sets; return the rates of all stages up to now."""
        parts = [(name, cell, *part) for name, group in GROUPS.items() for cell in cells(group) for part in enumerate(sizes(group, cell))]
        stage_units = [make_unit(stage, *part) for part in parts]
        sources = {repr(SearchCondition(*unit["cell"]).source) for unit in stage_units}
        arguments = {"stage": stage, "alpha": ALPHA, "sources": sorted(sources)}
        path = None if store is None else Path(f"{store}.{stage}")
        results.extend(run(rejections_of_unit, stage_units, arguments=arguments, jobs=jobs, store=path, progress=progress))
        units.extend(stage_units)
        return rates_by_cell(units, results)

    def slow_learners_first(group: TestGroup) -> list[SearchCondition]:
        return sorted(group.cells, key=lambda cell: (cell.learner not in SLOW, -cell.n))

    scan = run_stage("scan", slow_learners_first, lambda group, _: [group.scan])
    worst = partial(worst_cells, scan, most=WORST_CELL_COUNT)
    closer = run_stage("closer", lambda group: worst(group.tests), lambda group, _: [group.scan] * SECOND_LOOK_FACTOR)
    again = {(test, tuple(unit["cell"])) for unit in units if unit["stage"] == "closer" for test in GROUPS[unit["group"]].tests}
    repeated = [rate for rate in closer if (rate.test, rate.effect) in again]
    # the confirmation draws new data sets for the worst condition of each test in the first two stages, and tries every group whose scan
    # has this condition: the few data sets of a scan may miss a bad condition of one group that those of another group show
    worst_of = {group: worst_cells(repeated, group.tests, 1) for group in GROUPS.values()}
    worst_of_any = dict.fromkeys(cell for cells in worst_of.values() for cell in cells)

    def confirmed_sizes(group: TestGroup, cell: SearchCondition) -> list[int]:
        return unit_sizes(data_sets if cell in worst_of[group] else data_sets // OTHERS_FACTOR, group.at_once)

    run_stage("confirm", lambda group: [cell for cell in worst_of_any if cell in group.cells], confirmed_sizes)
    # the last stage measures power, because its H0 is false; tests that need further splits are left out
    run_stage("power", lambda _: POWER, lambda group, _: unit_sizes(group.power, group.at_once))
    return units, results
