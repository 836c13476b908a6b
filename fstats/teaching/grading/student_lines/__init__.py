"""Read the line of code that made an answer: where it stands in the notebook, what its parts are, which part is wrong."""
