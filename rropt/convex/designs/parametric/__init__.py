"""Designs for every level in CVXPY."""
