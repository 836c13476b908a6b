"""Run the code cells of a lesson in memory, and find the numbers of its prose that no output near by supports.

A number in a sentence must stand in an output near by: of the same section, of the last code cell before the sentence, or of the next one.
The title, the five sentences, the notes at the start and the bets speak of all outputs. A number may also stand in the code near by, or
follow from a calculation that the caller checks. A sentence may name another place: a step, a section, or what is above or below (the
outputs there are read), another lesson (its outputs are read), or a source outside the course. A level must be that of the lesson's tests.
"""

import ast
import contextlib
import inspect
import io
import json
import re
import warnings
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest.mock import patch

from fstats import apply_test
from fstats.render.printed_numbers import rounding_tolerance

FOLDER = Path(__file__).parents[2] / "notebooks"
NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?(?!\w)", re.ASCII)
OTHER_ALPHA = 0.01  # the level that the mutated lessons use


def figures(text):
    """The numbers in a text, as they are written."""
    return {found.replace(",", "") for found in NUMBER.findall(text)}


def same_figure(written, page):
    """Whether both are the same number, one of them rounded; what is rounded coarsely must still have three digits."""
    exact, rounded = sorted((written, page), key=rounding_tolerance)
    if rounded == page != written and len(page.lstrip("0.").replace(".", "")) < 3:
        return float(written) == float(page)
    return abs(float(exact) - float(rounded)) <= rounding_tolerance(rounded) * (1 + 1e-6)


# -- changes of a lesson -----------------------------------------------------------------------------------------------------------
def is_numbers(node):
    """Whether a node is a list or tuple of four or more numbers: data."""
    return (
        isinstance(node, (ast.List, ast.Tuple))
        and len(node.elts) >= 4
        and all(
            isinstance(getattr(one, "operand", one), ast.Constant) and isinstance(getattr(one, "operand", one).value, (int, float))
            for one in node.elts
        )
    )


class OtherAlpha(ast.NodeTransformer):
    """Give another level to each call that takes one, and to each name that states one."""

    def visit_Call(self, node):
        self.generic_visit(node)
        for keyword in node.keywords:
            if keyword.arg == "alpha" and isinstance(keyword.value, ast.Constant):
                keyword.value = ast.Constant(OTHER_ALPHA)
        if not any(keyword.arg in ("alpha", None) for keyword in node.keywords):
            node.func = ast.Call(ast.Name("_with_alpha", ast.Load()), [node.func], [])
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if getattr(node.targets[0], "id", "") == "alpha" and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(OTHER_ALPHA)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        if getattr(node.target, "id", "") == "alpha" and isinstance(node.iter, ast.Tuple):
            node.iter.elts = [ast.Constant(one.value / 4) for one in node.iter.elts]
        return node

    visit_For = visit_comprehension  # noqa: N815


class OtherData(ast.NodeTransformer):
    """Change the first number of each list of data, and each seed."""

    def visit_List(self, node):
        if is_numbers(node):
            node.elts[0] = ast.Constant(round(0.93 * ast.literal_eval(node.elts[0]), 4))
        return self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        for keyword in node.keywords:
            if keyword.arg in ("rng", "random_state") and isinstance(getattr(keyword.value, "value", None), int):
                keyword.value = ast.Constant(keyword.value.value + 1)
        if getattr(node.func, "attr", "") == "default_rng" and node.args and isinstance(node.args[0], ast.Constant):
            node.args[0] = ast.Constant(node.args[0].value + 1)
        return node


class OtherSize(ast.NodeTransformer):
    """Leave out the last number of each list of data, and the last records of each bundled data set."""

    def visit_List(self, node):
        if is_numbers(node) or (len(node.elts) >= 4 and all(map(is_numbers, node.elts))):
            node.elts.pop()
            return node
        return self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        for keyword in node.keywords:
            if keyword.arg in ("n", "N", "trials", "splits") and isinstance(getattr(keyword.value, "value", None), int):
                keyword.value = ast.Constant(keyword.value.value + 2)
        if getattr(node.func, "id", "").startswith("load_"):
            return ast.Call(ast.Name("_fewer", ast.Load()), [node], [])
        return node


CHANGES = {"alpha": OtherAlpha, "data": OtherData, "n": OtherSize}


def _with_alpha(function):
    """The same function, with another level as its default if it, or the test that it makes, has the usual one."""

    def call(*given, **named):
        takes = given[0] if function is apply_test else getattr(function, "__self__", function)
        with contextlib.suppress(TypeError, ValueError, KeyError):  # no signature, or no level in it
            if inspect.signature(takes if isinstance(takes, type) else function).parameters["alpha"].default == 0.05:
                return function(*given, **{"alpha": OTHER_ALPHA} | named)
        return function(*given, **named)

    return call


def _fewer(data):
    return tuple(part[: len(part) - 40] for part in data) if isinstance(data, tuple) else data


