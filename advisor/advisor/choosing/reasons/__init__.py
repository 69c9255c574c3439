"""Reasons for and against a choice, one function for each."""
