"""Study of a blog post on contingency tables.

The study has exact results instead of the simulation of the post, and answers two open questions.

    from fstats.studies import contingency

    contingency.exact_power(500, 0.05)              # the probability that the test rejects
    contingency.simulated_power(500, 0.05)          # the share of 1000 simulated trials in which the test rejects
    contingency.power_tables()                      # the figure of the post as tables (the picture itself is lost)
    contingency.statements()                        # each statement of the post beside the computed result
    contingency.stored().table()                    # how often the exact test rejects a true H0 after L times K-fold cross-validation

``fstats reproduce contingency`` prints all these results.
"""

from .blog_post_claims import power_tables, reproduced, statements
from .exact_test_power import exact_power
from .guessing_simulation import simulated_power
from .repeated_fold_study import FoldStudy, fold_study, stored

__all__ = ["FoldStudy", "exact_power", "fold_study", "power_tables", "reproduced", "simulated_power", "statements", "stored"]
