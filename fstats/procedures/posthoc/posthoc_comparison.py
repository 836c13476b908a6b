"""Base classes of post hoc tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy import sqrt

from ...core.arithmetic_steps import ratio_step
from ...core.number_format import format_plain
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.validation.keyword_arguments import with_suggestions
from ...core.value_types import Array, Value
from ..multiple.many_classifiers import ManyClassifiers, RankTable, classifier_labels
from .pvalue_input import reject_pvalues_as_scores

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


MAX_NAMED_PAIRS = 45  # up to this number of pairs (all pairs of 10 classifiers), the conclusion names all rejections


class Pair(NamedTuple):
    """Two classifiers that are compared."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


class TestedPair(Pair):
    """Two classifiers with the test that compares them."""

    test: Any

    @classmethod
    def of(cls, pair: tuple[Any, ...], test: Any) -> Self:
        """Return the pair with its test."""
        tested = cls(*map(str, pair))
        tested.test = test
        return tested

    @property
    def equivalence(self) -> str:
        """Text "within ±0.02" with the margin of an equivalence test; empty for a test of a difference."""
        return f"within ±{format_plain(self.test.margin)}" if self.test.alternative == "equivalence" else ""


def pair_array(value: Any, name: str) -> Any:
    """Return a checked array of pairs of names; a hypothesis that is not a pair keeps its single name."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"`{name}` must be a list of names, or of pairs of names; got {check.format_received_value(value)}")
    entries = [entry if isinstance(entry, (str, TestedPair)) else tuple(entry) if np.ndim(entry) else str(entry) for entry in value]
    if wrong := [entry for entry in entries if isinstance(entry, tuple) and len(entry) != 2]:
        raise ValueError(f"`{name}` must hold names, or pairs of names; got {wrong[0]!r}")
    pairs = object_array(
        [
            entry if isinstance(entry, TestedPair) else Pair(*map(str, entry)) if isinstance(entry, tuple) else str(entry)
            for entry in entries
        ]
    )
    keys = set()
    for entry in pairs:  # the pairs (A, B) and (B, A) are the same comparison
        if (key := frozenset(entry) if isinstance(entry, Pair) else entry) in keys:
            raise ValueError(f"`{name}` must name each comparison once; got {entry} more than once")
        if isinstance(entry, Pair) and entry.first == entry.second:
            raise ValueError(f"`{name}` must hold pairs of different names; got {entry}")
        keys.add(key)
    return pairs


def object_array(entries: list[Any]) -> Any:
    """Return a one-dimensional array whose entries are the given objects."""
    array = np.empty(len(entries), object)
    array[:] = entries
    return array


class PostHocComparison(ManyClassifiers):
    """Comparison of classifiers in pairs; each subclass defines how `reject` is computed."""

    conclusion_row = ("reject", 1, "The decisions in words.")

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs"}
    compares: ClassVar[str] = ""  # name of the compared quantity, such as "mean ranks"

    _alpha_sentence = "Tolerated probability of rejecting at least one true null hypothesis among all pairs."
    alpha: float = input_field(r"\alpha", _alpha_sentence, check=check.level, default=0.05, kw_only=True)

    pairs: ClassVar[Any]  # step that each subclass defines: the compared pairs
    reject: ClassVar[Any]  # step that each subclass defines: decision for each pair

    def __post_init__(self) -> None:
        if "scores" in self.__dict__:
            reject_pvalues_as_scores(type(self), self.__dict__["scores"])
        super().__post_init__()

    def to_frame(self, form: str = "pairs", what: str | None = None) -> Any:
        """Return the comparisons as a pandas DataFrame.

        Parameters
        ----------
        form : {"pairs", "matrix"}
            One row for each pair with all its values, or a square matrix with a row and a column for each classifier.
        what : str, optional
            Name of the step whose values fill the matrix: "adjusted" or "pvalues" (default: the adjusted p-values), "reject",
            "differences" (positive if the classifier of the row is better), ...; with a control, pairs of two other classifiers are nan.
        """
        from .posthoc_data_frame import to_data_frame

        return to_data_frame(self, form, what)

    @with_suggestions
    def plot(
        self, ax: Any = None, *, title: str | None = "", figsize: Any = None, highlight: Any = (), colors: Mapping[str, str] | None = None
    ) -> Picture:
        """Draw the critical difference diagram, which shows mean ranks and connects classifiers that do not differ significantly.

        Parameters
        ----------
        ax, title, figsize
            See :meth:`fstats.PairedT.plot`; the layout fits the size of the axes, or the column of a paper.
        highlight, colors
            As for :func:`fstats.plot.critical_difference`.
        """
        return get_renderer("critical_difference")(self, ax=ax, title=title, figsize=figsize, highlight=highlight, colors=colors)

    @property
    def conclusion(self) -> str:
        """The decisions in one or two sentences (of a single table)."""
        reject = self.reject
        check.check_single_repetition(np.shape(reject)[1:], "conclusion", "test.at({}).conclusion")
        rejected = [self._pair_text(int(h)) for h in np.flatnonzero(reject)]
        level, rest = f"at alpha = {format_plain(self.alpha)}", len(reject) - len(rejected)
        quantity = (
            f" of {self.compared}{'s' * self.compared.endswith(('rank', 'score'))}{self.direction}"
            if "differences" in self.__dict__
            else ""
        )
        if within := getattr(self.pairs[0], "equivalence", ""):
            singular, plural, h0, h0_singular = "test of equivalence", "tests of equivalence", "that they differ", "of a difference"
            all_of_them = f"every pair {level}: the data do not show equivalence {within}"
        elif all(isinstance(pair, Pair) for pair in self.pairs):
            singular, plural, h0, h0_singular = f"comparison{quantity}", f"comparisons{quantity}", "that they are equal", "of equality"
            control = getattr(self, "control", None)
            classifiers = "any two classifiers" if control is None else f"{control} and any other classifier"
            all_of_them = f"every pair {level}: the data do not show a difference between {classifiers}"
        else:
            singular, plural, h0, h0_singular = "hypothesis", "hypotheses", "that they are true", "that it is true"
            all_of_them = f"every hypothesis {level}"
        if not rejected:
            return f"Fail to reject H0 for {all_of_them}, which is not evidence {h0}."
        opening = f" Fail to reject H0 for the {f'other {rest}' if rest > 1 else 'remaining one'}"
        not_rejected = f"{opening}, which is not evidence {h0 if rest > 1 else h0_singular}."
        caution = ", but only formally, since the statistics are infinite" if self.is_degenerate else ""
        beginning = f"Reject H0 {level} for {len(rejected)} of {len(reject)} {plural if len(reject) > 1 else singular}{caution}"
        named = (self._best_group() if len(reject) > MAX_NAMED_PAIRS else "") or f": {'; '.join(rejected)}."
        return f"{beginning}{named}{not_rejected if rest else ''}"

    def _best_group(self) -> str:
        """Return a sentence on the best classifier and those that may be equally good; empty without directions, or with a control."""
        signs = self.difference_sign
        if signs is None or not isinstance(self.pairs[0], Pair) or getattr(self, "control", None) is not None:
            return ""
        decided = list(zip(self.pairs, np.sign(signs).tolist(), self.reject, strict=True))
        wins = Counter[str]()
        for pair, sign, _ in decided:
            wins.update({pair.first: sign, pair.second: -sign})
        (best, _), *_ = wins.most_common(1)
        near = [name for pair, _, reject in decided if best in pair and not reject for name in pair if name != best]
        shown = f"a difference from {best} is not shown for {', '.join(near)}" if near else f"{best} differs from every other classifier"
        return f". In these data {best} is the best: {shown}."

    def _pair_text(self, h: int) -> str:
        """Return the result of pair number h in words."""
        pair, leaning = self.pairs[h], self.difference_sign
        if not isinstance(pair, Pair) or self.is_degenerate:
            return f"{pair}"
        if within := getattr(pair, "equivalence", ""):
            return f"{pair.first} and {pair.second} are equivalent {within}"
        if leaning is None or not leaning[h]:
            return f"{pair.first} and {pair.second} differ"
        better, worse = pair if leaning[h] > 0 else pair[::-1]
        by = f" by {format_plain(abs(self.__dict__['differences'][h]))}" if "differences" in self.__dict__ else ""
        return f"{better} is better than {worse}{by}"

    @property
    def compared(self) -> str:
        """Name of the quantity that `differences` compares, such as mean ranks."""
        return self.compares

    @property
    def direction(self) -> str:
        """Text "(lower is better)" in brackets if low compared values are better; else empty."""
        return ""

    @property
    def is_degenerate(self) -> bool:
        """Whether a rejection is only formal, because the data have no spread and statistics are infinite."""
        return False

    @property
    def difference_sign(self) -> Any:
        """Number for each pair, positive if the first classifier of the pair looks better; None if the better classifier is unknown."""
        if all(isinstance(pair, TestedPair) and not pair.equivalence for pair in self.pairs):
            return np.array([pair.test.better_sign for pair in self.pairs])
        return next((self.__dict__[name] for name in ("differences", "z") if name in self.__dict__), None)


class RankComparison(RankTable, PostHocComparison):
    """Comparison of all pairs of classifiers by their mean ranks."""

    names_by_index: ClassVar[Mapping[str, Any]] = PostHocComparison.names_by_index
    compares = "mean rank"

    @step(r"(j, l)_h", r"\text{all pairs of } $labels", over="h", check=pair_array)
    def pairs(self) -> Any:
        """The two classifiers of each comparison."""
        return object_array([Pair(*pair) for pair in combinations(classifier_labels(self).tolist(), 2)])

    @step(r"d_h", r"\bar R_l - \bar R_j <- $mean_ranks, $pairs, $labels", over="h")
    def differences(self) -> Array:
        """Mean rank of the second classifier of each pair minus mean rank of the first: positive if the first classifier is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        return self.mean_ranks[second] - self.mean_ranks[first]

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$k ($k + 1)}{6\,$n}}", check=check.positive)
    def se(self) -> Value:
        """Standard error of a difference of two mean ranks under H0 without ties."""
        return sqrt(self.k * (self.k + 1) / (6 * self.n))

    z = ratio_step("z_h", "differences", "se", "Difference of the mean ranks in standard errors.", over="h")


