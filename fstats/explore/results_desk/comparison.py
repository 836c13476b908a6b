"""Comparison of the classifiers in a table, from the reading of the table to the test, its pictures and its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ...comparing.multiverse import Multiverse, multiverse
from ...comparing.results.reading_plan import as_list
from ...comparing.results.reading_question import ReadingQuestion
from ...guide.experiment_setup import scores_part
from ...guide.margin_sentence import margin_sentence
from ...guide.procedure_citation import names_in_words, procedure_title
from ...guide.recommendation import public_class
from ...guide.report_paragraph import Report, report
from ...guide.report_parts import estimate_part
from ...guide.report_posthoc import MAX_LISTED_PAIRS, decisions_sentence
from ...plot.charts.pair_intervals import equivalence_intervals
from ...plot.drawing.picture import Picture
from .comparison_files import ComparisonFiles
from .comparison_script import script
from .fitting_tests import FittingTests
from .procedure_call import ProcedureCall, call_procedure, pair_variables, takes_table
from .ranking_table import contingency_table, ranking_table
from .table_facts import ERRORS, SETTINGS
from .table_reading import averaging_notes, direction_note, direction_sentence
from .threats import threats_of

MAX_SHOWN_PAIRS = 6  # largest number of pairs whose pictures and steps are shown
# with more classifiers, Holm's procedure is not the default post-hoc test, because exact tests of all pairs would take long
MAX_EXACT = 20
MAX_FEW = 20  # with more data sets, tests of pairs are not checked for the ability to reject H0
UNABLE = "With so few data no outcome could have rejected H0."


class Comparison(FittingTests):
    """All that follows from a table of scores or predictions, and from the settings of a comparison.

    A comparison does not change; :meth:`with_settings` returns another one.  The parameters `roles`, `reading`, `answers`, ... are those of
    :func:`fstats.desk`.
    """

    @cached_property
    def problem(self) -> Exception | None:
        """The error of the reader, or of the test, for this table; None if there is a result."""
        if self.reading_error is None:
            try:
                _ = self.test
            except ERRORS as error:
                return error
        return self.reading_error

    @property
    def question(self) -> tuple[str, list[tuple[dict[str, Any], str]], list[str]] | None:
        """The open question of the reader: its text, the answers as arguments with their purposes, and the arguments without a value."""
        if not isinstance(self.problem, ReadingQuestion):
            has_interval = self.problem and self.reading_error is None and self.compares_interval and not self.candidates
            return (str(self.problem), [({"answers": {"aim": "difference"}}, "")], []) if has_interval and self.settings["margin"] else None
        answers = list[tuple[dict[str, Any], str]]()
        for arguments, purpose in self.problem.answers:
            answers.append((arguments, purpose))
            if len(where := arguments.get("where", {})) == 1:  # also offer the other values of the column
                ((head, first),) = where.items()
                values = list(dict.fromkeys(str(cell) for cell in self.sheet[head])) if head in self.sheet.heads else []
                answers += [({**arguments, "where": {head: value}}, purpose) for value in values[:8] if value != first]
        unique = {repr(reading): (reading, purpose) for reading, purpose in reversed(answers)}
        # leave out answers about missing scores or repeated lines that lead to another error, or to the same question
        lead = [each for each in unique.values() if not {"missing", "repeated"} & {*each[0]} or self._leads_on(each[0])]
        return str(self.problem), lead[::-1], self.problem.arguments

    def joined_reading(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the reader with those of an answer, whose columns to leave out and conditions join those given before."""
        given = dict(self.settings["reading"])
        for name, value in answer.items():
            if isinstance(value, Mapping) and isinstance(given.get(name), Mapping):
                value = {**given[name], **value}
            elif name in ("ignore", "na_values") and name in given:
                value = list(dict.fromkeys([*as_list(given[name]), *as_list(value)]))
            given[name] = value
        return given

    def _leads_on(self, answer: Mapping[str, Any]) -> bool:
        """Return whether an answer leads to a result, or to a question about something else."""
        problem = self.with_settings(reading=self.joined_reading(answer)).problem
        asked = [name for other, _ in getattr(problem, "answers", ()) for name in other]
        return problem is None or (isinstance(problem, ReadingQuestion) and not {*answer} & {*asked})

    # -- the test ----------------------------------------------------------------------------------------------------------------
    @property
    def test_call(self) -> ProcedureCall:
        """Call of the test; for all pairs of classifiers, call of the test of the first pair."""
        return call_procedure(self.test_name, self, self.classifiers[:2] if self.is_pairwise else ())

    @cached_property
    def _variables(self) -> dict[str, Any]:
        """Values of the variables of calls."""
        columns = [*self.columns.values()]
        values: dict[str, Any] = {"right": [1] * len(columns[0]), "answers": list(zip(*columns))}
        values |= {} if len(columns) > 2 else pair_variables(columns[0], columns[-1])
        return values | (self.records.variables if self.records else {"results": self.results})

    @cached_property
    def pair_tests(self) -> dict[tuple[str, str], Any]:
        """The test of each pair of classifiers, if a test of two classifiers compares all pairs."""
        return self._tests_of_pairs(self.test_name) if self.is_pairwise else {}

    def _tests_of_pairs(self, name: str) -> dict[tuple[str, str], Any]:
        variables, columns = self._variables, self.columns
        pairs = combinations(self.classifiers, 2)
        return {p: call_procedure(name, self, p).run(variables | pair_variables(columns[p[0]], columns[p[1]])) for p in pairs}

    @property
    def shown_pair_tests(self) -> dict[tuple[str, str], Any]:
        """The tests of at most six pairs, those with the smallest p-values, whose pictures and steps are shown."""
        return dict(sorted(self.pair_tests.items(), key=lambda line: float(line[1].pvalue))[:MAX_SHOWN_PAIRS])

    @cached_property
    def test(self) -> Any:
        """The computed test; for all pairs of classifiers, Holm's procedure on the p-values of the pairs."""
        if self.is_pairwise:
            return public_class("Holm").from_pvalues(self.pair_tests, alpha=self.settings["alpha"])
        return self.test_call.run(self._variables)

    @cached_property
    def follow_ups(self) -> tuple[str, ...]:
        """Names of the post-hoc tests that the guide recommends; the used one is first: the chosen one, or one that can reject."""
        names = self._advised_follow_ups
        used = names if self.settings["follow_up"] in names else [*filter(self._can_reject, names)]
        return tuple(dict.fromkeys([*used, *names]))

    @property
    def _advised_follow_ups(self) -> list[str]:
        if not self.candidates or self.is_pairwise or len(self.classifiers) < 3 or self.kind != "data sets":
            return []
        # replace Nemenyi and TukeyHSD, which always compare all pairs, if only pairs with a control are compared
        replaced = {"Nemenyi": "BonferroniDunn", "TukeyHSD": "Holm"} if self.control else {}
        then = dict.fromkeys(replaced.get(name, name) for name in self.rule.then)
        first = ({"Holm": 2} if len(self.classifiers) > MAX_EXACT else {}) | {self.settings["follow_up"]: 0}
        return sorted(then, key=lambda name: first.get(name, 1))

    @property
    def control(self) -> str:
        """The classifier with which the post-hoc test compares all others; empty if the test compares all pairs."""
        fits = self.kind == "data sets" and self.settings["control"] in self.classifiers and self.test_name != "OneWayAnova"
        return str(self.settings["control"]) if fits else ""

    @cached_property
    def follow_up_call(self) -> ProcedureCall | None:
        """Call of the post-hoc test that follows a rejected H0 of a test of several classifiers."""
        return self._follow_up_call(self.follow_ups[0]) if self.follow_ups and bool(self.test.reject) else None

    def _follow_up_call(self, name: str) -> ProcedureCall:
        control = {"control": self.control} if self.control else {}
        settings = {} if self.settings["alpha"] == SETTINGS["alpha"] else {"alpha": self.settings["alpha"]}
        if self.test_name == "OneWayAnova":
            return ProcedureCall("TukeyHSD", ("results",), {"design": "independent", **settings})
        if name != "Holm":
            return ProcedureCall(name, ("results",), control | settings)
        using = {"using": public_class("PairedT")} if self.test_name == "RepeatedAnova" else {}
        return ProcedureCall("Holm.from_test", (ProcedureCall("Pairwise", ("results",), control | using),), settings)

    @cached_property
    def follow_up(self) -> Any:
        """The post-hoc test that follows a rejected H0; None if H0 is not rejected or two classifiers are compared."""
        return self.follow_up_call.run(self._variables) if self.follow_up_call else None

    def _can_reject(self, name: str) -> bool:
        """Return whether a post-hoc test would reject some H0 if every data set ranked the classifiers in the same order."""
        if self.problem is not None or len(self.results) > MAX_FEW or self.test_name.endswith("Anova"):
            return True
        names = sorted(self.classifiers, key=lambda name: name == self.control)  # the last name gets the highest scores
        ordered = dict(zip(names, np.sort(self.results.scores, axis=1).T))
        return bool(np.any(self._follow_up_call(name).run({"results": ordered}).reject))

    @cached_property
    def inability(self) -> str:
        """Sentence about a test that no scores lead to reject H0, or about the test that replaces it; empty otherwise."""
        if self.follow_up is None:
            level = self.settings["alpha"] / max(1, len(self.pair_tests))
            tests = self.with_settings(alpha=level).pair_tests.values() if self.is_pairwise else [self.test]
            limits = [getattr(test, "critical_value", 0.0) for test in tests if not np.any(self.test.reject)]
            return UNABLE * bool(limits and all(isinstance(limit, (int, float)) and np.isinf(limit) for limit in limits))
        (used, *_), first = self.follow_ups, self._advised_follow_ups[0]
        if used == first and (self.follow_up.reject.any() or self._can_reject(used)):
            return ""
        title = "Signed-rank tests with Holm's procedure" if first == "Holm" else f"The {procedure_title(public_class(first))}"
        cannot = f"{title} cannot reject H0 for any pair of {len(self.classifiers)} classifiers on {len(self.results)} data sets"
        instead = f", so the {procedure_title(public_class(used))} compares the pairs" * (used != first)
        return f"{cannot}, whatever the scores{instead}."

    @property
    def bayesian_call(self) -> ProcedureCall | None:
        """Call of the Bayesian comparison; None without a region of practical equivalence, or if the guide names no comparison."""
        if self.settings["rope"] is None or self.kind != "data sets":
            return None
        return call_procedure("BayesianSignedRank" if len(self.classifiers) == 2 else "BradleyTerry", self, ())

    @cached_property
    def bayesian(self) -> Any:
        """The Bayesian comparison with the region of practical equivalence `rope`, or None."""
        return self.bayesian_call.run(self._variables) if self.bayesian_call else None

    @cached_property
    def tests(self) -> list[Any]:
        """The test, the post-hoc test and the Bayesian comparison, as far as they exist."""
        return [test for test in (self.test, self.follow_up, self.bayesian) if test is not None]

    # -- output ------------------------------------------------------------------------------------------------------------------
    @property
    def conclusion(self) -> str:
        """The conclusions of all tests."""
        return " ".join(self.conclusions)

    @property
    def conclusions(self) -> list[str]:
        """The conclusion of each test; many pairs of classifiers are grouped by the better classifier."""
        grouped = [len(getattr(test, "pairs", ())) > MAX_LISTED_PAIRS and test is not self.bayesian for test in self.tests]
        parts = [scores_part(self.test), *(text for text, _ in estimate_part(self.test))] if self.contingency else []
        accuracies = [text for text in parts if text.startswith(("accuracy ", "difference in accuracy "))]
        found = [decisions_sentence(test) if many else test.conclusion for test, many in zip(self.tests, grouped, strict=True)]
        found += [f"A{', '.join(accuracies)[1:]}."] * bool(accuracies) + [self.equivalence] * bool(self.equivalence)
        found += [self.inability] * bool(self.inability) + [text for text in direction_sentence(self) if "lower" in text]
        return [*map(self.with_unit_words, found)]

    @cached_property
    def equivalence(self) -> str:
        """Whether intervals lie within the margin, for results without a test of equivalence; empty without a margin."""
        if self.settings["margin"] is None or not self.compares_interval:
            return ""
        wider = self.with_settings(alpha=2 * self.settings["alpha"], margin=None, alternative="two-sided")
        name, answers = wider.test_name, self.columns if self.kind == "records" else None
        if takes_table(name):  # a test of all classifiers at once has no interval for a pair
            name = "WelchT" if self.answers["normal"] == "yes" else "RankSum"
        tests = {} if answers else wider._tests_of_pairs(name)
        return margin_sentence(tests, answers, self.settings["margin"], self.settings["alpha"])

    @property
    def unused_settings(self) -> list[str]:
        """Sentences on stated settings that this comparison does not use."""
        given, allowed = self.settings, {"test": self.candidates, "follow_up": [*self.follow_ups]}
        used = {"test": self.test_name, "follow_up": (*self.follow_ups, given["follow_up"])[0], "control": self.control}
        used["alternative"] = self.test_call.settings.get("alternative", SETTINGS["alternative"])
        return [
            f"Not used: {name.replace('_', ' ')} {given[name]}, because it does not fit {len(self.classifiers)} classifiers on "
            f"{self.counted}{'; here it may be ' * (name in allowed)}{' or '.join(allowed.get(name, ()))}."
            for name, value in used.items()
            if given[name] not in ("", value)
        ]

    @property
    def remark(self) -> str:
        """Sentences of the paragraph that the tests do not know: what was left out or assumed, and equivalence by an interval."""
        known = self.test_call.inputs == ("results",) and not self.is_pairwise
        changes = self.records.changes if self.records else () if known else (*averaging_notes(self), *self.results.reading.changes)
        return " ".join(filter(None, [*changes, *direction_sentence(self), self.equivalence, self.inability]))

    @cached_property
    def report(self) -> Report:
        """The paragraph for a paper."""
        paragraph = report(*self.tests, remark=self.remark)
        return replace(paragraph, notes=(*paragraph.notes, *self.unused_settings))

    @cached_property
    def pictures(self) -> list[Picture]:
        """The critical difference diagram or the scores of both classifiers, the null distribution, and the posterior."""
        import fstats.plot as charts

        shown: list[Any] = [self.follow_up.plot()] if self.follow_up else []
        if self.kind == "data sets" and len(self.classifiers) == 2 and hasattr(self.test, "a"):
            shown.append(charts.scores(self.test))
        tests = self.shown_pair_tests
        if tests and self.answers["aim"] == "equivalence":
            shown.append(equivalence_intervals(tests))
        else:
            titled = ((pair, test.plot()) for pair, test in tests.items())
            shown += [replace(picture, title=f"{' – '.join(pair)}: {picture.title}") for pair, picture in titled] or [self.test.plot()]
        shown += [self.bayesian.plot()] if self.bayesian else []
        return [replace(picture, title=names_in_words(picture.title)) for picture in shown]

    # attributes that functions of other files compute, whose only argument is the comparison
    ranking = cached_property(ranking_table)
    contingency = cached_property(contingency_table)
    files = cached_property(ComparisonFiles)
    threats = property(threats_of)
    direction = property(direction_note)
    code = property(script)

    def multiverse(self) -> Multiverse:
        """Return all recommended analyses of two classifiers on several data sets."""
        if self.kind != "data sets" or len(self.classifiers) != 2:
            raise ValueError("multiverse needs scores of two classifiers on several data sets; this table holds other results")
        return multiverse(self.results, alpha=self.settings["alpha"], progress=False)
