"""Families of designs in SymPy."""
