"""The numbers that the worked example of an explorer shows, and those of a test, as they should be shown."""

import re
from html import unescape

import numpy as np

from fstats.render import row_layout

LEVELS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


def shown_in(explorer):
    """Each number that the worked example shows, by the step it belongs to."""
    return {name: unescape(text) for name, text in re.findall(r'data-step="([\w\[\],]+)">(?:<strong>)?([^<]*)<', explorer.view["work"])}


def numbers_of(*tests):
    """Every number of these tests, as it should be shown; of two steps of the same name the first counts."""
    shown = {}
    for test in tests:
        for row in test.worked():
            if row.kind == "conclusion" or row.is_names or (row.kind == "setting" and row.formula):
                continue
            if row.is_table:  # over four indices: a line for each pair of the first two
                lines = np.reshape(row.value, (-1, 4)) if len(row.over) == 4 else row.value
                cells = {f"{row.name}[{i},{j}]": row_layout.format_cell(row, x) for i, line in enumerate(lines) for j, x in enumerate(line)}
            elif row.is_column and row.name != "ci":
                cells = {f"{row.name}[{k}]": row_layout.format_cell(row, x) for k, x in enumerate(row.value)}
            else:
                cells = {row.name: row_layout.format_value(row)}
            shown = cells | shown
    return shown
