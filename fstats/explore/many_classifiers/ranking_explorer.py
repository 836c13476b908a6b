"""Interactive explorer of the Friedman test and post-hoc tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import plot
from ...core.number_format import format_plain
from ...core.validation import check
from ...plot.drawing.picture import Picture
from ...procedures.multiple.friedman import Friedman
from ...procedures.posthoc.bergmann_hommel import MAX_CLASSIFIERS as MOST_CLASSIFIERS
from ...procedures.posthoc.bergmann_hommel import BergmannHommel
from ...procedures.posthoc.finner import Finner
from ...procedures.posthoc.hochberg import Hochberg
from ...procedures.posthoc.holm import Holm
from ...procedures.posthoc.hommel import Hommel
from ...procedures.posthoc.li import Li
from ...procedures.posthoc.nemenyi import Nemenyi
from ...procedures.posthoc.posthoc_comparison import RankComparison
from ...procedures.posthoc.shaffer import Shaffer
from ...teaching.demonstrations.friedman_with_post_hoc import FriedmanWithPostHoc
from ..widgets import LEVEL_SLIDER, ScoreExplorer, Slider, integer_slider

SINGLE_NAMES: tuple[type[RankComparison], ...] = (Nemenyi, Holm, Hochberg, Hommel, Finner, Li, Shaffer)
PROCEDURES = {procedure.__name__: procedure for procedure in SINGLE_NAMES} | {"Bergmann-Hommel": BergmannHommel}
PROCEDURE = Slider("procedure", "Procedure", tuple(PROCEDURES))


class RankingExplorer(ScoreExplorer[FriedmanWithPostHoc]):
    """Friedman's test and a post-hoc procedure on the first n data sets and k classifiers of a table of scores."""

    question = "Which classifiers differ?"
    main_controls = ("procedure", "n")

    def __init__(
        self, scores: Any, labels: Any, n: int | None, k: int | None, procedure: str, alpha: float, step: float, higher: bool | None
    ) -> None:
        direction: dict[str, Any] = {} if higher is None else {"higher_is_better": higher}
        friedman = Friedman(scores, labels, **direction)
        if friedman.scores.ndim != 2:
            raise ValueError(f"`scores` must be a single table without an axis of repetitions; got shape {friedman.scores.shape}")
        rows, columns = friedman.scores.shape
        self._labels, self._about = friedman.labels.tolist(), friedman.about
        self._n = integer_slider("n", "Number of data sets", 2, rows)
        self._k = integer_slider("k", "Number of classifiers", 2, min(columns, MOST_CLASSIFIERS))
        check.choice(*PROCEDURES)(procedure, "procedure")
        start = {"n": self._n.position(rows if n is None else n), "k": self._k.position(columns if k is None else k)}
        start |= {"procedure": PROCEDURE.position(procedure), "alpha": LEVEL_SLIDER.position(alpha), "dataset": 1, "classifier": 1}
        super().__init__("Friedman's test and post-hoc procedures with sliders", friedman.scores, friedman.scores, step, **start)

    @property
    def _score_index(self) -> tuple[int, ...]:
        return self._slider_positions["dataset"] - 1, self._slider_positions["classifier"] - 1

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for a score, the size of the table, the procedure, and the level."""
        return [
            integer_slider("dataset", "Data set to change", 1, self._slider_positions["n"], "number {}".format),
            Slider("classifier", "Classifier to change", self._labels[: self._slider_positions["k"]], least=1),
            self._score_slider("Score to change", format_plain),
            self._n,
            self._k,
            PROCEDURE,
            LEVEL_SLIDER,
        ]

    @property
    def test(self) -> FriedmanWithPostHoc:
        """Friedman's test and the post-hoc procedure on the current scores."""
        at = self.values
        scores, labels, alpha = self._scores[: at["n"], : at["k"]], self._labels[: at["k"]], at["alpha"]
        posthoc = PROCEDURES[at["procedure"]](scores, labels, alpha=alpha, **self._about)
        return FriedmanWithPostHoc(Friedman(scores, labels, alpha=alpha, **self._about), posthoc, at["procedure"])

    def pictures(self, test: FriedmanWithPostHoc) -> Sequence[Picture]:
        """Return the null distribution of Friedman's test, and the diagram of the post-hoc procedure, in the order of the analysis."""
        return [plot.null(test.friedman), plot.critical_difference(test.posthoc, across=self.picture_width)]


def ranking(
    scores: Any,
    labels: Any = None,
    *,
    n: int | None = None,
    k: int | None = None,
    procedure: str = "Nemenyi",
    alpha: float = 0.05,
    step: float = 0.01,
    higher_is_better: bool | None = None,
) -> RankingExplorer:
    """Explore Friedman's test and a post-hoc procedure with sliders: a score, the size of the table, the procedure, the level.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows).
    labels : list of str, optional
        Names of the classifiers.
    n, k : int, optional
        Numbers of data sets and classifiers at the start, taken from the beginning of the table (at most 9 classifiers).
    procedure : str
        Post-hoc procedure at the start: "Nemenyi", "Holm", "Hochberg", "Hommel", "Finner", "Li", "Shaffer" or "Bergmann-Hommel".
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        Change of a score with one key press. Shares stay between 0 and 1, percentages between 0 and 100.
    higher_is_better : bool, optional
        False for errors and losses; not needed for :class:`fstats.Results`, which contain the direction.
    """
    return RankingExplorer(scores, labels, n, k, procedure, alpha, step, higher_is_better)
