"""Whose procedure it is: published, a variant, or ours; and one page that has the derivation and the evidence of what is not published."""

import inspect
import re
import tomllib
from pathlib import Path

import fstats
from fstats.core.procedure import Procedure
from fstats.publish import api_reference

DIFFERENCES = tomllib.loads((Path(fstats.__file__).parent / "publish" / "differences.toml").read_text(encoding="utf-8"))
NAMED = {name for difference in DIFFERENCES.values() for name in difference["procedures"]}
PROCEDURES = {name: thing for name in fstats.__all__ if isinstance(thing := getattr(fstats, name), type) and issubclass(thing, Procedure)}
AUTHOR = re.compile(r"(?:of |composed in fstats \w+ |derived in fstats from a name in )?(?:del )?(\w+)")


def test_every_procedure_says_where_it_comes_from():
    """A subclass inherits no origin, so none is forgotten; the source stands in the references of the same class."""
    for name, test in PROCEDURES.items():
        kind, source = test.origin()
        assert kind in ("published", "variant", "ours"), f"{name}: write 'Origin: published, SOURCE (YEAR).' below its first line"
        assert kind == "published" or name in NAMED, f"{name}: say in publish/differences.toml what differs from the source"
        references = inspect.getdoc(test).partition("References\n")[2]
        assert AUTHOR.match(source)[1] in references, name
        assert {*re.findall(r"\b(?:19|20)\d\d\b", source)} <= {*re.findall(r"\b\d{4}\b", references)}, name
    assert type("Heir", (fstats.PairedT,), {"__doc__": "One of a stranger."}).origin() == ("", "")


def test_what_differs_is_on_one_page():
    """Its rates are those of the documentation, the tests that it names exist, and every origin is on it."""
    assert {*fstats.__all__} >= NAMED
    documented = "\n".join(inspect.getdoc(getattr(fstats, name)) for name in NAMED)
    page = "\n".join(api_reference._differences_page())
    for title, difference in DIFFERENCES.items():
        assert {*difference} == {"procedures", "source", "derivation", "evidence"}
        texts = " ".join(difference[key] for key in ("source", "derivation", "evidence"))
        assert {*re.findall(r"[\d.]+(?= %)", texts)} <= {*re.findall(r"[\d.]*\d", documented)}, title
        for file in re.findall(r"test_\w+\.py", texts):
            assert list(Path(__file__).parents[1].rglob(file)), file
        assert f"\n{title}\n{'-' * len(title)}\n" in page
    for name, test in PROCEDURES.items():
        assert f"\n* ``{name}``: {test.origin().source}." in page.partition("\nBlockedFiveByTwoT: the whole")[0], name
    assert page.index("``BlockedFiveByTwoT``") < page.index("\nVariant\n") < page.index("``BradleyTerry``") < page.index("\nPublished\n")


def test_what_is_not_published_is_labelled_where_it_is_shown():
    test = fstats.BlockedFiveByTwoT([[[[5, 2], [8, 35]]] * 2] * 5)
    for text in (repr(test), test._repr_html_(), fstats.report(test).text):
        assert "(composed in fstats, not published)" in " ".join(text.split())
    variant = fstats.DifferenceOfInterquartileMeans([[1, 2, 4]] * 3, [[2, 3, 1]] * 3, rng=0)
    assert "(variant of Agarwal, Schwarzer, Castro, Courville and Bellemare (2021))" in " ".join(repr(variant).split())
    published = fstats.PairedT([1, 2, 4], [2, 2, 1])
    assert "published" not in repr(published) + fstats.report(published).text
