"""Null distributions, and the exact counting behind them: what a statistic does when H0 is true."""
