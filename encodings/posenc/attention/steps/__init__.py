"""Numbers of an attention followed: one pair, what is read from it, its inputs and biases."""
