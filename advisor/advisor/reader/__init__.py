"""Reading a config.json: both generations of fields, and every model's own ways."""
