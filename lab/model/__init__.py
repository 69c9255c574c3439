"""The small transformer, its encodings and its optimiser."""
