"""Objectives in CVXPY: a file for each file of ``rropt.objectives``."""
