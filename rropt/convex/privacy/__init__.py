"""Privacy criteria in CVXPY: B(h) by cutting planes, and breaches by linear programs."""
