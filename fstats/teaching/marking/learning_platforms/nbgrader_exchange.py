"""The feedback of a class in the exchange of nbgrader, where a JupyterHub's students fetch it in their list of assignments.

Sources: nbgrader 0.9, nbgrader/exchange/default/release_feedback.py and nbgrader/utils.py (notebook_hash).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import md5
from pathlib import Path

from ....runtime.atomic_write import written
from ..marks.student_grade import StudentGrade
from ..reports.feedback_pages import feedback_page
from ..submissions.uploaded_files import OPENING

SECRET = "submission_secret.txt"  # which nbgrader puts beside each submission; who knows it may read its feedback
LONGEST = 1000  # letters of it


def write_exchange_feedback(every: Sequence[StudentGrade], inbound: Path) -> int:
    """Write the feedback page of each submission of ``COURSE/inbound`` where nbgrader looks for it; returns how many.

    A page lies in ``COURSE/feedback`` under a name that follows from the secret of the submission and the name of the notebook, so
    that others can open it only if they know both.
    """
    place = inbound.parent / "feedback"
    place.mkdir(exist_ok=True)
    place.chmod(0o711)  # nobody lists it
    count = 0
    for one in every:
        if one.attempt is None or not (secret := _read_submission_secret(inbound / one.attempt.submission.named)):
            continue
        notebook = Path(one.attempt.submission.file).stem
        path = place / f"{md5(secret + notebook.encode(), usedforsecurity=False).hexdigest()}.html"
        written(path, feedback_page(one).encode("utf-8", "replace"))
        path.chmod(0o644)
        count += 1
    return count


def _read_submission_secret(submission: Path) -> bytes:
    """What is in the file beside a submission; nothing for what is no ordinary file: a student may have put anything there."""
    with suppress(OSError), open(os.open(submission / SECRET, OPENING), "rb") as file:
        return file.read(LONGEST)
    return b""
