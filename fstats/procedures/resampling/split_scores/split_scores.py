"""Class for cross-validation scores of two models on one data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Self

import numpy as np

from ....core.classifier_pair import classifier_names
from ....core.validation import check, paired_inputs
from ....core.value_types import Array
from ..split_plans.split_plan import Plan
from . import split_scores_checks as checks
from . import split_scores_csv

# Extra results that only a few tests need.  For "halves", the records are divided into two halves DIVISIONS times, and each half is
# split.  For "replicates", the records of each split are resampled REPLICATES times.
EXTRA_RESULTS = ("halves", "replicates")
DIVISIONS, REPLICATES = 10, 15


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Results of two models on the splits of a plan.

    The leading axes of the arrays have the shape of the plan, ``plan.shape``; further axes are independent repetitions.  A test takes the
    results that it needs from a Scores object: ``fstats.FiveByTwoT.from_scores(scores)``.  Results from other sources are checked and
    stored by :meth:`from_arrays`.

    Parameters
    ----------
    plan : Plan
        Plan of the splits.
    score_a, score_b : array, shape ``(*plan.shape, ...)``
        Score of each model on the test set of each split, higher is better.
    tables : array, shape ``(*plan.shape, 2, 2, ...)``, optional
        Counts of records in each test set, by [A wrong, A right] and [B wrong, B right].
    record_difference : array, shape (n, ...), optional
        Score of A minus score of B on each record, if each record is tested once: 1 if only A is right, -1 if only B is right.
    record_fold : array, shape (n, ...) or (n,), optional
        Number of the fold that tested each record.
    halves : array, shape (10, 2, ...), optional
        Mean differences on the pairs of halves, for Nadeau and Bengio's conservative Z-test.
    replicates : array, shape (15, R, ...), optional
        Differences after the training set and the test set of each split are resampled.
    n_train, n_test : array, shape plan.shape, optional
        Number of training records and number of test records in each split.
    labels : pair of str, optional
        Names of the models in the results of tests; default: A and B.
    seeds : tuple of str, optional
        Seeds of training, if every split was trained with several seeds; with seeds, `score_a` and `score_b` are means over the seeds.
    score_a_by_seed, score_b_by_seed : array, shape (splits, seeds, ...), optional
        Score of each model on each split with each seed; the splits are in the order of the plan.

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
    n_train: Array | None = None
    n_test: Array | None = None
    labels: tuple[str, str] | None = None
    seeds: tuple[str, ...] | None = None
    score_a_by_seed: Array | None = None
    score_b_by_seed: Array | None = None

    @property
    def test_train_ratio(self) -> float | None:
        """Test records divided by training records: mean number of test records divided by mean number of training records.

        If the splits of a cross-validation train on all records that they do not test, this is 1/(folds - 1), even for unequal folds; the
        same ratio is used if the sizes are unknown.  For hold-out splits without sizes the ratio is unknown (None).

        If sizes differ, as with groups, the result is the ratio of a split of mean size.  The largest ratio of all splits would make the
        corrected resampled t-test more cautious than intended.
        """
        if self.n_train is not None and self.n_test is not None:
            return float(np.mean(self.n_test) / np.mean(self.n_train))
        return None if self.plan.kind == "hold-out" else self.plan.test_train_ratio

    @property
    def difference(self) -> Array:
        """Score of A minus score of B on each split; positive if A is better."""
        return self.score_a - self.score_b

    @property
    def difference_by_seed(self) -> Array:
        """Score of A minus score of B on each split with each seed, shape (splits, seeds, ...); without seeds the axis has length 1."""
        if self.score_a_by_seed is None or self.score_b_by_seed is None:
            return np.reshape(self.difference, (self.plan.splits, 1, *self.repetitions))
        return self.score_a_by_seed - self.score_b_by_seed

    @property
    def repetitions(self) -> tuple[int, ...]:
        """Shape of the axes of independent repetitions, which follow the axes of the plan; () for a single comparison."""
        return np.shape(self.score_a)[len(self.plan.shape) :]

    def __str__(self) -> str:
        single = self.plan.splits == 1
        means = " and ".join(
            f"{np.mean(score):.4g} of {name}" for score, name in zip((self.score_a, self.score_b), self.labels or ("A", "B"))
        )
        batch = f", {' x '.join(map(str, self.repetitions))} repetitions" if self.repetitions else ""
        batch += f", the mean of {len(self.seeds)} seeds on each" if self.seeds else ""
        count = f"{self.plan.splits} split{'' if single else 's'}"
        return f"{count} ({self.actual_plan}){batch}, {'' if single and not batch else 'mean '}score {means}"

    def fits_plan(self, plan: Plan) -> bool:
        """Return whether a plan fits the splits: the plan of the scores, or a hold-out plan with equally many splits and test records."""
        hold_outs = plan.kind == self.plan.kind == "hold-out"
        return plan == self.plan or (hold_outs and plan.repeats == self.plan.repeats and self._has_test_size(plan))

    def _has_test_size(self, plan: Plan) -> bool:
        """Return whether the test sets are as large as a hold-out plan says, up to one record (rounding)."""
        if self.n_test is None or self.n_train is None:
            return False
        tested, n = float(np.mean(self.n_test)), float(np.mean(self.n_test) + np.mean(self.n_train))
        return abs(tested - plan.test_share * n) <= 1

    @property
    def actual_plan(self) -> Plan:
        """The plan with the share of test records that was actually used."""
        if self.plan.kind != "hold-out" or self.n_train is None or self.n_test is None or self._has_test_size(self.plan):
            return self.plan
        return replace(self.plan, test_share=float(np.mean(self.n_test) / (np.mean(self.n_test) + np.mean(self.n_train))))

    def __repr__(self) -> str:
        extras = [name for name in ("tables", "record_difference", "halves", "replicates") if getattr(self, name) is not None]
        return f"<Scores: {self}{'; with ' if extras else ''}{', '.join(extras)}>"

    # -- scores from other sources ------------------------------------------------------------------------------------
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
        n_train: Any = None,
        n_test: Any = None,
        splits: Any = None,
        groups: Any = None,
        labels: Any = None,
        n: int | None = None,
        seeds: Any = None,
    ) -> Self:
        """Create Scores from arrays of any source, checked against the plan; no estimator is needed.

        Parameters
        ----------
        plan : Plan
            The splits; each test has its own plan: ``fstats.FiveByTwoT.plan``.
        score_a, score_b, tables, record_difference, record_fold, halves, replicates : array_like
            As in :class:`Scores`; everything except the scores may be left out if the test does not need it.
        n_train, n_test : int or array_like, shape plan.shape, optional
            Numbers of training and test records, one number for all splits or one for each.  The corrected tests on hold-out splits need
            these numbers.
        splits : sequence of (train, test), optional
            Positions of the training and test records of each split.  The splits are checked against the requirements of the plan and
            determine `n_train` and `n_test`; the splits are not stored.
        groups : array_like, optional
            Group of each record, if groups stay whole; only together with `splits`.
        labels : list of str, optional
            Names of the two models, A first.
        n : int, optional
            Number of records in the data set: no test set may hold more, and the folds of one cross-validation must hold n together.
        seeds : list, optional
            Seeds of training, if every split was trained with every seed.  With seeds, both scores have the shape ``(*plan.shape,
            len(seeds), ...)``.  Tests use the means over the seeds, because seeds are not splits; `difference_by_seed` keeps the single
            values.

        Raises
        ------
        ValueError, TypeError
            For another shape than the plan's (and the seeds'), tables of several seeds, missing numbers; for counts that are negative,
            fractional, above n, or not the same in each repetition of a cross-validation; for splits that violate the plan.

        Examples
        --------
        >>> from fstats import CorrectedResampledT
        >>> a, b = [0.9, 0.8, 0.85] * 5, [0.8, 0.8, 0.8] * 5
        >>> scores = Scores.from_arrays(CorrectedResampledT.plan, a, b, n_train=80, n_test=20)
        >>> float(CorrectedResampledT.from_scores(scores).test_train_ratio)
        0.25
        """
        if not isinstance(plan, Plan):
            raise TypeError(f"`plan` must be the Plan of a test, such as fstats.FiveByTwoT.plan; got {check.format_received_value(plan)}")
        a, b = (checks.check_split_scores(plan, value, name) for value, name in ((score_a, "score_a"), (score_b, "score_b")))
        paired_inputs.check_paired("score_a", "score_b", {"score_a": score_a, "score_b": score_b}, {"score_a": a, "score_b": b})
        by_seed = {} if seeds is None else checks.check_seed_scores(plan, a, b, seeds, tables)
        if by_seed:
            a, b = (x.mean(len(plan.shape)) for x in (a, b))
        repetitions = a.shape[len(plan.shape) :]
        if splits is not None:
            if n_train is not None or n_test is not None:
                raise ValueError("`n_train` and `n_test` must be left out if `splits` is given; got both")
            n_train, n_test, n = checks.split_sizes(plan, splits, groups, n)
        elif groups is not None:
            raise ValueError("`groups` must be given together with `splits`; got only `groups`")
        counts = None if tables is None else checks.check_tables(plan, tables, repetitions, n)
        train, test = checks.check_sizes(plan, n_train, n_test, counts, n)
        difference, fold = checks.check_records(plan, record_difference, record_fold, repetitions, n)
        if halves is not None:
            halves = check.numbers(halves, "halves")
            if halves.shape[1:2] != (2,) or halves.shape[2:] != repetitions:
                raise ValueError(f"`halves` must have the shape {(10, 2, *repetitions)}, divisions by halves; got shape {halves.shape}")
        if replicates is not None:
            replicates, k = checks.check_split_scores(plan, replicates, "replicates"), len(plan.shape)
            if replicates.ndim <= k or replicates.shape[k + 1 :] != repetitions:
                raise ValueError(f"`replicates` must have the shape {(*plan.shape, 'R', *repetitions)}; got shape {replicates.shape}")
        names = None if labels is None else tuple(classifier_names(labels, "labels").tolist())
        return cls(plan, a, b, counts, difference, fold, halves, replicates, train, test, names, **by_seed)

    # -- files --------------------------------------------------------------------------------------------------------
    def save(self, path: str | PathLike[str]) -> None:
        """Write a CSV file that :meth:`load` reads back without loss.

        The first line contains the plan.  The plan is followed by one line for each split (``part`` split: repetition i, fold j, both
        scores and the four counts of the table n00 to n11), each record (record i, its fold j and its difference), each half and each
        replicate.  Scores with seeds have one line for each split and seed, and a column ``seed``.

        Parameters
        ----------
        path : path
            Path of the file; an existing file is replaced.

        Raises
        ------
        ValueError
            For a batch of comparisons: save one repetition.
        """
        if self.repetitions:
            got = f"a batch of shape {self.repetitions}"
            raise ValueError(f"a file must hold the scores of one comparison; got {got}. Save each comparison in a separate file.")
        split_scores_csv.write_scores(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a file that :meth:`save` wrote; the numbers are checked as in :meth:`from_arrays`.

        Parameters
        ----------
        path : path
            The CSV file.

        Raises
        ------
        ValueError
            If the file is not a file of scores, or its lines do not fit its plan; the message names the line or the split.
        """
        plan, arrays = split_scores_csv.read_scores(path)
        return cls.from_arrays(plan, **arrays)
