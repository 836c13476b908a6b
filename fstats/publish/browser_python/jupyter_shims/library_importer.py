"""Import hook that loads rarely used modules on demand.

One archive contains the modules that only some lessons import, another the modules that no lesson imports, another those for Excel files.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from typing import Any

NAMES, SITE = "/site/names.json", "/site"
ENDS = ("/__init__.pyc", ".pyc", "/__init__.py", ".py")


class LazyLibraryFinder:
    """Finder of the modules in the archives; an archive is unpacked at the first import from it."""

    def __init__(self) -> None:
        with open(NAMES, encoding="utf-8") as file:
            self.names = {name: part for part, names in json.load(file).items() for name in names}
        self.folders = {os.path.dirname(name): part for name, part in self.names.items()}
        self.folders |= {os.path.dirname(folder): part for folder, part in self.folders.items()}

    def find_spec(self, name: str, path: Any = None, _: Any = None) -> ModuleSpec | None:
        """Return the spec of a module, as Python requires of a finder; return None for an unknown module."""
        place = name.replace(".", "/")
        file = next((path for path in (f"{place}{end}" for end in ENDS) if path in self.names), None)
        if file is None:
            return self._namespace_package(name, place, path) if place in self.folders else None
        folder = f"{SITE}/{self.names[file]}"
        if not os.path.exists(folder):
            _unpack_archive(folder)
        return spec_from_file_location(name, f"{folder}/{file}")

    def _namespace_package(self, name: str, place: str, path: Any) -> ModuleSpec | None:
        """Return the spec of a package without __init__, in one or more folders; return None if another finder has an __init__."""
        others = [spec for finder in sys.meta_path if finder is not self and (spec := finder.find_spec(name, path))]
        if any(spec.loader for spec in others):
            return None
        package = ModuleSpec(name, None, is_package=True)
        folders = [folder for spec in others for folder in spec.submodule_search_locations or ()]
        package.submodule_search_locations = [*folders, f"{SITE}/{self.folders[place]}/{place}"]
        return package


def _unpack_archive(folder: str) -> None:
    """Unpack an archive, which contains the length of its index, its index, and the contents of all files in the order of the index."""
    with lzma.open(f"{folder}.xz") as archive:
        index = json.loads(archive.read(int.from_bytes(archive.read(4), "little")))
        for name, (_, length) in index.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "wb") as file:
                file.write(archive.read(length))


def install() -> None:
    """Put the finder before all other finders, because some packages have parts in different places."""
    sys.meta_path.insert(0, LazyLibraryFinder())
