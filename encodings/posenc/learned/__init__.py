"""Learned absolute positions."""
