"""What runs behind a wall, together with the code of a student; nothing of the course is imported here."""
