"""The screen Live attention."""
