"""A list of addresses for a lesson: put together, shared as a link, played for a projector."""
