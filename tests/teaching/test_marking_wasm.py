"""The wall that is WebAssembly: what a submission finds inside, how limits are told, what the worker outlives, which wall is taken."""

import io
import json
import os
import random
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
from shortcuts import assert_raises, parametrize
from test_marking_worker import NAME, ROOT, filled, mark, notebook_of, seen, verdicts

from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.sandbox import sandbox_choice, wasm_sandbox, wasm_worker
from fstats.teaching.marking.sandbox.bubblewrap_sandbox import SandboxUnavailable
from fstats.teaching.marking.sandbox.file_tree import FILE, Node, build_tree
from fstats.teaching.marking.sandbox.notebook_session import Limits
from fstats.teaching.marking.sandbox.sandbox_choice import is_sufficient, start_sandbox
from fstats.teaching.marking.sandbox.wasi_filesystem import RunEnded, WasiSystem
from fstats.teaching.marking.sandbox.wasm_instance import _trap_message, load_compiled
from fstats.teaching.marking.sandbox.wasm_sandbox import WasmSandbox

needs_engine = pytest.mark.needs("engine", "wasmtime")
FEW = {"disk": 1, "files": 8, "output": 1}


@pytest.fixture(scope="module")
def inside(engine: Any, wasmtime: Any) -> Iterator[Marker]:  # noqa: ARG001 - they can be imported
    with closing(Marker(limits=Limits(cpu=10, wall=40), wall="wasm")) as marker:
        yield marker


# -- inside ----------------------------------------------------------------------------------------------------------------------------
def test_there_is_nothing_to_see_in_webassembly(inside: Marker) -> None:
    """No course, no judge, no machine: files that everybody may know, none of which can be changed, and an empty folder."""

    def there(folder: str) -> set[str]:
        return set(seen(inside, f"import os; found = os.listdir({folder!r})"))

    assert there("/") == {"house", "usr", "own"}
    assert there("/own") <= {"matplotlib"}
    assert "cli.py" not in there("/house/fstats")
    assert there("/house/fstats/teaching") == {"__init__.py", "sandbox_runtime"}
    hidden = [str(ROOT), __file__, "/etc/passwd", "/proc", "/dev/null", sys.prefix, str(Path.home())]
    assert seen(inside, f"import os; found = [place for place in {hidden!r} if os.path.exists(place)]") == []
    tried = """
found = []
for place in ("/", "/house", "/house/fstats", "/usr/local/lib", "/own"):
    try: open(place + "/x", "w")
    except OSError: pass
    else: found.append(place)
"""
    assert seen(inside, tried) == ["/own"]
    environment = set(seen(inside, "import os; found = list(os.environ)"))
    assert environment == {"HOME", "TMPDIR", "PYTHONTZPATH", "MPLBACKEND", "MPLCONFIGDIR", "TQDM_DISABLE"}
    assert seen(inside, "import os; found = [os.getcwd(), os.environ['HOME']]") == ["/own", "/own"]


LACKING = {
    "processes": "import subprocess\nsubprocess.run(['ls'])",
    "forks": "import os\nos.fork()",
    "commands": "import os\nos.system('ls')",
    "pools": "import multiprocessing\nmultiprocessing.Pool(2)",
    "executors": "from concurrent.futures import ProcessPoolExecutor\nProcessPoolExecutor(2)",
    "threads": "import threading\nthreading.Thread(target=print).start()",
    "pools of threads": "from concurrent.futures import ThreadPoolExecutor\nlist(ThreadPoolExecutor(2).map(abs, [1]))",
    "sockets": "import socket\nsocket.socket()",
    "addresses": "import urllib.request\nurllib.request.urlopen('http://example.org')",
}


@pytest.mark.parametrize("what", LACKING)
def test_what_is_not_there_is_told_in_the_feedback(what: str, inside: Marker) -> None:
    found = mark(inside, filled(q2=LACKING[what], q6="df = len(a) - 1"))
    assert len(found.problems) == 1
    assert found.problems[0].endswith("(there are no processes, threads or sockets in the sandbox of the marking)")
    assert verdicts(found)["q6"] == "right"
    assert any("no processes, threads or sockets" in line for line in found.questions[1].lines)


