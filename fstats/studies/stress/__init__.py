"""The bench that tries to break every test: how often can a true H0 be rejected, and where?

    from fstats.studies import stress

    stress.stored()                                   # the worst level of each test, with its interval and the place
    stress.stored().of("BlockedFiveByTwoMcNemar")     # of one test
    stress.stored().picture()                         # all of them in order
    stress.study(jobs=2, store="kept")                # computed again, in about three hours of two processors

On every source both learners are equally good by symmetry (:class:`fstats.simulate.Symmetric`), whatever the learner: the same learner on
features that mirror each other, with two seeds, on two halves of the training records, leaning to either of two classes that mirror each
other; and two learners whose roles a coin exchanges in every training.  A scan of all cells looks for the worst ones by few data sets, a
closer look narrows them down, and what looks worst then is repeated on fresh data sets, whose figures are those that count.
"""

from .stored_worst_levels import Stress, Worst, stored, study

__all__ = ["Stress", "Worst", "stored", "study"]
