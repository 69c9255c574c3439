"""The gated delta rule: a memory of fixed size that fades and overwrites."""
