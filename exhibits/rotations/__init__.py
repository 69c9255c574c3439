"""Identities of rotary positions, and mistakes with the other layout."""
