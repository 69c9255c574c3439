"""What to set so that a model reads a longer text, and why."""
