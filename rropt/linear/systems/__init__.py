"""Exact linear algebra over the integers and rationals."""
