"""All repetitions of the experiment on one data set, and what they say of two learners."""

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
SIGNS = {"=": 0, "-": -1, "+": 1}  # no significant difference; the right one is better; the left one is better
ALPHA = 0.05
Test = Literal["plain t", "corrected t"]


class TableRow(NamedTuple):
    """A row of the text's table; without such a case all but `share` is None."""

    sign: str
    left: float | None = None  # mean accuracy
    right: float | None = None
    t: float | None = None
    p: float | None = None
    seed: int | None = None
    share: float | None = None  # of the repetitions; the typical row has none

    @property
    def cells(self) -> list[str]:
        """The row as it is printed: three decimals, two for T and p, a dash for what there is not.

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
    """A verdict for each repetition."""
    return np.where(reject, np.sign(difference), 0).astype(np.int8)


class VerdictSigns:
    """What a test says in each repetition: 0 where no difference is significant, -1 where the right learner is better, 1
    where the left one is.
    """

    signs: NDArray[np.int8]

    @property
    def shares(self) -> dict[str, float]:
        """Share of the repetitions with each verdict."""
        return {sign: float((self.signs == value).mean()) for sign, value in SIGNS.items()}

    @property
    def kinds(self) -> int:
        """How many different verdicts there are: 1, 2 or 3."""
        return len(np.unique(self.signs))

    @property
    def disagreement(self) -> float:
        """Probability that two people who draw their partitions at random come to different verdicts."""
        return 1 - sum(share**2 for share in self.shares.values())


def file_stem(name: str, mode: str) -> str:
    """A population's file, without ending."""
    return f"{name}_{mode.replace(' ', '_')}"


class PartitionScores:
    """So many repetitions of the experiment on one data set: how many answers of each learner are right in each fold.

    Parameters
    ----------
    name : str
        Of the data set.
    mode : str
        "as printed" or "as it should be".
    right : array of int, shape (seeds, folds, learners)
        Right answers of GNB, KNN and DTC; the seeds are 0, 1, 2, ...
    sizes : array of int, shape (folds,)
        Records of each fold; they do not depend on the seed.
    about : mapping, optional
        How the numbers came about.

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
        self._known: dict[tuple[str, str, str], LearnerPair] = {}  # a comparison is asked for by table, strip and hunt

    def __len__(self) -> int:
        return len(self.right)

    def __repr__(self) -> str:
        return f"{self.name}, {self.mode}: {len(self)} repetitions of {len(self.sizes)}-fold cross-validation of {', '.join(LEARNERS)}"

    @property
    def arrays(self) -> dict[str, Any]:
        """What is kept: learners, folds, seeds, since like beside like packs better."""
        return {"right": self.right.transpose(2, 1, 0), "sizes": self.sizes}

    @cached_property
    def accuracies(self) -> Array:
        """Accuracy of each learner in each fold: (seeds, folds, learners)."""
        return self.right / self.sizes[:, np.newaxis]

    def pair(self, left: str, right: str, test: Test = "plain t") -> LearnerPair:
        """Two learners compared in every repetition.

        Parameters
        ----------
        left, right : {"GNB", "KNN", "DTC"}
            The learners, in the order of the table's columns.
        test : {"plain t", "corrected t"}
            The text's test on five differences as if they were independent, or the same with Nadeau and Bengio's correction.
        """
        if (left, right, test) not in self._known:
            self._known[left, right, test] = LearnerPair(self, left, right, test)
        return self._known[left, right, test]

    @property
    def pairs(self) -> list[LearnerPair]:
        """The three comparisons by the text's test."""
        return [self.pair(*pair) for pair in PAIRS]


class StoredCounts:
    """Counts of one data set, and how they came about; a subclass declares which there are.

    Parameters
    ----------
    name : str
        Of the data set.
    about : mapping, optional
        How the numbers came about.
    **arrays
        The counts.
    """

    kind: ClassVar[str]

    def __init__(self, name: str, about: Mapping[str, Any] | None = None, **arrays: Any) -> None:
        self.name, self.about, self.file = name, dict(about or {}), f"{name}_{self.kind}"
        self.arrays: dict[str, NDArray[np.int64]] = {what: np.asarray(arrays[what], np.int64) for what in self.__annotations__}
        vars(self).update(self.arrays)


