"""Populations: finite populations, and complex surveys with weights, strata and clusters."""
