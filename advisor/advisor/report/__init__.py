"""Everything worth knowing about a config.json, as a document and as text."""
