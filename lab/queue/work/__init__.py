"""The work of a job: training and measuring."""
