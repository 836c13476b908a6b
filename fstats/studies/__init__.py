"""Replications of the experiments of published papers.

The studies judge the claims of the papers, and answer their open questions.

:mod:`fstats.studies.contingency` computes the simulation of the contingency table test, exact and live, and answers two open questions.
:mod:`fstats.studies.fold_hacking` reproduces the experiment with ten thousand random partitions into folds, and judges the tests.
:mod:`fstats.studies.bcv` repeats the experiments of the 5x2 BCV McNemar paper and compares printed and computed type I errors and power.
:mod:`fstats.studies.correlations` repeats the experiments of the 5x2 BCV McNemar paper on the correlations of the ten tables.
:mod:`fstats.studies.bcv_paper` shows the 5x2 BCV McNemar paper on one page.
:mod:`fstats.studies.seeds` measures how much the p-value depends on the seed of the splits.
:mod:`fstats.studies.small_samples` counts which tests keep their level with few records and with unequal classes.
:mod:`fstats.studies.post_hoc` counts which tests for all pairs keep the familywise level if some scores vary more than others.
:mod:`fstats.studies.stress` searches for the worst level of each test, on sources on which H0 is true by symmetry.

The folder of a study contains the printed numbers of its source in printed.toml and the computed numbers in results.
:mod:`fstats.studies.study_files` reads and stores these files.  :mod:`fstats.studies.claim_verdicts` gives each claim of a paper a verdict.
"""
