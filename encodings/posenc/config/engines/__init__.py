"""What each runtime reads from a config.json, and the settings for it."""
