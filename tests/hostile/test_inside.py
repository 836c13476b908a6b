"""Attacks that were made for WebAssembly: each succeeds against a careless host, and gains nothing from ours."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attacks_inside import ATTACKS_INSIDE, SECRET, Inside
from careless import job

from fstats.teaching.marking.sandbox.notebook_session import Limits
from fstats.teaching.marking.sandbox.wasm_sandbox import WasmSandbox

pytestmark = pytest.mark.needs("engine", "wasmtime")
LIMITS = Limits(cpu=3, wall=30, memory=200)
HONEST = "found = sum(range(10))"  # whoever comes next
EASY = ("leaves its state in the snapshot", "throws an exception across the boundary", "climbs out of its folder by names")
each_attack = pytest.mark.parametrize(
    "attack",
    [pytest.param(attack, marks=() if attack.kind in EASY else pytest.mark.slow) for attack in ATTACKS_INSIDE],
    ids=lambda attack: attack.kind.replace(" ", "-"),
)


@pytest.fixture(scope="module")
def careless(engine: Any, wasmtime: Any) -> Iterator[subprocess.Popen[str]]:  # noqa: ARG001 - they can be imported
    """A host in which one may succeed, in a process of its own, which one may end."""
    command = [sys.executable, str(Path(__file__).parent / "careless.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def inside(engine: Any, wasmtime: Any) -> Iterator[WasmSandbox]:  # noqa: ARG001 - they can be imported
    """Ours."""
    with closing(WasmSandbox(LIMITS)) as wall:
        yield wall


def right(output: str) -> bool:
    """Whether the one who is honest has his mark."""
    return '"value": 45}' in output and '{"end": true}' in output


@each_attack
def test_an_attack_succeeds_against_a_careless_host(attack: Inside, careless: subprocess.Popen[str]) -> None:
    """It finds or takes what it should not, or whoever comes next has no mark."""
    assert careless.stdin
    assert careless.stdout
    print(json.dumps([*attack.cells, HONEST]), file=careless.stdin, flush=True)
    found = json.loads(careless.stdout.readline())
    if attack.evidence:
        assert attack.evidence in found[len(attack.cells) - 1][0]
    else:
        assert len(found) <= len(attack.cells) or not right(found[-1][0]), found


@each_attack
def test_an_attack_gains_nothing_from_ours(attack: Inside, inside: WasmSandbox) -> None:
    """Nothing is found or taken, the run ends by itself or is ended, and whoever comes next is marked as ever, by the same worker."""
    worker = inside._process
    for cell in attack.cells:
        ran = inside.run(job(cell))
        assert SECRET.encode() not in ran
        assert not attack.evidence or f'"value": "{attack.evidence}'.encode() not in ran
    assert right(inside.run(job(HONEST)).decode())
    assert inside._process is worker


def test_there_are_more_than_ten_kinds() -> None:
    assert len({attack.kind for attack in ATTACKS_INSIDE}) == len(ATTACKS_INSIDE) > 10
