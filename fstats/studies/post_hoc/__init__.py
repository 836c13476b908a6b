"""Study of post-hoc tests: familywise type I errors if some classifiers scatter more than others.

    from fstats.studies import post_hoc

    post_hoc.stored()                  # familywise errors with one noisy classifier of five, and two of eight
    post_hoc.stored().of("TukeyHSD")   # those of one test
    post_hoc.study(tables=100)         # computed again, on the first 100 tables of each kind

All classifiers have the same mean score, so every pair that is found different is a false alarm.
"""

from .familywise_errors import PostHocLevels, stored, study

__all__ = ["PostHocLevels", "stored", "study"]
