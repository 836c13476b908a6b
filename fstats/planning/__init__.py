"""Planning of experiments: power, sample sizes, and tables of critical values."""
