"""Run the cells and functions of a notebook by request, and send back the results."""

from __future__ import annotations

import base64
import builtins
import importlib
import json
import os
import pickle
import random
import sys
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, NoReturn

import numpy as np

from .blocked_library_tests import block_functions, existing_functions, import_modules, required_modules
from .function_call import call_function, describe_error, is_stub
from .ipython_substitute import IPythonSubstitute, install_get_ipython
from .json_serialisation import decode, serialise
from .leak_scan import scan_for_leaks

try:
    import cloudpickle
except ImportError:  # joblib contains a copy of cloudpickle
    from joblib.externals import cloudpickle

PRELOADED = (
    *("numpy", "scipy.stats", "fstats.procedures.contingency", "fstats.planning.critical_value_tables", "fstats.procedures.multiple"),
    *("fstats.procedures.pairwise", "fstats.plot", "fstats.procedures.posthoc", "fstats.procedures.resampling", "fstats.simulate"),
    *("fstats.studies.fold_hacking", "fstats.teaching.sandbox_runtime.function_call", "IPython.core.inputtransformer2"),
    *("IPython.display", "matplotlib.pyplot"),
)
LIBRARY_FUNCTIONS: list[FunctionType] = []  # functions of the libraries; the list is made before any code of a submission runs


def preload() -> None:
    """Import the modules that submissions use, before a submission arrives."""
    for name in PRELOADED:
        try:
            importlib.import_module(name)
        except ImportError:
            if not name.startswith(("IPython", "matplotlib")):  # IPython and matplotlib are optional
                raise
    import_modules(())
    LIBRARY_FUNCTIONS[:] = existing_functions()


def serve_requests(
    read: Callable[[], bytes],
    answers: int,
    begins: Callable[[], None] = lambda: None,
    alone: Callable[[], None] = lambda: None,
) -> None:
    """Serve requests from outside, one at a time, until no more requests arrive.

    The process knows only the content of the requests: no later cells, no data on which functions are tried, and no judge.  Each answer
    carries the number of its request; the marker ignores all other output.

    Parameters
    ----------
    read : callable
        ``read()`` returns the next request, a line of JSON; empty after the last request.
    answers : int
        The descriptor to which the answers are written, each a line of JSON.
    begins : callable
        Called before each request; the call starts the computing time of the request.
    alone : callable
        Called before a function is received; after the call, no file can be opened, and no process or thread can be started.
    """
    np.random.seed(0)  # noqa: NPY002 - with a fixed seed, a second grading gives the same mark
    random.seed(0)
    state: dict[str, Any] = {"alone": alone}

    while line := read():
        request = json.loads(line)
        begins()
        answer = HANDLERS[request["do"]](state, request)
        line = json.dumps({"id": request["id"], **answer}).encode() + b"\n"
        while line:
            line = line[os.write(answers, line) :]


