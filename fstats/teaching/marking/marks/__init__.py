"""Marks of submissions and grades of students."""
