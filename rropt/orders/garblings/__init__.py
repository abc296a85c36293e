"""The ways to decide ``A = C P``, one file each: structure, a unique kernel, refutations, a linear programme."""