class ControlComparison(RankComparison):
    """Comparison of all pairs of classifiers, or of each classifier with a control, by their mean ranks."""

    control: str | None = input_field(r"\text{control}", "Control: every other classifier is compared with it.", default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_control(self)

    @property
    def comparison_family(self) -> str:
        """The set of compared pairs: "all" or "control"."""
        return "all" if self.control is None else "control"

    _pairs_formula: ClassVar = {"all": r"\text{all pairs of } $labels", "control": r"\text{each other of } $labels \text{ with } $control"}

    @step(r"(j, l)_h", _pairs_formula, by="comparison_family", over="h", check=pair_array)
    def pairs(self) -> Any:
        """The two classifiers of each comparison; a control is the second classifier of each pair."""
        labels = classifier_labels(self).tolist()
        if self.comparison_family == "all":
            return object_array([Pair(*pair) for pair in combinations(labels, 2)])
        return object_array([Pair(label, str(self.control)) for label in labels if label != self.control])


def check_control(test: Any) -> None:
    """Raise an error unless the control is one of the labels (if both are known)."""
    values = test.__dict__
    if values.get("control") is not None and values.get("labels") is not None:
        values["control"] = tables.known_name(values["control"], values["labels"], "control")


def pair_positions(pairs: Any, labels: Any) -> tuple[list[int], list[int]]:
    """Return the positions of the first and of the second classifiers of the pairs among the labels."""
    positions = {label: position for position, label in enumerate(labels.tolist())}
    return [positions[pair.first] for pair in pairs], [positions[pair.second] for pair in pairs]
