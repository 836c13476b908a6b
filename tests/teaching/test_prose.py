"""What a notebook says in words and what it shows: a number with decimals in its prose stands on the same page, or follows from it.

A number counts as standing on the page if the code or an output of the notebook has it, up to rounding.  Arithmetic that is written
out (``$67 / 2048 = 0.0327$``) is done again.  Whatever else is written must be listed in FOLLOWS, with the calculation that gives it.
When a number of yours fails: look at the output beside it; if the number is right and cannot be seen there, add a line to FOLLOWS.
"""

import json
import re
from math import comb, sqrt
from pathlib import Path

import pytest
from lesson_numbers import figures, same_figure
from scipy import stats
from shortcuts import parametrize

import fstats
from fstats.render.printed_numbers import rounding_tolerance

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])
SPACE = {"sqrt": sqrt, "comb": comb, "stats": stats}  # for calculations, beside the names of fstats
LEVELS = {"0.01", "0.025", "0.05", "0.10", "0.95", "0.975"}  # levels are chosen, not found
NEUTRAL = {"0.5", "0.975"}  # in a calculation: a coin, a quantile

# notebook -> number as written -> how it follows (evaluated with the names of fstats, `stats` of SciPy, and sqrt), or # and the reason
FOLLOWS = {
    "notebooks/contents": {"70.5": "# the question of lesson 16"},
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


def sums(text):
    """Arithmetic that is written out, as (expression, the result as written)."""
    plain = re.sub(r"\\(?:cdot|times)", "*", text)
    plain = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"(\1/\2)", plain).replace("\\left", "").replace("\\right", "").replace("^", "**")
    plain = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", plain).replace("{", "(").replace("}", ")").replace("\\,", " ")
    for expression, result in re.findall(r"((?:sqrt|[\d\s.()*/+-])*[\d)]\s*)=\s*(?=(-?\d*\.?\d+))", plain):
        if re.search(r"\d\s*[*/+-]|sqrt", expression):
            yield expression.strip(" .,"), result.lstrip("-")


def value(expression, names=()):
    """What an expression gives, with the names of fstats and further names; None for what is none."""
    try:
        return abs(float(eval(expression, vars(fstats) | {name: getattr(fstats, name) for name in fstats.__all__} | SPACE | dict(names))))
    except (SyntaxError, TypeError):
        return None


PAGES = [path for path in NOTEBOOKS if not (path.parent.name == "notebooks" and path.name[:1].isdigit())]


@pytest.mark.complete
@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
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
