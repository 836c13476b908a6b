"""The reference: a page for each public name, from its docstring and, where it has steps, their symbols, formulas and sentences."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from string import Template
from textwrap import indent
from types import FunctionType, ModuleType
from typing import Any

from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from ..core.step import HIDDEN_SLOTS_SEPARATOR, Step

MEMBER_TYPES = (classmethod, staticmethod, property, FunctionType)  # what a class offers; steps and inputs have tables of their own
MODULE_TITLES = {"explore": "Explorers for notebooks", "plot": "Pictures", "simulate": "Simulation", "datasets": "Data sets"}
BASE_CLASS_TITLES = {Procedure: "What every procedure can do", HypothesisTest: "What every test can do"}


def write_reference(folder: Path, some: Sequence[str] = ()) -> None:
    """The pages, as reStructuredText; with `some` names those of these alone."""
    folder.mkdir(parents=True)
    rooms = {room: kept for room, names in names_by_package().items() if (kept := [name for name in names if not some or name in some])}
    alone = {name: words for name, words in MODULE_TITLES.items() if not some or name in some}
    lines = [*_heading("Reference"), "Every name that ``import fstats`` offers, from the docstrings of the code."]
    for room, names in rooms.items():
        lines += [
            "",
            *_heading(_first_paragraph(import_module(room)).rstrip(".:"), "-"),
            *_name_table(names),
            "",
            ".. toctree::",
            "   :hidden:",
            "",
        ]
        lines += [f"   {name}" for name in names]
        for name in names:
            (folder / f"{name}.rst").write_text("\n".join(_name_page(name)), encoding="utf-8")
    lines += ["", *_heading("Modules", "-"), ".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in alone), ""]
    lines += ["", *_heading("Shared by all", "-"), ".. toctree::", "   :maxdepth: 1", "", "   procedures", ""]
    for name, words in alone.items():
        (folder / f"{name}.rst").write_text("\n".join(_module_page(name, words)), encoding="utf-8")
    (folder / "procedures.rst").write_text("\n".join(_shared_members_page()), encoding="utf-8")
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def names_by_package() -> dict[str, list[str]]:
    """The public names that are no modules, by the room in which they live, in the order of the stub."""
    import fstats

    found: dict[str, list[str]] = {}
    for name in fstats.__all__:
        if not isinstance(_public_object(name), ModuleType):
            found.setdefault(f"fstats.{fstats._HOME[name].rpartition('.')[0]}", []).append(name)
    return found


def _public_object(name: str) -> Any:
    return getattr(import_module("fstats"), name)


def _first_paragraph(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def _heading(words: str, sign: str = "=") -> list[str]:
    return [words, sign * len(words), ""]


def _name_table(names: list[str]) -> Iterator[str]:
    yield from (".. list-table::", "   :widths: 25 75", "")
    for name in names:
        yield f"   * - :doc:`{name}`"
        yield f"     - {_first_paragraph(_public_object(name))}"


def _name_page(name: str) -> Iterator[str]:
    thing = _public_object(name)
    yield from _heading(name)
    yield from _autodoc_lines(f"fstats.{name}", thing)
    if inspect.isclass(thing) and issubclass(thing, Procedure):
        yield from (
            "",
            *_heading("Its steps", "-"),
            *steps_table(thing),
            "",
            "Each is an attribute.  What else there is: :doc:`procedures`.",
            "",
        )


def _autodoc_lines(name: str, thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f".. autofunction:: {name}"
        return
    yield f".. autoclass:: {name}"
    for member in documented_members(thing):
        yield from ("", f"   .. auto{'method' if callable(getattr(thing, member)) else 'attribute'}:: {name}.{member}")


def documented_members(thing: type) -> list[str]:
    """The methods and values that a class offers beside its steps, with what it has from classes that have no page."""
    own = [one for one in reversed(thing.__mro__) if one.__module__.startswith("fstats.") and one not in BASE_CLASS_TITLES]
    steps = getattr(thing, "steps", {}).keys() | getattr(thing, "inputs", {}).keys()
    found = [name for one in own for name, value in vars(one).items() if isinstance(value, MEMBER_TYPES) and not name.startswith("_")]
    return [name for name in dict.fromkeys(found) if name not in steps and inspect.getdoc(getattr(thing, name))]


def steps_table(thing: type[Procedure]) -> Iterator[str]:
    """The inputs and the steps of a procedure: symbol, formula with symbols in it, sentence."""
    symbols = {name: about["symbol"] for name, about in thing.inputs.items()} | {name: s.symbol for name, s in thing.steps.items()}
    yield from (".. list-table::", "   :class: fstats-steps", "   :widths: 20 80", "   :header-rows: 1")
    yield from ("", "   * - name", "     - what it is")
    for name, about in thing.inputs.items():
        yield from _table_row(name, f"{about['sentence']} (Given.)", [_formula(about["symbol"])])
    for name, s in thing.steps.items():
        written = [
            (case, Template(form.partition(HIDDEN_SLOTS_SEPARATOR)[0]).substitute(symbols)) for case, form in _formula_cases(thing, s)
        ]
        yield from _table_row(name, s.sentence, [f"{case}: " * bool(case) + _formula(s.symbol, s.relation, form) for case, form in written])


def _formula_cases(thing: type[Procedure], s: Step[Any]) -> list[tuple[str, str]]:
    """The forms of a formula that this class can take, each with what chooses it; one form alone needs no choice."""
    if isinstance(s.formula, str):
        return [("", s.formula)]
    forms: Mapping[Any, str] = s.formula
    tails: Mapping[str, Any] = getattr(thing, "tails", {})
    chosen = {case: [name for name, tail in tails.items() if tail == case] for case in forms}
    by_tail = any(chosen.values())
    named = {case: case if isinstance(case, str) else f"{s.by} = {case}" for case in forms}
    found = [(", ".join(chosen[case]) if by_tail else named[case], form) for case, form in forms.items() if chosen[case] or not by_tail]
    return [("", found[0][1])] if len(found) == 1 else found


def _table_row(name: str, sentence: str, formulas: list[str]) -> Iterator[str]:
    yield f"   * - ``{name}``"
    yield "     - " + "\n\n       ".join([_escape(sentence), "\n       ".join(f"| {one}" for one in formulas)])


def _formula(symbol: str, relation: str = "", form: str = "") -> str:
    return f":math:`{symbol} {relation} {form}`" if form else f":math:`{symbol}`"


def _escape(words: str) -> str:
    return words.replace("*", r"\*").replace("|", r"\|").replace("_", r"\_") or "."


def _module_page(name: str, words: str) -> Iterator[str]:
    module = _public_object(name) if name == "datasets" else import_module(f"fstats.{name}")
    yield from (*_heading(words), f".. module:: fstats.{name}", "", indent(inspect.getdoc(module) or "", ""), "")
    functions = [n for n, value in vars(module).items() if inspect.isfunction(value) and not n.startswith("_")]
    for member in getattr(module, "__all__", functions):
        yield from ("", *_heading(member, "-"), *_autodoc_lines(f"fstats.{name}.{member}", getattr(module, member)))


def _shared_members_page() -> Iterator[str]:
    yield from _heading("What procedures and tests share")
    for thing, words in BASE_CLASS_TITLES.items():
        yield from (*_heading(words, "-"), inspect.getdoc(thing) or "", "")
        for member, value in vars(thing).items():
            if not member.startswith("_") and isinstance(value, MEMBER_TYPES):
                kind = "method" if callable(getattr(thing, member)) else "attribute"
                yield from (f".. auto{kind}:: {thing.__module__}.{thing.__name__}.{member}", "")
