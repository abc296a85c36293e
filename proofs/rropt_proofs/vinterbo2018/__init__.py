"""Vinterbo (2018): A Simple Algorithm for Estimating Distribution Parameters from n-Dimensional Responses."""
