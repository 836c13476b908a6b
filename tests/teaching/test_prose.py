"""What a notebook says in words and what it shows: a number with decimals in its prose stands on the same page, or follows from it.

A number counts as standing on the page if the code or an output of the notebook has it, up to rounding.  Arithmetic that is written
out (``$67 / 2048 = 0.0327$``) is done again.  Whatever else is written must be listed in FOLLOWS, with the calculation that gives it.
When a number of yours fails: look at the output beside it; if the number is right and cannot be seen there, add a line to FOLLOWS.
"""

import json
import re
from math import sqrt
from pathlib import Path

import pytest
from scipy import stats
from shortcuts import parametrize

import fstats
from fstats.render.printed_numbers import rounding_tolerance

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])
NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?(?!\w)", re.ASCII)
LEVELS = {"0.01", "0.025", "0.05", "0.10", "0.95", "0.975"}  # levels are chosen, not found
NEUTRAL = {"0.5", "0.975"}  # in a calculation: a coin, a quantile
# The data of explorers as their answers have moved them.
FIFTEEN = "[85, 70, 79, 78, 83, 88, 74, 91, 66, 80, 79, 85, 77, 90, 72], [87, 68, 85, 75, 83, 90, 75, 92, 69, 81, 82, 84, 80, 92, 75]"
EXAMPLE = "PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])"
UP_BY = "[83, 79, 91, 88, 76, 85, 90, 81, 78, {}], [81, 78, 89, 87, 74, 84, 88, 80, 76, 83]"
# notebook -> number as written -> how it follows (evaluated with the names of fstats, `stats` of SciPy, and sqrt), or # and the reason
FOLLOWS = {
    "notebooks/14_bayesian_comparison": {
        "98.6": "100 * 0.9863",
        "0.024": "# a position of the slider",
        "0.023": "# a position of the slider",
        "0.959": "stats.t.cdf((0.024 + 0.009853) / 0.008073, 99) - stats.t.cdf((-0.024 + 0.009853) / 0.008073, 99)",
        "0.947": "stats.t.cdf((0.023 + 0.009853) / 0.008073, 99) - stats.t.cdf((-0.023 + 0.009853) / 0.008073, 99)",
        "0.73": "stats.t.cdf((-0.005 + 0.009853) / 0.008073, 99)",
        "0.11": "stats.t.sf(0.009853 / 0.008073, 99)",
        "0.955": "stats.t.cdf((0.009853 + 0.014 - 0.01) / 0.008073, 99)",
        "0.0239": "0.009853 + 0.014",
        "0.0139": "0.0239 - 0.01",
        "1.7": "0.0139 / 0.008073",
        "0.47": "# with rho = 0, read from the explorer: the interval is that of a hundred independent differences",
        "0.53": "# with rho = 0, read from the explorer: the interval is that of a hundred independent differences",
    },
    "notebooks/15_unstable_learners": {
        "0.37": "# the scatter of data set 39 of the explorer; test_answers.py holds it",
        "0.695": "# a level in the explorer, 8 points and 12,800 records; test_answers.py holds it",
        "0.0275": "# the lowest level without straying; test_answers.py holds it",
        "0.0525": "# the highest level without straying; test_answers.py holds it",
        "0.065": "# the same of the blocked t-test; test_answers.py holds it",
    },
    "notebooks/16_language_models": {
        "70.5": "100 * 0.705",
        "0.73": "# the true accuracy of A in the law of the data; test_explore_two_models.py holds it",
        "0.8": "# a Monte Carlo standard error in points; test_answers.py holds it",
        "2411.00640": "# an address",
        "2107.03374": "# an address",
    },
    "notebooks/09_which_test": {
        "9.1": "# by how much tuning on 50 test records flatters; test_answers.py holds it",
        "3.3": "# the same of 400 records; test_answers.py holds it",
    },
    "notebooks/contents": {"70.5": "# the question of lesson 16"},
    "notebooks/01_paired_t": {
        "0.58": f"PairedT({FIFTEEN}).se",
        "2.145": f"PairedT({FIFTEEN}).critical_value",
        "1.4": f"PairedT({FIFTEEN}).mean",
        "0.031": f"PairedT({FIFTEEN}).pvalue",
        "0.0155": f"PairedT({FIFTEEN}, alternative='less').pvalue",
    },
    "notebooks/01b_without_pairs": {
        "71.81": "OneSampleT([85, 70, 79, 78, 83], 75).ci.low",
        "86.19": "OneSampleT([85, 70, 79, 78, 83], 75).ci.high",
        "0.32": "TwoSampleT([97, 70, 79, 78, 83], [87, 68, 85, 75, 83]).statistic",
        "12.5": "RankSum([97, 70, 79, 78, 83], [87, 68, 85, 75, 83]).statistic",
    },
    "notebooks/02_wilcoxon": {
        "3.578": f"{EXAMPLE}.sd",
        "0.375": f"{EXAMPLE}.statistic",
        "3.2": f"{EXAMPLE}.sd * sqrt(4 / 5)",
        "0.419": f"{EXAMPLE}.statistic / sqrt(4 / 5)",
        "0.017": "2 * SignedRank.from_sample_size(25).null.at_most(75)",
        "0.82": "PairedT([87, 68, 85, 75, 83, 89], [85, 70, 79, 78, 83, 85]).statistic",
        "1.10": "PairedT([87, 68, 85, 75, 83, 100], [85, 70, 79, 78, 83, 85]).statistic",
        "0.137": "# p of the explorer with twelve data sets, zeros dropped; test_answers.py holds it",
        "0.143": "# the same, by the two other rules",
        "0.028": f"PairedT({UP_BY.format(94)}).pvalue",
        "0.077": f"PairedT({UP_BY.format(100)}).pvalue",
        "0.082": f"SignedRank({UP_BY.format(79)}).pvalue",
    },
    "notebooks/03_contingency_table": {
        "0.005": "sqrt(0.5 * 0.5 / 10_000)",
        "0.016": "sqrt(0.5 * 0.5 / 1000)",
        "0.039": "McNemarMidP(2, 9).pvalue",
        "0.035": "McNemar(2, 9, correction=False).pvalue",
        "0.070": "McNemar(2, 9).pvalue",
    },
    "notebooks/04_anova": {
        "0.67": "# simulated, the last point of the figure",
        "0.18": "# the one-way F with the data sets at 1.6 times their distances; test_answers.py holds it",
        "0.088": "# p of the explorer at a bonus of -4",
    },
    "notebooks/05_friedman": {
        "0.797": "# a score that might have been",
        "0.03": "# an example",
        "0.42": "# p of the explorer with six data sets",
        "0.021": "# p of the explorer with two classifiers: 2 (1 - Phi(sqrt(16 / 3)))",
    },
    "notebooks/05b_post_hoc": {
        "1.71": "Nemenyi.from_steps(n=6, k=4, alpha=0.1).cd",
        "1.331": "Nemenyi.from_steps(n=14, k=5).q_alpha * sqrt(4 * 5 / (6 * 14))",
    },
    "notebooks/06_cross_validation_is_not_independent": {"0.090": "# printed in Table 5 for MNIST, whose networks are not trained again"},
    "notebooks/08_bcv_mcnemar": {"6.67": "20 / 3", "0.055": "stats.chi2.sf(3.68, 1)"},
    "notebooks/13_block_regularized_cv": {
        "3.27": "# what ten tables are worth in the explorer: letter, mean and neighbours",
        "1.63": "# the same for the majority and the SVM",
        "0.18": "# rho2 of the explorer: splice, tree and neighbours",
    },
    "notebooks/12_type_one_error_and_power": {
        "1.5": "100 * sqrt(0.05 * 0.95 / 200)",
        "7.3": "# HoldOutMcNemar on letter; test_sentences.py holds it",
    },
    "notebooks/10_contingency_simulation": {
        "2.2": "0.110 / 0.05",  # decision stump, K = 10, L = 1, one-sided
        "3.3": "0.167 / 0.05",  # the same, two-sided
        "2.4": "0.118 / 0.05",  # the same with L = 30, corrected
    },
    "solutions/01_paired_t_by_hand": {
        "0.5": "2.5 - 2",
        "3.5": "6 - 2.5",
        "1.5": "2.5 - 1",
        "4.5": "2.5 + 2",
        "47.5": "0.5**2 + 3.5**2 + 0.5**2 + 1.5**2 + 4.5**2 + 3.5**2",
        "9.5": "47.5 / 5",
        "2.814": "sqrt(47.5 / 6)",
    },
    "solutions/02_wilcoxon_by_hand": {
        "2.5": "(2 + 3) / 2",
        "7.5": "(7 + 8) / 2",
        "10.5": "(10 + 11) / 2",
        "0.0682": "2 * stats.norm.cdf((23.5 - 105 / 2) / sqrt((1 + 2 * 2.5**2 + 3 * 5**2 + 2 * "
        "7.5**2 + 81 + 2 * 10.5**2 + 144 + 169 + 196) / 4))",
    },
    "solutions/03_critical_value_table": {"0.0625": "2 / 2**5", "0.03125": "2 / 2**6", "0.094": "2 * 3 / 2**6"},
    "solutions/04_contingency_from_predictions": {
        "0.144": "stats.chi2_contingency([[5, 2], [9, 8]])[0]",
        "4.15": "DifferenceOfProportions(17, 10, 24).statistic ** 2",
        "0.0348": "stats.chi2.sf(49 / 11, 1)",
        "0.0327": "67 / 2048",
        "6.5": "100 * 2 * 67 / 2048",
    },
    "solutions/06_not_significant_is_not_equivalent": {
        "0.011": "stats.t.sf(2.925, 7)",
        "0.78": "# simulated with share_shown(16)",
        "0.81": "# simulated with share_shown(17)",
    },
    "solutions/08_friedman_and_nemenyi": {"0.5": "1.5**2 + 0.5**2 - 2 * 1.0**2", "1.2": "3.1 - 1.9"},
    "solutions/09_holms_ladder": {"0.0100": "0.05 / 5", "0.0125": "0.05 / 4", "0.0167": "0.05 / 3", "0.0486": "3 * 0.0162"},
    "solutions/10_folds_are_not_independent": {"2.145": "stats.t.ppf(0.975, 14)", "1.28": "100 * 0.0128", "0.001": "# quoted from a draft"},
    "solutions/21_language_models": {"0.467": "1 - 8 / 15", "2.13": "4 * 8 / 15"},
    "solutions/20_unstable_learners": {
        "0.9": "# an example",
        "0.35": "5 * 0.9 / stats.chi2.ppf(0.975, 5)",
        "5.4": "5 * 0.9 / stats.chi2.ppf(0.025, 5)",
    },
    "solutions/13_bcv_mcnemar": {"7.5": "75 / 10", "11.3": "3.8 + 7.5", "1.818": "10 / (1 + 9 / 2)"},
    "solutions/15_simulate_a_type_one_error": {
        "3.5": "1 + 10 * 0.2 / (1 - 0.2)",
        "6.2": "# invented for the question",
        "0.062": "6.2 / 100",
        "0.0512": "# invented for the question",
        "5.12": "100 * 0.0512",
        "0.00022": "sqrt(0.05 * 0.95 / 1_000_000)",
        "5.5": "(0.0512 - 0.05) / sqrt(0.05 * 0.95 / 1_000_000)",
    },
    "solutions/16_read_a_published_comparison": {
        "3.1": "# an example",
        "3.05": "3.1 - 0.05",
        "3.15": "3.1 + 0.05",
        "0.0005": "1 / 2000",
        "0.19": "1.9 / sqrt(100)",
        "4.21": "0.8 / 0.19",
        "0.00006": "2 * stats.t.sf(4.21, 99)",
        "0.633": "1.9 * sqrt(1 / 9)",
        "1.26": "0.8 / (1.9 * sqrt(1 / 10_000 + 1 / 9))",
    },
    "solutions/19_bayesian_comparison": {"0.3": "# a guess, and invented for the question"},
    "solutions/18_hack_a_verdict": {
        "2.13": "stats.t.ppf(0.95, 4)",
        "0.158": "0.05 / 0.95 * stats.expon.isf(0.05)",
        "0.028": "(0.675 + 0.645 + 0.72 + 0.69 + 0.6784 - 0.645 - 0.615 - 0.72 - 0.665 - 0.6231) / 5",
        "1.5": "100 * (1 - 0.05 ** (1 / 200))",
    },
}


