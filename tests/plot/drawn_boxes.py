"""What a picture shows, read back from its SVG and from matplotlib: the boxes of all texts, and the lines that they must not touch."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import TextPath

SLACK = 0.4  # pixels by which a text may reach into the edge of a line or of another text


class Box(NamedTuple):
    """A text with its left, upper, right and lower end (or lower and upper, in matplotlib)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class Stroke(NamedTuple):
    """A mark: its corners, half the width of its line, and whether its inside counts, too."""

    name: str
    points: Any
    half: float
    filled: bool = False


@cache
def ink(text: str, bold: bool) -> tuple[float, float, float, float, float]:
    """Ends of the drawn letters of a text of height 1 with its baseline at 0, and its width with the spaces around the letters."""
    path = TextPath((0, 0), text, size=100, prop=FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal"))
    box = path.get_extents()
    return box.x0 / 100, -box.y1 / 100, box.x1 / 100, -box.y0 / 100, max(box.x1, 1) / 100


def path_lines(d: str) -> list[Any]:
    """The polylines of an SVG path of M, L, V, H, h, v and Z."""
    lines: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for kind, numbers in re.findall(r"([MLVHhvZ])([^MLVHhvZ]*)", d):
        values = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", numbers)]
        if kind == "Z":
            lines[-1].append(lines[-1][0])
            continue
        for k in range(0, len(values), 2 if kind in "ML" else 1):
            if kind in "ML":
                x, y = values[k], values[k + 1]
            else:
                step = values[k]
                x, y = (x if kind in "Vv" else step + x * (kind == "h")), (y if kind in "Hh" else step + y * (kind == "v"))
            if kind == "M":
                lines.append([])
            lines[-1].append((x, y))
    return [np.array(line) for line in lines if len(line) > 1]


def svg_marks(svg: str) -> tuple[list[Box], list[Stroke]]:
    """Texts and strokes of an SVG of the package."""
    root = ET.fromstring(svg)
    size = float(root.attrib["font-size"])
    texts, strokes = [], []
    for element in (child for child in root if not child.tag.endswith("defs")):
        of, tag = element.attrib, element.tag.rpartition("}")[2]
        if tag == "text" and (element.text or "").strip():
            left, top, right, bottom, wide = (part * size for part in ink(element.text or "", of.get("font-weight") == "bold"))
            length = float(of.get("textLength", wide))
            shift = {"middle": -length / 2, "end": -length}.get(of.get("text-anchor", ""), 0.0)
            x0, x1 = shift + left * length / wide, shift + right * length / wide
            if "transform" in of:
                x, y = map(float, re.findall(r"-?[\d.]+", of["transform"])[:2])
                texts.append(Box(element.text or "", x + top, y - x1, x + bottom, y - x0))
            else:
                x, y = float(of["x"]), float(of["y"])
                texts.append(Box(element.text or "", x + x0, y + top, x + x1, y + bottom))
            continue
        half = float(of.get("stroke-width", 1)) / 2 * ("stroke" in of)
        hatched = "url" in of.get("fill", "")
        if tag == "path" and ("stroke" in of or hatched):
            strokes += [Stroke("hatching" if hatched else "line", line, half, hatched) for line in path_lines(of["d"])]
        elif tag == "rect":
            x, y, wide, high = (float(of[name]) for name in ("x", "y", "width", "height"))
            corners = np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)])
            strokes.append(Stroke("square", corners, half, True))
        elif tag == "circle":
            strokes.append(Stroke("point", np.array([(float(of["cx"]), float(of["cy"]))] * 2), float(of["r"])))
    return texts, strokes


