"""All tests: each kind of question has a folder, and each test has a file with its formulas and a worked example."""
