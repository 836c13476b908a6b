"""A question to choose an answer of, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class ChoiceDisplay:
    """A question in words and its answers to choose from."""

    key: str
    text: str
    options: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"{self.key}  {self.text}", *(f"    {letter}) {option}" for letter, option in zip(LETTERS, self.options))])

    def _repr_html_(self) -> str:
        # letters in the text itself: JupyterLab takes the style from a list, and numbers are not what is asked for
        options = "".join(
            f'<p style="margin:0.2em 0 0.2em 1.5em"><strong>{letter})</strong> {escape(option, quote=False)}</p>'
            for letter, option in zip(LETTERS, self.options)
        )
        return f"<p><strong>{self.key}</strong> {escape(self.text, quote=False)}</p>{options}"