def figure_marks(figure: Figure) -> tuple[list[Box], list[Stroke]]:
    """Texts and strokes of a matplotlib figure, in pixels of 1/72 inch at 72 dots per inch."""
    figure.set_dpi(72)
    figure.draw_without_rendering()
    texts, strokes = [], []
    for ax in figure.axes:
        low, high = ax.bbox.min - 1, ax.bbox.max + 1
        ticks = {id(t.label1): t.label1.get_window_extent() for axis in (ax.xaxis, ax.yaxis) for t in axis.get_major_ticks()}
        unseen = {
            key for key, box in ticks.items() if not (low[0] < (box.x0 + box.x1) / 2 < high[0] or low[1] < (box.y0 + box.y1) / 2 < high[1])
        }
        for text in ax.findobj(Text):
            box, words, bold = text.get_window_extent(), text.get_text(), text.get_fontweight() == "bold"
            if id(text) in unseen or not (text.get_visible() and words.strip() and box.width):
                continue
            if text.get_rotation() or "\n" in words or "$" in words:
                texts.append(Box(words, box.x0, box.y0, box.x1, box.y1))
                continue
            size = text.get_fontsize()  # the letters stand above the space for descenders, which the box of matplotlib always has
            base = box.y0 + ink("lp", bold)[3] * size
            texts.append(Box(words, box.x0, base - ink(words, bold)[3] * size, box.x1, base - ink(words, bold)[1] * size))
        for line in ax.lines:
            data = line.get_transform().transform(line.get_xydata())
            if line.get_marker() not in ("None", None, ""):
                strokes += [Stroke("point", np.array([point] * 2), line.get_markersize() / 2) for point in data]
            elif line.get_color() != "#ffffff":  # white is the outline of another line
                data = data[np.all((data > low - 1e-3) & (data < high + 1e-3), axis=1)] if len(data) > 9 else data
                strokes.append(Stroke("line", data, line.get_linewidth() / 2))
        for patch in ax.patches:
            if patch.get_hatch():
                strokes.append(Stroke("hatching", patch.get_path().transformed(patch.get_transform()).vertices, 0.3, True))
        for collection in ax.collections:
            hatched = bool(collection.get_hatch())
            if isinstance(collection, LineCollection) or hatched:
                for path in collection.get_paths():
                    points = collection.get_transform().transform(path.vertices)
                    strokes.append(Stroke("hatching" if hatched else "line", points, 0.3 if hatched else 1.0, hatched))
        for side, spine in ax.spines.items():
            if ax.axison and spine.get_visible():
                strokes.append(Stroke(f"axis {side}", spine.get_transform().transform(spine.get_path().vertices), 0.5))
    return texts, strokes


def touches(box: Box, stroke: Stroke) -> bool:
    """Whether a text reaches a line, or lies on a mark."""
    low = np.array([box.x0, box.y0]) - stroke.half + SLACK
    high = np.array([box.x1, box.y1]) + stroke.half - SLACK
    start, end = stroke.points[:-1], stroke.points[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (low - start) / (end - start), (high - start) / (end - start)
    flat = end == start
    inside = (start > low) & (start < high)
    enter = np.where(flat, np.where(inside, -np.inf, np.inf), np.minimum(first, last)).max(1)
    leave = np.where(flat, np.where(inside, np.inf, -np.inf), np.maximum(first, last)).min(1)
    if ((enter < leave) & (enter < 1) & (leave > 0)).any():
        return True
    return (
        stroke.filled
        and len(stroke.points) > 2
        and bool(Path(stroke.points).contains_point(((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)))
    )


def overlap(one: Box, other: Box) -> bool:
    """Whether two texts lie on each other."""
    return min(one.x1, other.x1) - max(one.x0, other.x0) > SLACK and min(one.y1, other.y1) - max(one.y0, other.y0) > SLACK


def violations(texts: list[Box], strokes: list[Stroke]) -> list[str]:
    """Every text that stands on a line, a mark or another text; only strokes whose own boxes meet that of a text are looked at closely."""
    ends = np.array([[*stroke.points.min(0) - stroke.half, *stroke.points.max(0) + stroke.half] for stroke in strokes]).reshape(-1, 4)
    found = []
    for box in texts:
        near = ((ends < [box.x1, box.y1, np.inf, np.inf]) & (ends > [-np.inf, -np.inf, box.x0, box.y0])).all(1).nonzero()[0]
        found += [f"{box.text!r} on {name}" for name in dict.fromkeys(strokes[k].name for k in near if touches(box, strokes[k]))]
    return found + [f"{one.text!r} on {other.text!r}" for one, other in combinations(texts, 2) if overlap(one, other)]
