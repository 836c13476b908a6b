"""Libraries that only some lessons import lie in an archive of their own, which the page fetches when it is read for the first time."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from importlib.machinery import ModuleSpec
from typing import Any
from zipimport import zipimporter

ARCHIVE, NAMES = "/site/more.zip", "/site/more.json"


class Finder:
    """Finds modules in the archive, and does not read it for any other."""

    def __init__(self) -> None:
        with open(NAMES, encoding="utf-8") as file:
            self.names = set(json.load(file))
        self.folders = {os.path.dirname(name) for name in self.names}
        self.folders |= {os.path.dirname(one) for one in self.folders}
        self.laid = False

    def find_spec(self, name: str, path: Any = None, _: Any = None) -> ModuleSpec | None:
        """What Python asks of a finder."""
        place = name.replace(".", "/")
        if not self.names & {f"{place}.pyc", f"{place}/__init__.pyc"}:
            if place not in self.folders or self._begins_elsewhere(name, path):
                return None
            found = ModuleSpec(name, None, is_package=True)  # a package without a file of its own
            found.submodule_search_locations = [f"{ARCHIVE}/{place}"]
            return found
        if not self.laid:
            self.laid = True
            _lay_data()
        inside = zipimporter(ARCHIVE)
        inside.prefix = "".join(f"{part}/" for part in name.split(".")[:-1])  # not by a path: beside data that is laid it is a folder
        return inside.find_spec(name)

    def _begins_elsewhere(self, name: str, path: Any) -> bool:
        """Whether others know a package with a file of its own, of which only a part lies here."""
        others = (one.find_spec(name, path) for one in sys.meta_path if one is not self)
        return any(found and found.loader for found in others)


def _lay_data() -> None:
    """Libraries look for their data in folders beside their files, also where these lie in an archive."""
    with zipfile.ZipFile(ARCHIVE) as whole:
        for name in whole.namelist():
            if not name.endswith(".pyc"):
                os.makedirs(os.path.dirname(f"{ARCHIVE}/{name}"), exist_ok=True)
                with open(f"{ARCHIVE}/{name}", "wb") as file:
                    file.write(whole.read(name))


def install() -> None:
    """Ask the archive first: beside it lie folders of data, which Python would take for packages."""
    sys.meta_path.insert(0, Finder())
