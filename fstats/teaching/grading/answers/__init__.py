"""Parsing, comparison and diagnosis of students' answers."""
