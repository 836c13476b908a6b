"""Parse and compare the answers of students."""
