"""The work: on each data set every test decides, at every point of the curve, and each learner is trained once on a split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...procedures.resampling.split_plans.split_plan import Plan
from ...simulate.training_cache import Bench, LearnerFailed, below, stacked
from ...simulate.training_sources import Drawn
from .bcv_design import ALPHA, TESTS, seed_of
from .bit_packing import packed
from .source_factory import made


def decisions_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None) -> dict[str, Any]:
    """One unit: on which of its data sets each test rejects at each point, as bits; and where a learner failed."""
    decided, failed = decisions(unit, seed, data_dir=data_dir)
    rejected = {point: {test: packed(found) for test, found in each.items()} for point, each in decided.items()}
    return {"rejected": rejected, "failed": failed}


Decided = dict[str, dict[str, NDArray[np.bool]]]


def decisions(
    unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None, only: int | None = None
) -> tuple[Decided, dict[str, dict[str, str]]]:
    """For each point and test, on which data sets it rejects (of one that is asked for, only there)."""
    own = seed_of(dict(unit), seed)
    needs: dict[Plan, set[str]] = {}
    for test, _ in TESTS[unit["tests"]].values():
        needs.setdefault(test.plan, set()).update(test.needs)
    sources = {point: made(unit["source"], value, data_dir) for point, value in unit["points"].items()}
    if unit["source"] == "Epsilon":
        return _without_training(unit, sources, needs, own)
    asked = range(unit["data_sets"]) if only is None else [only]
    drawn: dict[str, Any] = {}
    for point, source in sources.items():
        shared = next(iter(drawn.values())) if drawn and isinstance(source, Drawn) else None  # from the same records: draw once
        drawn[point] = shared or source.draw(np.random.default_rng(below(own, 0)), unit["data_sets"])
    found: dict[tuple[str, Plan], list[Any]] = {(point, plan): [] for point in sources for plan in needs}
    failed: dict[str, dict[str, str]] = {}
    for r in asked:
        benches: dict[int, Bench] = {}  # of one data set; points that share it share what is trained on it
        for point, source in sources.items():
            x, y = drawn[point][r]
            bench = benches.setdefault(id(drawn[point]), Bench(x, y, below(own, 1, r), source.classes))
            for plan, needed in needs.items():
                try:
                    row: Any = bench.scores(plan, needed, *source.learners)
                except LearnerFailed as error:
                    row = str(error)
                    failed.setdefault(point, {})[str(r)] = row
                found[point, plan].append(row)
    decided: Decided = {}
    for point, source in sources.items():
        batches = {plan: stacked(plan, needed, found[point, plan], source.n) for plan, needed in needs.items()}
        decided[point] = _decided(unit["tests"], batches)
    return decided, failed


def _without_training(
    unit: Mapping[str, Any], sources: Mapping[str, Any], needs: Mapping[Plan, set[str]], own: np.random.SeedSequence
) -> tuple[Decided, dict[str, dict[str, str]]]:
    """On losses that are drawn as they are."""
    decided: Decided = {}
    for point, source in sources.items():
        data = source.draw(np.random.default_rng(below(own, 0)), unit["data_sets"])
        batches = {plan: source.scores(data, plan, needed, below(own, 1, k)) for k, (plan, needed) in enumerate(needs.items())}
        decided[point] = _decided(unit["tests"], batches)
    return decided, {}


def _decided(tests: str, batches: Mapping[Plan, Any]) -> dict[str, NDArray[np.bool]]:
    """What each test says of each data set."""
    found = {name: test.from_scores(batches[test.plan], alpha=ALPHA, **settings) for name, (test, settings) in TESTS[tests].items()}
    return {name: np.atleast_1d(test.reject) for name, test in found.items()}
