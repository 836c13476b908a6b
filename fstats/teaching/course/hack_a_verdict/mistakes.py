"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....distributions.continuous import Normal, StudentT
from ....procedures.contingency.mcnemar import McNemar
from ....procedures.resampling.k_fold_t import KFoldT
from ....studies.fold_hacking.judged import signed
from ...grading.mistake import slip
from .. import shared
from .steps import (
    ALL_SEEDS,
    CORRECTION,
    DECIDE,
    DIVISOR,
    FIVE_BY_TWO,
    HUNT,
    JUDGES,
    MANY,
    MCNEMAR,
    NULL,
    SEEDS,
    STATISTIC,
    WRONG,
    Hacked,
    count_verdicts,
)

# -- one partition -----------------------------------------------------------------------------------------------------------------
b_minus_a = shared.b_minus_a.on(
    Hacked,
    "B minus A",
    SEEDS,
    """That is B less A, or the size without its sign. The wish is that A is better, so A comes first: then a positive difference, and
    later a positive T, speaks for A, and a negative one for B.
    """,
    only=("q1", "q3"),
)


@slip(Hacked, "mean", r"\sum_i $d", "sum for mean", SEEDS, only=("q1",))
def sum_for_mean(test: Hacked) -> Any:
    """That is the sum of the five differences. Divide it by their number."""
    return test.d.sum()


divided_by_n = shared.divided_by_n.on(
    Hacked,
    "divided by the number of folds",
    DIVISOR,
    """You divided the squares by 5 (numpy's std does that unless you say ddof=1). The mean was estimated from the same five differences,
    so divide by one less: otherwise every T comes out too large.
    """,
    only=("q2", "q3"),
)


@slip(Hacked, "sd", r"\sqrt{\frac{1}{$n ($n - 1)} \sum_i ($d - $mean)^2}", "standard error for standard deviation", STATISTIC, only=("q2",))
def error_for_deviation(test: Hacked) -> Any:
    """That is the standard error already, which says how far the mean of five strays. Asked is how far one difference strays; you will need
    the other in the next question.
    """
    return np.sqrt(((test.d - test.mean) ** 2).sum() / (test.n * (test.n - 1)))


in_deviations = shared.in_deviations.on(
    Hacked,
    "the root of 5 is missing",
    STATISTIC,
    """You divided by the standard deviation, which says how far one fold strays. T measures the mean of five in its own uncertainty:
    divide the standard deviation by the root of 5 first.
    """,
)


normal_for_t = shared.critical_value_of_normal.on(
    Hacked,
    "normal for Student's t",
    NULL,
    """That is the limit of the normal distribution. The spread was estimated from five folds only, and Student's curve with 4 degrees of
    freedom, which knows that, has heavier tails.
    """,
    only=("q4", "q6", "q7"),
)


one_sided = shared.alpha_above.on(
    Hacked,
    "critical value of one tail",
    DECIDE,
    """Your limit leaves all of alpha in one tail. Somebody who would publish either direction rejects on both sides: each tail gets
    alpha / 2, and the limit lies farther out.
    """,
    only=("q4", "q7"),
    step="critical_value",
)


@slip(Hacked, "critical_value", r"\min\{x : P(t_{$n} \geq x) \leq $alpha / 2\}", "5 degrees of freedom", NULL, only=("q4",))
def degrees_of_freedom_five(test: Hacked) -> Any:
    """Your curve has 5 degrees of freedom. Five differences, one of them spent on their mean, leave 4."""
    return StudentT(test.n).high(test.alpha / 2)


@slip(Hacked, "claim", r"$learner_a \text{ if } $statistic > 0,\ \text{else } $learner_b", "the sign taken for a verdict", DECIDE)
def sign_for_verdict(test: Hacked) -> Any:
    """You looked at the sign of T alone. One of the two is always a little ahead; only a T beyond the limit, on either side, is
    significant. Compare the size of T with the limit.
    """
    return (test.learner_b, test.learner_a)[int(test.statistic > 0)]


# -- the hunt ----------------------------------------------------------------------------------------------------------------------
def first_of(test: Hacked, for_a: Any, for_b: Any, for_neither: Any) -> Any:
    """The seeds of three places, counted from the first seed."""
    return test.first + np.array([for_a, for_b, for_neither], float)


