"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.validation import check
from ....procedures.resampling.algorithm_comparison import SplitMeanTest, values_by_split
from ....procedures.resampling.corrected_resampled_t import CorrectedResampledT


class SharedRecords(Procedure):
    """Splits of one data set: which records do the splits share, and how much are their differences worth?"""

    records: Any = input_field("N", "Number of records of the data set.", check=check.count(4))
    folds: Any = input_field("K", "Number of folds of a cross-validation.", check=check.count(3))
    test_share: Any = input_field(r"\tau", "Share of the records that a random hold-out split uses for testing.", check=check.level)
    d: Any = input_field(
        "d_i", "Score of A minus score of B on each random hold-out split, in percentage points.", over="i", check=values_by_split
    )
    many: Any = input_field("J'", "A larger number of random hold-out splits.", check=check.count(2))
    rate: Any = input_field("q", "Share of all shuffles of one data set for which a test rejects.", check=check.level)
    tries: Any = input_field("r", "Number of shuffles that somebody tries.", check=check.count(1))

    @step(r"N_{\text{train}}", r"$records - \frac{$records}{$folds}")
    def train(self) -> Any:
        """Number of training records in each split of the cross-validation."""
        return self.records - self.records / self.folds

    @step("C", r"$train - \frac{$records}{$folds}")
    def common(self) -> Any:
        """Number of records in both training sets of two splits of the cross-validation."""
        return self.train - self.records / self.folds

    @step(r"C / N_{\text{train}}", r"\frac{$common}{$train}")
    def share(self) -> Any:
        """Share of one training set that is also in another training set of the cross-validation."""
        return self.common / self.train

    @step(r"\bar C", r"(1 - $test_share)^2\,$records")
    def common_at_random(self) -> Any:
        """Average number of records in both training sets of two random hold-out splits."""
        return (1 - self.test_share) ** 2 * self.records

    n, mean, sd = SplitMeanTest.n, SplitMeanTest.mean, SplitMeanTest.sd

    @step(r"t_{\text{plain}}", r"\frac{$mean}{$sd / \sqrt{$n}}")
    def plain_t(self) -> Any:
        """The plain t statistic over the splits."""
        return self.mean / (self.sd / sqrt(self.n))

    @step(r"\frac{n_2}{n_1}", r"\frac{$test_share}{1 - $test_share}")
    def test_train_ratio(self) -> Any:
        """Number of test records divided by the number of training records."""
        return self.test_share / (1 - self.test_share)

    se, statistic = CorrectedResampledT.se, SplitMeanTest.statistic

    @step(r"J_{\text{eff}}", r"\frac{1}{1 / $n + $test_train_ratio}")
    def worth(self) -> Any:
        """Number of independent splits whose standard error equals the corrected standard error."""
        return 1 / (1 / self.n + self.test_train_ratio)

    @step(r"t'_{\text{plain}}", r"\frac{$mean}{$sd / \sqrt{$many}}")
    def plain_t_of_many(self) -> Any:
        """The plain t for the larger number of splits, if mean and standard deviation stay the same."""
        return self.mean / (self.sd / sqrt(self.many))

    @step(r"t_\infty", r"\frac{$mean}{\sqrt{$test_train_ratio}\,$sd}")
    def limit(self) -> Any:
        """Limit of the corrected t as the number of splits grows, if mean and standard deviation stay the same."""
        return self.mean / (sqrt(self.test_train_ratio) * self.sd)

    @step("P", "1 - (1 - $rate)^{$tries}")
    def at_least_one(self) -> Any:
        """Probability that the test rejects for at least one of the r shuffles."""
        return 1 - (1 - self.rate) ** self.tries
