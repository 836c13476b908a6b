"""Advice on training with several random seeds.

Seeds change the scores of the classifiers but never the recommended test.
"""

from __future__ import annotations

from .decision_questions import TABLES, Rule

ADVICE: dict[str, str] = TABLES["seed_advice"]


def seed_advice(rule: Rule, answer: str) -> str:
    """Return the advice for an answer to the question of seeds under a rule; empty if there are no seeds."""
    if answer == "none" or (not rule.test and rule.when.get("results") == "scores"):
        return ""
    if rule.when["data_sets"] == "many":
        advice = ADVICE["one_seed" if answer == "one" else "average"].format(unit="data set", n=ADVICE["n_data_sets"])
        if rule.when["aim"] == "difference" and rule.when.get("paired") == "yes" and answer == "several":
            advice += " " + ADVICE["other_runs"].format(pairs=ADVICE["pairs"] if rule.when["classifiers"] == "many" else "")
        return advice
    if rule.when["results"] == "runs":
        return ADVICE["one_run" if answer == "one" else "runs"]
    if rule.when["results"] != "scores":
        return ADVICE["trained_model"]
    if answer == "one":
        return ADVICE["one_seed"].format(unit="split")
    return " ".join([ADVICE["average"].format(unit="split", n=ADVICE["n_splits"]), ADVICE["parts_of_variance"], ADVICE["one_split"]])
