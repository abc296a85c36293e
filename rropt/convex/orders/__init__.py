"""Blackwell's order in CVXPY: garblings and admissibility by linear programs."""
