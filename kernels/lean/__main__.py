"""Write a certificate of a linear program for Lean: ``python kernels/lean CERTIFICATE --text FILE --export FILE``."""

import sys

from rropt_lean.main import run

sys.exit(run(sys.argv[1:]))