@slip(
    Hacked,
    "found",
    r"\min\{s : $mine \leq -$critical_value\},\ \min\{s : $mine \geq $critical_value\},\ \min\{s : |$mine| < $critical_value\}, s \geq $first",
    "A and B exchanged",
    SEEDS,
    only=("q6",),
)
def exchanged(test: Hacked) -> Any:
    """Your first seed proves B better, and your second one A. A positive T speaks for A, as the difference is A minus B."""
    t, c = test.mine, test.critical_value
    return first_of(test, np.argmax(t <= -c), np.argmax(t >= c), np.argmax(abs(t) < c))


@slip(
    Hacked,
    "found",
    r"\min\{i : $mine \geq $critical_value\},\ \min\{i : $mine \leq -$critical_value\},\ \min\{i : |$mine| < $critical_value\},\ i = 0, 1, \ldots",
    "places for seeds",
    SEEDS,
    only=("q6",),
)
def places_for_seeds(test: Hacked) -> Any:
    """These are places within your own seeds, counted from 0. Whoever shall repeat it needs the seed itself: your list begins with the seed
    `first`, so add it.
    """
    t, c = test.mine, test.critical_value
    return np.array([np.argmax(t >= c), np.argmax(t <= -c), np.argmax(abs(t) < c)], float)


@slip(
    Hacked,
    "found",
    r"\min\{s : $t \geq $critical_value\},\ \min\{s : $t \leq -$critical_value\},\ \min\{s : |$t| < $critical_value\}",
    "searched from seed 0 on",
    SEEDS,
    only=("q6",),
)
def from_seed_zero(test: Hacked) -> Any:
    """You began at seed 0. Your own seeds begin with `first`: look at T from there on."""
    t, c = test.t, test.critical_value
    return np.array([np.argmax(t >= c), np.argmax(t <= -c), np.argmax(abs(t) < c)], float)


@slip(
    Hacked,
    "found",
    r"\mathrm{argmax}\,$mine,\ \mathrm{argmin}\,$mine,\ \mathrm{argmin}\,|$mine|,\ s \geq $first",
    "the most extreme seeds for the first ones",
    ALL_SEEDS,
    only=("q6",),
)
def most_extreme(test: Hacked) -> Any:
    """These are the most extreme of your seeds, as in the printed tables. A hunter need not go that far: he stops at the first seed whose T
    is beyond the limit (and, for no difference, at the first within).
    """
    return first_of(test, np.argmax(test.mine), np.argmin(test.mine), np.argmin(abs(test.mine)))


@slip(
    Hacked,
    "found",
    r"\min\{s : $mine > 0\},\ \min\{s : $mine < 0\},\ \min\{s : |$mine| < $critical_value\},\ s \geq $first",
    "the limit ignored",
    DECIDE,
    only=("q6",),
)
def limit_ignored(test: Hacked) -> Any:
    """Your seeds are the first with a positive and with a negative T. Being ahead proves nothing yet: T has to reach the limit."""
    return first_of(test, np.argmax(test.mine > 0), np.argmax(test.mine < 0), np.argmax(abs(test.mine) < test.critical_value))


@slip(Hacked, "hits", r"\#\{s : |$mine| \geq $critical_value\}", "rejections of either side", ALL_SEEDS, only=("q7", "q9"))
def either_side(test: Hacked) -> Any:
    """That is the share of all seeds that reject. Those that prove B better do not serve somebody who wants A: count only T on A's side."""
    return int((abs(test.mine) >= test.critical_value).sum())


@slip(Hacked, "hits", r"\#\{s : $mine \leq -$critical_value\}", "B's share", ALL_SEEDS, only=("q7", "q9"))
def share_of_b(test: Hacked) -> Any:
    """That is the share of the seeds that prove B better. A's are those with a T at or above the positive limit."""
    return int((test.mine <= -test.critical_value).sum())


@slip(Hacked, "rate", "$hits", "a number of seeds for their share", ALL_SEEDS, only=("q7",))
def number_for_share(test: Hacked) -> Any:
    """That is how many of your seeds prove A better. A share lies between 0 and 1: divide by the number of your seeds."""
    return float(test.hits)


