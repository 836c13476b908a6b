"""Translate mathematical formulas to NumPy and SciPy expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....distributions.continuous_distributions import ChiSquared, FisherF, Normal, StudentT
from ....distributions.studentized_range import StudentizedRange
from ....distributions.symmetric_binomial import SymmetricBinomial
from ....procedures.formula import formula_functions

DIGITS, ALL_DIGITS = 6, 17
TRIED = 10_000  # integers below this limit are tried to find the smallest integer that fulfils a condition
# NumPy expression for each function in formulas
SPELLED = {
    "ratio": "({}) / ({})",
    "noise_free_difference": "({}) - ({})",
    "np.abs": "abs({})",
    "sample_sd": "np.std({}, axis=0, ddof=1)",
    "up_to": "np.arange(1, ({}) + 1)",
    "normal_quantile": "stats.norm.ppf({})",
}
OF_NUMBERS = {"np.minimum": "min", "np.maximum": "max"}
# name and parameters in scipy.stats for each class of distributions
LAWS: dict[type, tuple[str, tuple[str, ...]]] = {
    StudentT: ("t", ("df",)),
    ChiSquared: ("chi2", ("df",)),
    FisherF: ("f", ("df", "df_error")),
    StudentizedRange: ("studentized_range", ("k", "df")),
    SymmetricBinomial: ("binom", ("n",)),
    Normal: ("norm", ("mean", "sd")),
}


class NotExpressible(ValueError):
    """The formula has no numpy or SciPy expression."""


def written(template: str, *nodes: ast.AST) -> Any:
    """Build the syntax tree of a template whose slots are filled with other syntax trees."""
    return ast.parse(template.format(*map(ast.unparse, nodes)), mode="eval").body


def literal(value: Any, digits: int | None = None) -> str:
    """Write a number, or a list of numbers, as Python source; with DIGITS digits by default."""
    x = np.asarray(value)
    if x.dtype.kind not in "fiub":
        raise NotExpressible(f"a value of the type {x.dtype} is no number")
    if x.ndim:
        return "[" + ", ".join(map(literal, x)) + "]"
    if not np.isfinite(x):
        return f"{'-' if x < 0 else ''}np.inf"
    return str(int(x)) if x.dtype.kind in "iub" or (x == np.floor(x) and abs(x) < 1e7) else f"{float(x):.{digits or DIGITS}g}"


def _factors(node: ast.AST) -> list[Any]:
    """Return the factors of a product."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "product":
        return [factor for one in node.args for factor in _factors(one)]
    return [node]


