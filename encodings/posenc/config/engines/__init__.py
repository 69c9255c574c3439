"""What each runtime reads from a config.json."""
