"""Statistical demonstrations for lectures.

Explorers show the procedures of these modules.

Simulations: ``overlapping_splits`` (the standard error over splits), ``multiplicity_simulation`` (the cost of many classifiers),
``groups_of_test_set`` (groups of one test set are no data sets), ``type_one_error_simulation``, ``sources_of_randomness`` (how much
chance changes a score), ``unstable_training_simulation`` (effect of unstable training on a test that counts records),
``language_models`` (a benchmark whose questions form families), ``tuning_on_test_set`` (settings chosen on the test records).

Comparisons and steps: ``t_test_and_signed_rank`` with an outlier, ``one_way_and_repeated_anova``, ``friedman_with_post_hoc``,
``fold_numbering`` of ten differences, and ``bcv_mcnemar_correlation`` with an unknown correlation.
"""
