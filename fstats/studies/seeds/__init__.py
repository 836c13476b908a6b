"""Study of the effect of random seeds on p-values.

    from fstats.studies import seeds

    seeds.stored()                  # p of each test of Table 5 for 50 seeds, and how often two seeds disagree
    seeds.stored("naive Bayes")     # the p-values for two learners that differ more
    seeds.study(seeds=5)            # the study computed again, for the first 5 seeds

The data are the breast cancer records of scikit-learn.  A is always 5 nearest neighbours on scaled features; B is linear discriminant
analysis ("LDA") or naive Bayes.
"""

from .seed_pvalues import SeedStudy, stored, study

__all__ = ["SeedStudy", "stored", "study"]
