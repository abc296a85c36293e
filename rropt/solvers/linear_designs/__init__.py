"""Linear design problems with k inputs: the programme at a rational level, and its rounding towards privacy."""
