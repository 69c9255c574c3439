"""Sinusoidal absolute positions."""
