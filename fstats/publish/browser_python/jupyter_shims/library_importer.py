"""What only some lessons import of libraries, and what none does, lies in two files, each fetched by the page when it is asked for."""

from __future__ import annotations

import json
import lzma
import os
import sys
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from importlib.util import spec_from_file_location
from typing import Any

NAMES, SITE = "/site/names.json", "/site"


class LazyLibraryFinder:
    """Finds modules of these libraries, and unpacks them for the first."""

    def __init__(self) -> None:
        with open(NAMES, encoding="utf-8") as file:
            self.names = {name: part for part, names in json.load(file).items() for name in names}
        self.folders = {os.path.dirname(name): part for name, part in self.names.items()}
        self.folders |= {os.path.dirname(folder): part for folder, part in self.folders.items()}

    def find_spec(self, name: str, path: Any = None, _: Any = None) -> ModuleSpec | None:
        """What Python asks of a finder."""
        place = name.replace(".", "/")
        file = next((one for one in (f"{place}/__init__.pyc", f"{place}.pyc") if one in self.names), None)
        if file is None:
            return self._without_file(name, place, path) if place in self.folders else None
        folder = f"{SITE}/{self.names[file]}"
        if not os.path.exists(folder):
            _unpack_archive(folder)
        return spec_from_file_location(name, f"{folder}/{file}", loader=SourcelessFileLoader(name, f"{folder}/{file}"))

    def _without_file(self, name: str, place: str, path: Any) -> ModuleSpec | None:
        """A package that is a folder only, of which others may have a part; unless they have its own file."""
        others = [found for one in sys.meta_path if one is not self and (found := one.find_spec(name, path))]
        if any(one.loader for one in others):
            return None
        found = ModuleSpec(name, None, is_package=True)
        there = [folder for one in others for folder in one.submodule_search_locations or ()]
        found.submodule_search_locations = [*there, f"{SITE}/{self.folders[place]}/{place}"]
        return found


def _unpack_archive(folder: str) -> None:
    """Lay all files, data included, from the one that holds them: the length of its index, the index, and one file after the other."""
    with lzma.open(f"{folder}.xz") as whole:
        index = json.loads(whole.read(int.from_bytes(whole.read(4), "little")))
        for name, (_, length) in index.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "wb") as file:
                file.write(whole.read(length))


def install() -> None:
    """Ask here first: of some packages a part lies elsewhere."""
    sys.meta_path.insert(0, LazyLibraryFinder())
