"""Threats to the conclusion of a comparison: few data, ties, repetitions used as data sets, or one data set that decides."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.unit_of_analysis import DEFAULT_UNIT
from ...guide.procedure_citation import citation, cited_title, names_in_words
from ...guide.recommendation import public_class
from .procedure_call import takes_table

FEW_DATA_SETS = 10
SLOW_EXACT = 5  # maximum number of classifiers for repeating the exact test without each data set; more would be slow
MAX_LEFT_OUT = 60  # maximum number of data sets for leaving out each in turn; more would take too long
OVERLAP = (
    "All scores are of one data set, and are taken for splits with {} training records as test records, as in {}-fold cross-validation: "
    "the correction for training sets that overlap is an approximation, and the test says nothing about other data sets."
)
ONE_DATA_SET = "All scores are of one data set, and their training sets overlap: the test says nothing about other data sets."
REPETITION = re.compile(r"(?:fold|split|run|rep|repetition|seed|iteration)?[\s_-]*\d+", re.IGNORECASE)


def threats_of(comparison: Any) -> list[str]:
    """Return the threats to the conclusion of a comparison, in sentences."""
    found = _of_data_sets(comparison) if comparison.kind == "data sets" else []
    if comparison.kind == "folds":
        times = 1 / comparison.results.test_train_ratio
        as_many = "as many" if times == 1 else f"{format_plain(times)} times as many"
        corrected = comparison.test_name.startswith("Corrected")
        found.append(OVERLAP.format(as_many, format_plain(times + 1)) if corrected else ONE_DATA_SET)
    if not comparison.records:
        found += comparison.results.reading.warnings(comparison.results.metrics)
    if comparison.test_name == "CochranQ" and "McNemarMidP" in comparison.candidates and bool(comparison.test.reject):
        found.append("Cochran's Q does not say which classifiers differ: choose McNemarMidP, which compares all pairs.")
    if (control := comparison.control) and control == comparison.results.classifiers[np.argmin(comparison.results.mean_ranks)]:
        found.append(f"The control {control} has the best mean rank: a control must be chosen before the scores are seen.")
    found[:0] = map(names_in_words, comparison.unused_settings)
    if comparison.design_warning:
        found.insert(0, comparison.design_warning)
    return [*map(comparison.with_unit_words, [*found, *_assumptions(comparison)])]


def _assumptions(comparison: Any) -> list[str]:
    """Return what the test assumes of this table, and what its result says nothing about; advice for other tables is left out."""
    rule = comparison.rule
    if rule.test != comparison.test_name:
        return []
    kind = public_class(rule.test)
    sentences = [one for one in re.split(r"(?<=\.) (?=[A-Z])", rule.assumes) if not re.match("Nothing|With fewer|It is better|Use ", one)]
    meaning = [one for one in sentences if re.match("The (test|result|correction) |To compare", one)]
    assumed = " ".join(one for one in sentences if one not in meaning)
    title = cited_title(kind).removesuffix(citation(kind))
    return [f"{title[0].upper()}{title[1:]} assumes: {assumed}"] * bool(assumed) + [" ".join(meaning)] * bool(meaning)


def _of_data_sets(comparison: Any) -> list[str]:
    results, count = comparison.results, len(comparison.results)
    few = f"{count} data sets are few: only a large difference can be shown, and a large p is no evidence of equality."
    found = [few] * (count < FEW_DATA_SETS)
    if tied := sum(len({*row}) < len(row) for row in results.scores.tolist()):
        replaced = "worst" in str(comparison.settings["reading"].get("missing", ""))
        cause = "missing scores were replaced by the worst" if replaced else "perhaps the scores were rounded"
        found.append(f"Equal scores: on {tied} of {count} data sets some classifiers have the same score; {cause}.")
    is_unnamed = comparison.unit == DEFAULT_UNIT and "line" not in results.read_as
    if is_unnamed and all(REPETITION.fullmatch(name) for name in results.data_sets):
        found.append(
            "The names of the data sets look like numbers of folds or runs: folds of one data set are not independent. If they are folds, "
            "choose the role fold for their column."
        )
    if 3 < count <= MAX_LEFT_OUT and (deciding := _deciding_data_sets(comparison)):
        named = [f"without {name}" for name in deciding[:3]] + [f"without one of {len(deciding) - 3} others"] * (len(deciding) > 3)
        verb = "would not be rejected" if comparison.test.reject else "would be rejected"
        found.append(f"One data set decides: {', or '.join(named)}, H0 {verb}.")
    return found


def _deciding_data_sets(comparison: Any) -> list[str]:
    """Return the data sets that decide: if one of them is left out, the same test has another decision."""
    if comparison.is_pairwise or not (takes_table(comparison.test_name) or hasattr(comparison.test, "a")):
        return []
    call, results = comparison.test_call, comparison.results
    if call.inputs != ("results",) or (comparison.is_exact and len(comparison.classifiers) > SLOW_EXACT):
        return []
    decision = bool(comparison.test.reject)
    others = ((name, results.select(data_sets=[other for other in results.data_sets if other != name])) for name in results.data_sets)
    return [name for name, rest in others if bool(call.run({"results": rest}).reject) != decision]
