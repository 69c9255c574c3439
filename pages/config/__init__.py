"""The screen Scaling studio."""
