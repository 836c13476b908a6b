"""Small changes of one part of a line: what a slip of one operation, one number or one missing part would take back."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .pure_evaluator import KnownQuantity

SIGN = "The operation between its two sides is wrong: add, subtract, multiply or divide?"
ORDER = "Its two sides are exchanged: what comes first?"
EXTRA_ROOT, NO_ROOT = "There is a square root too many.", "A square root is missing here."
EXTRA_CALL = "`{}` does not belong here."
NO_SQUARE, NO_SIZE = "A square is missing here.", "The sign should not matter here: the absolute value is missing."
TWO = "A factor of 2 is missing here, or is too much."
REST = "A probability and the probability of the opposite event are exchanged here."
RECIPROCAL, NEGATIVE = "Numerator and denominator are exchanged here.", "The sign is wrong here."
BY_ONE = "This number is wrong by one: what is counted here, and what was spent on an estimate?"
TAIL = "`{}` is another function of the distribution than the one you need: which tail, and is it a probability or a value?"
LAW = "This is another distribution than the one that belongs here."
DIVISOR = "`{}` divides by n here or by n - 1: the other divisor belongs here."
SPREAD = "A variance and a standard deviation are exchanged here."
AXIS = "Along which direction should this go: down the columns, along the lines, or over all numbers?"
OTHER_FUNCTION = "`{}` is not the right function here."
COMPARISON = "The comparison is wrong here: which way round is it, and does it include equality?"
ROUNDED = "You round inside the line: compute with all digits, and round only the result."
TYPED = "You typed {} here. Another number belongs here."
TYPED_DATA = "You typed {} here. It does not fit these data: compute it from them."
NOT_PART = "This part does not belong here."
NESTED = "Two operations are in the wrong order here: what is done first?"
ROOT_OVER = "The square root stands over too much, or over too little."
OTHER_PART = "This is another quantity than the one that belongs here."
MISSING = "A part is missing here."

MISSING_RANK = 4  # rank of a missing part: the last one
OPERATORS: dict[type, tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.Sub),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
TAILS = ("sf", "cdf", "ppf", "isf", "pmf", "pdf")
LAWS = ("t", "norm", "chi2", "f")
ROOTS, DROPPED = ("sqrt",), ("abs", "absolute", "round", "square", "log", "exp", "mean", "sum", "min", "max", "int", "floor", "ceil")
GROUPS = (("min", "max"), ("minimum", "maximum"), ("floor", "ceil"), ("sum", "mean", "median"), ("any", "all"), ("std", "var"))
GROUPS_OF_STATISTICS = (("stdev", "pstdev", "variance", "pvariance"),)


class Edit(NamedTuple):
    """A changed part of a line: what would stand in its place, the slip in words, the known quantity in it, and the part to mark."""

    part: ast.expr
    replacement: ast.expr
    words: str
    rank: int
    quantity: str = ""
    marked: ast.expr | None = None


def edits(part: Any, quantities: Mapping[str, bool], is_whole: bool) -> Iterator[Edit]:
    """Yield the changes of a part, likely slips first.

    Parameters
    ----------
    part : ast.expr
        The part.
    quantities : mapping
        The known quantities that may belong here, and whether each is a whole number.
    is_whole : bool
        Whether the part is the whole line, which no known quantity replaces.
    """
    yield from _operations(part)
    yield from _nested(part)
    yield from _wraps(part)
    if not is_whole:
        for name, is_count in quantities.items():
            yield from _other_quantity(part, name, is_count)
    match part:
        case ast.Call(ast.Attribute(ast.Attribute(module, law), tail), [value, *_]) if law in LAWS and tail in TAILS:
            for name in quantities:  # Student's t for the normal distribution
                call = ast.Attribute(ast.Attribute(module, "t"), tail)
                yield Edit(part, ast.Call(call, [value, KnownQuantity(name)], []), LAW, 3, name)
    if not isinstance(part, ast.Constant | ast.List | ast.Tuple):
        for name in quantities:
            known = KnownQuantity(name)
            for operator in (ast.Sub, ast.Mult, ast.Div, ast.Add):
                yield Edit(part, ast.BinOp(part, operator(), known), MISSING, MISSING_RANK, name)
            for other in (_root(known), ast.BinOp(known, ast.Sub(), ast.Constant(1))):
                yield Edit(part, ast.BinOp(part, ast.Mult(), other), MISSING, MISSING_RANK, name)
                yield Edit(part, ast.BinOp(part, ast.Div(), other), MISSING, MISSING_RANK, name)


def _root(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Pow(), ast.Constant(0.5))


def _operations(part: Any) -> Iterator[Edit]:
    """Yield changes of the operation of a part: its sign, its function, its arguments."""
    match part:
        case ast.BinOp(left, operator, right):
            if isinstance(operator, ast.Sub | ast.Div | ast.Pow):
                yield Edit(part, ast.BinOp(right, operator, left), ORDER, 1)
            for other in OPERATORS.get(type(operator), ()):
                yield Edit(part, ast.BinOp(left, other(), right), SIGN, 1)
            yield Edit(part, left, NOT_PART, 1, marked=right)
            yield Edit(part, right, NOT_PART, 1, marked=left)
        case ast.UnaryOp(ast.USub(), operand):
            yield Edit(part, operand, NEGATIVE, 1)
        case ast.UnaryOp(_, operand):
            yield Edit(part, operand, OTHER_PART, 1)
        case ast.Compare(left, [sign], [right]):
            for other_sign in COMPARISONS:
                if not isinstance(sign, other_sign):
                    yield Edit(part, ast.Compare(left, [other_sign()], [right]), COMPARISON, 1)
        case ast.Constant(bool() | None | str()):
            return
        case ast.Constant(float() | int() as number):
            for near in {number - 1, number + 1, number / 2, 2 * number, 1 - number, 1 - number / 2, -number}:
                yield Edit(part, ast.Constant(near), TYPED.format(f"{number:g}"), 1)
        case ast.Subscript(value, ast.Tuple([first, second])):
            yield Edit(part, ast.Subscript(value, ast.Tuple([second, first])), "Line and column are exchanged here.", 1)
        case ast.Subscript(value, _):
            yield Edit(part, value, NOT_PART, 2)
        case ast.Call(function):
            yield from _calls(part, function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", ""))


def _nested(part: Any) -> Iterator[Edit]:
    """Yield two operations in the other order: a square and a sum, or a root and a fraction."""
    match part:
        case ast.BinOp(ast.Call(ast.Attribute(value, "sum" | "mean" as name), arguments, keywords), ast.Pow(), ast.Constant(2) as two):
            inner = ast.BinOp(arguments[0] if arguments else value, ast.Pow(), two)
            yield Edit(part, ast.Call(ast.Attribute(inner, name), [], keywords), NESTED, 1)
        case ast.Call(ast.Attribute(ast.BinOp(value, ast.Pow(), two), "sum" | "mean" as name), [], keywords):
            yield Edit(part, ast.BinOp(ast.Call(ast.Attribute(value, name), [], keywords), ast.Pow(), two), NESTED, 1)
        case ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [ast.BinOp(left, ast.Mult() | ast.Div() as operator, right)]):
            yield Edit(part, ast.BinOp(left, operator, _root(right)), ROOT_OVER, 1)
            yield Edit(part, ast.BinOp(_root(left), operator, right), ROOT_OVER, 1)
        case ast.BinOp(ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [left]), ast.Mult() | ast.Div() as operator, right):
            yield Edit(part, _root(ast.BinOp(left, operator, right)), ROOT_OVER, 1)
        case ast.BinOp(left, ast.Mult() | ast.Div() as operator, ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [right])):
            yield Edit(part, _root(ast.BinOp(left, operator, right)), ROOT_OVER, 1)


def _calls(part: ast.Call, name: str) -> Iterator[Edit]:
    function: Any = part.func
    is_method = isinstance(function, ast.Attribute)
    inner = part.args[0] if part.args else function.value if is_method else None
    if inner is not None and name in ROOTS:
        yield Edit(part, inner, EXTRA_ROOT, 1)
    elif inner is not None and name in DROPPED:
        yield Edit(part, inner, ROUNDED if name == "round" else EXTRA_CALL.format(name), 1 if name == "round" else 2)
    for group in (*GROUPS, *GROUPS_OF_STATISTICS, TAILS):
        for other in group if name in group and (is_method or group in GROUPS) else ():
            if other != name:
                renamed = ast.Attribute(function.value, other) if is_method else ast.Name(other)
                words = TAIL if group is TAILS else SPREAD if name in ("std", "var") else DIVISOR if "stdev" in group else OTHER_FUNCTION
                other_call = ast.Call(renamed, part.args, part.keywords)
                yield Edit(part, other_call, words.format(name), 1)
                if group is TAILS:
                    yield Edit(part, ast.BinOp(ast.Constant(2), ast.Mult(), other_call), words.format(name), 3)
    if name in ("std", "var"):
        others = [one for one in part.keywords if one.arg != "ddof"]
        now = next((one.value for one in part.keywords if one.arg == "ddof"), ast.Constant(0))
        for divisor in (0, 1):
            if ast.unparse(now) != str(divisor):
                named = [*others, ast.keyword("ddof", ast.Constant(divisor))]
                yield Edit(part, ast.Call(function, part.args, named), DIVISOR.format(name), 1)
                for both in ("std", "var"):
                    if both != name and is_method:
                        yield Edit(part, ast.Call(ast.Attribute(function.value, both), part.args, named), OTHER_FUNCTION.format(name), 3)
    if name in ("sum", "mean", "std", "var", "min", "max", "median", "rankdata", "cumsum", "argsort"):
        others = [one for one in part.keywords if one.arg != "axis"]
        for axis in (0, 1, None):
            yield Edit(part, ast.Call(function, part.args, [*others, ast.keyword("axis", ast.Constant(axis))]), AXIS, 1)
    if name in TAILS and isinstance(function, ast.Attribute) and isinstance(function.value, ast.Attribute):
        for law in LAWS:
            if law != function.value.attr:
                other_law = ast.Attribute(ast.Attribute(function.value.value, law), name)
                yield Edit(part, ast.Call(other_law, part.args[:1], []), LAW, 1)
                yield Edit(part, ast.Call(other_law, part.args, []), LAW, 1)
    if len(part.args) == 2 and not part.keywords:
        yield Edit(part, ast.Call(function, part.args[::-1], []), ORDER, 2)


def _wraps(part: Any) -> Iterator[Edit]:
    """Yield a root, a square, a sign or a factor of 2 that may be missing."""
    if isinstance(part, ast.List | ast.Tuple | ast.Constant):
        return
    one, two = ast.Constant(1), ast.Constant(2)
    yield Edit(part, _root(part), NO_ROOT, 1)
    yield Edit(part, ast.BinOp(part, ast.Pow(), two), NO_SQUARE, 1)
    yield Edit(part, ast.BinOp(_root(ast.BinOp(part, ast.Pow(), two)), ast.Mult(), one), NO_SIZE, 1)
    yield Edit(part, ast.BinOp(part, ast.Mult(), two), TWO, 1)
    yield Edit(part, ast.BinOp(part, ast.Div(), two), TWO, 1)
    yield Edit(part, ast.BinOp(one, ast.Sub(), part), REST, 1)
    yield Edit(part, ast.BinOp(part, ast.Sub(), one), BY_ONE, 1)
    yield Edit(part, ast.BinOp(part, ast.Add(), one), BY_ONE, 1)
    yield Edit(part, ast.BinOp(one, ast.Div(), part), RECIPROCAL, 2)
    yield Edit(part, ast.UnaryOp(ast.USub(), part), NEGATIVE, 1)


def _other_quantity(part: Any, name: str, is_count: bool) -> Iterator[Edit]:
    """Yield a known quantity, or a number that follows from it, in the place of a part."""
    known = KnownQuantity(name)
    words = (TYPED_DATA if is_count else TYPED).format(part.value) if isinstance(part, ast.Constant) else OTHER_PART
    rank = 2 if isinstance(part, ast.Constant | ast.Name) else 3
    yield Edit(part, known, words, rank, name)
    if is_count:
        yield Edit(part, ast.BinOp(known, ast.Sub(), ast.Constant(1)), words, rank, name)
        yield Edit(part, ast.BinOp(known, ast.Add(), ast.Constant(1)), words, rank + 1, name)
    if name == "alpha":
        half = ast.BinOp(known, ast.Div(), ast.Constant(2))
        yield Edit(part, half, words, rank, name)
        yield Edit(part, ast.BinOp(ast.Constant(1), ast.Sub(), half), words, rank, name)
        yield Edit(part, ast.BinOp(ast.Constant(1), ast.Sub(), known), words, rank, name)
