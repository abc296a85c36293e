"""Chai and Nayak (2018): A criterion for privacy protection in data collection and its attainment."""
