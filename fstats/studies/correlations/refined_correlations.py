"""What would correlations from data give the 5x2 BCV McNemar test, in place of 1/2 and 1/2?  The future work of the paper, tried."""

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
EFFECTS = {"Epsilon": "error rate of B less that of A", "EXP6": "lambda", "Simple": "delta", "letter": "lambda"}
ADVANTAGES = (0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1)  # of A on Epsilon


def variations(found: Mapping[str, Any], share: float = 0.95) -> dict[str, tuple[float, float]]:
    """The correlations of each variation of the test: as recommended, and the values below which so many of a cloud lie, to two places.

    Parameters
    ----------
    found : mapping
        Results as :mod:`fstats.studies.correlations.stored_correlations` keeps them.
    share : float
        Of the cloud.
    """
    chosen = {HALF_CORRELATIONS: (0.5, 0.5)}
    for name, of in ((DISAGREEMENT_QUANTILE, "disagreements"), (DIFFERENCE_QUANTILE, "differences")):
        rho1, rho2 = Cloud(found, of).quantiles(share)  # type: ignore[arg-type]
        chosen[name] = round(rho1, 2), round(rho2, 2)
    return chosen


def compare_variations(
    rhos: Mapping[str, tuple[float, float]], data_sets: int = 4000, *, store: Any = None, **running: Any
) -> dict[str, Any]:
    """How often each variation rejects on four sources, the more one learner is better; 0 is a true H0.

    Parameters
    ----------
    rhos : mapping
        rho1 and rho2 of each variation.
    data_sets : int
        Data sets of each source and effect; all variations see the same ones.  Of letter there are those whose tables are kept.
    store : path, optional
        A folder in which units are kept as they are done.
    **running
        jobs and progress, as in :func:`fstats.simulate.run`.
    """
    tests = {name: (BlockedFiveByTwoMcNemar, {"rho1": rho1, "rho2": rho2}) for name, (rho1, rho2) in rhos.items()}
    omegas = calibrated()["EXP6"]
    curves: dict[str, tuple[Any, tuple[float, ...]]] = {
        "Epsilon": (lambda advantage: Epsilon(advantage=advantage), ADVANTAGES),
        "EXP6": (lambda lam: EXP6(omegas[f"{lam:g}"]), LAMBDAS),
        "Simple": (Simple, LAMBDAS),
    }
    found = {}
    for name, (source, effects) in curves.items():
        kept_in = None if store is None else f"{store}/refined_{name}.jsonl"
        rates = power_curve(tests, source, effects, data_sets, rng=SEED, chunk=100, store=kept_in, **running)
        rejections = dict(zip(rates.tests, rates.rejections.tolist(), strict=True))
        found[name] = {"effects": list(effects), "data_sets": data_sets, "rejections": rejections}
    letter = partition_sets()  # its blocked tables are kept: no training is needed
    rejections = {
        name: [int(letter.test("blocked", f"{lam:g}", **settings).reject.sum()) for lam in LAMBDAS] for name, (_, settings) in tests.items()
    }
    found["letter"] = {"effects": list(LAMBDAS), "data_sets": letter.data_sets, "rejections": rejections}
    return {"rhos": {name: list(each) for name, each in rhos.items()}, "sources": found}


class Refined(TableDisplay):
    """Rejections of the test with either pair of correlations; ``.picture("EXP6")`` draws its power."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.found = found
        self.rhos: dict[str, tuple[float, float]] = {name: (rho1, rho2) for name, (rho1, rho2) in found["rhos"].items()}

    def rates(self, source: str, variation: str) -> list[Rate]:
        """One for each effect."""
        if source not in self.found["sources"] or variation not in self.rhos:
            known = f"sources are {', '.join(self.found['sources'])}, variations {', '.join(self.rhos)}"
            raise KeyError(f"{known}; got {source!r}, {variation!r}")
        one = self.found["sources"][source]
        pairs = zip(one["effects"], one["rejections"][variation], strict=True)
        return [Rate(variation, effect, count, one["data_sets"]) for effect, count in pairs]

    @property
    def _table(self) -> Table:
        lines = []
        for source, one in self.found["sources"].items():
            for variation, (rho1, rho2) in self.rhos.items():
                rates = self.rates(source, variation)
                gains = [new.rate - old.rate for new, old in zip(rates[1:], self.rates(source, HALF_CORRELATIONS)[1:], strict=True)]
                most = (
                    ""
                    if variation == HALF_CORRELATIONS
                    else f"{100 * max(gains):+.1f} points at {one['effects'][1 + gains.index(max(gains))]:g}"
                )
                level, worth = f"{rates[0].rate:.4f} ± {rates[0].se:.4f}", f"{10 / (1 + rho1 + 8 * rho2):.2f}"
                lines.append([source, variation, f"{rho1:g}, {rho2:g}", worth, level, most])
        heads = ("source", "correlations", "rho1, rho2", "tables", "type I error", "most that it gains in power")
        return Table(heads, lines, "The 5x2 BCV McNemar test with correlations from data")

    def picture(self, source: str) -> Picture:
        """Power curves on one source."""
        one = self.found["sources"][source]
        rejections = np.array([one["rejections"][variation] for variation in self.rhos])
        found = Rates("", tuple(self.rhos), tuple(one["effects"]), rejections, one["data_sets"])
        return replace(power_curves(found, ALPHA, effect=EFFECTS[source]), title=f"Power on {source}")


def refined() -> Refined:
    """The stored comparison.

    Examples
    --------
    >>> found = refined()
    >>> found.rates("Epsilon", "95 % of the disagreements")[0].rate > found.rates("Epsilon", "1/2 and 1/2")[0].rate
    True
    """
    return Refined(stored_results("refined"))
