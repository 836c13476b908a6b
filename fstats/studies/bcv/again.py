"""The study made again: calibration, true error rates, type I errors, power; each source on its own, so that any of them can be added later."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

from ...simulate.published import Simple, data_folder
from ...simulate.run import run
from ..compact import compact
from ..study import save
from . import calibration as calibrating
from . import partitions as partitioning
from .design import AS_WRITTEN, DATA_SETS, DIGITS, DIGITS_SETS, LAMBDAS, LEVELS, PARTS, READ_TWICE, SEED, SIZES, SOURCES, WITH, chunks
from .judging import judged
from .sources import made
from .stored import circumstances, collected, kept

Say = Callable[[str], None]


def settings(folder: Any = None) -> dict[str, dict[str, float]]:
    """For each source, the value of each point: calibrated (as made again in a folder, or else as stored), or lambda itself for Simple."""
    found: dict[str, dict[str, float]] = {"Simple": {lam: float(lam) for lam in LAMBDAS}}
    made = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("calibration*.json"))] if folder else []
    for one in (*kept("calibration"), *made):
        of = found.setdefault(one["source"], {})
        if one["n"] == SIZES[one["source"]]:
            of[AS_WRITTEN] = one["settings"]["0"]
        else:
            of |= one["settings"]
    return found


def points_of(source: str, part: str, values: Mapping[str, Mapping[str, float]]) -> dict[str, float | None]:
    """What is judged in a part: the points and their values; none where a calibration is missing."""
    if source == "Epsilon":
        return {"0": None} if part in ("table5", "readings") else {}
    wanted = PARTS[part] + ((AS_WRITTEN,) if part == "table5" and source in READ_TWICE else ())
    return {point: values[source][point] for point in wanted if point in values.get(source, {})}


def again(
    part: str,
    *,
    sources: Sequence[str] = SOURCES,
    data_sets: int | None = None,
    jobs: int = 1,
    store: Any = None,
    folder: Any,
    data_dir: Any = None,
    progress: bool = True,
    so_far: bool = False,
    say: Say = print,
) -> None:
    """Do one part of the study for some sources, and write what comes of it to a folder, a file for each.

    Parameters
    ----------
    part : {"calibration", "errors", "table5", "left_out", "readings", "power", "power2", "partitions", "mnist", "mnist_small"}
        What is done: settings that make both learners equally good (200 training sets), true error rates at them, type I errors, those of
        the three tests that the paper leaves out, those of other readings of two tests, power at lambda = 0.3, 0.6 and 1, power at the other seven,
        the 5x2 BCV McNemar test on random partitions (letter only), type I errors on the digits (at the paper's scale, which needs a GPU and
        the 60,000 training images; or reduced).
    sources : sequence of str
        Of Epsilon, EXP6, Simple and letter; letter is left out, and that is said, where its data are not at hand.
    data_sets : int, optional
        Data sets; by default 1,000, and for type I errors 20,000 of Epsilon and 4,000 of EXP6 and Simple.
    jobs, progress
        As in :func:`fstats.simulate.run`.
    store : path, optional
        A folder in which units are kept as they are done, so that the same call goes on where a run stopped.
    folder : path
        Where results are written; calibrations that lie there are used.
    data_dir : path, optional
        The folder with the data of letter.
    so_far : bool
        Whether nothing is computed, and what the store holds of rejections is written as it is: of fewer data sets, which the results say.
    say : callable
        What is called with a line of text when something is done.
    """
    known = ("calibration", "errors", *PARTS, "partitions", *DIGITS)
    if part not in known:
        raise ValueError(f"part must be one of {', '.join(known)}; got {part!r}")
    if unknown := [source for source in sources if source not in SOURCES]:
        raise ValueError(f"sources are {', '.join(SOURCES)}; got {unknown[0]!r}")
    for source in [DIGITS[part]] if part in DIGITS else sources:
        if source == "letter":
            try:
                data_folder(data_dir)
            except ValueError as error:
                say(f"letter is left out: {error}")
                continue
        work = {"calibration": _calibration, "errors": _errors, "partitions": _partitions, **dict.fromkeys(DIGITS, _digits)}.get(
            part, _rejections
        )
        doing = partial(_as_far_as_it_is, part) if so_far else partial(run, jobs=jobs, progress=progress)
        many = LEVELS.get(source, DATA_SETS) if part in ("table5", "readings") else DATA_SETS
        work(part, source, many if data_sets is None else data_sets, store, folder, data_dir, say, doing)


def _as_far_as_it_is(part: str, work: Any, units: Sequence[Any], **about: Any) -> list[Any]:  # noqa: ARG001
    """What is kept of the first units, up to the first that is not done."""
    if part not in {*PARTS, *DIGITS} or about["store"] is None:
        raise ValueError("so_far needs a store, and a part that decides: calibrations and error rates are means over all")
    if not about["store"].exists():
        return []
    lines = map(json.loads, about["store"].read_text(encoding="utf-8").splitlines())
    found = {line["unit"]: line["result"] for line in lines if "unit" in line}
    return [found[k] for k in range(next(k for k in range(len(units) + 1) if k not in found))]


class _Kept:
    """Where the units of a run are kept, and how long the run took: not known of one that was taken up again."""

    def __init__(self, store: Any, name: str) -> None:
        self.path = None if store is None else Path(store) / f"{name.replace(' ', '_')}.jsonl"
        self.fresh = self.path is None or not self.path.exists()
        self.start = perf_counter()

    def about(self, part: str, source: str) -> dict[str, Any]:
        """How the results came about."""
        seconds = round(perf_counter() - self.start) if self.fresh else None
        return circumstances(f"fstats reproduce bcv --part {part} --again", SEED, seconds, source)


def _rejections(part: str, source: str, data_sets: int, store: Any, folder: Any, data_dir: Any, say: Say, doing: Any) -> None:
    points = points_of(source, part, settings(folder))
    if not points:
        return
    tests = "17" if (source, part) == ("Epsilon", "table5") else WITH[part]  # on Epsilon nothing is trained: all at once
    name = f"rejections_{part}_{source}"
    units = [unit | {"tests": tests, "points": points} for unit in chunks(source, data_sets)]
    work, kept_in = partial(judged, data_dir=data_dir), _Kept(store, name)
    done = doing(work, units, arguments={"part": part, "source": source}, rng=SEED, store=kept_in.path)
    if not done:
        return
    found = collected(source, units[: len(done)], done, kept_in.about(part, source))
    save(folder, name, found)
    say(f"{part}, {source}: {found['data_sets']} data sets at {', '.join(points)}, {perf_counter() - kept_in.start:.0f} s")


def _calibration(part: str, source: str, data_sets: int, store: Any, folder: Any, data_dir: Any, say: Say, doing: Any) -> None:
    for n in (SIZES.get(source, 0) // 2, SIZES.get(source, 0)):
        if source not in calibrating.GRIDS or (n == SIZES.get(source) and source not in READ_TWICE):
            continue
        name, grid = f"calibration_{source}_{n}", calibrating.GRIDS[source]
        kept_in, count = _Kept(store, name), min(data_sets, calibrating.SEARCHED)
        found = calibrating.measured(source, n, grid, count, data_dir=data_dir, doing=doing, store=kept_in.path)
        about = {"about": kept_in.about(part, source), "source": source, "n": n}
        save(folder, name, about | {"settings": calibrating.solved(grid, found), **found.told(grid)})
        say(f"{part}, {source}, training sets of {n}: {perf_counter() - kept_in.start:.0f} s")


def _errors(part: str, source: str, data_sets: int, store: Any, folder: Any, data_dir: Any, say: Say, doing: Any) -> None:
    if source == "Simple":
        _errors_of_simple(part, data_sets, folder, say)
        return
    values = settings(folder).get(source, {})
    if source not in calibrating.GRIDS or not values:
        return
    n = SIZES[source] // 2
    grid = {point: value for point, value in values.items() if point != AS_WRITTEN}
    name = f"errors_{source}_{n}"
    kept_in = _Kept(store, name)
    found = calibrating.measured(source, n, list(grid.values()), data_sets, data_dir=data_dir, doing=doing, store=kept_in.path)
    about = {"about": kept_in.about(part, source), "source": source, "n": n}
    save(folder, name, about | {"points": list(grid), **found.told(list(grid.values()))})
    say(f"{part}, {source}, training sets of {n}: {perf_counter() - kept_in.start:.0f} s")


def _errors_of_simple(part: str, data_sets: int, folder: Any, say: Say) -> None:
    """By the normal law, after each training; majority errs on half of all records."""
    kept_in, n = _Kept(None, ""), SIZES["Simple"] // 2
    found = [Simple(float(lam)).true_error_rates(data_sets, rng=SEED, n=n) for lam in LAMBDAS]
    logistic = {"errors": [round(one.a, 6) for one in found], "se": [round(one.se_a, 6) for one in found]}
    about = {"about": kept_in.about(part, "Simple"), "source": "Simple", "n": n, "data_sets": data_sets, "points": list(LAMBDAS)}
    save(folder, f"errors_Simple_{n}", about | {"logistic": logistic, "majority": 0.5})
    say(f"{part}, Simple, training sets of {n}: {perf_counter() - kept_in.start:.0f} s")


def _partitions(part: str, source: str, data_sets: int, store: Any, folder: Any, data_dir: Any, say: Say, doing: Any) -> None:
    """The data sets of Table 5 on letter, once more on random partitions."""
    if source != "letter":
        return
    name, points = f"{part}_{source}", partitioning.values()
    kept_in = _Kept(store, name)
    units = [unit | {"points": points} for unit in chunks(source, data_sets)]
    work = partial(partitioning.discordant, data_dir=data_dir)
    done = doing(work, units, arguments={"part": part, "source": source}, rng=SEED, store=kept_in.path)
    counts = {plan: [one for result in done for one in result[plan]] for plan in ("blocked", "random")}
    about = {"about": kept_in.about(part, source), "source": source, "points": points, "data_sets": data_sets}
    save(folder, name, about | {plan: compact(each) for plan, each in counts.items()})
    say(f"{part}, {source}: {data_sets} data sets, {perf_counter() - kept_in.start:.0f} s")


def _digits(part: str, source: str, data_sets: int, store: Any, folder: Any, data_dir: Any, say: Say, doing: Any) -> None:
    """Type I errors of all tests, data set by data set: at most 100 of them, as in the paper."""
    kept_in = _Kept(store, f"digits_{source}")
    source_of_digits = made(source, 0.0, data_dir)
    source_of_digits.records  # noqa: B018  # before anything is trained: are the files there, and is PyTorch?
    for network in source_of_digits.learners:
        try:
            network.ready()
        except ImportError as error:
            raise ValueError(str(error)) from None
    units = [unit | {"tests": "14", "points": {"0": 0.0}} for unit in chunks(source, min(data_sets, DIGITS_SETS))]
    arguments = {"part": part, "source": repr(source_of_digits), "networks": repr(source_of_digits.learners)}
    done = doing(partial(judged, data_dir=data_dir), units, arguments=arguments, rng=SEED, store=kept_in.path)
    if done:
        found = collected(source, units[: len(done)], done, kept_in.about(part, source))
        with suppress(PackageNotFoundError):
            found["about"]["versions"]["torch"] = version("torch")
        save(folder, f"digits_{source.replace(' ', '_')}", found)
        say(f"{part}, {source}: {found['data_sets']} data sets, {perf_counter() - kept_in.start:.0f} s")
