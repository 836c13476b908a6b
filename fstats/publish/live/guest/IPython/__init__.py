"""What cells take from IPython: `display`, and words in a markup."""
