"""The timed cases: ours, the peers' way to the same numbers, and the least traffic."""
