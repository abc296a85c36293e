"""Populations: finite populations, and samples with weights, strata and clusters."""
