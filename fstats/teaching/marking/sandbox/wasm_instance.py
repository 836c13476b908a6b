"""WebAssembly instance of Python.

The instance is compiled and started once, and copied for each run.
"""

from __future__ import annotations

import ctypes
import os
import platform
import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....runtime.file_lock import FileInUseError, FileLock
from .file_tree import Node
from .notebook_session import DEADLINE_MESSAGE, ProcessEnded, pop_line
from .wasi_filesystem import RunEnded, WasiSystem

if TYPE_CHECKING:
    import wasmtime

STACK = 8 << 20  # size of the stack in bytes; a run ends when its stack is full
PAGE = 1 << 16  # size in bytes of a page; the memory grows by whole pages
TICK_SECONDS = 0.02  # seconds between two checks of the time limits
MASKS = {"i32": (1 << 32) - 1, "i64": (1 << 64) - 1}
STARTING = {"memory": 1024, "cpu": 300, "disk": 16, "files": 64, "output": 1}  # limits while libraries are imported


def make_engine() -> wasmtime.Engine:
    """Return the engine that compiles and runs WebAssembly; code can be interrupted anywhere, and the stack is limited."""
    import wasmtime

    settings = wasmtime.Config()
    settings.epoch_interruption = True
    # the async stack must be at least as large as max_wasm_stack; it has no public setting, so use the private binding
    wasmtime._bindings.wasmtime_config_async_stack_size_set(settings.ptr(), STACK)
    settings.max_wasm_stack = STACK
    return wasmtime.Engine(settings)


def cache_path(binary: Path, cache: Path) -> Path:
    """Return the path of the compiled binary in the cache; the path depends on the binary, the engine's version and the machine."""
    parts = (sha256(binary.read_bytes()).hexdigest(), version("wasmtime"), platform.machine(), str(STACK))
    return cache / f"python-{sha256(' '.join(parts).encode()).hexdigest()[:32]}.cwasm"


def load_compiled(engine: wasmtime.Engine, binary: Path, cache: Path, notify: Callable[[], None]) -> wasmtime.Module:
    """Load the machine code of the binary from the cache; if the machine code is missing, call `notify` and compile the binary."""
    import wasmtime

    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "geteuid") and (cache.stat().st_uid != os.geteuid() or cache.stat().st_mode & 0o022):
        raise PermissionError(
            f"the folder {cache} must not be writable for other users, because it stores machine code. Run `chmod 700 {cache}`."
        )
    path = cache_path(binary, cache)
    while not path.exists():
        try:
            with closing(FileLock(cache / "compiling")):  # the compiler uses all processors, so only one compilation runs at a time
                notify()
                part = path.with_suffix(".part")
                part.write_bytes(wasmtime.Module.from_file(engine, binary).serialize())
                part.replace(path)
        except FileInUseError:
            time.sleep(1)
    return wasmtime.Module.deserialize_file(engine, str(path))


