"""LaTeX commands for sums, products, extremes and ranks."""

from __future__ import annotations

from string import ascii_lowercase

from .distribution_commands import quantile, tail_probability
from .expression_parser import Command, ExpressionParser
from .formula_terms import Term, join
from .latex_tokenizer import VerbalFormulaError


def _indices(parser: ExpressionParser) -> tuple[set[str], Term | None]:
    """Parse the subscript of a sum: return its indices, and the condition for its entries (or None)."""
    tokens = parser.tokens
    tokens.next("_")
    if not tokens.consume("{"):
        return {tokens.next()}, None
    letters = tokens.letters()
    # skip the range of an index, which is always 1 to the number of entries
    if letters and tokens.peek() == "=":
        while not tokens.consume("}"):
            tokens.next()
        tokens.next("^")
        tokens.next()
        return letters, None
    if letters and tokens.peek() != "}" and not tokens.consume(":"):
        tokens.position -= 1
    condition = None if tokens.consume("}") else parser.bracketed("}")
    return letters or set(condition.axes if condition else ""), condition


def _sum_over_index(parser: ExpressionParser, _: str) -> Term:
    letters, condition = _indices(parser)
    if parser.tokens.consume("\\epsilon", "_", *letters):
        return Term(f"random_signs({parser.product().text})", is_distribution=True)
    term = parser.product()
    if condition:
        term = join("np.where({}, {}, 0)", condition, term)
    return term.reduce("np.sum", letters)


def _product_over_index(parser: ExpressionParser, _: str) -> Term:
    letters, _condition = _indices(parser)
    return parser.product().reduce("np.prod", letters)


def _count(parser: ExpressionParser, _: str) -> Term:
    tokens = parser.tokens
    tokens.next("\\{")
    if tokens.consume('"ways to share out', "1", ",", "\\ldots", ","):
        return _rank_arrangements(parser)
    tokens.consume("(")
    letters = tokens.letters()
    tokens.consume(")")
    if not tokens.consume(":") and letters:
        remedy = r"Write \#\{i : condition\}, or define a step over i, such as [condition], and add its entries with \sum_{i \leq n}."
        raise VerbalFormulaError(f"the formula must name the condition of a counted set. {remedy}")
    condition = parser.condition()
    while tokens.consume(","):
        condition = join("({} & {})", condition, parser.condition())
    tokens.next("\\}")
    letters = letters or set(condition.axes)
    if condition.text.removeprefix("t.") in parser.symbols.over:  # the braces contain the name of a slot, not a condition
        axes = [str(condition.axes.index(letter)) for letter in sorted(letters)]
        return Term(f"entry_count({condition.text}, {', '.join(axes)})")
    return condition.reduce("count", letters)


def _rank_arrangements(parser: ExpressionParser) -> Term:
    """Parse the number of assignments of signs to the ranks 1, ..., k with a small sum."""
    ranks = parser.sum().text
    parser.tokens.next(":")
    parser.symbols.definitions["W^-"] = Term(f"random_signs(up_to({ranks}))", is_distribution=True)
    return Term(f"np.round({tail_probability(parser, chr(92) + '}').text} * 2 ** {ranks})")


def _extreme(parser: ExpressionParser, word: str) -> Term:
    r"""Parse the argument of ``\min`` or ``\max``: several values, values along an index, or a condition."""
    tokens, which = parser.tokens, word[1:]
    both = f"np.{which}imum"
    # a subscript with g: the running maximum or minimum
    if tokens.words[tokens.position : tokens.position + 3] == ["_", "{", "g"]:
        is_backwards = tokens.words[tokens.position + 3] != "\\leq"
        tokens.position += 6
        term = parser.product()
        return Term(f"running_extreme({both}, {term.text}, 0, {is_backwards})", term.axes)
    if tokens.peek() == "_":
        letters, _ = _indices(parser)
        return parser.product().reduce(f"np.{which}", letters)
    if not tokens.consume("\\{"):
        raise VerbalFormulaError(f"the formula must list the values of {which} in braces, or write an index below {which}")
    if tokens.peek() in ascii_lowercase and tokens.words[tokens.position + 1] in (":", "\\leq"):
        return quantile(parser, which)
    values, backwards = [], None  # backwards: None, or the direction of a running maximum or minimum
    while True:
        if tokens.consume("\\tildep", "_"):
            backwards = {"(r-1)": False, "(r+1)": True}[tokens.raw_script()]
        else:
            values.append(parser.sum())
        if not tokens.consume(","):
            break
    tokens.next("\\}")
    term = values[0]
    for value in values[1:]:
        term = join(f"{both}({{}}, {{}})", term, value)
    return term if backwards is None else Term(f"running_extreme({both}, {term.text}, 0, {backwards})", term.axes)


