"""Choosing the settings with which a model reads a longer text, with reasons."""
