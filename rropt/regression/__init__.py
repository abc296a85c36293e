"""Regressions of randomized responses: families of models, their likelihood, its maximum, and its standard errors."""