def figures(text):
    """The numbers in a text, as they are written."""
    return {found.replace(",", "") for found in NUMBER.findall(text)}


def decimals(text):
    """The numbers with decimals in prose: no sections (3.2.2), no file names."""
    bare = re.sub(r"\]\([^)]*\)|section \d[\d.]*|`[^`]*`", " ", text)
    return {found for found in figures(bare) if "." in found and not re.search(rf"\d\.{re.escape(found)}|{re.escape(found)}\.\d", bare)}


def shown(notebook):
    """The numbers in code and outputs."""
    found = set()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            found |= figures("".join(cell["source"]))
            for output in cell["outputs"]:
                for kind, text in (output.get("data", {}) | {"text/plain ": output.get("text", "")}).items():
                    if kind.startswith(("text/plain", "text/html")):
                        found |= figures(re.sub(r"<[^>]*>", " ", "".join(text)))
    return found


def same_figure(written, page):
    """Whether both are the same number, one of them rounded; what is rounded coarsely must still have three digits."""
    exact, rounded = sorted((written, page), key=rounding_tolerance)
    if rounded == page != written and len(page.lstrip("0.").replace(".", "")) < 3:
        return float(written) == float(page)
    return abs(float(exact) - float(rounded)) <= rounding_tolerance(rounded) * (1 + 1e-6)


