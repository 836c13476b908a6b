"""Export a step-by-step presentation as SVG or PNG files.

The files are an animated SVG picture, or one PNG picture for each frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from ...core.mathematics_in_names import plain_name, plain_powers
from ...core.worked_example_row import Row
from ...plot.drawing.matplotlib_figure import STYLE, default_style_only, draw_picture, encode_png
from ...plot.drawing.picture_marks import BLACK, GREY, TEXT_COLORS, PictureSize
from ...plot.walkthrough.step_picture import END, StepPicture, frame_attributes
from ...render.formula_line_breaks import break_piece, formula_width
from ...render.latex import equation_parts, latex_number
from ...render.row_layout import format_value
from .walk_lines import Frame, column_entries, is_plain_setting

WIDTH, HEIGHT = 1280, 720  # width and height of a frame in pixels
# left end, top and bottom (in pixels) of the small formulas of earlier steps, which are below the large formula
LEFT, TOP, BOTTOM = 700, 215, 630
# in pixels: top of the large formula, distance between its lines, and size of its letters
LARGE_TOP, LARGE_LINE, LARGE_SIZE = 70, 62, 25
MIN_LINE, MAX_LINE = 21.0, 34.0  # minimum and maximum distance between two lines of small formulas, in pixels
LARGE_ROOM, SMALL_ROOM = 34.0, 56.0  # maximum number of letters in a line of the large formula, and in a line of a small formula
SENTENCE_LETTERS = 115  # maximum number of letters in a line of the sentence
PICTURE_WIDTH, PICTURE_HEIGHT = 640, 290  # width and height of a picture in pixels


class WalkContent(NamedTuple):
    """Frames and pictures of a walk, the number of the frame of each step, and the text for readers who do not see the picture."""

    frames: Sequence[Frame]
    pictures: Sequence[StepPicture]
    order: Mapping[str, int]
    text: str


def save_walk(walk: WalkContent, path: Any, seconds: float) -> None:
    """Write an animated picture if the path ends with ``.svg``, or a folder with a PNG picture for each frame if it has no suffix."""
    to = Path(path)
    if to.suffix == ".svg":
        to.write_text(_animated_svg(walk, seconds), encoding="utf-8")
    elif to.suffix:
        raise ValueError(f"`path` must end with .svg, or be a folder without a suffix; got {path!r}. Write `walk.save('walk.svg')`.")
    else:
        to.mkdir(parents=True, exist_ok=True)
        for number in range(len(walk.frames)):
            (to / f"step_{number:02}.png").write_bytes(_frame_png(walk, number))


class PlacedFormula(NamedTuple):
    """Formula with its place in pixels, the size of its letters, its first frame, and the frame that ends it (None for the end)."""

    formula: str
    y: float
    size: float
    first: int
    end: int | None


def _formulas(row: Row, room: float) -> list[str]:
    """Return the line of a row as formulas for matplotlib; a formula that is longer than `room` continues in the next line."""
    written = rf"\text{{{plain_powers(plain_name(format_value(row))).replace('%', chr(92) + '%')}}}"
    parts = [f"{row.symbol} = {written}"] if is_plain_setting(row) else equation_parts(row)
    if entries := column_entries(row):
        parts = [] if row.kind == "given" or not row.formula else parts[:1]
    pieces = [piece for part in parts for piece in break_piece(part)]
    if entries:
        pieces.append(rf"{row.symbol}: {entries.replace(' ', chr(92) + ' ')}")
    elif not latex_number(row) and not row.is_table and not is_plain_setting(row):
        pieces.append(written)
    lines: list[str] = []
    for piece in pieces:
        if lines and formula_width(f"{lines[-1]} {piece}") <= room:
            lines[-1] += f" \\ {piece}"
        else:
            lines.append(piece)
    return lines


def _placed_formulas(frames: Sequence[Frame]) -> Iterator[PlacedFormula]:
    """Yield the formulas of all frames; a formula is large in its own frame, and small in all later frames."""
    for number, frame in enumerate(frames):
        large = [line for row in frame.rows for line in _formulas(row, LARGE_ROOM)]
        apart = min(LARGE_LINE, (TOP - LARGE_TOP) / max(sum(map(_line_height, large)) - 1, 1))
        for line, y in _places(large, LARGE_TOP, apart):
            yield PlacedFormula(line, y, LARGE_SIZE * min(1, 0.3 + 0.7 * apart / LARGE_LINE), number, number + 1)
    small = [(number, [line for row in frame.rows for line in _formulas(row, SMALL_ROOM)]) for number, frame in enumerate(frames[:-1])]
    total = sum(_line_height(line) for _, lines in small for line in lines)
    apart = min(MAX_LINE, max(MIN_LINE, (BOTTOM - TOP - 40) / max(total, 1)))
    y, page = TOP + 40.0, list[PlacedFormula]()
    for number, lines in small:
        if page and y + apart * sum(map(_line_height, lines)) > BOTTOM:  # the next lines replace those that fill the space
            yield from (one._replace(end=number + 1) for one in page)
            y, page = TOP + 40.0, []
        page += [PlacedFormula(line, at, 0.55 * apart, number + 1, None) for line, at in _places(lines, y, apart)]
        y += apart * sum(map(_line_height, lines))
    yield from page


def _places(lines: Sequence[str], y: float, apart: float) -> Iterator[tuple[str, float]]:
    """Yield lines with their base lines; a high formula has space above and below its base line."""
    for line in lines:
        above = 0.5 * (_line_height(line) - 1) * apart
        yield line, y + above
        y += 2 * above + apart


def _line_height(formula: str) -> float:
    r"""Return the height of a formula, as a multiple of the height of a line of letters.

    >>> _line_height("p = 0.7267"), _line_height(r"\frac{1}{2}")
    (1.0, 1.8)
    """
    if re.search(r"\\frac\{[^=]*\\sum", formula):
        return 2.6
    return 1.8 if re.search(r"\\frac|\\sum|\\binom|\\int|\\prod", formula) else 1.0


def _frame_png(walk: WalkContent, number: int) -> bytes:
    """Draw one frame."""
    import matplotlib
    from matplotlib.figure import Figure

    frames, order = walk.frames, walk.order
    with matplotlib.rc_context(default_style_only(STYLE | {"font.size": 10.5})):
        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100))
        for part in walk.pictures:
            if (hidden := part.hidden_marks(number, order)) is not None:
                top = 1 - (40 + PICTURE_HEIGHT * part.slot) / HEIGHT
                high = (part.rows - 0.4) * PICTURE_HEIGHT / HEIGHT
                ax = figure.add_axes((0.07, top - high, 0.44, high))
                draw_picture(part.picture, ax, hidden=hidden)
        for one in _placed_formulas(frames):
            if one.first <= number and (one.end is None or number < one.end):
                color = TEXT_COLORS[GREY] if one.y > TOP else BLACK
                figure.text(LEFT / WIDTH, 1 - one.y / HEIGHT, f"${one.formula}$", size=0.72 * one.size, color=color)
        said = "\n".join(wrap(plain_name(frames[number].sentence), SENTENCE_LETTERS)).replace("$", r"\$")
        figure.text(0.03, 0.07, said, size=13, va="center")
        return encode_png(figure, 150)


def _animated_svg(walk: WalkContent, seconds: float) -> str:
    """Return an animated picture that shows each frame for some seconds; readers who prefer less motion see only the last frame."""
    frames, order = walk.frames, walk.order
    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for part in walk.pictures:
        drawn = part.svg(order, PictureSize(PICTURE_WIDTH, PICTURE_HEIGHT, 16, PICTURE_HEIGHT))
        times = frame_attributes(*part.frames_of(part.since, part.until, order))
        body.append(f'<g{times}><g transform="translate(24 {20 + PICTURE_HEIGHT * part.slot})">{drawn}</g></g>')
    for one in _placed_formulas(frames):
        times = frame_attributes(one.first, END if one.end is None else one.end)
        body.append(f'<g{times}><path transform="translate({LEFT} {one.y:.1f})" d="{_formula_path(one.formula, one.size)}"/></g>')
    for number, sentence in enumerate(frame.sentence for frame in frames):
        said = wrap(plain_name(sentence), SENTENCE_LETTERS)
        words = "".join(f'<text x="24" y="{HEIGHT - 60 + 24 * k}">{escape(part)}</text>' for k, part in enumerate(said))
        body.append(f'<g{frame_attributes(number, number + 1)} font-family="DejaVu Sans,Verdana,sans-serif" font-size="17">{words}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(walk.text)}" '
        f'color="#000"><style>{_animation(len(frames), seconds, "".join(body))}</style>{"".join(body)}</svg>\n'
    )


def _formula_path(formula: str, size: float) -> str:
    """Return a formula as an SVG path, because a path needs no fonts."""
    from matplotlib.textpath import TextPath

    letters = {1: "M", 2: "L", 3: "Q", 4: "C"}
    path = TextPath((0, 0), f"${formula}$", size=size)
    parts = (
        "Z" if code == 79 else letters[int(code)] + " ".join(f"{x:.1f} {-y:.1f}" for x, y in points.reshape(-1, 2))
        for points, code in path.iter_segments(simplify=False, curves=True)
    )
    return "".join(parts)


def _animation(count: int, seconds: float, body: str) -> str:
    """Return the style sheet of the animation, which shows each element from its first frame to its last frame, and then repeats."""
    rules = [f"g[data-from]{{animation:{count * seconds:g}s step-end infinite}}"]
    for first, end in sorted(set(re.findall(r'data-from="(\d+)"(?: data-until="(\d+)")?', body))):
        shares = {0.0: 0, 100 * int(first) / count: 1} | ({100 * int(end) / count: 0} if end else {})
        frames = "".join(f"{share:.4g}%{{opacity:{opacity}}}" for share, opacity in shares.items())
        until = f'[data-until="{end}"]' if end else ":not([data-until])"
        rules += [f"@keyframes f{first}-{end}{{{frames}}}", f'g[data-from="{first}"]{until}{{animation-name:f{first}-{end}}}']
    last = f'g[data-until]:not([data-until="{count}"]),g[data-from="{count}"]'
    still = f"@media (prefers-reduced-motion:reduce){{g[data-from]{{animation:none}}{last}{{opacity:0}}}}"
    return "".join([*rules, still])
