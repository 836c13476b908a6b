"""Substitute for IPython in the sandbox: cells with magics, and `get_ipython()`."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any

# options of a magic, such as "-n 10 -r3" in "%timeit -n 10 -r3 f(x)"
OPTIONS = re.compile(r"\s*(?:-[a-zA-Z]+\s*\d*\s+|-[a-zA-Z]+\d+\s+)*")
RUN_MAGICS = ("time", "timeit", "capture", "prun")  # names of magics that run the code after them


class IPythonSubstitute:
    """Substitute for the result of `get_ipython()`: cells run as in Jupyter, magics only run their statement, other calls do nothing."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.user_ns = self._space = space

    def run(self, source: str, name: str) -> None:
        """Run a cell as Jupyter does."""
        self._run(compile_cell(source, name), self._space)

    def run_line_magic(self, magic: str, line: str, *_: Any, **__: Any) -> Any:
        """Run the statement of `%time` and `%timeit` once; the other magics do nothing."""
        if magic not in RUN_MAGICS or magic == "capture":
            return None
        around = sys._getframe(1).f_locals
        space = self._space if around is self._space else {**self._space, **around}
        source = OPTIONS.sub("", line, count=1)
        if magic != "time":
            # run in a copy of the namespace, because these magics must not assign names
            return self._run(compile_cell(source, f"%{magic}"), dict(space))
        try:
            value = eval(compile(source, "%time", "eval"), space)
        except SyntaxError:
            return self._run(compile_cell(source, "%time"), space)
        return value

    def run_cell_magic(self, magic: str, _: str, cell: str) -> None:
        """Run the code of a cell magic that times code or hides output; cells in another language are skipped."""
        if magic in RUN_MAGICS:
            self._run(compile_cell(cell, f"%%{magic}"), dict(self._space) if magic == "timeit" else self._space)

    def getoutput(self, *_: Any, **__: Any) -> list[str]:
        """Return the output of `!command`: an empty list, since no commands are available."""
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _NoOp()

    @staticmethod
    def _run(code: CodeType, space: dict[str, Any]) -> None:
        waits = eval(code, space)
        if inspect.iscoroutine(waits):  # the cell contains `await`
            asyncio.run(waits)


class _NoOp:
    """An object whose calls and attributes do nothing."""

    def __call__(self, *_: Any, **__: Any) -> None:
        """Return None."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def compile_cell(source: str, name: str) -> CodeType:
    """Compile a cell; IPython first translates a cell that contains more than plain Python."""
    # without IPython, try plain Python; if the source is not plain Python, the error is raised below
    with suppress(ImportError, SyntaxError):
        from IPython.core.inputtransformer2 import TransformerManager

        source = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
    code: CodeType = compile(source, f"<{name}>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return code


def install_get_ipython(shell: IPythonSubstitute) -> Callable[[], IPythonSubstitute]:
    """Return a `get_ipython` function, and install the function in IPython's modules."""

    def get_ipython() -> IPythonSubstitute:
        return shell

    for name in ("IPython", "IPython.core.getipython"):
        if name in sys.modules:
            sys.modules[name].get_ipython = get_ipython  # type: ignore[attr-defined]
    return get_ipython
