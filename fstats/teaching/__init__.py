"""The course: lessons, exercises and their marking, and demonstrations for lectures."""
