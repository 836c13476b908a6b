"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....distributions.continuous import ChiSquared
from ...grading.mistake import slip
from .. import shared
from .steps import EFFECTIVE, LEVEL, MCNEMAR, MEAN, STATISTIC, TABLE, WORTH, TenTables


@slip(TenTables, "mean", r"\frac{1}{10} \sum_{jk} \{$n10,\ $n01\}_c", "n01 and n10 exchanged", TABLE)
def cells_swapped(test: TenTables) -> Any:
    """You exchanged the two. The first index is A's: n01 counts where A is wrong (0) and B is right (1). The statistic
    would not notice, but whoever asks which one is better would hear the wrong name.
    """
    return np.array([test.n10.sum(), test.n01.sum()]) / 10


@slip(TenTables, "mean", r"\sum_{jk} \{$n01,\ $n10\}_c", "sum for mean", MEAN)
def sum_for_mean(test: TenTables) -> Any:
    """Those are the sums over ten tables. The factor that comes next says how many tables of the size of one the ten are
    worth; it wants the table of one typical fold, the mean.
    """
    return np.array([test.n01.sum(), test.n10.sum()])


@slip(TenTables, "mean", r"\frac{1}{5} \sum_{jk} \{$n01,\ $n10\}_c", "mean of five for mean of ten", MEAN)
def mean_of_five(test: TenTables) -> Any:
    """You divided by five, the number of repetitions. That is the mean table of a whole repetition, two folds together;
    the mean of one fold's table divides by all ten.
    """
    return np.array([test.n01.sum(), test.n10.sum()]) / 5


@slip(TenTables, "mean", r"\frac{1}{10\,$n_fold} \sum_{jk} \{$n01,\ $n10\}_c", "shares for counts", MEAN, only=("q1", "q4"))
def shares_for_counts(test: TenTables) -> Any:
    """Those are shares of the records of a fold. McNemar's test needs to know how many records speak, not only what part
    of all: keep the counts.
    """
    return np.array([test.n01.sum(), test.n10.sum()]) / 10 / test.n_fold


@slip(TenTables, "t", "10", "ten tables taken as independent", WORTH)
def ten_as_independent(test: TenTables) -> Any:
    """You took both correlations for 0, so that ten tables are worth ten. But each record is tested five times, by models
    whose training sets overlap: what one table says, the next one mostly repeats.
    """
    return 10.0


@slip(TenTables, "t", r"\frac{10}{1 + 8\,$rho2}", "the first correlation left out", WORTH, only=("q3", "q4", "q5"))
def first_correlation_left_out(test: TenTables) -> Any:
    """You took the two folds of a repetition for uncorrelated. That holds if predictions do not depend on the training set
    (Lemma 3); real ones do, and the cautious test takes rho1 as it is given.
    """
    return 10 / (1 + 8 * test.rho2)


@slip(TenTables, "t", r"\frac{10}{1 + $rho1 + $rho2}", "the 8 is missing", WORTH)
def eight_forgotten(test: TenTables) -> Any:
    """The 8 is missing. Each table has one partner in its own repetition, and eight tables in the other four repetitions:
    rho1 comes once, rho2 eight times.
    """
    return 10 / (1 + test.rho1 + test.rho2)


@slip(TenTables, "t", r"\frac{10}{1 + $rho1 + 4\,$rho2}", "repetitions counted for tables", WORTH)
def four_for_eight(test: TenTables) -> Any:
    """You counted the four other repetitions, but each of them holds two tables. A table has one partner in its own
    repetition and eight in the others: ten with itself.
    """
    return 10 / (1 + test.rho1 + 4 * test.rho2)


@slip(TenTables, "t", r"\frac{10}{1 + $rho1 + 9\,$rho2}", "the partner counted twice", WORTH, only=("q3", "q4", "q5"))
def nine_for_eight(test: TenTables) -> Any:
    """You counted nine tables in other repetitions. Nine are all the others together; one of them is the partner in the
    same repetition, and it stands in the term of rho1 already.
    """
    return 10 / (1 + test.rho1 + 9 * test.rho2)


