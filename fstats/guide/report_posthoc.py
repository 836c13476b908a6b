"""Sentences that report the result of post hoc tests.

They name compared pairs, adjustment of p-values, and the pairs that differ, grouped by classifier.
"""

from __future__ import annotations

import re
from math import ceil
from typing import Any

import numpy as np

from ..core.number_format import format_latex, format_plain
from ..core.unit_of_analysis import UnitOfAnalysis
from ..core.validation import check
from ..procedures.posthoc.posthoc_comparison import MAX_NAMED_PAIRS, Pair
from .experiment_setup import value_or_none
from .procedure_citation import cited_title, join_words
from .report_parts import Part, effect_size_part, format_pvalue_for_paper, join_parts, latex_sentence, pvalue_name, sizes_part

MAX_LISTED_PAIRS = 10  # maximum number of comparisons for which the report lists all p-values


def compared_classifiers(sizes: list[Part]) -> str:
    """Return "We compared k = 8 classifiers on N = 30 data sets" from both sizes."""
    count, classifiers = (text for text, _ in sizes)
    return f"We compared {classifiers} {'by' if ' scores' in count else 'on'} {count}"


def posthoc_text(test: Any, sizes: list[Part], ranking: list[Part], *, follows: bool) -> tuple[str, str]:
    """Return the report of a post-hoc test as text and as LaTeX; it may follow the report of another test."""
    from ..render.latex import escape_document_text

    check.check_single_repetition(np.shape(test.reject)[1:], "sentence", "test.at({})")
    opening = _opening(test, sizes, follows)
    parts = [
        (f"{name.upper()} = {format_plain(difference)}", rf"$\mathrm{{{name.upper()}}} = {format_latex(difference)}$")
        for name in ("cd", "hsd")
        if (difference := value_or_none(test, name)) is not None and not np.ndim(difference)
    ]
    if len(test.pairs) <= MAX_LISTED_PAIRS:
        listed = list[Part]()
        for pair, pvalue in zip(test.pairs, pvalues(test), strict=True):
            p, pair_test = format_pvalue_for_paper(pvalue, test.alpha), getattr(pair, "test", None)
            more = [*sizes_part(pair_test), *effect_size_part(pair_test)] if pair_test else []
            text, formula = join_parts([(p, f"${p}$"), *more])
            if isinstance(pair_test, UnitOfAnalysis):
                text, formula = map(pair_test.with_unit_words, (text, formula))
            listed.append((f"{pair}: {text}", f"{escape_document_text(str(pair))}: {formula}"))
        each, each_latex = ("; ".join(texts) for texts in zip(*listed, strict=True))
        head = f" adjusted for {len(test.pairs)} comparisons: "
        parts.append((f"p{head}{each}", f"$p${head}{each_latex}"))
    texts, formulas = join_parts(parts) if parts else ("", "")
    decision, (ranked, ranked_latex) = decisions_sentence(test), ranking[0] if ranking else ("", "")
    return (
        f"{opening}{': ' * bool(texts)}{texts}. {decision} {ranked}".rstrip(),
        f"{latex_sentence(opening)}{': ' * bool(texts)}{formulas}. {latex_sentence(decision)} {ranked_latex}".rstrip(),
    )


def pvalues(test: Any) -> Any:
    """Return the p-values of the comparisons, adjusted for their number."""
    return test.adjusted if "adjusted" in type(test).steps else test.pvalues


def pair_test_class(test: Any) -> Any:
    """Return the class of the test that compares each pair; None if the post-hoc test compares the pairs itself."""
    pair_test = getattr(test.pairs[0], "test", None)
    return type(pair_test) if pair_test else getattr(test, "using", None)


def _pair_tests(test: Any) -> list[Any]:
    """Return the tests of the pairs, as far as the post-hoc test holds them; tests of all pairs may be one batch."""
    if (batch := getattr(test.__dict__.get("_source", test), "tests", None)) is not None:
        return [batch]
    return [one for pair in test.pairs if (one := getattr(pair, "test", None)) is not None]


