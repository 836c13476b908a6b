"""Do the tests notice?  Random single changes of the library, each tried on the tests that run the changed lines.

    python -m tests.mutants                    300 changes, the tests of README's tier; goes on where it was interrupted
    python -m tests.mutants --tier complete    those that survive the first tier, on the complete one
    python -m tests.mutants --survivors        the table of those that no test noticed

A change exchanges a number (1 more, or twice a float), a comparison (by its opposite), a sign, a name, or leaves out a line; docstrings and
types stay, and so do ``strict=`` and code that only WebAssembly runs, which no test can notice.
Which test runs which line is measured once, with pytest-cov (``pip install pytest-cov``), and not in other processes: what notebooks
notice in their kernels does not count.  A change in a line that runs while a module is imported is tried on all tests that run something of
that file; where there are none, on the tests of the same room.  The first test that fails
ends the trial; one that waits for ever fails after TOO_LONG seconds.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).parents[1]
HALVES = (
    ("procedures", "distributions", "core"),
    ("comparing", "guide", "teaching/grading", "teaching/marking", "render", "plot", "publish"),
)
ENGINE = (
    "publish/browser_python/jupyter_shims/",
    "teaching/marking/sandbox/wasi_filesystem.py",
    "teaching/marking/sandbox/wasm_instance.py",
)  # runs where WebAssembly does
COMPARED: dict[type, type] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPARED |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
SIGNED: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And}
TOO_LONG = 240  # seconds for the tests of one change
MOST = 400  # tests for one change: of more, those that take the least
BOTH = "complete or not complete"  # as markers: the first two tiers


@dataclass(frozen=True)
class Change:
    """One change of one line."""

    path: str
    line: int
    kind: str
    before: str
    after: str
    column: int
    end: tuple[int, int]

    def applied(self, text: str) -> str:
        """The text of the file with the change."""
        lines = text.encode().splitlines(keepends=True)  # columns count bytes
        first, last = self.line - 1, self.end[0] - 1
        head, tail = lines[first][: self.column], lines[last][self.end[1] :]
        return b"".join([*lines[:first], head + self.after.encode() + tail, *lines[last + 1 :]]).decode()


def changes(path: Path, room: Path = ROOT) -> list[Change]:
    """Every change that could be made to a file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = []
    for node, names in _code(tree):
        for kind, after in _changed(node, names):
            before = ast.get_source_segment(text, node) or ""
            if before and after != before:
                where = str(path.relative_to(room)), node.lineno, kind, before, after, node.col_offset
                found.append(Change(*where, (node.end_lineno or 0, node.end_col_offset or 0)))
    return found


def _code(tree: ast.AST, names: tuple[str, ...] = ()) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The nodes that compute something, each with the names that its function knows."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr)) or _is_said(node):
                continue
            if isinstance(node, ast.keyword) and node.arg == "strict":
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            inside = names
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                taken = [one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.arg not in ("self", "cls")]
                inside = (*taken, *(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)))
            if hasattr(node, "lineno"):
                yield node, inside
            yield from _code(node, inside)


def _is_said(node: ast.AST) -> bool:
    """Whether it is a docstring, or another text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changed(node: Any, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What may be put in its place: the kind of change and the new text."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "number", repr(2 * node.value if isinstance(node.value, float) and node.value else node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "number", repr(not node.value)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield "comparison", ast.unparse(ast.Compare(node.left, [COMPARED[type(node.ops[0])](), *node.ops[1:]], node.comparators))
    elif isinstance(node, ast.BinOp) and type(node.op) in SIGNED and not isinstance(node.left, ast.JoinedStr):
        yield "sign", f"({ast.unparse(ast.BinOp(node.left, SIGNED[type(node.op)](), node.right))})"
    elif isinstance(node, ast.BoolOp):
        yield "sign", f"({ast.unparse(ast.BoolOp(SIGNED[type(node.op)](), node.values))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "sign", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        others = sorted({*names} - {node.id})
        if others:
            yield "name", others[len(node.id) * 7 % len(others)]
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)):
        yield "line left out", "pass"


def drawn(count: int, seed: int) -> list[Change]:
    """So many changes: half of them of the first rooms, and as many of each kind as there are."""
    rng, found = random.Random(seed), []
    for rooms, many in zip(HALVES, (count - count // 2, count // 2)):
        files = sorted(path for room in rooms for path in (ROOT / "fstats" / room).rglob("*.py"))
        files = [path for path in files if not any(one in path.as_posix() for one in ENGINE)]
        by_kind: dict[str, list[Change]] = {}
        for change in (one for path in files for one in changes(path)):
            by_kind.setdefault(change.kind, []).append(change)
        kinds = sorted(by_kind)
        found += [rng.choice(by_kind[kinds[k % len(kinds)]]) for k in range(many)]
    return found


def measured(store: Path) -> tuple[Any, dict[str, float]]:
    """Which test of the first two tiers runs which line, and how long each takes; measured once, without a browser."""
    from coverage import CoverageData

    data, times = store / "lines.coverage", store / "seconds.json"
    if not times.exists():
        words = ["-q", "-p", "no:cacheprovider", "--cov=fstats", "--cov-context=test", "--cov-report=", "--durations=0", "-vv"]
        words += ["-m", f"({BOTH}) and not browser"]
        around = os.environ | {"COVERAGE_FILE": str(data)}
        done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, env=around, capture_output=True, text=True, check=False)
        rows = [line.split(maxsplit=2) for line in done.stdout.splitlines() if "s call " in line]
        times.write_text(json.dumps({name: float(seconds.removesuffix("s")) for seconds, _, name in rows}))
    lines = CoverageData(str(data))
    lines.read()
    return lines, json.loads(times.read_text())


def names_in(tier: str) -> set[str]:
    """The names of the tests that a tier runs, with those of the first."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *(["-m", BOTH] if tier == "complete" else [])]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {line for line in said.splitlines() if "::" in line}


