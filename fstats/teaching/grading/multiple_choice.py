"""Display of multiple-choice questions."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class ChoiceDisplay:
    """A question in words with its options."""

    key: str
    text: str
    options: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"{self.key}  {self.text}", *(f"    {letter}) {option}" for letter, option in zip(LETTERS, self.options))])

    def _repr_html_(self) -> str:
        # letters are part of the text: JupyterLab removes the style of a list, and the answer is a letter, not a number
        options = "".join(
            f'<p style="margin:0.2em 0 0.2em 1.5em"><strong>{letter})</strong> {escape(option, quote=False)}</p>'
            for letter, option in zip(LETTERS, self.options)
        )
        return f"<p><strong>{self.key}</strong> {escape(self.text, quote=False)}</p>{options}"
