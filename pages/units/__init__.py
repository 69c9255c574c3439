"""The screen Units."""
