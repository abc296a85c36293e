"""Linear programmes: the records, the proofs, and their words."""
