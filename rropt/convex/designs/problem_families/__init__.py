"""Families of designs in CVXPY."""
