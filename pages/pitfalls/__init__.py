"""The screen Pitfalls."""