class LearnerPair(VerdictSigns, TableDisplay):
    """Two learners on one data set, compared by a t-test in every repetition; shows itself like the text's tables.

    Made by :meth:`PartitionScores.pair`.

    Parameters
    ----------
    population : PartitionScores
        All repetitions.
    left, right : {"GNB", "KNN", "DTC"}
        The learners.
    test : {"plain t", "corrected t"}
        The test.

    Attributes
    ----------
    t, p : array
        Statistic and p-value of each seed.
    verdicts : array
        For each seed 0 where no difference is significant, -1 where the right learner is better, 1 where the left one is.
    limit : float
        The critical value: a statistic beyond it, on either side, is significant.

    Raises
    ------
    ValueError
        For unknown or equal learners, or an unknown test.
    """

    def __init__(self, population: PartitionScores, left: str, right: str, test: Test = "plain t") -> None:
        if left not in LEARNERS or right not in LEARNERS or left == right:
            raise ValueError(f"a pair is two different ones of {', '.join(LEARNERS)}; got {left!r} and {right!r}")
        check.choice(*get_args(Test))(test, "test")
        self.population, self.left, self.right, self.test, self.labels = population, left, right, test, (left, right)
        tested = self.tested  # what is kept of it: its steps would take fifty times the room
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
        """Accuracies of both, shape (folds, seeds)."""
        first, second = (self.population.accuracies[..., LEARNERS.index(one)].T for one in self.labels)
        return first, second

    @property
    def tested(self) -> Any:
        """All repetitions as one test object; ``pair.tested.at(213)`` is that of seed 213, with every step."""
        first, second = self.scores
        d = first - second
        if self.test == "plain t":
            return KFoldT(d, labels=list(self.labels), alpha=ALPHA)
        return CorrectedResampledT(d, test_train_ratio=1 / (len(d) - 1), labels=list(self.labels), alpha=ALPHA)

    @property
    def typical(self) -> TableRow:
        """The row that the text calls average: medians over the seeds, of each fold and then of these; of T; of p."""
        left, right = (float(np.median(np.median(scores, axis=1))) for scores in self.scores)
        return TableRow("≈", left, right, float(np.median(self.t)), float(np.median(self.p)))

    @property
    def rows(self) -> list[TableRow]:
        """Four rows: the typical one, and for each verdict its most extreme seed (for "=" the T nearest to 0) and its share.

        Of equal T, rounded, the first seed counts.
        """
        t = np.round(self.t, 6)
        worth = {"=": -abs(t), "-": -t, "+": t}
        rows = [self.typical]
        for sign, verdict in SIGNS.items():
            seeds = np.flatnonzero(self.verdicts == verdict)
            rows.append(self.row(int(seeds[np.argmax(worth[sign][seeds])]), sign) if len(seeds) else TableRow(sign, share=0.0))
        return rows

    def row(self, seed: int, sign: str | None = None) -> TableRow:
        """What one seed says.

        Parameters
        ----------
        seed : int
            From 0 to the number of repetitions, less one.
        sign : {"=", "-", "+"}, optional
            The verdict whose share stands in the row; by default the one of this seed.

        Raises
        ------
        ValueError
            For a seed that is not among the repetitions.
        """
        if not 0 <= seed < len(self.verdicts):
            raise ValueError(f"seed must lie between 0 and {len(self.verdicts) - 1}, the repetitions that there are; got {seed!r}")
        sign = sign or next(sign for sign, verdict in SIGNS.items() if verdict == self.verdicts[seed])
        left, right = (float(scores[:, seed].mean()) for scores in self.scores)
        return TableRow(sign, left, right, float(self.t[seed]), float(self.p[seed]), seed, self.shares[sign])
