"""From predictions to the table and to McNemar's tests; and each mistake, the same with one wrong step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...coins import FairCoins
from ...contingency.discordant import Discordant
from ...contingency.mcnemar_exact import McNemarExact
from ...contingency.predictions import PairedTable
from ...hypothesis import HypothesisTest
from ...null import Array, ChiSquared, Value
from ...step import step


class FromPredictions(PairedTable):
    """The exact test and the corrected chi-squared test, from the predictions on."""

    @step("a_r", "[$pred_a = $y_true]", over="r")
    def right_a(self) -> Any:
        """Whether A is right, record by record."""
        return self.pred_a == self.y_true

    @step("b_r", "[$pred_b = $y_true]", over="r")
    def right_b(self) -> Any:
        """Whether B is right, record by record."""
        return self.pred_b == self.y_true

    @step("n_{uv}", r"\#\{r : $right_a = u,\ $right_b = v\}", over="uv")
    def table(self) -> Array:
        """Records by whether A (line) and B (column) are wrong (0, first) or right (1, second)."""
        return counted(self.right_a, self.right_b)

    n = Discordant.n
    null = McNemarExact.null
    reject = HypothesisTest.reject

    @step("m", r"\min\{$n01, $n10\}")
    def statistic(self) -> Value:
        """The count that is small when H0 is wrong."""
        return np.minimum(self.n01, self.n10)

    @step("p", r"2\,P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """Two-sided p-value of the exact McNemar test."""
        return np.minimum(1, 2 * self.null.at_most(self.statistic))

    @step("p'", r"2 \left(\frac{1}{2}\right)^{|$n10 - $n01|}")
    def one_way(self) -> Value:
        """Exact two-sided p-value of a pair with the same two accuracies whose discordant records all point one way."""
        return 2 * 0.5 ** np.abs(self.n10 - self.n01)

    @step(r"\chi^2", r"\frac{(|$n01 - $n10| - 1)^2}{$n}")
    def chi_squared(self) -> Value:
        """McNemar's statistic with continuity correction."""
        return np.maximum(0, np.abs(self.n01 - self.n10) - 1) ** 2 / self.n

    @step(r"p_{\chi^2}", r"P(\chi^2_1 \geq $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """Two-sided p-value of the chi-squared test."""
        return ChiSquared(1).at_least(self.chi_squared)


def counted(u: Any, v: Any) -> Array:
    """Records by two yes-or-no columns, no before yes."""
    return np.array([[(i & j).sum() for j in (~v, v)] for i in (~u, u)], float)


class AgreementForCorrectness(FromPredictions):
    """You compared A with B. That shows where the two agree, and they may agree on something wrong. Whether A is right, only the true label knows: compare A with that."""

    @step("a_r", "[$pred_a = $pred_b]", over="r")
    def right_a(self) -> Any:
        """Agreement."""
        return self.pred_a == self.pred_b


class Transposed(FromPredictions):
    """You let B come first. The first index (the line of the table) is A's, the second (the column) is B's; 0 is wrong, 1 is right. So n01 counts the records that A gets wrong and B gets right."""

    @step("n_{uv}", r"\#\{r : $right_b = u,\ $right_a = v\}", over="uv")
    def table(self) -> Array:
        """B first."""
        return counted(self.right_b, self.right_a)


class RightFirst(FromPredictions):
    """You put right before wrong, in the lines and in the columns. Many books do; here 0 is wrong and comes first, so the first line and the first column are those of the wrong ones. Both upside down and left to right, your table is mirrored."""

    @step("n_{uv}", r"\#\{r : $right_a = 1 - u,\ $right_b = 1 - v\}", over="uv")
    def table(self) -> Array:
        """Right first."""
        return counted(~self.right_a, ~self.right_b)


class AllErrorsOfA(FromPredictions):
    """You counted all records that A gets wrong. On some of them B is wrong as well, and they favour nobody: take only those that B gets right."""

    @step("n_{01}", r"\sum_v n_{0v} \text{ of } $table")
    def n01(self) -> Value:
        """The whole line."""
        return self.table[0].sum()


class BMinusA(FromPredictions):
    """You took B minus A. Here all differences are A minus B, so that they are positive where A is ahead and negative where B is."""

    @step(r"\hat\pi_A - \hat\pi_B", r"\frac{$n01 - $n10}{$records}")
    def difference(self) -> Value:
        """The other way round."""
        return (self.n01 - self.n10) / self.records


class Percent(FromPredictions):
    """That is the difference in percentage points. A share is asked for, and a share lies between -1 and 1: leave the factor 100 out."""

    @step(r"\hat\pi_A - \hat\pi_B", r"100\,\frac{$n10 - $n01}{$records}")
    def difference(self) -> Value:
        """Times 100."""
        return 100 * (self.n10 - self.n01) / self.records


class OfTheDiscordant(FromPredictions):
    """You divided by the discordant records. An accuracy is a share of all records, and so is the difference of two: divide by their number."""

    @step(r"\hat\pi_A - \hat\pi_B", r"\frac{$n10 - $n01}{$n}")
    def difference(self) -> Value:
        """The wrong whole."""
        return (self.n10 - self.n01) / self.n


class DifferentPredictions(FromPredictions):
    """You counted the records on which the two predictions differ. With more than two classes both may be wrong in different ways, and such a record favours nobody. Discordant means: exactly one of them is right."""

    @step("n", r"\#\{r : $pred_a \neq $pred_b\}")
    def n(self) -> Value:
        """Different predictions."""
        return np.float64((self.pred_a != self.pred_b).sum())


class AllFourCells(FromPredictions):
    """You added all four cells. Records that both get right, or both wrong, say nothing about which one is better: only the two cells off the diagonal count."""

    @step("n", "$records")
    def n(self) -> Value:
        """All records."""
        return self.records


class NetLead(FromPredictions):
    """That is by how many records one classifier leads: what remains of the accuracies' difference. The wins on either side cancel in it. Discordant are all records that exactly one of them gets right, whoever it is: add, do not subtract."""

    @step("n", "|$n10 - $n01|")
    def n(self) -> Value:
        """The lead."""
        return np.abs(self.n10 - self.n01)


class CoinForEveryRecord(FromPredictions):
    """You tossed a coin for every record. On a record that both get right, or both wrong, there is nothing to toss for. H0 makes a fair coin only of the discordant records: the binomial distribution has n of them."""

    @step("M_0", r"\mathrm{Bin}\left($records, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> FairCoins:
        """Coins for all records."""
        return FairCoins(self.records)


class OneTail(FromPredictions):
    """That is one tail. Nobody said beforehand which classifier would win, and as lopsided a result for the other one would have surprised you as much: both tails count."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class PointForTail(FromPredictions):
    """You took the probability of exactly this count. A p-value asks for a result at least as extreme: add the probabilities of all smaller counts, down to 0."""

    @step("p", r"2\,P($null = $statistic)")
    def pvalue(self) -> Value:
        """Only the count itself."""
        return 2 * (self.null.at_most(self.statistic) - self.null.at_most(self.statistic - 1))


class CountLeftOut(FromPredictions):
    """You added up the counts beyond yours and left out your own. At least as extreme includes what was observed. (In scipy, binom.sf(k, n, 0.5) begins at k + 1.)"""

    @step("p", r"2\,P($null < $statistic)")
    def pvalue(self) -> Value:
        """Without the count itself."""
        return 2 * self.null.at_most(self.statistic - 1)


class LargerCount(FromPredictions):
    """You added up to the larger of the two counts, and that is nearly everything: doubled, it is above 1, as no probability can be. Begin at the smaller count and go down; or at the larger one and go up."""

    @step("p", r"2\,P($null \leq \max\{$n01, $n10\})")
    def pvalue(self) -> Value:
        """From the wrong count."""
        return 2 * self.null.at_most(np.maximum(self.n01, self.n10))


class OwnDiscordant(FromPredictions):
    """You let all of your own discordant records point one way. That hands the loser's wins to the other one, and moves the two accuracies farther apart. Keep the accuracies: what is the lead, and how many records make it if the loser wins none?"""

    @step("p'", r"2 \left(\frac{1}{2}\right)^{$n}")
    def one_way(self) -> Value:
        """With the wins of the loser."""
        return 2 * 0.5**self.n


class OneTailOneWay(FromPredictions):
    """That is one tail: all coins fall for the classifier that is ahead. Two-sided also counts that all of them fall for the other one."""

    @step("p'", r"\left(\frac{1}{2}\right)^{|$n10 - $n01|}")
    def one_way(self) -> Value:
        """One tail."""
        return 0.5 ** np.abs(self.n10 - self.n01)


class NoCorrection(FromPredictions):
    """The continuity correction is missing. The counts jump in steps and the curve does not; subtract 1 from the distance of the two counts before you square it."""

    @step(r"\chi^2", r"\frac{($n01 - $n10)^2}{$n}")
    def chi_squared(self) -> Value:
        """Plain."""
        return (self.n01 - self.n10) ** 2 / self.n


class CorrectedAway(FromPredictions):
    """Your correction makes the distance larger by 1; perhaps the bars are missing and the difference below 0. Take the distance of the two counts without its sign, then 1 away from it: the correction is there to be cautious."""

    @step(r"\chi^2", r"\frac{(|$n01 - $n10| + 1)^2}{$n}")
    def chi_squared(self) -> Value:
        """The wrong way."""
        return (np.abs(self.n01 - self.n10) + 1) ** 2 / self.n


class HalfCorrection(FromPredictions):
    """You took away one half. For a single count that would be right. But n is fixed: when one of the two counts grows by 1 the other one shrinks by 1, so their distance jumps by 2, and half a jump is 1."""

    @step(r"\chi^2", r"\frac{(|$n01 - $n10| - 1/2)^2}{$n}")
    def chi_squared(self) -> Value:
        """Half of it."""
        return (np.abs(self.n01 - self.n10) - 0.5) ** 2 / self.n


class NotSquared(FromPredictions):
    """The square is missing. Chi-squared is the square of a distance in units of its spread: square what stands above, leave n below as it is."""

    @step(r"\chi^2", r"\frac{|$n01 - $n10| - 1}{$n}")
    def chi_squared(self) -> Value:
        """Not squared."""
        return (np.abs(self.n01 - self.n10) - 1) / self.n


class Independence(FromPredictions):
    """That is the chi-squared test of independence on the same table (chi2_contingency computes it). It asks whether the two tend to fail on the same records; they nearly always do, equally good or not. McNemar's question is whether the two cells off the diagonal are equally likely."""

    @step(r"\chi^2", r"\text{test of independence on } $table")
    def chi_squared(self) -> Value:
        """Pearson's, with Yates's correction."""
        (a, b), (c, d) = self.table
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        size = a + b + c + d
        return size * np.maximum(0, np.abs(a * d - b * c) - size / 2) ** 2 / margins


class DifferentRecords(FromPredictions):
    """That is the square of z for two proportions, as if A and B had been tested on different records. They saw the same ones, and most hard records are hard for both; only the discordant ones tell them apart."""

    @step(
        r"\chi^2",
        r"\frac{($difference)^2}{2\,\bar\pi (1 - \bar\pi) / $records},\ \bar\pi \text{ the mean of the accuracies, from } $right_a \text{ and } $right_b",
    )
    def chi_squared(self) -> Value:
        """Two proportions."""
        pooled = (self.right_a.mean() + self.right_b.mean()) / 2
        return self.difference**2 / (2 * pooled * (1 - pooled) / self.records)


class DoubledTail(FromPredictions):
    """You doubled the tail. A square has no sign: 8 against 1 and 1 against 8 give the same chi-squared, so its upper tail already holds both directions."""

    @step(r"p_{\chi^2}", r"2\,P(\chi^2_1 \geq $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """Twice."""
        return 2 * ChiSquared(1).at_least(self.chi_squared)


class LowerTail(FromPredictions):
    """You took the area to the left: how often chi-squared is smaller than yours. Large values speak against H0, so at least as extreme lies to the right (in scipy sf, not cdf)."""

    @step(r"p_{\chi^2}", r"P(\chi^2_1 < $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """To the left."""
        return 1 - ChiSquared(1).at_least(self.chi_squared)
