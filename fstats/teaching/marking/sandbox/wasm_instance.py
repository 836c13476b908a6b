"""Python as WebAssembly: compiled once for this machine, started once with its libraries, and from there a fresh instance for each run."""

from __future__ import annotations

import ctypes
import os
import platform
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....runtime.file_lock import FileInUseError, FileLock
from .file_tree import Node
from .notebook_session import DEADLINE_MESSAGE, ProcessEnded, pop_line
from .wasi import WasiSystem
from .wasi_filesystem import RunEnded

if TYPE_CHECKING:
    import wasmtime

STACK = 8 << 20  # of calls within each other; where it is full, a run ends
PAGE, PART = 1 << 16, 1 << 12  # in which a memory grows, and in which what Python has changed in it is kept
TICK_SECONDS = 0.02  # seconds from one look at the clocks to the next
MASKS = {"i32": (1 << 32) - 1, "i64": (1 << 64) - 1}
STARTING = {"memory": 1024, "cpu": 300, "disk": 16, "files": 64, "output": 1}  # what Python may use until its libraries are there


def make_engine() -> wasmtime.Engine:
    """What compiles and runs: it can be interrupted anywhere, and holds calls within each other to a stack of its own."""
    import wasmtime

    settings = wasmtime.Config()
    settings.epoch_interruption = True
    wasmtime._bindings.wasmtime_config_async_stack_size_set(settings.ptr(), STACK)  # which must not be smaller; it has no public name
    settings.max_wasm_stack = STACK
    return wasmtime.Engine(settings)


def cache_path(binary: Path, cache: Path) -> Path:
    """Where the machine code of a binary is kept: another version of either, or another machine, has another."""
    made_of = (sha256(binary.read_bytes()).hexdigest(), version("wasmtime"), platform.machine(), str(STACK))
    return cache / f"python-{sha256(' '.join(made_of).encode()).hexdigest()[:32]}.cwasm"


def load_compiled(engine: wasmtime.Engine, binary: Path, cache: Path, tell: Callable[[], None]) -> wasmtime.Module:
    """The binary as machine code, from where it is kept; where it is not yet, somebody is told that this takes its time."""
    import wasmtime

    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "geteuid") and (cache.stat().st_uid != os.geteuid() or cache.stat().st_mode & 0o022):
        raise PermissionError(f"{cache} is to hold machine code and can be written by others: make it yours alone (chmod 700)")
    path = cache_path(binary, cache)
    while not path.exists():
        try:
            with closing(FileLock(cache / "compiling")):  # one at a time: it takes all processors
                tell()
                part = path.with_suffix(".part")
                part.write_bytes(wasmtime.Module.from_file(engine, binary).serialize())
                part.replace(path)
        except FileInUseError:
            time.sleep(1)
    return wasmtime.Module.deserialize_file(engine, str(path))


