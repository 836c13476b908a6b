"""All tests: one folder for each kind of question, and one file for each test with its formulas and a worked example."""
