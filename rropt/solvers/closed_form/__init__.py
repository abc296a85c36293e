"""Closed forms: a theorem evaluated at exact parameters."""
