"""Block the statistical tests of libraries in students' code.

The student's function cannot evade this, since nothing observes the function while it runs.  Removed code cannot be read again, because
no file can be opened after the removal (`process_isolation.block_exec_and_open`, `wasm_guest`).
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

# compiled functions of each module that compute ranks; they are blocked together with "rankdata"
COMPILED = {"pandas._libs.algos": ("rank_1d", "rank_2d"), "pandas._libs.groupby": ("group_rank",)}
PACKAGES = ("fstats", "scipy", "pandas", "statsmodels", "sklearn")
COMMON_MODULES = "math itertools functools operator collections statistics random fractions decimal copy bisect heapq numbers cmath typing"


def existing_functions() -> list[FunctionType]:
    """Return all functions of packages with ready-made tests, except functions hidden from the garbage collector (`gc.freeze`)."""
    return [entry for entry in gc.get_objects() if type(entry) is FunctionType and _module(entry).partition(".")[0] in PACKAGES]


def _module(function: FunctionType) -> str:
    return str(function.__globals__.get("__name__"))


def import_modules(names: Iterable[str]) -> None:
    """Import the modules that a function needs, while files can still be opened."""
    for name in (*COMMON_MODULES.split(), *names):
        with suppress(Exception):
            import_module(name)


def block_functions(functions: Iterable[FunctionType], ready: Collection[str]) -> None:
    """Remove the code of ready-made tests and of all functions of `fstats` that compute.

    Parameters
    ----------
    functions : iterable of function
        The result of :func:`existing_functions`.
    ready : collection of str
        Names of further library functions that must not be called.
    """
    for function in functions:
        if test := _ready_made(function, ready):
            function.__code__ = _stub(function.__code__, *test)
    if "rankdata" in ready:
        for module, names in COMPILED.items():
            for name in names if module in sys.modules else ():
                setattr(sys.modules[module], name, FunctionType(_stub(block_functions.__code__, "pandas", "rank"), {}))


def _ready_made(function: FunctionType, ready: Collection[str]) -> tuple[str, str] | None:
    """Return the package and name of a ready-made test if a function is the test, a part of it or a copy; otherwise None."""
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
    """Return code that raises an error with the name of the blocked function."""

    def stub(*given: Any, **_: Any) -> None:
        make_error = 0.5
        raise make_error(given)  # type: ignore[operator]

    original = stub.__code__
    consts = tuple(partial(_blocked_error, package, name) if const == 0.5 else const for const in original.co_consts)
    return original.replace(co_name=code.co_name, co_filename=code.co_filename, co_consts=consts, co_freevars=code.co_freevars)


def _blocked_error(package: str, name: str, given: tuple[Any, ...]) -> LibraryTestCalled:
    """Return the error for a blocked test with its name; for `fstats`, with the name of the class that the student wanted to use."""
    if package != "fstats":
        return LibraryTestCalled(f"{package}'s {name}")
    for argument in given:
        wanted = argument if isinstance(argument, type) else type(argument)
        if isinstance(argument, str) or wanted.__module__.startswith("fstats."):
            return LibraryTestCalled(f"fstats.{argument if isinstance(argument, str) else wanted.__name__}"[:80])
    return LibraryTestCalled(f"fstats's {name}")


def required_modules(function: Any) -> list[str]:
    """Return the names of the modules that a function, or a function that it calls, imports or uses as globals."""
    modules: dict[str, None] = {}
    waiting, visited = [function], set[int]()
    while waiting and len(visited) < 1000:
        value = waiting.pop()
        if id(value) in visited:
            continue
        visited.add(id(value))
        if isinstance(value, ModuleType):
            modules[value.__name__] = None
        elif isinstance(value, CodeType):
            waiting += [const for const in value.co_consts if isinstance(const, CodeType)]
            modules |= dict.fromkeys(value.co_names)  # some of these names are no modules; `import_modules` skips them
        elif type(value) is FunctionType and value.__module__ == "__main__":
            waiting += [value.__code__, *(value.__globals__[name] for name in _names(value.__code__) if name in value.__globals__)]
            waiting += [cell.cell_contents for cell in value.__closure__ or () if _has_content(cell)]
        elif isinstance(module := getattr(value, "__module__", None), str) and module != "__main__":
            modules[module] = None
    return [name for name in modules if isinstance(name, str)]


def _names(code: CodeType) -> Iterable[str]:
    return {*code.co_names, *(name for const in code.co_consts if isinstance(const, CodeType) for name in _names(const))}


def _has_content(cell: Any) -> bool:
    with suppress(ValueError):
        return cell.cell_contents is not cell
    return False
