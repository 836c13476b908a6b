r"""How numpy and SciPy compute a line of the work: the call with the numbers of an example in it, to be typed and tried.

A line is known by its formula, as the step has it: wherever a standard deviation stands, the same call computes it.  What is looked up in a
distribution follows from the null distribution itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step
from ...distributions.continuous import ChiSquared, FisherF, Normal, StudentT
from ...distributions.symmetric_binomial import SymmetricBinomial

MOST = 40  # numbers that are written in a call

# formula of the step: the call, with slots for values of the same test
CALLS: Mapping[str, str] = {
    "$a - $b": "np.array($a) - np.array($b)",
    r"\frac{1}{$n} \sum_i $d": "np.mean($d)",
    r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}": "np.std($d, ddof=1)",
    r"\frac{$sd}{\sqrt{$n}}": "$sd / np.sqrt($n)",
    r"\frac{$mean}{$se}": "$mean / $se",
    r"\sqrt{$factor}\,$sd": "np.sqrt($factor) * $sd",
    r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,$sd": "np.sqrt(1 / $n + $test_train_ratio) * $sd",
    r"\frac{$mean}{$sd / \sqrt{$n}}": "$mean / ($sd / np.sqrt($n))",
    r"\frac{$mean}{$sd / \sqrt{$many}}": "$mean / ($sd / np.sqrt($many))",
    r"\frac{$mean}{\sqrt{$test_train_ratio}\,$sd}": "$mean / (np.sqrt($test_train_ratio) * $sd)",
    "1 - (1 - $rate)^{$tries}": "1 - (1 - $rate) ** $tries",
    r"(1 - $test_share)^2\,$records": "(1 - $test_share) ** 2 * $records",
    r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}\right)^2": (
        "((stats.norm.isf($alpha) + stats.norm.isf($beta / 2)) * $sd / $margin) ** 2"
    ),
    "[$mean - $critical_value\\,$se,\\ $mean + $critical_value\\,$se]": "[$mean - $critical_value * $se, $mean + $critical_value * $se]",
    # tables of scores
    r"\frac{1}{$n} \sum_i $scores": "np.mean($scores, axis=0)",
    r"\frac{1}{$k} \sum_j $scores": "np.mean($scores, axis=1)",
    r"\frac{1}{$k} \sum_j $means": "np.mean($scores)",
    r"$n \sum_j ($means - $grand_mean)^2": "$n * np.sum((np.array($means) - $grand_mean) ** 2)",
    r"$k \sum_i ($dataset_means - $grand_mean)^2": "$k * np.sum((np.array($dataset_means) - $grand_mean) ** 2)",
    r"$scores - $dataset_means - $means + $grand_mean": (
        "np.array($scores) - np.array($dataset_means)[:, np.newaxis] - np.array($means) + $grand_mean"
    ),
    r"\sum_{ij} $residuals^2": "np.sum(np.array($residuals) ** 2)",
    r"\sum_{ij} ($scores - $means)^2": "np.sum((np.array($scores) - np.array($means)) ** 2)",
    r"\mathrm{rank}_j(-$scores)": "stats.rankdata(-np.array($scores), axis=1)",
    r"\frac{1}{$n} $rank_sums": "np.mean($ranks, axis=0)",
    r"\frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2": (
        "12 / ($n * $k * ($k**2 - 1)) * np.sum((np.array($ranks) - ($k + 1) / 2) ** 2)"
    ),
    r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2": (
        "12 * $n / ($k * ($k + 1) * $tie_correction) * np.sum((np.array($mean_ranks) - ($k + 1) / 2) ** 2)"
    ),
    r"\frac{1}{\sqrt{2}} \min\{x : P($null \geq x) \leq $alpha\}": "stats.studentized_range.isf($alpha, $k, np.inf) / np.sqrt(2)",
    r"$q_alpha \sqrt{\frac{$k ($k + 1)}{6\,$n}}": "$q_alpha * np.sqrt($k * ($k + 1) / (6 * $n))",
    # ranks and counts
    r"\#\{i : $d \neq 0\}": "np.count_nonzero($d)",
    r"\#\{i : $d > 0\}": "np.sum(np.array($d) > 0)",
    r"\mathrm{rank}\,|$d| \text{ without zeros}": "stats.rankdata(np.abs([x for x in $d if x != 0]))",
    r"\sum_{$d > 0} $ranks": "np.sum(np.array($ranks)[np.array($d) > 0])",
    r"\sum_{$d < 0} $ranks": "np.sum(np.array($ranks)[np.array($d) < 0])",
    r"2\,P($null \leq $statistic)": "2 * stats.binom.cdf($statistic, $n, 0.5)",
    r"P($coins \geq $wins)": "stats.binom.sf($wins - 1, $n, 0.5)",
    r"P($coins \leq $wins)": "stats.binom.cdf($wins, $n, 0.5)",
    r"2 \left(\frac{1}{2}\right)^{|$n10 - $n01|}": "2 * 0.5 ** abs($n10 - $n01)",
    r"\frac{(|$n01 - $n10| - 1)^2}{$n}": "(abs($n01 - $n10) - 1) ** 2 / $n",
    r"P(\chi^2_1 \geq $chi_squared)": "stats.chi2.sf($chi_squared, 1)",
    # folds
    r"\frac{1}{10} \sum_{jk} \{$n01,\ $n10\}_c": "[np.mean($n01), np.mean($n10)]",
    r"\frac{10}{1 + $rho1 + 8\,$rho2}": "10 / (1 + $rho1 + 8 * $rho2)",
    r"\frac{\max\{0,\ |$n01_effective - $n10_effective| - 1\}^2}{$n01_effective + $n10_effective}": (
        "max(0, abs($n01_effective - $n10_effective) - 1) ** 2 / ($n01_effective + $n10_effective)"
    ),
    r"\sum_k ($d - $means)^2": "np.sum((np.array($d) - np.mean($d, axis=1, keepdims=True)) ** 2, axis=1)",
    r"\sqrt{\frac{1}{5} \sum_i $variances}": "np.sqrt(np.mean($variances))",
    r"\frac{$sum_of_squares}{2 \sum_i $variances}": "np.sum(np.array($d) ** 2) / (2 * np.sum($variances))",
    r"\frac{\sqrt{10} \cdot \frac{1}{10} \sum_{ik} $d}{$se}": "np.sqrt(10) * np.mean($d) / $se",
    r"P(F_{$f_degrees} \geq $f)": "stats.f.sf($f, 10, 5)",
    # several p-values
    r"\min\{1,\ $m\,$pvalues\}": "np.minimum(1, $m * np.array($pvalues))",
    r"$pvalues \text{ with } h = $order": "np.sort($pvalues)",
    r"\min\{1,\ \max\{$raised,\ \tilde p_{(r - 1)}\}\}": "np.minimum(1, np.maximum.accumulate($raised))",
    r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}": (
        "np.minimum.accumulate((np.array($most_true) * np.array($sorted_pvalues))[::-1])[::-1]"
    ),
    # published figures
    r"[2\,P($null \geq $t_printed + 0.005),\ 2\,P($null \geq $t_printed - 0.005)]": (
        "2 * stats.t.sf([$t_printed + 0.005, $t_printed - 0.005], $df)"
    ),
    r"2\,P(t_{$repeats \cdot $folds - 1} \geq |$fold_t|)": "2 * stats.t.sf(abs($fold_t), $repeats * $folds - 1)",
    r"\sqrt{\frac{1}{$repeats \cdot $folds} + $ratio}\;$fold_sd": "np.sqrt(1 / ($repeats * $folds) + $ratio) * $fold_sd",
    # simulated rates
    r"\sqrt{\frac{$size (1 - $size)}{$repetitions}}": "np.sqrt($size * (1 - $size) / $repetitions)",
    r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $others}}": "($observed - $alpha) / np.sqrt($alpha * (1 - $alpha) / $others)",
    r"\sqrt{1 + \frac{$folds $rho}{1 - $rho}}": "np.sqrt(1 + $folds * $rho / (1 - $rho))",
    r"\min\{m : 1 - (1 - $rate)^m \geq $chance\}": "np.ceil(np.log(1 - $chance) / np.log(1 - $rate))",
    r"(1 - $rate)^{$halvings}": "(1 - $rate) ** $halvings",
}
# what is looked up in the distribution of the test: its tails and its quantiles
_UPPER = re.compile(r"(?P<twice>2\\,)?P\(\$null \\geq (?P<bar>\|)?\$(?P<at>\w+)\|?\)")
_LOWER = re.compile(r"P\(\$null \\leq \$(?P<at>\w+)\)")
_QUANTILE = re.compile(r"\\min\\{x : P\(\$null \\geq x\) \\leq \$alpha(?P<half> / 2)?\\}")


def call(test: Procedure, step: Step[Any]) -> str:
    """The Python expression for a step with the test's own numbers in it; empty if none is known, or there are too many
    numbers to write.
    """
    template = CALLS.get(step.template(test), "") or _looked_up(test, step)
    names = set(Template(template).get_identifiers())
    if sum(np.size(getattr(test, name)) for name in names) > MOST:
        return ""
    return Template(template).substitute({name: _literal(getattr(test, name)) for name in names})


def _looked_up(test: Procedure, step: Step[Any]) -> str:
    law = _law(getattr(test, "null", None))
    formula = step.template(test)
    if formula == r"\min\{1,\ 2\,P($null \leq $statistic)\}" and isinstance(getattr(test, "null", None), SymmetricBinomial):
        return "min(1, 2 * stats.binom.cdf($statistic, $n, 0.5))"
    if not law:
        return ""
    name, degrees = law
    if found := _UPPER.fullmatch(formula):
        at = f"abs(${found['at']})" if found["bar"] else f"${found['at']}"
        return f"{'2 * ' if found['twice'] else ''}stats.{name}.sf({at}{degrees})"
    if found := _LOWER.fullmatch(formula):
        return f"stats.{name}.cdf(${found['at']}{degrees})"
    if found := _QUANTILE.fullmatch(formula):
        return f"stats.{name}.isf($alpha{found['half'] or ''}{degrees})"
    return ""


def _law(null: Any) -> tuple[str, str] | None:
    """The distribution's name in `scipy.stats`, and its parameters as further arguments."""
    if isinstance(null, StudentT):
        return "t", f", {null.df}"
    if isinstance(null, ChiSquared):
        return "chi2", f", {null.df}"
    if isinstance(null, FisherF):
        return "f", f", {null.df}, {null.df_error}"
    return ("norm", "") if isinstance(null, Normal) and (null.mean, null.sd) == (0, 1) else None


def _literal(value: Any) -> str:
    """A number, or a list of numbers, as one types them."""
    x = np.asarray(value)
    if x.ndim:
        return "[" + ", ".join(map(_literal, x)) + "]"
    return str(int(x)) if x.dtype.kind in "iub" or (np.isfinite(x) and x == np.floor(x) and abs(x) < 1e7) else f"{float(x):.6g}"
