"""Read tables in CSV, Markdown, LaTeX, JSON Lines, Excel and plain text."""

from __future__ import annotations

import ast
import csv
import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Any

from ...core.validation.check import format_received_value
from ...core.validation.pandas_labels import is_seed_name
from . import column_names as names
from .document_tables import (
    FOOTNOTE,
    NumberedRows,
    fill_names,
    is_number,
    is_remark,
    isolate_markdown_table,
    join_blocks,
    latex_rows,
    pipe_cells,
    plain_latex,
    split_tuples,
    tidy_names,
    unfold_halves,
    weka_rows,
)
from .separators import count_captions, find_separator, split_cells
from .tabular_data import TabularData

SCORES_BELOW = "a line of headings with lines of scores below it"
# a line such as +---+---+ between rows has no cells
RULE = re.compile(r"[\s|+:=_-]*[-=_][\s|+:=_-]*|\\(?:hline|toprule|midrule|bottomrule|cmidrule|cline)\b.*")
DECIMAL = re.compile(r"[-+]?\d*[.,]\d+(?:[eE][-+]?\d+)?%?")
COMMENT = re.compile(r"^\s*(?:#+|%+|//+)\s*")
# keys of a JSON file that can hold the name of the model
JSON_NAMES = ("model", "model_name", "config.model", "config.model_args", "config.model_name")


def read_text_table(source: Any, what: str = SCORES_BELOW) -> TabularData:
    """Return the table of a file, of an open file, or of a text of several lines."""
    if hasattr(source, "read"):
        content = source.read()
        name = Path(str(getattr(source, "name", "text"))).name
    elif isinstance(source, str) and not is_path(source):
        name, content = "text", source
    else:
        name, content = Path(source).name, _read_content(Path(source))
        if Path(source).suffix.lower() in (".xlsx", ".xlsm"):
            return _read_excel(Path(source), what)
    notes: list[str] = []
    text = content if isinstance(content, str) else _decode(content, name, notes, what == SCORES_BELOW)
    table = parse_table(text, name, what)
    return replace(table, notes=(*notes, *table.notes))


def _read_content(file: Path) -> bytes:
    """Return the bytes of a file; a file with the suffix .gz is decompressed."""
    if str(file) == ".":
        raise ValueError("the path must name a file with a table, such as scores.csv; got an empty path")
    if file.is_dir():
        raise ValueError(f"{file} is a folder. Name one file in it, such as {file / 'scores.csv'}.")
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file} (relative names start at {Path.cwd()})")
    if file.suffix.lower() == ".gz":
        return gzip.decompress(file.read_bytes())
    return file.read_bytes()


def _decode(content: bytes, name: str, notes: list[str], lenient: bool) -> str:
    """Return the text of a file in UTF-8, UTF-16 or the Western code page of Windows."""
    kinds = names.known_names("argument_values.toml")["binary_formats"].items()
    if what := next((what for start, what in kinds if content.startswith(start.encode("latin-1"))), ""):
        raise ValueError(f"{name} must be a text file with a table; the file is {what}")
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff") or (content[1:2] == b"\0" and content[3:4] == b"\0")
    try:
        text = content.decode("utf-16" if content[:1] in b"\xff\xfe" else "utf-16-le") if wide else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not lenient:
            number = content[: error.start].count(b"\n") + 1
            raise ValueError(f"{name} must be UTF-8 text; line {number} is not. Save it as UTF-8 (in Excel: 'CSV UTF-8').") from None
        text = content.decode("cp1252", errors="replace")
        notes.append("The file is not UTF-8 and was read as Windows-1252 text: check names with accents.")
    if "\0" in text:
        raise ValueError(f"{name} must be a text file with a table; the file holds binary data. Save the table as CSV.")
    return text


def _read_excel(file: Path, what: str) -> TabularData:
    """Return the first sheet of an Excel file."""
    import pandas as pd

    try:
        book = pd.ExcelFile(file)
    except ImportError:
        raise ModuleNotFoundError(
            f"Excel files such as {file.name} need openpyxl, which is not installed. Run `pip install openpyxl`, or save the sheet as CSV.",
            name="openpyxl",
        ) from None
    except Exception as error:
        raise ValueError(f"{file.name} cannot be read as an Excel file ({error}). Save the sheet as CSV.") from None
    frame = book.parse(book.sheet_names[0], header=None, dtype=object)
    rows = [["" if pd.isna(cell) else cell for cell in row] for row in frame.to_numpy().tolist()]
    table = _build_table([(k + 1, row) for k, row in enumerate(rows)], file.name, ".", what)
    first = f"Only the first sheet {str(book.sheet_names[0])!r} of {len(book.sheet_names)} was read."
    return replace(table, notes=(*table.notes, first)) if len(book.sheet_names) > 1 else table


