"""The registry of claims: one folder per paper, with its cards and its claims in rows."""
