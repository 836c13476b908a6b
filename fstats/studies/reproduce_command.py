"""The command ``fstats reproduce STUDY``.

The command prints a study from stored results or computes it again.
"""

from __future__ import annotations

import sys
import tomllib
from argparse import Namespace
from contextlib import nullcontext
from importlib import import_module
from importlib.resources import files
from typing import Any

from ..runtime.atomic_write import check_own_folder, check_writable, parse_path

ABOUT: dict[str, Any] = tomllib.loads(files(__package__).joinpath("reproduce.toml").read_text(encoding="utf-8"))
STUDIES: dict[str, Any] = ABOUT["study"]
TYPES = {"number": int, "path": parse_path}
COMPUTING_DEFAULTS = {"jobs": 1, "backend": "loky"} | dict.fromkeys(("store", "save", "data_dir", "data", "sets", "scheduler"))


def add_parser(commands: Any) -> None:
    """Add the command and its options to the parser."""
    reproduce = commands.add_parser("reproduce", help="print every table of a study")
    studies = reproduce.add_subparsers(dest="study", required=True)
    for name, about in STUDIES.items():
        study = studies.add_parser(name, help=about["help"])
        study.set_defaults(parser=study)
        for option in (*(ABOUT["option"][title] for title in about["options"]), *ABOUT["common"].values()):
            settings = option | {"help": option["help"].format(stored_in=about["stored_in"])}
            if "type" in settings:
                settings["type"] = TYPES[settings["type"]]
            study.add_argument(settings.pop("flag"), **settings)


def reproduce(options: Namespace) -> int:
    """Run the command with the parsed options and return the exit status."""
    computing = options.repeats is not None if options.study == "fold-hacking" else options.again
    switch = "--repeats" if options.study == "fold-hacking" else "--again"
    idle = [name for name, default in COMPUTING_DEFAULTS.items() if getattr(options, name, default) != default]
    if idle and not computing:
        names = ", ".join("--" + name.replace("_", "-") for name in idle)
        options.parser.error(f"{names} needs {switch}: without {switch} nothing is computed")
    if options.study in ("bcv", "correlations") and computing and not options.save:
        needs = "needs --save, a folder for the new results: the stored results stay unchanged"
        print(f"fstats reproduce {options.study} --again {needs}", file=sys.stderr)
        return 2
    data = getattr(options, "data", None) or getattr(options, "data_dir", None)
    if data and not data.is_dir():
        raise FileNotFoundError(f"there is no folder {str(data)!r}. Name the folder with the data sets.")
    in_folder = STUDIES[options.study]["stored_in"] == "a folder"
    if options.save and in_folder:
        files = options.save.glob("*.json*")  # files of results (.json) and files of finished units (.jsonl)
        contents = (path.read_text(encoding="utf-8", errors="replace") for path in files)
        check_own_folder(options.save, any('"versions": {' in text for text in contents), "--save", "reproduce")
    to = options.save / "results" if options.save and in_folder else options.save
    # the computation may take hours, so an error is raised before it starts if the file cannot be written
    with check_writable(to, '{"about": {') if to else nullcontext():
        if text := _study_text(options, computing):
            print(text)
    return 0


def _study_text(options: Namespace, computing: bool) -> str:
    """Return the text of a study; the text is empty if the study has printed its parts during the computation."""
    from ..runtime.parallel_tasks import worker_backend

    package: Any = import_module(f".{options.study.replace('-', '_')}", __package__)
    work_options = {"jobs": options.jobs, "store": options.store}
    subset = {"sets": options.sets} if getattr(options, "sets", None) else {}
    with worker_backend(options.backend, options.jobs, options.scheduler):
        if options.study == "fold-hacking":
            if not computing:
                return package.reproduced()
            package.again(repeats=options.repeats, data_dir=options.data_dir, save=options.save, **work_options, **subset)
            return ""
        if options.study in ("bcv", "correlations"):
            return package.reproduced(options.part, again=computing, folder=options.save, data_dir=options.data, **work_options, **subset)
        of = [options.opponent] if options.study == "seeds" else []
        make = "fold_study" if options.study == "contingency" else "study"
        study = getattr(package, make)(*of, **work_options) if computing else package.stored(*of)
    if options.save:
        study.save(options.save)
    return package.reproduced(study) if options.study == "contingency" else f"{study}\n\n{study.provenance}"