def test_errors_are_told_as_ever(inside: Marker) -> None:
    # Nothing is said of processes where a name is missing or a file is not there.
    found = mark(inside, filled(q1="open('there.is.none')", q2="mean = d.mean()", q6="df = len(a) - 1"))
    assert "processes" not in json.dumps(found.to_dict())
    # joblib and scikit-learn with `n_jobs`; pictures are drawn, by a matplotlib that asks IPython how old it is.
    assert seen(inside, "from joblib import Parallel, delayed; found = Parallel(n_jobs=2)(delayed(abs)(k) for k in (-1, 2))") == [1, 2]
    drawn = "import matplotlib.pyplot as plt, os; plt.plot([1, 2]); plt.savefig('a.png'); found = os.path.getsize('a.png') > 1000"
    assert seen(inside, drawn) is True


def test_a_regrade_gives_the_same_mark_in_webassembly(inside: Marker) -> None:
    """Numbers drawn without a seed and the order of sets included; two instances begin alike."""
    source = "import random\nmean = float(np.random.normal()) + random.random()\nsd = float(hash('a'))"
    one, other = (mark(inside, filled(extra=source, q2="", q3="")) for _ in range(2))
    assert one == other
    assert one.questions[1].answer


# -- limits -----------------------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@parametrize(
    "source, words",
    ("while True: pass", "the code used more computing time than a cell may use"),
    ("import time; time.sleep(1000)", "the code did not end in time"),
    ("import os\nwhile True: os.write(4, bytes(1 << 16))", "the code wrote more than 1 MiB of output"),
    ("import os; os._exit(0)", "its process ended itself"),
    ("import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()", "the code was ended (wasm trap: call stack exhausted)"),
    ("import os; os.abort()", "the code was ended (wasm trap: wasm `unreachable` instruction executed)"),
)
def test_limits_are_told_in_a_sentence(source: str, words: str, engine: Any, wasmtime: Any) -> None:  # noqa: ARG001 - they are there
    """With the cell; what came before counts, and the worker goes on."""
    wall = 3 if "sleep" in source else 60
    with closing(Marker(limits=Limits(cpu=1 if "while True: pass" in source else 30, wall=wall, output=1), wall="wasm")) as marker:
        worker = marker.walls[0]._process
        found = mark(marker, filled(q1="d = a - b", q2=source))
        assert found.ended == f"Code cell 5 was ended: {words}; the other cells ran without it."
        assert (verdicts(found)["q1"], found.isolation) == ("right", "wasm")
        assert set(verdicts(mark(marker, notebook_of(NAME, "solutions"))).values()) == {"right"}
        assert marker.walls[0]._process is worker


def test_limits_of_the_engine(inside: Marker) -> None:
    caused = "error while executing\n\nCaused by:\n    0: failed to call\n    1: wasm trap: out of bounds memory access\n"
    words = [_trap_message(cast(Any, SimpleNamespace(message=message))) for message in (caused, "wasm trap: interrupt", "something else")]
    assert words == ["wasm trap: out of bounds memory access", "wasm trap: interrupt", "something else"]
    source = """
found = []
for tried in (lambda: bytearray(700 << 20), lambda: deep()):
    try: tried()
    except (MemoryError, RecursionError) as error: found.append(type(error).__name__)
"""
    assert seen(inside, "def deep(): return deep()\n" + source) == ["MemoryError", "RecursionError"]


