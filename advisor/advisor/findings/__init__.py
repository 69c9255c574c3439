"""Findings: facts about a config.json that are worth a reader's time."""
