"""Families of linear design problems: the optimum as the least of a few formulas in the parameters and gamma."""
