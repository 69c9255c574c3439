"""A chapter of the course."""
