"""Convex routes: CVXPY programmes whose rounded primal and dual make a rational bracket of the optimum.

The only place that imports cvxpy, and only when a programme is solved.
"""
