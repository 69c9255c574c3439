"""The screen Your own checkpoint."""