@slip(Hacked, "rate", r"\frac{\#\{s : $t \geq $critical_value\}}{10\,000}", "all 10,000 seeds counted", ALL_SEEDS, only=("q7",))
def among_all(test: Hacked) -> Any:
    """That is the share among all 10,000 seeds, D in the printed tables. Your own begin with `first`, and there are `seeds` of them."""
    return (test.t >= test.critical_value).sum() / 10_000


@slip(Hacked, "rate", r"\frac{$hits}{10\,000}", "your hits among all 10,000 seeds", ALL_SEEDS, only=("q7",))
def divided_by_all(test: Hacked) -> Any:
    """You counted among your own seeds and divided by all 10,000. Your hits are a part of your own seeds: divide by `seeds`."""
    return test.hits / 10_000


@slip(Hacked, "needed", r"\left\lceil \frac{-\ln(1 - $chance)}{$rate} \right\rceil", "q for the logarithm", HUNT, only=("q9",))
def rate_for_logarithm(test: Hacked) -> Any:
    """You divided by q (three divided by q is the same rule of thumb). What stands below is the size of ln(1 - q), which is a little larger
    than q, so that a little fewer tries are enough.
    """
    return np.ceil(-np.log(1 - test.chance) / test.rate)


@slip(Hacked, "needed", r"\left\lceil \frac{1}{$rate} \right\rceil", "tries on average", HUNT, only=("q9",))
def on_average(test: Hacked) -> Any:
    """That is how many tries it takes on average, 1/q. A hunter with that much patience goes home empty-handed in more than a third of all
    cases. Ask how likely it is that none of m seeds serves, and when that becomes small enough.
    """
    return np.ceil(1 / test.rate)


@slip(Hacked, "needed", r"\left\lceil \frac{$chance}{$rate} \right\rceil", "probabilities added up", HUNT, only=("q9",))
def added_up(test: Hacked) -> Any:
    """You solved m q = P. Probabilities of several tries cannot be added up, since more than one of them may serve. Begin with the
    probability that none does: (1 - q) to the power m.
    """
    return np.ceil(test.chance / test.rate)


@slip(Hacked, "needed", r"\max\{m : 1 - (1 - $rate)^m < $chance\}", "one try too few", HUNT, only=("q9",))
def one_too_few(test: Hacked) -> Any:
    """You rounded down. With that many tries the probability is still a little below P; the least number that reaches it is the next."""
    return np.floor(np.log(1 - test.chance) / np.log1p(-test.rate))


@slip(Hacked, "needed_of_these", "$needed", "seeds drawn again and again", HUNT)
def with_replacement(test: Hacked) -> Any:
    """That is the answer of the last question, where every try is as good as the first. Here no seed is tried twice: each failure leaves
    fewer that fail, so that it takes a little less.
    """
    return test.needed


@slip(Hacked, "needed_of_these", r"\left\lceil \frac{$seeds + 1}{$hits + 1} \right\rceil", "seeds on average", HUNT)
def seeds_on_average(test: Hacked) -> Any:
    """That is how many of your seeds one must try on average, (R + 1) / (K + 1). Asked is how many it takes with probability P."""
    return np.ceil((test.seeds + 1) / (test.hits + 1))


# -- what is claimed ---------------------------------------------------------------------------------------------------------------
@slip(Hacked, "claimed_p", r"P($null \geq |$claimed_t|)", "p-value of one tail", DECIDE)
def one_tail(test: Hacked) -> Any:
    """That is the probability of one tail. The hunter would have published the other direction as well: both tails count."""
    return test.null.at_least(abs(test.claimed_t))


@slip(Hacked, "claimed_p", r"2\,P(Z \geq |$claimed_t|)", "p-value of the normal distribution", NULL)
def normal_p(test: Hacked) -> Any:
    """That comes from the normal distribution. With five folds it is Student's t with 4 degrees of freedom, whose tails are heavier."""
    return 2 * Normal(0.0, 1.0).at_least(abs(test.claimed_t))


