"""The study of seeds: the same records, the same two learning algorithms, the same test; only the seed of the splits is another.

    from fstats.studies import seeds

    seeds.stored()                  # p of each test of Table 5 for 50 seeds, and how often two seeds disagree
    seeds.stored("naive Bayes")     # the same for algorithms that lie further apart
    seeds.study(seeds=5)            # computed again, for the first 5

The data are the breast cancer records that come with scikit-learn; A is always 5 nearest neighbours on scaled features, B linear
discriminant analysis ("LDA") or naive Bayes.
"""

from .seed_pvalues import SeedStudy, stored, study

__all__ = ["SeedStudy", "stored", "study"]
