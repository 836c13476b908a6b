"""The work: on each data set every test decides, at every point of the curve, and each learner is trained once on a split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...procedures.resampling.split_plans.split_plan import Plan
from ...simulate.training_cache import LearnerFailed, TrainingCache, child_seed, stack_scores
from ...simulate.training_sources import TableSource
from .bcv_design import ALPHA, TESTS, unit_seed
from .bit_packing import pack_bits
from .source_factory import make_source


def decisions_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None) -> dict[str, Any]:
    """One unit: on which of its data sets each test rejects at each point, as bits; and where a learner failed."""
    decided, failed = decisions(unit, seed, data_dir=data_dir)
    rejected = {point: {test: pack_bits(found) for test, found in each.items()} for point, each in decided.items()}
    return {"rejected": rejected, "failed": failed}


DecisionsByPoint = dict[str, dict[str, NDArray[np.bool]]]


def decisions(
    unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None, only: int | None = None
) -> tuple[DecisionsByPoint, dict[str, dict[str, str]]]:
    """For each point and test, on which data sets it rejects (of one that is asked for, only there)."""
    own = unit_seed(dict(unit), seed)
    needs: dict[Plan, set[str]] = {}
    for test, _ in TESTS[unit["tests"]].values():
        needs.setdefault(test.plan, set()).update(test.required_results)
    sources = {point: make_source(unit["source"], value, data_dir) for point, value in unit["points"].items()}
    if unit["source"] == "Epsilon":
        return _decide_without_training(unit, sources, needs, own)
    asked = range(unit["data_sets"]) if only is None else [only]
    drawn: dict[str, Any] = {}
    for point, source in sources.items():
        shared = next(iter(drawn.values())) if drawn and isinstance(source, TableSource) else None  # from the same records: draw once
        drawn[point] = shared or source.draw(np.random.default_rng(child_seed(own, 0)), unit["data_sets"])
    found: dict[tuple[str, Plan], list[Any]] = {(point, plan): [] for point in sources for plan in needs}
    failed: dict[str, dict[str, str]] = {}
    for r in asked:
        benches: dict[int, TrainingCache] = {}  # of one data set; points that share it share what is trained on it
        for point, source in sources.items():
            x, y = drawn[point][r]
            bench = benches.setdefault(id(drawn[point]), TrainingCache(x, y, child_seed(own, 1, r), source.classes))
            for plan, needed in needs.items():
                try:
                    row: Any = bench.scores(plan, needed, *source.learners)
                except LearnerFailed as error:
                    row = str(error)
                    failed.setdefault(point, {})[str(r)] = row
                found[point, plan].append(row)
    decided: DecisionsByPoint = {}
    for point, source in sources.items():
        batches = {plan: stack_scores(plan, needed, found[point, plan], source.n) for plan, needed in needs.items()}
        decided[point] = _decide(unit["tests"], batches)
    return decided, failed


def _decide_without_training(
    unit: Mapping[str, Any], sources: Mapping[str, Any], needs: Mapping[Plan, set[str]], own: np.random.SeedSequence
) -> tuple[DecisionsByPoint, dict[str, dict[str, str]]]:
    """On losses that are drawn as they are."""
    decided: DecisionsByPoint = {}
    for point, source in sources.items():
        data = source.draw(np.random.default_rng(child_seed(own, 0)), unit["data_sets"])
        batches = {plan: source.scores(data, plan, needed, child_seed(own, 1, k)) for k, (plan, needed) in enumerate(needs.items())}
        decided[point] = _decide(unit["tests"], batches)
    return decided, {}


def _decide(tests: str, batches: Mapping[Plan, Any]) -> dict[str, NDArray[np.bool]]:
    """What each test says of each data set."""
    found = {name: test.from_scores(batches[test.plan], alpha=ALPHA, **settings) for name, (test, settings) in TESTS[tests].items()}
    return {name: np.atleast_1d(test.reject) for name, test in found.items()}
