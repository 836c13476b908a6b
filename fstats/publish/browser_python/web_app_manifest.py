"""Icon and web app manifest, with which a live site can be put on the home screen of a phone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np

from ...plot.drawing.picture_marks import BLUE, ORANGE, WHITE

WriteFile = Callable[[str, str, bytes], str]  # function of name, suffix and data; returns the name of the written file
SIZES = (192, 512)  # sizes of icons in pixels that phones and Chromium request


def write_manifest(write: WriteFile) -> dict[str, str]:
    """Write the icons and the manifest; return the links for the head of a page, by their relation to the page."""
    icons = {f"{size}x{size}": write("icon", "png", draw_icon("png", size)) for size in SIZES}
    manifest = {
        "name": "fstats: comparing classifiers, step by step",
        "short_name": "fstats",
        "start_url": "../index.html",  # address relative to the folder of the manifest
        "scope": "../",
        "display": "standalone",
        "theme_color": BLUE,
        "background_color": WHITE,
        "icons": [{"src": name, "sizes": size, "type": "image/png", "purpose": "any maskable"} for size, name in icons.items()],
    }
    return {
        "icon": write("icon", "svg", draw_icon("svg", SIZES[0])),
        "apple-touch-icon": icons[f"{SIZES[0]}x{SIZES[0]}"],
        "manifest": write("fstats", "webmanifest", json.dumps(manifest).encode()),
    }


def draw_icon(medium: str, pixels: int) -> bytes:
    """Draw a null distribution with its tails in the middle of a square icon, because a phone may cut off the corners."""
    import matplotlib
    from matplotlib.figure import Figure

    x = np.linspace(-3, 3, 121)
    density = np.exp(-(x**2) / 2)
    figure = Figure(figsize=(1, 1))
    axes = figure.add_axes((0.15, 0.22, 0.7, 0.56))
    axes.axis("off")
    axes.fill_between(x, density, color=WHITE, linewidth=0)
    axes.fill_between(x, density, where=abs(x) >= 1.3, color=ORANGE, linewidth=0)
    axes.axhline(0, color=WHITE, linewidth=3)
    data = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "fstats"}):
        figure.savefig(data, format=medium, dpi=pixels, facecolor=BLUE, metadata={"Date": None} if medium == "svg" else None)
    return data.getvalue()
