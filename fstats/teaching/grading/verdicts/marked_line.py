"""Line of code with the wrong part marked."""

from __future__ import annotations

from html import escape


class MarkedLine(str):
    """The line and its mark as text; `code`, `start` and `stop` are the line and the marked part."""

    __slots__ = ("code", "start", "stop")
    code: str
    start: int
    stop: int

    def __new__(cls, code: str, start: int, stop: int) -> MarkedLine:
        """Write the line, and signs below the marked part."""
        line = super().__new__(cls, f"{code}\n{' ' * start}{'^' * (stop - start)}")
        line.code, line.start, line.stop = code, start, stop
        return line

    @property
    def parts(self) -> tuple[str, str, str]:
        """The code before the marked part, the marked part, and the code after it."""
        return self.code[: self.start], self.code[self.start : self.stop], self.code[self.stop :]

    def html(self) -> str:
        """Return the line as HTML."""
        before, part, after = (escape(text, quote=False) for text in self.parts)
        return f"<code>{before}<mark>{part}</mark>{after}</code>"
