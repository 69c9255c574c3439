"""The screen Verified."""
