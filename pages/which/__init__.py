"""The last chapter: all encodings in one table, and which to choose."""
