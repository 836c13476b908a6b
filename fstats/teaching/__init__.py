"""The course: its lessons, its exercises and their marking, and what a lecture shows beyond a test."""
