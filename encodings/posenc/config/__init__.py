"""A model's config.json, read, judged and written."""
