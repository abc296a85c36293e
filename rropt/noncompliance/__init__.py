"""Respondents who do not follow the device: sharp bounds, breakdown points, and tests of behavioural models."""
