"""Homework: tasks that are checked from a screen's settings, and results that can be opened."""