class PythonImage:
    """Image of Python with its libraries, before Python runs untrusted code; every run starts from the image.

    The image consists of the memory only.  The stack pointer, the binary's only other variable, has its initial value whenever no call
    runs.

    Parameters
    ----------
    engine, module
        The compiled binary.
    root : Node
        The folder "/".
    boot : str
        Code that Python runs first.
    """

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, root: Node, boot: str) -> None:
        import wasmtime

        self.engine, self.linker = engine, wasmtime.Linker(engine)
        self._system = WasiSystem(root, lambda _: b"", STARTING, time.monotonic() + STARTING["cpu"])
        for needed in module.imports:
            types = [MASKS[str(kind)] for kind in needed.type.params]
            handler = self._import_function(needed.module, needed.name or "", types)
            self.linker.define_func(needed.module, needed.name or "", needed.type, handler)
        self.module = module
        store, exports = self._instance(STARTING["memory"] << 20)
        self._run_code(store, exports, boot, STARTING["cpu"])
        if set(self._system.open) != set(range(5)):
            raise RuntimeError(
                "the stored state of Python must not have open files, because these files are missing when the state is loaded"
            )
        self.memory, self.root = bytes(_memory_view(exports["memory"], store)), root

    def run(self, code: str, thread: InstanceThread, limits: Mapping[str, Any]) -> str:
        """Run code to its end; return the reason if the code ended early."""
        self._system = WasiSystem(self.root.copy(), thread.next_request, limits, time.monotonic() + limits["all_wall"])
        try:
            self._run_code(*self._new_instance(limits["memory"]), code, limits["all_cpu"], thread)
        except RunEnded as why:
            return str(why)
        return ""

    def last_output(self) -> bytes:
        """Return the output of an instance since the last request."""
        return bytes(self._system.output)

    def stop(self) -> None:
        """Wake a sleeping instance, so that the instance ends."""
        self._system.is_over.set()

    # -- one instance -----------------------------------------------------------------------------------------------------------------
    def _new_instance(self, more: int) -> tuple[wasmtime.Store, Any]:
        """Return an instance with the content of the image; the instance may use a limited number of MiB more."""
        store, exports = self._instance(len(self.memory) + (more << 20))
        memory = exports["memory"]
        memory.grow(store, (len(self.memory) - memory.data_len(store)) // PAGE)
        _memory_view(memory, store)[:] = self.memory
        return store, exports

    def _instance(self, most: int) -> tuple[wasmtime.Store, Any]:
        import wasmtime

        store = wasmtime.Store(self.engine)
        store.set_limits(memory_size=most, instances=1, tables=1, memories=1)
        store.set_epoch_deadline(1)
        exports = self.linker.instantiate(store, self.module).exports(store)
        memory = exports["memory"]
        self._system.memory = lambda: _memory_view(memory, store)
        return store, exports

    def _import_function(self, module: str, name: str, masks: list[int]) -> Any:
        """Return the function for an import of the binary: a system call; an instance has no other access to the host."""

        def ask(*values: int) -> int | None:
            answer = self._system.call(name if module != "host" else "", tuple(value & mask for value, mask in zip(values, masks)))
            return answer if name != "proc_exit" else None

        return ask

    def _run_code(self, store: wasmtime.Store, exports: Any, code: str, cpu: float, thread: InstanceThread | None = None) -> None:
        """Let Python run code; end the run when the total time or the time of the current request is over."""
        import wasmtime

        source = code.encode()
        system, reason, over = self._system, "", threading.Event()
        start = time.process_time()

        def watch() -> None:
            nonlocal reason
            while not over.wait(TICK_SECONDS):
                if time.process_time() - start > cpu or (thread is not None and thread.has_computed()):
                    reason = reason or "the code used more computing time than a cell may use"
                elif time.monotonic() > system.until or (thread is not None and thread.is_over):
                    reason = reason or DEADLINE_MESSAGE
                if reason:
                    self.engine.increment_epoch()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            address = exports["host_alloc"](store, len(source))
            _memory_view(exports["memory"], store)[address : address + len(source)] = source
            if status := exports["turn"](store, address, len(source)):
                raise RunEnded(f"Python ended with the status {status}")
        except wasmtime.Trap as trap:
            raise RunEnded(reason or f"the code was ended ({_trap_message(trap)})") from None
        except RunEnded:
            raise
        except Exception as error:  # the code has passed an invalid address or number to a system call
            raise RunEnded(f"the code made an invalid system call ({type(error).__name__})") from None
        finally:
            over.set()
            watcher.join()


class InstanceThread:
    """An instance in a separate thread, which receives requests and returns output.

    Parameters
    ----------
    image : PythonImage
        The image from which the instance starts.
    code : str
        Code that the instance runs.
    limits : mapping
        Resource limits of the instance.
    """

    def __init__(self, image: PythonImage, code: str, limits: Mapping[str, Any]) -> None:
        self._image = image
        self._cpu, self._start_time, self._waits, self.is_over = limits["cpu"], 0.0, True, False
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._outputs: queue.SimpleQueue[bytes | str] = queue.SimpleQueue()
        self._received, self._why = bytearray(), ""

        def run() -> None:
            try:
                why = image.run(code, self, limits)
                self._outputs.put(image.last_output())
                self._outputs.put(why or "its process ended itself")
            except BaseException as error:  # without a message about the error, the reader would wait forever
                self._outputs.put(f"its host failed ({type(error).__name__}: {error})")

        self._runs = threading.Thread(target=run, daemon=True)
        self._runs.start()

    def next_request(self, output: bytes) -> bytes:
        """Wait for the next request, start the request's computing time, and return the request."""
        self._waits = True
        self._outputs.put(output)
        request = self._requests.get()
        if request is None:
            raise RunEnded
        self._start_time, self._waits = time.process_time(), False
        return request

    def has_computed(self) -> bool:
        """Return whether the current request has used up its computing time."""
        return not self._waits and time.process_time() - self._start_time > self._cpu

    def ask(self, request: bytes, until: float) -> bytes:
        """Send a request line, and return the answer line."""
        if self._why:
            raise ProcessEnded(self._why)
        if request:
            self._requests.put(request)
        while True:
            if (line := pop_line(self._received)) is not None:
                return line
            try:
                output = self._outputs.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                output = DEADLINE_MESSAGE
                self.is_over = True
            if isinstance(output, str):
                self._why = output
                raise ProcessEnded(output)
            self._received += output
            if not output and not request:
                self._received += b"\n"  # the request was not answered, so send an empty line
            request = b""

    def close(self) -> None:
        """End the instance."""
        self.is_over = True
        self._image.stop()
        self._requests.put(None)
        self._runs.join()


def _trap_message(trap: wasmtime.Trap) -> str:
    """Return why WebAssembly stopped: the last line of the engine's message."""
    last = trap.message.strip().splitlines()[-1].strip()
    return last[max(0, last.find("wasm trap")) :]


def _memory_view(memory: Any, store: Any) -> memoryview:
    """Return a writable view of the whole memory of an instance."""
    size = memory.data_len(store)
    return memoryview((ctypes.c_ubyte * size).from_address(ctypes.addressof(memory.data_ptr(store).contents))).cast("B")
