"""Formulas that matplotlib can typeset: what it understands, MathJax understands too.

Each side of an equation is parsed once, whatever the numbers in it: to the parser 0.25 and 17.5 are the same, and a sum of three like one
of ten; and tests, exercises and mistakes share more sides than whole equations.
"""

import re
from functools import cache

from matplotlib.mathtext import MathTextParser

PARSER = MathTextParser("path")
parsed = cache(lambda side: PARSER.parse(f"${side}$"))


def typeset(formula: str) -> list[str]:
    """The sides of a formula, numbers aside, all of them typeset; it raises where one cannot be."""
    text = re.sub(r"\d+(\.\d+)?", "0", formula).replace(r"\left(-0\right)", "0").replace(r"\ldots", "0")
    text = re.sub(r"(?<![\w}) ])-0", "0", text)
    text = re.sub(r"(,\\ |, |; | [+-] )(0(?=\1))(?:\1-?0(?=\1))+", r"\1\2", text)
    sides = [""]
    for part in f" {text.removesuffix(';')}".split(" = "):  # but for signs of equality within braces or brackets
        closed = all(sides[-1].count(opens) == sides[-1].count(shuts) for opens, shuts in (("{", "}"), (r"\left", r"\right")))
        sides = [*sides, part] if closed else [*sides[:-1], f"{sides[-1]} = {part}"]
    found = [side.strip() for side in sides if side.strip()]
    for side in found:
        parsed(side)
    return found
