"""Icon and web app manifest, to install the web site on the home screen of a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

# phones may cut off the corners of the icon in this folder, so its drawing is in the middle
HERE = Path(__file__).parent / "web_app"
WriteFile = Callable[[str, str, bytes], str]  # function (name, suffix, data) that writes a file and returns its name
SIZES = (192, 512)  # sizes of icons in pixels that phones and Chromium need


def write_manifest(write: WriteFile) -> dict[str, str]:
    """Write the icons and the manifest; return the links for the head of a page, by their relation to the page."""
    names = [write("icon", "png", (HERE / f"icon{size}.png").read_bytes()) for size in SIZES]
    manifest = json.loads((HERE / "fstats.webmanifest").read_bytes())  # its addresses are relative to the folder of the manifest
    common = {"type": "image/png", "purpose": "any maskable"}
    manifest["icons"] = [{"src": name, "sizes": f"{size}x{size}", **common} for size, name in zip(SIZES, names)]
    return {
        "icon": write("icon", "svg", (HERE / "icon.svg").read_bytes()),
        "apple-touch-icon": names[0],
        "manifest": write("fstats", "webmanifest", json.dumps(manifest).encode()),
    }
