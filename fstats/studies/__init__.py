"""Studies: claims and open questions of the sources of the course, computed again and answered.

:mod:`fstats.studies.contingency` computes the simulation of the contingency table test, exact and live, and answers two open questions.
:mod:`fstats.studies.fold_hacking` reproduces the experiment with ten thousand random partitions into folds, and judges the tests.
:mod:`fstats.studies.bcv` holds the experiments of the 5x2 BCV McNemar paper: type I errors and power, printed beside computed.
:mod:`fstats.studies.correlations` holds its experiments on the correlations of the ten tables.
:mod:`fstats.studies.bcv_paper` shows this paper on one page.
:mod:`fstats.studies.seeds` measures how far p depends on the seed of the splits.
:mod:`fstats.studies.small_samples` counts which tests keep their level with few records and with unequal classes.
:mod:`fstats.studies.post_hoc` counts which tests for all pairs keep the familywise level if some classifiers scatter more than others.
:mod:`fstats.studies.stress` searches for the worst level of each test, on sources on which H0 is true by symmetry.

The printed numbers of a source are in the file printed.toml of its folder, the computed ones in results.
:mod:`fstats.studies.study_files` reads and stores both.  :mod:`fstats.studies.claim_verdicts` gives each claim of a paper a verdict.
"""
