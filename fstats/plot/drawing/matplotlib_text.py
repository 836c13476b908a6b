"""Mathematical text and fonts in matplotlib figures.

Mathematics is mathtext, and the letters of each script have a font.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any
from warnings import warn

from ...core.mathematics_in_names import plain_name, write_name

if TYPE_CHECKING:
    from matplotlib.legend import Legend

MISSING = "\N{WHITE SQUARE}"  # replacement for letters that no installed font has
UNSUITABLE = ("Last Resort", "cm", "STIX")  # fonts of matplotlib that have boxes instead of letters, or only signs for formulas


def mathtext(text: str) -> str:
    r"""Return a text for matplotlib: mathematics in names stays between dollar signs, and all other dollar signs are escaped.

    >>> print(mathtext("$B_c$ for $5"))
    $B_{c}$ for \$5
    """
    return write_name(text, lambda words: words.replace("$", r"\$"), lambda formula: f"${formula.tex}$")


def text_and_font(text: str, weight: str = "normal") -> tuple[str, dict[str, Any]]:
    """Return a text for matplotlib, and the arguments that set its fonts.

    If the usual font lacks letters of a text, installed fonts that have these letters follow the usual font.  A letter that no installed
    font has becomes a square, and a warning names its script.
    """
    from matplotlib.font_manager import fontManager

    plain = plain_name(text)
    missing = _missing_letters(plain, _usual_fonts(weight))
    if not missing:
        return mathtext(text), {}
    # the number of fonts is an argument, so that the cache is not used after a font has been installed
    families = _families_with(missing, len(fontManager.ttflist))
    if absent := missing - frozenset(chain.from_iterable(_letters(path) for path in families.values())):
        _warn_of_missing_scripts(", ".join(sorted({_script(letter) for letter in absent})))
        plain = "".join(MISSING if letter in absent else letter for letter in plain)
    from matplotlib import rcParams

    return plain.replace("$", r"\$"), {"fontfamily": [*rcParams["font.family"], *families]} if families else {}


def set_legend_fonts(legend: Legend) -> None:
    """Set the fonts of the texts of a legend, whose labels are already texts for matplotlib."""
    for text in legend.get_texts():
        words, font = text_and_font(text.get_text().replace(r"\$", "$"))
        text.set(text=words, **font)


def _usual_fonts(weight: str) -> tuple[str, ...]:
    """Return the files of the fonts in rcParams."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont

    return tuple(findfont(FontProperties(family=family, weight=weight)) for family in rcParams["font.family"])


def _missing_letters(text: str, fonts: Iterable[str]) -> frozenset[str]:
    """Return the letters of a text that none of the fonts has; characters without a glyph, such as joiners and line ends, do not count."""
    if text.isascii():
        return frozenset()
    candidates = {letter for letter in text if not letter.isascii() and unicodedata.category(letter) not in ("Cf", "Mn", "Zs")}
    return frozenset(candidates.difference(*map(_letters, fonts)))


@lru_cache(64)
def _letters(path: str) -> frozenset[str]:
    """Return the letters that a font file has; empty if matplotlib cannot draw with the font."""
    from matplotlib.font_manager import get_font

    try:
        font = get_font(path)
        return frozenset(map(chr, font.get_charmap())) if font.scalable else frozenset()
    except (OSError, RuntimeError, ValueError):  # matplotlib cannot read some fonts, such as those with coloured emoji
        return frozenset()


@lru_cache(256)
def _families_with(letters: frozenset[str], _: int) -> dict[str, str]:
    """Return families of installed fonts, with their files, that together have as many of the letters as possible.

    The second argument, the number of installed fonts, is part of the cache key: a font that is added may change the result.
    """
    families: dict[str, str] = {}
    for family, path in _upright_fonts():
        if letters & _letters(path):
            families[family] = path
            letters -= _letters(path)
        if not letters:
            break
    return families


def _upright_fonts() -> Iterator[tuple[str, str]]:
    """Yield the families of the installed fonts with a file of usual weight, fonts without serifs first."""
    from matplotlib.font_manager import fontManager

    fonts = [font for font in fontManager.ttflist if font.style == "normal" and font.weight in (400, "normal", "regular", "book")]
    for font in sorted(fonts, key=lambda font: ("Sans" not in font.name, "Mono" in font.name, font.name)):
        if not font.name.startswith(UNSUITABLE):
            yield font.name, font.fname


def _script(letter: str) -> str:
    """Return the name of the script of a letter.

    >>> _script("中"), _script("ह"), _script("😀")
    ('Chinese characters', 'Devanagari', 'symbols')
    """
    if not unicodedata.category(letter).startswith(("L", "M")):
        return "symbols"
    script = unicodedata.name(letter, "unknown letters").split()[0]
    return "Chinese characters" if script == "CJK" else script.capitalize()


@lru_cache(256)  # because of the cache, each script causes only one warning
def _warn_of_missing_scripts(scripts: str) -> None:
    warn(
        f"no installed font has the letters of a name ({scripts}); pictures show squares instead. Install a font with these letters, "
        "such as Noto Sans (apt install fonts-noto-core fonts-noto-cjk), and start Python again.",
        stacklevel=3,
    )
