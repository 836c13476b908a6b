"""A built site as a reader without a network meets it: every link leads to a page and a place on it, and nothing is fetched
from outside.
"""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"src", "srcset", "data", "poster", "action", "formaction", "background"}  # what a browser asks for by itself


class Seen(HTMLParser):
    """What a page holds: places to be linked to, links that a reader follows, addresses that a browser fetches, images without words."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.without_words: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        self.ids += [about[name] for name in ("id", "name") if about.get(name)]
        if tag == "a" and "href" in about:
            self.links.append(about["href"])
        elif "href" in about and not {"canonical", "search", "next", "prev", "index"} & {*about.get("rel", "").split()}:
            self.fetched.append(about["href"])
        self.fetched += [about[name] for name in FETCHED & about.keys() if about[name]]
        self.fetched += re.findall(r"url\(['\"]?([^'\")]+)", about.get("style", ""))
        self.words += [about[name] for name in ("alt",) if name in about]
        if tag == "img" and not about.get("alt", "").strip():
            self.without_words.append(about.get("src", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)


@cache
def seen(page: Path) -> Seen:
    """What a page holds."""
    reader = Seen()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


def is_outside(address: str) -> bool:
    """Whether another machine would be asked."""
    return bool(urlsplit(address).netloc) or urlsplit(address).scheme in ("http", "https")


def faults(folder: Path) -> list[str]:
    """All that is wrong with the pages of a folder, in words."""
    found = []
    for page in sorted(folder.rglob("*.html")):
        name, about = page.relative_to(folder), seen(page)
        found += [f"{name}: it fetches {address}" for address in about.fetched if is_outside(address)]
        found += [f"{name}: an image without words, {image[:60]}" for image in about.without_words]
        twice = {one for one in about.ids if about.ids.count(one) > 1} if len(about.ids) < 3000 else set()
        found += [f"{name}: two places called {one}" for one in twice if one in {urlsplit(link).fragment for link in about.links}]
        for address in [link for link in about.links + about.fetched if not is_outside(link) and not link.startswith(("data:", "mailto:"))]:
            parts = urlsplit(address)
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
            if not target.is_file():
                found.append(f"{name}: {address} leads to no file")
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in seen(target).ids:
                found.append(f"{name}: {address} leads to no place there")
    for sheet in sorted(folder.rglob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)", text) + re.findall(r"@import\s+['\"]([^'\"]+)", text):
            if is_outside(address):
                found.append(f"{sheet.relative_to(folder)}: it fetches {address}")
            elif not address.startswith(("data:", "#")) and not (sheet.parent / urlsplit(address).path).exists():
                found.append(f"{sheet.relative_to(folder)}: {address} leads to no file")
    return found
