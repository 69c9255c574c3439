"""What the `model_type` of a config.json implies, family by family."""
