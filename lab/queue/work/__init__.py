"""What a job does: training and measuring, or a cheap stand-in for tests of the queue."""
