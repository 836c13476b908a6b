"""Functions that have others do their work, behind each wall: no ready-made test answers, by whatever door; honest ones are right."""

import json
from functools import cache

import pytest
from class_of import ROOT

from fstats import exercise
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.sandbox_runtime.landlock import landlock_version as landlock

WALLS = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    "weak",
    pytest.param("wasm", marks=[pytest.mark.needs("engine"), pytest.mark.needs("wasmtime")]),
]
TESTS = {  # what each function is to give, from whoever has it ready
    "ranks": "stats.rankdata(x)",
    "paired_t": "fstats.PairedT(x, y).statistic",
    "sign_test": "fstats.SignTest(x, y).pvalue",
    "signed_rank": "fstats.SignedRank(x, y).pvalue",
}
NAMES = {"ranks": "sizes"}
FOUR = "\n".join(
    f"def {name}({NAMES.get(name, 'a, b')}):\n    x, y = {'sizes, sizes' if name in NAMES else 'a, b'}\n"
    f"    import fstats\n    from scipy import stats\n    return through(lambda: {test})"
    for name, test in TESTS.items()
)
# how they are called: while somebody who watches looks away, or out of his sight
WAYS = {
    "openly": "def through(test): return test()",
    "while an audit hook compares": """
def through(test):
    import sys
    found = []
    class Equal:
        def __eq__(self, other):
            found.append(test())
            return False
        __hash__ = object.__hash__
    sys.audit("object.__setattr__", None, Equal())
    sys.audit(Equal(), Equal())
    return found[0] if found else None
""",
    "while memory is collected": """
def through(test):
    import gc
    found = []
    def collects(phase, info):
        if not found: found.append(test())
    gc.callbacks.append(collects)
    gc.collect()
    gc.callbacks.clear()
    return found[0] if found else None
""",
    "by a name that runs": """
def through(test):
    found = []
    class Name(str):
        def __hash__(self):
            if not found: found.append(test())
            return str.__hash__(self)
        def __eq__(self, other): return str.__eq__(self, other)
    def g(): pass
    g.__code__ = g.__code__.replace(co_name=Name("g"))
    g()
    hash(g.__code__.co_name)
    return found[0] if found else None
""",
    "in a thread": """
def through(test):
    import threading
    found = []
    other = threading.Thread(target=lambda: found.append(test()))
    other.start()
    other.join()
    return found[0]
""",
    "in another process": """
def through(test):
    import os
    out, into = os.pipe()
    if not os.fork():
        os.write(into, repr(test()).encode())
        os._exit(0)
    return eval(os.read(out, 10000).decode(), {"array": lambda x: x})
""",
    "with the profile function taken off": """
def through(test):
    import sys, threading
    sys.setprofile(None)
    threading.setprofile(None)
    return test()
""",
    "with the modules read once more": """
def through(test):
    import sys, importlib
    for name in [*sys.modules]:
        if name.startswith(("scipy.stats", "fstats")): del sys.modules[name]
    importlib.invalidate_caches()
    global fstats, stats
    import fstats
    from scipy import stats
    scope = {"fstats": fstats, "stats": stats}
    test.__code__ = test.__code__.replace(co_freevars=(), co_cellvars=()) if not test.__closure__ else test.__code__
    return test()
""",
    "with the channel replaced": """
def through(test):
    import sys
    frame = sys._getframe()
    while frame:
        there = frame.f_locals.get("there")
        if isinstance(there, dict):
            there["id"] = there["function"] = lambda *given: test()
        frame = frame.f_back
    return test()
""",
    "as an exception's words": """
def through(test):
    class Odd(Exception):
        def __str__(self): return repr(test())
    try: raise Odd
    except Odd as odd: return eval(str(odd), {"array": lambda x: x})
""",
}
# without a name that is looked for
TWINS = {
    "private twins": """
def ranks(sizes):
    from scipy.stats._stats_py import _rankdata
    return np.ravel(_rankdata(np.asarray(sizes, float), "average"))
def signed_rank(a, b):
    from scipy.stats._wilcoxon import _wilcoxon_nd
    return float(_wilcoxon_nd(a, b, zero_method="wilcox", method="exact").pvalue)
def paired_t(a, b):
    from scipy.stats._mstats_basic import ttest_rel
    return float(ttest_rel(a, b).statistic)
def sign_test(a, b):
    from scipy.stats._binomtest import binomtest
    return binomtest(int((a > b).sum()), int((a != b).sum())).pvalue
""",
    "objects without their beginning": """
def made(name, a, b):
    import fstats
    test = object.__new__(getattr(fstats, name))
    test.__dict__.update(type(test).defaults)
    test.__dict__.update(a=np.asarray(a, float), b=np.asarray(b, float))
    return test
def ranks(sizes):
    from fstats.core.numerics.average_ranks import average_ranks as order
    return order(sizes)
def paired_t(a, b): return made("PairedT", a, b).statistic
def sign_test(a, b): return made("SignTest", a, b).pvalue
def signed_rank(a, b): return made("SignedRank", a, b).pvalue
""",
    "steps by themselves": """
def ranks(sizes):
    import pandas as pd
    from pandas._libs import algos
    try: return algos.rank_1d(np.asarray(sizes, float), None)
    except TypeError: return pd.Series(sizes).rank().to_numpy()
def paired_t(a, b):
    from fstats.procedures.pairwise.paired_t import PairedT
    return PairedT.steps["statistic"].fn(PairedT.from_steps(d=a - b))
def sign_test(a, b):
    from fstats.distributions.symmetric_binomial import SymmetricBinomial
    n, k = int((a != b).sum()), int(min((a > b).sum(), (a < b).sum()))
    return float(min(1, 2 * SymmetricBinomial(n).at_most(k)))
def signed_rank(a, b):
    from fstats.distributions.exact_rank_distributions import SignedRankSum
    from scipy import stats
    r = stats.rankdata(abs(a - b))
    return float(min(1, 2 * SignedRankSum(r).at_most(min(r[a > b].sum(), r[a < b].sum()))))
""",
    "the text of a library": """
def ranks(sizes):
    import scipy
    text = open(scipy.__path__[0] + "/stats/_stats_py.py").read()
    space = {"__name__": "scipy.stats.own", "__package__": "scipy.stats"}
    exec(text, space)
    return space["rankdata"](sizes)
paired_t = sign_test = signed_rank = lambda a, b: None
""",
}
HONEST = {
    "pandas": """
import pandas as pd
def ranks(sizes):
    x = pd.Series(np.asarray(sizes, float))
    return np.array([(x < v).sum() + ((x == v).sum() + 1) / 2 for v in x])
""",
    "pandas within": """
def ranks(sizes):
    import pandas
    x = pandas.DataFrame({"x": np.asarray(sizes, float)})["x"]
    return [float((x < v).sum() + ((x == v).sum() + 1) / 2) for v in x]
""",
    "the standard library": """
from bisect import bisect_left, bisect_right
import string, textwrap
def ranks(sizes):
    from statistics import fmean
    import difflib, colorsys
    ordered = sorted(sizes)
    return [fmean(range(bisect_left(ordered, v) + 1, bisect_right(ordered, v) + 1)) for v in sizes]
""",
    "a helper": """
def rank_of(v, x):
    from scipy import special
    return (x < v).sum() + ((x == v).sum() + special.gamma(2.0)) / 2
ranks = lambda sizes: np.array([rank_of(v, np.asarray(sizes)) for v in sizes])
""",
}


