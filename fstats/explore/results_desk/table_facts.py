"""Table of results with the role of each column, and the properties on which the choice of a test depends."""

from __future__ import annotations

import re
import warnings
from functools import cached_property
from typing import Any, Self

from ...comparing.results.cell_numbers import parse_column, typed_number
from ...comparing.results.column_names import data_set_rank, is_identifier_heading, metric_to_compare, unit_of_heading
from ...comparing.results.named_columns import LINE
from ...comparing.results.reading_plan import as_list
from ...comparing.results.reading_question import ReadingQuestion
from ...comparing.results.record_columns import find_records, truth_candidates, truth_question
from ...comparing.results.record_table import KEEP, RECORD_ROLES, RecordTable
from ...comparing.results.results import Results
from ...core.mathematics_in_names import plain_name
from ...core.unit_of_analysis import DEFAULT_UNIT, replace_unit_words
from ...core.validation.name_suggestions import unknown_name_message
from ...guide.decision_questions import DecisionQuestion
from .table_reading import IGNORE, SPREAD, load_table, unfit_role

SCORE = "score"
ROLE_ARGUMENTS = {"data set": "data_set", SCORE: "scores"} | {role: role for role in ("classifier", "fold", "repetition", "seed", IGNORE)}
ROLES = (*ROLE_ARGUMENTS, SPREAD, *RECORD_ROLES)
# attributes that `with_settings` copies, because they do not depend on the settings of the test
SHARED = ("_records", "results", "_all_results", "kind", "columns", "facts", "is_exact")
# roles of columns that hold no scores
NO_SCORES = re.compile("data set|classifier|fold$|run,|repetition|seed$|metric|ignored|spread of|only ")
SETTINGS: dict[str, Any] = {"roles": {}, "reading": {}, "answers": {}, "metric": "", "test": "", "follow_up": "", "control": ""}
NUMBERS = {"alpha": 0.05, "margin": None, "rope": None}
SETTINGS |= {"alternative": "two-sided", **NUMBERS}
ERRORS = (ValueError, TypeError, ArithmeticError, LookupError, ModuleNotFoundError)  # errors that a wrong table or a wrong setting raises
RECORD_ARGUMENTS = ("missing", "spellings", "right")  # arguments of the reader that also fit test records
MIN_RECORDS = 20  # from this number of lines, a table that was read as scores may hold predictions for test records
LARGE = {"many": 10, "records": 25}  # from these numbers of data sets, or of discordant records, the size counts as "large"


