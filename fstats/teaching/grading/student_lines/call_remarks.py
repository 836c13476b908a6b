"""Feedback on SciPy calls in a student's code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..hints.numpy_expression import LAWS
from ..hints.python_call import step_tree
from .line_values import agrees
from .pure_functions import READY_MADE

if TYPE_CHECKING:
    from .code_history import Definition
    from .line_parts import LineParts, Site

TESTS = {
    "ttest_rel": "the paired t-test",
    "ttest_ind": "the t-test of two independent samples",
    "ttest_1samp": "the t-test of one sample",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "mannwhitneyu": "the Mann-Whitney test of two independent samples",
    "binomtest": "the exact binomial test",
    "friedmanchisquare": "Friedman's chi-squared test",
    "f_oneway": "the one-way analysis of variance",
    "kruskal": "the Kruskal-Wallis test of independent samples",
    "pearsonr": "a correlation",
    "spearmanr": "a rank correlation",
}
DISTRIBUTIONS = {
    "norm": "the normal distribution",
    "t": "Student's t distribution",
    "chi2": "a chi-squared distribution",
    "f": "an F distribution",
    "binom": "a binomial distribution",
    "studentized_range": "the studentized range",
}
EXACT_LAWS = ("SignedRankSum", "SymmetricBinomial")
VALUES, PROBABILITIES, HEIGHTS = ("ppf", "isf", "interval"), ("sf", "cdf"), ("pdf", "pmf")
OTHER_TEST = "`{}` computes {}, with its own statistic and p-value; it is not the calculation of this question."
OTHER_LAW = "Your line uses {}; the statistic of this question has another distribution if H0 is true."
NO_LAW = "The question asks for {}, but your line uses no distribution."
TURNED = "`{}` is the right test, but it got the lines of the table for its columns, or the columns for its lines."
ROUNDED = "You round in the line `{}`, and compute on with the rounded number: compute with all digits, and round only the result."
NOTICEABLE = 1e-6  # a rounding that changes a number by less than this share gets no remark
NO_ROOT, NO_SQUARE = (f"Your line has no {what}; the formula of the question has one." for what in ("square root", "square"))
NO_DIVISION = "Your line has no division; the formula of the question has one."
REPEATED_VALUES = "`{}` keeps each value only once; the formula of the question uses all of them."
WAYS = {ast.Gt: (">", "\\leq", "≤"), ast.GtE: (">=", "\\leq", "≤"), ast.Lt: ("<", "\\geq", "≥"), ast.LtE: ("<=", "\\geq", "≥")}
OTHER_WAY = "Your line has `{}`; the formula of the question has {}. Which way round does your line compare?"
RANKS = "Equal values share the mean of their ranks. {}"
POSITIONS = {  # functions whose results students take for ranks, and what the functions return
    "argsort": "`argsort` gives the positions of the values in the sorted list; done twice, it gives equal values different ranks.",
    "index": "`index` gives the position of the first of several equal values.",
    "sorted": "A position in a sorted list is different for equal values.",
}
LEAST_RANKS = "With `method='{}'`, equal values do not get the mean."
LOST = "`{}` no longer holds the data of the exercise: the line `{}` gave it another value{}. {}Run the cell that reads the data again{}."
OTHER_NAME, TYPED_LIST = ", and give the other value another name", ", and compute with these data instead of typing them"
COMPARED = "To compare, write `==`: `=` gives a name a value. "
PLAIN_CALLS = ("sum", "mean", "len", "abs", "sqrt", "min", "max", "float", "int", "round", "array", "range", "zip", "log", "exp", "ceil")
APPROXIMATE = "`{}` computes an approximate p-value here; the question asks for the exact one."
OTHER_KIND = "; the question asks for a "
A_VALUE = f"`{{}}` returns a value of the statistic{OTHER_KIND}probability."
A_PROBABILITY = f"`{{}}` returns a probability{OTHER_KIND}value of the statistic."
A_HEIGHT = "`{}` returns the height of a curve, or the probability of one single value; the question asks for {}."


def call_remarks(line: LineParts) -> tuple[str, ...]:
    """Return the remarks on the calls in a line, if no change makes the line right."""
    return tuple(dict.fromkeys((*_remarks(line), *_rank_remarks(line), *_turned_comparison(line))))


def _remarks(line: LineParts) -> Iterator[str]:
    template = line.context.step.template(line.context.test)
    is_probability, is_limit = line.context.is_probability and "P(" in template, " : P(" in template
    is_area = is_probability or ("P(" in template and not is_limit)
    wanted = "a probability" if is_area else "a critical value" if is_limit else ""
    laws, law_of_the_test = [*_laws(line)], type(getattr(line.context.test, "null", None)).__name__
    for site in line.sites:
        name = _called(line, site.part, site.definition)
        if name not in READY_MADE:
            continue
        is_law, said = name == "binomtest" and law_of_the_test == "SymmetricBinomial", ""
        if _is_turned(line, site.part, site.definition):
            said = TURNED
        elif law_of_the_test in EXACT_LAWS and _is_approximate(site.part):
            said = APPROXIMATE
        elif not is_law and not _is_of_the_exercise(line, site.part, site.definition):
            said = OTHER_TEST
        if said:
            yield said.format(name, TESTS[name])
            return
    own, _ = LAWS.get(type(getattr(line.context.test, "null", None)), ("", ()))
    for site, law, function in laws:
        # True if the distribution is inside a comparison; a line may compute a probability as a share of statistics beyond a critical value
        is_compared = any(isinstance(one.part, ast.Compare) and id(one.part) in line.around(site.part) for one in line.sites)
        # SciPy has no function for SignedRankSum, so every distribution of SciPy is wrong for such a test
        is_known = bool(own) or law_of_the_test == "SignedRankSum"
        if is_known and wanted and "null" in line.context.step.slots and law != own and law in DISTRIBUTIONS:
            yield OTHER_LAW.format(DISTRIBUTIONS[law])
        elif not is_compared and is_area and function in VALUES:
            yield A_VALUE.format(function)
        elif not is_compared and is_limit and function in PROBABILITIES:
            yield A_PROBABILITY.format(function)
        elif wanted and function in HEIGHTS and own != "binom":
            yield A_HEIGHT.format(function, wanted)
    is_without = wanted and own and not laws and "null" in line.context.step.slots
    if is_without and not any(_can_be_a_distribution(site, own, site.definition is line.definition) for site in line.sites):
        yield NO_LAW.format(wanted)


def lost_data_remark(definition: Definition, value: Any, data: Any) -> str:
    """Say which line gave a name of the data another value, and what to do; of a list typed by hand, what differs."""
    line = definition.text.partition("\n")[0]
    is_typed = isinstance(definition.tree, ast.List | ast.Tuple) and np.ndim(data) == 1
    differs = ""
    if is_typed and value is not None and len(value) != len(data):
        differs = f", with {len(value)} entries instead of {len(data)}"
    elif is_typed and value is not None and (same := int(np.sum(np.equal(value, data)))):
        differs = f"; {same} of {len(data)} entries are those of the data"
    compared = COMPARED if is_repeated_assignment(definition.text) else ""
    return LOST.format(definition.name, line, differs, compared, TYPED_LIST if is_typed else OTHER_NAME)


def is_repeated_assignment(text: str) -> bool:
    """Whether a line sets several names to one value, perhaps with `=` in the place of `==`."""
    return any(isinstance(statement, ast.Assign) and len(statement.targets) > 1 for statement in ast.parse(text).body)


def operation_remarks(line: LineParts) -> tuple[str, ...]:
    """Return the remarks on roundings, square roots and squares in a line."""
    rounded = [site.text for site in line.sites if site.part is not line.root and _loses_digits(line, site)]
    remarks = [ROUNDED.format(text.strip()) for text in rounded[:1]]
    nodes = [site.part for site in line.sites]
    names = [site for site in line.sites if isinstance(site.part, ast.Name) and not site.is_local]
    is_direct = all(line.quantity_of(site.part, site.definition) in ("", *line.context.step.slots) for site in names)
    if is_direct and all(_is_call_of(node, PLAIN_CALLS) for node in nodes if isinstance(node, ast.Call)):
        wanted, own = _powers([*ast.walk(step_tree(line.context.test, line.context.step))]), _powers(nodes)
        is_known = own <= {"2", "0.5", "/"}  # any other power, such as 1.5, may contain a root or a square
        wants = ((NO_ROOT, "0.5"), (NO_SQUARE, "2"), (NO_DIVISION, "/"))
        has_mean = any(_is_call_of(node, ["mean"]) for node in nodes)
        remarks += [words for words, power in wants if is_known and power in wanted - own and not (has_mean and power == "/")]
    return tuple(remarks)


def _rank_remarks(line: LineParts) -> Iterator[str]:
    """Yield the remarks on calls whose results students take for ranks, and on calls that keep each value only once."""
    calls = [site.part for site in line.sites if isinstance(site.part, ast.Call)]
    names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
    methods = [one.value.value for call in calls for one in call.keywords if one.arg == "method" and isinstance(one.value, ast.Constant)]
    if "rank" in line.context.step.template(line.context.test):
        said = [words for name, words in POSITIONS.items() if name in names and not {"rankdata", "rank"} & {*names}]
        said += [LEAST_RANKS.format(method) for method in methods if method != "average"]
        yield from [RANKS.format(words) for words in said[:1]]
    yield from [REPEATED_VALUES.format(name) for name in names if name in ("set", "unique")]


def _turned_comparison(line: LineParts) -> Iterator[str]:
    """Yield the remark on the only comparison of a list of decisions, if more of them are right the other way round."""
    signs = [sign for site in line.sites if isinstance(site.part, ast.Compare) for sign in site.part.ops]
    x, y = line.context.x, line.context.y
    if line.is_decision and x.shape == y.shape != () and 2 * np.sum(x == y) < y.size and len(signs) == 1:
        own, written, shown = WAYS.get(type(signs[0]), ("", " ", ""))
        if own and written in line.context.step.template(line.context.test):
            yield OTHER_WAY.format(own, shown)


def _loses_digits(line: LineParts, site: Site) -> bool:
    """Return whether a part rounds a number that has more digits."""
    part: Any = site.part
    if site.is_local or not _is_call_of(part, ["round", "around"]):
        return False
    inner = part.args[0] if part.args else part.func.value
    before, after = (np.asarray(line.part_value(line.home, one, site.definition)) for one in (inner, part))
    return before.dtype.kind == "f" and before.shape == after.shape and bool(np.any(np.abs(before - after) > NOTICEABLE * np.abs(before)))


def _is_call_of(node: ast.AST, names: Sequence[str]) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in names


def _powers(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the powers in a calculation, and "/" for a division; a root is the power 0.5, and a part times itself is the power 2."""
    operations = [node for node in nodes if isinstance(node, ast.BinOp)]
    powers = {ast.unparse(node.right) for node in operations if isinstance(node.op, ast.Pow)}
    products = {"2" for node in operations if isinstance(node.op, ast.Mult) and ast.unparse(node.left) == ast.unparse(node.right)}
    powers |= {"/" for node in operations if isinstance(node.op, ast.Div)}
    return powers | products | {"0.5" for node in nodes if _is_call_of(node, ["sqrt"])}


