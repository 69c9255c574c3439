"""Families of models: the meaning of each `model_type` of a config.json."""
