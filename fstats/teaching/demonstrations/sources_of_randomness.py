"""Effects of random weights and data splits on scores."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check, class_labels
from ...core.value_types import Array, Value


class RepeatedScores(Procedure):
    """Repeated scores: how much do the scores of two classifiers vary between draws?"""

    a: Array = input_field("s_A", "Score of classifier A in each draw.", over="j", check=check.scores)
    b: Array = input_field("s_B", "Score of classifier B in the same draw.", over="j", check=check.scores, like="a")
    shared: float = input_field(
        r"\rho", "Average share of training records that two evaluations have in common.", check=check.proportion, kw_only=True
    )
    draw: int = input_field("j", "Number of the marked draw.", check=check.count(1), default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.__dict__
        if "a" in known and known["draw"] > len(known["a"]):
            raise ValueError(f"`draw` must be the number of a draw, from 1 to {len(known['a'])}; got {known['draw']}")

    @step("d_j", "$a - $b", over="j")
    def d(self) -> Value:
        """Difference in each draw; positive where A is better."""
        return self.a - self.b

    @step(r"s_{A,j}")
    def here_a(self) -> Value:
        """A's score in the marked draw, which you would have reported."""
        return self.a[self.draw - 1]

    @step(r"s_{B,j}")
    def here_b(self) -> Value:
        """B's score in the marked draw."""
        return self.b[self.draw - 1]

    @step(r"\bar s_A", r"\text{mean of } $a")
    def mean_a(self) -> Value:
        """A's mean over the draws."""
        return self.a.mean()

    @step(r"\sigma_A", r"\text{standard deviation of } $a")
    def sd_a(self) -> Value:
        """Standard deviation of A's score over the draws."""
        return self.a.std(ddof=1)

    @step(r"\bar s_B", r"\text{mean of } $b")
    def mean_b(self) -> Value:
        """B's mean over the draws."""
        return self.b.mean()

    @step(r"\sigma_B", r"\text{standard deviation of } $b")
    def sd_b(self) -> Value:
        """Standard deviation of B's score over the draws."""
        return self.b.std(ddof=1)

    @step(r"\bar d", r"\text{mean of } $d")
    def mean(self) -> Value:
        """Mean difference over the draws."""
        return self.d.mean()

    @step("n_A", r"\#\{j : $d > 0\}")
    def ahead(self) -> Value:
        """Number of draws in which A is better."""
        return (self.d > 0).sum()

    @step("n_B", r"\#\{j : $d < 0\}")
    def behind(self) -> Value:
        """Number of draws in which B is better."""
        return (self.d < 0).sum()

    @property
    def conclusion(self) -> str:
        """The result of one draw, and of all draws, in one sentence."""
        difference = self.here_a - self.here_b
        looks = "A looks better" if difference > 0 else "B looks better" if difference < 0 else "A and B look equal"
        equal = len(self.a) - int(self.ahead) - int(self.behind)
        counts = f"A is better in {self.ahead}, B in {self.behind}" + f", neither in {equal}" * bool(equal)
        marked = f"In draw {self.draw} A scores {format_plain(self.here_a)} and B {format_plain(self.here_b)}, so {looks}"
        return f"{marked}; of all {len(self.a)} draws {counts}."


class SourcesOfRandomness:
    """Repeated scores of two classifiers, with each source of randomness switched on or off; no score is computed twice.

    Parameters
    ----------
    model_a, model_b : scikit-learn classifiers
        Each `random_state` of a model, also in a pipeline, is set to 0 (fixed) or to the number of the draw (random).
    x, y : array_like
        The records: a table of features, and a label for each row.
    draws : int
        Number of random draws.
    folds : int
        Number of folds of the cross-validation, at least 3.
    test_share : float
        Share of the records in the single test set.
    """

    def __init__(self, model_a: Any, model_b: Any, x: Any, y: Any, *, draws: int, folds: int, test_share: float) -> None:
        for name, model in (("model_a", model_a), ("model_b", model_b)):
            if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "get_params")):
                raise TypeError(f"`{name}` must be a scikit-learn classifier, such as DecisionTreeClassifier(); got {model!r}")
        self._x, self._y = check.numbers(x, "x"), class_labels.class_labels(y, "y")
        if self._x.ndim != 2 or self._y.shape != self._x.shape[:1]:
            raise ValueError(f"`x` must be a table with one row for each label in y; got shapes {self._x.shape} and {self._y.shape}")
        self.n, self.folds = check.count(2)(draws, "draws"), check.count(3)(folds, "folds")
        self.test_share = check.level(test_share, "test_share")
        if (rarest := int(np.unique(self._y, return_counts=True)[1].min())) < self.folds:
            raise ValueError(
                f"`y` must have at least {folds} records of each class, one for each fold; got {rarest} of the rarest class. Use fewer "
                "folds."
            )
        self.models = (model_a, model_b)
        self._parts, self._score = cache(self._split_records), cache(self._evaluate)

    def draws(self, weights: bool, split: bool, cross: bool, draw: int = 1) -> RepeatedScores:
        """Return the scores of all draws with the given sources of randomness switched on, and with one draw marked."""
        return RepeatedScores(*self.scores(weights, split, cross), shared=self.shared_training_fraction(split, cross), draw=draw)

    def scores(self, weights: bool, split: bool, cross: bool) -> tuple[Array, Array]:
        """Return the scores of both models in all draws; a source of randomness that is off has seed 0."""
        a, b = (
            np.array([self._score(which, j * weights if self._seeds(which) else 0, j * split, cross) for j in range(1, self.n + 1)])
            for which in (0, 1)
        )
        return a, b

    def shared_training_fraction(self, split: bool, cross: bool) -> float:
        """Compute the average share of training records that are common to two folds of a draw, or to two draws."""
        parts = self._parts(1 * split, True) if cross else [part for j in range(1, self.n + 1) for part in self._parts(j * split, False)]
        return float(np.mean([len(np.intersect1d(s, t)) / min(len(s), len(t)) for (s, _), (t, _) in combinations(parts, 2)]))

    def _split_records(self, split: int, cross: bool) -> list[tuple[Any, Any]]:
        """Return the training and test records of one split: one pair, or one pair for each fold."""
        from sklearn.model_selection import StratifiedKFold, train_test_split

        if cross:
            return list(StratifiedKFold(self.folds, shuffle=True, random_state=split).split(self._x, self._y))
        return [tuple(train_test_split(np.arange(len(self._y)), test_size=self.test_share, random_state=split, stratify=self._y))]

    def _evaluate(self, which: int, seed: int, split: int, cross: bool) -> float:
        """Compute the accuracy in percent of one model with one seed on one split (or the mean accuracy over the folds)."""
        from sklearn import clone

        model = clone(self.models[which]).set_params(**dict.fromkeys(self._seeds(which), seed))
        right = np.mean([model.fit(self._x[t], self._y[t]).score(self._x[s], self._y[s]) for t, s in self._parts(split, cross)])
        return round(100 * float(right), 10)  # the order of the folds could change the last digit, so the value is rounded

    def _seeds(self, which: int) -> list[str]:
        """Return the names of a model's parameters for random states; empty for a deterministic model."""
        return [name for name in self.models[which].get_params() if name == "random_state" or name.endswith("__random_state")]
