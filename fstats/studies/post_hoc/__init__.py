"""Study of the familywise error rate of post hoc tests.

The scores of some classifiers vary more than those of others.

    from fstats.studies import post_hoc

    post_hoc.stored()                  # familywise errors with one noisy classifier of five, and with two of eight
    post_hoc.stored().of("TukeyHSD")   # familywise errors of one test
    post_hoc.study(tables=100)         # the study computed again, on the first 100 tables of each kind

All classifiers have the same mean score, so every significant difference between two classifiers is a false alarm.
"""

from .familywise_errors import PostHocLevels, stored, study

__all__ = ["PostHocLevels", "stored", "study"]
