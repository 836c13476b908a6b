"""Demonstrations: what a lecture shows of tests beyond a test itself, as procedures that know nothing of sliders and pictures.

Simulated: ``overlapping_splits`` (a mean over splits strays further than a t-test believes), ``multiplicity`` (what classifiers cost),
``partitions`` (groups of one test set mean nothing), ``false_alarms`` (type I errors), ``draws`` (how far chance moves a score),
``unstable_training`` (what training that strays does to a test that counts records), ``two_models`` (a benchmark whose questions come in
families), ``tuned`` (settings chosen on the records that test them).

Side by side, or step by step: ``both_tests`` and an outlier, ``both_anovas``, ``ranked`` (Friedman's test, then a post-hoc
procedure), ``five_steps`` of a test, ``numbering`` of ten differences, and ``caution`` with a correlation that nobody knows.
"""
