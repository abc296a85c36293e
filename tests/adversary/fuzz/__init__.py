"""Fuzzers: honest-looking pieces of certificates, with the truth from oracles that share no code with the checker.

* ``harness.py`` puts pieces to the checker, counts them by rule, method and oracle, and keeps every error;
* one module for each family of rules draws pieces, true ones and false ones, and says which they are;
* ``weakened.py`` drops a condition from a copy of the checker: some false file must then be accepted.
"""
