"""Figure 1: the correlations of every pair of learners on every data set, estimated from the ten counts of each sample."""

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
from ...plot.drawing.picture_marks import BLACK, BLUE, GREY, ORANGE, VERMILLION, Curve, Label, Line, Points
from ...render.display_table import Table, TableDisplay
from ..integer_encoding import decode_integers
from .correlation_sums import FOLD, LEARNERS, PAIRS
from .stored_correlations import stored_results

CountKind = Literal["disagreements", "differences"]
VarianceKind = Literal["observed", "binomial"]


class Moments(NamedTuple):
    """Of a fold's count: mean, variance, covariance with the other fold of its repetition, covariance with a fold of another."""

    mean: Array
    variance: Array
    same: Array
    other: Array


def moments_from_sums(sums: NDArray[np.int64], samples: Any) -> Moments:
    """Means, variances and covariances from sums over samples, without bias; the ten folds of a sample are exchangeable.

    Parameters
    ----------
    sums : array, shape (..., 4)
        Sums of T, of T squared, of the ten q squared, of the five products of the two folds of a repetition, with q the count of a fold and
        T the sum of ten (:func:`fstats.studies.correlations.correlation_sums.moment_sums`).
    samples : int or array
        How many samples, at least 2.

    Examples
    --------
    Two samples, in which every fold counts 1 or every fold counts 3: all covariances are the variance, 2.

    >>> [float(x) for x in moments_from_sums(np.array([40, 1000, 100, 50]), 2)]
    [2.0, 2.0, 2.0, 2.0]
    """
    total, squares, own, pairs = (sums[..., k].astype(float) for k in range(4))
    mean = total / (10 * samples)
    missing = (squares / samples / 100 - mean**2) / (samples - 1)  # by which the square of the mean is larger than that of the true one
    variance = own / (10 * samples) - mean**2 + missing
    same = pairs / (5 * samples) - mean**2 + missing
    other = (squares - own - 2 * pairs) / (80 * samples) - mean**2 + missing
    return Moments(mean, variance, same, other)


@dataclass(frozen=True)
class Correlated:
    """One pair of learners on one data set.

    ``rho1`` is the correlation of the two folds of a repetition, ``rho2`` that of folds of different repetitions; both are None where the
    count never varies.  Standard errors are the jackknife's, over chunks of samples.
    """

    data_set: str
    a: str
    b: str
    samples: int
    share: float  # of the records on which exactly one is wrong (or: error rate of A less that of B)
    rho1: float | None
    rho2: float | None
    se1: float
    se2: float
    variance: float  # of the count of a fold, relative to that of independent records

    @property
    def tables(self) -> float | None:
        """How many independent tables the ten are worth: 10 / (1 + rho1 + 8 rho2)."""
        return None if self.rho1 is None or self.rho2 is None else 10 / (1 + self.rho1 + 8 * self.rho2)

    @property
    def worth(self) -> float | None:
        """The same, each of them of independent records: :attr:`tables`, by how much more a fold's count varies than that of
        such records.
        """
        return None if self.tables is None else self.tables / self.variance


