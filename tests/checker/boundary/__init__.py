"""The program that writes the boundary conformance suite (``rropt/checker/conformance/``); see ``make.py``."""