class PythonImage:
    """Python with its libraries, as it is before it runs the first line of a stranger; every run begins here.

    What it consists of is its memory: the binary's one other variable, where the stack ends, is back in its place whenever no call runs.

    Parameters
    ----------
    engine, module
        The compiled binary.
    root : Node
        The folder "/".
    boot : str
        What Python does first.
    """

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, root: Node, boot: str) -> None:
        import wasmtime

        self.engine, self.linker = engine, wasmtime.Linker(engine)
        self._system = WasiSystem(root, lambda _: b"", STARTING, time.monotonic() + STARTING["cpu"])
        for wanted in module.imports:
            types = [MASKS[str(one)] for one in wanted.type.params]
            self.linker.define_func(wanted.module, wanted.name or "", wanted.type, self._asked(wanted.module, wanted.name or "", types))
        self.module = module
        self.size, self.parts = 0, list[tuple[int, bytes]]()
        store, fresh = self._instance(STARTING["memory"] << 20)
        before = self._read(store, fresh)
        self._turn(store, fresh, boot, STARTING["cpu"])
        after = self._read(store, fresh)
        if set(self._system.open) != set(range(5)):
            raise RuntimeError("the image of Python holds open files, which no other run would have")
        before += bytes(len(after) - len(before))
        self.parts = list(_changed_parts(before, after))
        self.size, self.root = len(after), root

    def begin(self, code: str, limits: Mapping[str, Any]) -> InstanceThread:
        """Run code in an instance of its own, which does what it is asked for."""
        return InstanceThread(self, code, limits)

    def run(self, code: str, talk: InstanceThread, limits: Mapping[str, Any]) -> str:
        """Run code to its end; why it ended early."""
        self._system = WasiSystem(self.root.copy(), talk.next_request, limits, time.monotonic() + limits["all_wall"])
        try:
            self._turn(*self._begun(limits["memory"]), code, limits["all_cpu"], talk)
        except RunEnded as why:
            return str(why)
        return ""

    def rest(self) -> bytes:
        """What an instance wrote last, before it ended."""
        return bytes(self._system.output)

    def stop(self) -> None:
        """End the sleep of an instance."""
        self._system.over.set()

    # -- one instance -----------------------------------------------------------------------------------------------------------------
    def _begun(self, more: int) -> tuple[wasmtime.Store, Any]:
        """An instance that is what the image is, and may take so many MiB more."""
        store, fresh = self._instance(self.size + (more << 20))
        memory = fresh["memory"]
        memory.grow(store, (self.size - memory.data_len(store)) // PAGE)
        place = _memory_view(memory, store)
        for at, part in self.parts:
            place[at : at + len(part)] = part
        return store, fresh

    def _instance(self, most: int) -> tuple[wasmtime.Store, Any]:
        import wasmtime

        store = wasmtime.Store(self.engine)
        store.set_limits(memory_size=most, instances=1, tables=1, memories=1)
        store.set_epoch_deadline(1)
        fresh = self.linker.instantiate(store, self.module).exports(store)
        memory = fresh["memory"]
        self._system.memory = lambda: _memory_view(memory, store)
        return store, fresh

    @staticmethod
    def _read(store: wasmtime.Store, fresh: Any) -> bytearray:
        return bytearray(_memory_view(fresh["memory"], store))

    def _asked(self, module: str, name: str, masks: list[int]) -> Any:
        """What an import does: one of the calls of a system; there is no other door."""

        def ask(*values: int) -> int | None:
            answer = self._system.call(name if module != "host" else "", tuple(value & mask for value, mask in zip(values, masks)))
            return answer if name != "proc_exit" else None

        return ask

    def _turn(self, store: wasmtime.Store, fresh: Any, code: str, cpu: float, talk: InstanceThread | None = None) -> None:
        """Let Python run code, and end it where its time is over, or that of what it was asked for."""
        import wasmtime

        source = code.encode()
        system, said, over = self._system, "", threading.Event()
        start = time.process_time()

        def watch() -> None:
            nonlocal said
            while not over.wait(TICK_SECONDS):
                if time.process_time() - start > cpu or (talk is not None and talk.has_computed()):
                    said = said or "it used more computing time than a cell may"
                elif time.monotonic() > system.until or (talk is not None and talk.over):
                    said = said or DEADLINE_MESSAGE
                if said:
                    self.engine.increment_epoch()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            place = fresh["host_alloc"](store, len(source))
            _memory_view(fresh["memory"], store)[place : place + len(source)] = source
            if status := fresh["turn"](store, place, len(source)):
                raise RunEnded(f"Python ended with the status {status}")
        except wasmtime.Trap as trap:
            raise RunEnded(said or f"it was ended ({_trap_message(trap)})") from None
        except RunEnded:
            raise
        except Exception as error:  # of a call whose addresses or numbers are none
            raise RunEnded(f"it asked for what cannot be ({type(error).__name__})") from None
        finally:
            over.set()
            watcher.join()


class InstanceThread:
    """An instance that runs in a thread of its own: what it is asked goes in, what it says comes out.

    Parameters
    ----------
    image : Image
        What it begins as.
    code : str
        What it runs.
    limits : mapping
        What it may use.
    """

    def __init__(self, image: PythonImage, code: str, limits: Mapping[str, Any]) -> None:
        self._image = image
        self._cpu, self._began, self._waits, self.over = limits["cpu"], 0.0, True, False
        self._asked: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[bytes | str] = queue.SimpleQueue()
        self._came, self._why, self._left = bytearray(), "", (limits["output"] << 20)

        def run() -> None:
            try:
                why = image.run(code, self, limits)
                self._said.put(image.rest())
                self._said.put(why or "its process ended itself")
            except BaseException as error:  # of the host; nobody may wait for ever
                self._said.put(f"its host failed ({type(error).__name__}: {error})")

        self._runs = threading.Thread(target=run, daemon=True)
        self._runs.start()

    def next_request(self, output: bytes) -> bytes:
        """What the instance is asked next; it waits for that, and its computing time begins."""
        self._waits = True
        self._said.put(output)
        request = self._asked.get()
        if request is None:
            raise RunEnded
        self._began, self._waits = time.process_time(), False
        return request

    def has_computed(self) -> bool:
        """Whether what it was asked for has used up its computing time."""
        return not self._waits and time.process_time() - self._began > self._cpu

    def ask(self, request: bytes, until: float) -> bytes:
        """One line for another."""
        if self._why:
            raise ProcessEnded(self._why)
        if request:
            self._asked.put(request)
        while True:
            if (line := pop_line(self._came)) is not None:
                return line
            try:
                said = self._said.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                said = DEADLINE_MESSAGE
                self.over = True
            if isinstance(said, str):
                self._why = said
                raise ProcessEnded(said)
            self._came += said
            if not said and not request:
                self._came += b"\n"  # it waits for the next request, and has said nothing
            request = b""

    def close(self) -> None:
        """End it, whatever it does."""
        self.over = True
        self._image.stop()
        self._asked.put(None)
        self._runs.join()


def _trap_message(trap: wasmtime.Trap) -> str:
    """Why WebAssembly has stopped, in the last line of what it says."""
    last = trap.message.strip().splitlines()[-1].strip()
    return last[max(0, last.find("wasm trap")) :]


def _memory_view(memory: Any, store: Any) -> memoryview:
    """All of a memory, to be read and written."""
    size = memory.data_len(store)
    return memoryview((ctypes.c_ubyte * size).from_address(ctypes.addressof(memory.data_ptr(store).contents))).cast("B")


def _changed_parts(before: bytearray, after: bytearray) -> Iterator[tuple[int, bytes]]:
    """The parts of a memory that are no longer what they were, neighbours in one."""
    old, new, start = memoryview(before), memoryview(after), -1
    for at in range(0, len(after) + PART, PART):
        same = at >= len(after) or old[at : at + PART] == new[at : at + PART]
        if same and start >= 0:
            yield start, bytes(new[start:at])
            start = -1
        elif not same and start < 0:
            start = at
