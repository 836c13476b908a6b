"""Python script that repeats the tests of a comparison."""

from __future__ import annotations

from typing import Any

from .procedure_call import call_procedure


def script(comparison: Any) -> str:
    """Return a script that computes the tests of a comparison from its file and prints the paragraph."""
    name, call = comparison.sheet.name, comparison.test_call
    lines = ["from itertools import combinations", ""] * comparison.is_pairwise
    lines += ["import pandas"] * bool(comparison.records) + ["import fstats", ""]
    if comparison.records:
        lines += comparison.records.code(name, comparison.content)
    else:
        arguments = "".join(f", {argument}={value!r}" for argument, value in comparison.reading.items())
        one = f"[{comparison.results.metric!r}]" if len(comparison.metrics) > 1 else ""
        lines.append(f"results = fstats.Results.from_csv({name!r}{arguments}){one}")
        part = {"folds": "fold_scores[0]", "runs": "seed_scores[0]"}.get(comparison.kind, "scores.T")
        lines += [f"columns = dict(zip(results.classifiers, results.{part}))"] * call.needs_columns
        gaps = comparison.kind == "runs" and bool(comparison.results.gaps)
        lines += ["columns = {name: runs[runs == runs] for name, runs in columns.items()}"] * gaps
    lines += ["right = [1] * len(table)"] * ("right" in call.inputs)
    lines += ["answers = list(zip(*columns.values()))"] * ("answers" in call.inputs)
    if comparison.is_pairwise:
        pair = str(call_procedure(comparison.test_name, comparison, ("first", "second"))).replace("'first', 'second'", "first, second")
        lines += ["tests = {}", "for first, second in combinations(columns, 2):", "    a, b = columns[first], columns[second]"]
        lines += [f"    tests[first, second] = {pair}"]
        lines += [f"test = fstats.Holm.from_pvalues(tests, alpha={comparison.settings['alpha']})"]
    else:
        lines += [f"{'a, b' if len(comparison.columns) > 1 else '(a,)'} = columns.values()"] * call.needs_columns + [f"test = {call}"]
    others = {"follow_up": comparison.follow_up_call, "bayesian": comparison.bayesian_call}
    lines += [f"{variable} = {other}" for variable, other in others.items() if other]
    reported = ["test", *(name for name, other in others.items() if other), *[f"remark={comparison.remark!r}"] * bool(comparison.remark)]
    return "\n".join([*lines, f"print(fstats.report({', '.join(reported)}))", ""])