class Cloud(TableDisplay):
    """All pairs on all data sets; ``cloud.picture()`` is Figure 1.

    Parameters
    ----------
    found : mapping
        Results as :mod:`fstats.studies.correlations.stored_correlations` keeps them.
    of : {"disagreements", "differences"}
        What is counted in a fold: the records on which exactly one learner is wrong, as the paper has it; or those that A alone gets wrong
        less those that B alone does, on which McNemar's test decides.
    relative_to : {"observed", "binomial"}
        By which variance a covariance is divided: that which was observed, which makes it a correlation; or 2e(1 - e)/n, that of
        independent records (which the paper takes to be the same).
    """

    def __init__(self, found: Mapping[str, Any], of: CountKind = "disagreements", relative_to: VarianceKind = "observed") -> None:
        check.choice(*get_args(CountKind))(of, "of")
        check.choice(*get_args(VarianceKind))(relative_to, "relative_to")
        self.found, self.of, self.relative_to = found, of, relative_to
        self.every = tuple(self._every())

    def _every(self) -> Iterator[Correlated]:
        for name, one in self.found["sets"].items():
            chunks, samples = decode_integers(one[self.of]), np.array(one["samples"])
            discordant = decode_integers(one["disagreements"])[..., 0].sum(0) / (10 * samples.sum() * FOLD)
            sums, count = chunks.sum(0), int(samples.sum())
            whole = self._correlations(sums, count, discordant)
            # The jackknife: all chunks but one, each in turn.
            others = [self._correlations(sums - one, count - size, discordant) for one, size in zip(chunks, samples.tolist(), strict=True)]
            spread = np.sqrt((len(others) - 1) * np.var(others, axis=0)) if len(others) > 1 else np.full((4, len(PAIRS)), np.inf)
            for k, (a, b) in enumerate(PAIRS):
                share, rho1, rho2, ratio = whole[:, k].tolist()
                se1, se2 = spread[1:3, k].tolist()
                known = (rho1, rho2, se1, se2, ratio) if np.isfinite(rho1) else (None, None, 0.0, 0.0, 0.0)
                yield Correlated(name, a, b, count, share, *known)

    def _correlations(self, sums: NDArray[np.int64], samples: int, discordant: Array) -> Array:
        """Share, rho1, rho2 and the ratio of the variance to that of independent records, for each pair: shape (4, pairs)."""
        found = moments_from_sums(sums, samples)
        share = found.mean / FOLD
        independent = FOLD * ((share if self.of == "disagreements" else discordant) - share**2)
        varies = (found.variance > 1e-12) & (independent > 1e-12)
        by = np.where(varies, found.variance if self.relative_to == "observed" else independent, np.nan)
        return np.array([share, found.same / by, found.other / by, found.variance / np.where(varies, independent, np.nan)])

    # -- the cloud --------------------------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[Correlated]:
        return (one for one in self.every if one.rho1 is not None)

    def __len__(self) -> int:
        return len(self.every) - len(self.undefined)

    def __getitem__(self, key: tuple[str, str, str]) -> Correlated:
        """A pair on a data set: ``cloud["letter", "tree", "neighbours"]``."""
        name, a, b = key
        for one in self.every:
            if one.data_set == name and {one.a, one.b} == {a, b}:
                return one
        raise KeyError(f"there is no pair {a!r}, {b!r} on {name!r}; learners are {', '.join(LEARNERS)}, data sets {', '.join(self.sets)}")

    @property
    def sets(self) -> list[str]:
        """The data sets."""
        return list(dict.fromkeys(one.data_set for one in self.every))

    @property
    def undefined(self) -> list[Correlated]:
        """Pairs that never differ in any sample, and so have no correlations."""
        return [one for one in self.every if one.rho1 is None]

    @cached_property
    def rho1(self) -> Array:
        """All of them."""
        return np.array([one.rho1 for one in self])

    @cached_property
    def rho2(self) -> Array:
        """All of them."""
        return np.array([one.rho2 for one in self])

    def only(self, *, sets: Sequence[str] = (), learner: str = "") -> Cloud:
        """A part of it: some data sets, or the pairs with one learner."""
        part = Cloud.__new__(Cloud)
        part.found, part.of, part.relative_to = self.found, self.of, self.relative_to
        part.every = tuple(one for one in self.every if (not sets or one.data_set in sets) and (not learner or learner in (one.a, one.b)))
        return part

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the pairs for which each statement holds."""
        a, b = self.rho1, self.rho2
        found = {
            "rho1 <= 1/2": a <= 0.5,
            "rho2 <= 1/2": b <= 0.5,
            "rho2 >= 0": b >= 0,
            "Eq. 10, all three": (a <= 0.5) & (b >= 0) & (b <= 0.5),
            "Theorem 2, rho2 < (1 + rho1)/2": b < (1 + a) / 2,
            "rho2 >= rho1": b >= a,
        }
        return {name: float(holds.mean()) for name, holds in found.items()}

    def quantiles(self, share: float = 0.95) -> tuple[float, float]:
        """The values below which this share of all rho1 lies, and of all rho2."""
        if not 0 < share < 1:
            raise ValueError(f"share must lie between 0 and 1; got {share!r}")
        return float(np.quantile(self.rho1, share)), float(np.quantile(self.rho2, share))

    @property
    def _table(self) -> Table:
        lines = []
        for name in self.sets:
            if len(part := self.only(sets=[name])):
                told = (f"{np.median(x):+.2f} ({x.min():+.2f} to {x.max():+.2f})" for x in (part.rho1, part.rho2))
                lines.append([name, self.found["sets"][name]["records"], len(part), *told])
        heads = ("data set", "records", "pairs", "rho1: median (least to largest)", "rho2")
        return Table(heads, lines, f"Correlations of the {self.of} in two folds, {len(self)} pairs of learners", notes=self.notes)

    @property
    def notes(self) -> list[str]:
        """On how many samples each rests, and which pairs have none."""
        counts = sorted({one.samples for one in self.every})
        ses = [f"{np.median([getattr(one, se) for one in self]):.3f} of {rho}" for se, rho in (("se1", "rho1"), ("se2", "rho2"))]
        said = [f"Samples of each data set: {' or '.join(map(str, counts))}.  Median standard errors: {', '.join(ses)}."]
        if self.undefined:
            named = ", ".join(f"{one.a} and {one.b} on {one.data_set}" for one in self.undefined)
            said.append(f"Without correlations, because the count never varies: {named}.")
        return said

    def picture(self, marked: Sequence[str] = (), here: Correlated | None = None, *, called: str = "") -> Picture:
        """The scatter, with the bounds of Equation 10 and the line of Theorem 2.

        Parameters
        ----------
        marked : sequence of str
            Names of learners or data sets whose pairs stand out.
        here : Correlated, optional
            A pair that stands out most.
        called : str, optional
            What those that stand out have in common; by default their names.
        """
        low, high = float(min(self.rho1.min(), -0.35)) - 0.05, max(0.75, float(self.rho1.max()) + 0.05)
        out = np.array([bool({one.a, one.b, one.data_set} & set(marked)) for one in self])
        top = max(0.75, float(self.rho2.max()) + 0.05)
        ends = np.array([low, min(high, 2 * top - 1)])
        marks: list[Any] = [
            Line((low, 0.5, 0.5), (0.5, 0.5, 0.0), GREY, 1.5),
            Line((low, 0.5), (0.0, 0.0), GREY, 1.5),
            Curve(ends, (1 + ends) / 2, VERMILLION),
            Label(0.02 + low, 0.52, "bounds of Equation 10", color=GREY),
            Label(float(ends[1]) - 0.03, float(1 + ends[1]) / 2 - 0.02, "Theorem 2", "end", VERMILLION, bold=True),
            Points(self.rho1[~out], self.rho2[~out], BLUE, radius=2.5),
        ]
        if out.any():
            marks.append(Points(self.rho1[out], self.rho2[out], ORANGE, called or " or ".join(marked), open=True, radius=3.5))
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
    """What drawing a sample without replacement alone does to both correlations, where losses do not depend on training.

    Two halves without a common record, out of N in all, vary against each other: rho1 = -m/(N - m) with m records in a half; rho2, of
    halves that share half of their records, is (1 + rho1)/2, on the line of Theorem 2.

    Examples
    --------
    >>> [round(rho, 3) for rho in without_replacement(690)], [round(rho, 3) for rho in without_replacement(20_000)]
    ([-0.278, 0.361], [-0.008, 0.496])
    """
    rho1 = -FOLD / (records - FOLD)
    return rho1, (1 + rho1) / 2


@cache
def cloud(of: CountKind = "disagreements", relative_to: VarianceKind = "observed") -> Cloud:
    """The stored correlations.

    Parameters
    ----------
    of : {"disagreements", "differences"}
        What is counted in a fold.
    relative_to : {"observed", "binomial"}
        By which variance covariances are divided.

    Examples
    --------
    >>> found = cloud()
    >>> found.shares["Theorem 2, rho2 < (1 + rho1)/2"]
    1.0
    """
    return Cloud(stored_results(), of, relative_to)
