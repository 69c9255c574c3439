"""Questions that people ask in public, each a page with its number, picture and sources."""
