"""One model trained many times: how much of a difference is the luck of the split and of the seed."""
