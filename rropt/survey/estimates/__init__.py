"""Estimation: from counts to estimates, confidence intervals and their certificates."""