# -- formats of text tables ---------------------------------------------------------------------------------------------------
def parse_table(text: str, name: str, what: str = SCORES_BELOW) -> TabularData:
    """Return the table in a text, whose form is recognized."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _refuse_log(text, name, what)
    if text.lstrip()[:1] in ("{", "["):
        return _parse_json(text, name)
    if re.search(r"\\begin\{(?:tabular|longtable|tabu)", text) or len(re.findall(r"&.*\\\\", text)) > 1:
        table = _build_table(tidy_names(latex_rows(text)), name, ".", what)
        captions = re.findall(r"\\caption(?:\[[^]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}", text)
        return replace(table, title=" ".join([table.title, *map(plain_latex, captions)]).strip()) if len(captions) == 1 else table
    if weka := weka_rows(text):
        table = _build_table(weka[0], name, ".", what)
        output = "The text is output of Weka: numbers in brackets are standard deviations; its tests did not count."
        return replace(table, title=weka[1], notes=(*table.notes, output))
    text, around = isolate_markdown_table(text, name)
    stated, _, rest = text.partition("\n")
    skipped = int(re.fullmatch(r"sep=.\s*", stated) is not None)  # Excel writes "sep=;" above the headings
    lines = [(k, line) for k, line in enumerate((rest if skipped else text).split("\n"), 1 + skipped) if line.strip()]
    title = [line for _, line in takewhile(lambda line: COMMENT.match(line[1]), lines)]
    heads = _commented_heads(title, [line for _, line in lines[len(title) :]])
    if heads:
        lines[len(title) - 1] = lines[len(title) - 1][0], heads
        title.pop()
    separator = find_separator([line for _, line in lines[len(title) :]])
    rules = [(k, line) for k, line in lines[len(title) :] if not RULE.fullmatch(line.strip())]
    prose = dict(rules[: count_captions([line for _, line in rules], separator)])  # maps the number of a line to its text
    if separator == "|":
        rows: NumberedRows = [(k, pipe_cells(line)) for k, line in rules]
    elif separator == " ":
        feet = len([*takewhile(lambda line: FOOTNOTE.match(line[1].strip()), reversed(rules))])
        prose = dict(rules[len(rules) - feet :])
        rows = [*_blank_rows(rules[: len(rules) - feet]), *((k, [line]) for k, line in prose.items())]
    else:
        first = lines[len(title)][0] if len(lines) > len(title) else 1
        body = "\n".join((rest if skipped else text).split("\n")[first - 1 - skipped :])
        if heads:
            body = heads + body[len(body.partition("\n")[0]) :]
        reader = csv.reader(StringIO(body, newline=""), delimiter=separator)
        rows = [(reader.line_num + first - 1, [*map(str.strip, line)]) for line in reader if "".join(line).strip()]
        rows = [(k, row) for k, row in rows if not (k > first and row[0].startswith("#") and not any(row[1:]))]
    rows = [(k, [prose[k].strip()] if k in prose else row) for k, row in rows]
    if around or separator == "|":
        rows = tidy_names(rows)
    filled = separator != "|" and not around and fill_names(rows)
    table = _build_table(rows, name, "," if separator in ";\t" else ".", what)
    lines_above = f"{len(title)} lines of comment above the headings hold"
    comment = "A line of comment above the headings holds" if len(title) == 1 else lines_above
    notes = [around] if around else [f"{comment} no scores."] * bool(title)
    notes += [*table.notes, *["Empty cells below a name were read as this name."] * filled]
    return replace(table, title=" ".join([*(COMMENT.sub("", line) for line in title), table.title]).strip(), notes=tuple(notes))


def _refuse_log(text: str, name: str, what: str) -> None:
    """Raise an error for HTML, and for a log, whose lines hold pairs such as dataset=iris acc=0.9 with the same names on each line."""
    if re.match(r"\s*<(?:!doctype|html|table|div)\b", text, re.IGNORECASE):
        raise ValueError(
            f"{name} must have {what}; got HTML, which is not read. Copy the table from the page of a browser, or pass the DataFrame of "
            "pandas.read_html(path)[0]."
        )
    keys = [tuple(re.findall(r"([\w/.]+)=[^\s=]+", line)) for line in text.split("\n", 3)[:2]]
    if len(keys) == 2 and keys[0] == keys[1] and len(keys[0]) > 1:
        raise ValueError(
            f"{name} must have {what}; the file is a log, with pairs such as {keys[0][0]}=... on each line. Make a DataFrame of the pairs: "
            r"import re, pandas; frame = pandas.DataFrame([dict(re.findall(r'([\w/.]+)=(\S+)', line)) for line in open(path)]); then "
            "write Results.from_frame(frame)"
        )


def _commented_heads(title: Sequence[str], below: Sequence[str]) -> str:
    """Return the last comment line without its sign if it holds the headings; otherwise return an empty text.

    A line of headings has as many cells as the line below, which holds numbers.  A first cell "#" is the heading of line numbers.
    """
    if not title or not below:
        return ""
    for line in (title[-1], COMMENT.sub("", title[-1])):
        separator = find_separator([line, *below])
        heads, cells = split_cells(line, separator), split_cells(below[0], separator)
        if len(heads) == len(cells) > 1 and any(map(is_number, cells[1:])):
            return line if heads[0].strip(" #") == "" else COMMENT.sub("", title[-1])
    return ""


def _blank_rows(lines: Sequence[tuple[int, str]]) -> NumberedRows:
    """Return the rows of a table with blanks between the columns: two or more blanks if that fits every line, otherwise any number."""
    if len(lines) > 3 and not re.search(r"\S\s+\S", lines[0][1].strip()):  # such as the name of a metric
        return [(lines[0][0], [lines[0][1].strip()]), *_blank_rows(lines[1:])]
    first, index, third = [*(line.strip() for _, line in lines[:3]), "", "", ""][:3]
    is_crossed = " " not in index and len(first.split()) == len(third.split()) > 1 and not _names_first_column(first.split()[0])
    if len(lines) > 2 and (_names_first_column(index) or is_crossed):  # pandas writes the name of the index below the headings
        (number, top), *rest = _blank_rows([lines[0], *lines[2:]])
        return [(number, [f"{index} \\ {top[0]}" if is_crossed else index, *top[1:]]), *rest]
    first, second, others = [*lines[0][1].split(maxsplit=2), "", "", ""][:3] if lines else ["", "", ""]
    if others and 0 <= names.data_set_rank(f"{first} {second}") < 100:  # the heading "Data set" of a table from a PDF
        lines = [(lines[0][0], f"{first}_{second} {others}"), *lines[1:]]
    ways: list[Callable[[str], list[str]]] = [
        lambda line: re.split(r"\s{2,}", line.strip()),
        lambda line: next(csv.reader([" ".join(line.split())], delimiter=" ")),
    ]
    for split in ways:
        rows = [(k, split(line)) for k, line in lines]
        counts = {len(cells) for _, cells in rows[1:]}
        if rows and len(rows[0][1]) > 1 and len(counts) == 1:
            (number, named), *rest = rows
            missing = counts.pop() - len(named)
            # pandas writes the name of the columns, with one blank, before the name of the first column
            if missing == 1 and [cells[0] for _, cells in rest] == [*map(str, range(len(rest)))] and len(named[0].split()) == 2:
                return [(number, ["", named[0].split()[1], *named[1:]]), *rest]
            if missing == 0 or (missing == 1 and not _names_first_column(named[0])):
                return list(rows)
    heads, *below = rows
    size = len(heads[1])
    # names can contain blanks, so join their parts again
    joined = [(k, [" ".join(cells[: len(cells) - size + 1]), *cells[len(cells) - size + 1 :]]) for k, cells in below]
    return [heads, *((k, cells) if len(cells) != len(old) else (k, old) for (k, cells), (_, old) in zip(joined, below))]


def _parse_json(text: str, name: str) -> TabularData:
    """Return a table from JSON: a list of records, a record on each line, or the results of an evaluation harness."""
    values = _literals(text)
    if values is None:
        try:
            values = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise ValueError(f"{name} must hold JSON, one record on each line, or a list of records; got the error {error}") from None
    records: list[dict[str, Any]] = []
    for value in values:
        records += value if isinstance(value, list) else _harness_records(value)
    flat = [_flatten(record) for record in records if isinstance(record, dict)]
    if len(flat) < len(records) or not any(flat):
        raise ValueError(f'{name} must hold JSON records, such as {{"dataset": "iris", "model": "svm", "accuracy": 0.9}}')
    heads = list(dict.fromkeys(head for record in flat for head in record))
    notes = ("Each outer name of the JSON text was read as the name of a line.",) * (heads[:1] == [""])
    columns = [[record.get(head, "") for record in flat] for head in heads]
    return TabularData(heads, columns, name, range(1, len(flat) + 1), notes=notes)


def _literals(text: str) -> list[Any] | None:
    """Return the value that a text writes in JSON, or as a dictionary or list of Python; None for other texts."""
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError):
            return [read(text.strip())]
    return None


def _harness_records(value: Any) -> list[dict[str, Any]]:
    """Return the records of JSON data: the scores of each task under "results", the records in a mapping, or the only record."""
    if not isinstance(value, dict):
        raise ValueError(f"JSON must hold records with names; got {format_received_value(value)}")
    inner = value.get("results", value)
    if not isinstance(inner, dict):
        return inner if isinstance(inner, list) else [value]
    lists = {name: cells for name, column in inner.items() if isinstance(cells := _listed(column), list)}
    if len({*map(len, lists.values())} - {0, 1}) == 1:
        return [dict(zip(lists, line, strict=True)) for line in zip(*lists.values(), strict=True)] if len(lists) == len(inner) else [value]
    if inner and all(isinstance(scores, dict) for scores in inner.values()):
        flat = _flatten(value)
        # prefer "pretrained=", because "config.model" may be only the name of a loader, such as "hf"
        loaded = re.search(r"pretrained=([^,]+)", str(flat.get("config.model_args", "")))
        model = loaded[1] if loaded else next((flat[key] for key in JSON_NAMES if key in flat), None)
        named = {} if model is None else {"model": model}
        # outer names are tasks if the model is known or inner names are metrics; in {"svm": {"iris": 0.9}}, they stay without a heading
        task = "task" if named or any(names.is_score_heading(key) for scores in inner.values() for key in scores) else ""
        return [named | {task: name} | {k: v for k, v in scores.items() if k not in ("alias", "task")} for name, scores in inner.items()]
    return [value]


def _listed(column: Any) -> Any:
    """Return a column that a DataFrame writes as {"0": 0.8, "1": 0.9} as a list; other values unchanged."""
    return [*column.values()] if isinstance(column, dict) and [*column] == [*map(str, range(len(column)))] else column


def _flatten(record: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the nested values in one dictionary, whose keys are the paths to the values; lists are left out."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            flat[f"{prefix}{key}"] = "" if value is None else value
    return flat


# -- headings and rows -------------------------------------------------------------------------------------------------------
def _build_table(rows: NumberedRows, name: str, decimal: str, what: str) -> TabularData:
    """Build the table from its rows: separate titles above and remarks below, and check that all rows have the same length."""
    notes: list[str] = []
    usual = Counter(len(row) for _, row in rows).most_common(1)[0][0] if rows else 0
    above, remarks = list[str](), list[str]()
    while len(rows) > 2 and usual > 1 and len([cell for cell in rows[0][1] if cell != ""]) == 1 and rows[0][1][0] != "":
        above += [str(cell) for cell in rows.pop(0)[1] if cell != ""]
    if above:
        notes.append(f"Text above the headings holds no scores: {' '.join(above)!r}.")
    while len(rows) > 2 and is_remark(rows[-1][1], usual):
        number, row = rows.pop()
        remarks.insert(0, ", ".join(str(cell) for cell in row if cell != ""))
        notes.append(f"Line {number} is a remark and did not count: {remarks[0][:60]!r}.")
    if len(rows) < 2 or usual < 1:
        raise ValueError(f"the table in {name} must have {what}; got {len(rows) or 'no'} line{'s' * (len(rows) > 1)}")
    if rows[0][1][-1] in ("", None) or len(rows[1][1]) > len(rows[0][1]):  # lines may end with separators
        width = max(place for _, row in rows for place, cell in enumerate(row, 1) if cell not in ("", None))
        rows = [(number, row[:width]) for number, row in rows]
    heads, below = ["" if cell is None else str(cell).strip() for cell in rows[0][1]], rows[1:]
    heads, below = _join_two_lines_of_heads(heads, below)
    # pandas writes the name of the columns, such as "seed", above the name of the index; the other headings may be numbers
    is_numbered = all(map(str.isdecimal, heads[1:])) and (names.is_repetition_heading(heads[0]) or is_seed_name(heads[0]))
    if is_numbered and len(heads) > 2 and not any(is_number(row[0]) for _, row in below):
        heads = ["", *(f"{heads[0]} {head}" for head in heads[1:])]
    is_named = len(below) > 2 and (_names_first_column(heads[0]) or is_numbered)
    if is_named and not any(below[0][1][1:]) and _names_first_column(str(below[0][1][0])):
        heads[0], below = str(below[0][1][0]), below[1:]
    heads, below, is_unfolded = unfold_halves(heads, below)
    notes += ["Parts of the table that stand side by side were read one below the other."] * is_unfolded
    if blocks := join_blocks(above, heads, below):
        (heads, below), above = blocks, []
        notes = [f"Tables below each other were read as one, with their titles in a column {heads[1]!r}."]
    if repeated := [number for number, row in below if len(heads) > 1 and [str(cell).strip() for cell in row] == heads]:
        below = [(number, row) for number, row in below if number not in repeated]
        notes.append(f"The headings stand again in line{'s' * (len(repeated) > 1)} {', '.join(map(str, repeated))}, which did not count.")
    # R writes the names of rows without a heading
    if below and {len(row) for _, row in below} == {len(heads) + 1} and not _names_first_column(heads[0]):
        heads = ["", *heads]
    heads, below = split_tuples(heads, below)
    for number, row in below:
        if len(row) != len(heads):
            raise ValueError(
                f"each line must have as many cells as headings; line {number} of {name} has {len(row)} cells below {len(heads)} "
                f'headings ({_first(row)}). Put a cell that contains the separator in quotes ("...").'
            )
    if what == SCORES_BELOW and sum(map(bool, map(DECIMAL.fullmatch, heads))) > len(heads) / 2:
        raise ValueError(f"{name} must have a line of headings; the first line holds numbers ({_first(heads)}). Add a line with names.")
    columns = [list(column) for column in zip(*(row for _, row in below), strict=True)] or [[] for _ in heads]
    about: dict[str, Any] = {"decimal": decimal, "notes": tuple(notes), "title": " ".join([*above, *remarks])}
    return TabularData(heads, columns, name, [number for number, _ in below], **about)


def _join_two_lines_of_heads(heads: list[str], below: NumberedRows) -> tuple[list[str], NumberedRows]:
    """Join two lines of headings that pandas writes: "svm, svm" above "accuracy, f1" becomes "svm accuracy", "svm f1"."""
    repeated = len({*heads}) < len(heads)
    if not repeated or len(below) < 2 or len(below[0][1]) != len(heads):
        return heads, below
    second, third = ([str(cell).strip() for cell in row] for _, row in below[:2])
    is_numbered = heads[0] and second[0] and any(upper.isdigit() and lower.isdigit() for upper, lower in zip(second[1:], third[1:]))
    numbers = [cell for cell in second if re.fullmatch(r"[-+]?[\d.,]+%?", cell) and not cell.isdigit()]
    if is_numbered or numbers or sum(cell != "" for cell in second) < len(heads) / 2:
        return heads, below
    filled: list[str] = []
    # a spreadsheet stores the text of merged cells only in the first of these cells
    for k, head in enumerate(heads):
        filled.append(head if head or k == 0 or not filled[-1] or (k < len(second) and not second[k]) else filled[-1])
    joined = [" ".join(dict.fromkeys(filter(None, pair))) for pair in zip(filled, second)]
    rest = below[1:]
    # a row with one filled cell holds only the name of the index
    if len([cell for cell in rest[0][1] if str(cell).strip()]) == 1 and str(rest[0][1][0]).strip():
        joined[0], rest = str(rest[0][1][0]).strip(), rest[1:]
    return joined, rest


def _names_first_column(head: str) -> bool:
    """Return whether a heading is that of a column of names, so that no column without a heading stands before it."""
    return names.data_set_rank(head) >= 0 or names.classifier_rank(head) >= 0 or head.lower().endswith((" id", "_id"))


def _first(cells: Iterable[Any]) -> str:
    listed = [str(cell) for cell in cells]
    return ", ".join(listed[:3]) + ", ..." * (len(listed) > 3)


def is_path(source: Any) -> bool:
    """Return whether a source is the path of a file, and not a text of several lines or an open file."""
    return isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and source.lstrip()[:1] not in ("{", "["))
