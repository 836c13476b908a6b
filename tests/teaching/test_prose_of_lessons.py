"""Numbers in the prose of lessons: each follows from an output near by, and no false sentence goes unnoticed when the code changes.

tests/teaching/lesson_numbers.py says what is near.  A number that no output near by shows follows from a calculation in FOLLOWS, which is
evaluated with the names of the lesson, or FOLLOWS gives the reason.  When a number of yours fails: move it to its output, print it, or
name its source in the sentence; else add a line to FOLLOWS, in calculations_of_numbers.toml.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from lesson_numbers import CHANGES, FOLDER, falsified, figures, has_source, run, stored, unsupported
from test_prose import sums, value

from fstats.render.printed_numbers import rounding_tolerance
from fstats.teaching.polls import POLL

QUICK = ("01_paired_t", "01b_without_pairs", "02_wilcoxon", "04_anova", "05_friedman", "05b_post_hoc", "16_language_models")  # to run
STORED = ("11_fold_hacking", "13_block_regularized_cv")  # lessons whose numbers come from stored studies
LESSONS = sorted(path.stem for path in FOLDER.glob("[0-9]*.ipynb"))
MOVED = figures(Path(__file__).with_name("test_answers.py").read_text(encoding="utf-8").replace("_", ""))  # read from moved explorers

# lesson -> number as written -> how it follows (evaluated with the names of the lesson and of fstats), or # and the reason
FOLLOWS = tomllib.loads(Path(__file__).with_name("calculations_of_numbers.toml").read_text(encoding="utf-8"))["lessons"]


def known(name, names):
    """Give the numbers of a text that follow from FOLLOWS, with the names that the lesson's code gives, or from arithmetic in the text."""
    follow = set()
    for number, how in FOLLOWS.get(name, {}).items():
        if not how.startswith("#"):
            try:
                exact = value(how, names)
            except (NameError, ValueError, IndexError, AttributeError):
                continue  # after a change of the code
            follow |= {number} if abs(exact - float(number)) <= rounding_tolerance(number) * (1 + 1e-6) else set()
    return lambda text: follow | worked(text)


@cache
def worked(text):
    """The results of arithmetic that is written out, if they are right, with its whole numbers."""
    found = [(expression, result, value(expression)) for expression, result in sums(text)]
    assert [one for one in found if one[2] is not None and abs(one[2] - float(one[1])) > rounding_tolerance(one[1]) * (1 + 1e-6)] == []
    right = [(expression, result) for expression, result, exact in found if exact is not None]
    return {one for expression, result in right for one in (result, *filter(str.isdigit, figures(expression)))}


def excused(name, cells, lost):
    """The numbers without an output that FOLLOWS explains, that a moved explorer shows (test_answers.py), or that name their source."""
    reasons = {number for number, how in FOLLOWS.get(name, {}).items() if how.startswith("#")}
    for place, sentence, number in lost:
        moved = "answers" in cells[place]["metadata"].get("tags", ()) and POLL not in cells[place - 1]["metadata"].get("tags", ())
        if number in reasons or (moved and number in MOVED) or has_source(cells, place, sentence):
            yield place, sentence, number


def check(name):
    """Hold the prose of a lesson against what its code gives; return its cells, this run, and the excused numbers."""
    cells, _ = stored(FOLDER / f"{name}.ipynb")
    now = run(cells)
    lost = unsupported(cells, now, known(name, now.names))
    fine = set(excused(name, cells, lost))
    said = set().union(*(figures("".join(cell["source"]).replace("{,}", "")) for cell in cells if cell["cell_type"] == "markdown"))
    assert FOLLOWS.get(name, {}).keys() - said == set(), (
        f"FOLLOWS in this file lists numbers that {name} no longer says: remove them there, or write the new number with its computation"
    )
    calculated = {number for number, how in FOLLOWS.get(name, {}).items() if not how.startswith("#")}
    assert calculated - known(name, now.names)("") == set(), (
        "these numbers do not follow as FOLLOWS in this file says: correct the lesson, or the computation in FOLLOWS"
    )
    assert sorted(lost - fine) == [], (
        "(cell, sentence, number): nothing near by shows these numbers: correct them, print them in a cell, or list their computation in "
        "FOLLOWS in this file"
    )
    return cells, now, fine


def check_changes(name):
    """Change the code of a lesson in each way: the same check must notice every sentence that becomes false."""
    cells, now, fine = check(name)
    count = 0
    for change in CHANGES:
        other = run(cells, change)
        wrong = {finding[:2] for finding in falsified(cells, now, other, worked)}
        noticed = {finding[:2] for finding in unsupported(cells, other, known(name, other.names)) - fine}
        assert sorted(wrong - noticed) == [], f"{change}: these sentences are false, and nobody notices"
        count += len(wrong)
    return count


@pytest.mark.every_case
@pytest.mark.parametrize("name", LESSONS)
def test_code_takes_the_level_from_its_tests(name):
    """No text of the code says "95 % interval", and no code compares p with 0.05 or asks for the critical value of 0.05."""
    for tree in stored(FOLDER / f"{name}.ipynb")[1].sources.values():
        code = ast.unparse(tree)
        assert not re.search(r"\d % (?:confidence )?interval|<= 0\.05|\.isf\(0\.05", code), code


@pytest.mark.every_case
@pytest.mark.parametrize("name", QUICK)
def test_no_false_sentence_goes_unnoticed(name):
    assert check_changes(name) > 0


@pytest.mark.complete
@pytest.mark.parametrize("name", [name for name in LESSONS if name not in QUICK])
def test_no_false_sentence_of_longer_lessons_goes_unnoticed(name):
    """Where all numbers come from stored studies, no change of the code makes a sentence false."""
    assert check_changes(name) > 0 or name in STORED
