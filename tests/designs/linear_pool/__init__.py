"""Random linear design problems, and two solvers that share nothing with the library's programs."""
