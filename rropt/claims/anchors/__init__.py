"""Anchored proofs: the engine, not the author, ties the proof to the claim (docs/proofs.md)."""
