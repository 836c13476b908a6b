"""Lazy import of modules.

The module of a public name is imported when the name is first used.
"""

import textwrap
from _ast import PyCF_ONLY_AST  # importing `ast` takes longer than all other imports of this module
from importlib.machinery import ModuleSpec


def public_name_modules(package: ModuleSpec) -> dict[str, str]:
    """Map each public name to its module, as written in the package's type stub ("" if the name is itself a module).

    The stub is read through the loader, because the package may be in a folder or in a zip archive.
    """
    return parse_stub_imports(package.loader.get_data(f"{package.origin}i").decode())  # type: ignore[union-attr]


def parse_stub_imports(stub: str) -> dict[str, str]:
    """Map each name that a stub imports from its package to its module."""
    lines = compile(stub, "the stub", "exec", PyCF_ONLY_AST).body  # type: ignore[attr-defined]
    return {alias.asname or alias.name: line.module or "" for line in lines if getattr(line, "level", 0) for alias in line.names}


def format_names_by_package(modules: dict[str, str], width: int = 134) -> str:
    """List the names for a help page: a paragraph for each subpackage, and the modules in the last paragraph.

    >>> print(format_names_by_package({"plot": "", "WelchT": "procedures.pairwise.welch", "PairedT": "procedures.pairwise.paired"}, 23))
    pairwise: WelchT,
        PairedT
    modules: plot
    """
    packages: dict[str, list[str]] = {}
    for name, module in modules.items():
        first, *rest = module.split(".")
        packages.setdefault(rest[0] if first == "procedures" else first, []).append(name)
    packages["modules"] = packages.pop("", [])
    wrapper = textwrap.TextWrapper(width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrapper.fill(f"{package}: {', '.join(names)}") for package, names in packages.items())
