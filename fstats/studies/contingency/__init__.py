"""Contingency table study: the simulation of a blog post, exact and live, its statements judged, and two open questions answered.

    from fstats.studies import contingency

    contingency.exact_power(500, 0.05)              # the probability that the test rejects
    contingency.simulated_power(500, 0.05)          # the same in 1000 simulated trials
    contingency.power_tables()                      # the figure of the post, whose picture is lost, as tables
    contingency.statements()                        # each statement of the post beside the computed result
    contingency.stored().table()                    # K-fold cross-validation, repeated L times

``fstats reproduce contingency`` prints all of this.
"""

from .blog_post_claims import power_tables, reproduced, statements
from .exact_test_power import exact_power
from .guessing_simulation import simulated_power
from .repeated_fold_study import FoldStudy, fold_study, stored

__all__ = ["FoldStudy", "exact_power", "fold_study", "power_tables", "reproduced", "simulated_power", "statements", "stored"]
