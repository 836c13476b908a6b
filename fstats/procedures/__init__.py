"""All statistical tests, with a folder for each kind of question and a module for each test."""
