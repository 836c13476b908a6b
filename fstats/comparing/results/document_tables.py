"""Find tables in Markdown and LaTeX documents, and in Weka output."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from . import column_names as names
from .cell_numbers import parse_cell

NumberedRows = list[tuple[int, list[Any]]]  # number of the line, and cells, of each row
SIGNS = {"", "±", "+-", "+/-", "\\pm", "$\\pm$", "↑", "↓"}  # signs that may fill a column without a heading
MARKDOWN_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")  # line of dashes below the headings of a Markdown table
FOOTNOTE = re.compile(r"[*†‡§¶]+\s|(?:notes?|n\.?b\.?|remarks?|legend|sources?|anmerkung|nota|remarque)\s*[:.]", re.IGNORECASE)
WEKA_HEADINGS = re.compile(r"^[^\S\n]*Dataset[^\S\n]+\(\d+\).*\n[^\S\n]*-{9,}[^\S\n]*\n", re.MULTILINE)
# Markdown's signs for bold text, code, highlighted text and links
NAME_MARKS = re.compile(r"\*\*|`|==|(?<!!)\[(?=[^]]*\]\([^)]*\))|\]\([^)]*\)")


def is_number(cell: Any) -> bool:
    """Return whether a cell holds a number."""
    number = parse_cell(str(cell)).number
    return number is not None and number == number


def is_remark(row: list[Any], usual: int) -> bool:
    """Return whether the last row of a table is text, such as a footnote, and holds no scores."""
    first, *others = [str(cell).strip() for cell in row if cell not in ("", None)] or [""]
    if FOOTNOTE.match(first) or (len(row) == 1 and usual > 2):
        return not others or any(parse_cell(cell).number is None for cell in others)
    return len(row) != usual > 2 and " " in first and bool(others) and not any(map(is_number, others))


def fill_names(rows: NumberedRows) -> bool:
    """Fill empty first cells with the name above, if another column distinguishes the rows of this name; return whether one was filled.

    A row that holds nothing but this name, as the title of a section, is left out.
    """
    heads, below, filled = [str(cell) for cell in rows[0][1]] if rows else [], rows[1:], False
    if not any(row[:1] == [""] for _, row in below):
        return False
    texts = next((k for k in range(len(heads)) if any(is_number(cell) for _, row in below for cell in row[k : k + 1])), 0)
    named = next((k for k, head in enumerate(heads) if k and names.is_metric_heading(head)), texts - 1)
    named = max(named, int(any(map(names.is_repetition_heading, heads[1:2]))))
    above: list[Any] = []
    for _, row in below if named > 0 else ():
        if row[:1] == [""] and above and row[named : named + 1] not in ([""], []):
            row[:named] = [cell if cell != "" else old for cell, old in zip(row[:named], above)]
            filled = True
        above = row[:named]
    pairs = zip(below, [row for _, row in below[1:]])
    titles = [line for line, row in pairs if filled and not any(line[1][1:]) and row[:1] == line[1][:1] != [""]]
    rows[1:] = [line for line in below if line not in titles]
    return filled


def tidy_names(rows: NumberedRows) -> NumberedRows:
    """Return the rows of a table in Markdown or LaTeX with filled names.

    A row without a name and without numbers is a remark, and is left out.
    """
    heads, below = [str(cell) for cell in rows[0][1]] if rows else [], rows[1:]
    metric = next((k for k, head in enumerate(heads) if names.is_metric_heading(head)), 0)
    below = [line for line in below if line[1] != rows[0][1]]  # headings may be repeated at the top of each page
    below = [line for line in below if line is below[0] or line[1][0] or any(map(is_number, line[1])) or not any(line[1])]
    fill_names(table := [*rows[:1], *below])
    below = table[1:]
    # leave out rows with the metric "alias", which hold only a second name of a task
    below = [(k, row) for k, row in below if not (metric and row[metric : metric + 1] == ["alias"])]
    signs = {k for k, head in enumerate(heads) if not head and k and {*(cell for _, row in below for cell in row[k : k + 1])} <= SIGNS}
    return [(k, [cell for place, cell in enumerate(row) if place not in signs]) for k, row in (*rows[:1], *below)]


def unfold_halves(heads: list[str], below: NumberedRows) -> tuple[list[str], NumberedRows, bool]:
    """Return headings and rows of a table with parts side by side, one below the other, and whether there are parts with equal headings."""
    starts = [k for k, head in enumerate(heads) if head == heads[0]] if heads and heads[0] else []
    ends = [*starts[1:], len(heads)]
    halves = [[head for head in heads[start:end] if head] for start, end in zip(starts, ends)]
    if len(halves) < 2 or len(halves[0]) < 2 or any(half != halves[0] for half in halves):
        return heads, below, False
    parts = ((number, row[start : start + len(halves[0])]) for start in starts for number, row in below)
    rows = [(number, part) for number, part in parts if part[:1] not in ([], [""])]
    named = [str(part[0]) for _, part in rows]
    is_one = len({*named}) == len(named) and not any(map(is_number, named))
    return (halves[0], rows, True) if is_one else (heads, below, False)


def join_blocks(above: Sequence[str], heads: list[str], below: NumberedRows) -> tuple[list[str], NumberedRows] | None:
    """Return headings and rows of tables below each other as one table, with a column for the title above each; None for other tables."""
    places = [k for k, (_, row) in enumerate(below) if [str(cell).strip() for cell in row] == heads]
    titles = [str(below[k - 1][1][0]).strip() for k in places if k and not any(below[k - 1][1][1:])]
    if not above or not places or len(titles) < len(places) or len({above[-1], *titles}) <= len(titles):
        return None
    kinds: dict[str, Callable[[str], Any]] = {
        "metric": names.is_score_heading,
        "seed": names.SEED_HEADING.fullmatch,
        "fold": names.FOLD_HEADING.fullmatch,
    }
    column = next((kind for kind, is_kind in kinds.items() if all(map(is_kind, [above[-1], *titles]))), "table")
    rows = []
    for title, first, end in zip([above[-1], *titles], [0, *(k + 1 for k in places)], [*(k - 1 for k in places), len(below)]):
        rows += [(number, [*row[:1], title, *row[1:]]) for number, row in below[first:end]]
    return [heads[0], column, *heads[1:]], rows


def split_tuples(heads: list[str], below: NumberedRows) -> tuple[list[str], NumberedRows]:
    """Split a first column of tuples that pandas writes, such as "('iris', 1)", into the columns "index 1" and "index 2"."""
    cells = [str(row[0]) for _, row in below if row]
    if not cells or not all(re.fullmatch(r"\((?:'[^']*'|[\w.+-]+)(?:, (?:'[^']*'|[\w.+-]+))+\)", cell) for cell in cells):
        return heads, below
    parts = [[part.strip("'") for part in re.findall(r"'[^']*'|[\w.+-]+", cell)] for cell in cells]
    if len({len(part) for part in parts}) > 1:
        return heads, below
    levels = [f"index {k + 1}" for k in range(len(parts[0]))]
    return [*levels, *heads[1:]], [(k, [*part, *row[1:]]) for part, (k, row) in zip(parts, below, strict=True)]


def pipe_cells(line: str) -> list[str]:
    """Return the cells of a line of Markdown, or of a table drawn with vertical lines; names are returned without marks.

    >>> pipe_cells("| **svm** | `a`/b | **0.9** |")
    ['svm', 'a/b', '**0.9**']
    """
    inner = re.sub(r"(?<!\\)\|$", "", line.strip().removeprefix("|"))
    cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
    return [NAME_MARKS.sub("", cell) if parse_cell(cell).number is None else cell for cell in cells]


def isolate_markdown_table(text: str, name: str) -> tuple[str, str]:
    """Return a text in which only the table of scores (and the title above the table) is left, and a note on what was left out.

    All lines keep their numbers.  A text without the rule of a Markdown table is returned unchanged.
    """
    lines = text.split("\n")
    blocks = _markdown_blocks(lines)
    if not blocks:
        return text, ""
    scored = [block for block in blocks if _has_scores(lines, block)]
    if len(scored) > 1:
        places = "; ".join(f"lines {start + 1} to {end} ({_title(lines, start) or lines[start].strip()})" for start, end in scored[:6])
        start, end = scored[0]
        raise ValueError(
            f"{name} must hold one table of numbers; got {len(scored)} tables: {places}{'; ...' * (len(scored) > 6)}. Read one of them: "
            f'lines = open(path, encoding="utf-8").read().splitlines(); Results.from_csv("\\n".join(lines[{start}:{end}]))'
        )
    start, end = (scored or blocks)[0]
    above = next((k for k in range(start - 1, -1, -1) if lines[k].strip()), start)
    kept = {*range(start, end), *([above] if _title(lines, start) else [])}
    others = sum(bool(line.strip()) for k, line in enumerate(lines) if k not in kept)
    note = f"Only the table in lines {start + 1} to {end} was read; {others} other line{'s' * (others > 1)} of the text did not count."
    lines[above] = f"# {title}" if (title := _title(lines, start)) else lines[above]
    return "\n".join(line if k in kept else "" for k, line in enumerate(lines)), note * (others > 0)


def _markdown_blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index of the first line, and the index after the last line, of each Markdown table."""
    rules = [k for k, line in enumerate(lines) if k and "|" in line and "|" in lines[k - 1] and MARKDOWN_RULE.fullmatch(line)]
    return [(k - 1, next((j for j in range(k + 1, len(lines)) if "|" not in lines[j]), len(lines))) for k in rules]


