"""Anchored proofs: the endpoints are checked by the engine, not promised by the author (docs/proofs.md)."""
