"""What the seeds of training change: never the test, only what it is handed."""

from __future__ import annotations

from .decision_questions import DecisionQuestion, Rule

SEED_QUESTION = DecisionQuestion(
    "seeds",
    "Does training depend on a seed?",
    {"none": "no", "one": "yes: each model was trained with one", "several": "yes: each model was trained with several"},
)
AVERAGED_SEEDS_TEST = "CalibratedFiveByTwoF"  # the test of averages over seeds, which are no tables of right and wrong
PARTS_OF_VARIANCE = (
    "What the splits and what the seeds contribute, and how many of each to take: fstats.VarianceParts(scores.difference_by_seed)."
)
AVERAGE_ADVICE = (
    "Average the seeds of each model on each {unit} first, with as many seeds for every model, then test the averages. {n} Report how many."
)
ONE_SEED_ADVICE = (
    "The luck of this seed is in every score, and nothing tells it from the model. Train each model with several seeds, as many for every "
    "model, and average them on each {unit}; or report that there was one."
)
# Where a test compares trained classifiers there is nothing to average.
TRAINED_MODEL_ADVICE = (
    "The test compares classifiers that are trained, one seed of each, chosen before their answers are seen; what another seed says of the "
    'same records is no further record. To compare the models, train each with several seeds on the splits of a plan: results="scores".'
)
ONE_RUN_ADVICE = "With one seed of each there is one run, which shows no luck at all: train each model with some ten seeds."
RUNS_ADVICE = "Each seed is a run, and n counts runs; report the seeds. Nothing is averaged."
# Where the runs themselves are compared, and no averages.
OTHER_RUNS_ADVICE = (
    " Such a test speaks of other data sets like these. Of new runs on the same ones speak{pairs} fstats.ProbabilityOfImprovement (how "
    "often a run of A beats one of B) and fstats.DifferenceOfInterquartileMeans (by how much, in one unit for all data sets; "
    "fstats.InterquartileMean tells one alone). Both want 10 runs of each: in simulations of two that were alike, with 3 runs of each, the "
    "first found A better in 3.5 % of all trials instead of 2.5 %, the second a difference in 10 to 12 % instead of 5 %."
)
PAIRS_ADVICE = ", of each pair and with alpha divided by the number of pairs,"
ONE_SPLIT_ADVICE = ' Of one fixed split, with a score for each seed, the runs themselves are compared: results="runs".'


def seed_advice(rule: Rule, answer: str) -> str:
    """What the answer to the question of seeds asks for where a rule leads; nothing if there are none."""
    if answer == "none":
        return ""
    if rule.when["data_sets"] == "many":
        n = "n stays the number of data sets: seeds of one are not independent data sets."
        runs = rule.when["aim"] == "difference" and rule.when["paired"] == "yes" and answer == "several"
        fixed = OTHER_RUNS_ADVICE.format(pairs=PAIRS_ADVICE if rule.when["classifiers"] == "many" else "") if runs else ""
        return (ONE_SEED_ADVICE if answer == "one" else AVERAGE_ADVICE).format(unit="data set", n=n) + fixed
    if rule.when["results"] == "runs":
        return ONE_RUN_ADVICE if answer == "one" else RUNS_ADVICE
    if rule.when["results"] != "scores":
        return TRAINED_MODEL_ADVICE
    if answer == "one":
        return ONE_SEED_ADVICE.format(unit="split")
    n = "n stays that of the plan: seeds are no splits. fstats.Scores.from_arrays(..., seeds=[...]) does it."
    instead = f" Averages are no tables: instead of {rule.test} take {AVERAGED_SEEDS_TEST}, on the same plan."
    tables = instead if rule.test == "BlockedFiveByTwoT" else ""
    return f"{AVERAGE_ADVICE.format(unit='split', n=n)} {PARTS_OF_VARIANCE}{ONE_SPLIT_ADVICE}{tables}"
