"""Icon and web app manifest, to install the web site on the home screen of a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

# folder of the icon, which keeps its drawing in the middle, because phones may cut off the corners
HERE = Path(__file__).parent / "web_app"
WriteFile = Callable[[str, str, bytes], str]  # (name, suffix, data) -> name of the written file
SIZES = (192, 512)  # icon sizes in pixels that phones and Chromium request


def write_manifest(write: WriteFile) -> dict[str, str]:
    """Write the icons and the manifest; return the links for the head of a page, by their relation to the page."""
    names = [write("icon", "png", (HERE / f"icon{size}.png").read_bytes()) for size in SIZES]
    manifest = json.loads((HERE / "fstats.webmanifest").read_bytes())  # addresses in the manifest are relative to its folder
    common = {"type": "image/png", "purpose": "any maskable"}
    manifest["icons"] = [{"src": name, "sizes": f"{size}x{size}", **common} for size, name in zip(SIZES, names)]
    return {
        "icon": write("icon", "svg", (HERE / "icon.svg").read_bytes()),
        "apple-touch-icon": names[0],
        "manifest": write("fstats", "webmanifest", json.dumps(manifest).encode()),
    }
