"""LaTeX commands for tail probabilities and quantiles of distributions."""

from __future__ import annotations

from .expression_parser import Command, ExpressionParser
from .formula_terms import Term, distribution, join
from .latex_tokenizer import RELATIONS, VerbalFormulaError

# letter of a distribution -> its class, and number of its parameters
SYMBOLS = {"t": ("StudentT", 1), "T": ("StudentT", 1), "F": ("FisherF", 2), "q": ("StudentizedRange", 2)}


def _distribution_symbol(parser: ExpressionParser, word: str) -> Term:
    """Parse a distribution with its parameters in the subscript, or the quantile z."""
    if parser.tokens.peek() != "_":
        return parser.symbol(word)
    parameters = _parameters(parser)
    if word == "z":
        return join("normal_quantile({})", *parameters)
    if word == "F" and len(parameters) == 1:
        return Term(f"FisherF(*{parameters[0].text})", is_distribution=True)
    if word == "t" and parser.tokens.consume("("):
        mean = parser.sum()
        parser.tokens.next(",")
        return distribution("LocatedT", [*parameters, mean, join("np.sqrt({})", parser.bracketed(")"))], 3)
    return distribution(SYMBOLS[word][0], parameters, SYMBOLS[word][1])


def _parameters(parser: ExpressionParser) -> list[Term]:
    """Parse the subscript of a distribution's symbol: its parameters."""
    if not parser.tokens.consume("_"):
        return []
    return parser.values("}") if parser.tokens.consume("{") else [parser.primary()]


def _probability(parser: ExpressionParser, _: str) -> Term:
    parser.tokens.next("(")
    return tail_probability(parser, ")")


def tail_probability(parser: ExpressionParser, closing: str) -> Term:
    """Parse the relations of a probability P(...) up to the closing bracket."""
    outside, parser.is_inside_bars = parser.is_inside_bars, False
    values, signs = [parser.sum()], []
    while parser.tokens.peek() in RELATIONS:
        signs.append(RELATIONS[parser.tokens.next()])
        values.append(parser.sum())
    parser.tokens.next(closing)
    parser.is_inside_bars = outside
    if len(values) == 2 and values[0].is_distribution:
        return join(f"probability({{}}, '{signs[0]}', {{}})", *values)
    if len(values) == 3 and values[1].is_distribution:
        above = {"<=": "<", "<": "<="}[signs[0]]
        return join(f"(probability({{0}}, '{signs[1]}', {{1}}) - probability({{0}}, '{above}', {{2}}))", values[1], values[2], values[0])
    raise VerbalFormulaError("P(...) in a formula must have one distribution and one or two limits, such as P(T <= 2)")


def _chi_squared(parser: ExpressionParser, _: str) -> Term:
    parser.tokens.next("^")
    if parser.tokens.raw_script() != "2":
        raise VerbalFormulaError("chi in a formula must have the exponent 2")
    parameters = _parameters(parser)
    if not parameters and "null" in parser.symbols.over:  # chi-squared without parameters has the df of the null distribution
        parameters = [Term("t.null.df")]
    return distribution("ChiSquared", parameters, 1)


def _normal_distribution(parser: ExpressionParser, _: str) -> Term:
    parser.tokens.next("(")
    return distribution("normal", parser.values(")"), 2)


def _binomial_distribution(parser: ExpressionParser, _: str) -> Term:
    parser.tokens.next("(")
    n, share = parser.values(")")
    return distribution("fair_coins", [n], 1) if share.text == "ratio(1, 2)" else distribution("Binomial", [n, share], 2)


def _beta_quantile(parser: ExpressionParser, _: str) -> Term:
    a, b = _parameters(parser)
    parser.tokens.next("(")
    return join("beta_quantile({}, {}, {})", a, b, parser.bracketed(")"))


def _normal_quantile(parser: ExpressionParser, _: str) -> Term:
    parser.tokens.next("^")
    parser.tokens.raw_script()
    return join("normal_quantile({})", parser.primary())


def quantile(parser: ExpressionParser, which: str) -> Term:
    """Parse the smallest or largest number that fulfils a condition; if the condition is on a tail, the number is a quantile."""
    tokens = parser.tokens
    if which == "max" and "\\in" in tokens.words:  # largest element of a list that does not exceed a bound
        tokens.position = tokens.words.index("\\leq") + 1
        most = parser.sum()
        tokens.position = tokens.words.index("\\in") + 1
        listed = parser.symbols.slot(tokens.next()[1:])
        tokens.next("\\}")
        return Term(f"largest_at_most({listed.text}, {most.text})", most.axes)
    name = tokens.next()
    tokens.next(":")
    start = tokens.position
    if tokens.consume("P"):
        tokens.next("(")
        left = parser.sum()
        relation = tokens.next()
        if left.is_distribution and tokens.consume(name, ")"):
            is_lower_tail = relation in ("<", "\\leq")
            if (which == "max") != is_lower_tail:
                raise VerbalFormulaError(f"the formula must not take the {which}imum of a set without bounds")
            tokens.next("\\leq")
            end = join(f"{{}}.{'low' if is_lower_tail else 'high'}({{}})", left, parser.bracketed("\\}"))
            return join("({} + 1)", end) if relation == "<" else end
        tokens.position = start
    parser.symbols.definitions[name] = Term(name)
    condition = parser.bracketed("\\}").text
    del parser.symbols.definitions[name]
    return Term(f"first_integer(lambda {name}: {condition})" if which == "min" else f"first_integer(lambda {name}: ~{condition}) - 1")


DISTRIBUTION_COMMANDS: dict[str, Command] = {
    "P": _probability,
    "\\Phi": _normal_quantile,
    "\\chi": _chi_squared,
    "\\mathrmNormal": _normal_distribution,
    "\\mathrmBin": _binomial_distribution,
    "\\mathrmDirichlet": lambda parser, _: Term(f"DirichletShares({parser.factor().text})", is_distribution=True),
    "\\mathrmBeta^-1": _beta_quantile,
    **dict.fromkeys((*SYMBOLS, "z"), _distribution_symbol),
}
