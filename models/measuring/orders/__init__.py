"""Measurements of what rotation does to the order of scores: near or far, one key or another."""
