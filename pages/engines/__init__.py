"""Fields that engines read: one dated table."""
