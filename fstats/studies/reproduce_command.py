"""Command ``fstats reproduce STUDY``: print a study from its stored results, or compute it again."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import nullcontext
from importlib import import_module
from typing import Any

from ..runtime.atomic_write import check_own_folder, check_writable, parse_path

STUDIES = {  # description of each study, and whether its results are stored in a file or a folder
    "contingency": ("the simulation of the contingency table test", "a file"),
    "fold-hacking": ("the experiment with ten thousand random partitions into folds", "a folder"),
    "bcv": ("the experiments of the 5x2 BCV paper: type I errors and power", "a folder"),
    "correlations": ("correlations of the ten tables of the 5x2 BCV paper", "a folder"),
    "seeds": ("how much the p-value depends on the seed of the splits", "a file"),
    "small-samples": ("type I errors with few records and with unequal classes", "a file"),
    "post-hoc": ("familywise errors of post-hoc tests if the scores of some classifiers vary more than others", "a file"),
    "stress": ("a search for the worst level of each test", "a file"),
}
BCV_PARTS = "calibration, errors, table5, left_out, readings, power, power2 or partitions (default: all of these); or mnist, mnist_small"
COMPUTING_DEFAULTS = {"jobs": 1, "backend": "loky"} | dict.fromkeys(("store", "save", "data_dir", "data", "sets", "scheduler"))


def add_parser(commands: Any) -> None:
    """Add the command and its options to the parser."""
    reproduce = commands.add_parser("reproduce", help="print every table of a study")
    studies = reproduce.add_subparsers(dest="study", required=True)
    for name, (what, where) in STUDIES.items():
        study = studies.add_parser(name, help=what)
        study.set_defaults(parser=study)
        data = {"type": parse_path, "metavar": "DIR"}
        if name == "fold-hacking":
            study.add_argument(
                "--repeats", type=int, metavar="R", help="compute the study again with the seeds 0 to R - 1 (10000: one to two hours)"
            )
            study.add_argument("--data-dir", **data, help="with --repeats: folder of CSV files (default: the folder in FSTATS_DATA)")
            study.add_argument("--sets", nargs="+", metavar="SET", help="with --repeats: only these data sets")
        else:
            study.add_argument("--again", action="store_true", help="compute the stored results again (contingency: a minute; bcv: hours)")
        if name == "bcv":
            study.add_argument("--part", help=BCV_PARTS)
            study.add_argument("--data", **data, help="folder with letter.csv.gz (default: the folder in FSTATS_DATA)")
        if name == "correlations":
            study.add_argument("--part", help="sums or refined (default: both)")
            study.add_argument("--data", **data, help="folder with the data sets (default: the folder in FSTATS_DATA)")
            study.add_argument("--sets", nargs="+", metavar="SET", help="with --again: only these data sets")
        if name == "seeds":
            study.add_argument("--opponent", default="LDA", help="LDA or 'naive Bayes' (default: LDA)")
        study.add_argument("--jobs", type=int, default=1, help="number of workers; -1 uses all cores")
        study.add_argument(
            "--store", type=parse_path, help=f"when computing: {where} of finished units, with which an interrupted computation continues"
        )
        study.add_argument("--save", type=parse_path, help=f"when computing: {where} to which the results are written")
        study.add_argument("--backend", default="loky", help="when computing: loky, or dask, which starts or joins a cluster")
        study.add_argument(
            "--scheduler", metavar="ADDRESS", help="with --backend dask: the cluster to join (default: start one on this machine)"
        )


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
        raise FileNotFoundError(f"there is no folder {str(data)!r}; name the folder with the data sets")
    in_folder = STUDIES[options.study][1] == "a folder"
    if options.save and in_folder:
        files = options.save.glob("*.json*")  # files of results and of finished units
        contents = (path.read_text(encoding="utf-8", errors="replace") for path in files)
        check_own_folder(options.save, any('"versions": {' in text for text in contents), "--save", "reproduce")
    to = options.save / "results" if options.save and in_folder else options.save
    # check the file first: an error must come before hours of computation, not afterwards
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
