"""The 5x2 BCV paper on one page: printed and computed results of section 5, with verdicts.

    from fstats.studies import bcv_paper

    bcv_paper.tables_and_figures()
    bcv_paper.claims()

All numbers come from the stored results of :mod:`fstats.studies.bcv` and :mod:`fstats.studies.correlations`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from ..procedures.resampling.split_plans.block_regularized_cv import half_blocks
from ..render.display_table import Table
from . import bcv, correlations
from .bcv.bcv_design import ALPHA, SOURCES
from .bcv.error_rate_figures import exp6_rates
from .bcv.mnist_digits import PRINTED_MNIST
from .bcv.stored_rejections import stored_results
from .bcv.table6 import PLANS, PRINTED_TABLE_6
from .claim_verdicts import CLEAR_STANDARD_ERRORS
from .study_files import printed_figures

TABLE_3 = tuple(map(tuple, printed_figures(bcv.__name__)["table_3"]))  # blocks (of D_1 to D_8) in fold S of each repetition
VERDICT_ORDER = ("holds", "holds in part", "cannot be told", "does not hold", "other words")
FISHER_RULE = f"Fisher's exact test, {ALPHA} shared among them"
PageLine = tuple[str, str, str, str]


def tables_and_figures() -> Table:
    """Return a table with one row for every table and figure of the paper: printed result, our result, and a verdict.

    Examples
    --------
    >>> [line[0] for line in tables_and_figures().lines][:4]
    ['Table 1', 'Table 2', 'Table 3', 'Table 4']
    """
    tables = [*_definitions(), *_data_sets(), *_type_one_errors(), *_partitions()]
    lines = [*tables, *_correlations(), *_data_and_error_rates(), *_power(), *_ablation()]
    return Table(("", "printed", "ours", "verdict"), lines, "Every table and figure of the 5x2 BCV paper", left=(0, 1, 2, 3))


def claims() -> bcv.Observations:
    """Return every numbered observation and every other claim of section 5, with verdicts.

    Examples
    --------
    >>> {claim.where[:3] for claim in claims()} == {"5.1", "5.2", "5.3"}
    True
    """
    return bcv.Observations([*correlations.observations(), *bcv.claims(), *bcv.partition_claims()], "5")


def verdicts() -> Table:
    """Return a table that counts the claims of each part of section 5 by verdict: holds, holds in part, does not hold, and so on."""
    counts = Counter((claim.where[:3], claim.verdict if claim.verdict in VERDICT_ORDER else VERDICT_ORDER[-1]) for claim in claims())
    lines = [[part, *(counts[part, word] for word in VERDICT_ORDER)] for part in sorted({part for part, _ in counts})]
    return Table(("section", *VERDICT_ORDER), lines, "Verdicts on the claims of section 5")


def _definitions() -> Iterator[PageLine]:
    yield "Table 1", "cells of the contingency table", "the same cells", "its two lines are named the wrong way round"
    ours = "r = π01/(π01 + π10), q_a = π01/(π01 + π11)"
    yield "Table 2", "rates and their estimators", ours, "r and q_a (and its estimator) have wrong denominators"
    blocks = tuple(tuple(block + 1 for block in first) for first, _ in half_blocks(5))
    yield "Table 3", "five partitions of eight blocks", "BlockRegularizedCV()", "agrees" if blocks == TABLE_3 else "differs"


def _data_sets() -> Iterator[PageLine]:
    lines = correlations.table4().lines
    verdicts = Counter(str(verdict).partition(":")[0] for *_, verdict in lines)
    named = "; ".join(f"{line[0]}: {str(line[3]).partition(': ')[2]}" for line in lines if ": " in str(line[3]))
    plural = {"agrees": "agree", "differs": "differ"}
    counts = ", ".join(f"{count} {plural.get(word, word)}" for word, count in verdicts.items())
    yield "Table 4", f"{len(lines)} data sets", f"{len(lines) - verdicts['left out']} data sets", f"{counts} ({named})"


def _type_one_errors() -> Iterator[PageLine]:
    table = bcv.table5()
    cells = [cell for cell in table if cell.printed is not None]
    off = ", ".join(f"{cell.test} on {cell.source} ({cell.printed}, ours {cell.ours.rate:.3f})" for cell in table.differing)
    sources = ", ".join(f"{source} {count}" for source, count in table.data_sets.items())
    verdict = f"{len(cells) - len(table.differing)} of {len(cells)} agree within chance ({FISHER_RULE})" + f"; not: {off}" * bool(off)
    yield "Table 5", "type I errors of 14 tests, 1,000 data sets", f"data sets: {sources}", verdict
    far = [str(test) for test, *_, verdict in bcv.digits_row().lines if verdict == "differs"]
    count = stored_results("digits")[0]["data_sets"]
    wide = f"the standard error of 0.05 is {np.sqrt(0.05 * 0.95 / count):.3f} here and 0.022 there" + f"; not: {', '.join(far)}" * bool(far)
    verdict = f"{len(PRINTED_MNIST) - len(far)} of {len(PRINTED_MNIST)} agree within chance ({FISHER_RULE}), which is wide: {wide}"
    yield "Table 5, MNIST", "100 data sets of 10,000 images", f"{count} data sets, reduced (small networks, 1,000 images)", verdict


def _partitions() -> Iterator[PageLine]:
    sets = bcv.partition_sets()
    p, z = [], []
    for plan in PLANS:
        p.append(bcv.ErrorBeside("letter", plan, PRINTED_TABLE_6[plan][0], sets.rate(plan, "0")).p)
        for k, point in enumerate(("0", "large"), 1):
            variance, se = sets.variance(plan, point)
            printed = 1e-4 * float(PRINTED_TABLE_6[plan][k])
            # the computed variance has the standard error se, and the printed variance is assumed to have the same; hence sqrt(2) se
            z.append((printed - variance) / (np.sqrt(2) * se))
    rates, variances = sum(pvalue >= ALPHA / len(p) for pvalue in p), sum(abs(error) <= 3 for error in z)
    near = f"{variances} of {len(z)} variances within 3 standard errors, the farthest {max(map(abs, z)):.1f}"
    verdict = f"{rates} of {len(p)} rates agree within chance ({FISHER_RULE}); {near}"
    yield "Table 6", "type I error and Var(E), blocked and RCP 0 to 4", f"the same, {sets.data_sets} data sets", verdict


def _correlations() -> Iterator[PageLine]:
    cloud = correlations.cloud()
    inside = f"{100 * cloud.shares['Eq. 10, all three']:.1f} % inside Equation 10"
    samples = " or ".join(map(str, sorted({pair.samples for pair in cloud})))
    ours = f"{len(cloud)} pairs on {len(cloud.sets)} data sets, {samples} samples; {inside}"
    yield "Figure 1", "609 pairs on 29 data sets, 1,000 samples; no numbers", ours, _verdict_counts(correlations.observations())


def _verdict_counts(claims: Iterable[bcv.Claim]) -> str:
    """Return a text that counts the statements of the paper by verdict."""
    counts = Counter(claim.verdict for claim in claims)
    plural = {word: word.replace("holds", "hold").replace("does", "do") for word in counts}
    return "of its statements " + ", ".join(f"{count} {word if count == 1 else plural[word]}" for word, count in counts.items())


def _data_and_error_rates() -> Iterator[PageLine]:
    drawn = bcv.figure2().text.partition(";")[2].strip()
    yield "Figure 2", "300 records of EXP6, three boundaries", drawn, "drawn from Equations 16 and 17 as printed"
    rates = exp6_rates()
    half, full = ([rates[learner, n] for learner in ("tree", "nearest")] for n in (150, 300))
    is_clear = max(abs(rate.z) for rate in half) < CLEAR_STANDARD_ERRORS + 0.5 < min(abs(rate.z) for rate in full)
    verdict = "the printed rates are those of training sets of n/2 records" if is_clear else "cannot be told"
    ours = f"{half[0].error:.2f} % and {half[1].error:.2f} % after training on n/2"
    yield "Figure 3", "EXP6: 12.27 % and 8.21 %; others without numbers", ours, verdict


def _power() -> Iterator[PageLine]:
    verdicts = {claim.states.split()[1]: claim.verdict for claim in bcv.claims() if claim.where.endswith("Figure 4")}
    answers = "; ".join(f"{source}: {verdict}" for source, verdict in verdicts.items())
    missing = [source for source in (*SOURCES[1:], "MNIST") if source not in verdicts]
    verdict = f"is the 5x2 BCV McNemar test the most powerful?  {answers}" + f"; not computed: {', '.join(missing)}" * bool(missing)
    yield "Figure 4", "curves, no numbers", f"curves on {', '.join(verdicts)}", verdict


def _ablation() -> Iterator[PageLine]:
    printed_claims = [claim for claim in bcv.partition_claims() if "not said" not in claim.states]
    for number, what in ((5, "power, blocked and RCP 0 to 4"), (6, "distributions of the statistic")):
        own = [claim for claim in printed_claims if claim.where.endswith(f"Figure {number}")]
        yield f"Figure {number}", f"{what}; no numbers", f"the same, {bcv.partition_sets().data_sets} data sets", _verdict_counts(own)
