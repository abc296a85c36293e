"""Plans of surveys in CVXPY."""
