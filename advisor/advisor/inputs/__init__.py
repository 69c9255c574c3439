"""Inputs that hold a configuration, config.json and others, each turned into its fields."""
