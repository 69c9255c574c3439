"""What a length costs: key/value cache, weights, operations, and the cards that hold them."""
