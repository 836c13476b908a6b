"""Font subsets for PDF files.

The fonts are TrueType; matplotlib's own subsets (fontTools) take most of the time of saving a picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from struct import unpack_from
from typing import Any, NamedTuple

import numpy as np

TABLES = ("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep")  # a font in a PDF file needs no other tables


class FontFile(bytes):
    """Bytes of a font file, with the method `save` that matplotlib calls to write a fontTools font."""

    def save(self, file: Any, **_: Any) -> None:
        """Write the font."""
        file.write(self)


class FontSubset(NamedTuple):
    """Subset of a font, and the new number of each glyph, as matplotlib needs them."""

    font: FontFile
    glyph_index_map: dict[int, int]


@contextmanager
def fast_font_subsets() -> Iterator[None]:
    """Let matplotlib use :func:`subset_truetype` for fonts in PDF files, if this version of matplotlib can use it."""
    from matplotlib.backends import _backend_pdf_ps

    backend: Any = _backend_pdf_ps
    usual = backend.get_glyphs_subset

    def subset(path: Any, glyphs: Iterable[int]) -> Any:
        with open(path, "rb") as file:
            font = subset_truetype(file.read(), wanted := {0, *glyphs})
        return nullcontext(FontSubset(FontFile(font), {glyph: glyph for glyph in wanted})) if font else usual(path, glyphs)

    if hasattr(backend, "SubsetResults"):  # since matplotlib 3.11
        backend.get_glyphs_subset = subset
    try:
        yield
    finally:
        backend.get_glyphs_subset = usual


def subset_truetype(font: bytes, glyphs: Iterable[int]) -> bytes:
    """Return a TrueType font with the outlines of these glyphs and of their parts; the numbers of the glyphs do not change.

    The result is empty if the font is a collection of fonts, or has outlines of another kind.  The format of the file:
    https://learn.microsoft.com/typography/opentype/spec/otff
    """
    from fontTools.ttLib.sfnt import SFNTReader, SFNTWriter

    if font[:4] != b"\0\1\0\0" or "glyf" not in (reader := SFNTReader(BytesIO(font), checkChecksums=0)):
        return b""
    tables = {tag: reader[tag] for tag in TABLES if tag in reader}
    wide = unpack_from(">h", tables["head"], 50)[0]  # 1 if each position in "loca" has four bytes, 0 if it has two
    places = np.frombuffer(tables["loca"], ">u4" if wide else ">u2").astype(int) * (1 if wide else 2)
    outlines: dict[int, bytes] = {}
    todo = list(glyphs)
    while todo:
        if (glyph := todo.pop()) not in outlines:
            outlines[glyph] = tables["glyf"][places[glyph] : places[glyph + 1]]
            todo += _parts(outlines[glyph])
    sizes = np.zeros(len(places), int)
    sizes[[glyph + 1 for glyph in outlines]] = [len(outline) for outline in outlines.values()]
    tables["glyf"] = b"".join(outlines[glyph] for glyph in sorted(outlines))
    tables["loca"] = (sizes.cumsum() // (1 if wide else 2)).astype(">u4" if wide else ">u2").tobytes()
    widths = np.frombuffer(tables["hmtx"][: 4 * unpack_from(">H", tables["hhea"], 34)[0]], ">u4")  # width and left margin of each glyph
    used = np.isin(np.arange(len(widths)), [*outlines, len(widths) - 1])  # keep the last width, which also holds for all later glyphs
    tables["hmtx"] = np.where(used, widths, 0).astype(">u4").tobytes() + tables["hmtx"][4 * len(widths) :]
    writer = SFNTWriter(file := BytesIO(), len(tables))
    for tag, table in tables.items():
        writer[tag] = table
    writer.close()
    return file.getvalue()


def _parts(outline: bytes) -> Iterator[int]:
    """Yield the glyphs of which a glyph is composed, such as a letter and its accent."""
    at, more = 10, bool(outline) and unpack_from(">h", outline)[0] < 0
    while more:
        flags, glyph = unpack_from(">HH", outline, at)
        yield glyph
        # a component has two offsets of one or two bytes, and then zero, one, two or four numbers of its scale
        at += 4 + (4 if flags & 0x1 else 2) + (2 if flags & 0x8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
        more = bool(flags & 0x20)
