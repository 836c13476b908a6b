"""Small changes to a student's line of code.

A change is, for example, another operation, another number, or an added part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any, NamedTuple

from .pure_evaluator import KnownQuantity
from .regrouped_operations import regrouped

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
ENDS = "`{}` counts its probability from the wrong end of the distribution: change the function, or the probability."
LAW = "This is another distribution than the one that belongs here."
DIVISOR = "`{}` divides by n here or by n - 1: the other divisor belongs here."
SPREAD = "A variance and a standard deviation are exchanged here."
AXIS = "Along which direction should this go: down the columns, along the lines, or over all numbers?"
OTHER_FUNCTION = "`{}` is not the right function here."
COMPARISON = "The comparison is wrong here: which way round is it, and does it include equality?"
POWER = "A product, or a power? Python writes a power as `**`."
ROUNDED = "You round inside the line: compute with all digits, and round only the result."
TYPED = "You typed {} here. Another number belongs here."
TYPED_DATA = "You typed {} here. It does not fit these data: compute it from them."
NOT_PART = "This part does not belong here."
OPPOSITE = "True and False are exchanged here."
QUOTIENT = "`//` cuts off the decimals of a quotient: `/` keeps them."
LOGIC = "`and` and `or` are exchanged here: must both conditions hold, or is one of them enough?"
PAIRS = "`zip` takes the values in the same positions; two `for` take each value of one list with each of the other. Which belongs here?"
RUNNING = "Running sums are missing here: add up all values so far."
PARENTHESES = "Parentheses are missing here, or stand in the wrong place: what is computed first?"
DEGREES = "These degrees of freedom are wrong here."
ARGUMENT = "The argument `{}` is wrong here."
NO_ALTERNATIVE = "The direction of the alternative hypothesis is missing here: one side, or both sides?"
OTHER_RESULT = "You take `{}` of the result here; the question asks for another part of the result."
NESTED = "Two operations are in the wrong order here: what is done first?"
ROOT_OVER = "The square root stands over too much, or over too little."
OTHER_PART = "This is another quantity than the one that belongs here."
MISSING = "A part is missing here."
UNFINISHED_SPREAD = "A division and a square root are missing here."
EXCHANGED = "`{}` and `{}` are exchanged in this line."
NOT_WHOLE = "The question asks for a whole number: which of the two neighbours of your number fulfils the condition?"
EXPONENT = "This exponent is wrong: a square, or a square root?"
OTHER_WAY = "This order leads from the numbers to the sorted numbers; the way back belongs here."
STARTS = "`range` starts at the wrong number here: which case is left out, or counted too often?"
COUNTS_FROM_0 = "`range` counts from 0 here: which numbers does the loop need?"
FROM_ONE = "Positions count from 0: the first line or column has the number 0."

AT_ONCE = (PARENTHESES, AXIS, QUOTIENT, PAIRS, RUNNING, LOGIC)  # descriptions that the first reply gives in addition to the mark
# Descriptions of changes that are preferred if several changes repair a line, and of changes that come last, because
# other changes often have the same effect.
SINGULAR, AMBIGUOUS = (ROUNDED, PARENTHESES, POWER), (TWO, BY_ONE, NEGATIVE, RECIPROCAL, REST, NO_SQUARE)
SIGNS = (SIGN, COMPARISON, QUOTIENT)  # descriptions of changes for which only the operator is marked
CLEAR = (POWER, NESTED, PARENTHESES)  # descriptions of changes that keep all numbers, but rearrange the operations
# descriptions of changes of a number, which make no sense for True and False
OF_NUMBERS = (NO_ROOT, NO_SQUARE, NO_SIZE, TWO, REST, BY_ONE, RECIPROCAL, NEGATIVE, RUNNING, MISSING)
LIKELY, LIKELY_ANYWHERE = (NO_ROOT, EXTRA_ROOT, NO_SQUARE, NOT_PART, TWO, LAW), (SIGN, SPREAD, COMPARISON)
MISSING_RANK = 4  # rank of a change that adds a missing part; such changes are tried last
OPERATORS: dict[type, tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.Sub),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.FloorDiv: (ast.Div,),
}
# parts whose value is not a single number, so that no root, factor or quantity can be missing
NO_NUMBER = ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp | ast.Compare | ast.BoolOp
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
TAILS, QUANTILES = ("sf", "cdf", "ppf", "isf", "pmf", "pdf"), {"ppf", "isf"}
LAWS = ("t", "norm", "chi2", "f")
ROOTS, SORTED = ("sqrt",), ("sort", "sorted", "unique", "set")
DROPPED = (*SORTED, "abs", "absolute", "round", "square", "log", "exp", "mean", "sum", "min", "max", "int", "floor", "ceil")
GROUPS = (("minimum", "maximum"), ("floor", "ceil"), ("sum", "mean", "median", "max", "min", "prod"), ("any", "all"), ("std", "var"))
SORTS = ("sort", "argsort")
GROUPS_OF_STATISTICS = (
    ("stdev", "pstdev", "variance", "pvariance", "mean", "median"),
    ("ttest_rel", "ttest_ind", "wilcoxon", "mannwhitneyu"),
    ("friedmanchisquare", "f_oneway", "kruskal"),
)
RESULTS = ("statistic", "pvalue")
TESTS_WITH_SIDES = ("ttest_rel", "ttest_ind", "ttest_1samp", "wilcoxon", "mannwhitneyu", "binomtest")
ARGUMENTS = {
    "alternative": ("two-sided", "greater", "less"),
    "method": ("average", "min", "exact", "approx", "auto"),
    "zero_method": ("wilcox", "pratt", "zsplit"),
    "correction": (True, False),
    "equal_var": (True, False),
    "ascending": (True, False),
}
MOST_NAMES = 8  # maximum number of names in a line for which exchanges of two names are tried
MAX_TYPED = 12  # largest typed integer that is replaced by other small integers


class Edit(NamedTuple):
    """A changed part of a line: what would stand in its place, the slip in words, the known quantity in it, and the part to mark."""

    part: ast.expr
    replacement: ast.expr
    words: str
    rank: int
    quantity: str = ""
    marked: ast.expr | None = None
    also: tuple[Any, ...] = ()  # changes of equal parts elsewhere in the line

    @property
    def is_likely(self) -> bool:
        """Whether students make this slip so often that it may be one of two slips in a line."""
        is_compound = isinstance(self.part, ast.BinOp | ast.Call)
        is_typed = self.words.startswith("You typed") and (self.rank == 1 or bool(self.quantity))
        is_count = self.words == BY_ONE and ast.unparse(self.part).startswith("len(")
        # a correction to the other tail is unlikely if the argument is an absolute value
        of_a_size = isinstance(self.part, ast.Call) and any("abs(" in ast.unparse(one) for one in self.part.args)
        is_function = self.words.startswith("`") and " exchanged " not in self.words and not (of_a_size and TAIL[4:] in self.words)
        is_named = is_typed or is_count or (bool(self.quantity) and isinstance(self.part, ast.Name)) or is_function
        return is_named or self.words in LIKELY_ANYWHERE or (is_compound and self.words in LIKELY)


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
    yield from _loops(part)
    yield from _nested(part)
    yield from (Edit(part, other, PARENTHESES, rank) for other, rank in regrouped(part))
    yield from _wraps(part)
    if not is_whole:
        for name, is_count in quantities.items():
            yield from _other_quantity(part, name, is_count)
    match part:
        case ast.Call(ast.Attribute(ast.Attribute(module, law), tail), [value, *_]) if law in LAWS and law != "t" and tail in TAILS:
            # the line uses another distribution; try Student's t distribution
            for name in (name for name, is_count in quantities.items() if is_count):
                call = ast.Attribute(ast.Attribute(module, "t"), tail)
                yield Edit(part, ast.Call(call, [value, KnownQuantity(name)], []), LAW, 2, name)
    if is_whole:
        for function in ("ceil", "floor"):
            yield Edit(part, ast.Call(ast.Attribute(ast.Name("np"), function), [part], []), NOT_WHOLE, 2)
    if not isinstance(part, ast.Constant | NO_NUMBER):
        for name in quantities:
            known = KnownQuantity(name)
            for operator in (ast.Sub, ast.Mult, ast.Div, ast.Add):
                yield Edit(part, ast.BinOp(part, operator(), known), MISSING, MISSING_RANK, name)
            less, more = (ast.BinOp(known, sign(), ast.Constant(1)) for sign in (ast.Sub, ast.Add))
            if is_whole:
                yield Edit(part, _root(ast.BinOp(part, ast.Div(), less)), UNFINISHED_SPREAD, MISSING_RANK, name)
                yield Edit(part, ast.BinOp(known, ast.Div(), part), MISSING, MISSING_RANK, name)
            for other in (_root(known), less, more):
                yield Edit(part, ast.BinOp(part, ast.Mult(), other), MISSING, MISSING_RANK, name)
                yield Edit(part, ast.BinOp(part, ast.Div(), other), MISSING, MISSING_RANK, name)


def _root(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Pow(), ast.Constant(0.5))


def _operations(part: Any) -> Iterator[Edit]:
    """Yield changes of the operator, the function or the arguments of a part."""
    match part:
        case ast.BinOp(left, operator, right):
            if isinstance(operator, ast.Sub | ast.Div | ast.Pow):
                yield Edit(part, ast.BinOp(right, operator, left), ORDER, 1)
            for other in OPERATORS.get(type(operator), ()):
                yield Edit(part, ast.BinOp(left, other(), right), QUOTIENT if isinstance(operator, ast.FloorDiv) else SIGN, 1)
            twos = [getattr(one, "value", None) == 2 for one in (left, right)]
            if any(twos) and isinstance(operator, ast.Mult | ast.Pow):
                yield Edit(part, ast.BinOp(left, ast.Pow() if isinstance(operator, ast.Mult) else ast.Mult(), right), POWER, 1)
            if twos[1] and isinstance(operator, ast.Pow):
                yield Edit(part, _root(left), EXPONENT, 1, marked=right)
            yield Edit(part, left, NOT_PART, 1, marked=right)
            yield Edit(part, right, NOT_PART, 1, marked=left)
            if isinstance(operator, ast.Div | ast.Sub):
                is_ratio = isinstance(operator, ast.Div)
                yield Edit(part, ast.BinOp(ast.Constant(int(is_ratio)), operator, right), NOT_PART, 1 + is_ratio, marked=left)
        case ast.UnaryOp(ast.USub(), operand):
            yield Edit(part, operand, NEGATIVE, 1)
        case ast.UnaryOp(_, operand):
            yield Edit(part, operand, EXTRA_CALL.format("not" if isinstance(part.op, ast.Not) else "~"), 1)
        case ast.Compare(left, [sign], [right]):
            for other_sign in COMPARISONS:
                if not isinstance(sign, other_sign):
                    yield Edit(part, ast.Compare(left, [other_sign()], [right]), COMPARISON, 1)
        case ast.Constant(float() | int() as number) if type(number) is not bool:
            yield from _numbers(part, number)
        case ast.Attribute(value, name) if name in RESULTS:
            other_name = RESULTS[1 - RESULTS.index(name)]
            yield Edit(part, ast.Attribute(value, other_name), OTHER_RESULT.format(name), 1)
        case ast.Call(function):
            yield from _calls(part, function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", ""))
        case ast.Subscript() | ast.List():
            yield from _entries(part)


def _entries(part: Any) -> Iterator[Edit]:
    """Yield changes of an index, and the list with its two entries exchanged."""
    match part:
        case ast.Subscript(value, ast.Tuple([ast.Constant(int() as first), ast.Constant(int() as second)])) if first > 0 < second:
            yield Edit(part, ast.Subscript(value, ast.Tuple([ast.Constant(first - 1), ast.Constant(second - 1)])), FROM_ONE, 1)
        case ast.Subscript(value, ast.Tuple([first, second])):
            yield Edit(part, ast.Subscript(value, ast.Tuple([second, first])), "Line and column are exchanged here.", 1)
        case ast.Subscript(value, index):
            if isinstance(index, ast.Name):
                back = ast.Call(ast.Attribute(ast.Name("np"), "argsort"), [index], [])
                yield Edit(part, ast.Subscript(value, back), OTHER_WAY, 1, marked=index)
            yield Edit(part, value, NOT_PART, 2)
            yield Edit(part, ast.Constant(0), NOT_PART, 2)  # a sum in a loop may start with its first term instead of 0
            if isinstance(index, ast.Constant) and index.value in (0, 1):
                yield Edit(part, ast.Subscript(value, ast.Constant(1 - index.value)), OTHER_PART, 1)
        case ast.List([one, other]):
            yield Edit(part, ast.List([other, one]), ORDER, 1)


def _loops(part: Any) -> Iterator[Edit]:
    """Yield changes of `and` and `or`, and of the loops of a comprehension."""
    match part:
        case ast.BoolOp(operator, conditions):
            yield Edit(part, ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), conditions), LOGIC, 1)
        case ast.ListComp(element, [ast.comprehension(one, values, []), ast.comprehension(other, more, [])]):
            pairs = ast.comprehension(ast.Tuple([one, other]), ast.Call(ast.Name("zip"), [values, more], []), [], 0)
            yield Edit(part, ast.ListComp(element, [pairs]), PAIRS, 1)
        case ast.ListComp(element, [ast.comprehension(ast.Tuple([one, other]), ast.Call(ast.Name("zip"), [values, more]), [])]):
            each = [ast.comprehension(name, of, [], 0) for name, of in ((one, values), (other, more))]
            yield Edit(part, ast.ListComp(element, each), PAIRS, 1)


def repeated(groups: Sequence[Sequence[Edit]]) -> Iterator[Edit]:
    """Yield the same change of several equal parts, from the changes of each part."""
    for first, *others in zip(*groups, strict=False):
        if all(other.words == first.words for other in others):
            yield first._replace(also=tuple(others))


def exchanges(line: Any) -> Iterator[Edit]:
    """Yield the line with two of its names exchanged throughout."""
    functions = {id(inner) for node in ast.walk(line) if isinstance(node, ast.Call) for inner in ast.walk(node.func)}
    set_here = {node.id for node in ast.walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = sorted({node.id for node in ast.walk(line) if isinstance(node, ast.Name) and id(node) not in functions} - set_here)
    for one, other in combinations(names, 2) if isinstance(line, ast.BinOp | ast.Call) and len(names) <= MOST_NAMES else ():
        exchanged = deepcopy(line)
        for node in (node for node in ast.walk(exchanged) if isinstance(node, ast.Name)):
            node.id = {one: other, other: one}.get(node.id, node.id)
        yield Edit(line, exchanged, EXCHANGED.format(one, other), 1)


def _numbers(part: ast.Constant, number: float) -> Iterator[Edit]:
    """Yield other numbers that a student may have meant instead of a typed number."""
    nearby = dict.fromkeys(
        (number - 1, number + 1, number - 0.5, number + 0.5, number / 2, 2 * number, 1 - number, 1 - number / 2, -number)
    )
    for near in nearby:
        yield Edit(part, ast.Constant(near), TYPED.format(f"{number:g}"), 1)
    if number not in (0, 1, -1):
        yield Edit(part, ast.Constant(1 / number), TYPED.format(f"{number:g}"), 2)
    for other in (10 * number, number / 10) if type(number) is float else ():
        yield Edit(part, ast.Constant(other), TYPED.format(f"{number:g}"), 2)
    for other in range(MAX_TYPED + 1) if type(number) is int and number >= 0 else ():
        if other not in nearby:
            yield Edit(part, ast.Constant(other), TYPED.format(f"{number:g}"), 2)


def _nested(part: Any) -> Iterator[Edit]:
    """Yield two operations in the other order, for example the square of a sum for a sum of squares."""
    match part:
        # parentheses are missing: the student wrote a + b / c for (a + b) / c
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, ast.BinOp(last, ast.Div(), divisor)):
            yield Edit(part, ast.BinOp(ast.BinOp(left, sign, last), ast.Div(), divisor), PARENTHESES, 1)
    match part:
        case ast.BinOp(ast.Call(ast.Attribute(value, "sum" | "mean" as name), arguments, keywords), ast.Pow(), ast.Constant(2) as two):
            inner = ast.BinOp(arguments[0] if arguments else value, ast.Pow(), two)
            yield Edit(part, ast.Call(ast.Attribute(inner, name), [], keywords), NESTED, 1)
        case ast.BinOp(ast.Call(ast.Name("sum") as function, [value], []), ast.Pow(), ast.Constant(2) as two):
            yield Edit(part, ast.Call(function, [ast.BinOp(value, ast.Pow(), two)], []), NESTED, 1)
        case ast.BinOp(ast.BinOp(value, ast.Pow() as power, two), ast.Sub() | ast.Add() as operator, other):
            yield Edit(part, ast.BinOp(ast.BinOp(value, operator, other), power, two), NESTED, 1)
        case ast.BinOp(ast.BinOp(value, ast.Sub() | ast.Add() as operator, other), ast.Pow() as power, two):
            yield Edit(part, ast.BinOp(ast.BinOp(value, power, two), operator, other), NESTED, 1)
        case ast.Call(ast.Attribute(ast.BinOp(value, ast.Pow(), two), "sum" | "mean" as name), [], keywords):
            yield Edit(part, ast.BinOp(ast.Call(ast.Attribute(value, name), [], keywords), ast.Pow(), two), NESTED, 1)
        case ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [ast.BinOp(left, ast.Mult() | ast.Div() as operator, right)]):
            yield Edit(part, ast.BinOp(left, operator, _root(right)), ROOT_OVER, 1)
            yield Edit(part, ast.BinOp(_root(left), operator, right), ROOT_OVER, 1)
        case ast.BinOp(ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [left]), ast.Mult() | ast.Div() as operator, right):
            yield Edit(part, _root(ast.BinOp(left, operator, right)), ROOT_OVER, 1)
        case ast.BinOp(left, ast.Mult() | ast.Div() as operator, ast.Call(ast.Name("sqrt") | ast.Attribute(attr="sqrt"), [right])):
            yield Edit(part, _root(ast.BinOp(left, operator, right)), ROOT_OVER, 1)


def _with(part: ast.Call, name: str, value: Any) -> ast.Call:
    """Return a call with another value of a named argument."""
    others = [one for one in part.keywords if one.arg != name]
    return ast.Call(part.func, part.args, [*others, ast.keyword(name, ast.Constant(value))])


def _arguments(part: ast.Call, name: str) -> Iterator[Edit]:
    """Yield the call without an argument, or with another value of an argument."""
    for keyword in part.keywords:
        others = [one for one in part.keywords if one is not keyword]
        yield Edit(part, ast.Call(part.func, part.args, others), ARGUMENT.format(keyword.arg), 1, marked=keyword.value)
        for value in ARGUMENTS.get(str(keyword.arg), ()):
            yield Edit(part, _with(part, str(keyword.arg), value), ARGUMENT.format(keyword.arg), 1, marked=keyword.value)
    if name in TESTS_WITH_SIDES and not any(keyword.arg == "alternative" for keyword in part.keywords):
        for value in ARGUMENTS["alternative"][1:]:
            yield Edit(part, _with(part, "alternative", value), NO_ALTERNATIVE, 2)
    if name == "rankdata" and len(part.args) == 2:
        yield Edit(part, ast.Call(part.func, part.args[:1], part.keywords), ARGUMENT.format("method"), 1, marked=part.args[1])
    if name in TAILS and len(part.args) > 1:
        endless = [*part.args[:-1], ast.Constant(float("inf"))]
        yield Edit(part, ast.Call(part.func, endless, part.keywords), DEGREES, 2, marked=part.args[-1])
        for place, one in enumerate(part.args[1:], 1):
            other = [*part.args[:place], *part.args[place + 1 :]]
            yield Edit(part, ast.Call(part.func, other, part.keywords), NOT_PART, 2, marked=one)


def _calls(part: ast.Call, name: str) -> Iterator[Edit]:
    function: Any = part.func
    is_method = isinstance(function, ast.Attribute)
    inner = part.args[0] if part.args else function.value if is_method else None
    if inner is not None and name in ROOTS:
        yield Edit(part, inner, EXTRA_ROOT, 1)
    elif inner is not None and name in DROPPED:
        yield Edit(part, inner, ROUNDED if name == "round" else EXTRA_CALL.format(name), 1 if name == "round" else 2)
    if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "range" and len(inner.args) == 1:
        numbers: list[ast.expr] = [ast.Constant(1), ast.BinOp(inner.args[0], ast.Add(), ast.Constant(1))]
        yield Edit(inner, ast.Call(inner.func, numbers, []), COUNTS_FROM_0, 0)
    if name == "argsort":
        yield Edit(part, ast.Call(function, [part], []), OTHER_WAY, 1)
    sides = inner.elts if isinstance(inner, ast.List | ast.Tuple) and len(part.args) == 1 else part.args
    if name in (*GROUPS[0], "min", "max") and len(sides) == 2:
        yield Edit(part, ast.BinOp(sides[0], ast.Add(), sides[1]), OTHER_FUNCTION.format(name), 1, marked=function)
    for group in (*GROUPS, SORTS, *GROUPS_OF_STATISTICS, TAILS):
        for other in group if name in group and (is_method or group in (*GROUPS, SORTS)) else ():
            if other != name:
                renamed = ast.Attribute(function.value, other) if is_method else ast.Name(other)
                tail = ENDS if {name, other} == QUANTILES else TAIL
                words = tail if group is TAILS else SPREAD if name in ("std", "var") else DIVISOR if "stdev" in group else OTHER_FUNCTION
                other_call = ast.Call(renamed, part.args, part.keywords)
                yield Edit(part, other_call, words.format(name), 1)
                if group is TAILS:
                    yield Edit(part, ast.BinOp(ast.Constant(2), ast.Mult(), other_call), words.format(name), 3)
    yield from _divisors(part, name) if name in ("std", "var") else ()
    yield from _directions(part, name)
    if name in TAILS and isinstance(function, ast.Attribute) and isinstance(function.value, ast.Attribute):
        for law in LAWS:
            if law != function.value.attr:
                other_law = ast.Attribute(ast.Attribute(function.value.value, law), name)
                yield Edit(part, ast.Call(other_law, part.args[:1], []), LAW, 1)
                yield Edit(part, ast.Call(other_law, part.args, []), LAW, 1)
    if inner is not None and name in ("abs", "absolute", "sqrt"):
        yield Edit(part, ast.BinOp(inner, ast.Pow(), ast.Constant(2)), OTHER_FUNCTION.format(name), 1, marked=function)
    yield from _arguments(part, name)
    if len(part.args) == 2 and not part.keywords:
        yield Edit(part, ast.Call(function, part.args[::-1], []), ORDER, 2)


def _directions(part: ast.Call, name: str) -> Iterator[Edit]:
    """Yield a call along another direction of a table, or with another running extreme."""
    function: Any = part.func
    match function:
        case ast.Attribute(ast.Attribute(module, "minimum" | "maximum" as kind), "accumulate"):
            running = ast.Attribute(ast.Attribute(module, "maximum" if kind == "minimum" else "minimum"), name)
            yield Edit(part, ast.Call(running, part.args, part.keywords), OTHER_FUNCTION.format(kind), 1, marked=function)
        case ast.Name("sum") if len(part.args) == 1:
            yield Edit(part, ast.Call(ast.Attribute(part.args[0], "sum"), [], []), AXIS, 1)
    if name in ("sum", "mean", "std", "var", "min", "max", "median", "rankdata", "cumsum", "argsort"):
        now = next((one.value for one in part.keywords if one.arg == "axis"), None)
        for axis in (0, 1, None):
            along = _with(part, "axis", axis)
            yield Edit(part, along, AXIS, 1, marked=now)
            if name == "mean" and axis is not None:
                yield Edit(part, _with(along, "keepdims", True), AXIS, 1)


def _divisors(part: ast.Call, name: str) -> Iterator[Edit]:
    """Yield a standard deviation or a variance with another divisor."""
    now = next((one.value for one in part.keywords if one.arg == "ddof"), None)
    for divisor in (0, 1):
        if ast.unparse(now or ast.Constant(0)) != str(divisor):
            divided = _with(part, "ddof", divisor)
            words = DIVISOR.format(name) if getattr(now, "value", 0) in (0, 1) else ARGUMENT.format("ddof")
            yield Edit(part, divided, words, 1, marked=now)
            if isinstance(part.func, ast.Attribute):
                other = ast.Attribute(part.func.value, "var" if name == "std" else "std")
                yield Edit(part, ast.Call(other, part.args, divided.keywords), OTHER_FUNCTION.format(name), 3)


def _wraps(part: Any) -> Iterator[Edit]:
    """Yield a part with a root, a square, a sign or a factor of 2 that may be missing."""
    is_of_pairs = isinstance(part, ast.Call) and ast.unparse(part.func) in ("zip", "range", "enumerate")
    if isinstance(part, ast.Constant | NO_NUMBER) or is_of_pairs:
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
    if isinstance(part, ast.Name | ast.BinOp):
        yield Edit(part, ast.Call(ast.Attribute(part, "cumsum"), [], []), RUNNING, 2)


def _other_quantity(part: Any, name: str, is_count: bool) -> Iterator[Edit]:
    """Yield a known quantity, or a number that is computed from it, as replacement for a part."""
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
