"""Scores of learners on many random cross-validation partitions.

Two learners are compared on all partitions of a data set.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...core.validation import check
from ...core.value_types import Array
from ...procedures.resampling.corrected_resampled_t import CorrectedResampledT
from ...procedures.resampling.k_fold_t import KFoldT
from ...render.display_table import Table, TableDisplay
from .fold_hacking_pictures import strip

LEARNERS = ("GNB", "KNN", "DTC")
PAIRS = (("GNB", "KNN"), ("GNB", "DTC"), ("KNN", "DTC"))
SIGNS = {"=": 0, "-": -1, "+": 1}  # "=": no significant difference; "-": the right learner is better; "+": the left learner is better
ALPHA = 0.05
Test = Literal["plain t", "corrected t"]


class TableRow(NamedTuple):
    """Row of a printed table; if no repetition has the verdict of the row, all values except `share` are None."""

    sign: str
    left: float | None = None  # mean accuracy of the left learner
    right: float | None = None
    t: float | None = None
    p: float | None = None
    seed: int | None = None
    # share of repetitions with the verdict of this row; None for the typical repetition
    share: float | None = None

    @property
    def cells(self) -> list[str]:
        """Row in the printed format: three decimals, but two for T and p; a dash for a missing value.

        >>> TableRow("-", 0.9462, 0.9798, -146.0, 1.3e-8, 213, 0.0128).cells
        ['-', '0.946', '0.980', '-146.00', '0.00', '213', '0.0128']
        >>> TableRow("+", share=0.0).cells
        ['+', '—', '—', '—', '—', '—', '—']
        """
        if self.left is None or self.right is None or self.t is None or self.p is None:
            return [self.sign, *["—"] * 6]
        figures = [f"{self.left:.3f}", f"{self.right:.3f}", f"{self.t:.2f}".replace("-0.00", "0.00"), f"{self.p:.2f}"]
        return [self.sign, *figures, "—" if self.seed is None else str(self.seed), "—" if self.share is None else f"{self.share:.4f}"]


def verdict_signs(reject: Any, difference: Any) -> NDArray[np.int8]:
    """Return the verdict of each repetition as -1, 0 or 1."""
    return np.where(reject, np.sign(difference), 0).astype(np.int8)


class VerdictSigns:
    """Verdicts of a test in all repetitions: 0 no significant difference, -1 right learner better, 1 left learner better."""

    signs: NDArray[np.int8]

    @property
    def shares(self) -> dict[str, float]:
        """Share of the repetitions for each verdict."""
        return {sign: float((self.signs == value).mean()) for sign, value in SIGNS.items()}

    @property
    def kinds(self) -> int:
        """Number of different verdicts: 1, 2 or 3."""
        return len(np.unique(self.signs))

    @property
    def disagreement(self) -> float:
        """Probability that two random partitions lead to different verdicts."""
        return 1 - sum(share**2 for share in self.shares.values())


def file_stem(name: str, mode: str) -> str:
    """Return the file name of the scores of one data set and mode, without the suffix."""
    return f"{name}_{mode.replace(' ', '_')}"


class PartitionScores:
    """Results of all repetitions of the experiment on one data set: numbers of right answers of each learner in each fold.

    Parameters
    ----------
    name : str
        Name of the data set.
    mode : str
        "as printed" or "as it should be".
    right : array of int, shape (seeds, folds, learners)
        Numbers of right answers of GNB, KNN and DTC; the seeds are 0, 1, 2, ...
    sizes : array of int, shape (folds,)
        Number of records in each fold, which does not depend on the seed.
    about : mapping, optional
        Provenance of the numbers.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> iris = fold_hacking.stored("iris", mode="as printed")
    >>> iris.accuracies.shape
    (10000, 5, 3)
    >>> iris.pair("GNB", "KNN").shares
    {'=': 0.9872, '-': 0.0128, '+': 0.0}
    """

    def __init__(self, name: str, mode: str, right: Any, sizes: Any, about: Mapping[str, Any] | None = None) -> None:
        self.name, self.mode, self.about = name, mode, dict(about or {})
        self.right, self.sizes = np.asarray(right), np.asarray(sizes)
        self.file = file_stem(name, mode)
        # cache of comparisons, because tables, pictures and searches need the same comparisons
        self._pairs: dict[tuple[str, str, str], LearnerPair] = {}

    def __len__(self) -> int:
        return len(self.right)

    def __repr__(self) -> str:
        return f"{self.name}, {self.mode}: {len(self)} repetitions of {len(self.sizes)}-fold cross-validation of {', '.join(LEARNERS)}"

    @property
    def arrays(self) -> dict[str, Any]:
        """Arrays for the file, with axes in the order learners, folds, seeds, because this order compresses better."""
        return {"right": self.right.transpose(2, 1, 0), "sizes": self.sizes}

    @cached_property
    def accuracies(self) -> Array:
        """Accuracy of each learner in each fold, shape (seeds, folds, learners)."""
        return self.right / self.sizes[:, np.newaxis]

    def pair(self, left: str, right: str, test: Test = "plain t") -> LearnerPair:
        """Compare two learners in every repetition.

        Parameters
        ----------
        left, right : {"GNB", "KNN", "DTC"}
            Learners in the order of the columns of the table.
        test : {"plain t", "corrected t"}
            t-test of the text, which treats five differences as independent, or the t-test with the correction of Nadeau and Bengio.
        """
        if (left, right, test) not in self._pairs:
            self._pairs[left, right, test] = LearnerPair(self, left, right, test)
        return self._pairs[left, right, test]

    @property
    def pairs(self) -> list[LearnerPair]:
        """Comparisons of the three pairs of learners with the test of the text."""
        return [self.pair(*pair) for pair in PAIRS]


class StoredCounts:
    """Base class of the counts of one data set with their provenance; a subclass declares the arrays.

    Parameters
    ----------
    name : str
        Name of the data set.
    about : mapping, optional
        Provenance of the numbers.
    **arrays
        Arrays of counts by name.
    """

    kind: ClassVar[str]

    def __init__(self, name: str, about: Mapping[str, Any] | None = None, **arrays: Any) -> None:
        self.name, self.about, self.file = name, dict(about or {}), f"{name}_{self.kind}"
        self.arrays: dict[str, NDArray[np.int64]] = {what: np.asarray(arrays[what], np.int64) for what in self.__annotations__}
        vars(self).update(self.arrays)


class LearnerPair(VerdictSigns, TableDisplay):
    """Comparison of two learners on one data set by a t-test in every repetition, displayed like a table of the text.

    :meth:`PartitionScores.pair` returns this object.

    Parameters
    ----------
    population : PartitionScores
        Results of all repetitions.
    left, right : {"GNB", "KNN", "DTC"}
        The learners.
    test : {"plain t", "corrected t"}
        The test.

    Attributes
    ----------
    t, p : array
        Statistic and p-value of each seed.
    verdicts : array
        Verdict of each seed: 0 no significant difference, -1 the right learner is better, 1 the left learner is better.
    limit : float
        Critical value: a statistic below -limit or above limit is significant.

    Raises
    ------
    ValueError
        For unknown or equal learners, or an unknown test.
    """

    def __init__(self, population: PartitionScores, left: str, right: str, test: Test = "plain t") -> None:
        if left not in LEARNERS or right not in LEARNERS or left == right:
            raise ValueError(f"a pair must be two different learners of {', '.join(LEARNERS)}; got {left!r} and {right!r}")
        check.choice(*get_args(Test))(test, "test")
        self.population, self.left, self.right, self.test, self.labels = population, left, right, test, (left, right)
        # all steps of the test would need fifty times the memory, so only its results are stored
        tested = self.tested
        self.t, self.p, self.limit = np.asarray(tested.statistic), np.asarray(tested.pvalue), float(tested.critical_value)
        self.signs = self.verdicts = verdict_signs(tested.reject, self.t)

    @property
    def _table(self) -> Table:
        of = self.population
        title = f"{of.name.upper()} ({of.mode}; {self.test}; {len(of)} repetitions)"
        return Table(["", self.left, self.right, "T", "p", "I", "D"], [row.cells for row in self.rows], title, left=(0,))

    def _repr_html_(self) -> str:
        return f'<div class="fstats">{strip(self).svg()}</div>{super()._repr_html_()}'

    @property
    def scores(self) -> tuple[Array, Array]:
        """Accuracies of both learners, shape (folds, seeds)."""
        first, second = (self.population.accuracies[..., LEARNERS.index(one)].T for one in self.labels)
        return first, second

    @property
    def tested(self) -> Any:
        """All repetitions as one test object; ``pair.tested.at(213)`` is the test of seed 213, with every step."""
        first, second = self.scores
        d = first - second
        if self.test == "plain t":
            return KFoldT(d, labels=list(self.labels), alpha=ALPHA)
        return CorrectedResampledT(d, test_train_ratio=1 / (len(d) - 1), labels=list(self.labels), alpha=ALPHA)

    @property
    def typical(self) -> TableRow:
        """Row that the text calls average: medians of T and p over the seeds; medians of accuracies over seeds, then over folds."""
        left, right = (float(np.median(np.median(scores, axis=1))) for scores in self.scores)
        return TableRow("≈", left, right, float(np.median(self.t)), float(np.median(self.p)))

    @property
    def rows(self) -> list[TableRow]:
        """Four rows: the typical row, and a row for each verdict with its most extreme seed (for "=" the T nearest to 0) and its share.

        If several seeds have the same T after rounding, the first of these seeds is in the row.
        """
        t = np.round(self.t, 6)
        worth = {"=": -abs(t), "-": -t, "+": t}
        rows = [self.typical]
        for sign, verdict in SIGNS.items():
            seeds = np.flatnonzero(self.verdicts == verdict)
            rows.append(self.row(int(seeds[np.argmax(worth[sign][seeds])]), sign) if len(seeds) else TableRow(sign, share=0.0))
        return rows

    def row(self, seed: int, sign: str | None = None) -> TableRow:
        """Return the row of one seed.

        Parameters
        ----------
        seed : int
            Seed, from 0 to the number of repetitions minus one.
        sign : {"=", "-", "+"}, optional
            Verdict whose share is in the row; by default the verdict of this seed.

        Raises
        ------
        ValueError
            For a seed that does not exist.
        """
        if not 0 <= seed < len(self.verdicts):
            raise ValueError(f"`seed` must be the number of a repetition, from 0 to {len(self.verdicts) - 1}; got {seed!r}")
        sign = sign or next(sign for sign, verdict in SIGNS.items() if verdict == self.verdicts[seed])
        left, right = (float(scores[:, seed].mean()) for scores in self.scores)
        return TableRow(sign, left, right, float(self.t[seed]), float(self.p[seed]), seed, self.shares[sign])
