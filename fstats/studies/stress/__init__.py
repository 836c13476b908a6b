"""Search for the worst level of every test: how often a true H0 can be rejected, and under which conditions.

    from fstats.studies import stress

    stress.stored()                                   # the worst level of each test, with its interval and condition
    stress.stored().of("BlockedFiveByTwoMcNemar")     # the worst level of one test
    stress.stored().picture()                         # all worst levels in order
    stress.study(jobs=2, store="kept")                # computed again, in about three hours of two CPU cores

On every source both learners are equally good by symmetry (:class:`fstats.simulate.Symmetric`), whatever the learner is.  One learner is
compared with itself on features that mirror each other, with two seeds, on two halves of the training records, or leaning to either of
two classes that mirror each other; or a coin exchanges the roles of two learners in every training.  A scan tries all conditions with few
data sets, a closer look narrows down the worst ones, and the worst of these are repeated on new data sets.  Only the numbers on
new data sets count.
"""

from .stored_worst_levels import Stress, Worst, stored, study

__all__ = ["Stress", "Worst", "stored", "study"]