@slip(Hacked, "claimed_p", r"2\,P(t_{$n} \geq |$claimed_t|)", "p-value with 5 degrees of freedom", NULL)
def p_with_five(test: Hacked) -> Any:
    """Your curve has 5 degrees of freedom. Five differences, one of them spent on their mean, leave 4."""
    return 2 * StudentT(test.n).at_least(abs(test.claimed_t))


@slip(Hacked, "claimed_p", r"2\,P($null \geq |$statistic|)", "p-value of the partition worked by hand", ALL_SEEDS)
def of_the_first_partition(test: Hacked) -> Any:
    """That is the p-value of the partition which you worked by hand. The hunter does not publish that one: take T of the first seed that
    proves A better.
    """
    return 2 * test.null.at_least(abs(test.statistic))


@slip(Hacked, "tried", "$seed_for_a - $first", "one try not counted", HUNT, only=("q12",))
def one_try_less(test: Hacked) -> Any:
    """You counted the seeds before the one that was found. That one was tried, too: from 3 to 5 there are three seeds."""
    return test.seed_for_a - test.first


@slip(Hacked, "tried", "$seed_for_a", "the seed for the number of tries", HUNT, only=("q12",))
def seed_for_tries(test: Hacked) -> Any:
    """That is the seed itself. The hunter did not begin at 0: count the seeds from `first` to the one that he found."""
    return test.seed_for_a


@slip(Hacked, "fair_level", "$alpha", "Bonferroni forgotten", MANY)
def bonferroni_forgotten(test: Hacked) -> Any:
    """That is alpha itself, the limit for a single test. Here somebody has tried many partitions, and each was a chance to reject: all
    together shall keep alpha, so that each gets only its part.
    """
    return test.alpha


@slip(Hacked, "fair_level", r"\frac{$alpha}{$seeds}", "divided by all seeds", MANY)
def divided_by_seeds(test: Hacked) -> Any:
    """You divided by the number of all your seeds. He stopped before: count the tries up to the seed that he published."""
    return test.alpha / test.seeds


@slip(Hacked, "fair_level", r"$alpha \cdot $tried", "multiplied for divided", MANY)
def multiplied(test: Hacked) -> Any:
    """You multiplied alpha by the number of tries, which is the most that the chance of a false alarm may grow to. To keep all of them
    together at alpha, each has to be stricter: divide.
    """
    return test.alpha * test.tried


@slip(Hacked, "fair_level", r"$claimed_p \cdot $tried", "adjusted p-value for the level", MANY)
def adjusted_p(test: Hacked) -> Any:
    """You multiplied the p-value, which is compared with alpha then: the same decision. Asked is the other side, what the p-value as it
    stands in the paper has to be compared with.
    """
    return test.claimed_p * test.tried


# -- other judges ------------------------------------------------------------------------------------------------------------------
@slip(Hacked, "test_train_ratio", r"\frac{1}{$n}", "test share for the ratio n2 / n1", CORRECTION, only=("q14",))
def share_for_ratio(test: Hacked) -> Any:
    """You put in the share of the records that are tested, 1/5. What stands in the standard error is test records by training records: one
    fold by the four others.
    """
    return 1 / test.n


@slip(Hacked, "test_train_ratio", r"\frac{n_1}{n_2} = $n - 1", "n1 / n2 for n2 / n1", CORRECTION, only=("q14",))
def ratio_upside_down(test: Hacked) -> Any:
    """Your ratio stands on its head: training records by test records. One fold is tested, four train: 1/4."""
    return test.n - 1


@slip(Hacked, "corrected_t", r"\frac{$claimed_t}{1 + $n \cdot $test_train_ratio}", "the root is missing", CORRECTION)
def no_root(test: Hacked) -> Any:
    """The root is missing. The correction makes the variance larger by this factor, and T is measured in its root."""
    return test.claimed_t / (1 + test.n * test.test_train_ratio)


@slip(Hacked, "corrected_t", r"$claimed_t \sqrt{1 + $n \cdot $test_train_ratio}", "corrected the wrong way", CORRECTION)
def wrong_way(test: Hacked) -> Any:
    """Your T has grown. Folds that share records say less than independent ones: the standard error grows, and T shrinks."""
    return test.claimed_t * np.sqrt(1 + test.n * test.test_train_ratio)


