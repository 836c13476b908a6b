"""What a worked procedure is: values, rules for numbers and names, checks, steps, and from the null distribution to the decision."""
