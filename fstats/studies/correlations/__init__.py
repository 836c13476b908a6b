"""The experiments of the paper on the 5x2 BCV McNemar test, II: how the ten tables are correlated (RQ1, Figure 1).

    from fstats.studies import correlations

    correlations.cloud()                       # rho1 and rho2 of each pair of learners on each data set; .picture() is Figure 1
    correlations.cloud("differences")          # the same of what McNemar's test decides on
    correlations.observations()                # what section 5.1 observes, with verdicts
    correlations.table4()                      # the data sets, printed / ours
    correlations.refined()                     # what correlations from data would give the test

On each of 26 data sets 1,000 samples of 300 records are drawn, and each of six learners is trained on the ten splits of each: 1.56 million
fits, about half an hour of one processor.  Sums are stored, not predictions; ``fstats reproduce correlations`` prints what follows from
them, and computes them anew with ``--again``.
"""

from __future__ import annotations

from typing import Any

from .correlation_classifiers import DESCRIBED, LEFT_OUT
from .correlation_computation import compute_sums as make
from .correlation_datasets import table4
from .correlation_estimates import Cloud, Correlated, cloud, without_replacement
from .correlation_report import provenance, reproduced
from .refined_correlations import Refined, refined
from .section_5_1_claims import observations

__all__ = [
    "DESCRIBED",
    "LEFT_OUT",
    "Cloud",
    "Correlated",
    "Refined",
    "cloud",
    "described",
    "make",
    "observations",
    "provenance",
    "refined",
    "reproduced",
    "table4",
    "without_replacement",
]


def described() -> Any:
    """The learners: what they were in the paper, and what they are here."""
    from ...render.display_table import Table

    return Table(("learner", "paper", "here"), [*DESCRIBED, LEFT_OUT], "Learners")
