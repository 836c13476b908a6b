"""Study of the highest type I error rate of each test.

    from fstats.studies import stress

    stress.stored()                                   # the worst level of each test, with interval and condition
    stress.stored().of("BlockedFiveByTwoMcNemar")     # the worst level of one test
    stress.stored().picture()                         # all worst levels in order
    stress.study(jobs=2, store="kept")                # the study computed again, in about three hours of two CPU cores

On every source both learners are equally good by symmetry (:class:`fstats.simulate.Symmetric`), whatever the learner is.  One learner is
compared with itself on features that mirror each other, with two seeds, on two halves of the training records, or leaning to either of
two classes that mirror each other; or a coin exchanges the roles of two learners in every training.  The search has three stages: a scan
tries all conditions with few data sets, a closer look repeats the worst conditions of the scan with more data sets, and a confirmation
repeats the worst conditions of both stages on new data sets.  The results contain only rates on the new data sets.
"""

from .stored_worst_levels import Stress, Worst, stored, study

__all__ = ["Stress", "Worst", "stored", "study"]