# -- a run -------------------------------------------------------------------------------------------------------------------------
@dataclass
class Run:
    """What the code cells of a lesson give: sources and outputs, by the places of the cells, and the names at the end."""

    sources: dict = field(default_factory=dict)
    outputs: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)


def plain(value):
    """The text by which a notebook shows a value."""
    return getattr(value, "stored_text", None) or repr(value)  # an explorer or a walk has a text for notebooks without a kernel


def run(cells, change=None):
    """Run the code cells of a lesson, in memory and in one namespace; ``change`` names a change of the code."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = Run(names={"__name__": "__main__", "_with_alpha": _with_alpha, "_fewer": _fewer})
    with (
        patch("fstats.plot.drawing.matplotlib_figure.figure_png", return_value=b""),
        patch.object(plt, "show"),
        contextlib.chdir(FOLDER),
        warnings.catch_warnings(action="ignore"),
    ):
        for place, cell in enumerate(cells):
            if cell["cell_type"] != "code":
                continue
            tree = ast.parse("".join(cell["source"]))
            if change:
                tree = ast.fix_missing_locations(CHANGES[change]().visit(tree))
            found.sources[place] = tree
            last = ast.Expression(tree.body[-1].value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            first = ast.Module(tree.body[:-1] if last else tree.body, [])
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                try:
                    exec(compile(first, f"cell {place}", "exec"), found.names)
                    if last and (value := eval(compile(last, f"cell {place}", "eval"), found.names)) is not None:
                        print(plain(value))
                except Exception as error:
                    if not change:
                        raise
                    found.errors[place] = error
            found.outputs[place] = re.sub(r"<Figure [^>]*>", "", printed.getvalue())
    plt.close("all")
    return found


# -- the check ---------------------------------------------------------------------------------------------------------------------
SOURCE = re.compile(r"\b(?:slides?|source|papers?|post|blog|draft|prints?|printed|stress test|(?:18|19|20)\d\d)\b", re.IGNORECASE)
OUTSIDE = re.compile(  # numbers that only name a thing: addresses, code, items of a list, steps, sections, tables
    r"\]\([^)]*\)|`[^`]*`|https?://\S+|^\s*\d+\.\s|\bT\d\b|_\{[^}]*\}"
    r"|\b(?:lessons?|steps?|exercises?|sections?|tables?|figures?|seed|number) \d+[a-z]?(?:\.\d+)*(?:(?:,| and| to|, and) \d+[a-z]?\b)*",
    re.MULTILINE | re.IGNORECASE,
)


def numbers_of(sentence):
    """The numbers of a sentence that something must support: decimals, per cents, and whole numbers from 13 that are no year."""
    bare = OUTSIDE.sub(" ", sentence).replace("{,}", "").replace("\\,", "\u00a0")
    percents = {
        one.replace(",", "") for one in re.findall(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?:\s*%|(?= (?:of|in) (?:100|a hundred)\b))", bare)
    }
    return {
        (one, one in percents)
        for one in figures(bare) - {"100"}
        if "." in one or one in percents or (one.isdigit() and int(one) >= 13 and not 1850 <= int(one) <= 2030)
    }


def sentences(text):
    """The sentences and the lines of a text."""
    return [one for one in re.split(r"(?<=[.?!])\s+(?=[A-Z*$`(])|\n+", text) if one.strip()]


@dataclass
class Section:
    """A heading with its texts and the places of its code cells."""

    heading: str
    prose: list = field(default_factory=list)  # of pairs: place of the cell, text
    code: list = field(default_factory=list)


def sections(cells):
    """The sections of a lesson; a heading within a cell begins one, too."""
    found = [Section("")]
    for place, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            found[-1].code.append(place)
            continue
        for part in re.split(r"(?m)^(?=#{1,5} )", "".join(cell["source"])):
            if part.startswith("#"):
                found.append(Section(part.splitlines()[0].lstrip("# ")))
            if part.strip():
                found[-1].prose.append((place, part))
    return found


def constants(tree):
    """The numbers in code, apart from those in its texts and the steps of sliders."""
    steps = {one.value for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "step"}
    return {
        str(one.value) for one in ast.walk(tree) if isinstance(one, ast.Constant) and type(one.value) in (int, float) and one not in steps
    }


def figures_near(run, places, code):
    """The numbers in the outputs of cells, in the code of some, and in the data (assigned without a call) whose names this code uses."""
    used = {one.id for place in code for one in ast.walk(run.sources[place]) if isinstance(one, ast.Name)}
    data = [
        statement.value
        for tree in run.sources.values()
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and used & {one.id for target in statement.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        and not any(isinstance(one, ast.Call) for one in ast.walk(statement.value))
    ]
    shown = (figures(run.outputs[one]) for one in places if one not in run.errors)
    return set().union(*shown, *(constants(run.sources[one]) for one in code), *map(constants, data))


@cache
def stored(path):
    """A lesson with the outputs that its file holds."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    run = Run()
    for place, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            run.sources[place] = ast.parse("".join(cell["source"]))
            shown = "".join("".join(one.get("text") or one.get("data", {}).get("text/plain", "")) for one in cell["outputs"])
            run.outputs[place] = re.sub(r"<Figure [^>]*>", "", shown)
    return cells, run


