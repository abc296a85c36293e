"""The engine of optimal designs: find optimal weights for the rays of a region under an objective."""
