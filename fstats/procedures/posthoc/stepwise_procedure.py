"""What all procedures for several p-values share: the p-values sorted into a ladder, a threshold on each rung, the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import isqrt
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy import special

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT, HypothesisTest
from ...core.step import NotStated, step
from ...core.validation import check, result_checks, tables
from ...core.value_types import Array
from ...core.worked_example_row import Row
from ..multiple.friedman import Friedman
from ..multiple.friedman_aligned_ranks import AlignedRanking, FriedmanAligned
from ..multiple.iman_davenport import ImanDavenport
from ..multiple.many_classifiers import ManyClassifiers, Ranking, default_labels
from .pairwise_aligned_ranks import PairwiseAligned
from .pairwise_tests import EachPairAlone
from .posthoc_comparison import Compared, ControlComparison, Pair, objects, pairs_of
from .pvalue_input import pvalues_with_names


class StepwiseRow(NamedTuple):
    """One hypothesis on the ladder."""

    pair: Pair | str
    pvalue: float
    threshold: float
    adjusted: float
    reject: bool


class StepwiseProcedure(ControlComparison):
    """Several hypotheses, each with its p-value; a subclass says what each rung is compared with.

    The rungs r = 1, ..., m carry the p-values from the smallest to the largest, so that walking the ladder is reading a table.
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {**ControlComparison.names_by_index, "r": "rungs"}

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs, p = (self.__dict__.get(name) for name in ("pairs", "pvalues"))
        if pairs is not None and p is not None and len(pairs) != len(p):
            raise ValueError(f"pairs and pvalues belong together, one for one; got {len(pairs)} and {len(p)}")

    # -- other ways in ------------------------------------------------------------------------------------------------
    @classmethod
    def from_pvalues(cls, p: Any, labels: Any = None, *, alpha: float = 0.05) -> Self:
        """The procedure on p-values from anywhere.

        Parameters
        ----------
        p : array_like, shape (m,) or (m, ...), mapping, Series or DataFrame
            p-values of m hypotheses.  Further axes are independent repetitions.  A mapping, ``{("A", "B"): 0.01, ...}``, and the index
            of a Series bring labels along, as does a DataFrame of classifiers by classifiers, which is symmetric or half empty.
        labels : list, optional
            A name for each hypothesis, or a pair of names; by default H1, H2, ...  Where all pairs of k classifiers are needed
            (:class:`fstats.Shaffer`, :class:`fstats.BergmannHommel`): the pairs, in any order, or the names of the k
            classifiers, the p-values then in the order A-B, A-C, ..., B-C, ...; by default A, B, C, ...
        alpha : float
            Familywise level.
        """
        p, labels = pvalues_with_names(p, labels)
        p = check.probabilities(p, "p")
        return cls.from_steps(pvalues=p, alpha=alpha, **cls._hypotheses(len(p), labels))

    @classmethod
    def _hypotheses(cls, m: int, labels: Any) -> dict[str, Any]:
        """The names of m hypotheses, as steps."""
        pairs = pairs_of([f"H{h}" for h in range(1, m + 1)] if labels is None else labels, "labels")
        if len(pairs) != m:
            raise ValueError(f"labels must name each of the {m} hypotheses; got {len(pairs)}")
        return {"pairs": pairs}

    @classmethod
    def from_test(cls, test: Any, *, control: str | None = None, alpha: float | None = None) -> Self:
        """The procedure after another test.

        Parameters
        ----------
        test : Friedman, ImanDavenport, FriedmanAligned, Pairwise, or a batch of any test
            A test of all classifiers, whose ranking is then compared in pairs; a paired test of each pair; or one test with m
            repetitions, which are taken as m hypotheses.
        control : str, optional
            The classifier that all others are compared with.
        alpha : float, optional
            Familywise level; by default that of the test.
        """
        level: float = getattr(test, "alpha", 0.05) if alpha is None else alpha
        if isinstance(test, Compared):
            raise TypeError(
                f"from_test takes a test whose p-values are not adjusted yet; got {type(test).__name__}, whose decisions hold for all "
                "pairs together already: take one or the other"
            )
        if isinstance(test, FriedmanAligned):
            test = PairwiseAligned.from_steps(**_ranking_inputs(AlignedRanking, test))
        if isinstance(test, EachPairAlone):
            source = test if control is None else test.assuming(control=control)
            told = {"pvalues": source.pvalues, "alpha": level, **getattr(source, "about", {})}  # or ranks would be made the other way round
            return cls._from_source(source, told | cls._hypotheses(len(source.pvalues), source.pairs))
        if isinstance(test, (Friedman, ImanDavenport)):
            return cls.from_steps(**_ranking_inputs(Ranking, test), control=control, alpha=level)
        if control is not None:
            raise TypeError(f"control names a classifier, but {type(test).__name__} has none: leave it out")
        if not isinstance(test, HypothesisTest):
            raise TypeError(
                f"from_test takes Friedman, ImanDavenport, FriedmanAligned, Pairwise or a batch of one test; got {type(test).__name__}"
            )
        if not np.ndim(test.pvalue):
            raise ValueError(
                f"one p-value needs no procedure, and this {type(test).__name__} has no more: to compare classifiers in pairs hand over "
                "fstats.Pairwise(scores) or fstats.Friedman(scores)"
            )
        if np.ndim(test.pvalue) > 1:
            raise ValueError(
                f"a batch must have one axis, an entry for each hypothesis; got p-values of shape {np.shape(test.pvalue)}: "
                "say which axis holds the hypotheses by from_pvalues, whose first axis does"
            )
        return cls.from_pvalues(test.pvalue, alpha=level)

    # -- the ladder ---------------------------------------------------------------------------------------------------
    @step("p_h", r"2\,P(Z \geq |$z|)", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided probability, for each hypothesis on its own, of a standard normal Z at least as far out."""
        return np.maximum(2 * special.ndtr(-np.abs(self.z)), SMALLEST_POSITIVE_FLOAT)

    @step("m", r"\#\{h : $pvalues\}", check=check.count(1))
    def m(self) -> int:
        """Number of hypotheses."""
        return len(self.pvalues)

    @step("h_r", r"\text{the } h \text{ of the } r\text{-th smallest of } $pvalues", over="r", check=check.positions)
    def order(self) -> Any:
        """Which hypothesis stands on each rung, counted in the order of the pairs; of equal p-values the first comes first."""
        return np.argsort(self.pvalues, axis=0, kind="stable") + 1

    @step("p_{(r)}", r"$pvalues \text{ with } h = $order", over="r", check=check.probabilities)
    def sorted_pvalues(self) -> Array:
        """The p-values from the smallest to the largest."""
        return np.take_along_axis(self.pvalues, self.order - 1, 0)

    @step(r"\alpha_r", over="r", check=check.proportion)
    def thresholds(self) -> Array:
        """What the p-value on each rung is compared with."""
        raise TypeError(f"{type(self).__name__} must say its thresholds")

    @step(r"\tilde p_{(r)}", over="r", check=check.probabilities)
    def sorted_adjusted(self) -> Array:
        """The smallest level at which the hypothesis on this rung is rejected."""
        raise TypeError(f"{type(self).__name__} must say its adjusted p-values")

    @step(r"\text{reject } H_{(r)}", r"$sorted_adjusted \leq $alpha", relation=r"\Leftrightarrow", over="r", check=result_checks.decisions)
    def sorted_reject(self) -> Any:
        """Whether the hypothesis on this rung is rejected; walking along the thresholds decides the same."""
        return self.sorted_adjusted <= self.alpha

    @step(r"\tilde p_h", r"$sorted_adjusted \text{ of the rung with } $order = h", over="h", check=check.probabilities)
    def adjusted(self) -> Array:
        """Adjusted p-value of each hypothesis: the smallest familywise level at which it is rejected."""
        adjusted = np.empty_like(self.sorted_adjusted)
        np.put_along_axis(adjusted, self.order - 1, self.sorted_adjusted, 0)
        return adjusted

    @step(r"\text{reject } H_h", r"$adjusted \leq $alpha", relation=r"\Leftrightarrow", over="h", check=result_checks.decisions)
    def reject(self) -> Any:
        """Which hypotheses are rejected."""
        return self.adjusted <= self.alpha

    # -- to look at ---------------------------------------------------------------------------------------------------
    @property
    def rungs(self) -> Any:
        """The hypotheses from the smallest p-value up (of a single table; None for a batch, whose orders differ)."""
        try:
            return None if np.ndim(self.order) > 1 else self.pairs[self.order - 1]
        except NotStated:
            return None

    @property
    def ladder(self) -> list[StepwiseRow]:
        """The rungs from the smallest p-value up, each with its pair, p-value, threshold, adjusted p-value and decision."""
        check.check_single_repetition(np.shape(self.order)[1:], "ladder", "test.at({}).ladder")
        columns = (self.sorted_pvalues, self.thresholds, self.sorted_adjusted, self.sorted_reject)
        return [StepwiseRow(*rung) for rung in zip(self.rungs, *(column.tolist() for column in columns), strict=True)]

    @property
    def difference_sign(self) -> Any:
        """For each pair a number that is positive where the first looks better; None where nothing tells."""
        source = self.__dict__.get("_source")
        try:
            return super().difference_sign if source is None else source.difference_sign
        except NotStated:
            return None

    def _rows(self) -> Iterator[Row]:
        """The rows without the inputs that play no part after p-values from elsewhere, and with one conclusion."""
        rows = list(super()._rows())
        idle = {"labels", "higher_is_better", "metric", "control"} if "pvalues" in self.stated and "_source" not in self.__dict__ else set()
        for row in rows:
            if row.name not in idle and (row.kind != "conclusion" or row is rows[-1]):  # the other is that of the test before
                yield row


def _ranking_inputs(kind: type[ManyClassifiers], test: ManyClassifiers) -> dict[str, Any]:
    """What was given to a test, or stated, as far as it concerns the ranking that it begins with."""
    return {name: value for name, value in test.__getstate__().items() if name in kind.inputs or name in kind.steps}


class AllPairs(StepwiseProcedure):
    """A ladder that reckons with logic: if A = B and B = C are true then A = C is.  It needs all pairs of the classifiers."""

    def __post_init__(self) -> None:
        if self.__dict__.get("control") is not None:
            raise ValueError(
                f"{type(self).__name__} takes no control, because it reckons with what all pairs together allow; got "
                f"control={self.control!r}: with a control use fstats.Holm or fstats.Hommel"
            )
        super().__post_init__()
        pairs = self.__dict__.get("pairs")
        if pairs is not None:
            _complete_pair_names(pairs, _classifier_count(type(self).__name__, len(pairs)), type(self).__name__)

    @classmethod
    def _hypotheses(cls, m: int, labels: Any) -> dict[str, Any]:
        """The pairs of k classifiers, as steps, with their names."""
        k = _classifier_count(cls.__name__, m)
        pairs = pairs_of(default_labels(k) if labels is None else labels, "labels")
        if not any(isinstance(pair, Pair) for pair in pairs):
            names = tables.distinct_names(pairs, k, "labels")
            return {"k": k, "labels": names, "pairs": objects([Pair(*pair) for pair in combinations(names.tolist(), 2)])}
        return {"k": k, "labels": _complete_pair_names(pairs, k, cls.__name__), "pairs": pairs}


def _classifier_count(name: str, m: int) -> int:
    """How many classifiers have so many pairs."""
    k = (1 + isqrt(1 + 8 * m)) // 2
    if k * (k - 1) != 2 * m:
        raise ValueError(
            f"{name} needs a p-value for each pair of k classifiers, and so k (k - 1) / 2 "
            f"= 1, 3, 6, 10, 15, 21, 28, 36, ... of them; got {m}"
        )
    return k


def _complete_pair_names(pairs: Any, k: int, name: str) -> list[str]:
    """The names of k classifiers whose pairs these are, none missing."""
    names = list(dict.fromkeys(one for pair in pairs if isinstance(pair, Pair) for one in pair))
    needed = k * (k - 1) // 2
    if len(names) != k or len(pairs) != needed or not all(isinstance(pair, Pair) for pair in pairs):
        raise ValueError(
            f"{name} needs all pairs of the classifiers: {needed} p-values belong to the pairs of {k}; got {', '.join(map(str, pairs))}"
        )
    return names
