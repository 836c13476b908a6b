"""Every test on the same two models and data, so that their verdicts can be seen to differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from time import perf_counter
from typing import Any

from ..core.number_format import Probability, format_plain, to_json_number
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.resampling.cross_validation_tests import ALL_TESTS
from ..procedures.resampling.split_plans.split_plan import Plan
from ..render.display_table import Table, TableDisplay, TextAndHtml, emphasize
from .compare import check_test_settings, with_split_results
from .model_comparison import ModelComparison
from .model_evaluation import short_repr
from .splits import split_count
from .training_jobs import StorePath


@dataclass(frozen=True)
class TestResult:
    """What one test says, and what it costs."""

    test: Any  # the worked test
    trainings: int  # of each model
    seconds: float  # of training and scoring, all workers together, and of the test

    @property
    def name(self) -> str:
        """The class of the test."""
        return type(self.test).__name__

    @property
    def decision(self) -> str:
        """In two or three words."""
        return "reject" if self.test.reject else "fail to reject"

    def to_dict(self) -> dict[str, Any]:
        """As plain Python values, fit for JSON: an infinite statistic is the text "inf" or "-inf"."""
        return {
            "test": self.name,
            "plan": str(self.test.plan),
            "statistic": to_json_number(float(self.test.statistic)),
            "pvalue": float(self.test.pvalue),
            "reject": bool(self.test.reject),
            "trainings": self.trainings,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, repr=False)
class TestResults(TableDisplay):
    """What several tests say about the same models and data: a table that can be gone through, or asked for one test by its name."""

    title: str
    alpha: float
    rows: tuple[TestResult, ...]
    left_out: Mapping[str, str]  # tests that could not be made, and why

    HEADS = ("test", "plan", "statistic", "p", "decision", "trainings", "seconds")

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, test: Any) -> TestResult:
        name = test.__name__ if isinstance(test, type) else test
        for row in self.rows:
            if row.name == name:
                return row
        why = f": {self.left_out[name]}" if name in self.left_out else ""
        raise KeyError(f"no verdict of {name}{why}; there are {', '.join(row.name for row in self)}")

    @property
    def conclusion(self) -> str:
        """How many of the tests reject."""
        count = sum(bool(row.test.reject) for row in self)
        of = f"{count} of {len(self)} tests reject H0 at alpha = {format_plain(self.alpha)}"
        return f"{of}: they ask different questions and err at different rates."

    @property
    def _table(self) -> Table:
        lines = [
            [
                row.name,
                str(row.test.plan),
                row.test.statistic,
                Probability(row.test.pvalue, level=self.alpha),
                row.decision,
                row.trainings,
                round(row.seconds, 3),
            ]
            for row in self
        ]
        left_out = [
            TextAndHtml(f"Left out: {name}: {why}.", f"Left out: <code>{escape(name)}</code>: {escape(why)}.")
            for name, why in self.left_out.items()
        ]
        return Table(self.HEADS, lines, self.title, notes=[emphasize(self.conclusion), *left_out])

    def to_dict(self) -> dict[str, Any]:
        """As plain Python values."""
        rows = [row.to_dict() for row in self]
        return {"title": self.title, "alpha": self.alpha, "verdicts": rows, "left_out": dict(self.left_out)}


@with_suggestions
def compare_all(
    model_a: Any,
    model_b: Any,
    X: Any,
    y: Any,
    tests: Sequence[Any] | None = None,
    *,
    rng: Any = 0,
    jobs: int = 1,
    scoring: Any = "accuracy",
    groups: Any = None,
    stratify: bool = False,
    sample_weight: Any = None,
    store: StorePath = None,
    progress: bool = True,
    alpha: float = 0.05,
) -> TestResults:
    """What do all tests say about the same two learning algorithms on one data set?

    Tests on the same plan share its trainings, so that they judge the same numbers.

    Parameters
    ----------
    model_a, model_b, X, y, rng, jobs, scoring, groups, stratify, sample_weight, store, progress, alpha
        As in :func:`fstats.compare`, with which every verdict agrees.
    tests : list of classes, optional
        Which tests; by default all 18 that can be made (with a scoring other than accuracy, or with groups, some cannot).

    Returns
    -------
    TestResults
        A table: ``for verdict in verdicts``, ``verdicts["FiveByTwoT"].test`` is the worked test, ``to_dict()`` plain values.

    Notes
    -----
    `trainings` are those of each model that a test alone would need, `seconds` what they took (all workers together).  Of all 17 tests
    the conservative Z costs most: 315 of the 692 trainings.

    A verdict is no vote: to look at all of them and report the one that rejects is to test at another level than alpha.

    Raises
    ------
    ValueError, TypeError
        As :func:`fstats.compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import fstats
    >>> verdicts = fstats.compare_all(GaussianNB(), GaussianNB(), *load_iris(return_X_y=True), tests=[fstats.FiveByTwoT, fstats.KFoldT])
    >>> [(verdict.name, verdict.trainings, verdict.decision) for verdict in verdicts]
    [('FiveByTwoT', 10, 'fail to reject'), ('KFoldT', 10, 'fail to reject')]
    """
    of = ModelComparison.of(model_a, model_b, X, y, rng=rng, scoring=scoring, groups=groups, stratify=stratify, sample_weight=sample_weight)
    possible, left_out = [], {}
    for test in ALL_TESTS if tests is None else tests:
        try:
            check_test_settings(test, scoring, alpha, {})
            for part in ("splits", *test.further_splits()):
                of.check_splits(test.plan, part)
        except ValueError as error:
            if tests is not None:
                raise
            left_out[test.__name__] = str(error)
        else:
            possible.append(test)
    wanted: dict[Plan, list[str]] = {}
    for test in possible:
        needed = wanted.setdefault(test.plan, [])
        needed += [part for part in test.further_splits() if part not in needed]
    outcomes = of.outcomes(wanted, jobs=jobs, progress=progress, store=store)
    rows = []
    for test in possible:
        scores, seconds = outcomes[test.plan]
        start = perf_counter()
        done = with_split_results(test.from_scores(scores, alpha=alpha), scores, of, scoring)
        _ = done.reject
        used = ("splits", *test.further_splits())
        trainings = sum(split_count(test.plan, part, of.records) for part in used)
        rows.append(TestResult(done, trainings, sum(seconds[part] for part in used) + perf_counter() - start))
    a, b = (short_repr(model.estimator) for model in of.models)
    return TestResults(f"A = {a} and B = {b}, {of.records.n} records, rng = {of.records.rng}", float(alpha), tuple(rows), left_out)
