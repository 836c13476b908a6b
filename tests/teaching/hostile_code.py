"""Hostile lines and functions: what a reply that reads them must survive without running anything twice.

`python tests/teaching/hostile_code.py` prints a table: how long each reply takes, how often the code ran, and whether the notebook stays
whole.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.sandbox_runtime import function_call

TOUCHED: list[str] = []
RAN: list[int] = []
MOST_SECONDS = 2.0  # longest reading of one function on a machine that does other things as well
START = """
from itertools import product
from math import comb
import math
import numpy as np
from scipy import stats
from fstats import exercise
task = exercise("write_your_own_test")
a, b = task.data["a"], task.data["b"]
"""


class Liar:
    """An object that notes whatever is asked of it, and always agrees."""

    def __getattribute__(self, name: str) -> Any:
        TOUCHED.append(name)
        return self

    def __eq__(self, _: object) -> bool:
        TOUCHED.append("==")
        return True

    __hash__ = None  # type: ignore[assignment]
    __add__ = __radd__ = __mul__ = __call__ = __getitem__ = lambda *_: TOUCHED.append("used")


class Blocked(list[Any]):
    """A list whose iteration never ends."""

    def __iter__(self) -> Any:
        TOUCHED.append("iterated")
        while True:
            yield 1


class Ranks(np.ndarray):
    """An array whose results are noted."""

    def __array_finalize__(self, _: object) -> None:
        TOUCHED.append("finalized")

    def __array_function__(self, *_: Any) -> Any:
        TOUCHED.append("function")
        return NotImplemented


class Written(str):
    """A text that notes when it is written."""

    def __format__(self, _: str) -> str:
        TOUCHED.append("formatted")
        return "x"

    def __str__(self) -> str:
        TOUCHED.append("written")
        return "x"


class Computed:
    """A property without end, and an array that is computed on demand."""

    @property
    def endless(self) -> Any:
        """Never end."""
        TOUCHED.append("endless")
        while True:
            pass

    def __array__(self, *_: Any, **__: Any) -> Any:
        TOUCHED.append("array")
        return np.ones(3)


# bodies of `ranks(sizes)`; a body of one line stands after `RAN.append(1)`
BODIES = r"""
return liar
return liar.x
return [liar] * len(sizes)
return computed
return np.asarray(computed)
return number + sizes
return subclass
return subclass + sizes
return np.sort(subclass)
return written
return f"{written}"
return "%s" % written
return blocked
return list(range(len(sizes)))[:: liar]
liar.x = sizes; return sizes
TOUCHED.clear(); return sizes
globals()["kept"] = sizes; return sizes
exec("kept.append(1)"); return sizes
eval("kept.append(1)"); return sizes
kept.append(1); return sizes + kept[-1]
kept[:] = [7]; return sizes * kept[0]
kept += [1]; return sizes
sizes += 1; return sizes
sizes.sort(); return sizes
sizes.fill(0); return sizes
sizes[:] = 5; return sizes
a[0] = 99; return sizes
a.sort(); return a[:len(sizes)]
return next(endless)
return sum(x for x in endless)
return [x for x in iter(int, 1)]
return np.ones(10 ** 6)[:len(sizes)]
return np.eye(500)[0][:len(sizes)]
return np.linspace(0, 1, 10 ** 6)[:len(sizes)]
return list(product([0, 1], repeat=16))[0] + tuple(sizes)
return sorted(sizes, key=spy)
return list(map(spy, sizes))
return max(sizes, key=lambda x: kept.append(x) or x) + sizes
return np.vectorize(spy)(sizes)
return np.apply_along_axis(spy, 0, sizes)
return open(__file__).read()
return __import__("os").getcwd()
return ().__class__.__base__.__subclasses__()
return getattr(sizes, "T")
return sizes.__class__(3)
return sizes.dtype.type(3) + sizes
return np.random.default_rng(1).permutation(sizes)
return np.random.rand(len(sizes))
return np.load("/dev/null")
return np.savetxt("/dev/null", sizes)
sizes.tofile("/dev/null"); return sizes
sizes.setflags(write=False); return sizes
return sizes.view(Ranks)
return (lambda f: f(f))(lambda f: sizes)
return (lambda f: f(f))(lambda f: f(f))
return ranks(sizes)
return ranks(sizes[1:]) if len(sizes) else 0
def inner(): return inner()\n    return inner()
class Inner: pass\n    return Inner()
import os\n    os.environ["FSTATS_TOUCHED"] = "1"\n    return sizes
import time\n    time.sleep(0.01)\n    return sizes
import sys\n    sys.modules["numpy"].kept = 1\n    return sizes
from os import getpid\n    return sizes + getpid()
while True:\n        if len(RAN) > 3: break\n    return sizes
while sizes is not None:\n        break\n    return sizes + 1
for x in range(10 ** 5): y = x\n    return sizes * y
for i in range(len(sizes)):\n        for j in range(999):\n            kept.append(j)\n    return sizes
try:\n        return sizes / nothing\n    except NameError:\n        return sizes * 2
try:\n        while True: raise ValueError\n    except ValueError:\n        return sizes * 2
try:\n        return sizes\n    finally:\n        kept.append(1)
with open(__file__) as f:\n        return sizes
with np.errstate(all="raise"):\n        return sizes / 0
global kept\n    kept = sizes\n    return sizes
yield sizes
return (yield sizes)
raise ValueError(written)
raise KeyboardInterrupt if not sizes.size else ValueError(liar)
assert liar, written\n    return sizes
del sizes\n    return kept
np.trapezoid = np.ptp = spy\n    return np.ptp(sizes) + sizes
np.cumprod = spy\n    return np.cumprod(sizes)
math.sqrt = spy\n    return math.sqrt(len(sizes))
stats.rankdata = spy\n    return stats.rankdata(sizes)
stats.norm.sf = spy\n    return stats.norm.sf(sizes)
match liar:\n        case Liar(): return sizes\n        case _: return sizes
print(*[written] * 3)\n    return sizes
print(kept.append(1))\n    return sizes
d = {}\n    d[liar] = 1\n    return sizes
d = {written: 1}\n    return sizes
d = dict(x=1, **{"y": kept.append(2)})\n    return sizes
x = y = z = []\n    x.append(x)\n    return x
x = []\n    for i in range(60): x = [x]\n    return x
x = [1]\n    for i in range(16): x = x + x\n    return sizes + len(x)
x = 3\n    for i in range(12): x = x ** 3\n    return sizes + x % 7
x = "a"\n    for i in range(20): x += x\n    return len(x) + sizes
x, *y = sizes\n    return sizes
(sizes := sizes * 2)\n    return sizes
return (sizes for _ in [1])
return {*sizes} | {written}
return sizes @ sizes[:, None] @ np.ones((1, len(sizes)))
return -~-~-~sizes.astype(int)
"""
# bodies that nobody can run: the notebook's history shows them, but the function does something else
TEXTS = r"""
return 10 ** 10 ** 8 * sizes
return 2 ** 99_999_999 % 7 + sizes
return pow(7, 10 ** 9) % 7 + sizes
return math.factorial(10 ** 8) % 7 + sizes
return comb(10 ** 7, 5 * 10 ** 6) + sizes
return np.tile(sizes, 10 ** 9)[:len(sizes)]
return np.repeat(sizes, 10 ** 9)[:len(sizes)]
return np.bincount([10 ** 9])[:len(sizes)]
return np.eye(10 ** 5)[0][:len(sizes)]
return np.linspace(0, 1, 10 ** 9)[:len(sizes)]
return np.arange(0, 2000, 1e-9)[:len(sizes)]
return np.zeros((10 ** 5, 10 ** 5)).sum() + sizes
return np.empty(10 ** 10)[:len(sizes)]
return np.full((10 ** 5, 10 ** 5), 1)[0][:len(sizes)]
return np.ones(shape=10 ** 10)[:len(sizes)]
return np.zeros_like(np.ones((10 ** 5, 10 ** 5)))[0]
return np.outer(np.ones(10 ** 5), np.ones(10 ** 5)).sum() + sizes
return np.subtract.outer(np.ones(2000), np.ones(2000)).sum() + sizes
return (np.ones(2000)[:, None] * np.ones(2000)).sum() + sizes
return np.column_stack([np.ones(2000)] * 2000)[0]
return [0] * 10 ** 10
return "x" * 10 ** 10
return "%99999999d" % 1
return list(product(range(99), repeat=9))[0]
return list(combinations(range(200), 99))[0]
return sum(range(10 ** 10)) + sizes
return list(range(10 ** 10))[0] + sizes
return [x for x in range(10 ** 9)][0] + sizes
return sum(x * y for x in range(9999) for y in range(9999)) + sizes
return sorted(range(10 ** 9))[0] + sizes
return list(map(abs, range(10 ** 9)))[0] + sizes
return list(reversed(range(10 ** 9)))[0] + sizes
return set(range(10 ** 9))
return dict(zip(range(10 ** 9), range(10 ** 9)))
return {x: x for x in range(10 ** 9)}
return divmod(10 ** 999, 7) + sizes
return min(range(10 ** 9), key=abs) + sizes
x = sizes\n    while True: x = x + 1
x = 1\n    while x: x += 1
x = []\n    while True: x.append(1)
x = []\n    while True: x.append(x)
x = [1]\n    while True: x += x
x = [1]\n    while True: x.extend(x)
x = "a"\n    while True: x = x + x
x = 3\n    while True: x = x * x
x = 3\n    while True: x **= 3
x = np.ones(9)\n    while True: x = np.append(x, x)
x = np.ones(9)\n    while True: x = np.concatenate([x, x])
x = np.ones((9, 9))\n    while True: x = np.outer(x, x)
x = {}\n    while True: x[len(x)] = 1
x = {}\n    while True: x[1] = dict(x)
x = [[1]]\n    while True: x = [x]
x = 1\n    while True:\n        try: x = 1 / 0\n        except ZeroDivisionError: x = 2
def f(n): return f(n + 1)\n    return f(0)
def f(n): return f(n - 1) + f(n - 2) if n > 1 else 1\n    return f(50)
f = lambda n: f(n + 1)\n    return f(0)
for x in range(10 ** 12): pass\n    return sizes
for x in sizes:\n        for y in range(10 ** 9): pass\n    return sizes
x = [1]\n    for y in x: x.append(y)\n    return sizes
"""
# lines of an answer, besides those of test_student_lines.py
LINES = """
subclass.sum()
subclass + d
np.sort(subclass)
np.sum(subclass)
d.view(Ranks).sum()
Ranks(3)
written + ''
f'{written}'
f'{d.sum():{written}}'
'%s' % written
'{}'.format(written)
written.join(['x'])
float(written)
computed.endless
computed.endless + 1
np.asarray(computed)
np.sum(computed)
d + computed
computed @ d
[computed][0].endless
blocked[0]
sum(blocked)
list(blocked)
np.array(blocked)
max(blocked)
[x for x in blocked]
[*blocked]
len(blocked)
next(endless)
[*endless]
np.fromiter(endless, float)
max(endless)
zip(endless, endless)
d == liar
liar == d
d != liar
d @ liar
liar @ d
d.astype(liar)
d.mean(out=liar)
np.where(liar, 1, 2)
np.mean(d, where=liar)
stats.t.sf(liar)
stats.t(liar).sf(1)
stats.t.sf(1, df=liar)
{**liar}
spy(*d)
(lambda: spy())()
[spy for _ in d][0](1)
[spy][0](1)
{'f': spy}['f'](1)
sorted(d, key=lambda x: kept.append(x))
list(map(lambda x: kept.append(x), d))
sum(kept.append(x) or x for x in d)
kept.append(1) or 7.123
kept.pop()
kept.sort()
kept.__iadd__([1])
(kept := [1])[0]
[kept.append(x) for x in d]
{x: kept.append(x) for x in d}
d.__iadd__(1).sum()
d.__setitem__(0, 99)
d.put(0, 99)
d.resize(1)
d.partition(2)
d.byteswap(True)
np.copyto(d, 0)
np.put(d, 0, 99)
np.random.shuffle(d)
np.add.at(d, 0, 5)
np.add(d, 5, out=d)
np.nan_to_num(d, copy=False)
np.frompyfunc(spy, 1, 1)(d)
np.apply_along_axis(spy, 0, d)
np.fromfunction(spy, (3,))
np.piecewise(d, [d > 0], [spy])
breakpoint()
exit()
quit()
input()
help()
vars()
locals()
compile('1', 'x', 'eval')
type('X', (), {})()
super()
"""
OTHER_LINES = LINES.strip().splitlines()
FUNCTIONS = [body.replace("\\n", "\n") for body in BODIES.strip().splitlines()]
LIES = [body.replace("\\n", "\n") for body in TEXTS.strip().splitlines()]
FUNCTIONS += ["return " + "+".join(["sizes"] * 900), "return " + "(" * 60 + "sizes" + ")" * 60, "return sizes" + "[::-1]" * 300]


def spies() -> dict[str, Any]:
    """Objects of a notebook that note what is done with them."""
    names = {"liar": Liar(), "computed": Computed(), "number": np.float64(3), "subclass": np.arange(3.0).view(Ranks), "kept": [0]}
    names |= {"written": Written("x"), "blocked": Blocked(), "endless": iter(int, 1), "spy": lambda *_: TOUCHED.append("called")}
    return names | {"TOUCHED": TOUCHED, "RAN": RAN, "Ranks": Ranks, "Liar": Liar, "__file__": __file__}


def line_outcome(line: str) -> tuple[float, int, bool]:
    """How long a reply to a wrong number with a hostile line takes, how many objects it touches, and whether the notebook stays whole."""
    names: dict[str, Any] = {}
    start = START.replace("write_your_own_test", "paired_t_by_hand") + "d = a - b\nm = d.sum() / len(d)\nn = len(d)\n"
    exec(start, names)
    names |= spies()
    before = names["d"].copy()
    TOUCHED.clear()
    begin = time.process_time()
    names["task"].reply_to("q3", 7.123, line_in_cells([start, f"sd = {line}", 'check("q3", sd)'], "q3", names))
    return time.process_time() - begin, len(TOUCHED), np.array_equal(before, names["d"]) and names["kept"] == [0]


class Outcome(NamedTuple):
    """What a reply to hostile code did."""

    seconds: float  # longer than without the lines
    ran: int  # calls of the function, more than without the lines
    touched: int  # uses of objects, more than without the lines
    is_same: bool  # whether the verdict is the same
    is_whole: bool  # whether the data of the notebook are unchanged


def outcome(body: str, runs: str = "") -> Outcome:
    """Check a function without its lines and with them; `runs` is the body that runs, if it is not the body in the history."""
    import math

    from scipy import stats

    code = f"def ranks(sizes):\n    RAN.append(1)\n    {body}\n"
    whole = [(np, "ptp"), (np, "trapezoid"), (np, "cumprod"), (math, "sqrt"), (stats, "rankdata"), (stats.norm, "sf")]
    kept = [(owner, name, getattr(owner, name)) for owner, name in whole]
    found: list[tuple[float, int, int, Any, bool]] = []
    for with_line in (False, True):
        names: dict[str, Any] = {}
        exec(START, names)
        names |= spies()
        exec(code.replace(body, runs or body), names)
        line = line_in_cells([START, code, 'check("q1", ranks)'], "q1", names) if with_line else None
        data, before = names["a"].copy(), list(names["kept"])
        TOUCHED.clear()
        RAN.clear()
        start = time.process_time()
        try:
            reply = names["task"].reply_to("q1", names["ranks"], line)
        finally:
            for owner, name, function in kept:
                setattr(owner, name, function)
        seconds = time.process_time() - start
        changed = not np.array_equal(data, names["a"]), list(names["kept"]) != before
        found.append((seconds, len(RAN), len(TOUCHED), (reply.verdict, reply.mistake), (changed, repr(reply) != "")))
    without, with_lines = found
    more = [b - a for a, b in zip(without[:3], with_lines[:3], strict=True)]
    return Outcome(more[0], int(more[1]), int(more[2]), without[3] == with_lines[3], without[4] == with_lines[4])


def main() -> None:
    """Print the table: first lines, then functions."""
    from test_student_lines import HOSTILE

    for line in [*HOSTILE, *OTHER_LINES]:
        seconds, touched, is_whole = line_outcome(line)
        print(f"{line[:70]:72}{seconds:8.3f}{touched:13}  {'':8} {'whole' if is_whole else 'CHANGED'}")
    function_call.SECONDS = 0.5
    print(f"{'code':72}{'seconds':>8}{'ran':>5}{'touched':>8}  verdict  notebook")
    worst = 0.0
    for body in FUNCTIONS + LIES:
        one = outcome(body, "return sizes" if body in LIES else "")
        worst = max(worst, one.seconds)
        text = body.replace("\n", "\\n")[:70]
        verdict, notebook = "same" if one.is_same else "OTHER", "whole" if one.is_whole else "CHANGED"
        print(f"{text:72}{one.seconds:8.3f}{one.ran:5}{one.touched:8}  {verdict:8} {notebook}")
    print(f"{len(FUNCTIONS + LIES)} functions; the longest reading took {worst:.3f} seconds")


if __name__ == "__main__":
    main()