# -- the worker ---------------------------------------------------------------------------------------------------------------------------
def test_each_job_has_its_answer_in_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here of a Python that does nothing; what is ready, and why nothing can be, is told in one message; a torn job ends it."""
    place = {"load_compiled": lambda *given: given[3](), "PythonImage": lambda *_: None}
    place |= {"make_engine": object, "sandbox_files": dict, "build_tree": dict}
    for name, stands in place.items():
        monkeypatch.setattr(wasm_worker, name, stands)
    monkeypatch.setattr(wasm_worker.wasi_interpreter, "interpreter_folder", lambda *_: tmp_path)
    monkeypatch.setattr(wasm_worker, "run_job", lambda job, _begin, limits: f"{job} {limits.cpu}".encode())
    jobs = b"".join(wasm_worker.MESSAGE_HEADER.pack(3, 0, 0) + job for job in (b"[1]", b"[2]")) + b"torn"

    def told(**more: Any) -> bytes:
        answers = io.BytesIO()
        wasm_worker.serve_jobs({"cache": "", "limits": {"cpu": 7}, **more}, io.BytesIO(jobs), answers)
        return answers.getvalue()

    begins = wasm_sandbox.pack_message("compiling") + wasm_sandbox.pack_message("ready")
    assert told(compiles=True) == begins
    assert told() == begins + wasm_sandbox.pack_message("ran", output=b"[1] 7") + wasm_sandbox.pack_message("ran", output=b"[2] 7")
    for error, words in ((OSError("no engine"), "no engine"), (MemoryError(), "MemoryError")):
        monkeypatch.setattr(wasm_worker, "make_engine", Mock(side_effect=error))
        assert told() == wasm_sandbox.pack_message("failed", words)


@needs_engine
def test_a_worker_that_was_ended_is_started_again_and_nothing_is_left() -> None:
    """No submission feels it; and what is closed has ended."""
    with closing(WasmSandbox(Limits())) as found:
        process = found._process
        assert process is not None
        process.kill()
        process.wait()
        ran = found.run({"exercise": "x", "token": "", "cells": [], "data": {}, "questions": {}, "cases": {}, "ready": {}})
        assert ran == b'{"end": true}\n'
        process = found._process
    assert process is not None
    assert process.returncode is not None


WITHOUT_POSIX = """
import os, socket, sys
for name in ("fork", "geteuid", "getuid", "setsid", "setuid", "setgid", "setgroups", "killpg", "chown", "wait4", "pidfd_open", "getpgid"):
    vars(os).pop(name, None)
for name in ("AF_UNIX", "send_fds", "recv_fds", "socketpair"):
    vars(socket).pop(name, None)
