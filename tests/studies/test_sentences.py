"""What is said of levels is what the stored studies found: each sentence is made from them and looked for where it should stand.

When a study has been computed again, the messages say which file should say what; ``python -m tests.studies.test_sentences`` writes the
worst levels in the documentation of the tests again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from inspect import getdoc, getsourcefile
from pathlib import Path
from textwrap import fill

import pytest

import fstats
from fstats.guide.rules import RULES
from fstats.procedures.resampling.every import EVERY_TEST, TABLE_5
from fstats.simulate.rates import Rate
from fstats.studies import bcv, small_samples, stress
from fstats.studies.small_samples.levels import SHARES, SIZES

ROOT = Path(__file__).parents[2]
SOURCES = ("EXP6", "Simple", "letter", "Epsilon")
EQUAL, UNEQUAL = SHARES
TAB = "    "


@cache
def words_of(file: str) -> str:
    """The text of a file on one line: of a notebook what its cells of words say, of code without the marks that break a string."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if file.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return " ".join(text.replace("\u00a0", " ").replace(r"\,\%", " %").split())


def on(source: str, test: str) -> Rate:
    """The level of a test on a source of the 5x2 BCV paper, where H0 is true for it."""
    found = bcv.table5().level(source, test)
    assert found is not None, (source, test)
    return found


def of_small(test: str, n: int, share: float) -> Rate:
    """The level of a test on small data sets."""
    return next(rate for rate in small_samples.stored().of(n, share) if rate.test == test)


def bench(test: str) -> float:
    """The worst level that the bench found."""
    return stress.stored().of(test).rate


def everywhere(test: str) -> Iterator[tuple[float, str, str]]:
    """The level of a test in each stored study: rate, where, verdict.  Of the bench the two worst places."""
    for coin in (False, True):
        worst = stress.stored().of(test, coin=coin)
        yield worst.rate, str(worst.cell), worst.verdict()
    table = bcv.table5()
    for source in SOURCES:
        if (source, test) in table.cells and (rate := table.level(source, test)):
            yield rate.rate, f"the source {source}", rate.verdict()
    if test in {one.__name__ for one in TABLE_5}:
        for n in SIZES:
            for share in SHARES:
                rate = of_small(test, n, share)
                classes = "equal" if share == EQUAL else "unequal"
                yield rate.rate, f"single features, {classes} classes, n = {n}", rate.verdict()


def worst_level(test: str) -> str:
    """The sentence in the documentation of each test on splits."""
    rate, where, verdict = max(everywhere(test))
    above = "" if verdict == "liberal" else ", which is not shown to be above 0.05"
    return f"Worst level found in the stored studies, at alpha = 0.05: {rate:.2f} ({where}){above}."


@pytest.mark.parametrize("test", [test.__name__ for test in EVERY_TEST])
def test_the_documentation_of_a_test_tells_its_worst_level(test):
    said = worst_level(test)
    assert said in " ".join((getdoc(getattr(fstats, test)) or "").split()), f"the notes of {test} should say: {said}"


def written_again(test: type, source: str) -> str:
    """The source of a test whose notes tell its worst level, and where to look."""
    start = source.index(f"class {test.__name__}(")
    paragraph = fill(f"{worst_level(test.__name__)}  See :mod:`fstats.studies.stress`.", 128, initial_indent=TAB, subsequent_indent=TAB)
    said = re.compile(r"    Worst level found in the stored studies.*?(?=\n\n)", re.DOTALL)
    return source[:start] + said.sub(lambda _: paragraph, source[start:], count=1)


@pytest.mark.parametrize("test", EVERY_TEST, ids=lambda test: test.__name__)
def test_what_is_written_again_is_there(test):
    source = Path(getsourcefile(test)).read_text(encoding="utf-8")
    assert written_again(test, source) == source


if __name__ == "__main__":
    for one in EVERY_TEST:
        path = Path(getsourcefile(one))
        path.write_text(written_again(one, path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
