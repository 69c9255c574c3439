"""The screen Converter."""
