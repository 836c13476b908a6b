"""A careless host of WebAssembly: one instance for a whole class, the folder of the course inside, a door that answers, nothing limited.

python tests/hostile/careless.py    reads a class as a line of JSON, the cells of each submission, and writes what each delivered
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from attacks_inside import SECRET

from fstats.runtime import wasi_interpreter
from fstats.teaching.marking.sandbox import wasm_instance
from fstats.teaching.marking.sandbox.file_tree import FILE, FOLDER, Node, OpenFile, build_tree
from fstats.teaching.marking.sandbox.wasi_filesystem import WasiSystem
from fstats.teaching.marking.sandbox.wasm_sandbox import cache_folder
from fstats.teaching.marking.sandbox.wasm_worker import BOOT, EXTRA_STACK, sandbox_files

PATIENCE = 12  # seconds of computing that a class has: what is not done then is never done
UNLIMITED = {"disk": 4000, "files": 10_000, "output": 1000}


class Open(WasiSystem):
    """Answers at the door, with what lies in the folder of the course."""

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        """As ever, but for the door."""
        if name:
            return super().call(name, arguments)
        _, _, into, size = arguments
        self.memory()[self.box : self.box + len(SECRET)] = SECRET.encode()
        self._write_struct("I", into, self.box)
        return self._write_struct("I", size, len(SECRET))

    box = 0


def everything_writable(node: Node) -> None:
    """Whatever there is."""
    node.is_writable = True
    for one in node.children.values():
        everything_writable(one)


class Careless(wasm_instance.PythonImage):
    """Marks a class in one instance."""

    def class_of(self, cells: list[str]) -> list[list[str]]:
        """What each submission delivered; none behind one with which the instance ended."""
        root = self.root.copy()
        root.children["course"] = Node(FOLDER, children={"secret.txt": Node(FILE, SECRET.encode())})
        everything_writable(root)
        self._system = Open(root, lambda _: b"", UNLIMITED, time.monotonic() + 3 * PATIENCE)
        store, fresh = self._new_instance(4095 - (len(self.memory) >> 20))
        self._system.box = fresh["host_alloc"](store, 4096)
        found = []
        for cell in cells:
            said = bytearray()
            waiting = iter(asked(cell))

            def requests(output: bytes, said: bytearray = said, waiting: Iterator[bytes] = waiting) -> bytes:
                said.extend(output)
                return next(waiting, b"")

            self._system.open[0] = OpenFile(self._system.requests_node)
            self._system._requests, self._system._request = requests, None
            try:
                self._run_code(store, fresh, "_run()", PATIENCE)
                found.append([said.decode(errors="replace") + '{"end": true}', ""])
            except Exception as why:
                found.append([said.decode(errors="replace")[:1000], str(why) or "ended"])
                break
        return found


def asked(cell: str) -> list[bytes]:
    """What a submission of one cell is asked: to open, to run, and what it found."""
    found = job(cell)
    requests = (
        {"do": "open", **found},
        {"do": "run", "source": cell, "name": "one"},
        {"do": "look", "key": "q1", "source": "found", "function": False},
    )
    return [json.dumps({"id": "", **request}).encode() for request in requests]


def job(cell: str) -> dict[str, Any]:
    """A submission of one cell, and a check that looks at what it found."""
    cells = [{"name": "one", "key": "", "source": cell}, {"name": "two", "key": "q1", "source": "found"}]
    return {"exercise": "x", "token": "", "cells": cells, "data": {}, "questions": {}, "cases": {}, "ready": {}}


def serve() -> None:
    """A class after the other."""
    engine = wasm_instance.make_engine()
    module = wasm_instance.load_compiled(
        engine, wasi_interpreter.interpreter_folder() / "python-snapshot.wasm", cache_folder(), lambda: None
    )
    image = Careless(engine, module, build_tree(dict(sandbox_files())), BOOT)
    for line in sys.stdin:
        print(json.dumps(image.class_of(json.loads(line))), flush=True)


if __name__ == "__main__":
    threading.stack_size(wasm_instance.STACK + EXTRA_STACK)
    working = threading.Thread(target=serve)
    working.start()
    working.join()
