"""Functions allowed in the safe evaluation of students' code.

These are operators, methods, and functions of Python, NumPy and SciPy.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np

from .evaluation_limits import MAX_ENTRIES, NotRead, ReadyMadeResult, is_original

MOST_OF_A_GROUP = 40  # maximum size of a combination, and maximum number of repetitions in a product
MAX_SAMPLE = 500  # maximum sample size for which a complete SciPy test is computed
BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
BUILTIN_FUNCTIONS = (abs, sum, len, min, max, round, sorted, float, int, bool, list, tuple, zip, enumerate, any, all, pow, range, divmod)
BUILTINS: dict[str, Callable[..., Any]] = {function.__name__: function for function in BUILTIN_FUNCTIONS}
BUILTINS |= {"set": lambda values: sorted(dict.fromkeys(values)), "reversed": lambda values: [*values][::-1]}
# in each line: module, maximum number of positional arguments (a further one could be an output array), names of functions
LISTED = """
numpy 1 sqrt abs absolute fabs square log log2 log10 exp sign floor ceil rint negative isnan logical_not shape float64 transpose ravel flip
numpy 1 vstack hstack array asarray zeros ones flatnonzero column_stack trunc zeros_like ones_like nan_to_num
numpy 2 nansum nanmean nanmedian nanstd nanvar linalg.norm
numpy 2 sum mean median std var min max amin amax prod cumsum cumprod argmin argmax any all count_nonzero ptp minimum maximum power
numpy 2 subtract add multiply divide greater less equal not_equal logical_and logical_or sort argsort diff dot round around outer append
numpy 2 concatenate quantile percentile unique array_equal isclose average maximum.accumulate minimum.accumulate stack size full
numpy 3 where clip arange
math 2 sqrt floor ceil log log2 log10 exp fabs fsum prod pow comb factorial isclose dist hypot erf erfc isnan isinf copysign trunc isfinite
statistics 2 mean fmean median stdev pstdev variance pvariance
itertools 40 combinations permutations product combinations_with_replacement accumulate chain
scipy.stats 2 rankdata sem tmean tstd tvar zscore gmean iqr
pandas 1 Series DataFrame
scipy.stats.t scipy.stats.norm scipy.stats.chi2 scipy.stats.f scipy.stats.binom scipy.stats.studentized_range scipy.stats.hypergeom
method 0 copy tolist ravel flatten item transpose to_numpy nonzero is_integer items keys values
method 1 sum mean std var min max cumsum prod argsort any all ptp argmin argmax median sem rank round dot index count abs
method 2 reshape clip get
"""
# maximum number of positional arguments for each function of scipy.stats that computes a complete test
READY_MADE = {"ttest_rel": 2, "ttest_ind": 2, "ttest_1samp": 2, "wilcoxon": 2, "mannwhitneyu": 2, "binomtest": 3, "friedmanchisquare": 12}
READY_MADE |= {"f_oneway": 12, "kruskal": 12, "pearsonr": 2, "spearmanr": 2}
MODULES = ("numpy", "math", "statistics", "scipy.stats", "pandas", "itertools")
TAILS, MOST_PARAMETERS = ("cdf", "sf", "ppf", "isf", "pdf", "pmf", "interval"), 6
KEYWORDS_LISTED = "axis ddof keepdims df loc scale initial decimals kind method reverse n k p q dfn dfd a x mu xbar ndigits start"
KEYWORDS_LISTED += " alternative zero_method correction equal_var popmean mode confidence ascending strict repeat r"
KEYWORDS = frozenset(KEYWORDS_LISTED.split(" "))
CONSTANTS = {"numpy.inf": np.inf, "numpy.newaxis": None, "numpy.nan": np.nan, "math.inf": math.inf, "numpy.pi": np.pi, "math.pi": math.pi}


def _listed(module: str) -> dict[str, int]:
    """Map the names in LISTED of a module to their maximum numbers of positional arguments."""
    lines = (line.split(" ") for line in LISTED.strip().splitlines())
    return {name: int(most) for where, most, *names in lines if where == module for name in names}


METHODS = _listed("method")


@cache
def listed_functions(module: str) -> dict[str, tuple[Callable[..., Any], int]]:
    """Return the listed functions of a module by their whole names, with the numbers of their positional arguments.

    scipy.stats is imported only for a line that names it.
    """
    where = import_module(module)
    known = {f"{module}.{name}": (operator.attrgetter(name)(where), most) for name, most in _listed(module).items()}
    for law in LISTED.split() if module == "scipy.stats" else ():
        if law.startswith("scipy.stats."):
            functions = ((tail, getattr(getattr(where, law.rpartition(".")[2]), tail, None)) for tail in TAILS)
            known |= {f"{law}.{tail}": (function, MOST_PARAMETERS) for tail, function in functions if function is not None}
    known = {path: one for path, one in known.items() if is_original(one[0], module)}
    if module == "itertools":
        return {path: (_grouped(function), most) for path, (function, most) in known.items()}
    if module == "scipy.stats":
        known |= {f"{module}.{name}": (_ready_made(getattr(where, name)), most) for name, most in READY_MADE.items()}
    return known


def _grouped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a version of a function of itertools that returns a list."""

    def groups(*values: Any, **named: Any) -> list[Any]:
        if any(type(one) is int and one > MOST_OF_A_GROUP for one in (*values, *named.values())):
            raise NotRead("the groups are too large")
        found = [*islice(function(*values, **named), MAX_ENTRIES + 1)]
        if len(found) > MAX_ENTRIES:
            raise NotRead("there are too many groups")
        return found

    return groups


def _ready_made(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a version of a test of scipy.stats that returns plain numbers."""

    def test(*values: Any, **named: Any) -> ReadyMadeResult:
        if any(np.size(value) > MAX_SAMPLE for value in values):
            raise NotRead("the sample is too large")
        found = function(*values, **named)
        return ReadyMadeResult(*(float(getattr(found, name, math.nan)) for name in ReadyMadeResult._fields))

    return test
