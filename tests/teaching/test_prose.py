"""What a notebook says in words and what it shows: a number with decimals in its prose stands on the same page, or follows from it.

A number counts as standing on the page if the code or an output of the notebook has it, up to rounding.  Arithmetic that is written
out (``$67 / 2048 = 0.0327$``) is done again.  Whatever else is written must be listed in FOLLOWS, with the calculation that gives it.
When a number of yours fails: look at the output beside it; if the number is right and cannot be seen there, add a line to FOLLOWS,
in calculations_of_numbers.toml.
"""

import json
import re
import tomllib
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
FOLLOWS = tomllib.loads(Path(__file__).with_name("calculations_of_numbers.toml").read_text(encoding="utf-8"))["pages"]


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
