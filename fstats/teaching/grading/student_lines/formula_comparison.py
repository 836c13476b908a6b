"""Compare a student's code with the right formula.

The result is the first extra operation, or wrong arguments of a distribution.

A part of the line belongs to the formula if it has the value of a part of the formula on the student's data and on other data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers.answer_value import is_equal
from ..exercise import required_steps
from ..hints.numpy_expression import NotExpressible
from ..hints.python_call import calculation_tree
from ..hints.quantity_label import quantity_label
from .code_history import CodeHistory, place_in_line
from .line_parts import TRIVIAL
from .line_values import agrees
from .pure_evaluator import KnownQuantity, PureEvaluator

if TYPE_CHECKING:
    from .line_parts import LineParts, Site

FIRST = "The marked operation is the first one that the formula does not have, although its parts are in the formula: {}."
NEXT = "In the formula, the next operation with `{}` is {}."
ARGUMENTS = "In `{}`, this is not what the formula has: {}."
COMPARES = "Your line compares `{}`{} with `{}`{}; the question compares {} with {}."
LIMIT = "Your line compares with `{}`; the question compares with another quantity: {}."
OTHER_SIDE = "`{}` is right in your comparison ({}); check what you compare with it."
OPERATIONS: dict[type, str] = {
    ast.Add: "an addition",
    ast.Sub: "a subtraction",
    ast.Mult: "a multiplication",
    ast.Div: "a division",
    ast.Pow: "a power",
}
FUNCTIONS = {
    "np.sqrt": "a square root",
    "np.sum": "a sum",
    "np.mean": "a mean",
    "abs": "an absolute value",
    "np.std": "a standard deviation",
}
LACKS = "Your line uses {}; the formula of the question does not."
LACKING = {
    "exp": "the exponential function",
    "hypergeom": "the hypergeometric distribution, in which a drawn case is not put back",
    "ceil": "rounding up",
    "floor": "rounding down",
    "cumsum": "running sums",
    "median": "a median",
    "trim_mean": "a mean without the smallest and the largest values",
    "std": "a standard deviation",
}
UPPER, LOWER = ("sf", "isf"), ("cdf", "ppf")
PARAMETERS = {
    "binom": ("number of trials", "probability of a success"),
    "t": ("degrees of freedom",),
    "chi2": ("degrees of freedom",),
    "f": ("degrees of freedom above", "degrees of freedom below"),
    "studentized_range": ("number of groups", "degrees of freedom"),
}


class _Quantities(ast.NodeTransformer):
    """Replace names by known quantities."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Return the known quantity for a name, or the name itself."""
        return KnownQuantity(node.id) if node.id in self.names else node


