"""Estimates: from counts to estimates, intervals and their certificates."""
