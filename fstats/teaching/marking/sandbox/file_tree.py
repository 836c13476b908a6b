"""Files and folders in memory for Python in WebAssembly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEVICE, FOLDER, FILE = 2, 3, 4
WRITABLE = "own"  # name of the only folder in which a submission may write


class Node:
    """Node of the file tree: a file, a folder, or one end of a channel."""

    def __init__(self, kind: int, data: Any = b"", children: dict[str, Node] | None = None, is_writable: bool = False) -> None:
        self.kind, self.data, self.children, self.is_writable = kind, data, children if children is not None else {}, is_writable

    def copy(self) -> Node:
        """Copy the node for another run; read-only nodes are shared."""
        if not self.is_writable:
            children = {name: node.copy() if node.is_writable else node for name, node in self.children.items()}
            return Node(self.kind, self.data, children)
        return Node(self.kind, bytes(self.data), {name: node.copy() for name, node in self.children.items()}, is_writable=True)


def build_tree(files: Mapping[str, Any]) -> Node:
    """Return the root folder "/" with read-only files and an empty folder in which a submission may write."""
    root = Node(FOLDER)
    for path, data in files.items():
        *folders, name = path.strip("/").split("/")
        node = root
        for part in folders:
            node = node.children.setdefault(part, Node(FOLDER))
        node.children[name] = Node(FILE, data)
    root.children[WRITABLE] = Node(FOLDER, is_writable=True)
    return root


class OpenFile:
    """An open node, and the current position in the node."""

    def __init__(self, node: Node, append: bool = False) -> None:
        self.node, self.append, self.position = node, append, 0
