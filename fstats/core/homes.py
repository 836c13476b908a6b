"""Where the public names of a package live, so that each is loaded when it is first used."""

from _ast import PyCF_ONLY_AST  # `ast` itself takes longer to load than all the rest
from importlib.machinery import ModuleSpec


def homes(package: ModuleSpec) -> dict[str, str]:
    """The module of each name ("": the name is a module), as the stub beside the package says; in a folder or in an archive."""
    return listed(package.loader.get_data(f"{package.origin}i").decode())  # type: ignore[union-attr]


def listed(stub: str) -> dict[str, str]:
    """The names that a stub imports from its package, however its lines are broken."""
    lines = compile(stub, "the stub", "exec", PyCF_ONLY_AST).body  # type: ignore[attr-defined]
    return {alias.asname or alias.name: line.module or "" for line in lines if getattr(line, "level", 0) for alias in line.names}
