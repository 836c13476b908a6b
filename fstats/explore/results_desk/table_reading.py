"""Read a table: find its cells and the role of each column, and write the notes on what was averaged or left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ...comparing.results.cell_numbers import plain_number
from ...comparing.results.column_roles import TRACKER_PREFIX
from ...comparing.results.record_cells import PREDICTION, TRUE_CLASS
from ...comparing.results.record_table import RECORD_ROLES
from ...comparing.results.repeated_records import FAMILY
from ...comparing.results.results import Results
from ...comparing.results.tabular_data import TabularData
from ...comparing.results.tabular_input import is_dataframe, read_csv, read_dataframe
from ...comparing.results.text_tables import is_path
from ...core.mathematics_in_names import plain_name

EXAMPLES = Path(__file__).parent / "examples"
PASTED = "table.csv"  # name of a table that was pasted, not read from a file
MAX_NAMES = 12  # maximum number of classifiers whose names are listed
IGNORE, SPREAD = "ignore", "spread"


def example_names() -> list[str]:
    """Return the names of the examples."""
    return [path.stem[2:].replace("_", " ") for path in sorted(EXAMPLES.glob("*.csv"))]


def load_table(source: Any) -> tuple[bytes, TabularData]:
    """Return the content and the cells of a file, of a text of several lines, of a DataFrame, of results, or of an example."""
    if isinstance(source, Results) or is_dataframe(source):
        frame = None if isinstance(source, Results) else read_dataframe(source)
        lines = source._lines() if frame is None else [frame.heads, *zip(*frame.columns, strict=True)]
        source = "\n".join("\t".join(map(str, line)) for line in lines)
    if isinstance(source, str) and source in example_names():
        file = next(path for path in EXAMPLES.glob("*.csv") if path.stem[2:].replace("_", " ") == source)
        return file.read_bytes(), replace(read_csv(file), name=file.name[2:])
    sheet = read_csv(source)
    if not is_path(source):
        return source.encode(), replace(sheet, name=PASTED)
    return Path(source).read_bytes(), sheet


def role_of(comparison: Any, head: str) -> tuple[str, str]:
    """Return the role of a column and the reason for the role."""
    if stated := comparison.settings["roles"].get(head):
        return stated, "stated"
    if records := comparison.records:
        if records.is_counted:
            return "", "the table counts the records"
        if head in records.long[1:]:
            return ("classifier" if head == records.long[1] else PREDICTION), "its name"
        if head and head in (records.truth, records.family):  # the name of a column may be empty
            return (TRUE_CLASS if head == records.truth else FAMILY), "its name"
        return (PREDICTION, "its cells are classes or answers") if head in records.classifiers else (IGNORE, "it holds other cells")
    if comparison.reading_error is not None and "results" not in vars(comparison):
        return "", "the table is not read yet"
    columns, results = comparison._all_results.reading.columns, comparison._all_results
    if results.reading.turned:
        if {*map(str, comparison.sheet.line_names(head))} >= {*results.classifiers}:
            return "classifier", "the table was turned"
        is_read = any(head == name or head.startswith(f"{name} ") for name in results.data_sets)
        return ("data set" if is_read else IGNORE), "the table was turned"
    column = columns.get(head) or columns.get(TRACKER_PREFIX.sub("", head))
    return (column.role, column.reason) if column else ("", "")


def unfit_role(comparison: Any) -> str:
    """Return a sentence on a column whose cells do not fit the role that the user gave the column; empty if all fit."""
    for head, role in comparison.settings["roles"].items():
        if role in RECORD_ROLES and comparison.records is None:
            return f"The role {role!r} does not fit the column {head!r}: this table holds scores, and no row for each test record."
        if role in ("fold", "repetition", "seed") and head in comparison.sheet.heads:
            numbers = [plain_number(str(cell), comparison.sheet.decimal) for cell in comparison.sheet[head]]
            if broken := [number for number in numbers if number is not None and number % 1]:
                return f"The role {role!r} does not fit the column {head!r}: it holds {broken[0]:g}, and {role}s are numbered 1, 2, 3, ..."
    return ""


def averaging_notes(comparison: Any) -> list[str]:
    """Return a sentence on the folds and seeds over which each compared score is a mean; none if there is no mean."""
    seeds = len(comparison.results.seeds[0])
    other = {"folds": f"the mean of {seeds} seeds" * (seeds > 1), "runs": ""}
    averaged = other.get(comparison.kind, comparison.results.in_setup.get("each score", ""))
    return [f"Each score is {averaged}."] * bool(averaged)


def direction_sentence(comparison: Any) -> list[str]:
    """Return a sentence of a paper on the direction of the scores, if it was assumed, or if the test knows only differences."""
    if comparison.records:
        return []
    results = comparison.results
    if not results.has_known_direction:
        return [f"Higher {results.metric} was assumed to be better."]
    tests = [*comparison.pair_tests.values()] or [comparison.test]
    is_told = results.higher_is_better or hasattr(tests[0], "metric")
    return [] if is_told else [f"The metric is {results.metric} (lower is better)."]


def direction_note(comparison: Any) -> str:
    """Return whether higher or lower scores were read as better, and why; empty for test records."""
    if comparison.records:
        return ""
    results = comparison.results
    direction, _, reason = results.reading.directions[results.metric].partition(" is better: ")
    other = "lower" if direction == "higher" else "higher"
    wrong = f": if {other} is better, choose it in the menu 'Scores'"
    why = {"stated": "as you stated", "by its name": "as its name says", "by the table": "as the table says"}.get(
        reason, f"{reason}{wrong}"
    )
    return f"Read as: {direction} {results.metric} is better, {why}."


def reading_notes(comparison: Any) -> list[str]:
    """Return sentences on the reading of the scores: averages, columns that are not compared, lines that were left out, directions."""
    names = [plain_name(name) for name in comparison.classifiers]
    count = f"{len(names)} classifier{'s' * (len(names) != 1)}"
    read = f"Read: {count} ({', '.join(names[:MAX_NAMES])}{', ...' * (len(names) > MAX_NAMES)}) on {comparison.counted}."
    if comparison.records:
        family = comparison.records.family
        told = comparison.settings["roles"].get(family) or not family
        guess = (
            f"Records with the same {family!r} were read as one family, whose records depend on each other, because of its name: choose "
        )
        counted = "The cells are counts of records on which both, one or none of the classifiers are right."
        apart = guess + f"the role {IGNORE!r} for the column {family!r} if all records are independent."
        return [read, *[counted] * comparison.records.is_counted, *[apart] * (not told)]
    results, settings = comparison.results, comparison.settings
    notes = averaging_notes(comparison)
    if others := [name for name in comparison.metrics if name != results.metric]:
        also = ", ".join(f"{name} ({results.reading.directions[name].partition(':')[0]})" for name in others)
        notes.append(f"Compared by {results.metric}. The table also holds {also}: choose it in the menu 'Metric'.")
    notes += [f"The column {head!r} is a spread: it is not compared." for head, role in settings["roles"].items() if role == SPREAD]
    return [read, *notes, *results.reading.notes, *results.reading.warnings(results.metrics)]
