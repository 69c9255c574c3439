"""Quantities: matrices known by their formula, their views, and steps to one number."""
