"""Before there are data: power, sample sizes, and tables of critical values."""
