"""Estimated correlations of contingency tables of 5x2 cross-validation.

There is an estimate for each pair of learners and each data set (Figure 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...core.validation import check
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLACK, BLUE, GREY, ORANGE, VERMILLION, Curve, Line, Points
from ...render.display_table import Table, TableDisplay
from ..integer_encoding import decode_integers
from .correlation_sums import FOLD, LEARNERS, PAIRS
from .stored_correlations import stored_results

CountKind = Literal["disagreements", "differences"]
VarianceKind = Literal["observed", "binomial"]


class Moments(NamedTuple):
    """Moments of the count in a fold: mean, variance, and covariance with a fold of the same and of another repetition."""

    mean: Array
    variance: Array
    same: Array
    other: Array


def moments_from_sums(sums: NDArray[np.int64], samples: Any) -> Moments:
    """Compute unbiased means, variances and covariances from sums over samples; the ten folds of a sample are exchangeable.

    Parameters
    ----------
    sums : array, shape (..., 4)
        Sums of T, of T squared, of the ten q squared, of the five products of the two folds of a repetition.  Here q is the count of a
        fold and T the sum of the ten counts (:func:`fstats.studies.correlations.correlation_sums.moment_sums`).
    samples : int or array
        Number of samples, at least 2.

    Examples
    --------
    In one of two samples every fold has count 1, in the other sample every fold has count 3: the variance and all covariances are 2.

    >>> [float(x) for x in moments_from_sums(np.array([40, 1000, 100, 50]), 2)]
    [2.0, 2.0, 2.0, 2.0]
    """
    total, squares, own, pairs = (sums[..., k].astype(float) for k in range(4))
    mean = total / (10 * samples)
    bias = (squares / samples / 100 - mean**2) / (samples - 1)  # bias of mean**2 as an estimate of the square of the true mean
    variance = own / (10 * samples) - mean**2 + bias
    same = pairs / (5 * samples) - mean**2 + bias
    other = (squares - own - 2 * pairs) / (80 * samples) - mean**2 + bias
    return Moments(mean, variance, same, other)


@dataclass(frozen=True)
class Correlated:
    """Correlations of one pair of learners on one data set.

    ``rho1`` is the correlation of the two folds of a repetition, ``rho2`` the correlation of folds of different repetitions.  Both
    correlations are None if the count never varies.  Standard errors come from the jackknife over chunks of samples.
    """

    data_set: str
    a: str
    b: str
    samples: int
    # share of records on which exactly one learner is wrong; for differences, error rate of A minus error rate of B
    share: float
    rho1: float | None
    rho2: float | None
    se1: float
    se2: float
    variance: float  # variance of the count of a fold, divided by its variance for independent records

    @property
    def tables(self) -> float | None:
        """Number of independent tables that contain as much information as the ten tables: 10 / (1 + rho1 + 8 rho2)."""
        return None if self.rho1 is None or self.rho2 is None else 10 / (1 + self.rho1 + 8 * self.rho2)

    @property
    def worth(self) -> float | None:
        """Number of independent tables with independent records: :attr:`tables`, divided by the relative variance of a fold's count."""
        return None if self.tables is None else self.tables / self.variance


