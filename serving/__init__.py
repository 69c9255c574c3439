"""What an operator sees of the running app: figures, readiness, requests."""
