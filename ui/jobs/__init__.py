"""What screens show of the lab's jobs."""