def sums(text):
    """Arithmetic that is written out, as (expression, the result as written)."""
    plain = re.sub(r"\\(?:cdot|times)", "*", text)
    plain = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"(\1/\2)", plain).replace("\\left", "").replace("\\right", "").replace("^", "**")
    plain = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", plain).replace("{", "(").replace("}", ")").replace("\\,", " ")
    for expression, result in re.findall(r"((?:sqrt|[\d\s.()*/+-])*[\d)]\s*)=\s*(?=(-?\d*\.?\d+))", plain):
        if re.search(r"\d\s*[*/+-]|sqrt", expression):
            yield expression.strip(" .,"), result.lstrip("-")


def value(expression):
    """What an expression gives; None for what is none."""
    try:
        return abs(
            float(
                eval(expression, vars(fstats) | {name: getattr(fstats, name) for name in fstats.__all__} | {"sqrt": sqrt, "stats": stats})
            )
        )
    except (SyntaxError, TypeError):
        return None


@pytest.mark.complete
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_numbers_in_prose_stand_on_the_page(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    page = shown(notebook)
    follows = FOLLOWS.get(f"{path.parent.name}/{path.stem}", {})
    for number, expression in ((number, how) for number, how in follows.items() if not how.startswith("#")):
        assert abs(value(expression) - float(number)) <= rounding_tolerance(number) * (1 + 1e-6), (
            f"{number} does not follow from {expression}"
        )
        from_elsewhere = {
            part
            for part in figures(expression) - set(follows) - LEVELS
            if "." in part and not any(same_figure(part, other) for other in page)
        }
        assert from_elsewhere <= NEUTRAL, f"{number} is said to follow from {from_elsewhere}, which the notebook does not show"
    lost, used = {}, set()
    for place, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] != "markdown":
            continue
        worked = set()
        for expression, result in sums(text):
            if (found := value(expression)) is not None and "." in result:
                assert abs(found - float(result)) <= rounding_tolerance(result) * (1 + 1e-6), (
                    f"cell {place}: {expression} is {found:g}, not {result}"
                )
                worked |= {result, *figures(expression)}
        for number in decimals(text) - worked - LEVELS:
            used.add(number)
            if number not in follows and not any(same_figure(number, other) for other in page):
                lost.setdefault(place, []).append(number)
    assert lost == {}, "in cell: numbers that are neither on the page nor in FOLLOWS"
    assert set(follows) <= used, "FOLLOWS lists what the notebook no longer says"


# Claims about what is done most often need somebody who has counted.
COUNTED = re.compile(
    r"\b(?:most (?:frequent|common|used|popular)|commonest|half of the \S*\s?literature|most papers|nearly all papers)\b", re.IGNORECASE
)


@parametrize("path", *NOTEBOOKS, ROOT / "README.md", ROOT / "solutions/README.md", ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_who_has_counted(path):
    """A superlative about the literature names its source, with a year, in the same sentence."""
    text = path.read_text(encoding="utf-8")
    prose = (
        [text]
        if path.suffix == ".md"
        else ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    )
    for cell in prose:
        for sentence in re.split(r"(?<=[.?!])\s", cell):
            assert not COUNTED.search(sentence) or re.search(r"\b(?:19|20)\d\d\b", sentence), sentence
