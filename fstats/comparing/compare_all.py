"""Compare two models by all resampling tests."""

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
    """Result of one test, with its numbers of trainings and seconds."""

    test: Any
    trainings: int  # number of trainings of each model
    seconds: float  # computing time of training, scoring and the test, summed over all workers

    @property
    def name(self) -> str:
        """Name of the class of the test."""
        return type(self.test).__name__

    @property
    def decision(self) -> str:
        """Decision of the test: "reject" or "fail to reject"."""
        return "reject" if self.test.reject else "fail to reject"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values for JSON; an infinite statistic is the text "inf" or "-inf"."""
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
    """Results of several tests on the same models and data: a table that can be iterated, or indexed by the name of a test."""

    title: str
    alpha: float
    rows: tuple[TestResult, ...]
    left_out: Mapping[str, str]  # maps the name of a test that was left out to the reason

    COLUMN_HEADS = ("test", "plan", "statistic", "p", "decision", "trainings", "seconds")

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, test: Any) -> TestResult:
        name = test.__name__ if isinstance(test, type) else test
        for row in self.rows:
            if row.name == name:
                return row
        reason = self.left_out.get(name, "not computed")
        raise KeyError(f"there is no result of {name} ({reason}); the tests with results are {', '.join(row.name for row in self)}")

    @property
    def conclusion(self) -> str:
        """Number of tests that reject."""
        count = sum(bool(row.test.reject) for row in self)
        sentence = f"{count} of {len(self)} tests reject H0 at alpha = {format_plain(self.alpha)}"
        return f"{sentence}: different tests ask different questions and have different error rates."

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
            TextAndHtml(f"Left out: {name}: {reason}.", f"Left out: <code>{escape(name)}</code>: {escape(reason)}.")
            for name, reason in self.left_out.items()
        ]
        return Table(self.COLUMN_HEADS, lines, self.title, notes=[emphasize(self.conclusion), *left_out])

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain Python values."""
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
    """Compare two learning algorithms on one data set with all resampling tests.

    Tests on the same plan share their trainings and therefore use the same scores.

    Parameters
    ----------
    model_a, model_b, X, y, rng, jobs, scoring, groups, stratify, sample_weight, store, progress, alpha
        As in :func:`fstats.compare`; every result agrees with that function.
    tests : list of classes, optional
        The tests; by default all 18 tests that can be computed (some tests cannot be computed with groups, or with another scoring than
        accuracy).

    Returns
    -------
    TestResults
        A table: ``for verdict in verdicts`` iterates, ``verdicts["FiveByTwoT"].test`` is the test, ``to_dict()`` returns plain values.

    Notes
    -----
    `trainings` is the number of trainings of each model that a test alone would need; `seconds` is the time of these trainings (summed
    over all workers).  The most expensive of all 17 tests is the conservative Z: 315 of the 692 trainings.

    Do not choose a test after seeing all results: a test that is chosen because it rejects has another level than alpha.

    Raises
    ------
    ValueError, TypeError
        As in :func:`fstats.compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import fstats
    >>> verdicts = fstats.compare_all(GaussianNB(), GaussianNB(), *load_iris(return_X_y=True), tests=[fstats.FiveByTwoT, fstats.KFoldT])
    >>> [(verdict.name, verdict.trainings, verdict.decision) for verdict in verdicts]
    [('FiveByTwoT', 10, 'fail to reject'), ('KFoldT', 10, 'fail to reject')]
    """
    comparison = ModelComparison.from_arguments(
        model_a, model_b, X, y, rng=rng, scoring=scoring, groups=groups, stratify=stratify, sample_weight=sample_weight
    )
    possible, left_out = [], {}
    for test in ALL_TESTS if tests is None else tests:
        try:
            check_test_settings(test, scoring, alpha, {})
            for part in ("splits", *test.further_splits()):
                comparison.check_splits(test.plan, part)
        except ValueError as error:
            if tests is not None:
                raise
            left_out[test.__name__] = str(error).rstrip(".")
        else:
            possible.append(test)
    requested: dict[Plan, list[str]] = {}
    for test in possible:
        parts = requested.setdefault(test.plan, [])
        parts += [part for part in test.further_splits() if part not in parts]
    plan_scores = comparison.train_and_score(requested, jobs=jobs, progress=progress, store=store)
    rows = []
    for test in possible:
        scores, seconds = plan_scores[test.plan]
        start = perf_counter()
        computed = with_split_results(test.from_scores(scores, alpha=alpha), scores, comparison, scoring)
        _ = computed.reject  # compute the decision now, so that the measured time includes it
        used = ("splits", *test.further_splits())
        trainings = sum(split_count(test.plan, part, comparison.records) for part in used)
        rows.append(TestResult(computed, trainings, sum(seconds[part] for part in used) + perf_counter() - start))
    a, b = (short_repr(model.estimator) for model in comparison.models)
    title = f"A = {a} and B = {b}, {comparison.records.n} records, rng = {comparison.records.rng}"
    return TestResults(title, float(alpha), tuple(rows), left_out)
