"""The boundary conformance suite, and the program that runs it against any checker of certificates.

``suite.py`` puts cases and witnesses together to certificate files; ``runner.py`` calls a checker, a command of any
language, and compares its verdicts. ``conformance.md`` states the protocol and the form of the two files.
"""

from .runner import Difference, Outcome, run_suite
from .suite import File, suite_files, vector_files

__all__ = ["Difference", "File", "Outcome", "run_suite", "suite_files", "vector_files"]
