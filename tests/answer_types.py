"""The forms in which Python, NumPy and pandas hold an answer, as expressions of the right answer x, with what they need."""

from __future__ import annotations

from array import typecodes

import numpy as np

from fstats.teaching.sandbox_runtime.plain_value import ENTRIES

SETUP = """
import ctypes, collections, datetime, decimal, enum, fractions, itertools, re, statistics, types
from array import array
import numpy as np
import pandas as pd
class Score(float):
    "A number of somebody's own."
class Name(str):
    "A word of somebody's own."
class Share(fractions.Fraction):
    "A fraction of somebody's own."
class Money(decimal.Decimal):
    "A decimal number of somebody's own."
class Row(list):
    "A list of somebody's own."
class Column(pd.Series):
    "A column of somebody's own."
class Table(np.ndarray):
    "An array of somebody's own."
class Five(enum.IntEnum):
    FIVE = 5
class Holder:
    "An object with a number in it."
    def __init__(self, x):
        self.x = x
class Floating(Holder):
    def __float__(self):
        return float(self.x)
class Arrayed(Holder):
    def __array__(self, *_, **__):
        return np.array(self.x)
class Counted(collections.abc.Sequence, Holder):
    def __len__(self):
        return 1
    def __getitem__(self, k):
        return [self.x][k]
def row_of(x):
    return collections.namedtuple("Row", [f"c{k}" for k in range(len(x))])(*x)
def endless():
    x = []
    x.append(x)
    return x
"""
NUMPY = sorted({t.__name__ for t in np.sctypeDict.values() if issubclass(t, np.number) and not issubclass(t, np.timedelta64)})
C_INTEGERS = ("byte", "short", "int", "long", "longlong", "ubyte", "ushort", "uint", "ulong", "ulonglong", "size_t")
C_TYPES = [f"c_{name}" for name in (*C_INTEGERS, "float", "double")]
PANDAS = ["Float32", "Float64", "category", "Sparse[float]", "object"]
PANDAS += [f"{unsigned}Int{bits}" for bits in (8, 16, 32, 64) for unsigned in ("", "U")]
ANY_ONE = (  # forms of one value of any kind
    *(
        "x",
        "[x]",
        "(x,)",
        "np.array(x)",
        "np.array(x, object)",
        "np.array([x])",
        "np.array([x], object)",
        "Row([x])",
        "np.array([x]).view(Table)",
    ),
    *("collections.deque([x])", "collections.UserList([x])", "{1: x}.values()", "{x: 1}.keys()", "collections.OrderedDict(a=x).values()"),
    *("pd.Series([x])", "pd.Series([x]).iloc[0]", "pd.Index([x])", "pd.Series([x], dtype=object)", "pd.Series([x], dtype='category')"),
    *("pd.Categorical([x])", "pd.CategoricalIndex([x])", "Column([x])", "np.ma.array([x])", "np.ma.array(x)"),
    "types.MappingProxyType({1: x}).values()",
)
NUMBER = (
    *ANY_ONE,
    *("float(x)", "np.float64(x)", "np.float32(x)", "np.longdouble(x)", "np.array(x, np.longdouble)", "complex(x, 0)", "[[[x]]]"),
    *("np.complex128(x)", "np.clongdouble(x)", "np.array([x], complex)", "Score(x)", "fractions.Fraction(x).limit_denominator(10**9)"),
    *("decimal.Decimal(repr(float(x)))", "Share(x).limit_denominator(10**9)", "Money(repr(float(x)))", "array('d', [x])", "[np.array(x)]"),
    *("memoryview(array('d', [x]))", "memoryview(np.array(x))", "np.matrix([[x]])", "pd.DataFrame({'a': [x]})", "ctypes.c_double(x)"),
    *("(ctypes.c_double * 1)(x)", "np.rec.array([(x,)], dtype=[('a', float)])", "np.array([(x,)], dtype=[('a', float)])[0]"),
    *("pd.arrays.SparseArray([x])", "pd.array([x], dtype='Float64')", "np.array([[x]])", "np.float64(x).reshape(1, 1, 1)"),
)
WHOLE = (
    *NUMBER,
    *("int(x)", "range(x, x + 1)", "Five(x)", "bytearray([x])", "pd.RangeIndex(x, x + 1)", "pd.array([x], dtype='Int64')"),
    *(f"np.{name}(x)" for name in NUMPY),
    *(f"np.array([x], {code!r})" for name in ("AllInteger", "AllFloat") for code in np.typecodes[name]),  # type: ignore[misc]
    *(f"array({code!r}, [x])" for code in typecodes if code not in "uw"),
    *(f"ctypes.{name}(x)" for name in C_TYPES),
    *(f"pd.Series([x]).astype({kind!r})" for kind in PANDAS),
)
COLUMN = (
    *(
        "list(x)",
        "tuple(x)",
        "np.array(x)",
        "np.array(x, np.longdouble)",
        "np.array(x, complex)",
        "np.array(x, object)",
        "row_of(x)",
        "Row(x)",
    ),
    *("collections.deque(x)", "collections.UserList(x)", "array('d', x)", "memoryview(array('d', x))", "(ctypes.c_double * len(x))(*x)"),
    *("dict(enumerate(x)).values()", "collections.OrderedDict(enumerate(x)).values()", "np.array(x).view(Table)", "np.ma.array(x)"),
    *(
        "[fractions.Fraction(v).limit_denominator(10**9) for v in x]",
        "[decimal.Decimal(repr(float(v))) for v in x]",
        "[Score(v) for v in x]",
    ),
    *("[np.float64(v) for v in x]", "[np.array(v) for v in x]", "[complex(v) for v in x]", "[np.longdouble(v) for v in x]", "pd.Series(x)"),
    *(
        "pd.Index(x)",
        "pd.array(x, dtype='Float64')",
        "pd.DataFrame({'d': x})['d']",
        "pd.Categorical(x)",
        "pd.Series(pd.arrays.SparseArray(x))",
    ),
    *("Column(x)", "pd.Series(x, index=pd.MultiIndex.from_arrays([x, x]))", "np.rec.array([(v,) for v in x], dtype=[('a', float)]).a"),
)
TRUTH = (
    *ANY_ONE[:-1],
    *(
        "bool(x)",
        "np.bool_(x)",
        "'yes' if x else 'no'",
        "Name('True' if x else 'False')",
        "int(x)",
        "float(x)",
        "pd.array([x], dtype='boolean')",
    ),
    *("[np.bool_(x)]", "np.array([[x]])", "ctypes.c_bool(x)", "pd.Series([x], dtype='boolean')", "np.float16(x)"),
)
LETTER = (
    *ANY_ONE,
    *("str(x)", "np.str_(x)", "Name(x)", "x.upper()", "f'({x})'", "np.array([x], dtype=np.dtypes.StringDType())", "np.char.array([x])"),
    "pd.array([x], dtype='string')",
)
TABLE = (
    *(
        "x",
        "tuple(map(tuple, x))",
        "np.array(x)",
        "np.matrix(x)",
        "np.array(x, object)",
        "np.array(x, np.longdouble)",
        "np.array(x, complex)",
    ),
    *("pd.DataFrame(x)", "pd.DataFrame(x, dtype='Float64')", "pd.DataFrame(x).astype(object)", "np.ma.array(x)", "list(np.array(x))"),
    *(
        "[pd.Series(v) for v in x]",
        "collections.deque(collections.deque(v) for v in x)",
        "dict(enumerate(x)).values()",
        "[array('d', v) for v in x]",
    ),
    *(
        "memoryview(np.array(x))",
        "np.rec.fromarrays(np.array(x).T)",
        "[[Score(w) for w in v] for v in x]",
    ),
)
TRUTHS = (
    *(
        "x",
        "tuple(x)",
        "np.array(x)",
        "np.array(x, object)",
        "[np.bool_(v) for v in x]",
        "['yes' if v else 'no' for v in x]",
        "list(map(int, x))",
    ),
    *(
        "pd.Series(x)",
        "pd.array(x, dtype='boolean')",
        "pd.Series(x, dtype='boolean')",
        "np.ma.array(x)",
        "np.array(x, float)",
        "pd.Series(x) + 0",
    ),
    *("(ctypes.c_bool * len(x))(*x)", "memoryview(np.array(x))", "collections.deque(x)", "pd.Categorical(x)", "bytearray(x)"),
)
NAME = (*ANY_ONE, "np.str_(x)", "Name(x)", "x.upper()", "f' {x} '", "np.char.array([x])", "pd.array([x], dtype='string')")
BLANKS = (  # no rank of a difference of 0
    *(
        "[v or None for v in x]",
        "[v or float('nan') for v in x]",
        "np.ma.masked_equal(x, 0)",
        "pd.array([v or None for v in x], dtype='Float64')",
    ),
    *("pd.Series([v or pd.NA for v in x])", "pd.Series([v or None for v in x])", "[v or np.ma.masked for v in x]", "x", "np.array(x)"),
)
ACCEPTED = {"number": NUMBER, "whole": WHOLE, "column": COLUMN, "truth": TRUTH, "letter": LETTER, "table": TABLE}
ACCEPTED |= {"truths": TRUTHS, "name": NAME, "blanks": BLANKS}
REFUSED = {  # forms that no question accepts, each with words of the sentence that says what to write
    "{1}": "a set, which has no order: write a list",
    "frozenset([1])": "a frozenset, which has no order: write a list",
    "(v for v in [x])": "a generator, which gives its values once: write list(...) around it",
    "iter([x])": "a list_iterator, which gives",
    "map(float, [x])": "a map, which gives",
    "filter(None, [x])": "a filter, which gives",
    "zip([x])": "a zip, which gives",
    "enumerate([x])": "an enumerate, which gives",
    "itertools.chain([x])": "a chain, which gives",
    "reversed([x])": "a list_reverseiterator, which gives",
    "np.array([x]).flat": "a flatiter, which gives",
    "np.nditer(np.array([1.0]))": "a nditer, which gives",
    "{'a': x}": "a dict, which has names beside its values: write list(...) around its .values()",
    "collections.Counter('a')": "a Counter, which has names",
    "collections.ChainMap({'a': x})": "a ChainMap, which has names",
    "collections.UserDict(a=x).values()": "a ValuesView, which is no list: write list(...) around it",
    "{'a': x}.items()": "an object of the type dict_items",
    "Counted(x)": "a Counted, which is no list: write list(...) around it",
    "Floating(x)": "an object of the type Floating: write float(...) around it",
    "Arrayed(x)": "an object of the type Arrayed: write numpy.array(...) around it",
    "Holder(x)": "an object of the type Holder",
    "complex(1, 1)": "a complex, which has an imaginary part: write its real part, .real",
    "np.complex64(1j)": "a complex64, which has an imaginary part",
    "np.array([1j])": "a complex, which has an imaginary part",
    "b'2.5'": "a bytes, which is no text: remove the letter b before the quotes",
    "np.bytes_(b'a')": "a bytes_, which is no text",
    "datetime.timedelta(1)": "a timedelta, which is a time: write its number",
    "datetime.datetime(2026, 1, 1)": "a datetime, which is a time",
    "np.timedelta64(5, 'ns')": "a timedelta64, which is a time",
    "np.datetime64('2026-01-01')": "a datetime64, which is a time",
    "pd.Timedelta(5)": "a Timedelta, which is a time",
    "pd.Timestamp(5)": "a Timestamp, which is a time",
    "pd.Series([pd.Timedelta(5)])": "a Timedelta, which is a time",
    "np.array([5], 'm8[ns]')": "an object of the type ndarray",
    "pd.Interval(0, 1)": "an object of the type Interval",
    "pd.DataFrame({'a': [1]}).groupby('a')": "an object of the type DataFrameGroupBy",
    "np.void(b'ab')": "an object of the type void",
    "decimal.Decimal('sNaN')": "an object of the type Decimal",
    "ctypes.c_longdouble(5)": "an object of the type c_longdouble",
    "statistics.NormalDist()": "an object of the type NormalDist",
    "re.compile('a')": "an object of the type Pattern",
    "np": "an object of the type module",
    "object()": "an object of the type object",
    "[len]": "a function: call the function, with its data in parentheses",
    "[object()]": "an object of the type object",
    "len": "function",
    "float": "function",
    "np.poly1d([1])": "function",
    "[[[[[[[[1]]]]]]]]": "lists within lists",
    "endless()": "lists within lists",
    f"[1] * {ENTRIES + 1}": f"more than {ENTRIES} entries",
    "np.zeros(10**6)": f"more than {ENTRIES} entries",
    "range(10**12)": f"more than {ENTRIES} entries",
    "'a' * 300": "a text of 300 letters",
}
NO_NUMBER = (
    "10**30",
    "-10**400",
    "fractions.Fraction(10**400)",
    "float('inf')",
    "float('nan')",
    "np.ma.masked",
    "pd.NA",
    "pd.NaT",
    "...",
    "None",
)
NO_NUMBER += (
    "''",
    "[]",
    "[None]",
    "[...]",
    "(0, 5)",
    "[0, 5]",
    "[[1], [1, 2]]",
    "True",
    "[True]",
    "'2.5'",
    "pd.array([1, None], dtype='Int64')",
)
