"""From the verdicts on a submission to the mark of a student."""
