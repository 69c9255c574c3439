"""Runtimes: the fields that each reads from a config.json, and the settings for it."""
