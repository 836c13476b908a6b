"""What submissions may try against WebAssembly: each kind succeeds against the careless host of `careless.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SECRET = "course-secret-0f1e2d3c4b5a"  # lies in the folder of a course that the careless host shows
LEFT = "left for the next"


class Inside(NamedTuple):
    """One kind: what it tries, the cell of each submission, and the words by which its success is seen.

    Without words it succeeds if those who come after have no marks.
    """

    kind: str
    cells: tuple[str, ...]
    evidence: str = ""


GROWS = """
kept, found = [], "refused"
try:
    while len(kept) < 700: kept.append(bytearray(b"x") * (1 << 20))
    found = "took 700 MiB"
except MemoryError: kept.clear()
"""
ACROSS = """
import os
class Across(BaseException): pass
def thrown(*_): raise Across
os.write = thrown
"""
DOOR = """
import _host, struct
found = ""
long = struct.pack("<I", 0xFFFFFFFF) + b"x"  # longer than it is
for frame in (b"/course/secret.txt", b"", long, b'{"tool": "read", "arguments": {"path": "secret.txt"}}', bytes(1 << 20)):
    try: found = found or _host.call(frame).decode()
    except OSError: pass
"""
CLOCKS = """
import time, threading, signal
time.monotonic = time.perf_counter = time.process_time = time.thread_time = time.time = lambda: 0.0
time.sleep = lambda *_: None
while True: pass
"""
LEAVES = """
import builtins, os, sys
import numpy, fstats
for place in (builtins, numpy, fstats, sys): place.left = "left for the next"
os.environ["LEFT"] = "left for the next"
with open("/own/left.txt", "w") as file: file.write("left for the next")
os.open("/own/left.txt", os.O_RDONLY)
found = 1
"""
FINDS = """
import builtins, os, sys
import numpy, fstats
found = os.environ.get("LEFT", "")
for place in (builtins, numpy, fstats, sys): found = found or getattr(place, "left", "")
for number in (0, *range(3, 60)):
    try: found = found or os.pread(number, 100, 0).decode()
    except (OSError, UnicodeDecodeError): pass
if os.path.exists("/own/left.txt"): found = found or open("/own/left.txt").read()
"""
HUGE = """
import sys
sys.path.insert(0, "/own")
with open("huge.py", "w") as file: file.write("v = [" + "1," * 2_000_000 + "]")
import huge
found = "imported it"
"""
BYTECODE = """
import dis
op = dis.opmap
code = bytes([op["EXTENDED_ARG"], 0x1F, op["EXTENDED_ARG"], 255, op["EXTENDED_ARG"], 255, op["LOAD_CONST"], 255, op["RETURN_VALUE"], 0])
def f(): return 1
f.__code__ = f.__code__.replace(co_code=code)
f()
"""
SCATTERS = """
import numpy as np
words = np.frombuffer(b"left for the next " * 400_000, "u1")
kept = [words.copy() for _ in range(12)]
del kept, words
found = 1
"""
SEARCHES = """
import numpy as np
kept = [np.empty(7_200_000, "u1") for _ in range(12)]
found = "left for the next" if any(b"left for" + b" the next" in one.tobytes() for one in kept) else ""
"""
CHANNEL = """
import os
os.close(4)
os.open("answers.txt", os.O_CREAT | os.O_RDWR)
"""
FILLS = """
import os
kept, found = [], "refused"
try:
    for k in range(8):
        kept.append(open("big", "wb", buffering=0))
        kept[-1].write(bytes(6 << 20))
        os.unlink("big")  # but it is still open
    found = "wrote 48 MiB"
except OSError: pass
"""
TERABYTE = """
import os
try:
    with open("sparse", "wb") as file: file.truncate(48 << 20)
    os.truncate("sparse", 96 << 20)
    found = "made it"
except OSError: found = "refused"
"""
CLIMBS = """
found = ""
for start in ("/", "/own/../", "../" * 40, "", "/own/./..//", "/house/fstats/../../"):
    try: found = found or open(start + 'course/secret.txt').read()
    except OSError: pass
"""
LIBRARY = """
import os
for place in ("/house/left.py", "/house/fstats/left.py", "/usr/local/lib/left.py"):
    try:
        with open(place, "w") as file: file.write("words = 'left for the next'")
    except OSError: pass
found = 1
"""
LIBRARY_AGAIN = """
import importlib, sys
found = ""
for folder in ("/house", "/house/fstats", "/usr/local/lib"):
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try: found = found or importlib.import_module("left").words
    except ImportError: pass
"""
SHOUTS = """
import os
while True: os.write(1, b"x" * (1 << 20))
"""
ABORTS = """
import os
os.abort()
"""
ATTACKS_INSIDE: Sequence[Inside] = (
    Inside("grows its memory piece by piece", (GROWS,), "took 700 MiB"),
    Inside("throws an exception across the boundary", (ACROSS,)),
    Inside("speaks to the host's door, with frames that it forged", (DOOR,), SECRET),
    Inside("stops its clocks, and computes for ever", (CLOCKS,)),
    Inside("leaves its state in the snapshot", (LEAVES, FINDS), LEFT),
    Inside("imports a module that is too large", (HUGE,), "imported it"),
    Inside("crashes Python by bytecode of its own", (BYTECODE,)),
    Inside("looks for others in memory that was given back", (SCATTERS, SEARCHES), LEFT),
    Inside("puts a file in the place of the channel of answers", (CHANNEL,)),
    Inside("fills the disk with files that it has deleted", (FILLS,), "wrote 48 MiB"),
    Inside("makes a file longer than there is room, and writes nothing", (TERABYTE,), "made it"),
    Inside("climbs out of its folder by names", (CLIMBS,), SECRET),
    Inside("writes into the library, for the next to import", (LIBRARY, LIBRARY_AGAIN), LEFT),
    Inside("shouts without end into its output", (SHOUTS,)),
    Inside("aborts", (ABORTS,)),
)
