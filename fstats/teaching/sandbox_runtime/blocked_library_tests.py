"""Ready-made tests that are not there where a student's function is called: their code is taken out of the libraries before it comes.

Nothing is watched while the function runs, so there is nothing to hide from.  What was taken out cannot be read again, since from then on
no file can be opened (`isolation.no_way_out`, `guest`).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .function_call import LIBRARY_TESTS, LibraryTestCalled

COMPILED = {"pandas._libs.algos": ("rank_1d", "rank_2d"), "pandas._libs.groupby": ("group_rank",)}  # as "rankdata"
PACKAGES = ("fstats", "scipy", "pandas", "statsmodels", "sklearn")
COMMON_MODULES = "math itertools functools operator collections statistics random fractions decimal copy bisect heapq numbers cmath typing"


def existing_functions() -> list[FunctionType]:
    """All functions of packages with tests that exist now, but those that were put out of the collector's reach (`gc.freeze`)."""
    return [one for one in gc.get_objects() if type(one) is FunctionType and _module(one).partition(".")[0] in PACKAGES]


def _module(function: FunctionType) -> str:
    return str(function.__globals__.get("__name__"))


def import_modules(names: Iterable[str]) -> None:
    """Import what a function imports, as long as there are files."""
    for name in (*COMMON_MODULES.split(), *names):
        with suppress(Exception):
            import_module(name)


def block_functions(functions: Iterable[FunctionType], ready: Collection[str]) -> None:
    """Take the code out of the ready-made tests, and of all that `fstats` computes.

    Parameters
    ----------
    functions : iterable of function
        Those of :func:`existing_functions`.
    ready : collection of str
        Names of further functions of libraries that are not to be called.
    """
    for one in functions:
        if what := _ready_made(one, ready):
            one.__code__ = _stub(one.__code__, *what)
    if "rankdata" in ready:
        for module, names in COMPILED.items():
            for name in names if module in sys.modules else ():
                setattr(sys.modules[module], name, FunctionType(_stub(block_functions.__code__, "pandas", "rank"), {}))


def _ready_made(function: FunctionType, ready: Collection[str]) -> tuple[str, str] | None:
    """The package and the name of the ready-made test that it is, or a part or a twin of; None for all others."""
    module, name = _module(function), function.__code__.co_name.strip("_")
    package = module.partition(".")[0]
    if package == "fstats":
        return None if module.startswith("fstats.teaching.sandbox_runtime") else (package, name)
    if package == "pandas":
        return (package, name) if name == "rank" and "rankdata" in ready else None
    if not module.startswith("scipy.stats") and package not in ("statsmodels", "sklearn"):
        return None
    test = name if name in ready else next((test for test in LIBRARY_TESTS.split() if test in name), "")
    return (package, test) if test else None


def _stub(code: CodeType, package: str, name: str) -> CodeType:
    """What stands in its place: whoever calls it is told what he called."""

    def stub(*given: Any, **_: Any) -> None:
        told = 0.5
        raise told(given)  # type: ignore[operator]

    made = stub.__code__
    consts = tuple(partial(_blocked_error, package, name) if one == 0.5 else one for one in made.co_consts)
    return made.replace(co_name=code.co_name, co_filename=code.co_filename, co_consts=consts, co_freevars=code.co_freevars)


def _blocked_error(package: str, name: str, given: tuple[Any, ...]) -> LibraryTestCalled:
    """The error that says which test it was; of `fstats` by the class that was wanted."""
    if package != "fstats":
        return LibraryTestCalled(f"{package}'s {name}")
    for one in given:
        wanted = one if isinstance(one, type) else type(one)
        if isinstance(one, str) or wanted.__module__.startswith("fstats."):
            return LibraryTestCalled(f"fstats.{one if isinstance(one, str) else wanted.__name__}"[:80])
    return LibraryTestCalled(f"fstats's {name}")


def required_modules(function: Any) -> list[str]:
    """The modules that a function imports or has from its notebook, by name; and those of the functions that it calls."""
    found: dict[str, None] = {}
    waiting, seen = [function], set[int]()
    while waiting and len(seen) < 1000:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, ModuleType):
            found[one.__name__] = None
        elif isinstance(one, CodeType):
            waiting += [const for const in one.co_consts if isinstance(const, CodeType)]
            found |= dict.fromkeys(one.co_names)  # a name that is no module is not found there
        elif type(one) is FunctionType and one.__module__ == "__main__":
            waiting += [one.__code__, *(one.__globals__[name] for name in _names(one.__code__) if name in one.__globals__)]
            waiting += [cell.cell_contents for cell in one.__closure__ or () if _has_content(cell)]
        elif isinstance(module := getattr(one, "__module__", None), str) and module != "__main__":
            found[module] = None
    return [name for name in found if isinstance(name, str)]


def _names(code: CodeType) -> Iterable[str]:
    return {*code.co_names, *(name for one in code.co_consts if isinstance(one, CodeType) for name in _names(one))}


def _has_content(cell: Any) -> bool:
    with suppress(ValueError):
        return cell.cell_contents is not cell
    return False
