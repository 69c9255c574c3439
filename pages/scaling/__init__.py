"""The screen Scaling."""