def _can_be_a_distribution(site: Site, own: str, is_own: bool) -> bool:
    """Return whether a part may compute a distribution: a student's function, or counted cases of a binomial distribution."""
    by_hand = own == "binom" and isinstance(site.part, ast.BinOp) and isinstance(site.part.op, ast.Pow)
    called = ast.unparse(site.part.func) if isinstance(site.part, ast.Call) else ""
    is_of_cases = called.endswith((*READY_MADE, *("comb", "mean", "sum", "len") * is_own))
    return by_hand or is_of_cases or isinstance(site.definition.tree, ast.FunctionDef)


def _is_of_the_exercise(line: LineParts, part: Any, definition: Any) -> bool:
    """Return whether the statistic or the p-value of a SciPy test equals a quantity of the exercise."""
    found = line.part_value(line.home, part, definition)
    if found is None:
        return True  # the value is unknown, so make no remark
    numbers = [line.home.quantities(name) for name in (*line.names, line.context.question.step)]
    return any(agrees(sign * number, value) for number in numbers for value in found[:2] for sign in (-1, 1))


def _is_turned(line: LineParts, part: Any, definition: Any) -> bool:
    """Return whether a SciPy test gives a quantity of the exercise if the table is transposed."""
    match part.args:
        case [ast.Starred(table)] if not _is_of_the_exercise(line, part, definition):
            turned = ast.Starred(ast.Constant(np.transpose(line.part_value(line.home, table, definition))))  # type: ignore[arg-type]
            other = ast.Call(part.func, [turned], part.keywords)
            return line.part_value(line.home, other, definition) is not None and _is_of_the_exercise(line, other, definition)
    return False


def _is_approximate(part: Any) -> bool:
    """Return whether an argument of a SciPy test requests the normal approximation."""
    values = {keyword.arg: getattr(keyword.value, "value", None) for keyword in part.keywords}
    return values.get("method", values.get("mode")) in ("approx", "asymptotic")


def _called(line: LineParts, part: Any, definition: Any) -> str:
    """Return the name of the called function of scipy.stats; empty for any other function."""
    path = line.home.path(part.func, definition.time, {}) if isinstance(part, ast.Call) else ""
    return path.removeprefix("scipy.stats.") if path.startswith("scipy.stats.") else ""


def _laws(line: LineParts) -> Iterator[tuple[Site, str, str]]:
    """Yield (part, distribution, function) for each distribution in the line."""
    for site in line.sites:
        law, _, function = _called(line, site.part, site.definition).partition(".")
        if law in DISTRIBUTIONS and function:
            yield site, law, function
        elif isinstance(site.part, ast.Call) and isinstance(site.part.func, ast.Attribute):
            frozen, since = line.home.frozen(site.part.func, site.definition.time)
            if frozen is not None:
                yield site, line.home.path(frozen.func, since, {}).rpartition(".")[2], site.part.func.attr
