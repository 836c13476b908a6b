"""The cells of a notebook, and the functions that it defines, run as they are asked for from outside; what comes of each is sent back."""

from __future__ import annotations

import base64
import builtins
import importlib
import json
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
except ImportError:  # joblib brings it along
    from joblib.externals import cloudpickle

PRELOADED = (
    "numpy",
    "scipy.stats",
    "fstats.procedures.contingency",
    "fstats.planning.critical_value_tables",
    "fstats.procedures.multiple",
    "fstats.procedures.pairwise",
    "fstats.plot",
    "fstats.procedures.posthoc",
    "fstats.procedures.resampling",
    "fstats.simulate",
    "fstats.studies.fold_hacking",
    "fstats.teaching.sandbox_runtime.function_call",
    "IPython.core.inputtransformer2",
    "IPython.display",
    "matplotlib.pyplot",
)


LIBRARY_FUNCTIONS: list[FunctionType] = []  # their functions, from before anybody else's code ran


def preload() -> None:
    """Import what submissions want, before any of them is here."""
    for name in PRELOADED:
        try:
            importlib.import_module(name)
        except ImportError:
            if not name.startswith(("IPython", "matplotlib")):  # these two are not in every installation
                raise
    import_modules(())
    LIBRARY_FUNCTIONS[:] = existing_functions()


def serve_requests(
    read: Callable[[], bytes],
    write: Callable[[bytes], None],
    begins: Callable[[], None] = lambda: None,
    alone: Callable[[], None] = lambda: None,
) -> None:
    """Do what is asked from outside, one request at a time, until nothing comes any more.

    Nothing lies here that a request does not bring: no cell that comes later, no data on which functions are tried, no judge.  Each
    answer bears the number of its request, and whatever else is written is none of ours.

    Parameters
    ----------
    read : callable
        ``read()``: the next request, a line of JSON; empty if there is none.
    write : callable
        ``write(line)``: sends an answer.
    begins : callable
        What is done before each request: its computing time begins.
    alone : callable
        What is done before a function is taken: from then on there are no files and no other processes or threads.
    """
    np.random.seed(0)  # noqa: NPY002 - a regrade gives the same mark
    random.seed(0)
    there: dict[str, Any] = {"alone": alone}

    while line := read():
        request = json.loads(line)
        begins()
        answer = HANDLERS[request["do"]](there, request)
        write(json.dumps({"id": request["id"], **answer}).encode() + b"\n")


def _handle_open(there: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Open the exercise for a notebook."""
    there["page"] = NotebookNamespace(request)
    return {}


def _handle_run(there: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Run a cell."""
    return there["page"].run(request["source"], request["name"])


def _handle_answer(there: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Look at an answer."""
    return there["page"].look(request["source"], request["key"], request["function"])


def _handle_function(there: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Take a function that another process has packed, where no ready-made test is left and nothing leads out."""
    import_modules(request["imports"])
    block_functions((*LIBRARY_FUNCTIONS, *existing_functions()), request["ready"])
    there["alone"]()
    try:
        there["function"] = pickle.loads(base64.b64decode(request["function"]))
    except BaseException as error:
        return {"raised": describe_error(error)}
    return {}


def _handle_call(there: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Call it."""
    call = call_function(there["function"], {name: decode(entry) for name, entry in request["inputs"].items()}, None)
    return {**call._asdict(), "value": serialise(call.value), "changed": list(call.changed)}


def _handle_scan(_: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Look for the course; it is asked where no submission runs."""
    return scan_for_leaks(**request["what"])


HANDLERS: Mapping[str, Callable[[dict[str, Any], Mapping[str, Any]], dict[str, Any]]] = {
    "open": _handle_open,
    "run": _handle_run,
    "look": _handle_answer,
    "take": _handle_function,
    "call": _handle_call,
    "walk": _handle_scan,
}


class NotebookNamespace:
    """A notebook that runs: its cells share their names, as in Jupyter."""

    def __init__(self, opened: Mapping[str, Any]) -> None:
        self.task = TaskStub(opened)
        _install_task_stub(self.task)
        self.space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, "display": lambda *_, **__: None}
        self.shell = IPythonSubstitute(self.space)
        self.space["get_ipython"] = install_get_ipython(self.shell)

    def run(self, source: str, name: str) -> dict[str, Any]:
        """Run a cell; what it raises is told."""
        try:
            self.shell.run(source, name)
        except BaseException as error:
            return {"raised": describe_error(error)}
        return {}

    def look(self, expression: str, key: str, function: bool) -> dict[str, Any]:
        """The value that a check looks at; of a function, all that another process needs to call it."""
        own: dict[str, Any] = {}
        handed = self.task.handed
        try:
            try:
                value = eval(compile(expression, f"<check of {key}>", "eval"), self.space)
            except NameError:
                if key not in handed:
                    raise
                value = ...
            if key in handed and (value is ... or value is None or (callable(value) and is_stub(value))):
                value, own = handed[key], {"own": True}
            if not function or not callable(value):
                return {"value": serialise(value), **own}
            stub = is_stub(value)
        except BaseException as error:
            return {"missing": describe_error(error)}
        try:
            packed = base64.b64encode(cloudpickle.dumps(value)).decode()
            return {"function": packed, "imports": required_modules(value), "stub": stub, **own}
        except BaseException as error:
            return {"missing": f"it cannot be called outside this notebook, where functions are tried ({describe_error(error)})"}


class TaskStub:
    """What a submission has in the place of its task: the data, the questions in words, and no judge."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self._name, self._questions = job["exercise"], job["questions"]
        self._data = {name: decode(value) for name, value in job["data"].items()}
        self.token = job["token"]
        self.handed: dict[str, Any] = {}  # what the student's own checks hand in

    @property
    def data(self) -> Mapping[str, Any]:
        """The data by name; changing them changes nothing here."""
        return MappingProxyType({name: value.copy() if hasattr(value, "copy") else value for name, value in self._data.items()})

    def check(self, key: str, value: Any) -> str:
        """Nothing is judged here; what was handed in is taken where the name that our check looks at is empty."""
        self.handed[key] = value
        return "noted"

    def is_right(self, key: str, value: Any) -> bool:  # noqa: ARG002
        """Nor here."""
        return False

    def ask(self, key: str) -> str:
        """A question in words, with the answers to choose from."""
        return str(self._questions[key])

    def fresh(self) -> TaskStub:
        """The same: it keeps no answers."""
        return self

    def another(self) -> TaskStub:
        """No other numbers than the register's."""
        return self

    def plot(self) -> None:
        """Nobody looks at it."""

    progress = plot

    def solution(self) -> str:
        """Not while it is marked."""
        raise RuntimeError("there is no solution here: this notebook is being marked")


def _install_task_stub(task: TaskStub) -> None:
    """Let `fstats.exercise` give the stand-in, by whatever name it is asked for."""

    def exercise(name: str, data: str = "") -> TaskStub:  # noqa: ARG001 - which data, the register decides
        if name != task._name:
            raise LookupError(f"this notebook is marked as {task._name}; it opens {name!r}")
        return task

    def individual(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("there are no other students here")

    catalogue = ModuleType("fstats.teaching.course.catalogue")
    for module in (sys.modules["fstats"], catalogue):
        module.__dict__.update(exercise=exercise, individual=individual)
    sys.modules["fstats.teaching.course.catalogue"] = catalogue
