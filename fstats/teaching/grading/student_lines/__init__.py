"""Find errors in the code of students."""
