"""Table of the scores of two models on each split.

The table is shown as the first rows of a worked example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.step import NotStated, input_field, step
from ..core.validation import check
from ..core.value_types import Array
from ..core.worked_example_row import Row
from ..procedures.resampling.split_scores.split_scores import Scores


class SplitResults(TwoClassifiers):
    """Results on each split: scores of two models on the test set after training on the training set.

    Parameters
    ----------
    results : Scores
        The scores of both models.
    model_a, model_b : str, optional
        Descriptions of the models.
    labels : list of str, optional
        Names of the two classifiers for sentences and headings, first A, then B; by default A and B.
    scoring : str
        The metric.
    rng : int
        The seed of the splits and the models.
    grouped : bool
        Whether records come in groups that are never split.

    Examples
    --------
    >>> from fstats import FiveByTwoT
    >>> SplitResults(Scores.from_arrays(FiveByTwoT.plan, [[0.9, 0.8]] * 5, [[0.8, 0.8]] * 5)).split[:3]
    array(['1.1', '1.2', '2.1'], dtype='<U3')
    """

    scored = ("score_a", "score_b")
    names_by_index: ClassVar[Mapping[str, Any]] = {"s": "split"}

    results: Scores = input_field("S", "Results on all splits.")
    model_a: str = input_field("A", "Model A.", default="A", kw_only=True)
    model_b: str = input_field("B", "Model B.", default="B", kw_only=True)
    scoring: str = input_field(r"\text{scoring}", "Metric on each test set.", default="accuracy", kw_only=True)
    rng: int = input_field(r"\text{rng}", "Seed of the splits and of the models.", default=0, kw_only=True)
    grouped: bool = input_field(
        r"\text{grouped}", "Whether records come in groups that are never split.", check=check.boolean, default=False, kw_only=True
    )

    @classmethod
    def before(cls, test: Any, scores: Scores, **settings: Any) -> Any:
        """Return a test that was made from these scores, with the scores as its first rows."""
        return type(test).following(cls(scores, labels=test.labels, **settings), **test.__getstate__())

    @step("S", "$results")
    def scores(self) -> Scores:
        """Scores of both models on all splits."""
        return self.results

    @step("s", r"1, \ldots \text{ of } $results", over="s")
    def split(self) -> Any:
        """Repetition and fold of each split."""
        return np.array([".".join(str(k + 1) for k in place) or "1" for place in np.ndindex(self.results.plan.shape)])

    @step("s_A", r"\text{score of A in } $results", over="s")
    def score_a(self) -> Array:
        """Score of A on each test set."""
        return np.ravel(self.results.score_a)

    @step("s_B", r"\text{score of B in } $results", over="s")
    def score_b(self) -> Array:
        """Score of B on each test set."""
        return np.ravel(self.results.score_b)

    @step("n_{10,s}", r"n_{10} \text{ of } $results", over="s")
    def only_a(self) -> Array:
        """Records of each test set that A gets right and B wrong."""
        return self._cell(1, 0)

    @step("n_{01,s}", r"n_{01} \text{ of } $results", over="s")
    def only_b(self) -> Array:
        """Records of each test set that A gets wrong and B right."""
        return self._cell(0, 1)

    def _cell(self, a: int, b: int) -> Array:
        if self.results.tables is None:
            raise NotStated("the given scores are not counts of right and wrong records")
        return np.reshape(self.results.tables, (-1, 2, 2))[:, a, b]

    def _rows(self) -> Iterator[Row]:
        """Yield a row for each setting and step except the results themselves."""
        return (row for row in super()._rows() if row.name != "results" and (row.name != "grouped" or row.value))
