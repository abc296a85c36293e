"""Branch and bound over the directions of the rows, for problems with few outputs or bounds on entries (not convex)."""
