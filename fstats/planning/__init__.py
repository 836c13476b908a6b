"""Statistical power, sample sizes and critical values."""
