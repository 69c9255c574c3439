"""The work of a job: training and measuring, or a cheap stand-in for tests of the queue."""
