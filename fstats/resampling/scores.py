"""What two models scored on the splits of a plan: the one thing that passes between models, files, simulations and tests."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, Self

import numpy as np

from .. import check
from ..null import Array
from ..two import two_names
from . import scores_csv
from .plans import Plan


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Results of two models on the splits of a plan.

    The leading axes are those of the plan, ``plan.shape``; further axes are independent repetitions.  A test takes what it needs:
    ``fstats.FiveByTwoT.from_scores(scores)``.  Results from elsewhere come in by :meth:`from_arrays`, which checks them.

    Parameters
    ----------
    plan : Plan
        The splits that were scored.
    score_a, score_b : array, shape (*plan.shape, ...)
        Score of each model on the test set of each split, higher is better.
    tables : array, shape (*plan.shape, 2, 2, ...), optional
        Records of each test set by [A wrong, A right] and [B wrong, B right].
    record_difference : array, shape (n, ...), optional
        Score of A less score of B on each record, where each is tested once: 1 where only A is right, -1 where only B is.
    record_fold : array, shape (n, ...) or (n,), optional
        The number of the fold that tested it.
    halves : array, shape (10, 2, ...), optional
        Mean differences on the pairs of halves of Nadeau and Bengio's conservative Z.
    replicates : array, shape (15, R, ...), optional
        Differences after resampling each split's training and test set.
    labels : pair of str, optional
        What the models are called in what a test on these scores says; otherwise A and B.

    Examples
    --------
    >>> from fstats import FiveByTwoT
    >>> print(Scores.from_arrays(FiveByTwoT.plan, [[0.9, 0.8]] * 5, [[0.8, 0.8]] * 5))
    10 splits (5 x 2-fold cross-validation), mean score 0.85 of A and 0.8 of B
    """

    plan: Plan
    score_a: Array
    score_b: Array
    tables: Array | None = None
    record_difference: Array | None = None
    record_fold: Array | None = None
    halves: Array | None = None
    replicates: Array | None = None
    labels: tuple[str, str] | None = None

    @property
    def difference(self) -> Array:
        """Score of A less score of B on each split; positive where A is better."""
        return self.score_a - self.score_b

    @property
    def repetitions(self) -> tuple[int, ...]:
        """Shape of the axes behind those of the plan; () for a single comparison."""
        return np.shape(self.score_a)[len(self.plan.shape) :]

    def __str__(self) -> str:
        one = self.plan.splits == 1
        means = " and ".join(
            f"{np.mean(score):.4g} of {name}" for score, name in zip((self.score_a, self.score_b), self.labels or ("A", "B"))
        )
        batch = f", {' x '.join(map(str, self.repetitions))} repetitions" if self.repetitions else ""
        return f"{self.plan.splits} split{'' if one else 's'} ({self.plan}){batch}, {'' if one and not batch else 'mean '}score {means}"

    def __repr__(self) -> str:
        more = [name for name in ("tables", "record_difference", "halves", "replicates") if getattr(self, name) is not None]
        return f"<Scores: {self}{'; with ' if more else ''}{', '.join(more)}>"

    # -- from elsewhere -----------------------------------------------------------------------------------------------
    @classmethod
    def from_arrays(
        cls,
        plan: Plan,
        score_a: Any,
        score_b: Any,
        *,
        tables: Any = None,
        record_difference: Any = None,
        record_fold: Any = None,
        halves: Any = None,
        replicates: Any = None,
        labels: Any = None,
        n: int | None = None,
    ) -> Self:
        """Scores that were made elsewhere, checked against the plan; no estimator is needed.

        Parameters
        ----------
        plan : Plan
            The splits; each resampling test names its own: ``fstats.FiveByTwoT.plan``.
        score_a, score_b, tables, record_difference, record_fold, halves, replicates : array_like
            As in :class:`Scores`; all but the scores may be left out, if the test does not need them.
        labels : list of str, optional
            Names of the two models, A first.
        n : int, optional
            Records in the data set: no test set may hold more, and the folds of one cross-validation hold just so many together.

        Raises
        ------
        ValueError, TypeError
            For another shape than the plan's, missing numbers, counts that are negative, fractional, above n, or not the same in
            each repetition of a cross-validation.
        """
        if not isinstance(plan, Plan):
            raise TypeError(f"plan must be the Plan of a test, such as fstats.FiveByTwoT.plan; got {plan!r}")
        a, b = (_on_splits(plan, value, name) for value, name in ((score_a, "score_a"), (score_b, "score_b")))
        check.paired("score_a", "score_b", {"score_a": score_a, "score_b": score_b}, {"score_a": a, "score_b": b})
        more = a.shape[len(plan.shape) :]
        counts = None if tables is None else _tables(plan, tables, more, n)
        difference, fold = _records(plan, record_difference, record_fold, more, n)
        if halves is not None:
            halves = check.numbers(halves, "halves")
            if halves.shape[1:2] != (2,) or halves.shape[2:] != more:
                raise ValueError(
                    f"halves must have the shape (10, 2), two halves of each division, and the repetitions {more} behind; got {halves.shape}"
                )
        if replicates is not None:
            replicates, k = _on_splits(plan, replicates, "replicates"), len(plan.shape)
            if replicates.ndim <= k or replicates.shape[k + 1 :] != more:
                raise ValueError(
                    f"replicates need an axis of replicates behind those of the plan, {plan.shape}, then the repetitions {more}; got {replicates.shape}"
                )
        names = None if labels is None else tuple(two_names(labels, "labels").tolist())
        return cls(plan, a, b, counts, difference, fold, halves, replicates, names)

    # -- files --------------------------------------------------------------------------------------------------------
    def save(self, path: str | PathLike[str]) -> None:
        """Write a CSV file that :meth:`load` reads back without loss.

        The first line tells the plan; then one line for each split (``part`` split: repetition i, fold j, both scores and the four
        counts of the table n00 to n11), for each record (record i, its fold j and its difference), each half and each replicate.

        Parameters
        ----------
        path : path
            Where to; an old file is replaced.

        Raises
        ------
        ValueError
            For a batch: save one repetition of it.
        """
        if self.repetitions:
            raise ValueError(f"a file holds one comparison; these scores are a batch of shape {self.repetitions}: save them one by one")
        scores_csv.write(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read what :meth:`save` wrote; the numbers are checked as in :meth:`from_arrays`.

        Parameters
        ----------
        path : path
            The CSV file.

        Raises
        ------
        ValueError
            For a file that is no file of scores, or whose lines do not fit its plan; it says which line.
        """
        plan, arrays = scores_csv.read(path)
        return cls.from_arrays(plan, **arrays)


def _on_splits(plan: Plan, value: Any, name: str) -> Array:
    """Finite numbers whose leading axes are those of the plan."""
    x = check.numbers(value, name)
    if x.shape[: len(plan.shape)] != plan.shape:
        hint = f": write numpy.reshape({name}, {plan.shape})" if x.shape == (plan.splits,) else ""
        raise ValueError(f"{name} must have the shape {plan.shape} of {plan}, further axes being repetitions; got {x.shape}{hint}")
    return x


def _tables(plan: Plan, value: Any, more: tuple[int, ...], n: int | None) -> Array:
    """Counts of records, which must add up."""
    x = np.asarray(check.counts(value, "tables"))
    if x.shape != (*plan.shape, 2, 2, *more):
        raise ValueError(
            f"tables must have the shape {(*plan.shape, 2, 2, *more)}: for each split [A wrong, A right] by [B wrong, B right]; got {x.shape}"
        )
    axis = len(plan.shape)
    tested = x.sum((axis, axis + 1)).reshape(plan.repeats, -1, *more)  # repetitions, folds
    if (tested == 0).any():
        i, j = np.argwhere(tested == 0)[0][:2] + 1
        raise ValueError(f"tables must hold the records of each test set; got none in repetition {i}, fold {j}")
    totals = tested.sum(1)
    if n is not None and (totals > n).any():
        raise ValueError(
            f"tables cannot count above n; got {totals.max():g} tested records in repetition {np.argwhere(totals > n)[0][0] + 1}, of n = {n}"
        )
    if plan.kind != "hold-out" and (totals != (totals[0] if n is None else n)).any():
        raise ValueError(
            f"in {plan} the folds of each repetition test every record once; got {', '.join(f'{t:g}' for t in np.unique(totals)[:5])} records"
            + ("" if n is None else f", where n = {n}")
        )
    return x


def _records(plan: Plan, difference: Any, fold: Any, more: tuple[int, ...], n: int | None) -> tuple[Array | None, Array | None]:
    """Differences record by record, and where each record was tested."""
    if difference is None and fold is None:
        return None, None
    if difference is None or fold is None:
        raise ValueError("record_difference and record_fold belong together: give both or none")
    if plan.kind == "hold-out" or plan.repeats > 1:
        raise ValueError(f"record_difference is for one cross-validation, where each record is tested once, not for {plan}: leave it out")
    d, k = check.numbers(difference, "record_difference"), np.asarray(check.counts(fold, "record_fold"))
    if d.ndim == 0 or d.shape[1:] != more or (n is not None and len(d) != n):
        raise ValueError(f"record_difference must have the shape ({'n' if n is None else n}, ...) with repetitions {more}; got {d.shape}")
    if k.shape not in (d.shape[:1], d.shape):
        raise ValueError(f"record_fold must give each of the {len(d)} records its fold; got shape {k.shape}")
    if len(np.unique(k)) != plan.folds:
        raise ValueError(f"record_fold must name {plan.folds} folds, those of {plan}; got {', '.join(f'{x:g}' for x in np.unique(k)[:12])}")
    return d, k