def _has_scores(lines: Sequence[str], block: tuple[int, int]) -> bool:
    """Return whether a table has at least two lines, and a column of numbers after its first column."""
    start, end = block
    rows = [pipe_cells(line)[1:] for line in lines[start + 2 : end]]
    return len(rows) > 1 and any(sum(parse_cell(cell).number is not None for cell in column) > len(rows) / 2 for column in zip(*rows))


def _title(lines: Sequence[str], start: int) -> str:
    """Return the text directly above a table, if it is the heading of a section, a caption (bold or numbered), or the only text above."""
    above = [line.strip() for line in lines[:start] if line.strip()]
    caption = re.compile(r"#|\*\*|Tab(?:le|leau|elle|la|ela|ella|\.)\s*(?:\d|[IVX]+\b)", re.IGNORECASE)
    is_title = len(above) == 1 or any(map(caption.match, above[-1:]))
    return above[-1].lstrip("# ").replace("**", "") if is_title else ""


def latex_rows(text: str) -> NumberedRows:
    """Return the rows of the first table of a LaTeX text; a cell over several columns is repeated in each of these columns."""
    if begin := re.search(r"\\begin\{(tabular\*?|tabularx|longtable|tabu)\}", text):
        end = text.find(rf"\end{{{begin[1]}}}", begin.end())
        start = begin.start()
        text = "\n" * text[:start].count("\n") + text[start : end if end > 0 else None]
        text = re.sub(r"\\begin\{[a-z*]+\}(?:\[[^]]*\]|\{(?:[^{}]|\{[^{}]*\})*\})*", "", text, count=1)
    rows: NumberedRows = []
    number = 1
    for part in re.split(r"\\\\(?:\[[^]]*\])?|\\tabularnewline", re.sub(r"(?<!\\)%.*", "", text)):
        begin_line = number + len(part) - len(part.lstrip()) and number + part[: len(part) - len(part.lstrip())].count("\n")
        number += part.count("\n")
        bare = re.sub(
            r"\\(?:hline|toprule|midrule|bottomrule|centering|small|scriptsize|end(?:first|last)?(?:head|foot))\b(?:\[[^]]*\])?|\\c?(?:mid)?(?:rule|line)(?:\([^)]*\))?\{[^}]*\}",
            "",
            part,
        )
        cells: list[Any] = []
        for cell in re.split(r"(?<!\\)&", bare):
            span = re.match(r"\s*\\multicolumn\{(\d+)\}\{[^}]*\}\{(.*)\}\s*$", cell, re.DOTALL)
            cells += [(span[2] if span else re.sub(r"\\multirow\{[^}]*\}\{[^}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", cell)).strip()] * (
                int(span[1]) if span else 1
            )
        cells = [plain_latex(cell) for cell in cells]
        if any(cells) and len(cells) > 1:
            rows.append((begin_line, cells))
    return rows


