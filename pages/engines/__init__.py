"""What engines read: one dated table."""
