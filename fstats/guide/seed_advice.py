"""Advice on training with several seeds: seeds never change the recommended test, but they change the scores that the test uses."""

from __future__ import annotations

from .decision_questions import DecisionQuestion, Rule

SEED_QUESTION = DecisionQuestion(
    "seeds",
    "Does training depend on a seed?",
    {"none": "no", "one": "yes: each model was trained with one seed", "several": "yes: each model was trained with several seeds"},
)
AVERAGED_SEEDS_TEST = "CalibratedFiveByTwoF"  # test that can use averages over seeds; tests on tables of right and wrong answers cannot
PARTS_OF_VARIANCE = (
    "fstats.VarianceParts(scores.difference_by_seed) estimates the variance due to splits and seeds, and how many splits and seeds to use."
)
AVERAGE_ADVICE = (
    "Average the scores of each model over its seeds on each {unit}, with the same number of seeds for every model. Then test the "
    "averages. {n} Report the number of seeds."
)
ONE_SEED_ADVICE = (
    "The effect of the single seed is part of every score and cannot be separated from the model. Train each model with the same number of "
    "several seeds, and average the scores over the seeds on each {unit}; or report that there was only one seed."
)
# For tests that compare trained classifiers, averages over seeds do not exist.
TRAINED_MODEL_ADVICE = (
    "The test compares trained classifiers: one seed of each model, chosen before the answers are known. Answers of another seed to the "
    'same records are no further records. To compare models, train each model with several seeds on the splits of a plan: results="scores".'
)
ONE_RUN_ADVICE = "One seed gives one run of each model, which shows no variation between runs: train each model with about ten seeds."
RUNS_ADVICE = "Each seed is a run, and n is the number of runs. Report the seeds. Do not average the runs."
# Classes that compare runs on the same data sets, without averages.
OTHER_RUNS_ADVICE = (
    " The test generalizes to other data sets like these. To generalize to new runs on the same data sets, use{pairs} "
    "fstats.ProbabilityOfImprovement (how often a run of A beats a run of B) and fstats.DifferenceOfInterquartileMeans (the size of the "
    "difference, in one unit for all data sets; fstats.InterquartileMean describes one model). Both procedures need 10 runs per model. In "
    "simulations of two equal models with 3 runs of each, fstats.ProbabilityOfImprovement found A better in 3.5 % of all trials instead "
    "of 2.5 %, and fstats.DifferenceOfInterquartileMeans found a difference in 10 to 12 % instead of 5 %."
)
PAIRS_ADVICE = " for each pair, with alpha divided by the number of pairs,"
ONE_SPLIT_ADVICE = ' For one fixed split with a score for each seed, compare the runs directly: results="runs".'


def seed_advice(rule: Rule, answer: str) -> str:
    """Return the advice for an answer to the question of seeds under a rule; empty if there are no seeds."""
    if answer == "none" or (not rule.test and rule.when.get("results") == "scores"):
        return ""
    if rule.when["data_sets"] == "many":
        n = "The sample size n is the number of data sets: seeds of one data set are not independent data sets."
        runs = rule.when["aim"] == "difference" and rule.when.get("paired") == "yes" and answer == "several"
        other = OTHER_RUNS_ADVICE.format(pairs=PAIRS_ADVICE if rule.when["classifiers"] == "many" else "") if runs else ""
        return (ONE_SEED_ADVICE if answer == "one" else AVERAGE_ADVICE).format(unit="data set", n=n) + other
    if rule.when["results"] == "runs":
        return ONE_RUN_ADVICE if answer == "one" else RUNS_ADVICE
    if rule.when["results"] != "scores":
        return TRAINED_MODEL_ADVICE
    if answer == "one":
        return ONE_SEED_ADVICE.format(unit="split")
    n = "The sample size n is that of the plan: seeds are not splits. fstats.Scores.from_arrays(..., seeds=[...]) computes the averages."
    other_test = f" Averages are not tables of right and wrong answers: instead of {rule.test} use {AVERAGED_SEEDS_TEST}, on the same plan."
    tables = other_test if rule.test == "BlockedFiveByTwoT" else ""
    return f"{AVERAGE_ADVICE.format(unit='split', n=n)} {PARTS_OF_VARIANCE}{ONE_SPLIT_ADVICE}{tables}"
