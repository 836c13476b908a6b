"""Words that name a statistical test and cite its source within a sentence.

An example is: the Iman-Davenport test (Iman and Davenport, 1980).
"""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any

from ..core.procedure import Procedure

# first words of names of tests that are not names of persons
COMMON_WORDS = ("One-", "Paired", "Equivalence", "Sign ", "Exact", "Repeated", "Corrected", "Difference")
PUBLISHED = re.compile(r"(.+?) \((\d{4})\)")  # matches the authors and the year of a source


def procedure_title(kind: type) -> str:
    """Return the name of a test in the words of the field, from the first line of its documentation."""
    return " ".join((kind.__doc__ or kind.__name__).split("\n\n")[0].split()).partition(":")[0]


def citation(kind: type[Procedure]) -> str:
    """Return the authors and the year of the source of a test, or that the test is not published as it is.

    >>> import fstats
    >>> citation(fstats.ImanDavenport), citation(fstats.DeLong)
    (' (Iman and Davenport, 1980)', ' (DeLong et al., 1988)')
    """
    origin = kind.origin()
    source = PUBLISHED.fullmatch(origin.source.partition(";")[0])
    if origin.kind != "published" or source is None:
        return origin.label
    authors = f"{source[1].partition(',')[0]} et al." if "," in source[1] else source[1]
    return f" ({authors}, {source[2]})"


def cited_works(kind: type[Procedure]) -> tuple[str, ...]:
    """Return the work that :func:`citation` cites, as the documentation of a test gives it; empty if the citation names no work.

    >>> import fstats
    >>> cited_works(fstats.Holm)[0]
    'Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, pages 65 to 70.'
    """
    if kind.origin().kind != "published":
        return ()
    source = kind.origin().source.partition(";")[0]
    section = cleandoc(kind.__doc__ or "").partition("\nReferences\n----------\n")[2].partition("\n\n")[0]
    works = (" ".join(work.split()) for work in re.split(r"(?<=\.)(?:  |\n)(?=[A-Z])", section))
    return next(((work,) for work in works if source in work), (f"{source}.",))


def cited_title(kind: type[Procedure]) -> str:
    """Return the name of a test with its citation, as in the middle of a sentence: "the Nemenyi test (Demsar, 2006)"."""
    title = procedure_title(kind)
    title = title[0].lower() + title[1:] if title.startswith(COMMON_WORDS) else title
    return ("" if "'s " in title else "the ") + title + citation(kind)


def names_in_words(text: str) -> str:
    """Replace the names of classes in a text by the names of the tests, and leave out calls; proper names such as Holm remain.

    >>> names_in_words("Use fstats.SignedRank, or Holm's procedure: Holm.from_pvalues([...]). The runs are independent: WelchT(x, y, k=1).")
    "Use the Wilcoxon signed-rank test, or Holm's procedure. The runs are independent."
    """
    import fstats

    def title(found: re.Match[str]) -> str:
        kind = getattr(fstats, found[1], None)
        return cited_title(kind).removesuffix(citation(kind)) if isinstance(kind, type) and issubclass(kind, Procedure) else found[0]

    text = re.sub(r'(?:fstats\.)?Friedman\(\.\.\., method="exact"\)', "the exact Friedman test", text)
    text = re.sub(r"\bHolm\.from_test\(Pairwise\(scores, using=(\w+)\)\)", r"Holm's procedure on \1", text)
    text = re.sub(r"[:,] [A-Z][\w.]+\((?:[^()]|\([^()]*\))*\)(?:\.\w+)?(?=\W|$)| \(\w+=\"\w+\"\)", "", text)
    text = re.sub(r"(?:\bthe )?\b(?:fstats\.)?(?!McNemar\b|DeLong\b)([A-Z]\w*[a-z]\w*[A-Z]\w*)(?!\w|\(|\.\w)", title, text)
    return re.sub(r"(^|\. )the ", r"\1The ", text)


def join_words(words: list[Any]) -> str:
    """Return words as a list in a sentence.

    >>> join_words(["tree"]), join_words(["tree", "svm", "knn"])
    ('tree', 'tree, svm and knn')
    """
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])
