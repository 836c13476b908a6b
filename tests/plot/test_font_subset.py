"""Fonts of PDF files: the outlines of our subsets are those of the whole font, and matplotlib writes them."""

import io

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib import cbook, ft2font
from matplotlib.backends import _backend_pdf_ps as backend

import fstats
from fstats.plot.drawing import font_subset
from fstats.plot.drawing.font_subset import fast_font_subsets, subset_truetype

FOLDER = cbook._get_data_path("fonts", "ttf")
LETTERS = "not differ → é Ǻ CD = 1.25"


@pytest.mark.parametrize("name", ["DejaVuSans", "DejaVuSansMono", "STIXGeneral", "cmr10"])
def test_outlines_and_widths_are_those_of_the_font(name):
    path = FOLDER / f"{name}.ttf"
    whole, numbers = TTFont(path), ft2font.FT2Font(path).get_charmap()
    glyphs = {0, *(numbers[ord(letter)] for letter in LETTERS if ord(letter) in numbers)}
    data = subset_truetype(path.read_bytes(), glyphs)
    assert len(data) < 0.5 * path.stat().st_size
    subset = TTFont(io.BytesIO(data), checkChecksums=2)  # an error for a wrong check sum
    assert int(np.frombuffer(data, ">u4").sum(dtype=np.uint64)) % 2**32 == 0xB1B0AFBA
    fonts = ft2font.FT2Font(path), ft2font.FT2Font(io.BytesIO(data))
    for glyph in glyphs:
        assert whole["hmtx"][whole.getGlyphName(glyph)] == subset["hmtx"][subset.getGlyphName(glyph)]
        outlines = []
        for font in fonts:
            font.load_glyph(glyph)
            outlines.append(font.get_path())
        for mine, theirs in zip(*outlines, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_font_of_another_format_is_left_to_matplotlib():
    assert subset_truetype(b"OTTO" + bytes(40), {1}) == b""
    assert subset_truetype(b"ttcf" + bytes(40), {1}) == b""


def test_matplotlib_has_its_own_function_again(tmp_path, monkeypatch):
    used, usual = [], backend.get_glyphs_subset
    monkeypatch.setattr(font_subset, "subset_truetype", lambda *given: used.append(given[1]) or subset_truetype(*given))
    fstats.Nemenyi([[0.9, 0.7, 0.6]] * 5).plot().save(tmp_path / "a.pdf")
    assert bool(used) == hasattr(backend, "SubsetResults")
    with pytest.raises(KeyError), fast_font_subsets():
        raise KeyError
    assert backend.get_glyphs_subset is usual