@slip(TenTables, "t", r"1 + $rho1 + 8\,$rho2", "only what stands below", WORTH)
def only_below(test: TenTables) -> Any:
    """That is by how much the correlations make the variance of the mean larger, and so by how much they make the ten
    tables worth less. Divide the ten by it.
    """
    return 1 + test.rho1 + 8 * test.rho2


@slip(TenTables, "t", r"\frac{1 + $rho1 + 8\,$rho2}{10}", "factor upside down", WORTH)
def upside_down(test: TenTables) -> Any:
    """Your fraction stands on its head: it says that ten tables are worth less than one. The more they are correlated, the
    less they are worth; so the correlations belong below, and the 10 on top.
    """
    return (1 + test.rho1 + 8 * test.rho2) / 10


@slip(TenTables, "effective", r"$t^2\,$mean", "factor squared", EFFECTIVE)
def factor_twice(test: TenTables) -> Any:
    """You multiplied by t twice. A table that is worth t tables has t times their counts; squares come in only at the
    statistic.
    """
    return test.t**2 * test.mean


@slip(TenTables, "n_effective", r"\sum_c $effective", "only discordant records counted", EFFECTIVE)
def only_discordant(test: TenTables) -> Any:
    """You added up the two discordant cells. All four cells together were asked for, those on which both are right and
    both are wrong included: a table of one fold, made as large as the ten are worth.
    """
    return test.effective.sum()


@slip(TenTables, "n_effective", r"2\,$t\,$n_fold", "two folds for one", EFFECTIVE)
def both_folds(test: TenTables) -> Any:
    """You took both folds of a repetition. The mean table is a table of one fold, and the factor multiplies that."""
    return 2 * test.t * test.n_fold


@slip(
    TenTables,
    "statistic",
    r"\frac{($n01_effective - $n10_effective)^2}{$n01_effective + $n10_effective}",
    "continuity correction forgotten",
    STATISTIC,
)
def no_correction(test: TenTables) -> Any:
    """The continuity correction is missing. Counts move in steps and chi-squared does not; McNemar's test takes 1 off the
    difference before it is squared, and this test does so, too.
    """
    return (test.n01_effective - test.n10_effective) ** 2 / (test.n01_effective + test.n10_effective)


@slip(
    TenTables,
    "statistic",
    r"\frac{(|$n01_effective - $n10_effective| - 0.5)^2}{$n01_effective + $n10_effective}",
    "half a continuity correction",
    MCNEMAR,
    only=("q6",),
)
def half_correction(test: TenTables) -> Any:
    """You took 1/2 off the difference. Each of the two counts is corrected by one half, towards each other, so that their
    difference loses 1.
    """
    lead: Any = abs(test.n01_effective - test.n10_effective)
    return (lead - 0.5) ** 2 / (test.n01_effective + test.n10_effective)


@slip(
    TenTables,
    "statistic",
    r"\frac{|$n01_effective - $n10_effective| - 1}{\sqrt{$n01_effective + $n10_effective}}",
    "not squared",
    STATISTIC,
    only=("q6",),
)
def root_of_m(test: TenTables) -> Any:
    """That is the root of McNemar's statistic, which would be compared with the normal curve. Square the difference, so
    that chi-squared with one degree of freedom is the right curve.
    """
    lead: Any = abs(test.n01_effective - test.n10_effective)
    return (lead - 1) / np.sqrt(test.n01_effective + test.n10_effective)


@slip(
    TenTables,
    "statistic",
    r"\frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $mean",
    "the mean table tested",
    STATISTIC,
    only=("q6",),
)
def test_of_the_mean(test: TenTables) -> Any:
    """You made McNemar's test on the mean table, so that ten tables count like a single one. They are worth a little more
    than that: use the counts of the effective table.
    """
    n01, n10 = test.mean.tolist()
    return (abs(n01 - n10) - 1) ** 2 / (n01 + n10)


