"""What each named mistake and each neighbour comes to, held against numbers that other code computed.

The number of a mistake follows from its formula, so that a wrong formula would be its own witness.  `values_of_mistakes.json` holds what
functions written by hand made of the same mistakes: on the data of the course and on those of one student in twelve digits, and on those
of eight more as one fingerprint, since the limits of a count or of a sum show on some data only.  Whoever adds a mistake works it out on
paper, and writes it there by

    python tests/teaching/test_values_of_mistakes.py

which adds what is new, tells it, and leaves what is there as it is.
"""

import hashlib
import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstats import individual
from fstats.core.value_types import Interval
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import start_test

STORED = Path(__file__).with_suffix(".json").with_name("values_of_mistakes.json")
SECRET = "only for the tests of this package"
MORE = [f"student {k}" for k in range(2, 10)]
PROBES = (-1.5, 0.5, 1, 2, 5, 10)  # a distribution is told by how much of it lies up to these


def plain(value: Any) -> Any:
    """A value as JSON keeps it: numbers in twelve digits, a distribution by its name and what lies up to the probes."""
    if hasattr(value, "at_most"):
        return [type(value).__name__, *(plain(value.at_most(x)) for x in PROBES)]
    x = np.stack(np.broadcast_arrays(*value)) if isinstance(value, Interval) else np.asarray(value)
    if x.dtype.kind == "U":
        return x.tolist()
    digits = [float(f"{entry:.12g}") if np.isfinite(entry) else str(entry) for entry in x.astype(float).ravel().tolist()]
    return np.array(digits, object).reshape(x.shape).tolist()


def fingerprint(value: Any) -> str:
    """Numbers to six digits, none of which stands between two: times pi, so that no power of one half is rounded up here and down there."""
    if isinstance(value, list):
        return f"[{' '.join(map(fingerprint, value))}]"
    return f"{math.pi * value:.6g}" if isinstance(value, float) else str(value)


def values(name: str) -> dict[str, list[Any]]:
    """Of each mistake and neighbour of an exercise: on the data of the course, on those of a student, and the fingerprint of
    those of more.
    """
    about, found = load_exercise_definition(name), {}
    data = [about.given, *(individual(student, name, SECRET)._data for student in ("student 1", *MORE))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as a division by 0, which is infinite
        for mistake in (*about.mistakes, *about.neighbours):
            where = ", ".join(mistake.only) if mistake in about.neighbours else mistake.step
            first, second, *more = (plain(getattr(start_test(mistake.wrong, each), mistake.step)) for each in data)
            found[f"{where}: {mistake.name}"] = [first, second, hashlib.sha256(fingerprint(more).encode()).hexdigest()[:12]]
    return found


def close(x: Any, y: Any) -> bool:
    """The same within one unit of the tenth digit: SciPy 1.15 is off by up to 2e-11 in quantiles of Student's t, newer ones are not."""
    if isinstance(x, list):
        return isinstance(y, list) and len(x) == len(y) and all(map(close, x, y))
    return bool(x == y or (isinstance(x, float) and isinstance(y, float) and abs(x - y) <= 1e-10 * abs(x) + 1e-13))


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_a_mistake_comes_to_what_other_code_made_of_it(name: str) -> None:
    stored, found = json.loads(STORED.read_text(encoding="utf-8")).get(name, {}), values(name)
    assert found.keys() == stored.keys(), (
        "mistakes have come or gone: work out by other means what the new ones come to, then run "
        "`python tests/teaching/test_values_of_mistakes.py`, which tells their numbers and keeps them"
    )
    assert {key: value for key, value in found.items() if not close(stored[key], value)} == {}


def test_another_number_would_be_seen() -> None:
    """Also one that differs in the tenth digit, in one entry, in its shape or in its kind."""
    assert close([1.0, [2.0, "inf"]], [1.0, [2.0 + 1e-12, "inf"]])
    for other in ([1.0, [2.000000001, "inf"]], [1.0, [2.0, "-inf"]], [1.0, [2.0]], [1.0, 2.0], ["StudentT", [2.0, "inf"]]):
        assert not close([1.0, [2.0, "inf"]], other)


if __name__ == "__main__":
    kept = json.loads(STORED.read_text(encoding="utf-8"))
    for exercise in exercise_names():
        there, now = kept.setdefault(exercise, {}), values(exercise)
        for key in sorted(there.keys() - now.keys()):
            del there[key]
        for key in (one for one in now if one not in there):
            there[key] = now[key]
            print(f"{exercise}, {key}: {now[key]}")
    lines = [f'"{one}": {{\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in kept[one].items()) + "\n}" for one in kept]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if text != STORED.read_text(encoding="utf-8"):  # tests on other cores may be reading the file
        STORED.write_text(text, encoding="utf-8")
