"""Plagiarism checks: similar submissions, shared passages, and matching wrong answers."""