def elsewhere(sentence, place, parts, run):
    """The places and the numbers of other lessons to which a sentence points."""
    places, numbers = set(), set()
    for step in re.findall(r"\bsteps? (\d+)", sentence):
        places |= {one for part in parts if re.match(rf"Steps? .*\b{step}\b.*?\.", part.heading) for one in part.code}
    for anchor in re.findall(r"\]\(#([^)]*)\)", sentence):
        places |= {one for part in parts if part.heading.replace(" ", "-") == anchor for one in part.code}
    if re.search(r"\babove\b|\blecture\b|\bthis lesson\b", sentence):
        places |= {one for one in run.outputs if one < place}
    if re.search(r"\bbelow\b|\bappendix\b", sentence):
        places |= {one for one in run.outputs if one > place}
    for lesson in re.findall(r"\]\((\d\w+)\.ipynb|\blesson (\d\d\w?)\b", sentence):
        for path in FOLDER.glob(f"{lesson[0] or lesson[1] + '_'}*.ipynb"):
            numbers |= set().union(*map(figures, stored(path)[1].outputs.values()))
    return places, numbers


def supports(number, percent, page):
    """Whether a number stands on a page: as it is, or as a share, or the rest of a share, if it is a per cent."""
    if any(same_figure(number, other) for other in page):
        return True
    shares = [100 * float(other) for other in page if percent and 0 < float(other) < 1]
    return any(
        min(abs(share - float(number)), abs(100 - share - float(number))) <= rounding_tolerance(number) * (1 + 1e-6) for share in shares
    )


def levels_of(run):
    """The levels of the tests that a lesson has made, with what follows from them: halves, complements, per cents."""
    found = {getattr(one, "alpha", None) for name, one in run.names.items() if not isinstance(one, type)} | {run.names.get("alpha")}
    found = {float(one) for one in found if isinstance(one, float)}
    return {f"{part:.6g}" for one in found for part in (one, 1 - one, one / 2, 1 - one / 2, 100 * one, 100 - 100 * one, 100 - 200 * one)}


def occurrences(cells, run):
    """Each number in prose: (place, sentence, text, number, whether a per cent, places of outputs, of code, numbers of other lessons)."""
    parts, shown = sections(cells), [one for one, text in run.outputs.items() if text.strip()]
    for part in parts:
        for place, text in part.prose if part.heading != "Sources" else ():
            tags = cells[place]["metadata"].get("tags", ())
            bet = any("**The bet.**" in "".join(cell["source"]) for cell in cells[place - 1 : place + 1])
            code = frozenset([*part.code, *[one for one in shown if one < place][-1:], *[one for one in shown if one > place][:1]])
            whole = place == 0 or part.heading == "In five sentences" or ("speaker-notes" in tags and place < 4) or bet
            around = frozenset(run.outputs) if whole else code  # some cells speak of the whole lesson
            for sentence in sentences(text):
                places, others = elsewhere(sentence, place, parts, run)
                for number, percent in numbers_of(sentence):
                    yield place, sentence, text, number, percent, around | places, code, others


def has_source(cells, place, sentence):
    """Whether a sentence, or the heading of its section, names a source outside the lesson."""
    heading = next(part.heading for part in sections(cells) if any(one == place and sentence in text for one, text in part.prose))
    return SOURCE.search(f"{heading} {sentence}") is not None


def unsupported(cells, run, known):
    """The numbers in prose that nothing supports, as (place, sentence, number); ``known`` gives the numbers that follow otherwise."""
    levels, pages = levels_of(run), cache(lambda places, code: figures_near(run, places, code))
    return {
        (place, sentence, number)
        for place, sentence, text, number, percent, places, code, others in occurrences(cells, run)
        if not any(float(one) == float(number) for one in levels)
        and not supports(number, percent, pages(places, code) | others)
        and number not in known(text)
    }


def falsified(cells, before, after, arithmetic):
    """The numbers in prose that stand in the outputs near by before a change of the code, and no longer after it."""
    levels = levels_of(after)
    old, new = (cache(lambda places, run=run: figures_near(run, places - after.errors.keys(), ())) for run in (before, after))
    return {
        (place, sentence, number)
        for place, sentence, text, number, percent, places, code, others in occurrences(cells, before)
        if supports(number, percent, old(places) | others)
        and not any(number in constants(after.sources[one]) for one in code if number.isdigit())  # a setting, such as n = 300
        and not supports(number, percent, new(places) | others)
        and number not in arithmetic(text)
        and not any(float(one) == float(number) for one in levels)
    }