class TableFacts:
    """Table with the settings of a comparison: how the table is read, and what it holds."""

    def __init__(self, source: Any, **settings: Any) -> None:
        if wrong := [name for name in settings if name not in SETTINGS]:
            raise TypeError(unknown_name_message("desk()", wrong, SETTINGS))
        self.settings = {**SETTINGS, **settings}
        self.settings |= {name: typed_number(name, value) for name in NUMBERS if isinstance(value := self.settings[name], str)}
        self.content, self.sheet = source if isinstance(source, tuple) else load_table(source)

    def with_settings(self, **settings: Any) -> Self:
        """Return a comparison of the same table with other settings; what does not depend on the settings is not computed again."""
        other = type(self)((self.content, self.sheet), **{**self.settings, **settings})
        if all(other.settings[name] == self.settings[name] for name in ("roles", "reading", "metric")):
            other.__dict__ |= {name: value for name, value in vars(self).items() if name in SHARED}
        return other

    # -- the table ---------------------------------------------------------------------------------------------------------------
    @property
    def records(self) -> RecordTable | None:
        """Columns of predictions, if each row of the table is a test record."""
        return self._records if isinstance(self._records, RecordTable) else None

    @cached_property
    def _records(self) -> RecordTable | ReadingQuestion | None:
        """Columns of predictions, or the question which column holds the true class."""
        reading = self.settings["reading"]
        if {*reading} - {*RECORD_ARGUMENTS} or ({*ROLE_ARGUMENTS} - {IGNORE}) & {*self.settings["roles"].values()}:
            return None
        try:
            return find_records(self.sheet, self.settings["roles"], **reading)
        except ReadingQuestion as question:
            return question

    def _ask_for_truth(self, error: Exception | None) -> Exception | None:
        """Return the question which column holds the true class, if the table may hold predictions; otherwise the error of the reader."""
        if error is not None and (unfit := self._role_beside_predictions()):
            return ValueError(unfit)
        if self._records or self.settings["reading"] or self.settings["roles"]:
            return error
        is_read = "results" in vars(self) and (error is None or isinstance(error, ReadingQuestion))
        columns = self.results.reading.columns if is_read else {}
        named = [head for head, column in columns.items() if column.role == "data set"]
        surely = any(columns[head].reason == "its name" and not is_identifier_heading(head) for head in named)
        if is_read and (surely or len(self.sheet.columns[0]) < MIN_RECORDS):
            return error
        if not (heads := truth_candidates(self.sheet, {})):
            return error
        if is_read:
            return truth_question(self.sheet, heads, " and ".join(f"data_set={head!r} if each line is a data set" for head in named[:1]))
        lines = {"data_set": LINE} in [answer for answer, _ in getattr(error, "answers", ())]
        parsed = [parse_column(column, self.sheet.decimal) for column in self.sheet.columns]
        texts = not any(number is not None and number % 1 for column in parsed for number in column.numbers)
        is_text = parse_column(self.sheet[heads[0]], self.sheet.decimal).is_text
        if lines or (is_text and (texts or len(heads) > 2)):
            return truth_question(self.sheet, heads, f"data_set={LINE!r} if each line is a data set" * lines)
        return error

    def _role_beside_predictions(self) -> str:
        """Return a sentence on a column of a table of predictions with a role that only scores have; empty if there is none."""
        roles = self.settings["roles"]
        unfit = {head: role for head, role in roles.items() if role in {*ROLE_ARGUMENTS} - {IGNORE}}
        try:
            records = find_records(self.sheet, roles | dict.fromkeys(unfit, IGNORE), KEEP) if unfit else None
        except ReadingQuestion:
            return ""
        if records is None:
            return ""
        head, role = next(iter(unfit.items()))
        return (
            f"The role {role!r} does not fit the column {head!r}: each line is a test record with a prediction or an answer in "
            f"{' and in '.join(map(repr, records.classifiers[:2]))}, and only scores have a {role}. Leave out the role, and keep one line "
            "for each record; or compute the score of each classifier first."
        )

    @property
    def reading(self) -> dict[str, Any]:
        """Arguments of :meth:`fstats.Results.from_csv`: the answers of the user, and the columns to which the user gave a role."""
        stated = dict(self.settings["reading"])
        for head, role in self.settings["roles"].items():
            if argument := ROLE_ARGUMENTS.get(IGNORE if role == SPREAD else role):
                stated[argument] = [*as_list(stated.get(argument)), head]
        # other columns that the reader recognizes as scores remain scores
        if "scores" in stated and "scores" not in self.settings["reading"]:
            others = TableFacts((self.content, self.sheet), roles={h: r for h, r in self.settings["roles"].items() if r != SCORE})
            read = others.results.read_as if others.reading_error is None and others.records is None else {}
            kept = [head for head, role in read.items() if not NO_SCORES.match(role) and head not in self.settings["roles"]]
            stated["scores"] = [head for head in self.sheet.heads if head in (*stated["scores"], *kept)]
        return {name: value[0] if name == "seed" and isinstance(value, list) else value for name, value in stated.items()}

    @cached_property
    def _all_results(self) -> Results:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the desk shows these warnings itself
            return Results.from_csv(self.sheet, **self.reading)

    @cached_property
    def results(self) -> Results:
        """Scores in one metric; raises the question of the reader if the table can be read in several ways."""
        if self.records is not None:
            raise ValueError(
                f"`results` needs a table of scores; got test records in {self.sheet.name}. Write `columns` for the answers or scores of "
                "each classifier, or `ranking` for their summary."
            )
        metrics = self._all_results.metrics
        stated = [self.settings["metric"], *(head.removeprefix("neg_") for head, role in self.settings["roles"].items() if role == SCORE)]
        return self._all_results[next((name for name in stated if name in metrics), metric_to_compare(metrics))]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of the table."""
        return () if self.records else self._all_results.metrics

    @cached_property
    def reading_error(self) -> Exception | None:
        """The error of the reader for this table; None if the table holds scores or predictions of several classifiers."""
        return self._ask_for_truth(self._reading_error)

    @cached_property
    def _reading_error(self) -> Exception | None:
        try:
            if question := self._records if isinstance(self._records, ReadingQuestion) else self.records and self.records.question:
                raise question
            if self.records is None:
                _ = self.results
            if len(self.classifiers) < (1 if self.records and not self.records.is_ranking else 2):
                raise ValueError(f"{self.sheet.name} must hold scores of at least two classifiers; got only {self.classifiers[0]}")
            if self.kind == "none":
                raise ValueError(
                    f"{self.sheet.name} must hold scores on several data sets or folds, or predictions; got one score of each classifier "
                    "on one data set"
                )
            if unfit := unfit_role(self):
                raise ValueError(unfit)
            if self.records is None and (question := self.results.open_question):
                raise question  # the library only notes what it assumes; the desk names no winner before the user has answered
        except ERRORS as error:
            return error
        return None

    # -- facts of the table ------------------------------------------------------------------------------------------------------
    @property
    def classifiers(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return (*self.records.names.values(),) if self.records else self.results.classifiers

    @cached_property
    def kind(self) -> str:
        """Kind of the results: "data sets", "folds", "runs", "records", "rankings", or "none" if there is a single score."""
        if self.records:
            return "rankings" if self.records.is_ranking else "records"
        if len(self.results) > 1:
            return "data sets"
        folds, seeds = len(self.results.folds[0]), len(self.results.seeds[0])
        return "folds" if folds > 1 else "runs" if seeds > 1 else "none"

    @cached_property
    def columns(self) -> dict[str, Any]:
        """Scores, answers or predictions of each classifier, on one data set."""
        if self.records:
            columns: dict[str, Any] = self.records.variables["columns"]
            return columns
        table = {"folds": self.results.fold_scores, "runs": self.results.seed_scores}.get(self.kind)
        found = self.results.scores.T if table is None else table[0]
        # runs are independent samples, so a missing run is no gap
        return dict(zip(self.classifiers, [runs[runs == runs] for runs in found] if self.kind == "runs" else found))

    @cached_property
    def discordant_count(self) -> int:
        """Number of records on which not all classifiers are right and not all are wrong."""
        return sum(0 < sum(answers) < len(answers) for answers in zip(*self.columns.values()))

    def fact_text(self, question: DecisionQuestion) -> str:
        """Return a fact in words; the size is the number in this table. Empty for folds, whose size does not follow from the table."""
        answer, kind = self.facts[question.name], self.kind
        counted, limit = (
            (len(self.results), "many") if kind == "data sets" else (self.discordant_count if kind == "records" else 0, "records")
        )
        size = f"{answer}: {counted} {'discordant ' * (kind == 'records')}{kind} ({LARGE[limit]} or more are large)" * bool(counted)
        texts = {"classifiers": f"{len(self.classifiers)}", "data_sets": f"{counted}" if kind == "data sets" else "one", "size": size}
        return texts.get(question.name) or ("" if question.name == "size" else self.counted if question.name == "results" else answer)

    @cached_property
    def unit(self) -> str:
        """Word for what each line of scores is, such as "query", by the heading of the table; "data set" if the heading does not say."""
        if self.records is None and self._reading_error is None:
            return self.results.in_setup.get("unit", DEFAULT_UNIT)
        units = [*filter(None, map(unit_of_heading, self.sheet.heads))]
        has_data_sets = any(0 <= data_set_rank(head) < 200 for head in self.sheet.heads if not unit_of_heading(head))
        return units[0] if len(units) == 1 and not has_data_sets else DEFAULT_UNIT

    def with_unit_words(self, text: str) -> str:
        """Return a text with the word of the table in the place of "data set"; names of classifiers stay unchanged."""
        # "'data set'" in quotes is the name of a role, which stays unchanged, too
        names = ["'data set'", *(map(plain_name, self.classifiers) if self.records or self._reading_error is None else [])]
        return replace_unit_words(text, DEFAULT_UNIT, self.unit, names)

    @property
    def counted(self) -> str:
        """Number of the results of each classifier, in words."""
        lengths = dict.fromkeys(len(self.results) if self.kind == "data sets" else len(column) for column in self.columns.values())
        count = " and ".join(map(str, lengths))
        words = {"folds": "splits of one data set", "runs": "runs with different seeds on one data set", "rankings": "records with scores"}
        return self.with_unit_words(f"{count} {words.get(self.kind, self.kind)}")

    @cached_property
    def facts(self) -> dict[str, str]:
        """Answers to the questions of :func:`fstats.which_test` that follow from the table."""
        count = len(self.classifiers)
        facts = {"classifiers": "one" if count == 1 else "two" if count == 2 else "many"}
        if self.kind == "data sets":
            return facts | {"data_sets": "many", "size": "large" if len(self.results) >= LARGE["many"] else "small"}
        facts |= {"data_sets": "one", "results": "scores" if self.kind == "folds" else self.kind}
        if self.kind == "folds":
            facts["size"] = "small"  # the tests for large data need other splits than folds
        elif self.kind == "records":
            facts["size"] = "large" if self.discordant_count >= LARGE["records"] else "small"
        return facts | ({"paired": "yes"} if self.kind in ("records", "rankings") else {})
