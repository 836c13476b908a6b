"""Plagiarism checks: similar submissions, shared passages, matching wrong answers."""
