"""The files that Python behind WebAssembly has: in memory, of which a submission may write a few megabytes; none is of the machine.

The calls are those of WASI preview 1, and so are the numbers.  An address that is none raises an error, which ends the run.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .file_tree import DEVICE, FILE, FOLDER, Node, OpenFile

BADF, EXIST, INVAL, ISDIR, MFILE, NOENT, NOSPC, NOTDIR, NOTEMPTY, ROFS = 8, 20, 28, 31, 33, 44, 51, 54, 55, 69
CREATE, ONLY_FOLDER, EXCLUSIVE, TRUNCATE = 1, 2, 4, 8
ROOT, RESULT = 3, 4  # open from the beginning, as is what is to be run, at 0: the folder "/", and where answers go
VECTORS, PATH = 1024, 4096  # at most, in one call: parts, bytes of a name
NODES = 4096  # files and folders of its own


class RunEnded(Exception):
    """The run is over, for the reason that the message gives; with none, Python has ended itself."""


class WasiError(Exception):
    """A call has no success; the number says why."""


class WasiFiles:
    """All that is open in one run: from descriptor 0 come the requests, from 3 the folder "/"; into 4 go the answers.

    A request is read to its end, where nothing comes; the next read waits for the next one.

    Parameters
    ----------
    root : Node
        The folder "/".
    requests : callable
        ``requests(output)``: hands over what was written since the last one, and waits for the next.
    limits : mapping
        What the run may use.
    """

    def __init__(self, root: Node, requests: Callable[[bytes], bytes], limits: Mapping[str, Any]) -> None:
        self.root, self.output, self.limits, self._requests = root, bytearray(), limits, requests
        nothing, self.asked, self.result = Node(DEVICE), Node(DEVICE), Node(DEVICE)
        self.open = {number: OpenFile(node) for number, node in enumerate([self.asked, nothing, nothing, root, self.result])}
        self._request: memoryview | None = None
        self._written = 0
        self.room, self.nodes = limits["disk"] << 20, NODES
        self.memory: Callable[[], memoryview] = lambda: memoryview(b"")  # that of the instance, as soon as there is one

    def _put(self, form: str, at: int, *values: Any) -> int:
        struct.pack_into("<" + form, self.memory(), at, *values)
        return 0

    def _part(self, start: int, length: int) -> memoryview:
        """A part of the memory, all of which there is."""
        memory = self.memory()
        if start + length > len(memory):
            raise IndexError(start)
        return memory[start : start + length]

    def _parts(self, start: int, count: int) -> Iterator[memoryview]:
        if count > VECTORS:
            raise WasiError(INVAL)
        for place, length in struct.iter_unpack("<II", self._part(start, 8 * count)):
            yield self._part(place, length)

    def _opened(self, fd: int, *kinds: int) -> OpenFile:
        if fd not in self.open:
            raise WasiError(BADF)
        found = self.open[fd]
        if kinds and found.node.kind not in kinds:
            raise WasiError(ISDIR if found.node.kind == FOLDER else NOTDIR if FOLDER in kinds else INVAL)
        return found

    def _find(self, fd: int, start: int, length: int) -> tuple[Node, str, Node | None]:
        """The folder that holds a path, its last name, and what is there."""
        if length > PATH:
            raise WasiError(INVAL)
        found: Node | None = self._opened(fd).node
        holds, name, above = self.root, "", list[Node]()
        for part in bytes(self._part(start, length)).decode("utf-8", "replace").split("/"):
            if part in ("", "."):
                continue
            if found is None or found.kind != FOLDER:
                raise WasiError(NOENT if found is None else NOTDIR)
            if part == "..":
                found = above.pop() if above else self.root
                continue
            above.append(found)
            holds, name, found = found, part, found.inside.get(part)
        return holds, name, found

    def _there(self, fd: int, start: int, length: int) -> tuple[Node, str, Node]:
        holds, name, node = self._find(fd, start, length)
        if node is None:
            raise WasiError(NOENT)
        return holds, name, node

    def _new(self, holds: Node, name: str, kind: int) -> Node:
        if not holds.own or self.nodes <= 0:
            raise WasiError(NOSPC if holds.own else ROFS)
        self.nodes -= 1
        holds.inside[name] = node = Node(kind, own=True)
        return node

    def _take(self, one: OpenFile, at: int, start: int, count: int, told: int) -> int:
        done = 0
        if one.node is self.asked:
            self._put("I", told, self._ask(next(self._parts(start, count), memoryview(b""))))
            return 0
        for place in self._parts(start, count) if one.node.kind == FILE else ():
            part = one.node.data[at + done : at + done + len(place)]
            place[: len(part)] = part
            done += len(part)
        self._put("I", told, done)
        return done

    def _ask(self, into: memoryview) -> int:
        """How many bytes of a request are read; none at its end."""
        if self._request is None:
            output, self.output = bytes(self.output), bytearray()
            self._written += len(output)
            self._request = memoryview(self._requests(output))
        part, self._request = self._request[: len(into)], self._request[len(into) :]
        into[: len(part)] = part
        if not part:
            self._request = None
        return len(part)

    def _resize(self, node: Node, size: int) -> None:
        more = size - len(node.data)
        if not node.own or more > self.room:
            raise WasiError(NOSPC if node.own else ROFS)
        self.room -= more
        node.data = node.data if isinstance(node.data, bytearray) else bytearray(node.data)
        if more > 0:
            node.data.extend(bytes(more))
        else:
            del node.data[size:]

    def _give(self, one: OpenFile, at: int, start: int, count: int, told: int) -> int:
        node, parts = one.node, list(self._parts(start, count))
        size = sum(map(len, parts))
        if node is self.result:
            most = (self.limits["output"] << 20) - self._written
            for part in parts:
                self.output += part[: most + 1 - len(self.output)]
                if len(self.output) > most:
                    raise RunEnded(f"it delivered more than {self.limits['output']} MiB")
        elif node.kind == FILE:
            self._resize(node, max(at + size, len(node.data)))
            for part in parts:
                node.data[at : at + len(part)] = part
                at += len(part)
        self._put("I", told, size)
        return size

    def _stat(self, node: Node, into: int) -> int:
        size = len(node.data) if node.kind == FILE else 0
        return self._put("QQB7xQQQQQ", into, 0, id(node) & 0xFFFFFFFF, node.kind, 1, size, 0, 0, 0)

    # -- what is open -----------------------------------------------------------------------------------------------------------------
    def do_fd_close(self, fd: int) -> int:
        """Close it."""
        self._opened(fd)
        del self.open[fd]
        return 0

    def do_fd_fdstat_get(self, fd: int, into: int) -> int:
        """What it is, with all rights: what may be done decides each call."""
        one = self._opened(fd)
        return self._put("BxH4xQQ", into, one.node.kind, one.append, 0x1FFFFFFF, 0x1FFFFFFF)

    def do_fd_filestat_get(self, fd: int, into: int) -> int:
        """Its kind and size."""
        return self._stat(self._opened(fd).node, into)

    def do_fd_filestat_set_size(self, fd: int, size: int) -> int:
        """Make a file of one's own longer or shorter."""
        self._resize(self._opened(fd, FILE).node, size)
        return 0

    def do_fd_prestat_get(self, fd: int, into: int) -> int:
        """One folder is open from the beginning."""
        if fd != ROOT:
            raise WasiError(BADF)
        return self._put("II", into, 0, 1)

    def do_fd_prestat_dir_name(self, _: int, into: int, __: int) -> int:
        """Its name."""
        return self._put("c", into, b"/")

    def do_fd_read(self, fd: int, start: int, count: int, told: int) -> int:
        """Read on."""
        one = self._opened(fd, FILE, DEVICE)
        one.at += self._take(one, one.at, start, count, told)
        return 0

    def do_fd_pread(self, fd: int, start: int, count: int, at: int, told: int) -> int:
        """Read from a place."""
        self._take(self._opened(fd, FILE), at, start, count, told)
        return 0

    def do_fd_write(self, fd: int, start: int, count: int, told: int) -> int:
        """Write on."""
        one = self._opened(fd, FILE, DEVICE)
        one.at = len(one.node.data) if one.append else one.at
        one.at += self._give(one, one.at, start, count, told)
        return 0

    def do_fd_pwrite(self, fd: int, start: int, count: int, at: int, told: int) -> int:
        """Write to a place."""
        self._give(self._opened(fd, FILE), at, start, count, told)
        return 0

    def do_fd_seek(self, fd: int, offset: int, whence: int, into: int) -> int:
        """Go to a place."""
        one = self._opened(fd, FILE)
        to = (offset if offset < 1 << 63 else offset - (1 << 64)) + (0, one.at, len(one.node.data))[whence]
        if not 0 <= to < 1 << 62:
            raise WasiError(INVAL)
        one.at = to
        return self._put("Q", into, to)

    def do_fd_tell(self, fd: int, into: int) -> int:
        """Where one is."""
        return self._put("Q", into, self._opened(fd).at)

    def do_fd_readdir(self, fd: int, into: int, length: int, cookie: int, told: int) -> int:
        """The names in a folder, as many as there is room for."""
        room, used = self._part(into, length), 0
        for k, (name, node) in enumerate([*self._opened(fd, FOLDER).node.inside.items()][cookie:], cookie + 1):
            word = name.encode()
            entry = (struct.pack("<QQIB3x", k, id(node) & 0xFFFFFFFF, len(word), node.kind) + word)[: length - used]
            room[used : used + len(entry)] = entry
            used += len(entry)
        return self._put("I", told, used)

    # -- by name ------------------------------------------------------------------------------------------------------------------------
    def do_path_create_directory(self, fd: int, start: int, length: int) -> int:
        """A new folder."""
        holds, name, node = self._find(fd, start, length)
        if node is not None:
            raise WasiError(EXIST)
        self._new(holds, name, FOLDER)
        return 0

    def do_path_filestat_get(self, fd: int, _: int, start: int, length: int, into: int) -> int:
        """Kind and size of what is there."""
        return self._stat(self._there(fd, start, length)[2], into)

    def do_path_open(self, fd: int, _: int, start: int, length: int, how: int, *rest: int) -> int:
        """Open what is there, or make it."""
        holds, name, node = self._find(fd, start, length)
        if len(self.open) >= self.limits["files"]:
            raise WasiError(MFILE)
        if node is None and not how & CREATE:
            raise WasiError(NOENT)
        if node is not None and ((how & CREATE and how & EXCLUSIVE) or (how & ONLY_FOLDER and node.kind != FOLDER)):
            raise WasiError(EXIST if how & CREATE else NOTDIR)
        node = node or self._new(holds, name, FILE)
        if how & TRUNCATE and node.kind == FILE:
            self._resize(node, 0)
        number = next(one for one in range(len(self.open) + 1) if one not in self.open)
        flags, into = rest[-2:]
        self.open[number] = OpenFile(node, bool(flags & 1))
        return self._put("I", into, number)

    def do_path_remove_directory(self, fd: int, start: int, length: int) -> int:
        """Remove an empty folder."""
        holds, name, node = self._there(fd, start, length)
        if node.kind != FOLDER or node.inside or not holds.own:
            raise WasiError(NOTDIR if node.kind != FOLDER else NOTEMPTY if node.inside else ROFS)
        del holds.inside[name]
        return 0

    def do_path_unlink_file(self, fd: int, start: int, length: int) -> int:
        """Remove a file; its room is not given back, since it may still be open."""
        holds, name, node = self._there(fd, start, length)
        if node.kind == FOLDER or not holds.own:
            raise WasiError(ISDIR if node.kind == FOLDER else ROFS)
        del holds.inside[name]
        return 0

    def do_path_rename(self, fd: int, start: int, length: int, other: int, begin: int, size: int) -> int:
        """Give a file another name."""
        holds, name, node = self._there(fd, start, length)
        into, called, there = self._find(other, begin, size)
        if node.kind == FOLDER or not (holds.own and into.own) or (there is not None and there.kind == FOLDER):
            raise WasiError(INVAL if holds.own and into.own else ROFS)
        del holds.inside[name]
        into.inside[called] = node
        return 0
