"""Test decisions at each point of a power curve.

Each learner is trained once on each split, for all tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...procedures.resampling.split_plans.split_plan import Plan
from ...simulate.training_cache import LearnerFailed, TrainingCache, child_seed, stack_scores
from ...simulate.training_sources import TableSource
from .bcv_design import ALPHA, TESTS, unit_seed
from .source_factory import make_source
from .stored_rejections import pack_bits

# function with the arguments of TrainingCache that returns the cache of a data set; the cache may already contain trained learners
CacheMaker = Callable[[Any, Any, np.random.SeedSequence, frozenset[Any]], TrainingCache]


def decisions_of_unit(
    unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None, make_cache: CacheMaker = TrainingCache
) -> dict[str, Any]:
    """Compute one unit: one bit for each test, point and data set (1 if the test rejects), and the failures of learners."""
    decisions_by_point, failed = decisions(unit, seed, data_dir=data_dir, make_cache=make_cache)
    rejected = {point: {test: pack_bits(bits) for test, bits in tests.items()} for point, tests in decisions_by_point.items()}
    return {"rejected": rejected, "failed": failed}


DecisionsByPoint = dict[str, dict[str, NDArray[np.bool]]]


def decisions(
    unit: Mapping[str, Any],
    seed: np.random.SeedSequence,
    *,
    data_dir: Any = None,
    only: int | None = None,
    make_cache: CacheMaker = TrainingCache,
) -> tuple[DecisionsByPoint, dict[str, dict[str, str]]]:
    """Return on which data sets each test rejects at each point (with `only`, for this data set alone), and the failures of learners."""
    seeds = unit_seed(dict(unit), seed)
    needs: dict[Plan, set[str]] = {}
    for test, _ in TESTS[unit["tests"]].values():
        needs.setdefault(test.plan, set()).update(test.required_results)
    sources = {point: make_source(unit["source"], value, data_dir) for point, value in unit["points"].items()}
    if unit["source"] == "Epsilon":
        return _decide_without_training(unit, sources, needs, seeds)
    numbers = range(unit["data_sets"]) if only is None else [only]
    drawn: dict[str, Any] = {}
    for point, source in sources.items():
        # all points of a curve use the same random records of a table
        shared = next(iter(drawn.values())) if drawn and isinstance(source, TableSource) else None
        drawn[point] = shared or source.draw(np.random.default_rng(child_seed(seeds, 0)), unit["data_sets"])
    scores: dict[tuple[str, Plan], list[Any]] = {(point, plan): [] for point in sources for plan in needs}
    failed: dict[str, dict[str, str]] = {}
    for r in numbers:
        caches: dict[int, TrainingCache] = {}  # trained learners of each data set, for all points
        for point, source in sources.items():
            x, y = drawn[point][r]
            cache = caches.setdefault(id(drawn[point]), make_cache(x, y, child_seed(seeds, 1, r), source.classes))
            for plan, needed in needs.items():
                try:
                    row: Any = cache.scores(plan, needed, *source.learners)
                except LearnerFailed as error:
                    row = str(error)
                    failed.setdefault(point, {})[str(r)] = row
                scores[point, plan].append(row)
    decisions_by_point: DecisionsByPoint = {}
    for point, source in sources.items():
        batches = {plan: stack_scores(plan, needed, scores[point, plan], source.n) for plan, needed in needs.items()}
        decisions_by_point[point] = _decide(unit["tests"], batches)
    return decisions_by_point, failed


def _decide_without_training(
    unit: Mapping[str, Any], sources: Mapping[str, Any], needs: Mapping[Plan, set[str]], seeds: np.random.SeedSequence
) -> tuple[DecisionsByPoint, dict[str, dict[str, str]]]:
    """Return the decisions of the tests on losses that are drawn directly, without training."""
    decisions_by_point: DecisionsByPoint = {}
    for point, source in sources.items():
        data = source.draw(np.random.default_rng(child_seed(seeds, 0)), unit["data_sets"])
        batches = {plan: source.scores(data, plan, needed, child_seed(seeds, 1, k)) for k, (plan, needed) in enumerate(needs.items())}
        decisions_by_point[point] = _decide(unit["tests"], batches)
    return decisions_by_point, {}


def _decide(tests: str, batches: Mapping[Plan, Any]) -> dict[str, NDArray[np.bool]]:
    """Return the decision of each test on each data set."""
    decided = {name: test.from_scores(batches[test.plan], alpha=ALPHA, **settings) for name, (test, settings) in TESTS[tests].items()}
    return {name: np.atleast_1d(test.reject) for name, test in decided.items()}
