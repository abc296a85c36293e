"""Blackwell's order in symbols: kernels with their region, and the layers of a row."""
