"""In the place of IPython: what a cell means where it is no Python, and what its shell is asked for."""

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

OPTIONS = re.compile(r"\s*(?:-[a-zA-Z]+\s*\d*\s+|-[a-zA-Z]+\d+\s+)*")  # of %timeit: -n 10 -r3
RUN_MAGICS = ("time", "timeit", "capture", "prun")  # magics that run what stands behind them


class IPythonSubstitute:
    """In the place of `get_ipython()`: cells run as in Jupyter, magics do nothing but run their statement, and nobody does the rest."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.user_ns = self._space = space

    def run(self, source: str, name: str) -> None:
        """Run a cell as Jupyter does."""
        self._run(compile_cell(source, name), self._space)

    def run_line_magic(self, magic: str, line: str, *_: Any, **__: Any) -> Any:
        """`%time` and `%timeit` run their statement once; the others do nothing."""
        if magic not in RUN_MAGICS or magic == "capture":
            return None
        around = sys._getframe(1).f_locals
        space = self._space if around is self._space else {**self._space, **around}
        source = OPTIONS.sub("", line, count=1)
        if magic != "time":
            return self._run(compile_cell(source, f"%{magic}"), dict(space))  # its names are its own
        try:
            value = eval(compile(source, "%time", "eval"), space)
        except SyntaxError:
            return self._run(compile_cell(source, "%time"), space)
        return value

    def run_cell_magic(self, magic: str, _: str, cell: str) -> None:
        """Those that time or hide what a cell does run it; cells of another language are empty."""
        if magic in RUN_MAGICS:
            self._run(compile_cell(cell, f"%%{magic}"), dict(self._space) if magic == "timeit" else self._space)

    def getoutput(self, *_: Any, **__: Any) -> list[str]:
        """What `!command` prints: nothing, there are no commands."""
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _NoOp()

    @staticmethod
    def _run(code: CodeType, space: dict[str, Any]) -> None:
        waits = eval(code, space)
        if inspect.iscoroutine(waits):  # a cell with await in it
            asyncio.run(waits)


class _NoOp:
    """Does nothing, whatever it is asked for."""

    def __call__(self, *_: Any, **__: Any) -> None:
        """Nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def compile_cell(source: str, name: str) -> CodeType:
    """A cell, translated by IPython where it is not Python."""
    with suppress(ImportError, SyntaxError):  # without IPython cells are plain Python; what is no Python is told below
        from IPython.core.inputtransformer2 import TransformerManager

        source = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
    code: CodeType = compile(source, f"<{name}>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return code


def install_get_ipython(shell: IPythonSubstitute) -> Callable[[], IPythonSubstitute]:
    """`get_ipython`, by whatever name it is asked for."""

    def get_ipython() -> IPythonSubstitute:
        return shell

    for name in ("IPython", "IPython.core.getipython"):
        if name in sys.modules:
            sys.modules[name].get_ipython = get_ipython  # type: ignore[attr-defined]
    return get_ipython