def plain_latex(cell: str) -> str:
    """Return a cell without font commands and with plain signs; formulas are not changed."""
    while (inner := re.sub(r"\\(?:textbf|textit|textsc|textrm|texttt|emph|underline|mbox|text)\s*\{([^{}]*)\}", r"\1", cell)) != cell:
        cell = inner
    cell = re.sub(r"\$?\\(?:(up)|down)arrow\$?", lambda arrow: "↑" if arrow[1] else "↓", cell)
    cell = re.sub(r"\\(?:diag|backslash)box(?:\[[^]]*\])?\{([^{}]*)\}\{([^{}]*)\}", r"\1 \\ \2", cell)
    return re.sub(r"\\([_&%#])", r"\1", cell).replace("~", " ").strip()


def weka_rows(text: str) -> tuple[list[tuple[int, list[str]]], str] | None:
    """Return the rows of a table of the Experimenter of Weka, with numbers of lines, and the name of the metric; None for other texts."""
    if (begin := WEKA_HEADINGS.search(text)) is None:
        return None
    # maps the number of a classifier to its name; the text lists both below "Key:"
    schemes = dict(re.findall(r"^[^\S\n]*\((\d+)\) (\S+)", text[begin.end() :], re.MULTILINE))
    heads = [
        f"({number}) {schemes.get(number) or cut.partition(chr(39))[0].strip()}"
        for number, cut in re.findall(r"\((\d+)\) ?([^(|\n]*)", begin[0])
    ]
    number = text[: begin.end()].count("\n")
    rows: list[tuple[int, list[str]]] = [(number - 1, ["Dataset", *heads])]
    for line in text[begin.end() :].split("\n"):
        number += 1
        if not (row := re.match(r"\s*(\S.*?)\s*\(\d+\)\s+(-?\d.*)", line)):
            break
        cells = re.findall(r"(-?\d+(?:\.\d+)?)(?:\(\s*([\d.]+)\))?", row[2])
        rows.append((number, [row[1].strip("'"), *(f"{mean} ± {spread}" if spread else mean for mean, spread in cells)]))
    analysed = re.search(r"Analysing:\s*(\S+)", text)
    return rows, analysed[1] if analysed else ""