class FormulaComparison:
    """The formula of a question, and of the steps before it, beside the line of an answer."""

    def __init__(self, line: LineParts) -> None:
        self.line, self.context = line, line.context
        self.worlds = [line.home, *(world for world, _ in line.worlds)]
        history = CodeHistory()
        history.define("np", module="numpy")
        history.define("stats", module="scipy.stats")
        self.time = history.time + 1
        self.own = [PureEvaluator(history, {}, {}, world.quantities, line.budget) for world in self.worlds]
        tests = [self.context.test, *line.other_tests]
        self.trees = [self._tree(test, self.context.step.name) for test in tests]
        test = type(self.context.test)
        names = sorted(required_steps(test, self.context.step.name) & {*test.steps} - {self.context.step.name})
        before = [[(KnownQuantity(name), self._tree(one, name)) for name in names] for one in tests]
        # for an earlier step, leave out its whole formula, because the known quantity already stands for its value
        self.nodes = [
            [*([] if tree is None else _operands(tree)), *(node for step, one in of_test if one for node in (step, *_operands(one)[1:]))]
            for tree, of_test in zip(self.trees, before, strict=True)
        ]
        asked = [] if self.trees[0] is None else [*ast.walk(self.trees[0])]
        self.parents = {id(child): node for node in asked for child in ast.iter_child_nodes(node)}

    def _tree(self, test: Any, step: str) -> Any:
        with suppress(NotExpressible, SyntaxError, ValueError, AttributeError, TypeError, LookupError):
            return _Quantities({*test.steps, *test.inputs}).visit(calculation_tree(test, step))
        return None

    def _value(self, place: int, node: Any) -> Any:
        return self.own[place].known_value(node, self.time)

    @cached_property
    def constants(self) -> list[float]:
        """The numbers with decimals that stand in the formula."""
        nodes = [] if self.trees[0] is None else ast.walk(self.trees[0])
        return [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is float]

    @cached_property
    def values(self) -> list[Any]:
        """The values of the parts of the formula on the student's data."""
        return [self._value(0, node) for node in self.nodes[0]]

    def like(self, site: Site) -> list[Any]:
        """Return the parts of the formula whose value a part of the line has, on the student's data and on other data."""
        value = None if site.is_local else self.line.part_value(self.line.home, site.part, site.definition)
        if value is None or (not np.ndim(value) and value in TRIVIAL):
            return []
        places = [place for place, found in enumerate(self.values) if found is not None and agrees(value, found)]
        for number in range(1, len(self.worlds)):
            other = self.line.part_value(self.worlds[number], site.part, site.definition) if places else None
            if other is not None and len(self.nodes[number]) == len(self.values):
                places = [place for place in places if agrees(other, self._value(number, self.nodes[number][place]))]
        return [self.nodes[0][place] for place in places]

    # -- the first operation that the formula does not have ------------------------------------------------------------------------
    def first_operation(self) -> tuple[Site, tuple[str, ...]] | None:
        """Return the first operation of the line that the formula does not have, with sentences about it."""
        sites = {id(site.part): site for site in self.line.sites}
        for site in sorted(self.line.sites, key=_turn):
            operands = [sites[id(node)] for node in _operands_of(site.part) if id(node) in sites]
            numbers = [one for one in operands if not isinstance(one.part, ast.Constant)]
            if site.is_local or site.is_right or not numbers or len(operands) != len(_operands_of(site.part)) or self.like(site):
                continue
            value = self.line.part_value(self.line.home, site.part, site.definition)
            if value is None or np.asarray(value).dtype.kind not in "iuf" or (not np.ndim(value) and value in TRIVIAL):
                continue
            following = [self._following(one) for one in numbers]
            # order of the operands: operations, then calls of functions, then names
            order = sorted(range(len(numbers)), key=lambda place: [isinstance(numbers[place].part, one) for one in (ast.Name, ast.Call)])
            place = next((place for place in order if following[place]), None)
            if all(words is not None for words in following) and place is not None and place_in_line(site.text, site.part) != (0, 0):
                words = f"{following[place]}, too, but not this one" if following[place] == _operation(site.part) else following[place]
                parts = " and ".join(dict.fromkeys(f"`{_text(one)}`" for one in numbers))
                return site, (FIRST.format(parts), NEXT.format(_text(numbers[place]), words))
        return None

    def _following(self, site: Site) -> str | None:
        """Return the only operation that the formula applies to the value of a part; None if the formula does not contain the value."""
        nodes = [node for node in self.like(site) if id(node) in self.parents]
        words = {_operation(self.parents[id(node)]) for node in nodes}
        return None if not nodes else words.pop() if len(words) == 1 else ""

    # -- distributions ---------------------------------------------------------------------------------------------------------
    def lacking_functions(self) -> Iterator[str]:
        """Yield sentences on functions of the line that the formula does not have."""
        formula = (
            {node.attr for node in ast.walk(self.trees[0]) if isinstance(node, ast.Attribute)} if self.trees[0] is not None else {"log"}
        )
        for site in self.line.sites if "log" not in formula and self.context.is_number else ():
            path = self.line.home.path(site.part.func, site.definition.time, {}) if isinstance(site.part, ast.Call) else ""
            method = site.part.func.attr if isinstance(site.part, ast.Call) and isinstance(site.part.func, ast.Attribute) else ""
            for name, words in LACKING.items():
                is_needed = name in ("ceil", "floor") and bool(np.all(self.context.y == np.floor(self.context.y)))
                is_needed = is_needed or (name == "std" and not self._is_of_a_column_without_squares(site))
                if name in (*path.split("."), method) and name not in formula and not is_needed:
                    yield LACKS.format(words)

    def _is_of_a_column_without_squares(self, site: Site) -> bool:
        """Return whether a call gets a column of the formula, and the formula contains no square, which a standard deviation needs."""
        match site.part:
            case ast.Call(ast.Attribute(inner), arguments) if self.trees[0] is not None and not site.is_local:
                powers = [node for node in ast.walk(self.trees[0]) if isinstance(node, ast.Pow)]
                part = next(iter(arguments), inner)
                name = self.line.quantity_of(part, site.definition)
                return not powers and name in self.context.step.slots and bool(np.ndim(self.line.home.quantities(name)))
        return False

    def argument_remarks(self) -> Iterator[str]:
        """Yield sentences on arguments of a distribution that are not those of the formula."""
        right = [] if self.trees[0] is None else [*_distributions(self.trees[0])]
        if len(right) != 1:
            return
        law, function, arguments = right[0]
        for site in self.line.sites:
            name = self.line.home.path(site.part.func, site.definition.time, {}) if isinstance(site.part, ast.Call) else ""
            own_law, _, own_function = name.removeprefix("scipy.stats.").partition(".")
            is_same = own_law == law and any({function, own_function} <= {*kind} for kind in (("sf", "cdf"), ("isf", "ppf")))
            given = getattr(site.part, "args", [])
            if site.is_local or not is_same or len(given) != len(arguments) or getattr(site.part, "keywords", []):
                continue
            words = ["the probability" if function in ("isf", "ppf") else "the value", *(f"the {one}" for one in PARAMETERS.get(law, ()))]
            # in the opposite tail, an argument x becomes -x or c - x: c is 1 for a probability, and n - 1 for a count in n tosses
            tosses = self._value(0, arguments[1]) if law == "binom" else None
            opposite = [1] if function in ("isf", "ppf") else [] if tosses is None else [tosses - 1]
            # for the quantile function of the other tail, the formula's own probability is wrong, unless the distribution is symmetric
            is_turned = function != own_function and function in ("isf", "ppf") and law not in ("t", "norm")
            wrong = [
                f"{what} (`{ast.unparse(part)}`)"
                for place, (what, part) in enumerate(zip(words, given, strict=False))
                if not self._is_argument(site, part, arguments[place], opposite if not place and function != own_function else [])
                or (
                    is_turned
                    and not place
                    and agrees(self.line.part_value(self.line.home, part, site.definition), self._value(0, arguments[0]))
                )
            ]
            if wrong:
                yield ARGUMENTS.format(_text(site), "; ".join(wrong))

    def _is_argument(self, site: Site, part: ast.expr, node: Any, others: list[Any]) -> bool:
        """Return whether an argument has the right value on the student's data, perhaps rounded.

        An argument that is right on these data cannot be what makes the answer wrong; that it may be wrong on other data, for example
        because a line above contains a typed number, is not said.
        """
        own, wanted = self.line.part_value(self.line.home, part, site.definition), self._value(0, node)
        if own is None or wanted is None:
            return True
        return any(agrees(own, form) or is_equal(own, form) for form in (wanted, -wanted, *(one - wanted for one in others)))

    # -- decisions -------------------------------------------------------------------------------------------------------------
    def comparison_remark(self) -> str:
        """Return what the line compares if the question compares something else; empty if nothing can be said."""
        tree = self.trees[0]
        own = (site.part for site in self.line.sites if site.definition is self.line.definition)
        compared = [part for part in own if isinstance(part, ast.Compare)]
        if not isinstance(tree, ast.Compare) or len(tree.comparators) != 1 or len(compared) != 1 or len(compared[0].comparators) != 1:
            return ""
        wanted = [self._label_of(node) for node in (tree.left, tree.comparators[0])]
        sites = {id(site.part): site for site in self.line.sites}
        sides = [sites.get(id(node)) for node in (compared[0].left, compared[0].comparators[0])]
        if any(site is None or site.is_local for site in sides):
            return self._limit_remark([site for site in sides if site is not None and not site.is_local], wanted)
        if not all(wanted):
            return ""
        if all(any(node in self.like(site) for node in (tree.left, tree.comparators[0])) for site in sides if site):
            return ""
        return COMPARES.format(*(text for site in sides if site for text in (_text(site), self._words_of(site))), *wanted)

    def _limit_remark(self, sites: list[Site], wanted: list[str]) -> str:
        """Return a remark if only one side of the comparison has a single value; empty if the formula has no such comparison."""
        labels = [label for label in wanted if label]
        if len(sites) != 1 or len(labels) != 1 or self.line.part_value(self.line.home, sites[0].part, sites[0].definition) is None:
            return ""
        node = next(node for node in (self.trees[0].left, self.trees[0].comparators[0]) if self._label_of(node))
        is_right = any(like is node for like in self.like(sites[0]))
        return (OTHER_SIDE if is_right else LIMIT).format(_text(sites[0]), labels[0])

    def _label_of(self, node: Any) -> str:
        return quantity_label(type(self.context.test), node.name) if isinstance(node, KnownQuantity) else ""

    def _words_of(self, site: Site) -> str:
        name = self.line.quantity_of(site.part, site.definition)
        if name:
            return f" ({quantity_label(type(self.context.test), name)})"
        known = self.line.history.find(site.part.id, site.definition.time) if isinstance(site.part, ast.Name) else None
        keys = [key for key, definitions in self.line.history.checked.items() if known in definitions]
        return f" (your answer to {keys[0]})" if keys else ""


