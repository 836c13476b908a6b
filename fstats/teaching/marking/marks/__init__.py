"""Marks: from the verdicts on a submission to the grade of a student."""
