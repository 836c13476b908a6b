"""Studies: what the sources of the course claim or ask, computed again, and answered.

:mod:`fstats.studies.contingency` is the simulation of the contingency table test, exact and live, with its two open questions.
:mod:`fstats.studies.fold_hacking` is the experiment with ten thousand random partitions into folds, reproduced and then judged.
:mod:`fstats.studies.bcv` holds the experiments of the 5x2 BCV McNemar paper: type I errors and power, printed beside computed,
:mod:`fstats.studies.correlations` those on the correlations of its ten tables, and :mod:`fstats.studies.bcv_paper` is that paper on a page.
:mod:`fstats.studies.seeds` asks how far p depends on the seed of the splits,
:mod:`fstats.studies.small_samples` which tests keep their level on few records and unequal classes,
:mod:`fstats.studies.post_hoc` which tests for all pairs keep that of the family where some classifiers scatter more than others, and
:mod:`fstats.studies.stress` where each test breaks its level worst: a bench of sources on which H0 is true by symmetry.

What a source prints is in printed.toml of its folder, what was computed in results; :mod:`fstats.studies.study_files` reads and keeps both,
and :mod:`fstats.studies.claim_verdicts` tells what a paper observes, each statement with a verdict.
"""
