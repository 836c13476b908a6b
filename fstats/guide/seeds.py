"""What the seeds of training change: never the test, only what it is handed."""

from __future__ import annotations

from .questions import Fork, Rule

SEEDS = Fork(
    "seeds",
    "Does training depend on a seed?",
    {"none": "no", "one": "yes: each model was trained with one", "several": "yes: each model was trained with several"},
)
OF_AVERAGES = "CalibratedFiveByTwoF"  # the test of averages over seeds, which are no tables of right and wrong
PARTS_OF_VARIANCE = (
    "What the splits and what the seeds contribute, and how many of each to take: fstats.VarianceParts(scores.difference_by_seed)."
)
AVERAGE = (
    "Average the seeds of each model on each {unit} first, with as many seeds for every model, then test the averages. {n} Report how many."
)
ONE = (
    "The luck of this seed is in every score, and nothing tells it from the model. Train each model with several seeds, as many for every "
    "model, and average them on each {unit}; or report that there was one."
)
# Where a test compares trained classifiers there is nothing to average.
TRAINED = (
    "The test compares classifiers that are trained, one seed of each, chosen before their answers are seen; what another seed says of the "
    'same records is no further record. To compare the models, train each with several seeds on the splits of a plan: results="scores".'
)


def advice(rule: Rule, answer: str) -> str:
    """What the answer to the question of seeds asks for where a rule leads; nothing if there are none."""
    if answer == "none":
        return ""
    if rule.when["data_sets"] == "many":
        n = "n stays the number of data sets: seeds of one are not independent data sets."
        return (ONE if answer == "one" else AVERAGE).format(unit="data set", n=n)
    if rule.when["results"] != "scores":
        return TRAINED
    if answer == "one":
        return ONE.format(unit="split")
    n = "n stays that of the plan: seeds are no splits. fstats.Scores.from_arrays(..., seeds=[...]) does it."
    instead = f" Averages are no tables: instead of {rule.test} take {OF_AVERAGES}, on the same plan."
    tables = instead if rule.test == "BlockedFiveByTwoT" else ""
    return f"{AVERAGE.format(unit='split', n=n)} {PARTS_OF_VARIANCE}{tables}"
