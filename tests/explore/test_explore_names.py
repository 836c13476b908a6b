"""No words over each other in an explorer's pictures and none too small for the last row, in any room that a page gives them."""

import re
from functools import cache
from html import unescape
from itertools import combinations

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from test_explore_view import EXPLORERS, each_explorer

from fstats.plot.drawing.picture_marks import PictureSize

NARROW, LOW = 360, 200  # in explorer.js: less wide pictures are higher; lower ones have smaller words
SMALLEST = 12  # pixels at 150 %: 18 of 720
# Widths of a picture in windows from 480 to 1280 pixels, also beside a file browser; heights down to the lowest.
ROOMS = [
    PictureSize(width, round(share * width), 13 if width < 460 or most < LOW else 15, most)
    for width in (237, 250, 325, 346, 389, 403, 506, 640, 760)
    for share in (0.56, 0.7)
    for most in (140, 165, 180, 200, 260, 340)
    if width >= NARROW or most >= 180
]


@cache
def long(words: str, bold: bool) -> float:
    """How long words are in DejaVu Sans, in sizes of its letters."""
    if not words.strip():
        return 0.0
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    return float(TextPath((0, 0), words, size=100, prop=font).get_extents().x1) / 100


def boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """The words of a picture and where they are, in its own pixels: left, right, top of a capital, below the baseline."""
    found = []
    size = float(re.search(r'<svg[^>]* font-size="([\d.]+)"', svg)[1])  # type: ignore[index]
    for about, words in re.findall(r"<text([^>]*)>([^<]*)</text>", svg):
        words = unescape(words)
        told = dict(re.findall(r'([\w-]+)="([^"]*)"', about))
        wide = size * long(words, "font-weight" in told)
        if "textLength" in told:
            assert float(told["textLength"]) >= (0.5 if "transform" in told else 0.8) * wide, f"{words} is squeezed"
            wide = float(told["textLength"])
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[told.get("text-anchor", "start")]
        if "transform" in told:  # turned, from below to above
            x, y = map(float, re.findall(r"[\d.]+", told["transform"])[:2])
            found.append((words, x - 0.76 * size, x + 0.2 * size, y - wide + before, y + before))
        else:
            x, y = float(told["x"]), float(told["y"])
            found.append((words, x - before, x - before + wide, y - 0.76 * size, y + 0.1 * size))
    return found


def crowded(svg: str, room: PictureSize) -> list[str]:
    """What is wrong with the words of a picture."""
    wide, high, width = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="(\d+)"', svg).groups())  # type: ignore[union-attr]
    size = float(re.search(r'<svg[^>]* font-size="([\d.]+)"', svg)[1]) * width / wide  # type: ignore[index]
    words = boxes(svg)
    found = [f"{size:.1f} px"] if size < SMALLEST - 0.05 else []
    found += ["wider than its room"] if width > room.width + 1 else []
    found += [f"cut: {name}" for name, left, right, top, bottom in words if left < -2 or right > wide + 2 or top < -1 or bottom > high + 1]
    for (one, *a), (other, *b) in combinations(words, 2):
        if min(a[1], b[1]) > max(a[0], b[0]) + 0.5 and min(a[3], b[3]) > max(a[2], b[2]) + 0.5:
            found.append(f"{one} | {other}")
    return found


@pytest.mark.complete
@pytest.mark.parametrize("rooms", [ROOMS[::5], pytest.param(ROOMS, marks=pytest.mark.slow)], ids=["some", "all"])
@each_explorer
def test_no_words_stand_over_each_other_in_any_room(name: str, rooms: list[PictureSize]) -> None:
    """Of every width and every height in every run, each with each when everything is asked for."""
    explorer = EXPLORERS[name]()
    found = set()
    for room in rooms:
        explorer.room = room._asdict()
        found |= {
            (f"{room.width} x {room.most}", k, fault) for k, svg in enumerate(explorer.view["pictures"]) for fault in crowded(svg, room)
        }
    assert not found
