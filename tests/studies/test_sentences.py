"""What is said of levels is what the stored studies found: each sentence is made from them and looked for where it should stand.

When a study has been computed again, the messages say which file should say what; ``python -m tests.studies.test_sentences`` writes the
worst levels in the documentation of the tests again.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from inspect import getdoc, getsourcefile
from pathlib import Path
from textwrap import fill

import pytest

import fstats
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS, TABLE_5
from fstats.simulate.rejection_rates import Rate
from fstats.studies import bcv, small_samples, stress
from fstats.studies.small_samples.small_sample_errors import SHARES, SIZES
from fstats.studies.stress.search_conditions import CELLS

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
    rate, where, verdict = max(everywhere(test))
    above = "" if verdict == "liberal" else ", which is not shown to be above 0.05"
    return f"Worst level found in the stored studies, at alpha = 0.05: {rate:.2f} ({where}){above}."


@pytest.mark.parametrize("test", [test.__name__ for test in ALL_TESTS])
def test_the_documentation_of_a_test_tells_its_worst_level(test):
    said = worst_level(test)
    assert said in " ".join((getdoc(getattr(fstats, test)) or "").split()), f"the notes of {test} should say: {said}"


def written_again(test: type, source: str) -> str:
    """The source of a test whose notes tell its worst level, and where to look."""
    start = source.index(f"class {test.__name__}(")
    paragraph = fill(worst_level(test.__name__), 128, initial_indent=TAB, subsequent_indent=TAB)
    said = re.compile(r"    Worst level found in the stored studies.*?(?=\n\n)", re.DOTALL)
    return source[:start] + said.sub(lambda _: paragraph, source[start:], count=1)


@pytest.mark.parametrize("test", ALL_TESTS, ids=lambda test: test.__name__)
def test_what_is_written_again_is_there(test):
    source = Path(getsourcefile(test)).read_text(encoding="utf-8")
    assert written_again(test, source) == source


# -- sentences -----------------------------------------------------------------------------------------------------------------
COUNTED = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LESSONS = {
    number: next(ROOT.glob(f"notebooks/{number}_*.ipynb")).relative_to(ROOT).as_posix() for number in ("06", "07", "08", "11", "12", "13")
}
RESAMPLING = "fstats/procedures/resampling"


def stable(test: str) -> list[tuple[float, str, str]]:
    """The level of a test on the sources with stable learners: all but the bench."""
    return list(everywhere(test))[2:]


def liberal_on(test: str) -> list[str]:
    """On which of them it is liberal."""
    return [where for _, where, verdict in stable(test) if verdict == "liberal"]


def percent(rate: float) -> str:
    return f"{100 * rate:.0f} %"


def worst(test: str) -> str:
    """How often, and where, a test rejects at its worst on the bench."""
    return f"{percent(bench(test))} ({stress.stored().of(test).cell})"


SENTENCES = [  # where what should be said
    (
        f"{RESAMPLING}/k_fold_t.py",
        lambda: f"no sign that the test exceeds its level (simulated: {on('Epsilon', 'KFoldT').rate:.3f}, source Epsilon)",
    ),
    (
        f"{RESAMPLING}/k_fold_t.py",
        lambda: "at alpha = 0.05 in {:.1f} % of all data sets of the source EXP6 and in {:.1f} % of the source Simple".format(
            *(100 * on(source, "KFoldT").rate for source in ("EXP6", "Simple"))
        ),
    ),
    (f"{RESAMPLING}/pseudo_bootstrap_t.py", lambda: f"a true H0 is rejected in about {percent(on('Epsilon', 'PseudoBootstrapT').rate)} of"),
    (
        f"{RESAMPLING}/pseudo_bootstrap_t.py",
        lambda: (
            f"no sign that the test exceeds its level (simulated: {on('Epsilon', 'CorrectedPseudoBootstrapT').rate:.3f} at alpha = 0.05)"
        ),
    ),
    (LESSONS["06"], lambda: f"In its worst condition ([`12`]({LESSONS['12'][10:]})) the ten-fold $t$-test rejects in {worst('KFoldT')}."),
    (
        LESSONS["06"],
        lambda: (
            "The two corrected tests are no longer shown to reject too often. (In other conditions the two corrected tests do: "
            f"at their worst in {worst('CorrectedResampledT')} and in {worst('CorrectedRepeatedKFoldT')}.)"
        ),
    ),
    (
        LESSONS["07"],
        lambda: (
            "has learners that train: at their worst all five tests reject too often, the two $F$ in "
            f"{percent(bench('CombinedFiveByTwoF'))} and {percent(bench('CalibratedFiveByTwoF'))}.)"
        ),
    ),
    (
        LESSONS["08"],
        lambda: (
            f"has a rate clearly below 0.05 on every source of the paper. On other data the 5×2 BCV McNemar's test may have a higher "
            f"rate: at its worst it rejects in "
            f"{worst('BlockedFiveByTwoMcNemar')}, as [`12`]({LESSONS['12'][10:]}) shows."
        ),
    ),
    (
        LESSONS["11"],
        lambda: (
            "In most simulations of this course the corrected t nearly keeps its level; in the worst one "
            f"it rejects in {worst('CorrectedResampledT')}."
        ),
    ),
    (
        LESSONS["13"],
        lambda: (
            "do not depend on these data sets, but they need training that is stable: at its worst the test rejects in "
            f"{worst('BlockedFiveByTwoMcNemar')} with the recommended bounds, too ([`12`]({LESSONS['12'][10:]}))."
        ),
    ),
    (LESSONS["12"], lambda: f"A stored *stress test* tried up to {len(CELLS)} conditions"),
    (
        LESSONS["12"],
        lambda: f"The verdicts in this section come from the {COUNTED[len(stable('KFoldT'))]} stored sources with stable learners",
    ),
    (
        LESSONS["12"],
        lambda: (
            f"It was liberal on one of the {COUNTED[len(stable('CorrectedRepeatedKFoldT'))]}, Simple, where its rate is "
            f"{on('Simple', 'CorrectedRepeatedKFoldT').rate:.3f}"
        ),
    ),
    (
        LESSONS["12"],
        lambda: (
            "On letter no setting makes the two learners equally good for `HoldOutMcNemar`; on letter it rejects in "
            f"{100 * bcv.table5()['letter', 'HoldOutMcNemar'].ours.rate:.1f} %"
        ),
    ),
    (
        LESSONS["12"],
        lambda: (
            "because it trains on nine tenths of the records (worst level on 50 records: "
            f"{percent(max(one.rate for one in stress.stored()._confirmed if (one.test, one.cell.n) == ('CorrectedRepeatedKFoldT', 50)))})."
        ),
    ),
    (LESSONS["12"], lambda: f"`BlockedThreeByTwoT` is liberal on Epsilon ({on('Epsilon', 'BlockedThreeByTwoT').rate:.2f})"),
]


@pytest.mark.parametrize("k", range(len(SENTENCES)))
def test_a_sentence_is_what_the_studies_found(k):
    file, sentence = SENTENCES[k]
    said = sentence()
    if said not in words_of(file):
        pytest.fail(f"{file} should say: {said}", pytrace=False)


FOUR = {"ResampledT", "CombinedFiveByTwoT", "KFoldT", "CrossValidatedZ"}


def test_which_tests_lesson_12_calls_liberal():
    """Lists of tests, as they stand there: whoever has to change one here changes it there."""
    names = [test.__name__ for test in TABLE_5]
    on_exp6, on_simple = ({test for test in names if on(source, test).verdict() == "liberal"} for source in ("EXP6", "Simple"))
    assert (on_exp6, on_simple) == (FOUR, FOUR | {"FiveByTwoT", "CorrectedRepeatedKFoldT", "CombinedFiveByTwoF"})
    assert {test for test in names if on("Epsilon", test).verdict() == "liberal"} & {"KFoldT", "CrossValidatedZ"} == set()
    assert sum(on("Simple", test).verdict() == "cannot be told" for test in names) == 2
    scattering = {"FiveByTwoT", "CombinedFiveByTwoF", "CalibratedFiveByTwoF", "BlockedThreeByTwoT"}
    small = {n: {test for test in names if of_small(test, n, EQUAL).verdict() == "liberal"} for n in SIZES}
    assert small[300] == {"ResampledT", "CombinedFiveByTwoT"}
    assert small[50] == small[300] | scattering | {"CrossValidatedZ", "CorrectedResampledT"}
    assert {test for test in scattering if "the source Simple" in liberal_on(test)} == {"FiveByTwoT", "CombinedFiveByTwoF"}
    assert all(len(liberal_on(test)) >= 3 for test in FOUR)
    assert not any(len(liberal_on(test)) >= 3 for test in set(names) - FOUR)
    assert liberal_on("CorrectedRepeatedKFoldT") == ["the source Simple"]
    assert not any(liberal_on(test) for test in ("CorrectedPseudoBootstrapT", "ConservativeZ"))
    for test in ("BlockedFiveByTwoMcNemar", "HoldOutMcNemar", "NaiveKFoldMcNemar"):
        assert {verdict for *_, verdict in stable(test)} == {"conservative"}, test
    for test in ("BlockedFiveByTwoMcNemar", "HoldOutMcNemar"):
        assert 0.001 <= of_small(test, 50, UNEQUAL).rate <= 0.003


def test_what_lessons_06_to_08_call_liberal():
    table = bcv.table5()
    for source in ("EXP6", "Simple", "letter"):
        assert (table[source, "KFoldT"].ours.verdict(), table[source, "CrossValidatedZ"].ours.verdict()) == ("liberal", "liberal")
    expected = [True, False, False]
    assert [on("letter", test).verdict() == "liberal" for test in ("KFoldT", "CorrectedResampledT", "CorrectedRepeatedKFoldT")] == expected
    for test in ("FiveByTwoT", "CombinedFiveByTwoT", "CombinedFiveByTwoF", "CalibratedFiveByTwoF", "BlockedThreeByTwoT"):
        assert max(everywhere(test))[2] == "liberal", test
    assert 0.29 < on("Epsilon", "CombinedFiveByTwoT").rate < 0.30  # as its documentation says


def ahead_until(source: str) -> float:
    """Up to which lambda the corrected test finds a difference more often than the one that is recommended."""
    power = bcv.power(source)
    pairs = zip(power.points, power["CorrectedRepeatedKFoldT"], power["BlockedFiveByTwoMcNemar"], strict=True)
    return max(float(point) for point, corrected, blocked in pairs if corrected.rate > blocked.rate)


def test_what_lesson_12_says_of_power_and_of_liberal_tests():
    said = rf"on EXP6 up to about $\lambda = {ahead_until('EXP6')}$, on Simple up to {ahead_until('Simple')}."
    assert said in words_of(LESSONS["12"]), said
    for source in ("EXP6", "Simple"):
        power = bcv.power(source)
        assert min(power.tests, key=lambda test: power[test][0].rate) in ("NaiveKFoldMcNemar", "BlockedFiveByTwoMcNemar")
        five = ("BlockedFiveByTwoMcNemar", "CorrectedRepeatedKFoldT", "CalibratedFiveByTwoF", "FiveByTwoT", "HoldOutMcNemar")
        assert power["HoldOutMcNemar"][8].rate == min(power[test][8].rate for test in five)
    assert "far too often" in fstats.ResampledT.caution
    assert {verdict for *_, verdict in stable("ResampledT")} == {"liberal"}
    assert min(stable("ResampledT"))[0] > 0.2
    for file in [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("fstats/guide/rules/*.py"), *ROOT.glob("fstats/procedures/resampling/*.py")]:
        assert not re.search(r"never (?:be )?liberal|level is held|always keeps its level", words_of(str(file.relative_to(ROOT)))), file


if __name__ == "__main__":
    for one in ALL_TESTS:
        path = Path(getsourcefile(one))
        path.write_text(written_again(one, path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