"""


@needs_engine
def test_nothing_of_it_needs_what_only_unix_has(tmp_path: Path) -> None:
    """Neither here nor in the worker: where these names are missing, as they are on Windows, a solution is marked."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_POSIX)
    (name,) = (ROOT / "solutions").glob(f"*_{NAME}.ipynb")
    marks = f"""
import json, os
from pathlib import Path
from fstats import exercise
from fstats.teaching.marking.marks.marker import Marker
marker = Marker(wall="any")
name = Path({str(name)!r})
reference = json.loads((name.parents[1] / "exercises" / name.name).read_text(encoding="utf-8"))
found = marker.mark(reference, name.read_bytes(), exercise({NAME!r}), None, b"")
marker.close()
print(hasattr(os, "fork"), found.isolation, {{one.verdict for one in found.questions}})
"""
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": paths, "PATH": ""}
    done = subprocess.run([sys.executable, "-c", marks], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "False wasm {'right'}", done.stderr


@needs_engine
def test_a_cache_that_others_can_write_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("who may write into a folder is told otherwise here")
    (tmp_path / "fstats").mkdir()
    (tmp_path / "fstats").chmod(0o777)
    monkeypatch.setattr(wasm_sandbox, "cache_folder", lambda: tmp_path / "fstats")
    assert_raises(lambda: WasmSandbox(Limits()), "must not be writable for other users", SandboxUnavailable)
    assert list((tmp_path / "fstats").iterdir()) == []


@needs_engine
def test_the_first_compilation_is_told_once(tmp_path: Path, wasmtime: Any) -> None:
    """Here of a small program in the place of Python's; the second time it is there."""
    binary, told, engine = tmp_path / "small.wasm", list[str](), wasmtime.Engine()
    binary.write_bytes(wasmtime.wat2wasm("(module (memory 1))"))
    for _ in range(2):
        assert load_compiled(engine, binary, tmp_path / "cache", lambda: told.append("compiling")).exports == []
    assert told == ["compiling"]


# -- which wall ---------------------------------------------------------------------------------------------------------------------------
class Standing:
    there: tuple[str, ...] = ()

    def __init__(self, limits: Limits, isolation: str = "wasm") -> None:  # noqa: ARG002
        if isolation not in self.there:
            raise SandboxUnavailable(f"no {isolation} here")
        self.isolation = isolation

    def close(self) -> None:
        """Nothing to be closed."""


@pytest.mark.every_case
@parametrize(
    "there, asked, taken",
    ("bubblewrap wasm weak", "strongest", "bubblewrap"),
    ("wasm weak", "strongest", "wasm"),
    ("bubblewrap wasm weak", "wasm", "wasm"),
    ("bubblewrap wasm weak", "weak", "weak"),
    ("bubblewrap wasm weak", "any", "bubblewrap"),
    ("wasm weak", "any", "wasm"),
    ("weak", "any", "weak"),
    ("bubblewrap wasm", "both", "bubblewrap wasm"),
    ("weak", "strongest", ""),
    ("wasm weak", "bubblewrap", ""),
    ("bubblewrap weak", "wasm", ""),
    ("bubblewrap weak", "both", ""),
    ("wasm weak", "both", ""),
)
def test_the_strongest_wall_is_taken_or_the_one_that_is_named(there: str, asked: str, taken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_choice, "BubblewrapSandbox", Standing)
    monkeypatch.setattr(sandbox_choice, "WasmSandbox", Standing)
    monkeypatch.setattr(Standing, "there", tuple(there.split()))
    if taken:
        assert [one.isolation for one in sandbox_choice.start_sandboxes(Limits(), asked)] == taken.split()
        return
    with pytest.raises(SandboxUnavailable, match=r"submissions are untrusted programs.*no \w+ here"):
        sandbox_choice.start_sandboxes(Limits(), asked)


def test_an_earlier_mark_counts_where_its_wall_is_good_enough() -> None:
    fits = {
        which: [one for one in ("", "bubblewrap", "wasm", sandbox_choice.BOTH_SANDBOXES, "weak") if is_sufficient(one, which)]
        for which in sandbox_choice.SANDBOX_CHOICES
    }
    assert fits == {
        "strongest": ["", "bubblewrap", "wasm", sandbox_choice.BOTH_SANDBOXES],
        "bubblewrap": ["", "bubblewrap"],
        "wasm": ["", "wasm"],
        "both": ["", sandbox_choice.BOTH_SANDBOXES],
        "weak": ["", "weak"],
        "any": ["", "bubblewrap", "wasm", sandbox_choice.BOTH_SANDBOXES, "weak"],
    }


def test_without_the_extra_the_error_says_how_to_have_it() -> None:
    assert_raises(lambda: start_sandbox(Limits(), "wasm"), r'pip install "fstats-classifiers\[sandbox\]"', SandboxUnavailable)


# -- the calls, without any engine ---------------------------------------------------------------------------------------------------
def system(seconds: float = 0.0, **files: bytes) -> WasiSystem:
    """What a submission may call, and a memory of 64 KiB."""
    found = WasiSystem(build_tree(files), b"job", FEW, time.monotonic() + seconds)
    memory = bytearray(1 << 16)
    found.memory = lambda: memoryview(memory)
    return found


CALLS = [name.removeprefix("do_") for name in dir(WasiSystem) if name.startswith("do_")]


def test_no_call_does_more_than_answer_or_end_the_run() -> None:
    """Twenty thousand calls with numbers as they come: an error's number or one that ends the run, and never much memory."""
    chance, calls, ended = random.Random(0), system(readable=b"x" * 100), 0
    numbers = [*range(10), 64, 4096, 65_000, 65_536, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1]
    for _ in range(20_000):
        name = chance.choice(CALLS)
        count = getattr(WasiSystem, f"do_{name}").__code__.co_argcount - 1 + 4 * (name == "path_open")
        try:
            assert 0 <= calls.call(name, tuple(chance.choice(numbers) for _ in range(count))) < 77
        except (RunEnded, IndexError, ValueError, OverflowError, struct.error):
            ended += 1
    assert 0 < ended < 20_000
    assert calls.call("", (0, 0, 0, 0)) == calls.call("sock_send", (0, 0, 0, 0, 0)) == 52
    assert len(calls.open) <= FEW["files"]
    written = [node for node in calls.root.children["own"].children.values() if node.kind == FILE]
    assert sum(len(node.data) for node in written) <= FEW["disk"] << 20


def test_what_nobody_may_change_is_shared_and_what_one_run_writes_no_other_sees() -> None:
    root = build_tree({"house/big": b"big"})
    root.children["own"].children["kept"] = Node(FILE, bytearray(b"kept"), is_writable=True)
    one, other = root.copy(), root.copy()
    assert one.children["house"] is other.children["house"]
    one.children["own"].children["kept"].data = b"changed"
    one.children["own"].children["new"] = Node(FILE, is_writable=True)
    assert (other.children["own"].children["kept"].data, set(other.children["own"].children)) == (b"kept", {"kept"})


def test_a_file_from_its_making_to_its_end() -> None:
    """Every call that has to do with files, with the numbers of WASI preview 1."""
    calls = system(readable=b"0123456789")
    memory, numbers = calls.memory(), struct.Struct("<I")

    def call(name: str, *given: int | str) -> int:
        """The answer; a path takes two arguments, its place and its length."""
        words: list[int] = []
        for k, one in enumerate(given):
            if isinstance(one, str):
                memory[100 * k : 100 * k + len(one)] = one.encode()
            words += [100 * k, len(one)] if isinstance(one, str) else [one]
        return calls.call(name, tuple(words))

    def opened(path: str, how: int = 0, flags: int = 0) -> int:
        """The number of a file, or that of the error, negative."""
        return -call("path_open", 3, 0, path, how, 0, 0, flags, 2000) or numbers.unpack_from(memory, 2000)[0]

    def passed(name: str, fd: int, data: bytes, *at: int) -> bytes | int:
        """What these bytes have become, in two parts; or the number of an error."""
        memory[3000 : 3000 + len(data)] = data
        struct.pack_into("<IIII", memory, 2100, 3000, 1, 3001, len(data) - 1)
        error = call(name, fd, 2100, 2, *at, 2000)
        return error or bytes(memory[3000 : 3000 + numbers.unpack_from(memory, 2000)[0]])

    def told(name: str, *given: int, form: str = "<Q") -> tuple[int, ...] | int:
        return call(name, *given, 2200) or struct.unpack_from(form, memory, 2200)

    assert [opened("own/x"), opened("new", 1), opened("own/../readable/x"), opened("readable", 2)] == [-44, -69, -54, -54]
    assert (fd := opened("own/x", 1)) == 5, "the first five are open from the beginning"
    assert [opened("own/x", 5), opened("own/x", 2), passed("fd_write", fd, b"abc"), told("fd_tell", fd)] == [-20, -54, b"abc", (3,)]
    assert [told("fd_seek", fd, 1, 0), passed("fd_read", fd, b"....."), told("fd_seek", fd, (1 << 64) - 1, 0)] == [(1,), b"bc", 28]
    assert passed("fd_write", (more := opened("own/x", 1, 1)), b"de") == b"de", "behind what is there"
    assert [told("fd_seek", fd, (1 << 64) - 3, 2), passed("fd_read", fd, b".."), told("fd_seek", fd, 1, 1)] == [(2,), b"cd", (5,)]
    assert [passed("fd_pwrite", fd, b"XY", 1), call("fd_filestat_set_size", fd, 7)] == [b"XY", 0]
    assert (passed("fd_pread", fd, b"." * 9, 0), told("fd_filestat_get", fd, form="<16xB7xQQ")) == (b"aXYde\0\0", (4, 1, 7))
    assert [told("fd_fdstat_get", one, form="<BxH") for one in (fd, more, 3, 9)] == [(4, 0), (4, 1), (3, 0), 8]
    assert (opened("own/x", 8), told("fd_filestat_get", fd, form="<32xQ"), opened("readable")) == (7, (0,), -33)
    assert [call("fd_close", one) for one in (7, more, fd, fd)] == [0, 0, 0, 8]
    assert [call("path_create_directory", 3, one) for one in ("own/f", "own/./f", "f", "own/f/g")] == [0, 20, 69, 0]
    assert [call("path_rename", 3, "own/x", 3, one) for one in ("own/f", "x", "own/f/y", "own/f/y")] == [28, 69, 0, 44]
    assert [call("path_remove_directory", 3, one) for one in ("own/f", "own/f/y", "own/f/..", "own/f/g")] == [55, 54, 55, 0]
    assert call("fd_readdir", opened("own/f"), 2200, 100, 0, 2000) == 0
    assert (numbers.unpack_from(memory, 2000), struct.unpack_from("<Q8xIBxxxc", memory, 2200)) == ((25,), (1, 1, 4, b"y"))
    assert [call("path_unlink_file", 3, one) for one in ("own/f", "readable", "own/f/y", "own/f/y")] == [31, 69, 0, 44]
    assert [passed("fd_write", opened("readable"), b"ab"), passed("fd_read", 3, b".."), call("fd_filestat_set_size", 4, 1)] == [69, 31, 28]
