"""From numbers to curves and verdicts."""