def tests_for(change: Change, lines: Any, seconds: dict[str, float]) -> list[str]:
    """Of the tests whose seconds are given, those that run the line, or the file, or the room; the quickest first."""
    by_line: dict[int, list[str]] = lines.contexts_by_lineno(str(ROOT / change.path))
    by_line = {line: [test for test in (name.rpartition("|")[0] for name in names) if test in seconds] for line, names in by_line.items()}
    there = {name for line in range(change.line, change.end[0] + 1) for name in by_line.get(line, [])}
    there = there or {name for names in by_line.values() for name in names}
    if there:
        return sorted(there, key=lambda name: (seconds[name], name))[:MOST]
    room = Path("tests", *Path(change.path).parts[1:2])
    return [str(room if (ROOT / room).is_dir() else Path("tests"))]


def tried(change: Change, names: list[str], place: Path, markers: str) -> str:
    """What the tests say of it: noticed, and by which test; survived; or what else went wrong."""
    path = place / change.path
    text = path.read_text(encoding="utf-8")
    path.write_text(change.applied(text), encoding="utf-8")
    chosen = place / "chosen.txt"
    chosen.write_text("\n".join(names), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", markers, f"@{chosen}"]
    around = os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        with subprocess.Popen(
            command, cwd=place, env=around, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        ) as running:
            try:
                said, _ = running.communicate(timeout=TOO_LONG)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return "noticed, as a test waits for ever"
    finally:
        path.write_text(text, encoding="utf-8")
    if running.returncode == 5:  # no test ran
        return said[-500:]
    return " ".join(["noticed", *re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.M)[:1]]) if running.returncode else "survived"


def main() -> None:
    """Try what has not been tried, and say how many were noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--tier", choices=("first", "complete"), default="first")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "fstats-mutants")
    parser.add_argument("--survivors", action="store_true", help="only print the table")
    asked = parser.parse_args()
    asked.store.mkdir(parents=True, exist_ok=True)
    kept = asked.store / f"{asked.seed}-{asked.tier}.jsonl"
    done = {tuple(row["where"]): row for row in map(json.loads, kept.read_text().splitlines())} if kept.exists() else {}
    if not asked.survivors:
        lines, seconds = measured(asked.store)
        seconds = {name: seconds.get(name, 0.0) for name in names_in(asked.tier)}
        waiting = [one for one in drawn(asked.count, asked.seed) if (one.path, one.line, one.column, one.after) not in done]
        if asked.tier == "complete":
            first = [json.loads(row) for row in (asked.store / f"{asked.seed}-first.jsonl").read_text().splitlines()]
            alive = {tuple(row["where"]) for row in first if not row["said"].startswith("noticed")}
            waiting = [one for one in waiting if (one.path, one.line, one.column, one.after) in alive]
        places: SimpleQueue[Path] = SimpleQueue()
        with tempfile.TemporaryDirectory() as folder:
            for k in range(asked.jobs):
                places.put(_copy(Path(folder) / str(k)))

            def one(change: Change) -> None:
                place = places.get()
                names = tests_for(change, lines, seconds)
                row = {"where": [change.path, change.line, change.column, change.after], "tests": len(names), **asdict(change)}
                row["said"] = tried(change, names, place, f"({BOTH}) and not browser" if asked.tier == "complete" else "not browser")
                places.put(place)
                with kept.open("a") as file:
                    file.write(json.dumps(row) + "\n")
                done[change.path, change.line, change.column, change.after] = row
                print(f"{len(done)}: {row['said'][:60]:9} {change.path}:{change.line} {change.kind}", flush=True)

            with ThreadPoolExecutor(asked.jobs) as pool:
                list(pool.map(one, waiting))
    for row in done.values():
        if not row["said"].startswith("noticed"):
            what = f"{row['kind']}: {row['before'][:60]!r} -> {row['after'][:60]!r}"
            print(f"{row['path']}:{row['line']}  {what}  ({row['tests']} tests: {row['said'][-40:]})")
    print(f"{sum(row['said'].startswith('noticed') for row in done.values())} of {len(done)} noticed")


def _copy(place: Path) -> Path:
    """The tracked files, and a repository around them."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=place, check=True)
    return place


if __name__ == "__main__":
    main()
