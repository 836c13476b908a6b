"""What submissions may try: each kind with the grader that it fools or hurts, and whether it holds at which isolation."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SECRET = "course-secret-0f1e2d3c4b5a"
SIXTH = "df = len(a) - 1"  # the right answer to the sixth question


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
    effect : str
        How that is seen there: "points" that are not due, "evidence" that comes back in the answers, "damage" in the folder of the
        course, or it "stops" the grader, so that those who come after have no marks.
    fools : str
        The naive grader against which it succeeds.
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
    effect: str = "points"
    fools: str = "checks"
    weak: bool = True
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
SCRIPTS = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))["attacks"]


def without_token(world: World) -> dict[str, Any]:
    """Answers to the data of the course, which everybody has."""
    return filled(world.reference, typed(world.course_right))


def foreign(world: World) -> dict[str, Any]:
    """Another student's notebook, byte for byte."""
    return filled(world.reference, typed(world.right), world.others_token)


def with_points(world: World) -> dict[str, Any]:
    """Each cell is worth a hundred points, says the notebook."""
    notebook = filled(world.reference, {"answer_q6": SIXTH}, world.token)
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"] = {"nbgrader": cell["metadata"]["nbgrader"] | {"points": 100}}
    return notebook


def many_times(world: World) -> dict[str, Any]:
    """One right answer, checked twenty times."""
    notebook = filled(world.reference, {"answer_q6": SIXTH}, world.token)
    again = next(cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q6")
    return notebook | {"cells": [*notebook["cells"], *[again] * 20]}


def relabelled(world: World) -> dict[str, Any]:
    """The checks of the questions that were not solved look at the one that was."""
    notebook = filled(world.reference, {"answer_q6": SIXTH}, world.token)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("locked"):
            cell["source"] = 'check("q6", df)'
    return notebook


def with_kernel(world: World) -> dict[str, Any]:
    """A kernel that is not there."""
    notebook = filled(world.reference, {"answer_q6": SIXTH}, world.token)
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


def discloses(kind: str, source: str, evidence: str = SECRET, weak: bool = True) -> Attack:
    """An attack whose cell makes `loot`, in which the evidence is seen."""
    return Attack(kind, tells(source), "evidence", evidence=evidence, weak=weak)


def stopping(kind: str, source: str, **cells: str) -> Attack:
    """An attack on the marking of the others, with one honest answer."""
    return Attack(kind, extra(source, q6=SIXTH, **cells), "stops", honest=("q6",))


ATTACKS: Sequence[Attack] = (
    # points that are not due
    Attack("takes nbgrader's mark out of the environment", extra('import os\nos.environ.pop("NBGRADER_EXECUTION", "")')),
    Attack("replaces `check`", extra("check = lambda *anything: None")),
    Attack("hands in another student's notebook, byte for byte, with numbers in it", other(foreign), typed=lambda world: world.right),
    Attack("deletes the token from the opening cell", other(without_token), typed=lambda world: world.course_right),
    Attack("reads `task.solution()`", extra(SCRIPTS["SOLUTION"], **EACH)),
    Attack("answers with objects whose `__array__` climbs through the caller's frames", everywhere(SCRIPTS["FRAMES"]), fools="asserts"),
    Attack("answers with an object that is equal to everything", everywhere(EQUAL_TO_EVERYTHING), fools="asserts"),
    Attack("answers with nan", everywhere(f"thing = float('nan')\n{ALL}"), fools="asserts"),
    Attack("answers with lists in which nothing is", everywhere(f"thing = np.empty((0, 1))\n{ALL}"), fools="asserts"),
    Attack(
        "patches numpy",
        everywhere(
            "np.any = np.all = lambda *x, **y: False\nnp.allclose = lambda *x: True\n"
            "d, mean, sd, se, t, df, critical_value, p, reject = (7919.25 * 3.7**k for k in range(9))"
        ),
        fools="asserts",
    ),
    Attack("patches fstats", extra(_patched("grading.Task.reply_to = lambda self, key, value, line=None: Feedback(key, 'right')"))),
    Attack(
        "patches fstats by importing a file that it has written",
        extra(
            "from pathlib import Path\nimport sys\n"
            "Path('harmless.py').write_text('import fstats.teaching.grading.task as "
            "t\\nfrom fstats.teaching.grading.verdicts.feedback import Feedback\\n"
            "t.Task.reply_to = lambda self, key, value, line=None: Feedback(key, \"right\")')\nsys.path.insert(0, '')\nimport harmless"
        ),
    ),
    Attack(
        "patches json",
        extra(
            "import json\n"
            "json.dumps = lambda x, write=json.dumps, **y: write({**x, 'points': 10} if isinstance(x, dict) and 'points' in x else x, **y)"
        ),
    ),
    Attack("forges lines of the report", extra(SCRIPTS["FORGED"])),
    Attack("edits the metadata: a hundred points for each cell", other(with_points), fools="asserts", honest=("q6",)),
    Attack("doubles the cell that checks its one right answer", other(many_times), honest=("q6",)),
    Attack("lets all checks look at its one right answer", other(relabelled), honest=("q6",)),
    Attack("lets functions ask the judge who calls them", functions(SCRIPTS["ASKS_THE_JUDGE"]), exercise="write_your_own_test"),
    # what it should not see
    discloses("reads the key from the disk", 'loot = open(FOLDER + "/key.json").read()[:26]'),
    discloses("reads the secret of the course", 'loot = open(FOLDER + "/secret.txt").read()'),
    discloses("reads other submissions", 'loot = open(FOLDER + "/submissions/s2/answers.txt").read()'),
    discloses("reads by a symbolic link", 'import os\nos.symlink(FOLDER + "/secret.txt", "mine")\nloot = open("mine").read()'),
    discloses(
        "reads by a hard link",
        'import os\nos.link("log.txt" if os.path.exists("log.txt") else FOLDER + "/log.txt", "mine")\nloot = "linked it"',
        "linked it",
    ),
    discloses("reads the environment", 'import os\nloot = os.environ.get("COURSE_SECRET", "")'),
    discloses("reads the command lines of other processes", SCRIPTS["OTHER_PROCESSES"]),
    discloses("searches the memory of its own and of its parent's process", SCRIPTS["MEMORY"]),
    discloses("reads open files by their descriptors", SCRIPTS["DESCRIPTORS"]),
    Attack("looks for what an earlier submission left", two(SCRIPTS["LEAVES"], SCRIPTS["FINDS"]), "evidence", evidence="left for the next"),
    discloses(
        "calls home over the network", SCRIPTS["REACHES"].replace("ADDRESSES", '[(socket.AF_INET, ("127.0.0.1", PORT))]'), "somebody there"
    ),
    discloses(
        "speaks to a local socket without a file",
        SCRIPTS["REACHES"].replace("ADDRESSES", r'[(socket.AF_UNIX, "\0" + NAME)]'),
        "somebody there",
    ),
    discloses("uses doors of the kernel: keys, virtual sockets, io_uring, ptrace", SCRIPTS["KERNEL"], "let through"),
    # what it should not change
    Attack("writes outside its folder", extra('open(FOLDER + "/grades.csv", "a").write("s1,10")'), "damage"),
    Attack(
        "writes into open files by their descriptors",
        extra('import os\nfor n in range(3, 60):\n    try: os.pwrite(n, b"s1,10", 0)\n    except OSError: pass'),
        "damage",
    ),
    Attack("deletes files", extra('import shutil\nshutil.rmtree(FOLDER + "/submissions")'), "damage"),
    Attack(
        "leaves a pickle for the grader",
        extra('class Bomb:\n    def __reduce__(self): return open, (FOLDER + "/pwned.txt", "w")', q2="mean = Bomb()"),
        "damage",
        fools="pickles",
    ),
    Attack("starts a process that outlives it", extra(SCRIPTS["LINGERS"]), "damage"),
    # what it should not use up
    discloses("fills the memory", 'loot = "took 700 MiB" if bytearray(700 << 20) else ""', "took 700 MiB"),
    discloses(
        "takes memory that belongs to no process: System V's, files without a name", SCRIPTS["SHARED_MEMORY"], "memory that nobody counts"
    ),
    discloses(
        "shares memory with nobody, and keeps one page of it",
        SCRIPTS["ONE_PAGE"].replace("FLAGS_AND_FILE", "0x21, -1"),
        "memory that nobody has",
    ),
    discloses(
        "does the same with a device that gives memory",
        SCRIPTS["ONE_PAGE"].replace("FLAGS_AND_FILE", '1, os.open("/dev/zero", os.O_RDWR)'),
        "memory that nobody has",
    ),
    discloses("takes what the kernel has few of: watchers of files, queues, timers", SCRIPTS["SCARCE"], "taken from everybody"),
    discloses("fills the memory by several processes together", SCRIPTS["MANY_PROCESSES"], "480 MiB in four processes"),
    discloses("keeps memory in the buffers of sockets", SCRIPTS["SOCKET_BUFFERS"], "megabytes in sockets"),
    discloses("fills the disk", SCRIPTS["FULL_DISK"], "wrote 48 MiB", weak=False),
    discloses("forks and forks", SCRIPTS["FORKS"], "forked 40"),
    # what should not stop the marking of the others
    Attack("computes for ever", extra("while True: pass", q1="d = a - b"), "stops", honest=("q1",)),
    Attack("sleeps for ever", extra("import time\ntime.sleep(1000)"), "stops"),
    stopping("waits for `input()`", "name = input()"),
    stopping("calls `os._exit`", "pass", q7="import os\nos._exit(0)"),
    stopping("calls `sys.exit`", "import sys\nsys.exit()"),
    stopping("kills its parent", "import os, signal\nif os.getppid() > 1: os.kill(os.getppid(), signal.SIGKILL)"),
    stopping("lets the kernel send its parent the signal, as the owner of a pipe", SCRIPTS["SIGNAL_BY_THE_KERNEL"]),
    stopping("kills everybody that it can", "import os, signal\nos.kill(-1 if os.getpid() == 1 else os.getppid(), signal.SIGKILL)"),
    Attack("closes all files", extra("import os\nos.closerange(0, 100)"), "stops"),
    stopping("leaves a thread that never ends", "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()"),
    stopping("crashes the interpreter", "import ctypes\nctypes.string_at(0)"),
    stopping("raises an error that cannot be shown", "class Odd(Exception):\n    def __str__(self): raise SystemExit\nraise Odd"),
    Attack("floods the report", extra(SCRIPTS["FLOOD"]), "stops"),
    Attack("is no notebook", other(lambda _: b"Dear professor, my notebook does not open."), "stops"),
    Attack(
        "is not UTF-8",
        other(lambda world: written(filled(world.reference, {"answer_q2": "mean = 'm\xfcde'"})).replace(b"\\u00fc", b"\xfc")),
        "stops",
    ),
    Attack("wants a kernel that is not there", other(with_kernel), "stops", honest=("q6",)),
    Attack("nests brackets without end", other(lambda _: b'{"cells": ' + b"[" * 200_000), "stops"),
    Attack("is a notebook of cells that are none", other(lambda _: b'{"cells": [1, null, "x"], "metadata": {}}'), "stops"),
)

# Whatever fools no naive grader, or is no matter of isolation, is tried with the rest of the marker: too large files, texts that
# look like HTML, functions that call what they should be.
