"""The screen Train one."""
