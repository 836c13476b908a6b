"""What scores are: by which metric, and whether high ones or low ones are good."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .number_format import format_plain
from .procedure import Procedure
from .step import input_field
from .validation import check
from .worked_example_row import Row

DEFAULT_METRIC_NAME = "score"
PLAIN_LOSSES = {"loss", "error", "err", "rmse", "mse", "mae", "mape", "nll", "brier", "perplexity", "wer", "cer", "nrmse", "logloss"}
LOWER_IS_BETTER_TEXT, HIGHER_IS_BETTER_TEXT = " (lower is better)", " (higher is better)"
GAINS = {"neg", "negative", "improvement", "reduction", "gain", "skill", "minus", "saved"}  # words that turn what follows round
LOSSES = {
    *("entropy", "crossentropy", "hinge", "bpb", "medae", "nrmse", "mase", "kl", "fpr", "fnr", "miss", "hamming", "distance", "deviation"),
    *("residual", "residuals", "mcr", "aic", "bic", "nmse", "bits", "divergence", "wmape", "mdape", "rmsd", "tec"),
    *("loss", "losses", "error", "errors", "err", "rmse", "mse", "mae", "mape", "smape", "wape", "msle", "rmsle", "mrse", "rse", "crps"),
    *(
        "nll",
        "brier",
        "perplexity",
        "ppl",
        "deviance",
        "regret",
        "wer",
        "cer",
        "eer",
        "fid",
        "ece",
        "time",
        "seconds",
        "runtime",
        "latency",
    ),
    *("memory", "cost", "misclassification", "rank"),
}
PROPORTION_METRICS = re.compile(r"acc|auc|f1|f_1|precision|recall|rate|kappa|score", re.IGNORECASE)  # metrics that some write in percent
LEAST_PERCENT = 20  # of a score in percent
PERCENT_RANGE = (40, 250)  # times as large as the others scores in percent are


def is_loss_metric(metric: str) -> bool:
    """Whether a metric is known to be the better the lower it is, by a word of its name.

    >>> [is_loss_metric(name) for name in ("RMSE", "log_loss", "test logloss", "error rate", "accuracy", "neg_log_loss", "errorless")]
    [True, True, True, True, False, False, False]
    """
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", metric).lower())
    if not GAINS.isdisjoint(words):
        return False
    return any(word in LOSSES or word.endswith(("loss", "error")) for word in words)


def has_loss_affix(name: str) -> bool:
    """Whether the name of a classifier begins or ends with that of a loss, as ``svr_rmse`` does.

    >>> [has_loss_affix(name) for name in ("svr_rmse", "rmse_forest", "trees by error", "hinge", "SVR")]
    [True, True, True, False, False]
    """
    words = re.findall("[a-z]+", name.lower()) or [""]
    return any(word in PLAIN_LOSSES or word.endswith(("loss", "error")) for word in (words[0], words[-1]))


def check_same_unit(columns: Mapping[str, Any]) -> None:
    """Raise an error if some scores seem to be in percent and others not."""
    middles = {name: float(np.median(x)) for name, x in columns.items()}
    shares = [name for name, x in columns.items() if middles[name] > 0 and x.min() >= 0 and x.max() <= 1]
    percents = [name for name, x in columns.items() if x.min() >= LEAST_PERCENT and x.max() <= 100]
    if shares and percents and PERCENT_RANGE[0] < middles[percents[0]] / middles[shares[0]] < PERCENT_RANGE[1]:
        one, other = percents[0], shares[0]
        spans = [f"from {format_plain(columns[name].min())} to {format_plain(columns[name].max())}" for name in (one, other)]
        raise ValueError(
            f"scores must be in one unit; got {one} {spans[0]} and {other} {spans[1]}, as if {one} were in percent: divide it by 100, or, "
            "if both are in one unit, say what they are, such as metric='seconds'"
        )


def metric_attributes(table: Any) -> dict[str, Any]:
    """Metric and direction of scores that a pandas object brings along, since results made it; empty otherwise."""
    found = getattr(table, "attrs", None)
    return dict(found) if isinstance(found, dict) and found.keys() == {"metric", "higher_is_better"} else {}


def metric_name(value: Any, name: str) -> str:
    """What scores are called."""
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"{name} must be the name of what the scores are, such as 'accuracy'; got {check.format_received_value(value)}")
    return value.strip()


class ScoreProcedure(Procedure):
    """Scores, errors or losses, by some metric."""

    higher_is_better: bool = input_field(
        r"\text{higher is better}", "Whether high scores are good.", check=check.boolean, default=None, kw_only=True
    )
    metric: str = input_field(r"\text{metric}", "What the scores are.", check=metric_name, default=DEFAULT_METRIC_NAME, kw_only=True)

    def __post_init__(self) -> None:
        values = self.__dict__
        first = values.get(next(iter(getattr(type(self), "scored", ("scores",)))))
        if type(first) is not np.ndarray:
            values |= {name: told for name, told in metric_attributes(first).items() if values.get(name) in (None, DEFAULT_METRIC_NAME)}
        metric = values.get("metric", DEFAULT_METRIC_NAME)
        guessed = "higher_is_better" in values and values["higher_is_better"] is None
        if guessed:
            values["higher_is_better"] = metric == DEFAULT_METRIC_NAME or not is_loss_metric(str(metric))
        super().__post_init__()
        if guessed:
            self._check_direction(str(metric))
        if (doubtful := self._doubtful()) and (metric == DEFAULT_METRIC_NAME or PROPORTION_METRICS.search(metric)):
            check_same_unit(doubtful)

    def _check_direction(self, metric: str) -> None:
        """Raise an error if the names of scores, or their signs, speak against the direction that nobody stated."""
        inputs = [self.__dict__.get(name) for name in getattr(type(self), "scored", ("scores",))]
        found = [x for x in inputs if type(x) is np.ndarray]
        if metric == DEFAULT_METRIC_NAME:
            labels = self.__dict__.get("labels")
            names = [] if labels is None or np.ndim(labels) != 1 else list(map(str, labels))
            if len(names) > 1 and found and all(map(has_loss_affix, names)):
                raise ValueError(
                    f"scores are called {', '.join(names[:3])}, as losses are, of which lower is better: say higher_is_better=False, or "
                    "True if they are none"
                )
        elif found and (is_loss_metric(metric) or is_loss_metric(metric.removeprefix("neg_"))):
            turned = metric.startswith("neg_")
            if all((x >= 0 if turned else x <= 0).all() for x in found) and any(x.any() for x in found):
                raise ValueError(
                    f"{metric} cannot be {'above' if turned else 'below'} 0, and all these scores are: say higher_is_better=False if they "
                    "are losses, or True if they are losses with their signs turned"
                )

    def _doubtful(self) -> Mapping[str, Any]:
        """The scores of each classifier by its name in a sentence, if some are shares, by their size, and some are not; or else none."""
        return {}

    @property
    def about(self) -> dict[str, Any]:
        """Metric and direction, for another test of the same scores."""
        return {name: self.__dict__[name] for name in ("higher_is_better", "metric") if name in self.__dict__}

    @property
    def highest_is_best(self) -> bool:
        """Whether the highest mean is the best."""
        return self.higher_is_better

    @property
    def direction(self) -> str:
        """That lower is better, in brackets; empty where the higher is, as everybody takes scores to be."""
        return "" if self.__dict__.get("higher_is_better", True) else LOWER_IS_BETTER_TEXT

    @property
    def compared(self) -> str:
        """What is compared in words, "mean score" say, with the name of the metric."""
        return re.sub(
            r"\bscore\b", lambda _: self.__dict__.get("metric", DEFAULT_METRIC_NAME), getattr(type(self), "compares", DEFAULT_METRIC_NAME)
        )

    def _rows(self) -> Iterator[Row]:
        """The rows; direction and metric only where they are told."""
        usual = {"higher_is_better": True, "metric": DEFAULT_METRIC_NAME}
        return (row for row in super()._rows() if row.name not in usual or row.value != usual[row.name])
