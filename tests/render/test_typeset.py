"""What goes into a LaTeX document is really typeset, where there is a pdfLaTeX: without an error, and inside the margins."""

import re
import subprocess

import numpy as np
import pytest
from cases import CASES, every, make

import fstats
from fstats.comparing.results import Results
from fstats.render.formula_line_breaks import formula_width

NAMES = ["svm_rbf", "C&RT", "50 % tree", "naïve Bayes", "k-NN (k = 5)", "#1", "a^b", "~x", "{set}", "$cash$", "back\\slash", "β-VAE"]
DATA_SETS = ["iris", "wine_quality", "[30]", "*starred", "breast-cancer < 1995", "größe", "tic–tac–toe", "a | b", 'so "called"', "Ω"]
DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,booktabs,graphicx}
\sloppy
\begin{document}
%s
\end{document}
"""


def typeset(folder, parts):
    """What pdfLaTeX says of each named part: its errors, and by how many points it leaves the margin."""
    marked = (rf"\message{{^^J@@{name}@@^^J}}" + "\n\n\\noindent " + part for name, part in parts.items())
    (folder / "all.tex").write_text(DOCUMENT % "\n\n".join(marked), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "all.tex"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120, check=False).stdout
    assert "Output written on all.pdf" in said
    found, name = {}, ""
    for line in said.splitlines():
        name = (re.match("@@(.*)@@", line) or ["", name])[1]
        wide = re.match(r"Overfull \\hbox \(([\d.]+)pt too wide", line)
        if line.startswith("!") or (wide and float(wide[1]) > 1):
            found.setdefault(name, []).append(line)
    return found


@pytest.mark.slow
@pytest.mark.needs("latex")
def test_the_steps_of_every_test_and_its_paragraph_fit_a_page(tmp_path):
    parts = {}
    for name, alternative in {(name, alternative) for name, alternative in every}:
        test = make(name, alternative)
        test = test.at(1) if hasattr(test, "at") else test
        parts[f"{name}, {alternative}"] = f"\\[\n{test.to_latex()}\n\\]"
        if hasattr(test, "conclusion") and name.partition(" ")[0] not in UNREPORTED:
            parts[f"report of {name}, {alternative}"] = fstats.report(test).latex
    assert len(parts) > 2 * len(CASES)
    assert typeset(tmp_path, parts) == {}


UNREPORTED = {"Pairwise", "PairwiseAligned", "TablePosteriors", "Normality", "Symmetry", "Outliers", "PairedTable"}  # they are no tests


@pytest.mark.slow
@pytest.mark.needs("latex")
def test_tables_and_paragraphs_with_any_names_are_typeset(tmp_path):
    rng = np.random.default_rng(0)
    twelve = Results(rng.normal(0.8, 0.05, (10, 12, 5)), data_sets=DATA_SETS, classifiers=NAMES)
    twenty = Results(rng.normal(0.8, 0.05, (10, 20)), data_sets=DATA_SETS, classifiers=[f"method_{k}" for k in range(20)])
    four = twelve.select(classifiers=NAMES[:4])
    both = [fstats.Friedman(twelve), fstats.Nemenyi(twelve)]
    small = {
        "four": four.to_latex(digits=2, ranks=False),
        "caption": four.to_latex(caption=r"Accuracy, in \%", label="tab:four", percent=True, fit=True),
        "fitted": four.to_latex(fit=True),
        "twelve": twelve.to_latex(fit=True, caption="All"),
        "twenty": twenty.to_latex(fit=True),
        "transposed": twenty.to_latex(transpose=True, fit=True),
        "critical values": fstats.critical_values(fstats.SignedRank, n=range(5, 12)).to_latex(),
        "paragraph": fstats.report(*both).latex,
        "steps": f"\\[\n{both[1].to_latex()}\n\\]",
        "of twenty": f"\\[\n{fstats.Friedman(twenty).to_latex()}\n\\]",
        "of two": fstats.report(fstats.SignedRank(four.scores[:, 0], four.scores[:, 1], labels=NAMES[1:3])).latex,
    }
    assert typeset(tmp_path, small) == {}
    wide = typeset(tmp_path, {"twenty": twenty.to_latex()})  # which no page has room for; but it is typeset
    assert [line for line in wide["twenty"] if not line.startswith("Overfull")] == []


@pytest.mark.parametrize(("name", "alternative"), every)
def test_no_line_is_longer_than_a_page_has_room_for(name, alternative):
    """The same by the breadth that formulas are estimated to have, where nothing can be typeset."""
    test = make(name, alternative)
    _, *lines, _ = (test.at(1) if hasattr(test, "at") else test).to_latex().split("\n")
    assert max(formula_width(line.partition("&")[2].removesuffix(r"\\")) for line in lines) <= 66
