"""Designs for every level in SymPy."""
