"""Files and folders in memory, as Python behind WebAssembly has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEVICE, FOLDER, FILE = 2, 3, 4
WRITABLE = "own"  # the one folder where a submission may write


class Node:
    """A file, a folder, or one end of a channel."""

    def __init__(self, kind: int, data: Any = b"", inside: dict[str, Node] | None = None, own: bool = False) -> None:
        self.kind, self.data, self.inside, self.own = kind, data, inside if inside is not None else {}, own

    def copy(self) -> Node:
        """It for another run, whatever this one writes; what nobody can change is shared."""
        if not self.own:
            return Node(self.kind, self.data, {name: node.copy() if node.own else node for name, node in self.inside.items()})
        return Node(self.kind, bytes(self.data), {name: node.copy() for name, node in self.inside.items()}, own=True)


def build_tree(files: Mapping[str, Any]) -> Node:
    """The folder "/" with these files, which nobody can change, and an empty one where a submission may write."""
    root = Node(FOLDER)
    for path, data in files.items():
        *folders, name = path.strip("/").split("/")
        node = root
        for part in folders:
            node = node.inside.setdefault(part, Node(FOLDER))
        node.inside[name] = Node(FILE, data)
    root.inside[WRITABLE] = Node(FOLDER, own=True)
    return root


class OpenFile:
    """A node that is open, and where in it one is."""

    def __init__(self, node: Node, append: bool = False) -> None:
        self.node, self.append, self.at = node, append, 0
