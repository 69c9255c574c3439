"""The screen Relative positions."""
