"""Read, compare and diagnose the answers of students."""
