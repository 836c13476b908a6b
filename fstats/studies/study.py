"""What every study needs: the figures that its source prints."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def printed(package: str) -> dict[str, Any]:
    """What the source of a study prints, from the file printed.toml in its package; figures are text as they stand there.

    >>> printed("fstats.studies.bcv")["table_5"]["KFoldT"]
    ['0.043', '0.076', '0.109', '0.142']
    """
    return tomllib.loads(files(package).joinpath("printed.toml").read_text(encoding="utf-8"))
