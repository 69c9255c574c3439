"""Queries scaled by their positions."""
