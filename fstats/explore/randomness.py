"""The explorer of the three sources of randomness: initial weights, data splits, cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from .. import check, labelling, plot
from ..number import plain
from ..picture import GREEN, Picture, VerticalLine
from ..procedure import Procedure
from ..step import given, step
from ..value import Array, Value
from .explorer import Control, Explorer


class Draws(Procedure):
    """The draws: how far do the scores of two classifiers go from one draw of chance to the next?"""

    a: Array = given("s_A", "Score of classifier A in each draw.", over="j", check=check.scores)
    b: Array = given("s_B", "Score of classifier B in the same draw.", over="j", check=check.scores, like="a")
    shared: float = given(
        r"\rho", "Share of training records that two evaluations have in common, on average.", check=check.nonnegative, kw_only=True
    )
    draw: int = given("j", "The draw that is marked.", check=check.count(1), default=1, kw_only=True)

    @step("d_j", "$a - $b", over="j")
    def d(self) -> Value:
        """Difference in each draw; positive where A is ahead."""
        return self.a - self.b

    @step(r"s_{A,j}")
    def here_a(self) -> Value:
        """A's score in the marked draw: what you would have reported."""
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
        """How far chance alone moves A's score."""
        return self.a.std(ddof=1)

    @step(r"\bar s_B", r"\text{mean of } $b")
    def mean_b(self) -> Value:
        """B's mean over the draws."""
        return self.b.mean()

    @step(r"\sigma_B", r"\text{standard deviation of } $b")
    def sd_b(self) -> Value:
        """How far chance alone moves B's score."""
        return self.b.std(ddof=1)

    @step(r"\bar d", r"\text{mean of } $d")
    def mean(self) -> Value:
        """Mean difference over the draws."""
        return self.d.mean()

    @step("n_A", r"\#\{j : $d > 0\}")
    def ahead(self) -> Value:
        """Draws in which A is ahead."""
        return (self.d > 0).sum()

    @step("n_B", r"\#\{j : $d < 0\}")
    def behind(self) -> Value:
        """Draws in which B is ahead."""
        return (self.d < 0).sum()

    @property
    def conclusion(self) -> str:
        """What one draw says, and what all of them say, in one sentence."""
        difference = self.here_a - self.here_b
        looks = "A looks better" if difference > 0 else "B looks better" if difference < 0 else "they look equal"
        n, equal = len(self.a), len(self.a) - int(self.ahead) - int(self.behind)
        even = f", neither in {equal}" if equal else ""
        return (
            f"In draw {self.draw} A scores {plain(self.here_a)} and B {plain(self.here_b)}, so {looks}; "
            f"of all {n} draws A is ahead in {self.ahead}, B in {self.behind}{even}."
        )


