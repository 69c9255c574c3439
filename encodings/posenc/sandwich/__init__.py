"""Sandwich: a bias from sinusoids."""
