"""The solver for optimal designs: find optimal weights for the rays of a privacy region under an objective."""
