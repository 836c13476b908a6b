"""Study of correlations between contingency tables of 5x2 cross-validation.

The 5x2 BCV McNemar paper has them in RQ1, Figure 1 and Table 4.

    from fstats.studies import correlations

    correlations.cloud()                       # rho1 and rho2 of each pair of learners on each data set; .picture() is Figure 1
    correlations.cloud("differences")          # rho1 and rho2 of the counts on which McNemar's test decides
    correlations.observations()                # observations of section 5.1 with verdicts
    correlations.table4()                      # printed and our description of the data sets
    correlations.refined()                     # the 5x2 BCV McNemar test with correlations estimated from data

The experiment draws 1,000 samples of 300 records from each of 26 data sets, and trains each of six learners on the ten splits of each
sample: 1.56 million fits, about half an hour of one CPU core.  The package stores sums, not predictions.  ``fstats reproduce correlations``
prints the results, and ``--again`` computes the results again.
"""

from __future__ import annotations

from typing import Any

from .correlation_classifiers import DESCRIBED as DESCRIBED
from .correlation_classifiers import LEFT_OUT as LEFT_OUT
from .correlation_computation import compute_sums
from .correlation_datasets import table4 as table4
from .correlation_estimates import Cloud as Cloud
from .correlation_estimates import Correlated as Correlated
from .correlation_estimates import cloud as cloud
from .correlation_estimates import without_replacement as without_replacement
from .correlation_report import provenance as provenance
from .correlation_report import reproduced as reproduced
from .refined_correlations import Refined as Refined
from .refined_correlations import refined as refined
from .section_5_1_claims import observations as observations

make = compute_sums


def described() -> Any:
    """Return a table of the learners with their implementations in the paper and in this study."""
    from ...render.display_table import Table

    return Table(("learner", "paper", "here"), [*DESCRIBED, LEFT_OUT], "Learners")