class Cloud(TableDisplay):
    """Correlations of all pairs on all data sets; ``cloud.picture()`` draws Figure 1.

    Parameters
    ----------
    found : mapping
        Results in the form that :mod:`fstats.studies.correlations.stored_correlations` reads.
    of : {"disagreements", "differences"}
        Count in a fold.  "disagreements", as in the paper: number of records on which exactly one learner is wrong.  "differences": number
        of records on which only A is wrong minus number of records on which only B is wrong, the basis of McNemar's test.
    relative_to : {"observed", "binomial"}
        Variance by which a covariance is divided: the observed variance, which gives a correlation; or 2e(1 - e)/n, the variance for
        independent records (the paper assumes that both variances are equal).
    """

    def __init__(self, found: Mapping[str, Any], of: CountKind = "disagreements", relative_to: VarianceKind = "observed") -> None:
        check.choice(*get_args(CountKind))(of, "of")
        check.choice(*get_args(VarianceKind))(relative_to, "relative_to")
        self.found, self.of, self.relative_to = found, of, relative_to
        self.pairs = tuple(self._all_pairs())

    def _all_pairs(self) -> Iterator[Correlated]:
        for name, stored in self.found["sets"].items():
            chunks, samples = decode_integers(stored[self.of]), np.array(stored["samples"])
            discordant = decode_integers(stored["disagreements"])[..., 0].sum(0) / (10 * samples.sum() * FOLD)
            sums, count = chunks.sum(0), int(samples.sum())
            whole = self._correlations(sums, count, discordant)
            # jackknife: each estimate leaves out one chunk
            others = [
                self._correlations(sums - chunk, count - size, discordant) for chunk, size in zip(chunks, samples.tolist(), strict=True)
            ]
            spread = np.sqrt((len(others) - 1) * np.var(others, axis=0)) if len(others) > 1 else np.full((4, len(PAIRS)), np.inf)
            for k, (a, b) in enumerate(PAIRS):
                share, rho1, rho2, ratio = whole[:, k].tolist()
                se1, se2 = spread[1:3, k].tolist()
                known = (rho1, rho2, se1, se2, ratio) if np.isfinite(rho1) else (None, None, 0.0, 0.0, 0.0)
                yield Correlated(name, a, b, count, share, *known)

    def _correlations(self, sums: NDArray[np.int64], samples: int, discordant: Array) -> Array:
        """Return the share, rho1, rho2 and the relative variance of each pair of learners, shape (4, pairs)."""
        moments = moments_from_sums(sums, samples)
        share = moments.mean / FOLD
        independent = FOLD * ((share if self.of == "disagreements" else discordant) - share**2)
        varies = (moments.variance > 1e-12) & (independent > 1e-12)
        by = np.where(varies, moments.variance if self.relative_to == "observed" else independent, np.nan)
        return np.array([share, moments.same / by, moments.other / by, moments.variance / np.where(varies, independent, np.nan)])

    # -- access -------------------------------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[Correlated]:
        return (pair for pair in self.pairs if pair.rho1 is not None)

    def __len__(self) -> int:
        return len(self.pairs) - len(self.undefined)

    def __getitem__(self, key: tuple[str, str, str]) -> Correlated:
        """Return the correlations of a pair of learners on a data set: ``cloud["letter", "tree", "neighbours"]``."""
        name, a, b = key
        for pair in self.pairs:
            if pair.data_set == name and {pair.a, pair.b} == {a, b}:
                return pair
        known = f"the data sets {', '.join(self.sets)} and the learners {', '.join(LEARNERS)}"
        raise KeyError(f"`key` must be one data set and two learners, from {known}; got {name!r}, {a!r} and {b!r}")

    @property
    def sets(self) -> list[str]:
        """Names of the data sets."""
        return list(dict.fromkeys(pair.data_set for pair in self.pairs))

    @property
    def undefined(self) -> list[Correlated]:
        """Pairs that never differ in any sample and therefore have no correlations."""
        return [pair for pair in self.pairs if pair.rho1 is None]

    @cached_property
    def rho1(self) -> Array:
        """Array of rho1 of all pairs."""
        return np.array([pair.rho1 for pair in self])

    @cached_property
    def rho2(self) -> Array:
        """Array of rho2 of all pairs."""
        return np.array([pair.rho2 for pair in self])

    def only(self, *, sets: Sequence[str] = (), learner: str = "") -> Cloud:
        """Return a smaller cloud, with only some data sets or only the pairs with one learner."""
        part = Cloud.__new__(Cloud)
        part.found, part.of, part.relative_to = self.found, self.of, self.relative_to
        chosen = (pair for pair in self.pairs if not sets or pair.data_set in sets)
        part.pairs = tuple(pair for pair in chosen if not learner or learner in (pair.a, pair.b))
        return part

    @property
    def shares(self) -> dict[str, float]:
        """Share of the pairs for which each statement holds."""
        a, b = self.rho1, self.rho2
        statements = {
            "rho1 <= 1/2": a <= 0.5,
            "rho2 <= 1/2": b <= 0.5,
            "rho2 >= 0": b >= 0,
            "Eq. 10, all three": (a <= 0.5) & (b >= 0) & (b <= 0.5),
            "Theorem 2, rho2 < (1 + rho1)/2": b < (1 + a) / 2,
            "rho2 >= rho1": b >= a,
        }
        return {name: float(holds.mean()) for name, holds in statements.items()}

    def quantiles(self, share: float = 0.95) -> tuple[float, float]:
        """Return the quantiles of all rho1 and of all rho2 for this share."""
        if not 0 < share < 1:
            raise ValueError(f"`share` must be between 0 and 1; got {share!r}")
        return float(np.quantile(self.rho1, share)), float(np.quantile(self.rho2, share))

    @property
    def _table(self) -> Table:
        lines = []
        for name in self.sets:
            if len(part := self.only(sets=[name])):
                ranges = (f"{np.median(x):+.2f} ({x.min():+.2f} to {x.max():+.2f})" for x in (part.rho1, part.rho2))
                lines.append([name, self.found["sets"][name]["records"], len(part), *ranges])
        heads = ("data set", "records", "pairs", "rho1: median (least to largest)", "rho2")
        return Table(heads, lines, f"Correlations of the {self.of} in two folds, {len(self)} pairs of learners", notes=self.notes)

    @property
    def notes(self) -> list[str]:
        """Notes on the number of samples, the standard errors, and the pairs without correlations."""
        counts = sorted({pair.samples for pair in self.pairs})
        ses = [f"{np.median([getattr(pair, se) for pair in self]):.3f} of {rho}" for se, rho in (("se1", "rho1"), ("se2", "rho2"))]
        notes = [f"Samples of each data set: {' or '.join(map(str, counts))}.  Median standard errors: {', '.join(ses)}."]
        if self.undefined:
            named = ", ".join(f"{pair.a} and {pair.b} on {pair.data_set}" for pair in self.undefined)
            notes.append(f"Without correlations, because the count never varies: {named}.")
        return notes

    def picture(self, marked: Sequence[str] = (), here: Correlated | None = None, *, called: str = "") -> Picture:
        """Draw rho2 against rho1, with the bounds of Equation 10 and the line of Theorem 2.

        Parameters
        ----------
        marked : sequence of str
            Names of learners or data sets whose pairs are highlighted.
        here : Correlated, optional
            Pair of learners with the strongest highlight.
        called : str, optional
            Common name of the highlighted pairs; by default the names in `marked`.
        """
        low, high = float(min(self.rho1.min(), -0.35)) - 0.05, max(0.75, float(self.rho1.max()) + 0.05)
        is_marked = np.array([bool({pair.a, pair.b, pair.data_set} & set(marked)) for pair in self])
        top = max(0.75, float(self.rho2.max()) + 0.05)
        ends = np.array([low, min(high, 2 * top - 1)])
        marks: list[Any] = [
            Curve(np.array([low, 0.5, 0.5]), np.array([0.5, 0.5, 0.0]), GREY, "bounds of Equation 10"),
            Line((low, 0.5), (0.0, 0.0), GREY, 1.5),
            Curve(ends, (1 + ends) / 2, VERMILLION, "Theorem 2"),
            Points(self.rho1[~is_marked], self.rho2[~is_marked], BLUE, radius=2.5),
        ]
        if is_marked.any():
            marks.append(Points(self.rho1[is_marked], self.rho2[is_marked], ORANGE, called or " or ".join(marked), open=True, radius=3.5))
        if here is not None and here.rho1 is not None and here.rho2 is not None:
            x, y = np.array([[here.rho1], [here.rho2]])
            marks.append(Points(x, y, BLACK, f"{here.a} and {here.b} on {here.data_set}", radius=6.0))
        shares = "; ".join(f"{name}: {100 * share:.1f} %" for name, share in self.shares.items())
        what = f"{len(self)} pairs on {len(self.sets)} data sets"
        text = f"rho2 against rho1 for {what}, with the bounds of Equation 10 and the line of Theorem 2. {shares}."
        axes = "ρ₁: folds of the same repetition", "ρ₂: folds of different repetitions"
        within = (low, high), (min(-0.05, float(self.rho2.min()) - 0.05), top)
        return Picture(f"Correlations of {len(self)} pairs of learners", *axes, *within, tuple(marks), text, height=1.5)


def without_replacement(records: int) -> tuple[float, float]:
    """Return rho1 and rho2 if the only cause of correlation is drawing a sample without replacement (losses do not depend on training).

    Two disjoint halves from a population of N records have a negative correlation, rho1 = -m/(N - m) with m records in a half.  For
    halves that share half of their records, rho2 is (1 + rho1)/2, on the line of Theorem 2.

    Examples
    --------
    >>> [round(rho, 3) for rho in without_replacement(690)], [round(rho, 3) for rho in without_replacement(20_000)]
    ([-0.278, 0.361], [-0.008, 0.496])
    """
    rho1 = -FOLD / (records - FOLD)
    return rho1, (1 + rho1) / 2


@cache
def cloud(of: CountKind = "disagreements", relative_to: VarianceKind = "observed") -> Cloud:
    """Return the stored correlations.

    Parameters
    ----------
    of : {"disagreements", "differences"}
        Count in a fold.
    relative_to : {"observed", "binomial"}
        Variance by which covariances are divided.

    Examples
    --------
    >>> found = cloud()
    >>> found.shares["Theorem 2, rho2 < (1 + rho1)/2"]
    1.0
    """
    return Cloud(stored_results(), of, relative_to)
