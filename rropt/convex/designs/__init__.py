"""Designs in CVXPY: a file for each file of ``rropt.designs`` that defines a problem."""
