"""The key/value cache, whole and as a window, and keys that lie in it under other frequencies."""
