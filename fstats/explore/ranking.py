"""The explorer of many classifiers: drag a score, and ranks, Friedman's statistic, diagram and ladder follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import check, plot
from ..multiple.friedman import Friedman
from ..number import plain
from ..picture import Picture
from ..posthoc.bergmann_hommel import BergmannHommel
from ..posthoc.comparison import RankComparison
from ..posthoc.finner import Finner
from ..posthoc.hochberg import Hochberg
from ..posthoc.holm import Holm
from ..posthoc.hommel import Hommel
from ..posthoc.li import Li
from ..posthoc.nemenyi import Nemenyi
from ..posthoc.shaffer import Shaffer
from ..row import Row
from .explorer import Control, Explorer
from .pairs import LEVELS, position_of

PROCEDURES: tuple[tuple[str, Callable[..., RankComparison]], ...] = (
    ("Nemenyi", Nemenyi),
    ("Holm", Holm),
    ("Hochberg", Hochberg),
    ("Hommel", Hommel),
    ("Finner", Finner),
    ("Li", Li),
    ("Shaffer", Shaffer),
    ("Bergmann-Hommel", BergmannHommel),
)


@dataclass(frozen=True)
class Ranked:
    """Friedman's test, and a post-hoc procedure on the same ranks."""

    friedman: Friedman
    posthoc: RankComparison
    name: str

    def worked(self) -> tuple[Row, ...]:
        """The rows of Friedman's test, then what the procedure adds to them."""
        rows = tuple(row for row in self.friedman.worked() if row.kind != "conclusion")
        known = {row.name for row in rows} - {"reject", "null"}
        first = tuple(row for row in rows if row.name not in ("reject", "null"))
        return first + tuple(row for row in self.posthoc.worked() if row.name not in known and row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """What both say."""
        doubt = "" if self.friedman.reject else " A cautious reader stops here."
        return f"Friedman: {self.friedman.conclusion}{doubt} {self.name}: {self.posthoc.conclusion}"


class RankingExplorer(Explorer):
    """The first n data sets and k classifiers of a table of scores."""

    def __init__(self, scores: Any, labels: Any, n: int | None, k: int | None, procedure: str, alpha: float, step: float) -> None:
        whole = Friedman(scores, labels)
        if whole.scores.ndim != 2:
            raise ValueError(f"scores must be one table, without repetitions; got shape {whole.scores.shape}")
        self._given, self._labels, self.unit = whole.scores, whole.labels.tolist(), check.positive(step, "step")
        known = [name for name, _ in PROCEDURES]
        chosen = known.index(check.one_of(*known)(procedure, "procedure"))
        most = self._given.shape
        at = {"n": most[0] if n is None else n, "k": most[1] if k is None else k}
        for name, number, limit in (("n", at["n"], most[0]), ("k", at["k"], min(most[1], 9))):
            if not 2 <= number <= limit:
                raise ValueError(f"{name} must lie between 2 and {limit}, the end of its slider; got {number}")
        self._first = {**at, "procedure": chosen, "alpha": position_of(alpha), "dataset": 1, "classifier": 1}
        self._range = int(np.floor(self._given.min() / step - 10)), int(np.ceil(self._given.max() / step + 10))
        super().__init__("Friedman's test and post-hoc procedures with sliders")

    def _start(self) -> None:
        self._scores = self._given.copy()
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        at = self._at
        if moved.keys() == {"score"}:  # beside another control it is the front end's old position, of the score before
            self._scores[at["dataset"] - 1, at["classifier"] - 1] = round(moved["score"] * self.unit, 10)
        at |= {name: position for name, position in moved.items() if name != "score"}
        at["dataset"], at["classifier"] = min(at["dataset"], at["n"]), min(at["classifier"], at["k"])

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at, (n, k) = self._at, self._given.shape
        score = self._scores[at["dataset"] - 1, at["classifier"] - 1]
        label = self._labels[at["classifier"] - 1]
        return [
            Control("dataset", "Data set to change", 1, at["n"], at["dataset"], f"number {at['dataset']}"),
            Control("classifier", "Classifier to change", 1, at["k"], at["classifier"], label),
            Control("score", "Score there", *self._range, round(score / self.unit), plain(score)),
            Control("n", "Number of data sets", 2, n, at["n"], plain(at["n"])),
            Control("k", "Number of classifiers", 2, min(k, 9), at["k"], plain(at["k"])),
            Control("procedure", "Procedure", 0, len(PROCEDURES) - 1, at["procedure"], PROCEDURES[at["procedure"]][0]),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
        ]

    @property
    def test(self) -> Ranked:  # type: ignore[override]
        """Both tests of the scores as they stand."""
        at = self._at
        scores, labels, alpha = self._scores[: at["n"], : at["k"]], self._labels[: at["k"]], LEVELS[at["alpha"]]
        name, procedure = PROCEDURES[at["procedure"]]
        return Ranked(Friedman(scores, labels, alpha=alpha), procedure(scores, labels, alpha=alpha), name)

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The diagram of the procedure, and Friedman's null distribution."""
        return [plot.critical_difference(test.posthoc), plot.null(test.friedman)]


def ranking(
    scores: Any,
    labels: Any = None,
    *,
    n: int | None = None,
    k: int | None = None,
    procedure: str = "Nemenyi",
    alpha: float = 0.05,
    step: float = 0.01,
) -> RankingExplorer:
    """Friedman's test and a post-hoc procedure with sliders: move a score, the numbers of data sets and classifiers, the procedure.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows); higher is better.
    labels : list of str, optional
        Names of the classifiers.
    n, k : int, optional
        Data sets and classifiers at the start, the first ones of the table (at most 9 classifiers).
    procedure : str
        The procedure at the start: "Nemenyi", "Holm", "Hochberg", "Hommel", "Finner", "Li", "Shaffer" or "Bergmann-Hommel".
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves a score.
    """
    return RankingExplorer(scores, labels, n, k, procedure, alpha, step)
