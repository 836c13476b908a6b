"""McNemar's test on 5x2 cross-validation with estimated correlations.

The paper proposes it as future work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...plot.charts.power_curves import power_curves
from ...plot.drawing.picture import Picture
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...render.display_table import Table, TableDisplay
from ...simulate import EXP6, Epsilon, Simple, power_curve
from ...simulate.rejection_rates import Rate, Rates
from ..bcv.bcv_computation import settings as calibrated
from ..bcv.bcv_design import ALPHA
from ..bcv.table6 import partition_sets
from .correlation_estimates import Cloud
from .correlation_sums import SEED
from .stored_correlations import stored_results

HALF_CORRELATIONS, DISAGREEMENT_QUANTILE, DIFFERENCE_QUANTILE = "1/2 and 1/2", "95 % of the disagreements", "95 % of the differences"
LAMBDAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
EFFECTS = {"Epsilon": "error rate of B minus error rate of A", "EXP6": "lambda", "Simple": "delta", "letter": "lambda"}
ADVANTAGES = (0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1)  # error rate of B minus error rate of A on the source Epsilon


def variations(sums: Mapping[str, Any], share: float = 0.95) -> dict[str, tuple[float, float]]:
    """Return rho1 and rho2 of each variation of the test: 1/2 and 1/2, and quantiles of the estimates, rounded to two decimal places.

    Parameters
    ----------
    sums : mapping
        Results in the form that :mod:`fstats.studies.correlations.stored_correlations` reads.
    share : float
        Share of the estimates below the quantile.
    """
    correlations = {HALF_CORRELATIONS: (0.5, 0.5)}
    for name, of in ((DISAGREEMENT_QUANTILE, "disagreements"), (DIFFERENCE_QUANTILE, "differences")):
        rho1, rho2 = Cloud(sums, of).quantiles(share)  # type: ignore[arg-type]
        correlations[name] = round(rho1, 2), round(rho2, 2)
    return correlations


def compare_variations(
    rhos: Mapping[str, tuple[float, float]], data_sets: int = 4000, *, store: Any = None, **running: Any
) -> dict[str, Any]:
    """Count how often each variation of the test rejects on four sources, for increasing effects; H0 is true at effect 0.

    Parameters
    ----------
    rhos : mapping
        The correlations rho1 and rho2 of each variation of the test.
    data_sets : int
        Number of data sets for each source and effect; all variations use the same data sets.  For letter, the stored data sets are used.
    store : path, optional
        Folder in which finished units are stored.
    **running
        The arguments jobs and progress of :func:`fstats.simulate.run`.
    """
    tests = {name: (BlockedFiveByTwoMcNemar, {"rho1": rho1, "rho2": rho2}) for name, (rho1, rho2) in rhos.items()}
    omegas = calibrated()["EXP6"]
    curves: dict[str, tuple[Any, tuple[float, ...]]] = {
        "Epsilon": (lambda advantage: Epsilon(advantage=advantage), ADVANTAGES),
        "EXP6": (lambda lam: EXP6(omegas[f"{lam:g}"]), LAMBDAS),
        "Simple": (Simple, LAMBDAS),
    }
    by_source = {}
    for name, (source, effects) in curves.items():
        store_path = None if store is None else f"{store}/refined_{name}.jsonl"
        rates = power_curve(tests, source, effects, data_sets, rng=SEED, chunk=100, store=store_path, **running)
        rejections = dict(zip(rates.tests, rates.rejections.tolist(), strict=True))
        by_source[name] = {"effects": list(effects), "data_sets": data_sets, "rejections": rejections}
    letter = partition_sets()  # the blocked tables of letter are stored, so letter needs no training
    rejections = {
        name: [int(letter.test("blocked", f"{lam:g}", **settings).reject.sum()) for lam in LAMBDAS] for name, (_, settings) in tests.items()
    }
    by_source["letter"] = {"effects": list(LAMBDAS), "data_sets": letter.data_sets, "rejections": rejections}
    return {"rhos": {name: list(pair) for name, pair in rhos.items()}, "sources": by_source}


class Refined(TableDisplay):
    """Rejection rates of the test with each pair of correlations; ``.picture("EXP6")`` draws the power curves."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.found = found
        self.rhos: dict[str, tuple[float, float]] = {name: (rho1, rho2) for name, (rho1, rho2) in found["rhos"].items()}

    def rates(self, source: str, variation: str) -> list[Rate]:
        """Return the rejection rate at each effect."""
        if source not in self.found["sources"] or variation not in self.rhos:
            names, got = ", ".join(self.found["sources"]), f"source={source!r} and variation={variation!r}"
            raise KeyError(f"`source` must be one of {names}, and `variation` must be one of {', '.join(self.rhos)}; got {got}")
        result = self.found["sources"][source]
        pairs = zip(result["effects"], result["rejections"][variation], strict=True)
        return [Rate(variation, effect, count, result["data_sets"]) for effect, count in pairs]

    @property
    def _table(self) -> Table:
        lines = []
        for source, result in self.found["sources"].items():
            for variation, (rho1, rho2) in self.rhos.items():
                rates = self.rates(source, variation)
                gains = [new.rate - old.rate for new, old in zip(rates[1:], self.rates(source, HALF_CORRELATIONS)[1:], strict=True)]
                gain = f"{100 * max(gains):+.1f} points at {result['effects'][1 + gains.index(max(gains))]:g}"
                level, worth = f"{rates[0].rate:.4f} ± {rates[0].se:.4f}", f"{10 / (1 + rho1 + 8 * rho2):.2f}"
                lines.append([source, variation, f"{rho1:g}, {rho2:g}", worth, level, gain if variation != HALF_CORRELATIONS else ""])
        heads = ("source", "correlations", "rho1, rho2", "tables", "type I error", "most that it gains in power")
        return Table(heads, lines, "The 5x2 BCV McNemar test with correlations from data")

    def picture(self, source: str) -> Picture:
        """Draw the power curves on one source."""
        result = self.found["sources"][source]
        rejections = np.array([result["rejections"][variation] for variation in self.rhos])
        rates = Rates("", tuple(self.rhos), tuple(result["effects"]), rejections, result["data_sets"])
        return replace(power_curves(rates, ALPHA, effect=EFFECTS[source]), title=f"Power on {source}")


def refined() -> Refined:
    """Return the stored comparison of the variations of the test.

    Examples
    --------
    >>> found = refined()
    >>> found.rates("Epsilon", "95 % of the disagreements")[0].rate > found.rates("Epsilon", "1/2 and 1/2")[0].rate
    True
    """
    return Refined(stored_results("refined"))
