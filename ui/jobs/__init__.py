"""The lab's jobs on screens."""
