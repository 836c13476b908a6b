"""Draw 120 sentences of the package at random, to be read by somebody who has not seen it.

    python -m tests.sampled_sentences             seed 25, as a numbered list
    python -m tests.sampled_sentences --seed 26   another draw

Drawn are 30 sentences of docstrings of public classes, 20 first lines of modules, 20 comments, 15 error messages, 15 replies to students
and 20 sentences of notebooks.
"""

import argparse
import ast
import inspect
import io
import json
import random
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fstats

ROOT = Path(__file__).parents[1]
END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`\"])")


def sentences(text: str) -> list[str]:
    """Split prose into sentences; lists, tables, headings, examples and formulas alone are left out."""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n") if not re.match(r"\s*([|#>*\-$<.]|\d\.|>>>)", part)]
    found = [one for part in paragraphs for one in END.split(part)]
    return [one for one in found if len(one.split()) >= 4 and one[0].isupper() and one[-1] in ".?!"]


def of_classes() -> Iterator[str]:
    """Yield the sentences of the docstrings of public classes, up to their sections."""
    for name in fstats.__all__:
        found = getattr(fstats, name)
        if isinstance(found, type):
            yield from sentences(re.split(r"\n[A-Z][\w ]*\n---", inspect.cleandoc(found.__doc__ or ""))[0])


def of_modules() -> Iterator[str]:
    """Yield the first line of each module."""
    for path in modules():
        yield (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n\n")[0].replace("\n", " ")


def of_comments() -> Iterator[str]:
    """Yield comments of at least four words; lines of a comment that follow each other are one comment."""
    for path in modules():
        source = re.sub(
            r"(?m)^( *# .*)((?:\n *# (?!--).*)+)", lambda found: found[1] + re.sub(r"\n *#", "", found[2]), path.read_text(encoding="utf-8")
        )
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            words = token.string.lstrip("# ")
            if token.type == tokenize.COMMENT and len(words.split()) >= 4 and not words.startswith(("noqa", "type:", "--")):
                yield f"{words}   [{token.line.strip().partition('#')[0].strip()[:100]}]"


def of_errors() -> Iterator[str]:
    """Yield the texts of raised errors, with ... for what is filled in."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = ast.unparse(node.exc.args[0])
                if text[:2] in ("f'", 'f"') or text[:1] in "'\"":
                    yield re.sub(r"\{[^{}]*\}", "...", text.lstrip("f")[1:-1])


def of_replies() -> Iterator[str]:
    """Yield what the files of mistakes say, and the sentences of the room that replies."""
    for path in sorted(ROOT.glob("fstats/teaching/**/*.toml")):
        yield from (one for text in texts_of(tomllib.loads(path.read_text(encoding="utf-8"))) for one in sentences(text))
    for path in (path for path in modules() if "grading" in path.parts):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield from sentences(re.sub(r"\{[^{}]*\}", "...", ast.unparse(node)[2:-1]))


def texts_of(value: Any) -> Iterator[str]:
    """Yield all texts of nested lists and dictionaries."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_of(inner)


def of_notebooks() -> Iterator[str]:
    """Yield the sentences of lessons and solutions."""
    for path in sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*.ipynb")]):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield from sentences("".join(cell["source"]))


def modules() -> list[Path]:
    """Return the modules of the package."""
    return sorted(ROOT.glob("fstats/**/*.py"))


KINDS = {of_classes: 30, of_modules: 20, of_comments: 20, of_errors: 15, of_replies: 15, of_notebooks: 20}


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(prog="python -m tests.sampled_sentences", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=25)
    rng, number = random.Random(parser.parse_args().seed), 0
    for kind, count in KINDS.items():
        print(f"\n## {kind.__name__.removeprefix('of_')}")
        for text in rng.sample(sorted({*kind()} - {""}), count):
            number += 1
            print(f"{number}. {text}")


if __name__ == "__main__":
    main()
