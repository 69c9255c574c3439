"""Cost of positions in a real model, in numbers: loss by position, and keys found in filler."""
