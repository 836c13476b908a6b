"""The explorer of many classifiers: drag a score, and ranks, Friedman's statistic, diagram and ladder follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from ..widgets.score_explorer import ScoreExplorer
from ..widgets.slider import LEVEL_SLIDER, Slider, integer_slider

PROCEDURES: Mapping[str, Callable[..., RankComparison]] = {
    "Nemenyi": Nemenyi,
    "Holm": Holm,
    "Hochberg": Hochberg,
    "Hommel": Hommel,
    "Finner": Finner,
    "Li": Li,
    "Shaffer": Shaffer,
    "Bergmann-Hommel": BergmannHommel,
}
PROCEDURE = Slider("procedure", "Procedure", tuple(PROCEDURES))


class RankingExplorer(ScoreExplorer[FriedmanWithPostHoc]):
    """The first n data sets and k classifiers of a table of scores."""

    question = "Which classifiers differ?"
    leading = ("procedure", "n")

    def __init__(
        self, scores: Any, labels: Any, n: int | None, k: int | None, procedure: str, alpha: float, step: float, higher: bool | None
    ) -> None:
        told: dict[str, Any] = {} if higher is None else {"higher_is_better": higher}
        whole = Friedman(scores, labels, **told)
        if whole.scores.ndim != 2:
            raise ValueError(f"scores must be one table, without repetitions; got shape {whole.scores.shape}")
        rows, columns = whole.scores.shape
        self._labels, self._about = whole.labels.tolist(), whole.about
        self._n = integer_slider("n", "Number of data sets", 2, rows)
        self._k = integer_slider("k", "Number of classifiers", 2, min(columns, MOST_CLASSIFIERS))
        check.choice(*PROCEDURES)(procedure, "procedure")
        super().__init__(
            "Friedman's test and post-hoc procedures with sliders",
            whole.scores,
            whole.scores,
            step,
            n=self._n.position(rows if n is None else n),
            k=self._k.position(columns if k is None else k),
            procedure=PROCEDURE.position(procedure),
            alpha=LEVEL_SLIDER.position(alpha),
            dataset=1,
            classifier=1,
        )

    @property
    def _place(self) -> tuple[int, ...]:
        return self._at["dataset"] - 1, self._at["classifier"] - 1

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Those of a score, then the size of the table, the procedure, the level."""
        return [
            integer_slider("dataset", "Data set to change", 1, self._at["n"], "number {}".format),
            Slider("classifier", "Classifier to change", self._labels[: self._at["k"]], least=1),
            self._score_slider("Score there", format_plain),
            self._n,
            self._k,
            PROCEDURE,
            LEVEL_SLIDER,
        ]

    @property
    def test(self) -> FriedmanWithPostHoc:
        """Both tests of the scores as they stand."""
        at = self.values
        scores, labels, alpha = self._scores[: at["n"], : at["k"]], self._labels[: at["k"]], at["alpha"]
        posthoc = PROCEDURES[at["procedure"]](scores, labels, alpha=alpha, **self._about)
        return FriedmanWithPostHoc(Friedman(scores, labels, alpha=alpha, **self._about), posthoc, at["procedure"])

    def pictures(self, test: FriedmanWithPostHoc) -> Sequence[Picture]:
        """The diagram of the procedure, and Friedman's null distribution."""
        return [plot.critical_difference(test.posthoc, across=self.across), plot.null(test.friedman)]


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
    """Friedman's test and a post-hoc procedure with sliders: move a score, the numbers of data sets and classifiers, the procedure.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows).
    labels : list of str, optional
        Names of the classifiers.
    n, k : int, optional
        Data sets and classifiers at the start, the first ones of the table (at most 9 classifiers).
    procedure : str
        The procedure at the start: "Nemenyi", "Holm", "Hochberg", "Hommel", "Finner", "Li", "Shaffer" or "Bergmann-Hommel".
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves a score; where all are shares (0 to 1) or percentages (0 to 100), it stays one.
    higher_is_better : bool, optional
        False for errors and losses; :class:`fstats.Results` say it themselves.
    """
    return RankingExplorer(scores, labels, n, k, procedure, alpha, step, higher_is_better)
