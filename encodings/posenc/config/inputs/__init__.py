"""What a configuration can be read from besides config.json, each turned into its fields."""
