"""WASI system calls for Python in WebAssembly.

No call in this module opens a file of the machine, starts a process or sends a message for the code in WebAssembly.  A submission can
request only what this module provides, and may write a few megabytes.  Calls and error numbers are those of WASI preview 1.  An invalid
memory address raises an error, which ends the run.

wasmtime.WasiConfig (tried: wasmtime 50) offers folders and files of the machine only: no file system in memory, no limit of bytes, files or
sleeping time, and no input that waits for the next request.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Event
from typing import Any

from .file_tree import DEVICE, FILE, FOLDER, Node, OpenFile

BADF, EXIST, INVAL, ISDIR, MFILE, NOENT, NOSPC, NOTDIR, NOTEMPTY, ROFS = 8, 20, 28, 31, 33, 44, 51, 54, 55, 69
NOSYS = 52
CREATE, ONLY_FOLDER, EXCLUSIVE, TRUNCATE = 1, 2, 4, 8
# file descriptors: 3 is the folder "/"; Python writes answers to 4, and reads requests from 0
ROOT, RESULT = 3, 4
VECTORS, PATH = 1024, 4096  # maximum number of buffers in a call, and maximum number of bytes in a path
NODES = 4096  # maximum number of files and folders of a run
CHUNK = 1 << 16  # number of random bytes that are generated at once
FIXED_RESULTS = dict.fromkeys(
    ["fd_advise", "fd_datasync", "fd_fdstat_set_flags", "fd_sync", "fd_filestat_set_times", "path_filestat_set_times", "sched_yield"], 0
)
FIXED_RESULTS["path_readlink"] = INVAL  # the file tree has no links
ARGUMENTS = ("/usr/local/bin/python.wasm",)
ENVIRONMENT = ("HOME=/own", "TMPDIR=/own", "PYTHONTZPATH=", "MPLBACKEND=agg", "MPLCONFIGDIR=/own/matplotlib", "TQDM_DISABLE=1")


class RunEnded(Exception):
    """Error that ends a run, for the reason in the message; without a message, Python has ended itself."""


class WasiError(Exception):
    """Error of a file call, with the error number of WASI."""


class WasiSystem:
    """System calls of one run: descriptor 0 provides the requests, 3 is the folder "/", 4 receives the answers.

    At the end of a request, a read returns no bytes; the read after that waits for the next request.

    Parameters
    ----------
    root : Node
        The folder "/".
    requests : callable
        ``requests(output)`` hands over the output since the last request, and waits for the next request.
    limits : mapping
        Resource limits of the run.
    until : float
        End of the run, a time of `time.monotonic`.
    """

    def __init__(self, root: Node, requests: Callable[[bytes], bytes], limits: Mapping[str, Any], until: float) -> None:
        self.until, self.is_over = until, Event()
        self.root, self.output, self.limits, self._requests = root, bytearray(), limits, requests
        nothing, self.requests_node, self.result = Node(DEVICE), Node(DEVICE), Node(DEVICE)
        self.open = {number: OpenFile(node) for number, node in enumerate([self.requests_node, nothing, nothing, root, self.result])}
        self._request: memoryview | None = None
        self._written = 0
        self.free_bytes, self.nodes = limits["disk"] << 20, NODES
        self.memory: Callable[[], memoryview] = lambda: memoryview(b"")  # placeholder; later replaced by a function that returns the memory

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        """Perform a system call; return 0 or the number of an error.  Calls without a method in this class are not supported."""
        if name in FIXED_RESULTS:
            return FIXED_RESULTS[name]
        try:
            return int(getattr(self, f"do_{name}", lambda *_: NOSYS)(*arguments))
        except WasiError as why:
            return int(why.args[0])

    def _write_struct(self, form: str, position: int, *values: Any) -> int:
        struct.pack_into("<" + form, self.memory(), position, *values)
        return 0

    def _memory_slice(self, start: int, length: int) -> memoryview:
        """Return a slice of the memory; raise IndexError if the slice is outside the memory."""
        memory = self.memory()
        if start + length > len(memory):
            raise IndexError(start)
        return memory[start : start + length]

    def _io_vectors(self, start: int, count: int) -> Iterator[memoryview]:
        if count > VECTORS:
            raise WasiError(INVAL)
        for address, length in struct.iter_unpack("<II", self._memory_slice(start, 8 * count)):
            yield self._memory_slice(address, length)

    def _open_file(self, fd: int, *kinds: int) -> OpenFile:
        if fd not in self.open:
            raise WasiError(BADF)
        file = self.open[fd]
        if kinds and file.node.kind not in kinds:
            raise WasiError(ISDIR if file.node.kind == FOLDER else NOTDIR if FOLDER in kinds else INVAL)
        return file

    def _resolve_parent(self, fd: int, start: int, length: int) -> tuple[Node, str, Node | None]:
        """Return the parent folder of a path, the last name of the path, and the file or folder with this path (None if there is none)."""
        if length > PATH:
            raise WasiError(INVAL)
        node: Node | None = self._open_file(fd).node
        parent, name, above = self.root, "", list[Node]()
        for part in bytes(self._memory_slice(start, length)).decode("utf-8", "replace").split("/"):
            if part in ("", "."):
                continue
            if node is None or node.kind != FOLDER:
                raise WasiError(NOENT if node is None else NOTDIR)
            if part == "..":
                node = above.pop() if above else self.root
                continue
            above.append(node)
            parent, name, node = node, part, node.children.get(part)
        return parent, name, node

    def _resolve(self, fd: int, start: int, length: int) -> tuple[Node, str, Node]:
        parent, name, node = self._resolve_parent(fd, start, length)
        if node is None:
            raise WasiError(NOENT)
        return parent, name, node

    def _create_node(self, parent: Node, name: str, kind: int) -> Node:
        if not parent.is_writable or self.nodes <= 0:
            raise WasiError(NOSPC if parent.is_writable else ROFS)
        self.nodes -= 1
        parent.children[name] = node = Node(kind, is_writable=True)
        return node

    def _read_into(self, file: OpenFile, position: int, start: int, count: int, count_address: int) -> int:
        done = 0
        if file.node is self.requests_node:
            self._write_struct("I", count_address, self._read_request(next(self._io_vectors(start, count), memoryview(b""))))
            return 0
        for target in self._io_vectors(start, count) if file.node.kind == FILE else ():
            part = file.node.data[position + done : position + done + len(target)]
            target[: len(part)] = part
            done += len(part)
        self._write_struct("I", count_address, done)
        return done

    def _read_request(self, into: memoryview) -> int:
        """Read a part of a request and return its length, or 0 at the end of the request."""
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
        growth = size - len(node.data)
        if not node.is_writable or growth > self.free_bytes:
            raise WasiError(NOSPC if node.is_writable else ROFS)
        self.free_bytes -= growth
        node.data = node.data if isinstance(node.data, bytearray) else bytearray(node.data)
        if growth > 0:
            node.data.extend(bytes(growth))
        else:
            del node.data[size:]

    def _write_from(self, file: OpenFile, position: int, start: int, count: int, count_address: int) -> int:
        node, parts = file.node, list(self._io_vectors(start, count))
        size = sum(map(len, parts))
        if node is self.result:
            allowed = (self.limits["output"] << 20) - self._written
            for part in parts:
                self.output += part[: allowed + 1 - len(self.output)]
                if len(self.output) > allowed:
                    raise RunEnded(f"the code wrote more than {self.limits['output']} MiB of output")
        elif node.kind == FILE:
            self._resize(node, max(position + size, len(node.data)))
            for part in parts:
                node.data[position : position + len(part)] = part
                position += len(part)
        self._write_struct("I", count_address, size)
        return size

    def _stat(self, node: Node, into: int) -> int:
        size = len(node.data) if node.kind == FILE else 0
        return self._write_struct("QQB7xQQQQQ", into, 0, id(node) & 0xFFFFFFFF, node.kind, 1, size, 0, 0, 0)

    # -- open files -------------------------------------------------------------------------------------------------------------------
    def do_fd_close(self, fd: int) -> int:
        """Close a file."""
        self._open_file(fd)
        del self.open[fd]
        return 0

    def do_fd_fdstat_get(self, fd: int, into: int) -> int:
        """Write the kind of an open file, with all rights, since each call checks the rights itself."""
        file = self._open_file(fd)
        return self._write_struct("BxH4xQQ", into, file.node.kind, file.append, 0x1FFFFFFF, 0x1FFFFFFF)

    def do_fd_filestat_get(self, fd: int, into: int) -> int:
        """Write the kind and size of an open file."""
        return self._stat(self._open_file(fd).node, into)

    def do_fd_filestat_set_size(self, fd: int, size: int) -> int:
        """Change the size of a writable file."""
        self._resize(self._open_file(fd, FILE).node, size)
        return 0

    def do_fd_prestat_get(self, fd: int, into: int) -> int:
        """Report the folder that is open from the start."""
        if fd != ROOT:
            raise WasiError(BADF)
        return self._write_struct("II", into, 0, 1)

    def do_fd_prestat_dir_name(self, _: int, into: int, __: int) -> int:
        """Write the name of the folder that is open from the start."""
        return self._write_struct("c", into, b"/")

    def do_fd_read(self, fd: int, start: int, count: int, count_address: int) -> int:
        """Read from the current position."""
        file = self._open_file(fd, FILE, DEVICE)
        file.position += self._read_into(file, file.position, start, count, count_address)
        return 0

    def do_fd_pread(self, fd: int, start: int, count: int, position: int, count_address: int) -> int:
        """Read from a position that the caller gives."""
        self._read_into(self._open_file(fd, FILE), position, start, count, count_address)
        return 0

    def do_fd_write(self, fd: int, start: int, count: int, count_address: int) -> int:
        """Write to the current position, or to the end of a file opened for appending."""
        file = self._open_file(fd, FILE, DEVICE)
        file.position = len(file.node.data) if file.append else file.position
        file.position += self._write_from(file, file.position, start, count, count_address)
        return 0

    def do_fd_pwrite(self, fd: int, start: int, count: int, position: int, count_address: int) -> int:
        """Write to a position that the caller gives."""
        self._write_from(self._open_file(fd, FILE), position, start, count, count_address)
        return 0

    def do_fd_seek(self, fd: int, offset: int, whence: int, into: int) -> int:
        """Change the current position."""
        file = self._open_file(fd, FILE)
        to = (offset if offset < 1 << 63 else offset - (1 << 64)) + (0, file.position, len(file.node.data))[whence]
        if not 0 <= to < 1 << 62:
            raise WasiError(INVAL)
        file.position = to
        return self._write_struct("Q", into, to)

    def do_fd_tell(self, fd: int, into: int) -> int:
        """Write the current position."""
        return self._write_struct("Q", into, self._open_file(fd).position)

    def do_fd_readdir(self, fd: int, into: int, length: int, cookie: int, count_address: int) -> int:
        """Write the names in a folder, as many names as fit into the buffer."""
        buffer, used = self._memory_slice(into, length), 0
        for k, (name, node) in enumerate([*self._open_file(fd, FOLDER).node.children.items()][cookie:], cookie + 1):
            encoded = name.encode()
            entry = (struct.pack("<QQIB3x", k, id(node) & 0xFFFFFFFF, len(encoded), node.kind) + encoded)[: length - used]
            buffer[used : used + len(entry)] = entry
            used += len(entry)
        return self._write_struct("I", count_address, used)

    # -- paths --------------------------------------------------------------------------------------------------------------------------
    def do_path_create_directory(self, fd: int, start: int, length: int) -> int:
        """Create a folder."""
        parent, name, node = self._resolve_parent(fd, start, length)
        if node is not None:
            raise WasiError(EXIST)
        self._create_node(parent, name, FOLDER)
        return 0

    def do_path_filestat_get(self, fd: int, _: int, start: int, length: int, into: int) -> int:
        """Write the kind and size of a file or folder."""
        return self._stat(self._resolve(fd, start, length)[2], into)

    def do_path_open(self, fd: int, _: int, start: int, length: int, how: int, *rest: int) -> int:
        """Open a file or folder, or create a file."""
        parent, name, node = self._resolve_parent(fd, start, length)
        if len(self.open) >= self.limits["files"]:
            raise WasiError(MFILE)
        if node is None and not how & CREATE:
            raise WasiError(NOENT)
        if node is not None and ((how & CREATE and how & EXCLUSIVE) or (how & ONLY_FOLDER and node.kind != FOLDER)):
            raise WasiError(EXIST if how & CREATE else NOTDIR)
        node = node or self._create_node(parent, name, FILE)
        if how & TRUNCATE and node.kind == FILE:
            self._resize(node, 0)
        number = next(number for number in range(len(self.open) + 1) if number not in self.open)
        flags, into = rest[-2:]
        self.open[number] = OpenFile(node, bool(flags & 1))
        return self._write_struct("I", into, number)

    def do_path_remove_directory(self, fd: int, start: int, length: int) -> int:
        """Remove an empty folder."""
        parent, name, node = self._resolve(fd, start, length)
        if node.kind != FOLDER or node.children or not parent.is_writable:
            raise WasiError(NOTDIR if node.kind != FOLDER else NOTEMPTY if node.children else ROFS)
        del parent.children[name]
        return 0

    def do_path_unlink_file(self, fd: int, start: int, length: int) -> int:
        """Remove a file; the bytes of the file still count for the limit, since the file may be open."""
        parent, name, node = self._resolve(fd, start, length)
        if node.kind == FOLDER or not parent.is_writable:
            raise WasiError(ISDIR if node.kind == FOLDER else ROFS)
        del parent.children[name]
        return 0

    def do_path_rename(self, fd: int, start: int, length: int, other: int, begin: int, size: int) -> int:
        """Rename a file."""
        parent, name, node = self._resolve(fd, start, length)
        new_parent, new_name, existing = self._resolve_parent(other, begin, size)
        is_writable = parent.is_writable and new_parent.is_writable
        if node.kind == FOLDER or not is_writable or (existing is not None and existing.kind == FOLDER):
            raise WasiError(INVAL if is_writable else ROFS)
        del parent.children[name]
        new_parent.children[new_name] = node
        return 0

    # -- arguments, clock, random numbers --------------------------------------------------------------------------------------------
    def _sizes(self, texts: Sequence[str], count: int, size: int) -> int:
        self._write_struct("I", count, len(texts))
        return self._write_struct("I", size, sum(len(text) + 1 for text in texts))

    def _texts(self, texts: Sequence[str], pointers: int, into: int) -> int:
        for k, text in enumerate(texts):
            self._write_struct("I", pointers + 4 * k, into)
            self._write_struct(f"{len(text) + 1}s", into, text.encode())
            into += len(text) + 1
        return 0

    def do_args_sizes_get(self, count: int, size: int) -> int:
        """Write the number and total size of the command-line arguments."""
        return self._sizes(ARGUMENTS, count, size)

    def do_args_get(self, pointers: int, into: int) -> int:
        """Write the command-line arguments."""
        return self._texts(ARGUMENTS, pointers, into)

    def do_environ_sizes_get(self, count: int, size: int) -> int:
        """Write the number and size of the environment variables."""
        return self._sizes(ENVIRONMENT, count, size)

    def do_environ_get(self, pointers: int, into: int) -> int:
        """Write the environment variables."""
        return self._texts(ENVIRONMENT, pointers, into)

    def do_clock_res_get(self, _: int, into: int) -> int:
        """Write the resolution of the clock: a millisecond."""
        return self._write_struct("Q", into, 1_000_000)

    def do_clock_time_get(self, clock: int, _: int, into: int) -> int:
        """Write the time of the clock."""
        return self._write_struct("Q", into, time.monotonic_ns() if clock else time.time_ns())

    def do_random_get(self, into: int, length: int) -> int:
        """Write random bytes in steps, so that the host needs little memory."""
        target = self._memory_slice(into, length)
        for start in range(0, length, CHUNK):
            target[start : start + CHUNK] = os.urandom(min(CHUNK, length - start))
        return 0

    def do_poll_oneoff(self, subscriptions: int, events: int, count: int, count_address: int) -> int:
        """Sleep, at most until the end of the run; the only supported event is the clock."""
        user, kind = struct.unpack_from("<QB", self.memory(), subscriptions)
        if kind or not count:
            raise WasiError(NOSYS if kind else INVAL)
        clock, span, _, absolute = struct.unpack_from("<I4xQQH", self.memory(), subscriptions + 16)
        until = time.monotonic() + (span - (time.monotonic_ns() if clock else time.time_ns()) * (absolute & 1)) / 1e9
        while (remaining := min(until, self.until) - time.monotonic()) > 0 and not self.is_over.is_set():
            self.is_over.wait(remaining)
        if until > self.until or self.is_over.is_set():
            raise RunEnded("the code did not end in time")
        self._write_struct("QHBxxxxxQHxxxxxx", events, user, 0, 0, 0, 0)
        return self._write_struct("I", count_address, 1)

    def do_proc_exit(self, _: int) -> int:
        """End the run of Python; its exit status means nothing."""
        raise RunEnded