def _turn(site: Site) -> tuple[int, ...]:
    """Return the sort key of the order in which Python computes the parts of lines."""
    line, end, start = (getattr(site.part, name, None) or 0 for name in ("end_lineno", "end_col_offset", "col_offset"))
    return site.definition.time, line, end, -start


def _text(site: Site) -> str:
    start, stop = place_in_line(site.text, site.part)
    return site.text[start:stop] or ast.unparse(site.part)


def _operands(tree: Any) -> list[Any]:
    """Return the parts of a formula, without the names of functions."""
    functions = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Call) for inner in ast.walk(node.func)}
    return [node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in functions]


def _operands_of(part: Any) -> list[Any]:
    """Return the operands of an operation, or the arguments of a call."""
    match part:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.UnaryOp(ast.USub(), operand):
            return [operand]
        case ast.Call(ast.Attribute(ast.Name("np" | "math"), _), arguments) | ast.Call(ast.Name("abs" | "sum" | "min" | "max"), arguments):
            return list(arguments)
        case ast.Call(ast.Attribute(owner, "sum" | "mean" | "std" | "var" | "min" | "max"), []):
            return [owner]
    return []


def _operation(node: Any) -> str:
    """Return the description of an operation; empty if there is none."""
    match node:
        case ast.BinOp(_, ast.Pow(), ast.Constant(2)):
            return "a square"
        case ast.BinOp(_, operator, _):
            return OPERATIONS.get(type(operator), "")
        case ast.Call(function):
            return FUNCTIONS.get(ast.unparse(function).rpartition(".")[2], "")
    return ""


def _distributions(tree: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield (distribution, function, arguments) for each distribution in a formula."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(ast.Attribute(ast.Name("stats"), law), function), arguments) if function in (*UPPER, *LOWER):
                yield law, function, arguments
