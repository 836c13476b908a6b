"""What all post-hoc tests share: pairs of classifiers, a decision for each, and a conclusion that names them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy import sqrt

from ...core.number_format import format_plain
from ...core.numerics.zero_division import ratio
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.validation.keyword_arguments import with_suggestions
from ...core.value_types import Array, Value
from ...core.worked_example_row import Row
from ..multiple.many_classifiers import ManyClassifiers, Ranking, classifier_labels
from .pvalue_input import reject_pvalues_as_scores

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


class Pair(NamedTuple):
    """Two classifiers that are compared."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


def pairs_of(value: Any, name: str) -> Any:
    """Pairs of names as an array of objects; a hypothesis that is no pair keeps its one name."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of pairs of names, or of names; got {check.format_received_value(value)}")
    entries = [entry if isinstance(entry, str) else tuple(entry) if np.ndim(entry) else str(entry) for entry in value]
    if wrong := [entry for entry in entries if isinstance(entry, tuple) and len(entry) != 2]:
        raise ValueError(f"{name} must be pairs of names, or names; got {wrong[0]!r}")
    found = objects([Pair(*map(str, entry)) if isinstance(entry, tuple) else str(entry) for entry in entries])
    seen = set()
    for entry in found:  # A - B and B - A are one comparison
        if (key := frozenset(entry) if isinstance(entry, Pair) else entry) in seen:
            raise ValueError(f"{name} must be different; got {entry} more than once")
        if isinstance(entry, Pair) and entry.first == entry.second:
            raise ValueError(f"{name} must be pairs of two different names; got {entry}")
        seen.add(key)
    return found


def objects(entries: list[Any]) -> Any:
    """A one-dimensional array of these objects, whatever they are."""
    array = np.empty(len(entries), object)
    array[:] = entries
    return array


class Compared(ManyClassifiers):
    """Classifiers compared in pairs; a subclass says how `reject` follows."""

    names_by_index: ClassVar[Mapping[str, Any]] = {**ManyClassifiers.names_by_index, "h": "pairs"}
    compares: ClassVar[str] = ""  # what `differences` are differences of

    alpha: float = input_field(
        r"\alpha",
        "Probability of rejecting any true null hypothesis that is tolerated, for all pairs together.",
        check=check.level,
        default=0.05,
        kw_only=True,
    )

    pairs: ClassVar[Any]  # the steps that every subclass has: what is compared,
    reject: ClassVar[Any]  # and which comparisons reject

    def __post_init__(self) -> None:
        if "scores" in self.__dict__:
            reject_pvalues_as_scores(type(self), self.__dict__["scores"])
        super().__post_init__()

    def to_frame(self, form: str = "pairs", what: str | None = None) -> Any:
        """The comparisons as a pandas DataFrame.

        Parameters
        ----------
        form : {"pairs", "matrix"}
            A row for each pair with all that is known of it; or a matrix of classifiers by classifiers.
        what : str, optional
            What stands in the matrix, by the name of the step: "adjusted" or "pvalues" (the adjusted ones by default), "reject",
            "differences" (positive where the row's classifier is better), ...; with a control pairs without it are nan.
        """
        from .posthoc_data_frame import to_data_frame

        return to_data_frame(self, form, what)

    @with_suggestions
    def plot(
        self, ax: Any = None, *, title: str | None = "", figsize: Any = None, highlight: Any = (), colors: Mapping[str, str] | None = None
    ) -> Picture:
        """The critical difference diagram: mean ranks, and which of them differ.

        Parameters
        ----------
        ax, title, figsize
            As for :meth:`fstats.PairedT.plot`; the diagram is laid out for the size of the axes, or for the column of a paper.
        highlight, colors
            As for :func:`fstats.plot.critical_difference`.
        """
        return get_renderer("critical_difference")(self, ax=ax, title=title, figsize=figsize, highlight=highlight, colors=colors)

    @property
    def conclusion(self) -> str:
        """The decisions in one or two sentences (of a single table)."""
        reject = self.reject
        check.check_single_repetition(np.shape(reject)[1:], "conclusion", "test.at({}).conclusion")
        said = [self._said(int(h)) for h in np.flatnonzero(reject)]
        at, rest = f"at alpha = {format_plain(self.alpha)}", len(reject) - len(said)
        of = (
            f" of {self.compared}{'s' * self.compared.endswith(('rank', 'score'))}{self.direction}"
            if "differences" in self.__dict__
            else ""
        )
        if all(isinstance(pair, Pair) for pair in self.pairs):
            kind, kinds, equal, it_is = f"comparison{of}", f"comparisons{of}", "that they are equal", "of equality"
            control = getattr(self, "control", None)
            whom = "any two classifiers" if control is None else f"{control} and any other classifier"
            none = f"every pair {at}: the data do not show a difference between {whom}"
        else:
            kind, kinds, equal, it_is = "hypothesis", "hypotheses", "that they are true", "that it is true"
            none = f"every hypothesis {at}"
        if not said:
            return f"Fail to reject H0 for {none}, which is not evidence {equal}."
        left = (
            f" Fail to reject H0 for the {f'other {rest}' if rest > 1 else 'remaining one'}, "
            f"which is not evidence {equal if rest > 1 else it_is}."
        )
        how = ", but only formally, since they are infinitely large" if self.formal else ""
        return (
            f"Reject H0 {at} for {len(said)} of {len(reject)} "
            f"{kinds if len(reject) > 1 else kind}{how}: {'; '.join(said)}.{left if rest else ''}"
        )

    def _said(self, h: int) -> str:
        """What the data show of one pair."""
        pair, leaning = self.pairs[h], self.difference_sign
        if not isinstance(pair, Pair) or self.formal:
            return f"{pair}"
        if leaning is None or not leaning[h]:
            return f"{pair.first} and {pair.second} differ"
        better, worse = pair if leaning[h] > 0 else pair[::-1]
        by = f" by {format_plain(abs(self.__dict__['differences'][h]))}" if "differences" in self.__dict__ else ""
        return f"{better} is better than {worse}{by}"

    @property
    def compared(self) -> str:
        """What `differences` are differences of, in words."""
        return self.compares

    @property
    def direction(self) -> str:
        """That lower is better, in brackets, where values are compared of which it is."""
        return ""

    @property
    def formal(self) -> bool:
        """Whether decisions hold as a matter of form only, because the data have no spread that differences could be measured by."""
        return False

    @property
    def difference_sign(self) -> Any:
        """For each pair a number that is positive where the first looks better; None where nothing tells."""
        return next((self.__dict__[name] for name in ("differences", "z") if name in self.__dict__), None)

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and the conclusion of a single table."""
        yield from super()._rows()
        if "reject" in self.__dict__ and np.ndim(self.reject) == 1:
            yield Row("conclusion", "", "", "", "", self.conclusion, "The decisions in words.", "", "conclusion")


class RankComparison(Ranking, Compared):
    """All pairs of classifiers, compared by their mean ranks."""

    names_by_index: ClassVar[Mapping[str, Any]] = Compared.names_by_index
    compares = "mean rank"

    @step(r"(j, l)_h", r"\text{all pairs of } $labels", over="h", check=pairs_of)
    def pairs(self) -> Any:
        """The two classifiers of each comparison."""
        return objects([Pair(*pair) for pair in combinations(classifier_labels(self).tolist(), 2)])

    @step(r"d_h", r"\bar R_l - \bar R_j <- $mean_ranks, $pairs, $labels", over="h")
    def differences(self) -> Array:
        """Difference of the mean ranks, second less first: positive where the first of the pair is better."""
        first, second = places(self.pairs, classifier_labels(self))
        return self.mean_ranks[second] - self.mean_ranks[first]

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$k ($k + 1)}{6\,$n}}", check=check.positive)
    def se(self) -> Value:
        """Standard error of a difference of two mean ranks when all classifiers are alike and no scores tie."""
        return sqrt(self.k * (self.k + 1) / (6 * self.n))

    @step("z_h", r"\frac{$differences}{$se}", over="h")
    def z(self) -> Value:
        """The difference in standard errors."""
        return ratio(self.differences, self.se)


