"""``fstats reproduce STUDY``: each study printed again from its stored results, or computed anew."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import nullcontext
from importlib import import_module
from typing import Any

from ..runtime.atomic_write import check_own_folder, parse_path, check_writable

STUDIES = {  # what each is, and where what is computed is written
    "contingency": ("the simulation of the contingency table test", "a file"),
    "fold-hacking": ("the experiment with ten thousand random partitions into folds", "a folder"),
    "bcv": ("the experiments of the 5x2 BCV paper: type I errors and power", "a folder"),
    "correlations": ("how the ten tables of the 5x2 BCV paper are correlated", "a folder"),
    "seeds": ("how far p depends on the seed of the splits", "a file"),
    "small-samples": ("type I errors on few records and unequal classes", "a file"),
    "post-hoc": ("familywise errors of post-hoc tests where some classifiers scatter more than others", "a file"),
    "stress": ("a bench that tries to break every test: the worst level found of each", "a file"),
}
BCV_PARTS = "calibration, errors, table5, left_out, readings, power, power2 or partitions; all if none is named; or mnist, mnist_small"
COMPUTING_DEFAULTS = {
    "jobs": 1,
    "store": None,
    "save": None,
    "data_dir": None,
    "data": None,
    "sets": None,
    "backend": "loky",
    "scheduler": None,
}


def add_parser(commands: Any) -> None:
    """The command and its options."""
    reproduce = commands.add_parser("reproduce", help="print every table of a study again")
    studies = reproduce.add_subparsers(dest="study", required=True)
    for name, (what, where) in STUDIES.items():
        study = studies.add_parser(name, help=what)
        study.set_defaults(parser=study)
        data = {"type": parse_path, "metavar": "DIR"}
        if name == "fold-hacking":
            study.add_argument(
                "--repeats", type=int, metavar="R", help="compute it again with the seeds 0 to R - 1 (10000: an hour or two)"
            )
            study.add_argument("--data-dir", **data, help="with --repeats: a folder of CSV files; by default FSTATS_DATA names it")
            study.add_argument("--sets", nargs="+", metavar="SET", help="with --repeats: some of the data sets only")
        else:
            study.add_argument("--again", action="store_true", help="compute what is stored again (contingency: a minute; bcv: hours)")
        if name == "bcv":
            study.add_argument("--part", help=BCV_PARTS)
            study.add_argument("--data", **data, help="the folder with letter.csv.gz; by default FSTATS_DATA names it")
        if name == "correlations":
            study.add_argument("--part", help="sums or refined; both if none is named")
            study.add_argument("--data", **data, help="the folder with the data sets; by default FSTATS_DATA names it")
            study.add_argument("--sets", nargs="+", metavar="SET", help="with --again: some of the data sets only")
        if name == "seeds":
            study.add_argument("--opponent", default="LDA", help="LDA or 'naive Bayes'")
        study.add_argument("--jobs", type=int, default=1, help="workers; -1 takes all cores")
        study.add_argument("--store", type=parse_path, help=f"when computing: {where} from which a run that was interrupted goes on")
        study.add_argument("--save", type=parse_path, help=f"when computing: {where} where the results are written")
        study.add_argument("--backend", default="loky", help="when computing: who works; dask starts or joins a cluster")
        study.add_argument(
            "--scheduler", metavar="ADDRESS", help="with --backend dask: the cluster to join; by default one is started here"
        )


def reproduce(asked: Namespace) -> int:
    """Do what was asked for; returns the exit status."""
    computing = asked.repeats is not None if asked.study == "fold-hacking" else asked.again
    switch = "--repeats" if asked.study == "fold-hacking" else "--again"
    idle = [name for name, default in COMPUTING_DEFAULTS.items() if getattr(asked, name, default) != default]
    if idle and not computing:
        names = ", ".join("--" + name.replace("_", "-") for name in idle)
        asked.parser.error(f"with {names} goes {switch}: without it nothing is computed")
    if asked.study in ("bcv", "correlations") and computing and not asked.save:
        needs = "needs --save, a folder for what is computed: the stored results stay as they are"
        print(f"fstats reproduce {asked.study} --again {needs}", file=sys.stderr)
        return 2
    data = getattr(asked, "data", None) or getattr(asked, "data_dir", None)
    if data and not data.is_dir():
        raise FileNotFoundError(f"there is no folder {str(data)!r}, in which the data sets should lie")
    in_folder = STUDIES[asked.study][1] == "a folder"
    if asked.save and in_folder:
        made = (path.read_text(encoding="utf-8", errors="replace") for path in asked.save.glob("*.json*"))  # and stores
        check_own_folder(asked.save, any('"versions": {' in text for text in made), "--save", "reproduce")
    to = asked.save / "results" if asked.save and in_folder else asked.save
    with check_writable(to, '{"about": {') if to else nullcontext():  # and not after hours
        if text := _study_text(asked, computing):
            print(text)
    return 0


def _study_text(asked: Namespace, computing: bool) -> str:
    """The study as text; nothing where it has already told all, part by part."""
    from ..runtime.parallel_tasks import worker_backend

    package: Any = import_module(f".{asked.study.replace('-', '_')}", __package__)
    how = {"jobs": asked.jobs, "store": asked.store}
    some = {"sets": asked.sets} if getattr(asked, "sets", None) else {}
    with worker_backend(asked.backend, asked.jobs, asked.scheduler):
        if asked.study == "fold-hacking":
            if not computing:
                return package.reproduced()
            package.again(repeats=asked.repeats, data_dir=asked.data_dir, save=asked.save, **how, **some)
            return ""
        if asked.study in ("bcv", "correlations"):
            return package.reproduced(asked.part, again=computing, folder=asked.save, data_dir=asked.data, **how, **some)
        of = [asked.opponent] if asked.study == "seeds" else []
        make = "fold_study" if asked.study == "contingency" else "study"
        study = getattr(package, make)(*of, **how) if computing else package.stored(*of)
    if asked.save:
        study.save(asked.save)
    return package.reproduced(study) if asked.study == "contingency" else f"{study}\n\n{study.provenance}"