class NumpyWriter(ast.NodeTransformer):
    """Rewrite a formula as Python: replace slots by numbers, and functions by their names in numpy and SciPy."""

    digits: int | None = None  # number of significant digits of the parameters of distributions; None means DIGITS

    def __init__(self, test: Procedure) -> None:
        self.names = {**vars(formula_functions), "t": test}

    def _value(self, node: ast.expr) -> Any:
        return eval(ast.unparse(node), self.names)

    def _is_number(self, node: ast.expr) -> bool:
        return np.ndim(self._value(node)) == 0

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Visit a slot."""
        return written(literal(self._value(node))) if ast.unparse(node.value) == "t" else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Visit a sign or a negation."""
        return written("not ({})", self.visit(node.operand)) if isinstance(node.op, ast.Invert) else self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Visit arithmetic, the conjunction of two conditions on numbers, or a condition that is counted."""
        if isinstance(node.op, ast.BitAnd) and self._is_number(node):
            return written("({}) and ({})", self.visit(node.left), self.visit(node.right))
        if isinstance(node.left, ast.Compare) and ast.unparse(node.right) == "0":
            return self.visit(node.left)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Visit an index or a new axis."""
        index, value = ast.unparse(node.slice), self.visit(node.value)
        if index.startswith("(None") and index.count("None") == 1:
            return value  # NumPy adds leading axes automatically, so leave them out
        if index == "(:, None)" and isinstance(value, ast.Call) and [ast.unparse(one) for one in value.keywords] == ["axis=1"]:
            return ast.Call(value.func, value.args, [*value.keywords, ast.keyword("keepdims", ast.Constant(True))])
        return ast.Subscript(value, self.visit(node.slice))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Visit a number or a new axis."""
        return written("np.newaxis") if node.value is None else node

    def visit_Call(self, node: ast.Call) -> Any:
        """Visit a call of numpy or of a function of formulas."""
        name = ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("low", "high"):
            return self._quantile(node.func.value, {"low": "ppf", "high": "isf"}[node.func.attr], node.args[0])
        if name in OF_NUMBERS and self._is_number(node):
            return ast.Call(written(OF_NUMBERS[name]), [self.visit(one) for one in node.args], [])
        if name in SPELLED:
            return written(SPELLED[name], *map(self.visit, node.args))
        special: Callable[[ast.Call], Any] | None = getattr(self, "_" + name.replace(".", "_"), None)
        if special:
            return special(node)
        if name.startswith("stats."):  # calls of scipy.stats occur only in the formulas of BY_HAND in python_call.py
            return self.generic_visit(node)
        if not name.startswith("np."):
            raise NotExpressible(name)
        return self._of_numpy(name, node)

    def _of_numpy(self, name: str, node: ast.Call) -> ast.Call:
        """Write a call of NumPy; leave out `axis` if the argument has only one axis, or if the result is a single number."""
        one_way = self._is_number(node) or np.ndim(self._value(node.args[0])) == 1
        arguments, keywords = node.args, node.keywords
        if name in ("np.sort", "np.argsort"):
            arguments, keywords = arguments[:1], [*(ast.keyword("axis", one) for one in arguments[1:]), *keywords]
        return ast.Call(written(name), [*map(self.visit, arguments)], [one for one in keywords if not (one.arg == "axis" and one_way)])

    # -- sums, means, standard deviations --------------------------------------------------------------------------------------
    def _np_sum(self, node: ast.Call) -> ast.AST:
        match node.args[0]:
            case ast.Call(ast.Attribute(attr="where"), [holds, x, ast.Constant(0)]) if self._is_number(node):
                if np.shape(self._value(holds)) == np.shape(self._value(x)):
                    return written("np.sum(({})[{}])", self.visit(x), self.visit(holds))
        return self._of_numpy("np.sum", node)

    def _share_and_sum(self, factors: list[ast.expr]) -> tuple[ast.Call, ast.Call, float] | None:
        """Return the factor 1 / n, the sum, and the number of terms of the sum; None if the product lacks the factor or the sum."""
        shares = [one for one in factors if ast.unparse(one).startswith("ratio(1, ")]
        sums = [one for one in factors if ast.unparse(one).startswith("np.sum(")]
        if not shares or not sums:
            return None
        share, total = shares[-1], sums[0]
        assert isinstance(share, ast.Call)
        assert isinstance(total, ast.Call)
        return share, total, np.size(self._value(total.args[0])) / np.size(self._value(total))

    def _product(self, node: ast.Call) -> Any:
        factors = _factors(node)
        if parts := self._share_and_sum(factors):
            share, total, count = parts
            if np.array_equal(self._value(share.args[1]), count):
                mean = ast.Call(written("np.mean"), total.args, total.keywords)
                factors = [mean if one is total else one for one in factors if one is not share]
        return reduce(lambda x, y: written("({}) * ({})", x, y), map(self.visit, factors))

    def _np_sqrt(self, node: ast.Call) -> ast.AST:
        if parts := self._share_and_sum(_factors(node.args[0])):
            share, total, count = parts
            match total.args[0]:
                case ast.BinOp(ast.BinOp(x, ast.Sub(), center), ast.Pow(), ast.Constant(2)):
                    axis = self._value(total.keywords[0].value)
                    about_the_mean = np.allclose(self._value(center), np.mean(self._value(x), axis, keepdims=True))
                    if about_the_mean and np.array_equal(self._value(share.args[1]), count - 1):
                        spread = self._of_numpy("np.std", ast.Call(total.func, [x], total.keywords))
                        spread.keywords.append(ast.keyword("ddof", ast.Constant(1)))
                        return spread
        return self._of_numpy("np.sqrt", node)

    def _count(self, node: ast.Call) -> ast.Call:
        return self._of_numpy("np.sum", node)

    def _entry_count(self, node: ast.Call) -> Any:
        array, *axes = node.args
        if len(axes) == np.ndim(self._value(array)):
            return written("len({})" if len(axes) == 1 else "np.array({}).size", self.visit(array))
        raise NotExpressible("a number of entries along some axes has no short NumPy expression")

    # -- arrays ---------------------------------------------------------------------------------------------------------------
    def _ranks_of(self, node: ast.Call) -> Any:
        x, *axis = node.args
        if node.keywords:
            # a difference of 0 gets the rank 0; the number of zeros is subtracted from the other ranks
            return written("(stats.rankdata({0}) - np.sum({0} == 0)).clip(0)", self.visit(x))
        along = f", axis={ast.unparse(axis[0])}" if axis and np.ndim(self._value(x)) > 1 else ""
        return written(f"stats.rankdata({{}}{along})", self.visit(x))

    def _running_extreme(self, node: ast.Call) -> Any:
        extreme, x, _, backwards = node.args
        turned = "[::-1]" if self._value(backwards) else ""
        return written(f"{ast.unparse(extreme)}.accumulate(({{}}){turned}){turned}", self.visit(x))

    def _reorder(self, node: ast.Call) -> Any:
        if np.any(np.diff(self._value(node)) < 0):
            raise NotExpressible("only sorting in ascending order has a short NumPy expression")
        return written("np.sort({})", self.visit(node.args[0]))

    def _stack(self, node: ast.Call) -> ast.AST:
        place, *values = node.args
        if self._value(place):
            raise NotExpressible("columns of values side by side have no short NumPy expression")
        return ast.List([self.visit(one) for one in values])

    def _first_integer(self, node: ast.Call) -> Any:
        match node.args[0]:
            case ast.Lambda(ast.arguments(args=[ast.arg(letter)]), holds):
                if self._value(node) < TRIED:
                    self.names[letter] = 1
                    return written(f"[{letter} for {letter} in range({TRIED}) if {{}}][0]", self.visit(holds))
        raise NotExpressible("the search for the smallest number that fulfils the condition would be too long")

    # -- distributions -------------------------------------------------------------------------------------------------------
    def _law(self, node: ast.expr) -> tuple[str, str]:
        """Return the name of a distribution in SciPy, and its parameters as the text of further arguments."""
        law = self._value(node)
        if type(law) not in LAWS:
            raise NotExpressible(f"the distribution {type(law).__name__} is not in scipy.stats")
        name, parameters = LAWS[type(law)]
        written = [literal(getattr(law, one), self.digits) for one in parameters]
        if isinstance(node, ast.Call) and name in ("t", "chi2", "f") and not any(isinstance(one, ast.Starred) for one in node.args):
            written = [ast.unparse(self.visit(one)) for one in node.args]
        if name == "norm" and written == ["0", "1"]:
            written = []
        return name, "".join(f", {one}" for one in (*written, *(["0.5"] if name == "binom" else [])))

    def _probability(self, node: ast.Call) -> Any:
        name, parameters = self._law(node.args[0])
        relation, x = self._value(node.args[1]), self.visit(node.args[2])
        tail = "sf" if relation[0] == ">" else "cdf"
        # for a binomial distribution, P(X < x) = cdf(x - 1) and P(X >= x) = sf(x - 1)
        before = " - 1" if name == "binom" and relation in (">=", "<") else ""
        return written(f"stats.{name}.{tail}({{}}{before}{parameters})", x)

    def _quantile(self, law: ast.expr, function: str, alpha: ast.expr) -> Any:
        name, parameters = self._law(law)
        if name == "binom":
            raise NotExpressible("SciPy defines quantiles of a discrete distribution in another way")
        return written(f"stats.{name}.{function}({{}}{parameters})", self.visit(alpha))


class SlotWriter(NumpyWriter):
    """Rewrite a formula as Python in which each slot is a name."""

    digits = ALL_DIGITS  # the computed value is compared with the right value, so all digits are needed

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Visit a slot."""
        return ast.Name(node.attr, ast.Load()) if ast.unparse(node.value) == "t" else node

    def _product(self, node: ast.Call) -> Any:
        return reduce(_times, map(self.visit, node.args))

    def _np_sqrt(self, node: ast.Call) -> ast.AST:
        return self._of_numpy("np.sqrt", node)


def _times(left: Any, right: Any) -> Any:
    """Return a product; a product with 1 / n becomes a fraction: ``1 / n * x`` is ``x / n``."""
    match left:
        case ast.BinOp(ast.Constant(1), ast.Div(), below):
            return ast.BinOp(right, ast.Div(), below)
    return written("({}) * ({})", left, right)
