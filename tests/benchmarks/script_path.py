"""A script for a paper, from a CSV file to a diagram and text, beside the same in autorank and scikit-posthocs; and its single steps."""

import contextlib
import io
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

import fstats
from tests.benchmarks.timing import Work, alone, faster, in_turn, line, new_process, unit

SHAPES = ((14, 4), (200, 30))  # numbers of data sets and of classifiers
OURS = """
import fstats
results = fstats.Results.from_csv(source, higher_is_better=True)
pairs = fstats.Nemenyi(results)
pairs.plot().save(picture)
print(fstats.report(fstats.Friedman(results), pairs).latex)
"""
# as journals require, fstats embeds TrueType fonts in a PDF; so do the rivals here
RIVALS = {
    "autorank": """
import autorank, matplotlib, pandas
matplotlib.use("agg")
matplotlib.rcParams["pdf.fonttype"] = 42
result = autorank.autorank(pandas.read_csv(source, index_col=0), force_mode="nonparametric")
autorank.plot_stats(result, allow_insignificant=True).get_figure().savefig(picture)
matplotlib.pyplot.close("all")
autorank.create_report(result)
""",
    "scikit_posthocs": """
import matplotlib, pandas, scikit_posthocs
from scipy import stats
matplotlib.use("agg")
matplotlib.rcParams["pdf.fonttype"] = 42
table = pandas.read_csv(source, index_col=0)
pvalues = scikit_posthocs.posthoc_nemenyi_friedman(table)
scikit_posthocs.critical_difference_diagram(table.rank(axis=1, ascending=False).mean(), pvalues)
matplotlib.pyplot.savefig(picture)
matplotlib.pyplot.close("all")
print(stats.friedmanchisquare(*table.to_numpy().T).pvalue, pvalues)
""",
}


def write_scores(path: Path, data_sets: int, classifiers: int) -> Path:
    """Write a table of random scores to a CSV file, with a line for each data set."""
    scores = np.random.default_rng(0).normal(0.7, 0.05, (data_sets, classifiers)) + np.linspace(0, 0.1, classifiers)
    table = pd.DataFrame(scores, [f"set {i}" for i in range(data_sets)], [f"model {j}" for j in range(classifiers)])
    table.rename_axis("data set").to_csv(path)
    return path


def script_path() -> None:
    """Single steps of a script, then its whole path from a CSV file to a diagram and text, in this process and in a new one."""
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            source, picture = write_scores(Path(folder) / "scores.csv", *shape), Path(folder) / "picture.pdf"
            _single_steps(source, picture, shape)
            for name, rival in RIVALS.items():
                what = f"CSV of {shape[0]} x {shape[1]} to diagram and text | {name}"
                if find_spec(name) is None:
                    line(f"{what}: not installed", unit(alone(_here(OURS, source, picture), 3)))
                    continue
                faster(what, *in_turn(_here(OURS, source, picture), _here(rival, source, picture), 3), least=10)
                processes = _anew(OURS, source, picture), _anew(rival, source, picture)
                faster("    the same, whole processes", *in_turn(*processes, 3), least=10)


def _single_steps(source: Path, picture: Path, shape: tuple[int, int]) -> None:
    """Print a line for each step."""
    results = fstats.Results.from_csv(source, higher_is_better=True)
    friedman, pairs = fstats.Friedman(results), fstats.Nemenyi(results)
    a, b = results.scores[:, 0], results.scores[:, 1]
    steps: dict[str, Work] = {
        "Results.from_csv": lambda: fstats.Results.from_csv(source, higher_is_better=True),
        "print(PairedT)": lambda: str(fstats.PairedT(a, b)),
        "PairedT._repr_html_": lambda: fstats.PairedT(a, b)._repr_html_(),
        "print(Nemenyi)": lambda: str(fstats.Nemenyi(results)),
        "report": lambda: fstats.report(friedman, pairs).latex,
        "diagram saved as PDF": lambda: pairs.plot().save(picture),
    }
    for name, work in steps.items():
        line(f"{name}, {shape[0]} x {shape[1]}", unit(alone(work, 5)))


def _here(script: str, source: Path, picture: Path) -> Work:
    """Return a call that runs a script in this process, without its output."""

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(script, {"source": source, "picture": picture})

    return run


def _anew(script: str, source: Path, picture: Path) -> Work:
    """Return a call that runs a script in a new process, with the imports that it needs."""
    code = f"source, picture = {str(source)!r}, {str(picture)!r}\n{script}"
    return new_process("-W", "ignore", "-c", code)
