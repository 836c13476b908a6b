"""Numbers in the prose of lessons: each follows from an output near by, and no false sentence goes unnoticed when the code changes.

tests/teaching/lesson_numbers.py says what is near.  A number that no output near by shows follows from a calculation in FOLLOWS, which is
evaluated with the names of the lesson, or FOLLOWS gives the reason.  When a number of yours fails: move it to its output, print it, or
name its source in the sentence; else add a line to FOLLOWS.
"""

import ast
import re
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

EXAMPLE = "PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])"
UP_BY = "[83, 79, 91, 88, 76, 85, 90, 81, 78, {}], [81, 78, 89, 87, 74, 84, 88, 80, 76, 83]"

# lesson -> number as written -> how it follows (evaluated with the names of the lesson and of fstats), or # and the reason
FOLLOWS = {
    "14_bayesian_comparison": {
        "0.014": "# a position of the slider, and a wrong answer",
        "0.51": "CorrectedRepeatedKFoldT.from_scores(neighbours).pvalue",
        "0.709": "# with weight 0, read from the explorer; test_answers.py holds it",
        "0.291": "# the same",
        "0.10": "# the same with weight 1",
        "0.66": "# the same with weight 10",
        "0.047": "# the same",
        "0.953": "# the same",
        "0.626": "# the same",
        "150": "# tables of a simulation of ours",
        "40": "# data sets of that simulation",
        "50": "# an example",
        "45": "10 * 9 / 2",
        "0.024": "# a position of the slider",
        "0.023": "# a position of the slider",
        "0.959": "stats.t.cdf((0.024 + 0.009853) / 0.008073, 99) - stats.t.cdf((-0.024 + 0.009853) / 0.008073, 99)",
        "0.947": "stats.t.cdf((0.023 + 0.009853) / 0.008073, 99) - stats.t.cdf((-0.023 + 0.009853) / 0.008073, 99)",
        "0.73": "stats.t.cdf((-0.005 + 0.009853) / 0.008073, 99)",
        "0.11": "stats.t.sf(0.009853 / 0.008073, 99)",
        "0.955": "stats.t.cdf((0.009853 + 0.014 - 0.01) / 0.008073, 99)",
        "0.0239": "0.009853 + 0.014",
        "0.0139": "0.0239 - 0.01",
        "1.7": "0.0139 / 0.008073",
        "0.47": "# with rho = 0, read from the explorer: the interval is that of a hundred independent differences",
        "0.53": "# with rho = 0, read from the explorer: the interval is that of a hundred independent differences",
    },
    "15_unstable_learners": {
        "19": "20 * 0.95",
        "20": "# folds of an example",
        "40": "# data sets of the explorer",
        "39": "# a position of the slider",
        "0.0475": "# the lowest level of the blocked t-test without straying; test_answers.py holds it",
        "0.035": "# a level of McNemar's test in the explorer; test_answers.py holds it",
        "12800": "# records at the end of the slider",
        "0.14": "# the interval of the scatter of data set 39 of the explorer; test_answers.py holds it",
        "0.37": "# the scatter of data set 39 of the explorer; test_answers.py holds it",
        "0.695": "# a level in the explorer, 8 points and 12,800 records; test_answers.py holds it",
        "0.0275": "# the lowest level without straying; test_answers.py holds it",
        "0.0525": "# the highest level without straying; test_answers.py holds it",
        "0.065": "# the same of the blocked t-test; test_answers.py holds it",
    },
    "16_language_models": {
        "40": "# benchmarks in the explorer; test_answers.py holds it",
        "37": "# benchmarks with one verdict; test_answers.py holds it",
        "5.5": "100 * (sum(a) - sum(b)) / len(a)",
        "400": "len(a)",
        "80": "len(set(text))",
        "198": "# the smallest number among the benchmarks; test_answers.py holds it",
        "369": "# the largest",
        "20": "# a position of the slider",
        "3.2": "# a standard error in the explorer; test_answers.py holds it",
        "53": "# a rate in the explorer; test_answers.py holds it",
        "28": "# the same",
        "70.5": "100 * 0.705",
        "0.73": "# the true accuracy of A in the law of the data; test_explore_two_models.py holds it",
        "0.8": "# a Monte Carlo standard error in points; test_answers.py holds it",
        "2411.00640": "# an address",
        "2107.03374": "# an address",
    },
    "09_which_test": {
        "25": "# the rule of which_test",
        "40": "# data sets of the explorer",
        "9.1": "# by how much tuning on 50 test records flatters; test_answers.py holds it",
        "3.3": "# the same of 400 records; test_answers.py holds it",
    },
    "01_paired_t": {
        "15": "len(a + more_a)",
        "1.6": "test.se",
        "0.58": "PairedT(a + more_a, b + more_b).se",
        "2.145": "PairedT(a + more_a, b + more_b).critical_value",
        "1.4": "PairedT(a + more_a, b + more_b).mean",
        "0.031": "PairedT(a + more_a, b + more_b).pvalue",
        "0.0155": "PairedT(a + more_a, b + more_b, alternative='less').pvalue",
    },
    "01b_without_pairs": {
        "252": "comb(10, 5)",
        "0.14": "TwoSampleT(a, b).statistic",
        "86": "OneSampleT(a, 75).ci.high",
        "71.81": "OneSampleT([85, 70, 79, 78, 83], 75).ci.low",
        "86.19": "OneSampleT([85, 70, 79, 78, 83], 75).ci.high",
        "0.32": "TwoSampleT([97, 70, 79, 78, 83], [87, 68, 85, 75, 83]).statistic",
        "12.5": "RankSum([97, 70, 79, 78, 83], [87, 68, 85, 75, 83]).statistic",
    },
    "02_wilcoxon": {
        "32": "2 ** 5",
        "1.5": "test.ranks[0]",
        "3.578": f"{EXAMPLE}.sd",
        "0.375": f"{EXAMPLE}.statistic",
        "3.2": f"{EXAMPLE}.sd * sqrt(4 / 5)",
        "0.419": f"{EXAMPLE}.statistic / sqrt(4 / 5)",
        "0.017": "2 * SignedRank.from_sample_size(25).null.at_most(75)",
        "0.82": "PairedT([87, 68, 85, 75, 83, 89], [85, 70, 79, 78, 83, 85]).statistic",
        "1.10": "PairedT([87, 68, 85, 75, 83, 100], [85, 70, 79, 78, 83, 85]).statistic",
        "0.137": "# p of the explorer with twelve data sets, zeros dropped; test_answers.py holds it",
        "0.143": "# the same, by the two other rules",
        "0.028": f"PairedT({UP_BY.format(94)}).pvalue",
        "0.077": f"PairedT({UP_BY.format(100)}).pvalue",
        "0.082": f"SignedRank({UP_BY.format(79)}).pvalue",
    },
    "03_contingency_table": {
        "240": "len(y)",
        "84": "100 * 252 / 300",
        "79": "100 * 237 / 300",
        "236": "252 - pairs.n10[0]",
        "204": "252 - pairs.n10[1]",
        "47": "48 - pairs.n01[0]",
        "15": "48 - pairs.n01[1]",
        "17": "pairs.n01[0] + pairs.n10[0]",
        "81": "pairs.n01[1] + pairs.n10[1]",
        "0.065": "McNemarExact(2, 9).pvalue",
        "0.033": "McNemarExact(2, 9, alternative='greater').pvalue",
        "25": "# the usual rule for the curve",
        "0.005": "sqrt(0.5 * 0.5 / 10_000)",
        "0.016": "sqrt(0.5 * 0.5 / 1000)",
        "0.039": "McNemarMidP(2, 9).pvalue",
        "0.035": "McNemar(2, 9, correction=False).pvalue",
        "0.070": "McNemar(2, 9).pvalue",
    },
    "04_anova": {
        "67": "100 * false_alarm[-1]",
        "1.6": "# the end of the slider",
        "42": "# the one-way F with the data sets at one point; test_answers.py holds it",
        "0.67": "false_alarm[-1]",
        "0.18": "# the one-way F with the data sets at 1.6 times their distances; test_answers.py holds it",
        "0.088": "# p of the explorer at a bonus of -4",
    },
    "05_friedman": {
        "0.9": "test.tie_correction",
        "0.763": "auc.iloc[0, 0]",
        "0.798": "max(auc.iloc[0])",
        "14": "len(auc)",
        "12": "# in the formula of Friedman",
        "0.26": "test.effect_size",
        "0.797": "# a score that might have been",
        "0.03": "# an example",
        "0.42": "# p of the explorer with six data sets",
        "0.021": "# p of the explorer with two classifiers: 2 (1 - Phi(sqrt(16 / 3)))",
    },
    "05b_post_hoc": {
        "0.44": "Nemenyi.from_steps(n=14, k=2, alpha=0.1).cd",
        "0.78": "Nemenyi.from_steps(n=14, k=3, alpha=0.1).cd",
        "1.143": "test.mean_ranks[0] - test.mean_ranks[1]",
        "1.214": "test.mean_ranks[0] - test.mean_ranks[3]",
        "0.8": "# a power that one wants",
        "32": "# the power of Holm's procedure in the explorer; test_answers.py holds it",
        "1.71": "Nemenyi.from_steps(n=6, k=4, alpha=0.1).cd",
        "1.331": "Nemenyi.from_steps(n=14, k=5).q_alpha * sqrt(4 * 5 / (6 * 14))",
    },
    "06_cross_validation_is_not_independent": {
        "569": "len(y)",
        "400": "# data sets that the explorer draws",
        "60": "# records that the explorer draws",
        "30": "# a position of the slider",
        "32": "# a rate of the explorer; test_answers.py holds it",
        "1500": "# the stress test; test_sentences.py holds it",
        "0.090": "# printed in Table 5 for MNIST, whose networks are not trained again",
    },
    "08_bcv_mcnemar": {
        "20": "# in the fraction 20/11",
        "0.000001": "together.pvalue",
        "0.042": "# p of the explorer; test_answers.py holds it",
        "0.045": "# p of the explorer one step further",
        "6.67": "20 / 3",
    },
    "13_block_regularized_cv": {
        "300": "# records of a draw in the stored study",
        "150": "300 / 2",
        "75": "300 / 4",
        "26": "# data sets of the stored study",
        "3.27": "# what ten tables are worth in the explorer: letter, mean and neighbours",
        "1.63": "# the same for the majority and the SVM",
        "0.18": "# rho2 of the explorer: splice, tree and neighbours",
    },
    "12_type_one_error_and_power": {
        "14": "0.07 * 200",
        "25": "50 / 2",
        "10000": "# the stress test; test_sentences.py holds it",
        "1.5": "100 * sqrt(0.05 * 0.95 / 200)",
        "7.3": "# HoldOutMcNemar on letter; test_sentences.py holds it",
    },
    "10_contingency_simulation": {
        "668": "1000 * exact_power(500, 0.05)",
        "67": "100 * exact_power(500, 0.05)",
        "0.016": "sqrt(0.5 * 0.5 / 1000)",
        "0.18": "exact_power(500, 0.05, classes=2)",
        "1500": "3 * 500",
        "120": "# records in the stored study",
        "60": "# rounded from the table",
        "140": "# rounded from the table",
        "35": "# rounded from the table",
        "0.053": "# a rate of the table of two open questions",
        "0.005": "# its standard error",
        "2.2": "0.110 / 0.05",  # decision stump, K = 10, L = 1, one-sided
        "3.3": "0.167 / 0.05",  # the same, two-sided
        "2.4": "0.118 / 0.05",  # the same with L = 30, corrected
    },
    "00_start_here": {
        "178": "len(x)",
    },
    "07_five_by_two": {
        "4.91": "100 * abs(d).max()",
    },
    "11_fold_hacking": {
        "150": "len(x)",
        "2.776": "stats.t.isf(0.05 / 2, 4)",
        "54": "18 * 3",
        "213": "# a seed of the question",
        "9872": "10_000 * (1 - 0.0128)",
        "10000": "# seeds of the stored study",
        "0.954": "# a mean of the stored study",
        "41": "# the tables above",
        "45": "# the tables above",
        "47": "# the tables above",
        "18": "# the stress test; test_sentences.py holds it",
        "50": "# the stress test; test_sentences.py holds it",
    },
}


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
