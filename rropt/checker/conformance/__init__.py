"""The boundary conformance suite, and the program that runs it against any checker of certificates.

``boundary_suite.py`` builds certificate files from cases and witnesses. ``suite_runner.py`` runs a checker, a command
in any language, and compares its verdicts with the expected ones. ``conformance.md`` describes the protocol and the
format of the two files.
"""

from .boundary_suite import File, suite_files, vector_files
from .suite_runner import SuiteOutcome, VerdictDifference, run_suite

__all__ = ["File", "SuiteOutcome", "VerdictDifference", "run_suite", "suite_files", "vector_files"]
