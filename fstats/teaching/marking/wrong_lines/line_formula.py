"""Convert a line of code to a mathematical formula.

The formula can be an entry of mistakes.toml.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ....core.procedure import Procedure
from ....procedures.formula import VerbalFormulaError, step_function
from ...grading.exercise import required_steps
from ...grading.student_lines.line_values import agrees
from .normal_form import NormalForm

LAWS = {"t": ("t_{%s}", 1), "chi2": (r"\chi^2_{%s}", 1), "f": ("F_{%s, %s}", 2), "norm": (r"\mathrm{Normal}(0, 1)", 0)}
LAWS |= {"binom": (r"\mathrm{Bin}(%s, %s)", 2)}
COMPARED: dict[type, str] = {ast.Lt: "<", ast.LtE: r"\leq", ast.Eq: "=", ast.NotEq: r"\neq", ast.Gt: ">", ast.GtE: r"\geq"}
IN_BRACKETS = {"sqrt": r"\sqrt{%s}", "abs": "|%s|", "floor": r"\lfloor %s\rfloor", "ceil": r"\lceil %s\rceil"}
IN_BRACKETS |= {"rankdata": r"\mathrm{rank}(%s)"}
BEFORE = {"mean": r"\text{mean of } %s", "median": r"\mathrm{median}\,%s", "log": r"\ln %s"}


def line_formula(form: NormalForm, tests: Sequence[Procedure], step: str, answer: Any) -> str:
    """Return the formula of a line; empty if the line has no formula, or if the formula does not give the answer.

    Parameters
    ----------
    form : NormalForm
        The normal form of the line.
    tests : sequence of Procedure
        The test on the student's data, with right steps and with the student's earlier answers.
    step, answer
        The step that the question asks for, and the answer that the line gave.
    """
    test = type(tests[0])
    known = {*test.steps, *test.inputs}
    # reject a formula with an unknown name, or in which the step would depend on itself
    if any(name not in known or step in required_steps(test, name) for name in form.names):
        return ""
    try:
        formula = _FormulaWriter(test, form).write(form.tree)
        function = step_function(test, formula, test.over(step))
        return formula if any(agrees(function(one), answer) for one in tests) else ""
    except (VerbalFormulaError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return ""


class _FormulaWriter:
    def __init__(self, test: type[Procedure], form: NormalForm) -> None:
        self.test, self.names = test, form.names

    def write(self, node: Any, tight: bool = False) -> str:
        """Return the formula of an expression; `tight` puts sums and products into parentheses."""
        text = self._written(node)
        is_whole = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Pow)
        is_loose = isinstance(node, ast.UnaryOp | ast.Compare | ast.BinOp) and not is_whole
        return f"({text})" if tight and is_loose else text

    def _written(self, node: Any) -> str:
        match node:
            case ast.Name(name) if name in self.names:
                return f"${name}"
            case ast.Constant(bool()):
                raise VerbalFormulaError("a truth value cannot be written in a formula")
            case ast.Constant(int() | float() as number):
                return f"{number:.12g}"
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self.write(operand, tight=True)}"
            case ast.BinOp(left, ast.Add(), right):
                return f"{self.write(left)} + {self.write(right)}"
            case ast.BinOp(left, ast.Sub(), right):
                is_sum = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add | ast.Sub)
                return f"{self.write(left)} - {self.write(right, tight=is_sum)}"
            case ast.BinOp(left, ast.Mult(), right):
                return f"{self.write(left, tight=_is_sum(left))} \\cdot {self.write(right, tight=_is_sum(right))}"
            case ast.BinOp(left, ast.Div(), right):
                return f"\\frac{{{self.write(left)}}}{{{self.write(right)}}}"
            case ast.BinOp(left, ast.Pow(), right):
                base, power = self.write(left), self.write(right)
                simple = isinstance(left, ast.Name | ast.Constant)
                return f"{base if simple else f'({base})'}^{power if len(power) == 1 else f'{{{power}}}'}"
            case ast.Compare(left, [sign], [right]):
                return f"{self.write(left)} {COMPARED[type(sign)]} {self.write(right)}"
            case ast.Call(function, arguments, keywords):
                named = {str(one.arg): ast.unparse(one.value) for one in keywords}
                return self._called(ast.unparse(function), arguments, named)
        raise VerbalFormulaError(f"an expression of the type {type(node).__name__} cannot be written in a formula")

    def _called(self, name: str, arguments: Sequence[Any], named: dict[str, str]) -> str:
        law, _, tail = name.rpartition(".")
        if law in LAWS and not named:
            return self._tail(law, tail, arguments)
        values = [self.write(one, tight=name not in IN_BRACKETS) for one in arguments]
        if name in ("min", "max") and len(values) > 1 and not named:
            return f"\\{name}\\{{{', '.join(values)}\\}}"
        if len(values) != 1 or (named and name not in ("std", "var")) or named.keys() - {"ddof"}:
            raise VerbalFormulaError(f"the function {name} with these arguments cannot be written in a formula")
        (value,) = values
        if name in ("std", "var"):
            return self._spread(name, value, named.get("ddof", "0"))
        if name in ("min", "max", "sum"):
            return f"\\{name}_{{{self._indices(arguments[0])}}} {value}"
        return f"e^{{{value}}}" if name == "exp" else (IN_BRACKETS | BEFORE)[name] % value

    def _indices(self, node: ast.expr) -> str:
        """Return the indices of the columns and tables in an expression."""
        return "".join(sorted({letter for name in self.names & _names(node) for letter in self.test.over(name)}))

    def _spread(self, name: str, value: str, ddof: str) -> str:
        """Return a standard deviation or a variance, with the divisor n or n - 1."""
        mean, sd = BEFORE["mean"] % value, rf"\text{{standard deviation of }} {value}"
        squares = BEFORE["mean"] % f"({value} - {mean})^2"
        if ddof == "1":
            return sd if name == "std" else f"({sd})^2"
        return f"\\sqrt{{{squares}}}" if name == "std" else squares

    def _tail(self, law: str, tail: str, arguments: Sequence[Any]) -> str:
        value, *parameters = map(self.write, arguments)
        symbol, count = LAWS[law]
        null = symbol % tuple(parameters[:count])
        if tail in ("ppf", "isf"):
            match arguments[0]:
                case ast.BinOp(ast.Constant(1), ast.Sub(), rest) if tail == "ppf":
                    value = self.write(rest)
                case quantile if tail == "ppf":
                    value = f"1 - {self.write(quantile, tight=True)}"
            return f"\\min\\{{x : P({null} \\geq x) \\leq {value}\\}}"
        if tail == "pmf":
            return f"P({null} = {value})"
        is_strict = law == "binom" and tail == "sf"  # scipy.stats.binom.sf(k) is P(X > k), not P(X >= k)
        return f"P({null} {dict(sf='>' if is_strict else r'>=', cdf='<=')[tail]} {value})".replace(">=", r"\geq").replace("<=", r"\leq")


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
