"""Plagiarism detection in submissions."""