def _opening(test: Any, sizes: list[Part], follows: bool) -> str:
    """Return the first part of the report: the number of comparisons, the test of each pair, and the procedure that adjusts p."""
    count, pair_test = len(test.pairs), getattr(test.pairs[0], "test", None)
    using = pair_test_class(test)
    within = f" {margin} in {pair_test.compared}" if pair_test and (margin := getattr(test.pairs[0], "equivalence", "")) else ""
    title = cited_title(using) if using else ""
    names = sorted({name for one in _pair_tests(test) if (name := pvalue_name(one)) != "p" and name.split()[0] not in title})
    named = f", {' or '.join(names)}," * bool(names)
    how = f"with {f'{title}{within}{named} and ' if using else ''}{cited_title(type(test))}"
    if not isinstance(test.pairs[0], Pair):
        return f"We tested {count} {'hypothesis' if count == 1 else 'hypotheses'} {how}"
    against = f" against {control}" if (control := value_or_none(test, "control")) is not None else ""
    how = f"{count} comparison{'s' * (count != 1)}{against} {how}"
    if len(sizes) == 2 and sizes[1][0].endswith(" classifiers"):
        return f"{compared_classifiers(sizes)} in {how}"
    return (
        f"Post hoc, we made {how}" if follows else f"We compared {len({name for pair in test.pairs for name in pair})} classifiers in {how}"
    )


def decisions_sentence(test: Any) -> str:
    """Return the decisions of a post-hoc test: which pairs differ, grouped by classifier, with the largest p of each group."""
    reject = test.reject.tolist()
    if not any(reject) or len(reject) > MAX_NAMED_PAIRS or not all(isinstance(pair, Pair) for pair in test.pairs):
        return re.sub(r"(^|\. )(Reject|Fail)", lambda verb: f"{verb[1]}We {verb[2].lower()}", test.conclusion)
    # maps (classifier, relation) to the other classifiers, with their p-values
    worse = dict[tuple[str, str], list[tuple[str, float]]]()
    signs, differences = test.difference_sign, test.__dict__.get("differences")
    within = getattr(test.pairs[0], "equivalence", "")
    for h in np.flatnonzero(reject).tolist():
        pair, sign = test.pairs[h], 0 if within or signs is None or test.is_degenerate else signs[h]
        first, second = (pair.second, pair.first) if sign < 0 else (pair.first, pair.second)
        by = f" by {format_plain(abs(differences[h]))}" if differences is not None and sign and len(reject) <= MAX_LISTED_PAIRS else ""
        worse.setdefault((first, "better than" if sign else "different from"), []).append((f"{second}{by}", pvalues(test)[h]))
    # maps (relation, other classifiers) to the classifiers that have this relation to them, with their p-values
    same = dict[tuple[str, tuple[str, ...]], list[tuple[str, float]]]()
    for (first, relation), group in sorted(worse.items(), key=lambda item: -len(item[1])):
        same.setdefault((relation, tuple(name for name, _ in group)), []).append((first, max(p for _, p in group)))
    groups = []
    for (relation, losers), firsts in same.items():
        verb, listed = "are" if len(firsts) > 1 else "is", join_words([*losers])
        relation = "equivalent to" if within else relation
        largest = _largest_p(test, max(p for _, p in firsts), len(firsts) * len(losers))
        groups.append(f"{join_words([name for name, _ in firsts])} {verb} {relation} {listed}{f' {within}' * bool(within)}{largest}")
    noun, h0 = ("tests of equivalence", "that they differ") if within else ("comparisons", "that they are equal")
    caution = ", but only formally, since the statistics are infinite" if test.is_degenerate else ""
    count, rest = sum(reject), len(reject) - sum(reject)
    beginning = f"We reject H0 at alpha = {format_plain(test.alpha)} for {count} of {len(reject)} {noun}{caution}: {'; '.join(groups)}."
    remaining = f"other {rest}" if rest > 1 else "remaining one"
    return f"{beginning} We fail to reject H0 for the {remaining}, which is not evidence {h0}." if rest else beginning


def _largest_p(test: Any, largest: float, count: int) -> str:
    """Return a text for the largest p, rounded up, such as " (adjusted p ≤ 0.021)"; return "" if the report lists all p-values."""
    if len(test.pairs) <= MAX_LISTED_PAIRS:
        return ""
    if largest < 0.001 <= test.alpha or count == 1:
        return f" (adjusted {format_pvalue_for_paper(largest, test.alpha)})"
    return f" (adjusted p ≤ {format_plain(ceil(largest * 1000) / 1000 if test.alpha >= 0.001 else largest)})"