@slip(Hacked, "corrected_t", "$claimed_t", "the plain T again", CORRECTION)
def plain_again(test: Hacked) -> Any:
    """That is the plain T. The corrected standard error holds n2/n1 beside 1/5, so that T becomes smaller."""
    return test.claimed_t


@slip(
    Hacked,
    "corrected_verdicts",
    r"\#\{s : $mine \geq $critical_value\},\ \#\{s : $mine \leq -$critical_value\},\ \#\{s : |$mine| < $critical_value\}",
    "the plain T counted",
    JUDGES,
)
def plain_counted(test: Hacked) -> Any:
    """These are the verdicts of the plain T. Correct every T as you corrected the one, and count again; the limit stays as it is."""
    return count_verdicts(signed(abs(test.mine) >= test.critical_value, test.mine))


@slip(
    Hacked,
    "f_verdicts",
    r"\text{verdicts of } \frac{\sqrt{10}\,\bar d_r}{s_r} \text{ on the ten } $half_d \text{ with } t_9,\ \alpha = $alpha",
    "plain t of ten differences",
    FIVE_BY_TWO,
)
def plain_t_of_ten(test: Hacked) -> Any:
    """You did the plain t-test on the ten differences of each repetition. It takes them for independent, and so rejects more often. The
    F-test takes each repetition's own spread as its measure.
    """
    plain = KFoldT(test.half_d.reshape(10, -1), alpha=test.alpha)
    return count_verdicts(signed(plain.reject, plain.mean))


@slip(
    Hacked,
    "mcnemar_verdicts",
    r"\text{verdicts of } \frac{(|n_{01} - n_{10}| - 1)^2}{n_{01} + n_{10}} \text{ on the sum of the ten } $tables,\ \alpha = $alpha",
    "ten tables added up",
    MCNEMAR,
)
def tables_added_up(test: Hacked) -> Any:
    """You added the ten tables up and did McNemar's test on the sum, as if there were five times as many records. Each record is counted
    five times in it; BCV McNemar works out what the ten tables are worth together.
    """
    (_, n01), (n10, _) = test.tables.sum((0, 1))
    added = McNemar(n01, n10, alpha=test.alpha)
    return count_verdicts(signed(added.reject, n10 - n01))


def as_share(step: str, total: str) -> str:
    """The formula of three counts that are divided by their sum."""
    return rf"\frac{{1}}{{${total}}} {Hacked.steps[step].formula}"


@slip(Hacked, "corrected_verdicts", as_share("corrected_verdicts", "seeds"), "shares of the seeds for counts", JUDGES)
def shares_of_seeds(test: Hacked) -> Any:
    """These are shares, which add up to 1. Asked is how many of your seeds there are with each verdict: three counts that add up to R."""
    return Hacked.corrected_verdicts.fn(test) / test.seeds


@slip(Hacked, "f_verdicts", as_share("f_verdicts", "halvings"), "shares by the F-test for counts", FIVE_BY_TWO)
def shares_by_f(test: Hacked) -> Any:
    """These are shares, which add up to 1. Asked is how many repetitions there are with each verdict: three counts that add up to H."""
    return Hacked.f_verdicts.fn(test) / test.halvings


@slip(Hacked, "mcnemar_verdicts", as_share("mcnemar_verdicts", "halvings"), "shares by McNemar's test for counts", MCNEMAR)
def shares_by_mcnemar(test: Hacked) -> Any:
    """These are shares, which add up to 1. Asked is how many repetitions there are with each verdict: three counts that add up to H."""
    return Hacked.mcnemar_verdicts.fn(test) / test.halvings


@slip(Hacked, "none_by_luck", r"1 - (1 - $rate)^{$halvings}", "at least one for none", HUNT)
def at_least_one(test: Hacked) -> Any:
    """That is the probability that at least one of them gives the verdict. Asked is the probability of none."""
    return 1 - (1 - test.rate) ** test.halvings


@slip(Hacked, "none_by_luck", r"$halvings \cdot $rate", "expected number for a probability", WRONG)
def expected_number(test: Hacked) -> Any:
    """That is how many of them would give the verdict on average. Asked is the probability that not one does: each fails to with the
    probability 1 - q.
    """
    return test.halvings * test.rate
