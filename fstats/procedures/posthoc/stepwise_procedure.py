"""Base classes of stepwise multiple testing procedures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import isqrt
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ...core.hypothesis import HypothesisTest
from ...core.step import NotStated, count_step, step
from ...core.validation import check, result_checks, tables
from ...core.value_types import Array
from ...core.worked_example_row import Row
from ..multiple.friedman import Friedman
from ..multiple.friedman_aligned_ranks import AlignedRanking, FriedmanAligned
from ..multiple.iman_davenport import ImanDavenport
from ..multiple.many_classifiers import ManyClassifiers, RankTable, default_labels
from .pairwise_aligned_ranks import PairwiseAligned
from .pairwise_tests import UnadjustedPairwiseTests
from .posthoc_comparison import ControlComparison, Pair, PostHocComparison, TestedPair, object_array, pair_array
from .pvalue_input import pvalues_with_names


class StepwiseRow(NamedTuple):
    """One row of the ladder: a hypothesis with its p-value, threshold, adjusted p-value and decision."""

    pair: Pair | str
    pvalue: float
    threshold: float
    adjusted: float
    reject: bool


class StepwiseProcedure(ControlComparison):
    """Procedure for several hypotheses, each with its p-value; a subclass defines the thresholds.

    The sorted p-values form a ladder with the rungs r = 1, ..., m: rung 1 holds the smallest p-value, rung m the largest.
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {**ControlComparison.names_by_index, "r": "rungs"}

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs, p = (self.__dict__.get(name) for name in ("pairs", "pvalues"))
        if pairs is not None and p is not None and len(pairs) != len(p):
            raise ValueError(f"`pairs` and `pvalues` must have the same length; got the lengths {len(pairs)} and {len(p)}")

    # -- other constructors -------------------------------------------------------------------------------------------
    @classmethod
    def from_pvalues(cls, p: Any, labels: Any = None, *, alpha: float = 0.05) -> Self:
        """Return the procedure for p-values from any source.

        Parameters
        ----------
        p : array_like, shape (m,) or (m, ...), mapping, Series or DataFrame
            p-values of m hypotheses.  Further axes are independent repetitions.  Labels are taken from the keys of a mapping,
            ``{("A", "B"): 0.01, ...}``, the index of a Series, or a DataFrame of classifiers by classifiers.  Such a DataFrame must be
            symmetric or have one half empty.  The values of a mapping may also be the tests of the pairs.
        labels : list, optional
            A name for each hypothesis, or a pair of names; by default H1, H2, ...  :class:`fstats.Shaffer` and
            :class:`fstats.BergmannHommel` need all pairs of k classifiers.  For these two procedures, write the pairs in any order, or
            the names of the k classifiers (default: A, B, C, ...).  With names of classifiers, the p-values must be in the order A-B,
            A-C, ..., B-C, ...
        alpha : float
            Familywise level.
        """
        if labels is None and isinstance(p, Mapping) and all(isinstance(test, HypothesisTest) for test in p.values()):
            labels = [TestedPair.of(*named) if isinstance(named[0], tuple) else named[0] for named in p.items()]
        p, labels = pvalues_with_names(p, labels)
        p = check.probabilities(p, "p")
        return cls.from_steps(pvalues=p, alpha=alpha, **cls._hypotheses(len(p), labels))

    @classmethod
    def _hypotheses(cls, m: int, labels: Any) -> dict[str, Any]:
        """Return the names of m hypotheses, as a dictionary {step: value}."""
        pairs = pair_array([f"H{h}" for h in range(1, m + 1)] if labels is None else labels, "labels")
        if len(pairs) != m:
            raise ValueError(f"`labels` must hold {m} names, one for each p-value; got {len(pairs)} names")
        return {"pairs": pairs}

    @classmethod
    def from_test(cls, test: Any, *, control: str | None = None, alpha: float | None = None) -> Self:
        """Return the procedure for the p-values of another test.

        Parameters
        ----------
        test : Friedman, ImanDavenport, FriedmanAligned, Pairwise, or a batch of any test
            A rank test of all classifiers (pairs of classifiers are then compared by their ranks), a paired test of each pair, or one
            test with m repetitions (the repetitions are the m hypotheses).
        control : str, optional
            The control, with which every other classifier is compared.
        alpha : float, optional
            Familywise level; by default the level of the test.
        """
        level: float = getattr(test, "alpha", 0.05) if alpha is None else alpha
        if isinstance(test, PostHocComparison):
            remedy = "Use only one of the two procedures."
            raise TypeError(f"`test` must have unadjusted p-values; got {type(test).__name__}, which adjusts its p-values. {remedy}")
        if isinstance(test, FriedmanAligned):
            test = PairwiseAligned.from_steps(**_ranking_inputs(AlignedRanking, test))
        if isinstance(test, UnadjustedPairwiseTests):
            source = test if control is None else test.assuming(control=control)
            # keep the settings of the test: for example, higher_is_better determines the direction of the ranks
            settings = {"pvalues": source.pvalues, "alpha": level, **getattr(source, "about", {})}
            return cls._from_source(source, settings | cls._hypotheses(len(source.pvalues), source.pairs))
        if isinstance(test, (Friedman, ImanDavenport)):
            return cls.from_steps(**_ranking_inputs(RankTable, test), control=control, alpha=level)
        if control is not None:
            raise TypeError(f"`control` must be left out for {type(test).__name__}, which has none; got {control!r}")
        if not isinstance(test, HypothesisTest):
            raise TypeError(
                "`test` must be Friedman, ImanDavenport, FriedmanAligned, Pairwise or one test with many p-values; got "
                f"{type(test).__name__}"
            )
        if not np.ndim(test.pvalue):
            raise ValueError(
                f"`test` must have several p-values; got {type(test).__name__} with one p-value, which needs no adjustment. For pairs of "
                "classifiers, pass fstats.Pairwise(scores) or fstats.Friedman(scores)."
            )
        if np.ndim(test.pvalue) > 1:
            raise ValueError(
                f"`test` must have its p-values along one axis; got p-values of shape {np.shape(test.pvalue)}. Write "
                f"`{cls.__name__}.from_pvalues(test.pvalue)`."
            )
        return cls.from_pvalues(test.pvalue, alpha=level)

    # -- sorted p-values ----------------------------------------------------------------------------------------------
    pvalues = PairwiseAligned.pvalues

    m = count_step("m", "pvalues", "h", "Number of hypotheses.", check=check.count(1))

    @step("h_r", r"\text{the } h \text{ of the } r\text{-th smallest of } $pvalues", over="r", check=check.positions)
    def order(self) -> Any:
        """Index, in the order of the pairs, of the hypothesis on each rung; hypotheses with equal p-values keep the order of the pairs."""
        return np.argsort(self.pvalues, axis=0, kind="stable") + 1

    @step("p_{(r)}", r"$pvalues \text{ with } h = $order", over="r", check=check.probabilities)
    def sorted_pvalues(self) -> Array:
        """The p-values in ascending order."""
        return np.take_along_axis(self.pvalues, self.order - 1, 0)

    @step(r"\alpha_r", over="r", check=check.proportion)
    def thresholds(self) -> Array:
        """Threshold for the p-value on each rung (rung 1 holds the smallest p-value)."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'thresholds'")

    @step(r"\tilde p_{(r)}", over="r", check=check.probabilities)
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the smallest level at which the hypothesis on this rung is rejected."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'sorted_adjusted'")

    @step(r"\text{reject } H_{(r)}", r"$sorted_adjusted \leq $alpha", relation=r"\Leftrightarrow", over="r", check=result_checks.decisions)
    def sorted_reject(self) -> Any:
        """Decision on each rung; a comparison of the p-values with the thresholds gives the same decisions."""
        return self.sorted_adjusted <= self.alpha

    @step(r"\tilde p_h", r"$sorted_adjusted \text{ of the rung with } $order = h", over="h", check=check.probabilities)
    def adjusted(self) -> Array:
        """Adjusted p-value of each hypothesis: the smallest familywise level at which the hypothesis is rejected."""
        adjusted = np.empty_like(self.sorted_adjusted)
        np.put_along_axis(adjusted, self.order - 1, self.sorted_adjusted, 0)
        return adjusted

    @step(r"\text{reject } H_h", r"$adjusted \leq $alpha", relation=r"\Leftrightarrow", over="h", check=result_checks.decisions)
    def reject(self) -> Any:
        """Decision for each hypothesis."""
        return self.adjusted <= self.alpha

    # -- display ------------------------------------------------------------------------------------------------------
    @property
    def rungs(self) -> Any:
        """The hypotheses of a single table in the order of their p-values; None for a batch, because the orders of its tables differ."""
        try:
            return None if np.ndim(self.order) > 1 else self.pairs[self.order - 1]
        except NotStated:
            return None

    @property
    def ladder(self) -> list[StepwiseRow]:
        """The rungs from the smallest p-value to the largest, each with pair, p-value, threshold, adjusted p-value and decision."""
        check.check_single_repetition(np.shape(self.order)[1:], "ladder", "test.at({}).ladder")
        columns = (self.sorted_pvalues, self.thresholds, self.sorted_adjusted, self.sorted_reject)
        return [StepwiseRow(*rung) for rung in zip(self.rungs, *(column.tolist() for column in columns), strict=True)]

    @property
    def difference_sign(self) -> Any:
        """Number for each pair, positive if the first classifier of the pair looks better; None if the better classifier is unknown."""
        source = self.__dict__.get("_source")
        try:
            return super().difference_sign if source is None else source.difference_sign
        except NotStated:
            return None

    def _rows(self) -> Iterator[Row]:
        """Return the rows of a worked example with one conclusion, and without inputs that have no effect on given p-values."""
        rows = list(super()._rows())
        stated = "pvalues" in self.stated and "_source" not in self.__dict__
        unused = {"labels", "higher_is_better", "metric", "control"} if stated else set()
        for row in rows:  # show only the last conclusion, because earlier ones belong to the source test
            if row.name not in unused and (row.kind != "conclusion" or row is rows[-1]):
                yield row


def _ranking_inputs(kind: type[ManyClassifiers], test: ManyClassifiers) -> dict[str, Any]:
    """Return the given inputs and steps of a test that belong to its ranking."""
    return {name: value for name, value in test.__getstate__().items() if name in kind.inputs or name in kind.steps}


class AllPairs(StepwiseProcedure):
    """Procedure with logical relations among all pairs of classifiers: if A = B and B = C are true, A = C is true."""

    def __post_init__(self) -> None:
        if self.__dict__.get("control") is not None:
            got = f"control={self.control!r}. With a control, use fstats.Holm or fstats.Hommel."
            raise ValueError(f"`control` must be left out for {type(self).__name__}, which compares all pairs; got {got}")
        super().__post_init__()
        pairs = self.__dict__.get("pairs")
        if pairs is not None:
            _complete_pair_names(pairs, _classifier_count(type(self).__name__, len(pairs)), type(self).__name__)

    @classmethod
    def _hypotheses(cls, m: int, labels: Any) -> dict[str, Any]:
        """Return k, the names of the k classifiers and their pairs, as a dictionary {step: value}."""
        k = _classifier_count(cls.__name__, m)
        pairs = pair_array(default_labels(k) if labels is None else labels, "labels")
        if not any(isinstance(pair, Pair) for pair in pairs):
            names = tables.distinct_names(pairs, k, "labels")
            return {"k": k, "labels": names, "pairs": object_array([Pair(*pair) for pair in combinations(names.tolist(), 2)])}
        return {"k": k, "labels": _complete_pair_names(pairs, k, cls.__name__), "pairs": pairs}


def _classifier_count(name: str, m: int) -> int:
    """Return the number of classifiers that have m pairs."""
    k = (1 + isqrt(1 + 8 * m)) // 2
    if k * (k - 1) != 2 * m:
        counts = "k (k - 1) / 2 = 1, 3, 6, 10, 15, 21, 28, 36, ..."
        raise ValueError(f"{name} needs {counts} p-values, one for each pair of k classifiers; got {m}")
    return k


def _complete_pair_names(pairs: Any, k: int, name: str) -> list[str]:
    """Return the names of the k classifiers in the pairs; raise ValueError if a pair is missing."""
    names = list(dict.fromkeys(name for pair in pairs if isinstance(pair, Pair) for name in pair))
    needed = k * (k - 1) // 2
    if len(names) != k or len(pairs) != needed or not all(isinstance(pair, Pair) for pair in pairs):
        got = ", ".join(map(str, pairs))
        raise ValueError(f"{name} needs all {needed} pairs of {k} classifiers, each once; got the pairs {got}")
    return names
