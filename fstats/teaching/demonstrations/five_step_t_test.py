"""The paired t-test in five steps."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.number_format import format_level, format_plain, format_pvalue
from ...core.worked_example_row import Row
from ...procedures.pairwise.paired_t import PairedT

# names of the rows that each of the five steps adds to the worked example
ROWS_BY_STEP = (
    {"labels", "a", "b", "d"},
    {"alternative", "alpha"},
    {"n", "mean", "sd", "se", "statistic"},
    {"df", "null", "pvalue"},
    {"critical_value", "reject"},
)
STEP_NAMES = ("choose the test", "hypotheses", "test statistic", "p-value", "decision")


@dataclass(frozen=True)
class FiveStepT:
    """A paired t-test up to one of its five steps."""

    full: PairedT
    step: int

    def __post_init__(self) -> None:
        if not 1 <= self.step <= len(ROWS_BY_STEP):
            raise ValueError(f"step must lie between 1 and {len(ROWS_BY_STEP)}; got {self.step}")

    def worked(self) -> tuple[Row, ...]:
        """Return the worked rows up to this step."""
        shown = set().union(*ROWS_BY_STEP[: self.step])
        return tuple(row for row in self.full.worked() if row.name in shown)

    @property
    def conclusion(self) -> str:
        """Description of this step in words."""
        test = self.full
        p, alpha = format_pvalue(test.pvalue, test.alpha), format_level(test.alpha, test.pvalue)
        equal = "{} and {} are equal".format(*test.sides)
        relation = "at most" if test.reject else "greater than"
        texts = (
            f"both classifiers have a score on each of the {len(test.a)} data sets, so use the differences and the paired t-test.",
            "H0 says that the true mean difference is 0; H1 says that it is not 0. "
            f"The level alpha = {alpha} is fixed now, before p is known.",
            f"the mean difference {format_plain(test.mean)} is {format_plain(test.statistic)} standard errors away from 0.",
            f"if H0 is true, a statistic at least this far from 0 has probability {p}.",
            f"{p} is {relation} alpha = {alpha}: {'reject H0' if test.reject else f'fail to reject H0, which does not show that {equal}'}. "
            "(The slide rejects if p < alpha, this demonstration if p <= alpha: the two rules differ only if p is exactly alpha.)",
        )
        return f"Step {self.step} of 5, {STEP_NAMES[self.step - 1]}: {texts[self.step - 1]}"