def _ranks(parser: ExpressionParser, _: str) -> Term:
    letters = parser.subscript()
    if parser.tokens.consume("("):
        values = parser.values(")")
        if len(values) > 1:
            return Term(f"ranks_of(concatenate({', '.join(value.text for value in values)}))", parser.symbols.target)
        term = values[0]
    else:
        term = parser.factor()
    if parser.tokens.consume('"without zeros'):
        return Term(f"ranks_of({term.text}, zeros=False)", term.axes)
    if parser.tokens.consume('"with zeros'):
        return Term(f"ranks_of({term.text})", term.axes)
    if parser.tokens.consume('"among those with the same'):
        return Term(f"ranks_among({term.text}, {parser.factor().text})", term.axes)
    if len(letters) == 2:
        return Term(f"ranks_of({term.text}.reshape(-1, *{term.text}.shape[2:])).reshape({term.text}.shape)", term.axes)
    function = "ordinal_ranks" if parser.symbols.ordinal else "ranks_of"
    return Term(f"{function}({term.text}, {term.axes.index(letters) if letters else 0})", term.axes)


def _argsort(parser: ExpressionParser, _: str) -> Term:
    letters = parser.subscript()
    term = parser.factor()
    return Term(f"np.argsort({term.text}, {term.axes.index(letters) if letters else 0}, kind='stable')", term.axes)


def _sorted_values(parser: ExpressionParser, _: str) -> Term:
    term = parser.factor()
    if parser.tokens.consume('"from the top'):
        return Term(f"-np.sort(-{term.text}, 0)", term.axes)
    return Term(f"np.sort({term.text}, 0)", term.axes)


def _median(parser: ExpressionParser, _: str) -> Term:
    between = parser.subscript()
    term = parser.factor()
    if between == "i\\leqj":
        return Term(f"np.median({term.text}[np.tril_indices(len({term.text}))], 0)")
    if set(between) == set(term.axes) and len(between) > 1:
        return Term(f"np.median({term.text}.reshape(-1, *{term.text}.shape[{len(between)}:]), 0)")
    return term.reduce("np.median", between or term.axes)


def _mean(parser: ExpressionParser, _: str) -> Term:
    term = parser.factor()
    if term.is_distribution:
        raise VerbalFormulaError("the formula must not take the mean or the standard deviation of a distribution")
    return term.reduce("np.mean", term.axes)


AGGREGATE_COMMANDS: dict[str, Command] = {
    "\\sum": _sum_over_index,
    "\\prod": _product_over_index,
    "\\#": _count,
    "\\min": _extreme,
    "\\max": _extreme,
    "\\ln": lambda parser, _: join("np.log({})", parser.factor()),
    "\\log": lambda parser, _: join("np.log2({})" if parser.subscript() == "2" else "np.log({})", parser.factor()),
    "\\mathrmrank": _ranks,
    "\\mathrmargsort": _argsort,
    **dict.fromkeys(("\\mathrmsort", "\\mathrmsorted", '"sorted'), _sorted_values),
    "\\mathrmmedian": _median,
    '"mean of': _mean,
    '"standard deviation of': lambda parser, _: Term(f"np.std({parser.factor().text}, ddof=1)"),
    '"lower quartile of': lambda parser, _: Term(f"np.quantile({parser.factor().text}, 0.25)"),
    '"upper quartile of': lambda parser, _: Term(f"np.quantile({parser.factor().text}, 0.75)"),
}
