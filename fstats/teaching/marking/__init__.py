"""The marker of a course: students' code delivers values in a process apart, and the judge of `grading` judges them here."""
