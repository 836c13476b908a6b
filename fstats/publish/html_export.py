"""Convert notebooks to HTML with nbconvert.

The HTML loads no files from other machines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import assets

MATHJAX: dict[str, Any] = {
    "tex": {"inlineMath": [["$", "$"], ["\\(", "\\)"]], "displayMath": [["$$", "$$"], ["\\[", "\\]"]], "processEscapes": True},
    "options": {"enableMenu": False},
}


def export_html(
    notebook: Any, template: str, title: str, style: str | Sequence[str], script: str, about: dict[str, str] | None = None
) -> str:
    """Return the HTML page of a notebook; a printable page contains MathJax, and a slide deck loads MathJax from a file.

    `about` contains further values for the template.
    """
    from nbconvert.exporters import HTMLExporter, SlidesExporter
    from traitlets.config import Config

    quiet = {"exclude_input_prompt": True, "exclude_output_prompt": True, "exclude_anchor_links": True}
    settings = Config({"CSSHTMLHeaderPreprocessor": {"style": "a11y-high-contrast-light"}})
    kind: Any = SlidesExporter if template == "deck" else HTMLExporter
    exporter = kind(config=settings, template_name=template, extra_template_basedirs=[str(assets.HERE / "templates")], **quiet)
    course = {
        **(about or {}),
        "title": title,
        "style": "\n".join((assets.HERE / name).read_text(encoding="utf-8") for name in ([style] if isinstance(style, str) else style)),
        "script": "\n".join((assets.HERE / name).read_text(encoding="utf-8") for name in ("formulas.js", script)),
        "mathjax_settings": f"window.MathJax = {json.dumps(MATHJAX)};",
        "mathjax": "" if template == "deck" else assets.mathjax_script().replace("</script", "<\\/script"),
    }
    return str(exporter.from_notebook_node(notebook, {"course": course})[0])
