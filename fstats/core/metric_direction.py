"""Name and direction of a metric.

The direction says whether higher or lower values are better.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from .number_format import format_plain
from .procedure import Procedure
from .step import input_field
from .validation import check
from .worked_example_row import Row

DEFAULT_METRIC_NAME = "score"
LOWER_IS_BETTER_TEXT, HIGHER_IS_BETTER_TEXT = " (lower is better)", " (higher is better)"
WORDS = {
    kind: frozenset(words) for kind, words in tomllib.loads((files(__package__) / "metric_words.toml").read_text(encoding="utf-8")).items()
}
GAIN_WORDS, WEAK_GAIN_WORDS, LOSS_WORDS = WORDS["gains"], WORDS["weak_gains"], WORDS["losses"]
NEGATIONS, CHANGES, MODIFIERS = WORDS["negations"], WORDS["changes"], WORDS["modifiers"]
# matches "1 - AUC", "100 % - accuracy" and "-log likelihood"; read_direction excludes "1-NN accuracy" (nearest neighbour)
COMPLEMENT = re.compile(r"(?:^(?:test|val|mean)?|[:|/,])\s*(?:(?:1(?:\.0)?|100|one)\s*%?\s*)?(?:[-\u2212\u2013]|minus\b)(\s*)(?=([^\W_]+))")
NUMBER_BEHIND = re.compile(r"(?<=[a-z]{3})(?<!rank)\d+$")  # FPR95 is a loss, as FPR is; "rank1" is not a loss, though "rank" is
LOWER = "lower|lowest|smaller|smallest|less|fewer|kleiner|niedriger|geringer|menor|menos|minore|inferior|plus petit|plus bas|moins"
HIGHER = "higher|highest|larger|greater|more|größer|höher|mehr|mayor|maior|maggiore|superior|plus grand|plus élevé"
BETTER = "better|best|besser|mejor|melhor|meglio|migliore|meilleure?|mieux"
STATED = re.compile(
    rf"\b(?:(?P<lower>{LOWER})|{HIGHER})\b[\s\w,]*\b(?:{BETTER})\b|\bbest\W+(?:(?P<lowest>lowest|smallest)|highest|largest)\b"
)
LOSS_ACRONYM = re.compile(rf"(?<![^\W_])(?:{'|'.join(WORDS['loss_acronyms'])})(?![^\W_])")  # only in capitals, because "far" is also a word
# names of metrics that are often given in percent
PROPORTION_METRICS = re.compile(r"acc|auc|f1|f_1|precision|recall|rate|kappa|score", re.IGNORECASE)
MIN_PERCENT = 20  # if all scores of a classifier are at least this large, they may be in percent
# if the ratio of the median scores of two classifiers lies in this range, probably only one of them is in percent
PERCENT_RANGE = (40, 250)


def is_loss_metric(metric: str) -> bool:
    """Return whether the name of a metric says that lower is better.

    >>> [is_loss_metric(name) for name in ("RMSE", "log_loss", "test logloss", "error rate", "accuracy", "neg_log_loss", "errorless")]
    [True, True, True, True, False, False, False]
    >>> is_loss_metric("tpr_at_5_fpr"), is_loss_metric("FPR@95TPR")  # what follows "at" says where the metric is measured
    (False, True)
    >>> is_loss_metric("Gini ↓"), is_loss_metric("regret ↑"), is_loss_metric("1 - AUC"), is_loss_metric("error reduction")
    (True, False, True, False)
    """
    return read_direction(metric)[0] is True


def direction_text(lower: bool) -> str:
    """Return the words in brackets that state the direction behind the name of a metric."""
    return LOWER_IS_BETTER_TEXT if lower else HIGHER_IS_BETTER_TEXT


@lru_cache(4096)
def read_direction(metric: str) -> tuple[bool | None, bool]:
    """Return whether lower is better by the name of a metric, or None if it does not say; and whether a word reverses the direction.

    >>> read_direction("negative log likelihood"), read_direction("drop in accuracy"), read_direction("1 - xyz"), read_direction("xyz")
    ((True, True), (True, True), (None, True), (None, False))
    """
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", LOSS_ACRONYM.sub("error", metric)).replace("²", "2").replace("_", " ").lower()
    if arrow := re.search(r"↓|\\downarrow|(↑|\\uparrow)", text):
        return not arrow[1], False
    if stated := STATED.search(text):
        return bool(stated["lower"] or stated["lowest"]), False
    text = re.split(r"@|[\s-]at[\s-]", text)[0] or text
    complement = COMPLEMENT.search(text)
    reverses = bool(complement and (complement[1] or complement[2] in MODIFIERS or _direction_of_word(complement[2]) is not None))
    words = re.findall(r"[^\W_]+|[(\[=]", text)
    if not WORDS["better"].isdisjoint(words):
        return reverses, reverses
    found: bool | None = None
    count, is_closed = int(reverses), False
    for k, (before, word, after) in enumerate(zip(["", *words], words, [*words[1:], ""])):
        direction = _direction_of_word(word)
        if word in NEGATIONS:
            # "negative" reverses the direction, except in "F1 (negative)", where it may name the negative class
            count += (
                before not in ("true", "false") and after not in WORDS["beside_negative"] and (found is not False or "likelihood" in words)
            )
        elif word in CHANGES:
            rest = [_direction_of_word(other) for other in words[k + 1 :]]
            count += k == 0 or after in ("in", "of") or not any(other is not None for other in rest)
        elif word == "false" and after.startswith(("pos", "neg", "alarm", "disc", "acc", "rej")):
            found = True
        elif found is not None and word in ("of", "in", "for", "to", "by", "per", "with", "under", "vs"):
            break  # the other words say what was measured, as in "time to accuracy 0.9"
        elif word in ("(", "[", "="):
            is_closed = found is not None  # words in brackets after a metric only explain it, as in "error (1 - accuracy)"
        elif direction is not None and not is_closed:
            is_freed = direction and (
                before in ("non", "without") or after == "free" or (before == "no" and (word[-1] != "s" or word[-2:] == "ss"))
            )
            found = direction and not is_freed if word not in WEAK_GAIN_WORDS else bool(found)
    if found is None and not CHANGES.isdisjoint(words) and "reduction" not in words:
        return True, True  # a decrease without a known metric, such as "performance drop"
    return (None if found is None else found ^ bool(count % 2)), count > 0


def _direction_of_word(word: str) -> bool | None:
    """Return whether a word is the name of a loss (True) or of a metric of which higher is better (False); None for other words."""
    is_compound = (
        word.endswith(("loss", "error", "rmse", "mae", "mape", "fehler", "fehlerrate", "fehlerquote"))
        and word != "terror"
        and not word.startswith("non")
    )
    if is_compound or {word, NUMBER_BEHIND.sub("", word)} & LOSS_WORDS:
        return True
    return False if {word, word.rstrip("0123456789")} & (GAIN_WORDS | WEAK_GAIN_WORDS) else None


@lru_cache(1024)
def has_loss_affix(name: str) -> bool:
    """Return whether the name of a classifier begins or ends with the name of a loss, as ``svr_rmse`` does.

    >>> [has_loss_affix(name) for name in ("svr_rmse", "rmse_forest", "trees by error", "hinge", "SVR")]
    [True, True, True, False, False]
    """
    words = re.findall("[a-z]+", name.lower()) or [""]
    return any(word in WORDS["affixes"] or word.endswith(("loss", "error")) for word in (words[0], words[-1]))


def check_same_unit(columns: Mapping[str, Any]) -> None:
    """Raise ValueError if the scores of some classifiers seem to be in percent and the scores of other classifiers do not."""
    proportions = [name for name, x in columns.items() if x.min() >= 0 and x.max() <= 1 and np.median(x) > 0]
    percents = [name for name, x in columns.items() if x.min() >= MIN_PERCENT and x.max() <= 100]
    if not proportions or not percents:
        return
    percent, other = percents[0], proportions[0]
    if PERCENT_RANGE[0] < np.median(columns[percent]) / np.median(columns[other]) < PERCENT_RANGE[1]:
        ranges = [f"from {format_plain(columns[name].min())} to {format_plain(columns[name].max())}" for name in (percent, other)]
        raise ValueError(
            f"`scores` must be in one unit; got {percent} {ranges[0]}, perhaps in percent, and {other} {ranges[1]}. Divide the scores of "
            f"{percent} by 100, or name the metric, as in `metric='seconds'`, if the unit is the same."
        )


def metric_attributes(table: Any) -> dict[str, Any]:
    """Return the metric and direction that fstats.Results stored in a pandas object; an empty mapping if nothing is stored."""
    attributes = getattr(table, "attrs", None)
    return dict(attributes) if isinstance(attributes, dict) and attributes.keys() == {"metric", "higher_is_better"} else {}


def metric_name(value: Any, name: str) -> str:
    """Check that the name of a metric is text, and remove white space at both ends."""
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"{name} must be the name of the metric, such as 'accuracy'; got {check.format_received_value(value)}")
    return value.strip()


class ScoreProcedure(Procedure):
    """A procedure on scores, errors or losses of a metric."""

    higher_is_better: bool = input_field(
        r"\text{higher is better}", "Whether higher scores are better.", check=check.boolean, default=None, kw_only=True
    )
    metric: str = input_field(
        r"\text{metric}", "Name of the metric of the scores.", check=metric_name, default=DEFAULT_METRIC_NAME, kw_only=True
    )

    def __post_init__(self) -> None:
        values = self.__dict__
        first = values.get(next(iter(getattr(type(self), "scored", ("scores",)))))
        if type(first) is not np.ndarray:
            values |= {name: value for name, value in metric_attributes(first).items() if values.get(name) in (None, DEFAULT_METRIC_NAME)}
        metric, guessed = values.get("metric", DEFAULT_METRIC_NAME), values.get("higher_is_better", True) is None
        super().__post_init__()
        if guessed and values["higher_is_better"] is None:  # no Results object has stated the direction
            values["higher_is_better"] = metric == DEFAULT_METRIC_NAME or not is_loss_metric(str(metric))
        if guessed and not getattr(first, "has_known_direction", False):  # Results may know the direction; otherwise, check the guess
            self._check_direction(str(metric))
        if (scores := self._scores_in_mixed_units()) and (metric == DEFAULT_METRIC_NAME or PROPORTION_METRICS.search(metric)):
            check_same_unit(scores)

    def _check_direction(self, metric: str) -> None:
        """Raise ValueError if the names or the signs of the scores contradict a direction that was guessed."""
        labels: Any = self.__dict__.get("labels")
        if metric == DEFAULT_METRIC_NAME and labels is None:
            return
        if metric == DEFAULT_METRIC_NAME:
            names = () if np.ndim(labels) != 1 else labels
            if len(names) > 1 and all(has_loss_affix(str(name)) for name in names) and self._scored_arrays():
                listed = ", ".join(map(str, names[:3]))
                raise ValueError(
                    f"{listed} are names of losses (lower is better). Write higher_is_better=False, or higher_is_better=True if higher "
                    "is better."
                )
        elif (is_loss_metric(metric) or is_loss_metric(metric.removeprefix("neg_"))) and (arrays := self._scored_arrays()):
            negated = metric.startswith("neg_") and not is_loss_metric(metric)
            if all((x >= 0 if negated else x <= 0).all() for x in arrays) and any(x.any() for x in arrays):
                side = "above" if negated else "below"
                raise ValueError(
                    f"scores of {metric} cannot be {side} 0; got only scores {side} 0. Write higher_is_better=True if the signs were "
                    "changed, otherwise higher_is_better=False."
                )

    def _scored_arrays(self) -> list[Any]:
        """Return the inputs that are arrays of scores."""
        inputs = [self.__dict__.get(name) for name in getattr(type(self), "scored", ("scores",))]
        return [x for x in inputs if type(x) is np.ndarray]

    def _scores_in_mixed_units(self) -> Mapping[str, Any]:
        """Map classifiers to scores if the scores of only some classifiers look like proportions; otherwise return an empty mapping."""
        return {}

    @property
    def about(self) -> dict[str, Any]:
        """Metric and direction, as keyword arguments for another test of the same scores."""
        return {name: self.__dict__[name] for name in ("higher_is_better", "metric") if name in self.__dict__}

    @property
    def highest_is_best(self) -> bool:
        """Whether the classifier with the highest mean is the best."""
        return self.higher_is_better

    @property
    def direction(self) -> str:
        """The words "(lower is better)"; empty if higher scores are better, because readers assume so."""
        return "" if self.__dict__.get("higher_is_better", True) else LOWER_IS_BETTER_TEXT

    @property
    def compared(self) -> str:
        """The compared quantity in words, such as "mean score", with the name of the metric instead of "score"."""
        metric, compares = self.__dict__.get("metric", DEFAULT_METRIC_NAME), getattr(type(self), "compares", DEFAULT_METRIC_NAME)
        return re.sub(r"\bscore\b", lambda _: metric, compares)

    def _rows(self) -> Iterator[Row]:
        """Return the rows; the rows of direction and metric are included only if their values differ from the defaults."""
        defaults = {"higher_is_better": True, "metric": DEFAULT_METRIC_NAME}
        return (row for row in super()._rows() if row.name not in defaults or row.value != defaults[row.name])
