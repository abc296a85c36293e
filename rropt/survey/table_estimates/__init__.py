"""Estimates from tables of respondents: each question in each group, weighted and of complex surveys."""
