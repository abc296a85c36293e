"""Holohan, Leith and Mason (2016): Optimal Differentially Private Mechanisms for Randomised Response."""
