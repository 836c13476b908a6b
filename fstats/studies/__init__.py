"""Studies: what the sources of the course claim or ask, computed again, and answered.

:mod:`fstats.studies.contingency` is the simulation of the contingency table test, exact and live, with its two open questions.
:mod:`fstats.studies.fold_hacking` is the experiment with ten thousand random partitions into folds, reproduced and then judged.
"""
