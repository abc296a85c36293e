"""Anchored proofs: the ends are checked by the engine, not promised by the author (docs/proofs.md)."""