def _handle_open(state: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Open the exercise of a notebook."""
    state["page"] = NotebookNamespace(request)
    return {}


def _handle_function(state: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Receive a function that another process has packed; before that, block the ready-made tests and close all access."""
    import_modules(request["imports"])
    block_functions((*LIBRARY_FUNCTIONS, *existing_functions()), request["ready"])
    state["alone"]()
    try:
        state["function"] = pickle.loads(base64.b64decode(request["function"]))
    except BaseException as error:
        return {"raised": describe_error(error)}
    return {}


def _handle_call(state: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Call the received function."""
    call = call_function(state["function"], {name: decode(entry) for name, entry in request["inputs"].items()}, None)
    return {**call._asdict(), "value": serialise(call.value), "changed": list(call.changed)}


HANDLERS: Mapping[str, Callable[[dict[str, Any], Mapping[str, Any]], dict[str, Any]]] = {
    "open": _handle_open,
    "run": lambda state, request: state["page"].run(request["source"], request["name"]),
    "look": lambda state, request: state["page"].look(request["source"], request["key"], request["function"]),
    "take": _handle_function,
    "call": _handle_call,
    # the marker requests a leak scan only in a process without a submission
    "walk": lambda _, request: scan_for_leaks(**request["what"]),
}


class NotebookNamespace:
    """Namespace of a running notebook: all cells share their names, as in Jupyter."""

    def __init__(self, opened: Mapping[str, Any]) -> None:
        self.task = TaskStub(opened)
        _install_task_stub(self.task)
        self.space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, "display": lambda *_, **__: None}
        self.shell = IPythonSubstitute(self.space)
        self.space["get_ipython"] = install_get_ipython(self.shell)

    def run(self, source: str, name: str) -> dict[str, Any]:
        """Run a cell, and return its error if it raises one."""
        try:
            self.shell.run(source, name)
        except BaseException as error:
            return {"raised": describe_error(error)}
        return {}

    def look(self, expression: str, key: str, function: bool) -> dict[str, Any]:
        """Return the value of a checked expression; for a function, return the data that another process needs to call the function."""
        own: dict[str, Any] = {}
        checked = self.task.checked_values
        try:
            try:
                value = eval(compile(expression, f"<check of {key}>", "eval"), self.space)
            except NameError:
                if key not in checked:
                    raise
                value = ...
            if key in checked and (value is ... or value is None or (callable(value) and is_stub(value))):
                value, own = checked[key], {"own": True}
            if not function or not callable(value):
                return {"value": serialise(value), **own}
            stub = is_stub(value)
        except BaseException as error:
            return {"missing": describe_error(error)}
        try:
            packed = base64.b64encode(cloudpickle.dumps(value)).decode()
            return {"function": packed, "imports": required_modules(value), "stub": stub, **own}
        except BaseException as error:
            return {"missing": f"the function cannot be called outside this notebook, where functions are tried ({describe_error(error)})"}


class TaskStub:
    """Substitute for the task inside a submission, with the data and the questions, but without a judge."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self._name, self._questions = job["exercise"], job["questions"]
        self._data = {name: decode(value) for name, value in job["data"].items()}
        self.token = job["token"]
        self.checked_values: dict[str, Any] = {}  # value that the notebook passed to `check`, for each question

    @property
    def data(self) -> Mapping[str, Any]:
        """Data by name, as copies: changes of the copies have no effect on the task."""
        return MappingProxyType({name: value.copy() if hasattr(value, "copy") else value for name, value in self._data.items()})

    def check(self, key: str, value: Any) -> str:
        """Store the value without judging it; the marker uses the value if the name that the original check reads is still empty."""
        self.checked_values[key] = value
        return "noted"

    def is_right(self, key: str, value: Any) -> bool:  # noqa: ARG002
        """Return False without judging the value."""
        return False

    def ask(self, key: str) -> str:
        """Return a question as text, with its answer options."""
        return str(self._questions[key])

    def fresh(self) -> TaskStub:
        """Return this task, which keeps no answers."""
        return self

    def another(self) -> TaskStub:
        """Return this task: only the registered data exist here."""
        return self

    def plot(self) -> None:
        """Draw nothing, since no person sees the picture."""

    progress = plot

    def solution(self) -> str:
        """Raise RuntimeError, since no solution exists during marking."""
        raise RuntimeError("the solution is not available while the notebook is being graded")


def _install_task_stub(task: TaskStub) -> None:
    """Make `fstats.exercise` and the catalogue return the substitute task."""

    def exercise(name: str, data: str = "") -> TaskStub:  # noqa: ARG001 - `data` is ignored, since the register decides which data are used
        if name != task._name:
            raise LookupError(
                f"this notebook is marked as the exercise {task._name!r}; got exercise({name!r}): open the exercise {task._name!r}"
            )
        return task

    def individual(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("the data of other students are not available while a notebook is being graded")

    catalogue = ModuleType("fstats.teaching.course.catalogue")
    for module in (sys.modules["fstats"], catalogue):
        module.__dict__.update(exercise=exercise, individual=individual)
    sys.modules["fstats.teaching.course.catalogue"] = catalogue
