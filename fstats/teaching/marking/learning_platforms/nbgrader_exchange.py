"""Write feedback to the exchange folder of nbgrader, from which students of a JupyterHub fetch it.

Sources: nbgrader 0.9, nbgrader/exchange/default/release_feedback.py and nbgrader/utils.py (notebook_hash).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import md5
from pathlib import Path

from ....runtime.atomic_write import write_atomically
from ..marks.student_grade import StudentGrade
from ..reports.feedback_pages import feedback_page
from ..submissions.uploaded_files import OPENING

# file that nbgrader writes next to each submission; a person who knows its content may read the feedback
SECRET = "submission_secret.txt"
LONGEST = 1000  # maximum number of bytes that are read from the file SECRET


def write_exchange_feedback(every: Sequence[StudentGrade], inbound: Path) -> int:
    """Write the feedback page of each submission in ``COURSE/inbound`` for nbgrader; return the number of pages.

    A page is written into ``COURSE/feedback``.  The page's name depends on the secret of the submission and the name of the notebook: only
    people who know the secret and the name can open the page.
    """
    place = inbound.parent / "feedback"
    place.mkdir(exist_ok=True)
    place.chmod(0o711)  # other users may enter the folder, but not list its content
    count = 0
    for one in every:
        if one.attempt is None or not (secret := _read_submission_secret(inbound / one.attempt.submission.named)):
            continue
        notebook = Path(one.attempt.submission.file).stem
        path = place / f"{md5(secret + notebook.encode(), usedforsecurity=False).hexdigest()}.html"
        write_atomically(path, feedback_page(one).encode("utf-8", "replace"))
        path.chmod(0o644)
        count += 1
    return count


def _read_submission_secret(submission: Path) -> bytes:
    """Return the content of the file SECRET of a submission; empty if it is no regular file, because students control the folder."""
    with suppress(OSError), open(os.open(submission / SECRET, OPENING), "rb") as file:
        return file.read(LONGEST)
    return b""
