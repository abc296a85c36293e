"""The one result of estimates, ``Estimates`` with rows ``Estimate``, and the functions that make it from responses."""
