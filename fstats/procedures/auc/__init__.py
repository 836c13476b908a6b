"""Areas under ROC curves: does one classifier rank the records better than another?"""
