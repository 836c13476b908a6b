"""Bias of the accuracy after tuning on the test set."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from ...core.number_format import format_plain, format_pvalue
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ...procedures.contingency.mcnemar_exact import McNemarMidP

DATA_SETS, MOST = 400, 50  # number of simulated data sets; maximum number of settings
ACCURACY = 0.75  # true accuracy of B and of every setting of A


class ChosenSetting(NamedTuple):
    """Accuracies of the chosen setting on each data set, and its discordant counts against B, on the same and on other records."""

    reported: Array
    fresh: Array
    same: tuple[Array, Array]
    other: tuple[Array, Array]


@lru_cache(16)
def _simulate_settings(n: int, alike: float) -> Array:
    """Simulate the two accuracies and the four counts for each number of settings up to `MOST` and each data set."""
    rng, cut = np.random.default_rng(2000), special.ndtri(ACCURACY)
    results = np.empty((6, MOST, DATA_SETS))
    for i in range(DATA_SETS):
        shared, own = rng.standard_normal((2, 1, n)), rng.standard_normal((2, MOST + 1, n))
        b, a = np.split(np.sqrt(alike) * shared + np.sqrt(1 - alike) * own < cut, [1], axis=1)
        reported, fresh = a.mean(2)
        counts = [(only.sum(1)) for k in (0, 1) for only in (~a[k] & b[k], a[k] & ~b[k])]
        best = np.array([reported[: tried + 1].argmax() for tried in range(MOST)])
        results[:, :, i] = [values[best] for values in (reported, fresh, *counts)]
    return results


def choose_best_setting(tried: int, n: int, alike: float) -> ChosenSetting:
    """Choose the best of several settings of A on n records, and compare it with B on the same records and on n other records.

    A setting is right on a record if its normal number is below the quantile of the accuracy; the numbers of all settings and of B
    have the correlation `alike`. All settings have the same accuracy, so the best setting is best by chance.
    """
    reported, fresh, *counts = _simulate_settings(n, alike)[:, tried - 1]
    return ChosenSetting(reported, fresh, (counts[0], counts[1]), (counts[2], counts[3]))


def mcnemar_twice(tried: int, n: int, alike: float, alpha: float) -> tuple[McNemarMidP, McNemarMidP]:
    """Apply McNemar's test to the chosen setting and B on all data sets: on the records used for the choice, and on fresh records."""
    chosen = choose_best_setting(tried, n, alike)
    return McNemarMidP(*chosen.same, alpha=alpha), McNemarMidP(*chosen.other, alpha=alpha)


class TuningOnTestSet(Procedure):
    """Tuning on the test set: the best of k settings, on the records used for the choice and on fresh records.

    The 400 data sets are simulated. B and all settings of A have the true accuracy 0.75, so H0 is true for every choice.
    """

    tried: int = input_field("k", "Number of settings of A that are tried.", check=check.count(1, MOST, "as many settings as are drawn"))
    n: int = input_field("n", "Number of records.", check=check.count(2))
    alike: float = input_field(r"\rho", "Correlation of the settings.", check=check.number_between(0, 1))
    draw: int = input_field("i", "Number of the displayed data set.", check=check.count(1))
    alpha: float = input_field(r"\alpha", "Level of the tests.", check=check.level, default=0.05, kw_only=True)

    @step("a_1", r"\text{accuracy on the records that chose} <- $tried, $n, $alike, $draw")
    def reported(self) -> float:
        """Accuracy of the best setting on the records used for the choice; the true accuracy is 0.75."""
        return float(choose_best_setting(self.tried, self.n, self.alike).reported[self.draw - 1])

    @step("a_2", r"\text{accuracy on fresh records} <- $tried, $n, $alike, $draw")
    def fresh(self) -> float:
        """Accuracy of the best setting on the same number of fresh records."""
        return float(choose_best_setting(self.tried, self.n, self.alike).fresh[self.draw - 1])

    @step("p_1", r"p \text{ of McNemar's test on the records that chose} <- $tried, $n, $alike, $draw")
    def p_same(self) -> Value:
        """p-value against B on the records used for the choice."""
        return self._shown[0].pvalue

    @step("p_2", r"p \text{ of McNemar's test on fresh records} <- $tried, $n, $alike, $draw")
    def p_fresh(self) -> Value:
        """p-value against B on fresh records."""
        return self._shown[1].pvalue

    @step("o", r"\text{mean of } a_1 - 0.75 \text{ over all data sets} <- $tried, $n, $alike")
    def optimism(self) -> float:
        """Average amount by which the reported accuracy is too high."""
        return float(choose_best_setting(self.tried, self.n, self.alike).reported.mean() - ACCURACY)

    @step("P_1", r"P(\text{rejects a true } H_0 \text{ on the records that chose}) <- $tried, $n, $alike, $alpha")
    def level_same(self) -> float:
        """Share of the data sets on which McNemar's test rejects the true H0, on the records used for the choice."""
        return float(mcnemar_twice(self.tried, self.n, self.alike, self.alpha)[0].reject.mean())

    @step("P_2", r"P(\text{rejects a true } H_0 \text{ on fresh records}) <- $tried, $n, $alike, $alpha")
    def level_fresh(self) -> float:
        """Share of the data sets on which McNemar's test rejects the true H0, on fresh records."""
        return float(mcnemar_twice(self.tried, self.n, self.alike, self.alpha)[1].reject.mean())

    @property
    def _shown(self) -> list[McNemarMidP]:
        """Return McNemar's tests on the displayed data set."""
        return [test.at(self.draw - 1) for test in mcnemar_twice(self.tried, self.n, self.alike, 0.05)]

    @property
    def conclusion(self) -> str:
        """The reported accuracy, the true accuracy, and the type I errors."""
        best = f"The best of {self.tried} settings" if self.tried > 1 else "The only setting"
        return (
            f"{best} is right on {format_plain(100 * self.reported, 3)} % of the records used for the choice "
            f"({format_pvalue(self.p_same, self.alpha)} against B) and on {format_plain(100 * self.fresh, 3)} % of fresh records "
            f"({format_pvalue(self.p_fresh, self.alpha)}); the true accuracy is {format_plain(100 * ACCURACY)} %, as for B. "
            f"On {DATA_SETS} such data sets McNemar's test rejects in {100 * self.level_same:.0f} % on the records used for the choice, "
            f"and in {100 * self.level_fresh:.0f} % on fresh records. (Monte Carlo standard error: at most 2.5 points.)"
        )
