"""A configuration as the fields of a config.json, of transformers 5 or 4."""