class ControlComparison(RankComparison):
    """All pairs of classifiers, or all others with a control, compared by their mean ranks."""

    control: str | None = input_field(r"\text{control}", "The classifier that all others are compared with.", default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        know_control(self)

    @property
    def against(self) -> str:
        """Which pairs are compared: "all" or "control"."""
        return "all" if self.control is None else "control"

    @step(
        r"(j, l)_h",
        {"all": r"\text{all pairs of } $labels", "control": r"\text{each other of } $labels \text{ with } $control"},
        by="against",
        over="h",
        check=pairs_of,
    )
    def pairs(self) -> Any:
        """The two classifiers of each comparison; a control stands second."""
        labels = classifier_labels(self).tolist()
        if self.against == "all":
            return objects([Pair(*pair) for pair in combinations(labels, 2)])
        return objects([Pair(label, str(self.control)) for label in labels if label != self.control])


def know_control(test: Any) -> None:
    """The control must be one of the labels (where both are there)."""
    values = test.__dict__
    if values.get("control") is not None and values.get("labels") is not None:
        values["control"] = tables.known_name(values["control"], values["labels"], "control")


def places(pairs: Any, labels: Any) -> tuple[list[int], list[int]]:
    """Where the first and the second classifiers of the pairs stand among the labels."""
    where = {label: place for place, label in enumerate(labels.tolist())}
    return [where[pair.first] for pair in pairs], [where[pair.second] for pair in pairs]
