"""ALiBi: a linear penalty on distance."""
