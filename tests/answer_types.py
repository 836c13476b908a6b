"""The forms in which Python, NumPy and pandas hold an answer, as expressions of the right answer x, with what they need."""

from __future__ import annotations

import tomllib
from array import typecodes
from pathlib import Path

import numpy as np

from fstats.teaching.sandbox_runtime.plain_value import ENTRIES

FOUND = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SETUP, NO_NUMBER, REFUSED, ACCEPTED = (FOUND[name] for name in ("setup", "no_number", "refused", "accepted"))
REFUSED |= dict.fromkeys((f"[1] * {ENTRIES + 1}", "np.zeros(10**6)", "range(10**12)"), f"more than {ENTRIES} entries")
NUMPY = sorted({t.__name__ for t in np.sctypeDict.values() if issubclass(t, np.number) and not issubclass(t, np.timedelta64)})
C_INTEGERS = ("byte", "short", "int", "long", "longlong", "ubyte", "ushort", "uint", "ulong", "ulonglong", "size_t")
PANDAS = ["Float32", "Float64", "category", "Sparse[float]", "object"]
PANDAS += [f"{unsigned}Int{bits}" for bits in (8, 16, 32, 64) for unsigned in ("", "U")]
ANY_ONE = ACCEPTED.pop("any_one")  # forms of one value of any kind
for kind in ("number", "letter", "name"):
    ACCEPTED[kind] = [*ANY_ONE, *ACCEPTED[kind]]
ACCEPTED["truth"] = [*ANY_ONE[:-1], *ACCEPTED["truth"]]
ACCEPTED["whole"] = [
    *ACCEPTED["number"],
    *ACCEPTED["whole"],
    *(f"np.{name}(x)" for name in NUMPY),
    *(f"np.array([x], {code!r})" for name in ("AllInteger", "AllFloat") for code in np.typecodes[name]),  # type: ignore[misc]
    *(f"array({code!r}, [x])" for code in typecodes if code not in "uw"),
    *(f"ctypes.c_{name}(x)" for name in (*C_INTEGERS, "float", "double")),
    *(f"pd.Series([x]).astype({kind!r})" for kind in PANDAS),
]
