"""API reference of the web site: a page with docstring, symbols and formulas for each public name."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from string import Template
from textwrap import indent
from types import FunctionType
from typing import Any

from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from ..core.step import HIDDEN_SLOTS_SEPARATOR, Step
from . import gallery
from .assets import fill_template

# types of the members that a class page documents; the tables of steps and inputs are made separately
MEMBER_TYPES = (classmethod, staticmethod, property, FunctionType)
MODULE_TITLES = {"explore": "Explorers for notebooks", "plot": "Pictures", "simulate": "Simulation", "datasets": "Data sets"}
BASE_CLASS_TITLES = {Procedure: "Members of every procedure", HypothesisTest: "Members of every test"}


def write_reference(folder: Path, only: Sequence[str] = (), notebooks: Mapping[str, Sequence[Path]] | None = None) -> None:
    """Write the pages of the reference as reStructuredText; with `only`, write only the pages of these names.

    The pages of names link to the `notebooks` by folder. Pictures and sources are saved in the folder `_static`.
    """
    folder.mkdir(parents=True)
    static = folder.parent / "_static"
    groups = {title: chosen for title, names in gallery.GROUPS.items() if (chosen := [name for name in names if not only or name in only])}
    modules = {name: title for name, title in MODULE_TITLES.items() if not only or name in only}
    every = [name for names in groups.values() for name in names]
    for name in every:
        _write_lines(folder, name, _name_page(name, every, notebooks or {}, static))
    for name, title in modules.items():
        _write_lines(folder, name, _module_page(name, title))
    _write_lines(folder, "procedures", _shared_members_page())
    _write_lines(folder, "differences", _differences_page())
    cards = {title: {name: gallery.card(name, _first_paragraph(_public_object(name))) for name in names} for title, names in groups.items()}
    page = fill_template("reference.rst.j2", groups=cards, modules=[*modules, "procedures", "differences"])
    (folder / "index.rst").write_text(page, encoding="utf-8")


def _write_lines(folder: Path, name: str, lines: Iterable[str]) -> None:
    (folder / f"{name}.rst").write_text("\n".join(lines), encoding="utf-8")


def _public_object(name: str) -> Any:
    return getattr(import_module("fstats"), name)


def _first_paragraph(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def _heading(title: str, sign: str = "=") -> list[str]:
    return [title, sign * len(title), ""]


def _name_page(name: str, names: Sequence[str], notebooks: Mapping[str, Sequence[Path]], static: Path) -> Iterator[str]:
    import fstats

    thing = _public_object(name)
    yield from _heading(name)
    yield from (gallery.question(_first_paragraph(thing))[1], "")
    yield from gallery.example_lines(name, static)
    yield from gallery.link_lines(name, f"fstats.{fstats._HOME[name]}", _related(name, names), notebooks, static)
    yield from _autodoc_lines(f"fstats.{name}", thing)
    if inspect.isclass(thing) and issubclass(thing, Procedure):
        yield from ("", *_heading("Steps", "-"), *steps_table(thing))
        yield from ("", "Each step is an attribute. Other members: :doc:`procedures`.", "")


def _related(name: str, names: Sequence[str]) -> list[str]:
    """Return the names that a docstring mentions, and the public names of its module."""
    import fstats

    mentioned = re.findall(r":`fstats\.(\w+)`", inspect.getdoc(_public_object(name)) or "")
    neighbours = [other for other in names if fstats._HOME[other] == fstats._HOME[name]]
    return [other for other in dict.fromkeys([*mentioned, *neighbours]) if other in names and other != name]


def _autodoc_lines(name: str, thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f".. autofunction:: {name}"
        return
    yield f".. autoclass:: {name}"
    for member in documented_members(thing):
        yield from ("", f"   .. auto{'method' if callable(getattr(thing, member)) else 'attribute'}:: {name}.{member}")


def documented_members(thing: type) -> list[str]:
    """Return the methods and properties of a class except its steps, with members inherited from classes without a page."""
    classes = [cls for cls in reversed(thing.__mro__) if cls.__module__.startswith("fstats.") and cls not in BASE_CLASS_TITLES]
    steps = getattr(thing, "steps", {}).keys() | getattr(thing, "inputs", {}).keys()
    members = [name for cls in classes for name, value in vars(cls).items() if _is_documented(name, value)]
    return [name for name in dict.fromkeys(members) if name not in steps and inspect.getdoc(getattr(thing, name))]


def _is_documented(name: str, value: object) -> bool:
    return isinstance(value, MEMBER_TYPES) and not name.startswith("_") and name not in gallery.OTHER_CODE


def steps_table(thing: type[Procedure]) -> Iterator[str]:
    """Yield the lines of a table of the inputs and steps of a procedure: symbol, formula, sentence."""
    symbols = {name: about["symbol"] for name, about in thing.inputs.items()} | {name: s.symbol for name, s in thing.steps.items()}
    yield from (".. list-table::", "   :class: fstats-steps", "   :widths: 20 80", "   :header-rows: 1")
    yield from ("", "   * - name", "     - meaning")
    for name, about in thing.inputs.items():
        yield from _table_row(name, f"{about['sentence']} (Input.)", [_formula(about["symbol"])])
    for name, s in thing.steps.items():
        formulas = [
            (case, Template(form.partition(HIDDEN_SLOTS_SEPARATOR)[0]).substitute(symbols)) for case, form in _formula_cases(thing, s)
        ]
        shown = [f"{case}: " * bool(case) + _formula(s.symbol, s.relation, form) for case, form in formulas]
        yield from _table_row(name, s.sentence, shown)


def _formula_cases(thing: type[Procedure], s: Step[Any]) -> list[tuple[str, str]]:
    """Return the possible formulas of a step in a class, each with its condition; if there is only one formula, it has no condition."""
    if isinstance(s.formula, str):
        return [("", s.formula)]
    forms: Mapping[Any, str] = s.formula
    tails: Mapping[str, Any] = getattr(thing, "tails", {})
    chosen = {case: [name for name, tail in tails.items() if tail == case] for case in forms}
    depends_on_tail = any(chosen.values())
    conditions = {case: case if isinstance(case, str) else f"{s.by} = {case}" for case in forms}
    formulas = [
        (", ".join(chosen[case]) if depends_on_tail else conditions[case], form)
        for case, form in forms.items()
        if chosen[case] or not depends_on_tail
    ]
    return [("", formulas[0][1])] if len(formulas) == 1 else formulas


def _table_row(name: str, sentence: str, formulas: list[str]) -> Iterator[str]:
    yield f"   * - ``{name}``"
    yield "     - " + "\n\n       ".join([_escape(sentence), "\n       ".join(f"| {formula}" for formula in formulas)])


def _formula(symbol: str, relation: str = "", form: str = "") -> str:
    return f":math:`{symbol} {relation} {form}`" if form else f":math:`{symbol}`"


def _escape(text: str) -> str:
    return text.replace("*", r"\*").replace("|", r"\|").replace("_", r"\_") or "."


def _module_page(name: str, title: str) -> Iterator[str]:
    module = _public_object(name) if name == "datasets" else import_module(f"fstats.{name}")
    yield from (*_heading(title), f".. module:: fstats.{name}", "", indent(inspect.getdoc(module) or "", ""), "")
    functions = [n for n, value in vars(module).items() if inspect.isfunction(value) and not n.startswith("_")]
    for member in getattr(module, "__all__", functions):
        yield from ("", *_heading(member, "-"), *_autodoc_lines(f"fstats.{name}.{member}", getattr(module, member)))


def _shared_members_page() -> Iterator[str]:
    yield from _heading("Members of all procedures and tests")
    for thing, title in BASE_CLASS_TITLES.items():
        yield from (*_heading(title, "-"), inspect.getdoc(thing) or "", "")
        for member, value in vars(thing).items():
            if _is_documented(member, value):
                kind = "method" if callable(getattr(thing, member)) else "attribute"
                yield from (f".. auto{kind}:: {thing.__module__}.{thing.__name__}.{member}", "")


def _differences_page() -> Iterator[str]:
    """Yield the page that lists the origin of each procedure and all differences from the sources."""
    yield from _heading("What differs from the sources")
    yield "A procedure is *published*, a *variant* of a published procedure, or *ours* (composed in fstats)."
    origins = {
        name: thing.origin() for names in gallery.GROUPS.values() for name in names if hasattr(thing := _public_object(name), "origin")
    }
    for kind in ("ours", "variant", "published"):
        yield from ("", *_heading(kind.capitalize(), "-"))
        yield from (f"* ``{name}``: {origin.source}." for name, origin in origins.items() if origin.kind == kind)
    table = tomllib.loads(files(__package__).joinpath("differences.toml").read_text(encoding="utf-8"))
    for title, difference in table.items():
        yield from ("", *_heading(title, "-"), "*What the source says.* " + difference["source"], "")
        yield from ("*Derivation.* " + difference["derivation"], "", "*Evidence.* " + difference["evidence"])
    yield ""
