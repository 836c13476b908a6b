"""Study of type I errors in small samples.

The samples have few records and unequal classes.

    from fstats.studies import small_samples

    small_samples.stored()              # type I errors of the tests of Table 5, n = 50, 100 and 300, classes 1 : 1 and 4 : 1
    small_samples.study(data_sets=100)  # the study computed again, on the first 100 data sets of each kind

Both learners are equally good by construction (:class:`fstats.simulate.TwoFeatures`), so every rejection is a false alarm.
"""

from .small_sample_errors import SmallSamples, stored, study

__all__ = ["SmallSamples", "stored", "study"]
