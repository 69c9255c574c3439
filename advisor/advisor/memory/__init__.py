"""Cost of a length: key/value cache, weights, operations, and the cards that hold them."""
