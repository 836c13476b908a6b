"""The course: lessons, exercises, marking, and demonstrations for lectures."""
