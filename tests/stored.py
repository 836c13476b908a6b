"""What must stay as it is: whatever changes a number or a word that a test class, an explorer or a picture shows is noticed in seconds.

That they are right is proved where each is tested.  Who means to change some writes them again, and reads the difference as any other:

    pytest tests/procedures/test_every_test.py --store
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zlib import crc32

import numpy as np
import pytest

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def numbers(value: Any) -> Iterator[float]:
    """All numbers of a value, in order; of a text those that stand in it, and one for its words."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, str):
        yield from map(float, NUMBER.findall(value))
        yield crc32(NUMBER.sub("", value).encode()) % 997
    elif isinstance(value, (bool, int, float, np.number)):
        yield float(value)


def condensed(value: Any) -> float:
    """One number that changes with each of these, with a small p-value as with a large score."""
    x = np.nan_to_num(np.array([*numbers(value)]), nan=0.123, posinf=1e200, neginf=-1e200)
    weights = 1.5 + np.cos(np.arange(x.size))  # so that two that are exchanged change it
    return round(float(weights @ (np.sign(x) * np.log1p(np.abs(x) * 1e9))), 4)


@pytest.fixture
def changed(request: pytest.FixtureRequest) -> Callable[..., list[str]]:
    """Which of these values, by name, are not what is stored beside the file of the test; with --store they are stored, and none is."""
    path = request.path.with_suffix(".json")
    every = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def among(values: Mapping[str, Any], close: float = 5e-4) -> list[str]:
        now = {name: condensed(value) for name, value in values.items()}
        if request.config.getoption("store"):
            every[request.node.name] = every.get(request.node.name, {}) | now
            lines = [f"{json.dumps(name)}: {json.dumps(some)}" for name, some in every.items()]
            path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        before = every.get(request.node.name, {})
        other = [name for name in now if now[name] != pytest.approx(before.get(name, np.inf), rel=1e-7, abs=close)]
        store = f'pytest -m "complete or not complete" {request.path} -k {request.node.originalname} --store'
        return [f"{name} is not what {path.name} has{': nothing' * (name not in before)}; if that is meant: {store}" for name in other]

    return among
