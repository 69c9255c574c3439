"""The screen What was verified."""
