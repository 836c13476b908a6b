"""Count rejections of H0 on simulated data sets.

The data sets are simulated in units of work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..core.validation import check
from ..procedures.resampling.algorithm_comparison import check_cross_validation_test, check_settings
from ..procedures.resampling.split_plans.split_plan import Plan
from .data_sources import Source
from .training_cache import child_seed
from .work_units import run

TestsByName = Mapping[str, tuple[Any, dict[str, Any]]]


def count_rejections(
    tests: Any, sources: Sequence[Source], repetitions: int, rng: int, jobs: int, alpha: float, chunk: int, store: Any, progress: bool
) -> tuple[NDArray[np.int64], tuple[dict[int, str], ...]]:
    """Return the number of rejections of each test on data from each source, and the data sets on which a learner failed."""
    by_name, alpha = tests_by_name(tests), check.level(alpha, "alpha")
    for test, settings in by_name.values():
        check_settings(test, alpha, settings)
    total, size = (int(check.count(1)(value, name)) for value, name in ((repetitions, "repetitions"), (chunk, "chunk")))
    for source in sources:
        if hasattr(source, "check_plan"):  # only sources that train learners have a method check_plan
            for test, _ in by_name.values():
                source.check_plan(test.plan, test.required_results)
    sizes = [size] * (total // size) + [total % size] * (total % size > 0)
    units = [{"source": k, "repetitions": size} for k in range(len(sources)) for size in sizes]
    arguments = {
        "tests": {name: [f"{test.__module__}.{test.__qualname__}", settings] for name, (test, settings) in by_name.items()},
        "sources": [_source_text(source) for source in sources],
        "repetitions": total,
        "alpha": alpha,
        "chunk": size,
    }
    work = partial(count_unit_rejections, tests=by_name, sources=list(sources), alpha=alpha)
    results = run(work, units, arguments=arguments, rng=rng, jobs=jobs, store=store, progress=progress)
    rejections = np.zeros((len(by_name), len(sources)), np.int64)
    failures: tuple[dict[int, str], ...] = tuple({} for _ in sources)
    drawn = [0] * len(sources)
    for unit, result in zip(units, results, strict=True):
        k = unit["source"]
        rejections[:, k] += [result["rejections"][name] for name in by_name]
        failures[k].update({drawn[k] + int(r): why for r, why in result["failed"].items()})
        drawn[k] += unit["repetitions"]
    return rejections, failures


def count_unit_rejections(
    unit: Mapping[str, int], seed: np.random.SeedSequence, *, tests: TestsByName, sources: Sequence[Source], alpha: float
) -> dict[str, Any]:
    """Count the data sets of one unit on which each test rejects; data sets on which a learner failed are left out for all tests."""
    source = sources[unit["source"]]
    data = source.draw(np.random.default_rng(child_seed(seed, 0)), unit["repetitions"])
    needs: dict[Plan, set[str]] = {}
    for test, _ in tests.values():
        needs.setdefault(test.plan, set()).update(test.required_results)
    rejected: dict[str, NDArray[np.bool]] = {}
    failed: dict[int, str] = {}
    for plan, needed in needs.items():
        # a separate seed for each plan, so that its scores do not depend on which other plans are simulated
        scores = source.scores(data, plan, needed, child_seed(seed, 1, crc32(repr(plan).encode())))
        failed |= getattr(scores, "failures", {})
        for name, (test, settings) in tests.items():
            if test.plan == plan:
                rejected[name] = np.atleast_1d(test.from_scores(scores, alpha=alpha, **settings).reject)
    counts = np.ones(unit["repetitions"], bool)
    counts[list(failed)] = False
    return {
        "rejections": {name: int(rejected[name][counts].sum()) for name in tests},
        "failed": {str(r): why for r, why in sorted(failed.items())},
    }


def tests_by_name(tests: Any) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return tests and their settings by name."""
    listed = list(tests.items()) if isinstance(tests, Mapping) else [(getattr(test, "__name__", ""), test) for test in tests]
    by_name: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name, entry in listed:
        test, settings = entry if isinstance(entry, tuple) else (entry, {})
        check_cross_validation_test(test, "tests")
        if name in by_name:
            raise ValueError(f"`tests` must have different names; got {name} twice. Pass a mapping of names to (class, settings).")
        by_name[name] = test, dict(settings)
    if not by_name:
        raise ValueError("`tests` must name at least one test; got none")
    return by_name


def _source_text(source: Any) -> str:
    """Return the repr of a source, which identifies the source in a store."""
    text = repr(source)
    if " at 0x" in text:
        raise ValueError(f"a source must have a repr that names its settings, such as the repr of a dataclass; got {text}")
    return text
