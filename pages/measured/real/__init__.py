"""The pictures of the real model on Measured curves."""