class RandomnessExplorer(Explorer):
    """Two classifiers, scored again and again, with each source of randomness on or off."""

    def __init__(self, model_a: Any, model_b: Any, x: Any, y: Any, draws: int, folds: int, test_share: float) -> None:
        for name, model in (("model_a", model_a), ("model_b", model_b)):
            if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "get_params")):
                raise TypeError(f"{name} must be a scikit-learn classifier, such as DecisionTreeClassifier(); got {model!r}")
        self._x, self._y = check.numbers(x, "x"), labelling.classes(y, "y")
        if self._x.ndim != 2 or self._y.shape != self._x.shape[:1]:
            raise ValueError(f"x must be a table with one row for each label in y; got shapes {self._x.shape} and {self._y.shape}")
        self.n, self.folds, self.test_share = (
            check.count(2)(draws, "draws"),
            check.count(3)(folds, "folds"),
            check.level(test_share, "test_share"),
        )
        if (rarest := int(np.unique(self._y, return_counts=True)[1].min())) < self.folds:
            raise ValueError(f"each class needs a record in each of the {folds} folds; the rarest class has only {rarest}")
        self.models = (model_a, model_b)
        self._parts, self._score = cache(self._cut), cache(self._evaluate)
        self._scores = {key: self._of_draws(*key) for key in np.ndindex(2, 2, 2)}  # all that the sliders can ask for
        everything = np.concatenate([np.ravel(pair) for pair in self._scores.values()])
        margin = float(np.ptp(everything)) * 0.12 or 1.0
        self._ylim = float(everything.min()) - margin, float(everything.max()) + 2 * margin  # room for the label of the mark
        super().__init__("Sources of randomness with sliders")

    # -- the scores, computed once -------------------------------------------------------------------------------------
    def _cut(self, split: int, cross: int) -> list[tuple[Any, Any]]:
        """Training and test records of one draw: one pair, or one for each fold."""
        from sklearn.model_selection import StratifiedKFold, train_test_split

        if cross:
            return list(StratifiedKFold(self.folds, shuffle=True, random_state=split).split(self._x, self._y))
        return [tuple(train_test_split(np.arange(len(self._y)), test_size=self.test_share, random_state=split, stratify=self._y))]

    def _evaluate(self, which: int, seed: int, split: int, cross: int) -> float:
        """Accuracy in percent of one model, with one seed, on one split (or its mean over the folds)."""
        from sklearn import clone

        model = clone(self.models[which]).set_params(**dict.fromkeys(self._seeds(which), seed))
        parts = self._parts(split, cross)
        right = np.mean([model.fit(self._x[t], self._y[t]).score(self._x[s], self._y[s]) for t, s in parts])
        return round(100 * float(right), 10)  # or the same folds in another order would differ in the last digit

    def _seeds(self, which: int) -> list[str]:
        """The parameters that say where a model takes its random numbers from; none for a model without chance."""
        return [name for name in self.models[which].get_params() if name == "random_state" or name.endswith("__random_state")]

    def _of_draws(self, weights: int, split: int, cross: int) -> tuple[Array, Array]:
        """Scores of both models in all draws; what is off stays at seed 0."""
        a, b = (
            np.array([self._score(which, j * weights if self._seeds(which) else 0, j * split, cross) for j in range(1, self.n + 1)])
            for which in (0, 1)
        )
        return a, b

    def _shared(self, split: int, cross: int) -> float:
        """The share of training records that two folds of a draw, or two draws, have in common."""
        parts = self._parts(1 if split else 0, 1) if cross else [part for j in range(1, self.n + 1) for part in self._parts(j * split, 0)]
        return float(np.mean([len(np.intersect1d(s, t)) / min(len(s), len(t)) for (s, _), (t, _) in combinations(parts, 2)]))

    # -- the sliders ---------------------------------------------------------------------------------------------------
    def _start(self) -> None:
        self._at = {"weights": 0, "split": 1, "cross": 0, "draw": 1}

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at, anew = self._at, ("fixed", "drawn anew")
        return [
            Control("weights", "Initial weights", 0, 1, at["weights"], anew[at["weights"]]),
            Control("split", "Split of the data", 0, 1, at["split"], anew[at["split"]]),
            Control("cross", "Evaluation", 0, 1, at["cross"], ("one test set", f"{self.folds} folds")[at["cross"]]),
            Control("draw", "Draw", 1, self.n, at["draw"], f"number {at['draw']}"),
        ]

    @property
    def test(self) -> Draws:  # type: ignore[override]
        """The draws of what is switched on."""
        at = self._at
        a, b = self._scores[at["weights"], at["split"], at["cross"]]
        return Draws(a, b, shared=self._shared(at["split"], at["cross"]), draw=at["draw"])

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The scores in all draws, the marked one with a line; the score axis stands still."""
        return [replace(of_draws(test), ylim=self._ylim)]


def of_draws(test: Draws) -> Picture:
    """A picture of scores whose "data sets" are draws, one of them marked.

    >>> of_draws(Draws([90, 95], [92, 91], shared=0.7, draw=2))
    [picture: Scores in 2 draws: A is ahead in 1, B in 1, equal in 0. Mean of A 92.5, of B 91.5. Draw 2 is marked: A 95, B 91.]
    """
    picture = plot.scores(test)
    title, text = (words.replace("on ", "in ").replace("data sets", "draws") for words in (picture.title, picture.text))
    mark = VerticalLine(float(test.draw), f"draw {test.draw}", GREEN, dashed=True)
    return replace(
        picture,
        title=title,
        xlabel="draw",
        ylabel="score in percent",
        marks=(mark, *picture.marks),
        text=f"{text} Draw {test.draw} is marked: A {plain(test.here_a)}, B {plain(test.here_b)}.",
    )


def randomness(
    model_a: Any, model_b: Any, x: Any, y: Any, *, draws: int = 8, folds: int = 5, test_share: float = 0.5
) -> RandomnessExplorer:
    """Switch three sources of randomness on and off: initial weights, the split of the data, cross-validation.

    Every score is computed once, when the explorer is made; use models that are fitted within milliseconds.

    Parameters
    ----------
    model_a, model_b : scikit-learn classifiers
        A `random_state`, also within a pipeline, is set to 0 (fixed) or to the number of the draw (drawn anew).
    x, y : array_like
        The records: a table of features, and a label for each row.
    draws : int
        How often chance is drawn.
    folds : int
        Folds of the cross-validation, at least 3.
    test_share : float
        Share of the records in the single test set.
    """
    return RandomnessExplorer(model_a, model_b, x, y, draws, folds, test_share)
