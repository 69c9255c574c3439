"""What is worth knowing about a config.json."""
