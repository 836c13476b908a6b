"""Choice of a test for a table, from the properties of the table and the answers of the user."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from itertools import groupby

from ...guide.decision_questions import QUESTIONS, Rule
from ...guide.recommendation import Recommendation, public_class, which_test
from ...guide.rules import RULES
from .procedure_call import takes_table
from .table_facts import TableFacts

PRESUMED = {"aim": "difference", "paired": "yes", "normal": "no", "size": "small"}  # default answers
UNSUPPORTED = {"", "CalibratedFiveByTwoF", "UnpairedDeLong", "PairedTable"}  # tests whose inputs cannot be read from a table
UNPAIRED_WARNING = (
    "Warning: {} takes the scores of each classifier for scores on data sets of its own, but this table has all scores on the same data "
    "sets. The test ignores the pairing, and loses most of the power."
)
OTHER_TESTS = tomllib.loads((files(__package__) / "other_tests.toml").read_text(encoding="utf-8"))  # without a rule of their own
# maps a number of classifiers to the largest number of data sets for which the exact Friedman test takes less than 1 s
EXACT_ROWS = {3: 9, 4: 9, 5: 9, 6: 5, 7: 3}


class FittingTests(TableFacts):
    """Tests that fit the table of a comparison: the recommended test, the reason, and the other candidates."""

    @cached_property
    def is_exact(self) -> bool:
        """Whether Friedman's test has the exact p-value: for few data sets, if its computation is fast."""
        small = self.kind == "data sets" and len(self.results) <= EXACT_ROWS.get(len(self.classifiers), 0)
        with suppress(ValueError):  # raised if ties make the number of rank sums too large for the exact test
            return small and public_class("Friedman")(self.results, method="exact").pvalue is not None
        return False

    @property
    def is_five_by_two(self) -> bool:
        """Whether the folds are the two halves of five repetitions, one repetition after the other."""
        repetitions = [name.rpartition(", ")[0] for name in self.results.folds[0]]
        return [len([*run]) for _, run in groupby(repetitions)] == [2] * 5 == [repetitions.count(name) for name in repetitions[::2]]

    # -- the choice of a test ----------------------------------------------------------------------------------------------------
    @property
    def answers(self) -> dict[str, str]:
        """All answers: those of the user, then facts of the table, then presumed answers."""
        return PRESUMED | self.facts | dict(self.settings["answers"])

    @cached_property
    def recommendation(self) -> Recommendation:
        """The recommended test, by the answers of the user and the facts of the table."""
        found = which_test(**self.answers)
        assert isinstance(found, Recommendation)  # all questions are answered, so this is not a further question
        return found

    @property
    def open_questions(self) -> list[str]:
        """Questions of the guide that the table does not answer and on which the recommendation depends."""
        asked = {*self.recommendation.rule.when, "aim"} - ({"aim"} if self.facts["classifiers"] == "one" else set())
        return [question.name for question in QUESTIONS if question.name in asked and question.name not in self.facts]

    @property
    def compares_interval(self) -> bool:
        """Whether equivalence is shown by an interval, because the guide has no test of equivalence for these results."""
        return self.kind != "data sets" or self.answers["paired"] == "no"

    @property
    def fitting_rules(self) -> list[Rule]:
        """The rules of the guide for this table and aim, the recommended rule first."""
        facts = {name: answer for name, answer in self.facts.items() if name != "size"} | {"aim": self.answers["aim"]}
        return sorted((rule for rule in RULES if rule.fits(facts)), key=lambda rule: rule != self.recommendation.rule)

    @property
    def used_test(self) -> str:
        """Name of the test; empty if no test fits."""
        return self.test_name if self.candidates else ""

    @property
    def rule(self) -> Rule:
        """The rule of the guide for the used test; the recommended rule if the guide has no rule for the test, or if no test fits."""
        return next((rule for rule in self.fitting_rules if rule.test == self.used_test), self.recommendation.rule)

    @property
    def report_advice(self) -> str:
        """What a paper reports of the used test, by the rule of the guide, without numbers that belong to another test."""
        if self.used_test in OTHER_TESTS and not self.is_pairwise:
            return str(OTHER_TESTS[self.used_test]["report"])
        advice = self.rule.report if self.is_exact else self.rule.report.replace("the exact p,", "p,")
        return advice if self.used_test in ("", self.rule.test) else advice.replace("mid-p", "exact p")

    @property
    def is_pairwise(self) -> bool:
        """Whether a test of two classifiers compares all pairs of several classifiers."""
        return len(self.classifiers) > 2 and bool(self.candidates) and not takes_table(self.test_name)

    @property
    def design_warning(self) -> str:
        """Warning that a test for independent data is used for a table of paired data; empty otherwise."""
        unpaired = self.kind == "data sets" and self.rule.when.get("paired") == "no"
        return (UNPAIRED_WARNING if unpaired else "").format(self.rule.test)

    @cached_property
    def candidates(self) -> list[str]:
        """Names of the tests that this table allows, the recommended test first."""
        fitting = [name for rule in self.fitting_rules for name in (rule.test, *rule.second)]
        if self.kind == "folds":
            ten_by_ten = len(self.results.folds[0]) == 100 and self.results.test_train_ratio == 1 / 9
            five_by_two = ["FiveByTwoT", "CombinedFiveByTwoF"] * self.is_five_by_two
            fitting = five_by_two + ["CorrectedRepeatedKFoldT"] * ten_by_ten + ["CorrectedResampledT"]
        first = [name for name in (self.recommendation.rule.test,) if name in fitting]
        if first == ["Friedman"] and not self.is_exact:
            first = ["ImanDavenport"]  # a better approximation than the chi-squared approximation of Friedman's test
        # the other rules for equivalence recommend an interval instead of a test
        if self.answers["aim"] == "equivalence":
            fitting *= self.answers["paired"] == "yes"
            return [name for name in dict.fromkeys([*first, *fitting]) if name.startswith("Equivalence")]
        if self.records and self.records.family and self.kind == "records":
            first.insert(0, "ClusteredDifference")  # the guide recommends this test for records in families
        # for rankings, RankSum would need columns of two classes, but the columns are classifiers
        unsupported = UNSUPPORTED | ({"RankSum"} if self.kind == "rankings" else set())
        return [name for name in dict.fromkeys([*first, *fitting]) if name not in unsupported]

    @property
    def reason(self) -> str:
        """Reason for the used test."""
        used = self.used_test
        if used == "Friedman" and not self.is_exact and self.kind == "data sets":
            return "The test uses the ranks within each data set. Its p is the chi-squared approximation: the exact p takes long here."
        if self.design_warning:  # the reason of the rule would say that the data are not paired
            return self.design_warning
        return str(OTHER_TESTS[used]["why"]) if used in OTHER_TESTS else self.rule.why.replace("few records", "records")

    @property
    def reasons_against(self) -> dict[str, str]:
        """Reasons against tests for this table; reasons of a rule for another amount of data or for independent data are left out."""
        size, rule = self.answers["size"], self.rule
        of_rule = rule.avoid if rule.when.get("size", size) == size and not self.design_warning else {}
        against = {**of_rule, **self.recommendation.rule.avoid}
        return {test: reason.replace("few records", "records") for test, reason in against.items() if test not in self.candidates[:1]}

    @property
    def test_name(self) -> str:
        """Name of the test: the test that the user chose, or the recommended test."""
        if not self.candidates:
            first = "Type the margin: the largest difference that does not matter. " * (
                self.settings["margin"] is None and self.compares_interval
            )
            raise ValueError(f"no test fits: {first}{self.recommendation.why} {self.recommendation.details}".strip())
        return self.settings["test"] if self.settings["test"] in self.candidates else self.candidates[0]
