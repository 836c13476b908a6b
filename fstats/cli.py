"""The command line: ``fstats lab`` opens the notebooks, ``fstats build`` writes them, ``fstats reproduce`` prints a study again.

For lecturers, ``fstats handout`` gives each student exercises with numbers of his own and ``fstats solution`` prints their solution.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="fstats", description="Statistical comparison of classifiers, step by step.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "lab", usage="fstats lab [-h] [options of JupyterLab, such as --no-browser]", help="open JupyterLab on the notebooks"
    )
    build = commands.add_parser("build", help="execute and normalise the notebooks, and write them back")
    build.add_argument("notebooks", nargs="*", type=Path, help="files; all of notebooks/ and solutions/ if none is named")
    build.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a notebook is not what build writes")
    _add_studies(commands)
    _add_exercises(commands)
    asked, rest = parser.parse_known_args(arguments)  # argparse's own REMAINDER refuses a rest that begins with an option
    if rest and asked.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if asked.command == "reproduce":
        return _reproduce(asked, parser)
    if asked.command in ("handout", "solution"):
        return _exercises(asked, parser)
    if missing := [name for name in ("jupyterlab", "nbclient", "nbformat") if find_spec(name) is None]:
        print(f'fstats {asked.command} needs {", ".join(missing)}: pip install -e ".[lab]"', file=sys.stderr)
        return 1
    if asked.command == "lab":
        from .lab import run

        return run(folder().parent, ["--LabApp.default_url=/lab/tree/notebooks", *rest])
    return _build(asked.notebooks or everything(), asked.check)


def _add_exercises(commands: Any) -> None:
    """The commands about exercises."""
    secret = dict(type=Path, metavar="FILE", help="the secret of the course, a text file that stays with the lecturer")
    handout = commands.add_parser("handout", help="write each student's own copies of the exercises")
    handout.add_argument("students", type=Path, help="a list of students, one in a line, as the register has them")
    handout.add_argument("exercises", nargs="*", metavar="exercise", help="names such as paired_t_by_hand; all if none is named")
    handout.add_argument("--secret", required=True, **secret)
    handout.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="where a folder for each student is made")
    solution = commands.add_parser("solution", help="print the worked solution of an exercise, for the lecturer")
    solution.add_argument("exercise", help="a name such as paired_t_by_hand")
    solution.add_argument("--student", help="of this student's data; without it, of the course's")
    solution.add_argument("--secret", **secret)


def _exercises(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from .course.catalogue import exercise, individual
    from .grading.handout import hand_out, students

    if asked.command == "solution" and bool(asked.student) != bool(asked.secret):
        parser.error("--student and --secret belong together: the data of a student follow from both")
    try:
        secret = asked.secret.read_text(encoding="utf-8").strip() if asked.secret else ""
        if asked.command == "solution":
            task = individual(asked.student, asked.exercise, secret) if asked.student else exercise(asked.exercise)
            print(task.solution(), end="")
            return 0
        found = {path.stem.partition("_")[2]: path for path in sorted((folder().parent / "exercises").glob("*.ipynb"))}
        if unknown := [name for name in asked.exercises if name not in found]:
            raise LookupError(f"there is no exercise {unknown[0]!r}; there are {', '.join(found)}")
        who = students(asked.students)
        written = [found[name] for name in asked.exercises or found]
        count = hand_out(written, who, lambda student, name: individual(student, name, secret).token, asked.to)
        print(f"{count} notebooks for {len(who)} students in {asked.to}")
    except (ValueError, LookupError, OSError) as error:
        print(error.args[-1] if isinstance(error, LookupError) else error, file=sys.stderr)
        return 1
    return 0


def _add_studies(commands: Any) -> None:
    """The studies, and what computes each again."""
    reproduce = commands.add_parser("reproduce", help="print every table of a study again")
    studies = reproduce.add_subparsers(dest="study", required=True)
    contingency = studies.add_parser("contingency", help="the simulation of the contingency table test")
    contingency.add_argument("--again", action="store_true", help="compute what is stored again, too (a minute)")
    folds = studies.add_parser("fold-hacking", help="the experiment with ten thousand random partitions into folds")
    folds.add_argument("--repeats", type=int, metavar="R", help="compute it again with the seeds 0 to R - 1 (10000: an hour or two)")
    folds.add_argument("--data-dir", type=Path, metavar="DIR", help="with --repeats: a folder of CSV files; by default FSTATS_DATA names it")
    folds.add_argument("--sets", nargs="+", metavar="SET", help="with --repeats: some of the data sets only")
    folds.add_argument("--backend", default="loky", help="with --repeats: who works; dask starts or joins a cluster")
    folds.add_argument("--scheduler", metavar="ADDRESS", help="with --backend dask: the cluster to join; by default one is started here")
    bcv = studies.add_parser("bcv", help="the experiments of the 5x2 BCV paper: type I errors and power")
    bcv.add_argument("--part", help="calibration, errors, table5, left_out, readings, power or power2; all if none is named")
    bcv.add_argument("--again", action="store_true", help="compute it again (table5: under an hour)")
    bcv.add_argument("--data", type=Path, metavar="DIR", help="the folder with letter.csv.gz; by default FSTATS_DATA names it")
    for study, what in ((contingency, "a file"), (folds, "a folder"), (bcv, "a folder")):
        study.add_argument("--jobs", type=int, default=1, help="workers; -1 takes all cores")
        study.add_argument("--store", type=Path, help=f"when computing: {what} from which a run that was interrupted goes on")
        study.add_argument("--save", type=Path, help=f"when computing: {what} where the results are written")


def _reproduce(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from .studies import contingency, fold_hacking

    if asked.study != "fold-hacking" and not asked.again and (asked.store or asked.save):
        parser.error("--store and --save belong to --again: without it nothing is computed that could be kept")
    if asked.study == "bcv":
        return _reproduce_bcv(asked)
    if asked.study == "contingency":
        study = contingency.fold_study(jobs=asked.jobs, store=asked.store) if asked.again else contingency.stored()
        if asked.save:
            study.save(asked.save)
        print(contingency.reproduced(study))
        return 0
    if asked.repeats is None and (asked.store or asked.save or asked.data_dir or asked.sets or asked.scheduler):
        parser.error("--store, --save, --data-dir, --sets and --scheduler belong to --repeats: without it nothing is computed")
    try:
        if asked.repeats is None:
            print(fold_hacking.reproduced())
        else:
            fold_hacking.again(**{name: value for name, value in vars(asked).items() if name not in ("command", "study")})
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _reproduce_bcv(asked: argparse.Namespace) -> int:
    from .studies import bcv

    if asked.again and not asked.save:
        print("fstats reproduce bcv --again needs --save, a folder for what is computed: the stored results stay as they are", file=sys.stderr)
        return 2
    try:
        print(bcv.reproduced(asked.part, again=asked.again, jobs=asked.jobs, store=asked.store, folder=asked.save, data_dir=asked.data))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def folder() -> Path:
    """Where the notebooks are: below the current folder, or beside the installed package's source."""
    for place in (Path.cwd() / "notebooks", Path(__file__).parent.parent / "notebooks"):
        if place.is_dir():
            return place
    raise SystemExit("there is no folder notebooks here; run this in a clone of the fstats repository")


def everything() -> list[Path]:
    """All notebooks that are sources: those to read, and the solutions, from which the exercises follow."""
    return sorted(folder().glob("*.ipynb")) + sorted((folder().parent / "solutions").glob("*.ipynb"))


def _build(notebooks: Sequence[Path], check: bool) -> int:
    from .build import NotFit, is_what_build_writes
    from .build import build as write

    status = 0
    for path in notebooks:
        try:
            if check:
                fits = is_what_build_writes(path)
                print(f"{path}: {'up to date' if fits else 'not what fstats build writes'}")
                status |= not fits
            else:
                print(f"{path}: {'written' if write(path) else 'unchanged'}")
        except NotFit as error:
            print(error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