@cache
def of_wall(wall: str) -> Marker:
    """One marker for all tests of a wall."""
    if wall == "weak" and not landlock():
        pytest.skip("the weaker means need Landlock, of Linux from 5.13 on")
    return Marker(wall=wall)


def questions(wall: str, source: str) -> dict[str, tuple[str, str]]:
    """Verdict and first line of each function."""
    (path,) = (ROOT / "exercises").glob("*_write_your_own_test.ipynb")
    reference = json.loads(path.read_text(encoding="utf-8"))
    found = json.loads(path.read_text(encoding="utf-8"))
    place = next(k for k, cell in enumerate(found["cells"]) if "exercise(" in "".join(cell["source"]) and cell["cell_type"] == "code")
    for cell in found["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id", "").startswith("answer_"):
            cell["source"] = ""
    found["cells"].insert(place + 1, {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None})
    mark: SubmissionMark = of_wall(wall).mark(reference, json.dumps(found).encode(), exercise("write_your_own_test"), None, b"a seed")
    return {one.key: (one.verdict, " ".join(one.lines)) for one in mark.questions if one.kind == "function"}


@pytest.mark.complete
@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("way", WAYS)
def test_no_ready_made_test_answers(wall: str, way: str) -> None:
    found = questions(wall, f"{WAYS[way]}\n{FOUR}")
    assert len(found) == 4
    assert not [key for key, (verdict, _) in found.items() if verdict in ("right", "mistake", "digits", "carried")], found
    if way == "openly":
        assert all(said.startswith("Your function calls ") for _, said in found.values()), found


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("twin", TWINS)
def test_no_part_or_twin_of_one_answers(wall: str, twin: str) -> None:
    found = questions(wall, TWINS[twin])
    assert not [key for key, (verdict, _) in found.items() if verdict in ("right", "mistake", "digits", "carried")], found


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("kind", HONEST)
def test_honest_functions_are_right(wall: str, kind: str) -> None:
    assert questions(wall, HONEST[kind])["q1"][0] == "right", questions(wall, HONEST[kind])
