"""Exact routes: enumeration in rationals, and float answers turned into exact vertices and duals."""
