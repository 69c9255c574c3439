"""The screen Absolute positions."""
