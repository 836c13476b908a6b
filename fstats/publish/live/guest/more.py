"""Libraries that only some lessons import lie in a file of their own, which the page fetches when one of them is asked for."""

from __future__ import annotations

import json
import lzma
import os
import sys
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from importlib.util import spec_from_file_location
from typing import Any

NAMES, PACKED, FOLDER = "/site/more.json", "/site/more.xz", "/site/more"


class Finder:
    """Finds modules of these libraries, and unpacks them for the first."""

    def __init__(self) -> None:
        with open(NAMES, encoding="utf-8") as file:
            self.names = set(json.load(file))
        self.folders = {os.path.dirname(name) for name in self.names}
        self.folders |= {os.path.dirname(one) for one in self.folders}

    def find_spec(self, name: str, path: Any = None, _: Any = None) -> ModuleSpec | None:
        """What Python asks of a finder."""
        place = name.replace(".", "/")
        file = next((one for one in (f"{place}/__init__.pyc", f"{place}.pyc") if one in self.names), None)
        if file is None:
            if place not in self.folders or self._begins_elsewhere(name, path):
                return None
            found = ModuleSpec(name, None, is_package=True)  # a package without a file of its own
            found.submodule_search_locations = [f"{FOLDER}/{place}"]
            return found
        if not os.path.exists(FOLDER):
            _unpack()
        return spec_from_file_location(name, f"{FOLDER}/{file}", loader=SourcelessFileLoader(name, f"{FOLDER}/{file}"))

    def _begins_elsewhere(self, name: str, path: Any) -> bool:
        """Whether others know a package with a file of its own, of which only a part lies here."""
        others = (one.find_spec(name, path) for one in sys.meta_path if one is not self)
        return any(found and found.loader for found in others)


def _unpack() -> None:
    """Lay all files, data included, from the one that holds them: the length of its index, the index, and one file after the other."""
    with lzma.open(PACKED) as whole:
        index = json.loads(whole.read(int.from_bytes(whole.read(4), "little")))
        for name, (_, length) in index.items():
            os.makedirs(os.path.dirname(f"{FOLDER}/{name}"), exist_ok=True)
            with open(f"{FOLDER}/{name}", "wb") as file:
                file.write(whole.read(length))


def install() -> None:
    """Ask here first: of some packages a part lies elsewhere."""
    sys.meta_path.insert(0, Finder())
