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


def by_room(homes: dict[str, str], width: int = 134) -> str:
    """The names as a page of help lists them: a paragraph for each room, and what lies on top of the house in the last.

    >>> by_room({"plot": "", "WelchT": "procedures.pairwise.two_sample_t", "PairedT": "procedures.pairwise.paired_t"}, 25).splitlines()
    ['pairwise: WelchT,', '    PairedT', 'modules: plot']
    """
    rooms: dict[str, list[str]] = {}
    for name, home in homes.items():
        first, *rest = home.split(".")
        rooms.setdefault(rest[0] if first == "procedures" else first, []).append(name)
    rooms["modules"] = rooms.pop("", [])
    lines = []
    for room, names in rooms.items():
        line = f"{room}:"
        for name in names:
            if len(line) + len(name) > width - 2:
                lines.append(line)
                line = "   "
            line += f" {name},"
        lines.append(line[:-1])
    return "\n".join(lines)
