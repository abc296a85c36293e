"""Ziani: Lectures 3 and 4, The Randomized Response and Laplace Mechanisms."""