@slip(
    TenTables,
    "statistic",
    r"$t\,\frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $mean",
    "correction before the factor",
    STATISTIC,
)
def correction_first(test: TenTables) -> Any:
    """You took 1 off the difference of the mean counts, and multiplied afterwards. McNemar's test is made on the effective
    table: first the factor, then the correction. (Taken off the mean counts, it would have to be 1/t.)
    """
    n01, n10 = test.mean.tolist()
    return test.t * (abs(n01 - n10) - 1) ** 2 / (n01 + n10)


@slip(TenTables, "statistic", r"\frac{(|$n01_effective - $n10_effective| - 1)^2}{$n_effective}", "all four cells below", TABLE)
def all_four_cells(test: TenTables) -> Any:
    """You divided by all records of the effective table. Those that both get right, or both get wrong, say nothing about
    which one is better; only the discordant ones stand below.
    """
    lead: Any = abs(test.n01_effective - test.n10_effective)
    return (lead - 1) ** 2 / test.n_effective


@slip(TenTables, "null", r"\chi^2_{10}", "ten degrees of freedom", STATISTIC)
def ten_degrees(test: TenTables) -> Any:
    """You took a degree of freedom for each table. That would suit a sum of ten statistics, one from each; here the ten
    tables have become one, and it has one.
    """
    return ChiSquared(10)


@slip(TenTables, "null", r"\chi^2_9", "nine degrees of freedom", STATISTIC, only=("q7",))
def nine_degrees(test: TenTables) -> Any:
    """You took one less than the number of tables, as for a mean of ten numbers whose spread is estimated. Nothing is
    estimated from the spread of the ten tables here; one table is tested, and it has one degree of freedom.
    """
    return ChiSquared(9)


critical_z = shared.critical_value_of_normal.on(
    TenTables,
    "critical value of z",
    MCNEMAR,
    """That is the critical value of the normal curve, two-sided. M is a square: chi-squared with one degree of freedom is
    the curve of a squared z, and has a critical value of its own.
    """,
)


half_alpha = shared.half_alpha_above.on(
    TenTables,
    "half of alpha",
    STATISTIC,
    """You left alpha / 2 above. A square has lost its sign: both directions make M large, so the upper tail holds both
    already and gets the whole alpha.
    """,
)


@slip(TenTables, "pvalue", r"\frac{1}{2} P($null \geq $statistic)", "half the tail", STATISTIC)
def half_tail(test: TenTables) -> Any:
    """You halved the tail. A square has lost its sign: both directions make M large, and the upper tail holds both
    already.
    """
    return test.null.at_least(test.statistic) / 2


area_below = shared.lower_tail.on(
    TenTables,
    "the area below",
    STATISTIC,
    """That is the area below the statistic. A p-value is the probability of a statistic at least as large: the area above
    (stats.chi2.sf).
    """,
)


@slip(
    TenTables,
    "pooled",
    r"\frac{(\sum_{jk} $n01 - \sum_{jk} $n10)^2}{\sum_{jk} $n01 + \sum_{jk} $n10}",
    "sum: continuity correction forgotten",
    MCNEMAR,
)
def sum_uncorrected(test: TenTables) -> Any:
    """The continuity correction is missing. It was asked for here, too: take 1 off the difference of the two sums before
    it is squared.
    """
    return (test.n01.sum() - test.n10.sum()) ** 2 / (test.n01.sum() + test.n10.sum())


@slip(TenTables, "pooled", r"\sum_{jk} \frac{(|$n01 - $n10| - 1)^2}{$n01 + $n10}", "ten statistics added up", MCNEMAR)
def ten_statistics(test: TenTables) -> Any:
    """You computed a statistic for each table and added the ten. That is another test (the naive one in notebook 06, with
    ten degrees of freedom); here the counts are to be added first, and one statistic made of the sums.
    """
    each = (abs(test.n01 - test.n10) - 1) ** 2 / np.maximum(test.n01 + test.n10, 1)
    return each.sum()


@slip(TenTables, "pooled_pvalue", r"\frac{1}{2} P($null \geq $pooled)", "sum: half the tail", LEVEL)
def half_tail_of_sum(test: TenTables) -> Any:
    """You halved the tail. The statistic is a square and has lost its sign: the upper tail holds both directions already."""
    return test.null.at_least(test.pooled) / 2
