"""Worked example of the exact test on repeated folds.

The example shows the effective number of classifications.
"""

from __future__ import annotations

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from .cross_validated_classifiers import LEARNERS
from .repeated_fold_study import DATA_SETS, RECORDS, StudyCell, stored


class RepeatedFolds(Procedure):
    """Repeated folds: what does the exact test do with the L N classifications of K-fold cross-validation, if H0 is true?

    A learner is compared with itself on other features of the same distribution, so H0 is true.  There are 2,000 data sets of 120 records.
    """

    folds: int = input_field("K", "Folds of each cross-validation.", check=check.count(2))
    repeats: int = input_field("L", "Repetitions of the cross-validation, each with another random partition.", check=check.count(1))
    learner: str = input_field(r"\text{learner}", "What is trained.", check=check.choice(*LEARNERS), default="nearest mean", kw_only=True)

    @step("L N", rf"$repeats \cdot {RECORDS}")
    def classifications(self) -> int:
        """Classifications of each system, which the exact test assumes to be independent."""
        return self.repeats * RECORDS

    @step("P_1", r"P(\text{exact test rejects}) <- $folds, $repeats, $learner")
    def naive(self) -> float:
        """Share of the data sets on which the exact test on all classifications rejects at 0.05, although H0 is true."""
        return self._cell.naive.rate

    @step(r"\mathrm{SE}_1", r"\text{Monte Carlo standard error of } P_1 <- $folds, $repeats, $learner")
    def naive_se(self) -> float:
        """Monte Carlo standard error of this share."""
        return self._cell.naive.se

    @step("W", r"L N\,\frac{\sum (s + f)}{\sum (s - f)^2} \text{ over data sets} <- $folds, $repeats, $learner")
    def worth(self) -> float:
        """Number of independent classifications for which s - f would have the observed variance."""
        return self._cell.worth

    @step("P_2", r"P(\text{corrected t-test rejects}) <- $folds, $repeats, $learner")
    def corrected(self) -> float:
        """Share of the data sets on which the corrected t-test on the K L differences rejects."""
        return self._cell.corrected.rate

    @step(r"\mathrm{SE}_2", r"\text{Monte Carlo standard error of } P_2 <- $folds, $repeats, $learner")
    def corrected_se(self) -> float:
        """Monte Carlo standard error of this share."""
        return self._cell.corrected.se

    @property
    def _cell(self) -> StudyCell:
        return stored().cell(self.learner, self.folds, self.repeats)

    @property
    def conclusion(self) -> str:
        """Conclusion of the study in words."""
        naive, corrected = (f"{format_plain(100 * share, 3)} %" for share in (self.naive, self.corrected))
        return (
            f"{self.learner}, {self.folds} folds, L = {self.repeats}: the exact test takes {self.classifications} classifications "
            f"as independent; they are worth {round(self.worth)}. It rejects a true H0 in {naive} of {DATA_SETS} data sets "
            f"(corrected t-test: {corrected})."
        )
