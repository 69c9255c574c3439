"""Families that do not rotate along the text: which encoding they use instead."""
