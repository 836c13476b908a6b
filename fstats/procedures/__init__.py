"""Every test, a folder for each kind of question, each file the slide that it is taught by."""
